package io.github.kuaimi.internal;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Signatures in the form that columns have, and in DER. */
public final class Sm2Rows {
    private static final int INTEGER = 2;
    private static final int SEQUENCE = 0x30;
    private static final int NUMBER = 32;

    private Sm2Rows() {}

    /** r and s of a signature in strict DER; null for any other bytes. Nobody may change them meanwhile. */
    public static byte[] raw(byte[] der) {
        if (der.length < 8 || der[0] != SEQUENCE || der[1] != der.length - 2) {
            return null;
        }
        byte[] raw = new byte[2 * NUMBER];
        int end = number(der, 2, raw, 0);
        return end > 0 && number(der, end, raw, NUMBER) == der.length ? raw : null;
    }

    /** Where the integer ends that begins here; -1 if it is none of 32 bytes at most in strict DER. */
    private static int number(byte[] der, int start, byte[] raw, int offset) {
        if (start + 2 >= der.length || der[start] != INTEGER) {
            return -1;
        }
        int length = der[start + 1];
        int first = start + 2;
        int end = first + length;
        if (length < 1 || length > NUMBER + 1 || end > der.length || der[first] < 0) {
            return -1;
        }
        if (length > 1 && der[first] == 0) {
            if (der[first + 1] >= 0) {
                return -1;
            }
            first++;
        }
        if (end - first > NUMBER) {
            return -1;
        }
        System.arraycopy(der, first, raw, offset + NUMBER - (end - first), end - first);
        return end;
    }

    /** Strict DER of r and s. */
    public static byte[] der(byte[] raw) {
        byte[] r = new BigInteger(1, Arrays.copyOf(raw, NUMBER)).toByteArray();
        byte[] s = new BigInteger(1, Arrays.copyOfRange(raw, NUMBER, 2 * NUMBER)).toByteArray();
        return ByteBuffer.allocate(6 + r.length + s.length)
                .put((byte) SEQUENCE).put((byte) (4 + r.length + s.length))
                .put((byte) INTEGER).put((byte) r.length).put(r)
                .put((byte) INTEGER).put((byte) s.length).put(s)
                .array();
    }
}
