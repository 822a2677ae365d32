package io.github.kuaimi.internal;

import java.nio.ByteBuffer;

/** A hash that has taken in a part of its message. Native code compresses whole blocks; state, buffer and padding are here. */
final class Sm3State {
    static final int DIGEST = 32;
    static final int BLOCK = 64;
    /** Several blocks, so that short pieces cost few calls. */
    private static final int BUFFER = 8 * BLOCK;

    /** GB/T 32905-2016, 4.1. */
    private static final byte[] INITIAL = {
        0x73, (byte) 0x80, 0x16, 0x6f, 0x49, 0x14, (byte) 0xb2, (byte) 0xb9, 0x17, 0x24, 0x42, (byte) 0xd7, (byte) 0xda,
        (byte) 0x8a, 0x06, 0x00, (byte) 0xa9, 0x6f, 0x30, (byte) 0xbc, 0x16, 0x31, 0x38, (byte) 0xaa, (byte) 0xe3,
        (byte) 0x8d, (byte) 0xee, 0x4d, (byte) 0xb0, (byte) 0xfb, 0x0e, 0x4e
    };

    private final byte[] state = INITIAL.clone();
    private final byte[] buffer = new byte[BUFFER];
    private int used;
    private long length;

    Sm3State() {}

    /** A copy, which goes on by itself. */
    Sm3State(Sm3State other) {
        set(other);
    }

    /** Becomes as another. */
    void set(Sm3State other) {
        System.arraycopy(other.state, 0, state, 0, DIGEST);
        System.arraycopy(other.buffer, 0, buffer, 0, other.used);
        used = other.used;
        length = other.length;
    }

    void reset() {
        Wipe.wipe(buffer);
        System.arraycopy(INITIAL, 0, state, 0, DIGEST);
        used = 0;
        length = 0;
    }

    void update(byte value) {
        if (used == BUFFER) {
            Native.sm3Compress(state, buffer, 0, BUFFER);
            used = 0;
        }
        buffer[used++] = value;
        length++;
    }

    void update(byte[] data, int offset, int count) {
        length += count;
        int free = BUFFER - used;
        if (count <= free) {
            System.arraycopy(data, offset, buffer, used, count);
            used += count;
            return;
        }
        if (used > 0) {
            System.arraycopy(data, offset, buffer, used, free);
            Native.sm3Compress(state, buffer, 0, BUFFER);
            offset += free;
            count -= free;
        }
        int rest = count % BLOCK;
        if (count > rest) {
            Native.sm3Compress(state, data, offset, count - rest);
        }
        System.arraycopy(data, offset + count - rest, buffer, 0, rest);
        used = rest;
    }

    void update(ByteBuffer data) {
        if (data.hasArray()) {
            update(data.array(), data.arrayOffset() + data.position(), data.remaining());
            data.position(data.limit());
            return;
        }
        byte[] piece = new byte[Math.min(data.remaining(), 16 << 10)];
        while (data.hasRemaining()) {
            int count = Math.min(piece.length, data.remaining());
            data.get(piece, 0, count);
            update(piece, 0, count);
        }
        Wipe.wipe(piece);
    }

    /** Compresses the whole blocks in the buffer, so that a copy needs not do it again. */
    void compress() {
        int whole = used - used % BLOCK;
        Native.sm3Compress(state, buffer, 0, whole);
        System.arraycopy(buffer, whole, buffer, 0, used - whole);
        used -= whole;
    }

    /** The digest. What comes next begins a new message. */
    byte[] digest() {
        // 5.2: a bit 1, zeros, and the length in bits as 64 bits. The buffer may be full.
        if (used == BUFFER) {
            Native.sm3Compress(state, buffer, 0, BUFFER);
            used = 0;
        }
        int padded = (used + 1 + 8 + BLOCK - 1) / BLOCK * BLOCK;
        byte[] last = padded <= BUFFER ? buffer : new byte[padded];
        if (last != buffer) {
            System.arraycopy(buffer, 0, last, 0, used);
        }
        last[used] = (byte) 0x80;
        java.util.Arrays.fill(last, used + 1, padded, (byte) 0);
        ByteBuffer.wrap(last).putLong(padded - 8, 8 * length);
        Native.sm3Compress(state, last, 0, padded);
        byte[] digest = state.clone();
        if (last != buffer) {
            Wipe.wipe(last);
        }
        reset();
        return digest;
    }
}
