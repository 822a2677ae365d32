package io.github.kuaimi.internal;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A hash that has taken in a part of its message. Native code compresses whole blocks; state, buffer and padding are here. */
final class Sm3State {
    static final int DIGEST = 32;
    static final int BLOCK = 64;
    /** Several blocks, so that short pieces cost few calls; with the state, as many bytes as native code takes at once. */
    private static final int BUFFER = 7 * BLOCK;

    /** GB/T 32905-2016, 4.1. */
    private static final byte[] INITIAL = {
        0x73, (byte) 0x80, 0x16, 0x6f, 0x49, 0x14, (byte) 0xb2, (byte) 0xb9, 0x17, 0x24, 0x42, (byte) 0xd7, (byte) 0xda,
        (byte) 0x8a, 0x06, 0x00, (byte) 0xa9, 0x6f, 0x30, (byte) 0xbc, 0x16, 0x31, 0x38, (byte) 0xaa, (byte) 0xe3,
        (byte) 0x8d, (byte) 0xee, 0x4d, (byte) 0xb0, (byte) 0xfb, 0x0e, 0x4e
    };

    /** The state, and the buffer behind it. */
    private final byte[] work = Arrays.copyOf(INITIAL, DIGEST + BUFFER);
    private int used;
    private long length;

    Sm3State() {}

    /** A copy, which goes on by itself. */
    Sm3State(Sm3State other) {
        set(other);
    }

    /** Becomes as another. */
    void set(Sm3State other) {
        System.arraycopy(other.work, 0, work, 0, DIGEST + other.used);
        used = other.used;
        length = other.length;
    }

    void reset() {
        Wipe.wipe(work);
        System.arraycopy(INITIAL, 0, work, 0, DIGEST);
        used = 0;
        length = 0;
    }

    void update(byte value) {
        if (used == BUFFER) {
            compress();
        }
        work[DIGEST + used++] = value;
        length++;
    }

    void update(byte[] data, int offset, int count) {
        length += count;
        int free = BUFFER - used;
        if (count <= free) {
            System.arraycopy(data, offset, work, DIGEST + used, count);
            used += count;
            return;
        }
        if (used > 0) {
            System.arraycopy(data, offset, work, DIGEST + used, free);
            used = BUFFER;
            compress();
            offset += free;
            count -= free;
        }
        int rest = count % BLOCK;
        if (count > rest) {
            Native.sm3Compress(work, data, offset, count - rest);
        }
        System.arraycopy(data, offset + count - rest, work, DIGEST, rest);
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

    /** Compresses the whole blocks in the buffer, so that there is room, and a copy needs not do it again. */
    void compress() {
        int whole = used - used % BLOCK;
        Native.sm3CompressBuffer(work, whole);
        System.arraycopy(work, DIGEST + whole, work, DIGEST, used - whole);
        used -= whole;
    }

    /** The digest. What comes next begins a new message. */
    byte[] digest() {
        // 5.2: a bit 1, zeros, and the length in bits as 64 bits.
        if (used + 1 + Long.BYTES > BUFFER) {
            compress();
        }
        int padded = (used + 1 + Long.BYTES + BLOCK - 1) / BLOCK * BLOCK;
        work[DIGEST + used] = (byte) 0x80;
        Arrays.fill(work, DIGEST + used + 1, DIGEST + padded, (byte) 0);
        ByteBuffer.wrap(work).putLong(DIGEST + padded - Long.BYTES, 8 * length);
        Native.sm3CompressBuffer(work, padded);
        byte[] digest = Arrays.copyOf(work, DIGEST);
        reset();
        return digest;
    }
}
