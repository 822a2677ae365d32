package io.github.kuaimi.internal;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyRep;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.SecretKey;

/** Secret keys that are bytes. */
public final class SecretKeys {
    private SecretKeys() {}

    /** A copy of a key's bytes, for the caller to wipe. */
    static byte[] bytes(Key key) throws InvalidKeyException {
        if (!(key instanceof SecretKey) || !"RAW".equals(key.getFormat())) {
            throw new InvalidKeyException("a secret key is needed whose bytes can be had (format RAW)");
        }
        byte[] bytes = key.getEncoded();
        if (bytes == null) {
            throw new InvalidKeyException("a secret key is needed whose bytes can be had (format RAW)");
        }
        return bytes;
    }

    /** As {@link #bytes}, of the 16 bytes that SM4 needs. */
    public static byte[] sm4(Key key) throws InvalidKeyException {
        byte[] bytes = bytes(key);
        if (bytes.length != 16) {
            Wipe.wipe(bytes);
            throw new InvalidKeyException("an SM4 key has 16 bytes, not " + bytes.length);
        }
        return bytes;
    }

    /** A key that can be destroyed. It takes the bytes, not a copy. */
    static SecretKey of(byte[] bytes, String algorithm) {
        return new Raw(bytes, algorithm);
    }

    private static final class Raw implements SecretKey {
        private static final long serialVersionUID = 1;

        private final transient Secret secret;
        private final String algorithm;

        Raw(byte[] bytes, String algorithm) {
            secret = new Secret(bytes);
            this.algorithm = algorithm;
        }

        @Override
        public String getAlgorithm() {
            return algorithm;
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            return secret.copy();
        }

        @Override
        public void destroy() {
            secret.destroy();
        }

        @Override
        public boolean isDestroyed() {
            return secret.isDestroyed();
        }

        private Object writeReplace() throws ObjectStreamException {
            return new KeyRep(KeyRep.Type.SECRET, algorithm, getFormat(), getEncoded());
        }

        private void readObject(ObjectInputStream stream) throws InvalidObjectException {
            throw new InvalidObjectException("a key is written as its encoding");
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof SecretKey) || isDestroyed() || ((SecretKey) other).isDestroyed()) {
                return this == other;
            }
            SecretKey key = (SecretKey) other;
            return algorithm.equals(key.getAlgorithm()) && MessageDigest.isEqual(getEncoded(), key.getEncoded());
        }

        @Override
        public int hashCode() {
            return isDestroyed() ? 0 : Arrays.hashCode(getEncoded()) ^ algorithm.hashCode();
        }
    }
}
