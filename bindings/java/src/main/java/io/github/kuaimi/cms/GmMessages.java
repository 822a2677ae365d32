package io.github.kuaimi.cms;

import io.github.kuaimi.internal.Certificates;
import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import io.github.kuaimi.internal.Secret;
import io.github.kuaimi.internal.SecretKeys;
import io.github.kuaimi.internal.Sm2PrivateKey;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.crypto.BadPaddingException;
import javax.crypto.SecretKey;

/**
 * Messages of GM/T 0010-2012 (GB/T 35275) with SM2, SM3 and SM4: signedData, envelopedData, signedAndEnvelopedData and encryptedData.
 * Bouncy Castle has those of CMS (RFC 5652), and does not know the object identifiers of China's standard.
 *
 * <pre>{@code
 * byte[] signed = GmMessages.sign(content, List.of(new GmSigner(key, certificate)), GmSignOptions.DEFAULT);
 * byte[] message = GmMessages.encrypt(signed, List.of(recipient), GmEncryptOptions.DEFAULT);
 *
 * GmMessage opened = GmMessages.decrypt(message, recipientKey, recipient, GmVerifyOptions.DEFAULT);
 * GmMessage verified = GmMessages.verify(opened.content(), GmVerifyOptions.DEFAULT);
 * X509Certificate signer = verified.signers().get(0).certificate();
 * }</pre>
 *
 * <p><b>Anybody can sign</b>, and name anybody in a certificate: verify the chain of the signer's certificate, for example with
 * {@link java.security.cert.CertPathValidator}, where {@link io.github.kuaimi.KuaimiProvider} is installed first.
 *
 * <p>Messages are in memory, and are read in DER, BER or PEM, in any {@link GmForm}. Randomness is the operating system's. Certificates
 * and keys may be of any provider's classes, if they can be encoded; arrays are read once, and are not kept. Threads may call at the
 * same time.
 *
 * <p>Each method that uses native code throws a {@link java.security.ProviderException} where that cannot be loaded, or where the
 * operating system's random generator fails.
 */
public final class GmMessages {
    private GmMessages() {}

    /**
     * Signs: signedData (GM/T 0010-2012, clause 7; RFC 5652, clause 5). With several signers, each signs the content.
     *
     * @param content of any length
     * @param signers 1 to 64
     * @param options {@link GmSignOptions#DEFAULT}, or others
     * @return the message in DER
     * @throws InvalidKeyException if a key or a certificate is none of SM2, or they do not belong together
     * @throws IllegalArgumentException if there is no signer, or more than 64, or options do not fit together
     */
    public static byte[] sign(byte[] content, List<GmSigner> signers, GmSignOptions options) throws InvalidKeyException {
        NativeLibrary.require();
        GmSigner[] all = signers.toArray(new GmSigner[0]);
        byte[] others = Certificates.list(options.certificates);
        byte[] keys = keys(all);
        try {
            return Native.cmsSign(
                    Objects.requireNonNull(content), certificates(all), keys, others, options.settings, options.seconds());
        } finally {
            release(all, keys);
        }
    }

    /**
     * Verifies a signed message that has its content inside.
     *
     * @param message in DER, BER or PEM
     * @param options {@link GmVerifyOptions#DEFAULT}, or others
     * @return the content and the signers, all of whose signatures are right; whether to trust them is for the caller
     * @throws SignatureException if a signature is not right, or the signer's certificate is not there
     * @throws GmMessageException if it is no signed message, has no signer, or does not have its content inside
     * @throws InvalidKeyException if a certificate of the options cannot be read
     */
    public static GmMessage verify(byte[] message, GmVerifyOptions options)
            throws SignatureException, GmMessageException, InvalidKeyException {
        NativeLibrary.require();
        byte[] known = Certificates.list(options.certificates);
        return new GmMessage(Native.cmsVerify(Objects.requireNonNull(message), null, known, options.empty));
    }

