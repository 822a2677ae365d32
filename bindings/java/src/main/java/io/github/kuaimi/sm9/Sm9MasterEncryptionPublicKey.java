package io.github.kuaimi.sm9;

import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.ProviderException;
import java.util.Arrays;

/** The public key of a centre, with which one encrypts to each of its users. */
public final class Sm9MasterEncryptionPublicKey {
    private final byte[] bytes;

    Sm9MasterEncryptionPublicKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * @param bytes the point, 64 bytes
     * @return the key
     * @throws InvalidKeyException with the reason, if it is no such point
     */
    public static Sm9MasterEncryptionPublicKey of(byte[] bytes) throws InvalidKeyException {
        NativeLibrary.require();
        byte[] copy = bytes.clone();
        Native.sm9CheckEncryptionMasterPublicKey(copy);
        return new Sm9MasterEncryptionPublicKey(copy);
    }

    byte[] bytes() {
        return bytes;
    }

    /**
     * Encrypts (GB/T 38635.4-2020).
     *
     * @param identity for whom, in UTF-8
     * @param message at least one byte
     * @return the ciphertext in DER (GB/T 41389-2022), its message masked by a key stream
     */
    public byte[] encrypt(String identity, byte[] message) {
        return encrypt(identity.getBytes(StandardCharsets.UTF_8), message);
    }

    /**
     * Encrypts.
     *
     * @param identity for whom
     * @param message at least one byte
     * @return the ciphertext in DER
     */
    public byte[] encrypt(byte[] identity, byte[] message) {
        try {
            return Native.sm9Encrypt(bytes, identity, message);
        } catch (InvalidKeyException impossible) {
            throw new ProviderException("the key was checked", impossible);
        }
    }

    /**
     * Makes a key that the user can find out, too (GB/T 38635.4-2020, clause 6).
     *
     * @param identity for whom, in UTF-8
     * @param length the bytes of the key
     * @return the key, and what the user needs
     */
    public Sm9Encapsulation encapsulate(String identity, int length) {
        try {
            byte[] both = Native.sm9Encapsulate(bytes, identity.getBytes(StandardCharsets.UTF_8), length);
            Sm9Encapsulation result =
                    new Sm9Encapsulation(Arrays.copyOf(both, 64), Arrays.copyOfRange(both, 64, both.length));
            Arrays.fill(both, (byte) 0);
            return result;
        } catch (InvalidKeyException impossible) {
            throw new ProviderException("the key was checked", impossible);
        }
    }

    /** @return the point, 64 bytes */
    public byte[] getEncoded() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sm9MasterEncryptionPublicKey && Arrays.equals(bytes, ((Sm9MasterEncryptionPublicKey) other).bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
