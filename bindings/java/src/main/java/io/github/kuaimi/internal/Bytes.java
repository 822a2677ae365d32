package io.github.kuaimi.internal;

import java.util.Arrays;

/** Bytes that are collected until an operation begins, and wiped. */
final class Bytes {
    private byte[] bytes = new byte[0];
    private int length;

    int length() {
        return length;
    }

    byte[] array() {
        return bytes;
    }

    void add(byte[] input, int offset, int count) {
        if (count > bytes.length - length) {
            // An overflow gives a negative length, which copyOf refuses.
            byte[] larger = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count), 2 * Math.min(length, 1 << 29)));
            Wipe.wipe(bytes);
            bytes = larger;
        }
        System.arraycopy(input, offset, bytes, length, count);
        length += count;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    void clear() {
        Wipe.wipe(bytes);
        if (bytes.length > 1 << 16) {
            bytes = new byte[0];
        }
        length = 0;
    }
}
