package io.github.kuaimi.internal;

import java.security.InvalidKeyException;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;

/** Keys from files. */
public final class Sm2KeyReader {
    private Sm2KeyReader() {}

    public static ECPrivateKey privateKey(byte[] file, char[] password) throws InvalidKeyException {
        byte[] bytes = password == null ? null : Passwords.utf8(password);
        try {
            return Sm2PrivateKey.ofPair(Native.sm2ReadPrivate(file, bytes));
        } finally {
            Wipe.wipe(bytes);
        }
    }

    public static ECPublicKey publicKey(byte[] file) throws InvalidKeyException {
        return new Sm2PublicKey(Native.sm2ReadPublic(file));
    }
}
