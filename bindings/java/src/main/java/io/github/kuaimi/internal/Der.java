package io.github.kuaimi.internal;

/** The few bytes of DER that parameters of ciphers need: lengths below 128. */
final class Der {
    static final int INTEGER = 2;
    static final int OCTET_STRING = 4;
    static final int SEQUENCE = 0x30;

    private Der() {}

    static byte[] octetString(byte[] content) {
        byte[] encoded = new byte[content.length + 2];
        encoded[0] = OCTET_STRING;
        encoded[1] = (byte) content.length;
        System.arraycopy(content, 0, encoded, 2, content.length);
        return encoded;
    }
}
