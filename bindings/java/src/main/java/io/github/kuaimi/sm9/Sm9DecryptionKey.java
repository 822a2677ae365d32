package io.github.kuaimi.sm9;

import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import io.github.kuaimi.internal.Secret;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import javax.crypto.BadPaddingException;

/** The decryption key of a user (GB/T 38635.4-2020). */
public final class Sm9DecryptionKey extends Sm9PrivateKey {
    private final byte[] identity;
    private final Sm9MasterEncryptionPublicKey master;

    Sm9DecryptionKey(byte[] bytes, byte[] identity, Sm9MasterEncryptionPublicKey master) {
        super(bytes, secret -> Native.sm9Forget(secret, master.bytes(), identity));
        this.identity = identity;
        this.master = master;
    }

    /**
     * @param bytes the point, 128 bytes
     * @param identity the user's name, in UTF-8
     * @param master the public key of the centre that made it
     * @return the key
     * @throws InvalidKeyException if they do not belong together
     */
    public static Sm9DecryptionKey of(byte[] bytes, String identity, Sm9MasterEncryptionPublicKey master)
            throws InvalidKeyException {
        NativeLibrary.require();
        byte[] name = identity.getBytes(StandardCharsets.UTF_8);
        byte[] own = bytes.clone();
        Native.sm9CheckDecryption(own, master.bytes(), name);
        return new Sm9DecryptionKey(own, name, master);
    }

    /**
     * Decrypts.
     *
     * @param ciphertext in DER
     * @return the message
     * @throws InvalidKeyException if the key was destroyed
     * @throws BadPaddingException if anything is wrong with the ciphertext, or it is another's
     */
    public byte[] decrypt(byte[] ciphertext) throws InvalidKeyException, BadPaddingException {
        byte[] bytes = secret.take();
        try {
            return Native.sm9Decrypt(bytes, master.bytes(), identity, ciphertext);
        } finally {
            secret.release(bytes);
        }
    }

    /**
     * Finds out the key of an {@link Sm9Encapsulation}.
     *
     * @param point its point
     * @param length the bytes of the key
     * @return the key; another one than the sender's, if the point is not for this user
     * @throws InvalidKeyException if the key was destroyed
     * @throws BadPaddingException if it is no point
     */
    public byte[] decapsulate(byte[] point, int length) throws InvalidKeyException, BadPaddingException {
        byte[] bytes = secret.take();
        try {
            return Native.sm9Decapsulate(bytes, master.bytes(), identity, point, length);
        } finally {
            secret.release(bytes);
        }
    }

    /** @return the public key of the centre that made it */
    public Sm9MasterEncryptionPublicKey masterPublicKey() {
        return master;
    }
}
