package io.github.kuaimi.sm9;

import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.ProviderException;
import java.util.Arrays;

/** The public key of a centre, with which the signatures of all its users are verified. */
public final class Sm9MasterSigningPublicKey {
    private final byte[] bytes;

    Sm9MasterSigningPublicKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * @param bytes the point, 128 bytes
     * @return the key
     * @throws InvalidKeyException with the reason, if it is no such point
     */
    public static Sm9MasterSigningPublicKey of(byte[] bytes) throws InvalidKeyException {
        NativeLibrary.require();
        byte[] copy = bytes.clone();
        Native.sm9CheckSigningMasterPublicKey(copy);
        return new Sm9MasterSigningPublicKey(copy);
    }

    byte[] bytes() {
        return bytes;
    }

    /**
     * Verifies a signature (GB/T 38635.2-2020, clause 6.4).
     *
     * @param identity who signed, in UTF-8
     * @param message the message
     * @param signature in DER
     * @return whether it is right
     */
    public boolean verify(String identity, byte[] message, byte[] signature) {
        return verify(identity.getBytes(StandardCharsets.UTF_8), message, signature);
    }

    /**
     * Verifies a signature.
     *
     * @param identity who signed
     * @param message the message
     * @param signature in DER
     * @return whether it is right
     */
    public boolean verify(byte[] identity, byte[] message, byte[] signature) {
        try {
            return Native.sm9Verify(bytes, identity, message, signature);
        } catch (InvalidKeyException impossible) {
            throw new ProviderException("the key was checked", impossible);
        }
    }

    /** @return the point, 128 bytes */
    public byte[] getEncoded() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sm9MasterSigningPublicKey && Arrays.equals(bytes, ((Sm9MasterSigningPublicKey) other).bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
