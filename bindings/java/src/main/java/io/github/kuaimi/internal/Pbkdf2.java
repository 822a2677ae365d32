package io.github.kuaimi.internal;

import java.security.InvalidKeyException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.PBEKeySpec;

/** {@code SecretKeyFactory.PBKDF2WithHmacSM3} (RFC 8018): passwords are written in UTF-8. */
final class Pbkdf2 extends SecretKeyFactorySpi {
    @Override
    protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
        if (!(spec instanceof PBEKeySpec)) {
            throw new InvalidKeySpecException("a PBEKeySpec is needed");
        }
        PBEKeySpec given = (PBEKeySpec) spec;
        if (given.getSalt() == null || given.getKeyLength() <= 0 || given.getKeyLength() % 8 != 0) {
            throw new InvalidKeySpecException("the salt is needed, and the key's length: in bits, whole bytes");
        }
        char[] password = given.getPassword();
        byte[] bytes = Passwords.utf8(password);
        try {
            return SecretKeys.of(
                    Native.sm3Pbkdf2(bytes, given.getSalt(), given.getIterationCount(), given.getKeyLength() / 8),
                    "PBKDF2WithHmacSM3");
        } catch (IllegalArgumentException reason) {
            throw new InvalidKeySpecException(reason.getMessage(), reason);
        } finally {
            Arrays.fill(password, '\0');
            Wipe.wipe(bytes);
        }
    }

    @Override
    protected KeySpec engineGetKeySpec(SecretKey key, Class<?> kind) throws InvalidKeySpecException {
        throw new InvalidKeySpecException("a derived key does not show its password");
    }

    @Override
    protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
        return SecretKeys.of(SecretKeys.bytes(key), key.getAlgorithm());
    }
}
