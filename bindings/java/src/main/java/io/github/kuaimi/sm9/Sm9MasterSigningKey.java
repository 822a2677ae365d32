package io.github.kuaimi.sm9;

import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;

/** The signing master key of a key centre (GB/T 38635.2-2020, clause 6): it makes the signing keys of all users. */
public final class Sm9MasterSigningKey extends Sm9PrivateKey {
    private final Sm9MasterSigningPublicKey publicKey;

    private Sm9MasterSigningKey(byte[] bytes) throws InvalidKeyException {
        super(bytes);
        publicKey = new Sm9MasterSigningPublicKey(Native.sm9SigningMasterPublicKey(bytes));
    }

    /** @return a new key, from the operating system's random generator */
    public static Sm9MasterSigningKey generate() {
        NativeLibrary.require();
        try {
            return new Sm9MasterSigningKey(Native.sm9GenerateSigningMaster());
        } catch (InvalidKeyException impossible) {
            throw new IllegalStateException("it was made now", impossible);
        }
    }

    /**
     * @param bytes the number, 32 bytes, most significant first
     * @return the key
     * @throws InvalidKeyException if it is out of range
     */
    public static Sm9MasterSigningKey of(byte[] bytes) throws InvalidKeyException {
        NativeLibrary.require();
        return new Sm9MasterSigningKey(bytes.clone());
    }

    /** @return the public key, which all users need */
    public Sm9MasterSigningPublicKey publicKey() {
        return publicKey;
    }

    /**
     * Makes the key of a user.
     *
     * @param identity the user's name, in UTF-8
     * @return the user's key
     * @throws InvalidKeyException if the name is empty, or, for about one name in 2²⁵⁶, the master key does not serve it
     */
    public Sm9SigningKey extract(String identity) throws InvalidKeyException {
        return extract(identity.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes the key of a user.
     *
     * @param identity the user's name
     * @return the user's key
     * @throws InvalidKeyException as above
     */
    public Sm9SigningKey extract(byte[] identity) throws InvalidKeyException {
        byte[] name = identity.clone();
        byte[] key = secret.with(bytes -> Native.sm9ExtractSigning(bytes, name));
        return new Sm9SigningKey(key, name, publicKey);
    }
}