    /**
     * Verifies a signed message that does not have its content inside.
     *
     * @param message in DER, BER or PEM
     * @param content what was signed
     * @param options {@link GmVerifyOptions#DEFAULT}, or others
     * @return the signers, all of whose signatures are right
     * @throws SignatureException if a signature is not right, also since the content is another one
     * @throws GmMessageException if it is no signed message, has no signer, or has a content inside
     * @throws InvalidKeyException if a certificate of the options cannot be read
     */
    public static GmMessage verifyDetached(byte[] message, byte[] content, GmVerifyOptions options)
            throws SignatureException, GmMessageException, InvalidKeyException {
        NativeLibrary.require();
        byte[] known = Certificates.list(options.certificates);
        return new GmMessage(Native.cmsVerify(
                Objects.requireNonNull(message), Objects.requireNonNull(content), known, options.empty));
    }

    /**
     * Encrypts for the holders of certificates' keys: envelopedData (GM/T 0010-2012, clause 8), or authEnvelopedData (RFC 5083) with
     * {@link GmCipher#SM4_GCM}. Of a pair, give the encrypting certificate. Certificates are not verified.
     *
     * @param content of any length
     * @param recipients one at least
     * @param options {@link GmEncryptOptions#DEFAULT}, {@link GmEncryptOptions#SADK}, or others
     * @return the message in DER
     * @throws InvalidKeyException if a certificate is none of SM2
     * @throws IllegalArgumentException if there is no recipient
     */
    public static byte[] encrypt(byte[] content, List<X509Certificate> recipients, GmEncryptOptions options)
            throws InvalidKeyException {
        NativeLibrary.require();
        byte[] list = Certificates.list(List.copyOf(recipients));
        return Native.cmsEncrypt(Objects.requireNonNull(content), list, options.settings(), options.cipher.ordinal());
    }

    /**
     * Signs and encrypts in one message: signedAndEnvelopedData (GM/T 0010-2012, clause 9), for those who ask for it. It shows the
     * signers to everybody, and has no signed attributes: {@link #encrypt} of what {@link #sign} returns has neither weakness.
     *
     * @param content of any length
     * @param signers 1 to 64
     * @param signing the certificates, the identity and how certificates are named; its form is that of {@code encryption}
     * @param recipients one at least
     * @param encryption the form and the cipher, which is not GCM
     * @return the message in DER
     * @throws InvalidKeyException as {@link #sign} and {@link #encrypt}
     * @throws IllegalArgumentException as {@link #sign} and {@link #encrypt}; for a detached content, a signing time and GCM
     */
    public static byte[] signAndEncrypt(
            byte[] content,
            List<GmSigner> signers,
            GmSignOptions signing,
            List<X509Certificate> recipients,
            GmEncryptOptions encryption)
            throws InvalidKeyException {
        NativeLibrary.require();
        if (signing.seconds() >= 0) {
            throw new IllegalArgumentException("signedAndEnvelopedData has no signing time");
        }
        GmSigner[] all = signers.toArray(new GmSigner[0]);
        byte[] others = Certificates.list(signing.certificates);
        byte[] to = Certificates.list(List.copyOf(recipients));
        byte[] keys = keys(all);
        try {
            return Native.cmsSignAndEncrypt(
                    Objects.requireNonNull(content),
                    certificates(all),
                    keys,
                    others,
                    to,
                    signing.settings & ~3 | encryption.settings(),
                    encryption.cipher.ordinal());
        } finally {
            release(all, keys);
        }
    }

    /**
     * Decrypts envelopedData, signedAndEnvelopedData, whose signers must be right, too, and authEnvelopedData.
     *
     * @param message in DER, BER or PEM
     * @param key of any provider whose keys can be read
     * @param certificate that of the key, by which its part of the message is found; null to try the key on the first eight recipients
     * @param options for the signers, if there are any
     * @return the content, for the caller to wipe, and the signers
     * @throws BadPaddingException if the key is another one or the message was altered; which of these is not said. Do not tell the
     *     senders of messages that are not authenticated even that: from many such answers an attacker reads a content
     * @throws InvalidKeyException if the message is for other certificates, or the key is none of SM2
     * @throws GmMessageException if it is no such message
     */
    public static GmMessage decrypt(byte[] message, PrivateKey key, X509Certificate certificate, GmVerifyOptions options)
            throws BadPaddingException, InvalidKeyException, GmMessageException {
        NativeLibrary.require();
        byte[] own = certificate == null ? null : Certificates.encoded(certificate);
        byte[] known = Certificates.list(options.certificates);
        Sm2PrivateKey held = Sm2PrivateKey.of(key);
        byte[] number = held.number();
        try {
            return new GmMessage(Native.cmsDecrypt(Objects.requireNonNull(message), number, own, known, options.empty));
        } finally {
            held.release(number);
        }
    }

