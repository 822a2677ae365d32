package io.github.kuaimi.sm9;

import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;

/** The encryption master key of a key centre (GB/T 38635.2-2020, clause 7): it makes the decryption keys of all users. */
public final class Sm9MasterEncryptionKey extends Sm9PrivateKey {
    private final Sm9MasterEncryptionPublicKey publicKey;

    private Sm9MasterEncryptionKey(byte[] bytes) throws InvalidKeyException {
        super(bytes);
        publicKey = new Sm9MasterEncryptionPublicKey(Native.sm9EncryptionMasterPublicKey(bytes));
    }

    /** @return a new key, from the operating system's random generator */
    public static Sm9MasterEncryptionKey generate() {
        NativeLibrary.require();
        try {
            return new Sm9MasterEncryptionKey(Native.sm9GenerateEncryptionMaster());
        } catch (InvalidKeyException impossible) {
            throw new IllegalStateException("it was made now", impossible);
        }
    }

    /**
     * @param bytes the number, 32 bytes, most significant first
     * @return the key
     * @throws InvalidKeyException if it is out of range
     */
    public static Sm9MasterEncryptionKey of(byte[] bytes) throws InvalidKeyException {
        NativeLibrary.require();
        return new Sm9MasterEncryptionKey(bytes.clone());
    }

    /** @return the public key, which all users need */
    public Sm9MasterEncryptionPublicKey publicKey() {
        return publicKey;
    }

    /**
     * Makes the key of a user.
     *
     * @param identity the user's name, in UTF-8
     * @return the user's key
     * @throws InvalidKeyException if the name is empty, or, for about one name in 2²⁵⁶, the master key does not serve it
     */
    public Sm9DecryptionKey extract(String identity) throws InvalidKeyException {
        return extract(identity.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes the key of a user.
     *
     * @param identity the user's name
     * @return the user's key
     * @throws InvalidKeyException as above
     */
    public Sm9DecryptionKey extract(byte[] identity) throws InvalidKeyException {
        byte[] name = identity.clone();
        byte[] key = secret.with(bytes -> Native.sm9ExtractDecryption(bytes, name));
        return new Sm9DecryptionKey(key, name, publicKey);
    }
}
