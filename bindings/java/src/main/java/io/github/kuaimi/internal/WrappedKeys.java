package io.github.kuaimi.internal;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.Cipher;

/** What {@code Cipher.wrap} encrypts, and what {@code Cipher.unwrap} makes of it. */
final class WrappedKeys {
    private WrappedKeys() {}

    static byte[] encoded(Key key) throws InvalidKeyException {
        byte[] bytes = key.getEncoded();
        if (bytes == null || bytes.length == 0) {
            throw new InvalidKeyException("this key cannot be wrapped: its bytes cannot be had");
        }
        return bytes;
    }

    /** The bytes are wiped. */
    static Key key(byte[] bytes, String algorithm, int kind) throws InvalidKeyException, NoSuchAlgorithmException {
        try {
            switch (kind) {
                case Cipher.SECRET_KEY:
                    if (bytes.length == 0) {
                        throw new InvalidKeyException("this is no key");
                    }
                    return SecretKeys.of(bytes.clone(), algorithm);
                case Cipher.PRIVATE_KEY:
                    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
                case Cipher.PUBLIC_KEY:
                    return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(bytes));
                default:
                    throw new InvalidKeyException("no such kind of key: " + kind);
            }
        } catch (InvalidKeySpecException reason) {
            throw new InvalidKeyException("this is no " + algorithm + " key", reason);
        } finally {
            Wipe.wipe(bytes);
        }
    }
}