    /**
     * Encrypts under a key that both sides have: encryptedData (GM/T 0010-2012, clause 10). It is not authenticated.
     *
     * @param content of any length
     * @param key of SM4
     * @param options the form and the cipher, which is not GCM
     * @return the message in DER
     * @throws InvalidKeyException if the key has not 16 bytes, or its bytes cannot be had
     * @throws IllegalArgumentException for GCM
     */
    public static byte[] encryptUnder(byte[] content, SecretKey key, GmEncryptOptions options) throws InvalidKeyException {
        NativeLibrary.require();
        byte[] bytes = SecretKeys.sm4(key);
        try {
            return Native.cmsEncryptUnder(
                    Objects.requireNonNull(content), bytes, options.settings(), options.cipher.ordinal());
        } finally {
            Secret.wipe(bytes);
        }
    }

    /**
     * Decrypts encryptedData.
     *
     * @param message in DER, BER or PEM
     * @param key of SM4
     * @return the content, for the caller to wipe; with another key than the sender's it may be noise
     * @throws BadPaddingException if the key is another one or the message was altered
     * @throws InvalidKeyException if the key has not 16 bytes, or its bytes cannot be had
     * @throws GmMessageException if it is no such message
     */
    public static byte[] decryptUnder(byte[] message, SecretKey key)
            throws BadPaddingException, InvalidKeyException, GmMessageException {
        NativeLibrary.require();
        byte[] bytes = SecretKeys.sm4(key);
        try {
            return Native.cmsDecryptUnder(Objects.requireNonNull(message), bytes);
        } finally {
            Secret.wipe(bytes);
        }
    }

    /**
     * What a message is.
     *
     * @param message in DER, BER or PEM; its beginning is enough
     * @return the standards' name: {@code signedData}, {@code envelopedData}, {@code signedAndEnvelopedData}, {@code encryptedData},
     *     {@code authEnvelopedData}, {@code data} or {@code keyAgreementInfo}
     * @throws GmMessageException if it is no message
     */
    public static String kind(byte[] message) throws GmMessageException {
        NativeLibrary.require();
        return new String(Native.cmsKind(Objects.requireNonNull(message)), StandardCharsets.UTF_8);
    }

    private static byte[] certificates(GmSigner[] signers) throws InvalidKeyException {
        List<X509Certificate> all = new ArrayList<>();
        for (GmSigner signer : signers) {
            all.add(signer.certificate());
        }
        return Certificates.list(all);
    }

    /** The numbers of the keys, one after another, for the caller to {@link #release}. */
    private static byte[] keys(GmSigner[] signers) throws InvalidKeyException {
        byte[] keys = new byte[Math.multiplyExact(32, signers.length)];
        for (int i = 0; i < signers.length; i++) {
            byte[] number = null;
            Sm2PrivateKey key = null;
            try {
                key = Sm2PrivateKey.of(signers[i].key());
                number = key.number();
                System.arraycopy(number, 0, keys, 32 * i, 32);
            } catch (InvalidKeyException reason) {
                Secret.wipe(keys);
                throw reason;
            } finally {
                Secret.wipe(number);
            }
        }
        return keys;
    }

    /** Wipes the numbers; and native code forgets those of keys that were destroyed meanwhile. */
    private static void release(GmSigner[] signers, byte[] keys) {
        for (int i = 0; i < signers.length; i++) {
            if (signers[i].key() instanceof Sm2PrivateKey) {
                byte[] number = new byte[32];
                System.arraycopy(keys, 32 * i, number, 0, 32);
                ((Sm2PrivateKey) signers[i].key()).release(number);
            }
        }
        Secret.wipe(keys);
    }
}
