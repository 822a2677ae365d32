package io.github.kuaimi.internal;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;

/** What all ciphers have in common: {@code Cipher.wrap} encrypts a key's bytes, and {@code Cipher.unwrap} makes a key of them. */
abstract class WrappingCipher extends CipherSpi {
    @Override
    protected byte[] engineWrap(Key key) throws IllegalBlockSizeException, InvalidKeyException {
        byte[] bytes = encoded(key);
        try {
            return engineDoFinal(bytes, 0, bytes.length);
        } catch (BadPaddingException impossible) {
            throw new IllegalStateException("nothing is decrypted", impossible);
        } finally {
            Wipe.wipe(bytes);
        }
    }

    @Override
    protected Key engineUnwrap(byte[] wrapped, String algorithm, int kind)
            throws InvalidKeyException, NoSuchAlgorithmException {
        try {
            return key(engineDoFinal(wrapped, 0, wrapped.length), algorithm, kind);
        } catch (IllegalBlockSizeException | BadPaddingException reason) {
            throw new InvalidKeyException("the key cannot be unwrapped", reason);
        }
    }

    private static byte[] encoded(Key key) throws InvalidKeyException {
        byte[] bytes = key.getEncoded();
        if (bytes == null || bytes.length == 0) {
            throw new InvalidKeyException("this key cannot be wrapped: its bytes cannot be had");
        }
        return bytes;
    }

    /** The bytes are wiped. */
    private static Key key(byte[] bytes, String algorithm, int kind) throws InvalidKeyException, NoSuchAlgorithmException {
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
