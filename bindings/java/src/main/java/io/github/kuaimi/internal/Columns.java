package io.github.kuaimi.internal;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/** Direct buffers with a part for each row, as native code takes them. */
public final class Columns {
    /** A buffer takes many bytes at once much faster than one by one. */
    private static final byte[] ZEROS = new byte[4096];

    private Columns() {}

    /** Where each item ends if they are joined. */
    public static int[] ends(byte[][] items) {
        int[] ends = new int[items.length];
        int end = 0;
        for (int row = 0; row < ends.length; row++) {
            end = Math.addExact(end, items[row].length);
            ends[row] = end;
        }
        return ends;
    }

    public static ByteBuffer joined(byte[][] items, int[] ends) {
        ByteBuffer joined = ByteBuffer.allocateDirect(ends.length == 0 ? 0 : ends[ends.length - 1]);
        for (byte[] item : items) {
            joined.put(item);
        }
        return joined;
    }

    public static void direct(ByteBuffer... buffers) {
        for (ByteBuffer buffer : buffers) {
            if (!buffer.isDirect()) {
                throw new IllegalArgumentException("direct buffers are needed: ByteBuffer.allocateDirect");
            }
        }
    }

    public static void writable(ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
    }

    /** A row is wrong until it is known to be right. */
    public static void allWrong(ByteBuffer verdicts, int rows) {
        direct(verdicts);
        writable(verdicts);
        zeros(verdicts, rows);
    }

    /** Wipes a buffer of this class's callers. */
    public static void wipe(ByteBuffer buffer) {
        zeros(buffer, buffer.capacity());
    }

    private static void zeros(ByteBuffer buffer, int length) {
        ByteBuffer rest = buffer.duplicate().clear();
        rest.limit(Math.max(0, Math.min(length, rest.capacity())));
        while (rest.hasRemaining()) {
            rest.put(ZEROS, 0, Math.min(ZEROS.length, rest.remaining()));
        }
    }
}
