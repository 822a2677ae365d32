package io.github.kuaimi.internal;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/** Passwords in UTF-8. */
public final class Passwords {
    private Passwords() {}

    /** A copy, for the caller to wipe. */
    public static byte[] utf8(char[] password) {
        ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(password));
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        Wipe.wipe(encoded.array());
        return bytes;
    }
}
