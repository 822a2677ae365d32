package io.github.kuaimi;

import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import io.github.kuaimi.internal.Sm2PublicKey;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.PublicKey;
import java.security.SignatureException;

/** What SM2 has beside the names of the Java Cryptography Architecture. */
public final class Sm2 {
    private Sm2() {}

    /**
     * Says why a signature may not fit. What people get wrong is tried: another identity, the message in hexadecimal or Base64 or with a
     * line end more or less, a digest in its place, {@code r} and {@code s} swapped or with their bytes reversed.
     *
     * <p>It is a hint for people, and changes no verdict: never take a signature because of it. All that it is given is public. It takes
     * at most about a second.
     *
     * @param key the key that the signature was verified with
     * @param identity the identity that it was verified under, at most 8191 bytes
     * @param message the message
     * @param signature in DER, or r and s, 64 bytes
     * @return for example {@code it fits under the empty identity}; null if nothing is found, and if the signature fits as it is
     * @throws InvalidKeyException if the key is none of SM2
     * @throws SignatureException with the reason, if the bytes are no signature
     */
    public static String explain(PublicKey key, byte[] identity, byte[] message, byte[] signature)
            throws InvalidKeyException, SignatureException {
        NativeLibrary.require();
        byte[] found = Native.sm2Explain(Sm2PublicKey.of(key).point(), identity, message, signature);
        return found == null ? null : new String(found, StandardCharsets.UTF_8);
    }
}
