package io.github.kuaimi.cfca;

import io.github.kuaimi.internal.Certificates;
import io.github.kuaimi.internal.Frames;
import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import io.github.kuaimi.internal.Passwords;
import io.github.kuaimi.internal.Secret;
import io.github.kuaimi.internal.Sm2PrivateKey;
import io.github.kuaimi.internal.Sm2PublicKey;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.util.List;
import java.util.Objects;
import javax.crypto.BadPaddingException;
import javax.security.auth.x500.X500Principal;

/**
 * What CFCA, the China Financial Certification Authority, and its library SADK write in forms of their own: {@code .sm2} files of keys,
 * and the encrypting key that comes back for a request with a temporary key. There is no public standard of them;
 * {@code emmansun/gmsm} has the same. SADK's messages are read and written by {@link io.github.kuaimi.cms.GmMessages}.
 *
 * <pre>{@code
 * CfcaKeyFile file = CfcaKeys.open(Files.readAllBytes(Path.of("holder.sm2")), password);
 * file.key();         // an ECPrivateKey
 * file.certificate(); // an X509Certificate
 *
 * // A request for a pair of certificates, and the encrypting key that CFCA returns.
 * byte[] request = CfcaKeys.request(new X500Principal("CN=holder,O=Example,C=CN"), key, temporary.getPublic(), "111111");
 * ECPrivateKey encrypting = CfcaKeys.openReturnedKey(returned, temporary.getPrivate());
 * }</pre>
 *
 * <p>Each method throws a {@link java.security.ProviderException} where native code cannot be loaded, or where the operating system's
 * random generator fails.
 */
public final class CfcaKeys {
    private CfcaKeys() {}

    /**
     * Opens an {@code .sm2} file.
     *
     * @param file in Base64, PEM or DER
     * @param password it is written in UTF-8
     * @return the key and the certificate, which belong together
     * @throws InvalidKeyException with the reason: another password, or no such file
     */
    public static CfcaKeyFile open(byte[] file, char[] password) throws InvalidKeyException {
        NativeLibrary.require();
        byte[] bytes = Passwords.utf8(password);
        byte[] opened = null;
        try {
            opened = Native.cfcaOpen(Objects.requireNonNull(file), bytes);
            List<byte[]> items = Frames.items(opened);
            return new CfcaKeyFile(Sm2PrivateKey.ofPair(items.get(0)), items.get(1));
        } finally {
            Secret.wipe(bytes);
            Secret.wipe(opened);
        }
    }

    /**
     * Writes an {@code .sm2} file. The form protects the password badly: it has no salt and no iterations. Only a random password of
     * 128 bits protects the key; PKCS #12 is better, where CFCA's form is not asked for.
     *
     * @param key of SM2
     * @param certificate that of the key
     * @param password not empty; it is written in UTF-8
     * @return the file: Base64, in lines
     * @throws InvalidKeyException if the key or the certificate is none of SM2, or they do not belong together
     * @throws IllegalArgumentException for an empty password
     */
    public static byte[] write(PrivateKey key, X509Certificate certificate, char[] password) throws InvalidKeyException {
        NativeLibrary.require();
        byte[] der = Certificates.encoded(certificate);
        Sm2PrivateKey held = Sm2PrivateKey.of(key);
        byte[] bytes = Passwords.utf8(password);
        byte[] number = null;
        try {
            number = held.number();
            return Native.cfcaWrite(number, der, bytes);
        } finally {
            Secret.wipe(bytes);
            held.release(number);
        }
    }

    /**
     * Makes a request for certificates (PKCS #10) that has a temporary public key, to which CFCA returns a pair to encrypt with.
     *
     * @param subject the holder's name
     * @param key the key that is to sign; it signs the request
     * @param temporary the public key of a new pair, which is used for nothing else
     * @param challengePassword at most 255 letters, digits and signs {@code '()+,-./:=?}; everybody can read it in the request
     * @return the request in DER
     * @throws InvalidKeyException if a key is none of SM2
     * @throws IllegalArgumentException for another password
     */
    public static byte[] request(X500Principal subject, PrivateKey key, PublicKey temporary, String challengePassword)
            throws InvalidKeyException {
        NativeLibrary.require();
        byte[] point = Sm2PublicKey.of(temporary).point();
        byte[] password = challengePassword.getBytes(StandardCharsets.UTF_8);
        Sm2PrivateKey held = Sm2PrivateKey.of(key);
        byte[] number = held.number();
        try {
            return Native.cfcaRequest(subject.getEncoded(), number, point, password);
        } finally {
            held.release(number);
        }
    }

    /**
     * The temporary public key in a request, for an authority.
     *
     * @param request in DER or PEM; its signature is not verified
     * @return the key, or null if the request has none
     * @throws InvalidKeyException if it is no request, or no key
     */
    public static ECPublicKey temporaryKey(byte[] request) throws InvalidKeyException {
        NativeLibrary.require();
        byte[] point = Native.cfcaTemporaryKey(Objects.requireNonNull(request));
        return point.length == 0 ? null : new Sm2PublicKey(point);
    }

    /**
     * Encrypts an encrypting key for the holder of a temporary key, as CFCA returns it.
     *
     * @param key the private key that the holder is to get
     * @param temporary the temporary public key of the request
     * @return the text for the holder
     * @throws InvalidKeyException if a key is none of SM2
     */
    public static byte[] returnKey(PrivateKey key, PublicKey temporary) throws InvalidKeyException {
        NativeLibrary.require();
        byte[] point = Sm2PublicKey.of(temporary).point();
        Sm2PrivateKey held = Sm2PrivateKey.of(key);
        byte[] number = held.number();
        try {
            return Native.cfcaReturnKey(number, point);
        } finally {
            held.release(number);
        }
    }

    /**
     * Opens the encrypting key that CFCA returned.
     *
     * @param returned the text, with or without the digits before its Base64
     * @param temporary the private key to the temporary public key of the request
     * @return the key
     * @throws BadPaddingException for another temporary key and for an altered text; which of these is not said
     * @throws InvalidKeyException if it is no such text, or the temporary key is none of SM2
     */
    public static ECPrivateKey openReturnedKey(byte[] returned, PrivateKey temporary)
            throws BadPaddingException, InvalidKeyException {
        NativeLibrary.require();
        Sm2PrivateKey held = Sm2PrivateKey.of(temporary);
        byte[] number = held.number();
        try {
            return Sm2PrivateKey.ofPair(Native.cfcaOpenReturnedKey(number, Objects.requireNonNull(returned)));
        } finally {
            held.release(number);
        }
    }
}
