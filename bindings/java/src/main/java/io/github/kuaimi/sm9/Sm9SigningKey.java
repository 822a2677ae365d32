package io.github.kuaimi.sm9;

import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;

/** The signing key of a user (GB/T 38635.2-2020, clause 6). */
public final class Sm9SigningKey extends Sm9PrivateKey {
    private final byte[] identity;
    private final Sm9MasterSigningPublicKey master;

    Sm9SigningKey(byte[] bytes, byte[] identity, Sm9MasterSigningPublicKey master) {
        super(bytes, secret -> Native.sm9Forget(secret, master.bytes(), identity));
        this.identity = identity;
        this.master = master;
    }

    /**
     * @param bytes the point, 64 bytes
     * @param identity the user's name, in UTF-8
     * @param master the public key of the centre that made it
     * @return the key
     * @throws InvalidKeyException if they do not belong together
     */
    public static Sm9SigningKey of(byte[] bytes, String identity, Sm9MasterSigningPublicKey master)
            throws InvalidKeyException {
        NativeLibrary.require();
        byte[] name = identity.getBytes(StandardCharsets.UTF_8);
        byte[] own = bytes.clone();
        Native.sm9CheckSigning(own, master.bytes(), name);
        return new Sm9SigningKey(own, name, master);
    }

    /**
     * Signs (GB/T 38635.2-2020, clause 6.2).
     *
     * @param message the message
     * @return the signature in DER
     * @throws InvalidKeyException if the key was destroyed
     */
    public byte[] sign(byte[] message) throws InvalidKeyException {
        return secret.with(bytes -> Native.sm9Sign(bytes, master.bytes(), identity, message));
    }

    /** @return the public key of the centre that made it */
    public Sm9MasterSigningPublicKey masterPublicKey() {
        return master;
    }
}
