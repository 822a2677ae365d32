package io.github.kuaimi.cms;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * How a message is signed. An object does not change: each method returns another one. The defaults are GM/T 0010, signed attributes
 * without the time, and the content and the signers' certificates inside.
 */
public final class GmSignOptions {
    /** The defaults. */
    public static final GmSignOptions DEFAULT = new GmSignOptions(GmForm.GM.ordinal(), null, List.of());

    // As native code has them.
    private static final int DETACHED = 4;
    private static final int WITHOUT_ATTRIBUTES = 8;
    private static final int BY_KEY = 16;
    private static final int WITHOUT_CERTIFICATES = 32;
    private static final int EMPTY_IDENTITY = 64;

    /** The form in the two lowest bits, and flags. */
    final int settings;

    private final Instant signingTime;
    final List<X509Certificate> certificates;

    private GmSignOptions(int settings, Instant signingTime, List<X509Certificate> certificates) {
        this.settings = settings;
        this.signingTime = signingTime;
        this.certificates = certificates;
    }

    private GmSignOptions with(int flag) {
        return new GmSignOptions(settings | flag, signingTime, certificates);
    }

    /**
     * @param form {@link GmForm#GM} or {@link GmForm#CMS}
     * @return the same with these object identifiers
     * @throws IllegalArgumentException for {@link GmForm#GMSSL}, whose signatures are not the standard's
     */
    public GmSignOptions form(GmForm form) {
        if (form == GmForm.GMSSL) {
            throw new IllegalArgumentException("GmSSL's form is for encrypted messages alone");
        }
        return new GmSignOptions(settings & ~3 | form.ordinal(), signingTime, certificates);
    }

    /** @return the same without the content in the message: the receiver must have it */
    public GmSignOptions detached() {
        return with(DETACHED);
    }

    /** @return the same with a signature of the content alone, as CFCA's SADK makes it; then there is no signing time */
    public GmSignOptions withoutAttributes() {
        return with(WITHOUT_ATTRIBUTES);
    }

    /** @return the same with certificates named by the identifier of their key, as SADK does, not by issuer and serial number */
    public GmSignOptions byKeyIdentifier() {
        return with(BY_KEY);
    }

    /** @return the same without any certificates in the message: the receiver must have them */
    public GmSignOptions withoutCertificates() {
        return with(WITHOUT_CERTIFICATES);
    }

    /** @return the same under the empty identity, which OpenSSL 3 needs and others refuse */
    public GmSignOptions emptyIdentity() {
        return with(EMPTY_IDENTITY);
    }

    /**
     * @param time when the signer says that it signs, between the years 1970 and 9999; nothing proves it
     * @return the same with this time among the signed attributes
     */
    public GmSignOptions signingTime(Instant time) {
        if (time.getEpochSecond() < 0) {
            throw new IllegalArgumentException("a time is between the years 1970 and 9999");
        }
        return new GmSignOptions(settings, time, certificates);
    }

    /**
     * @param others those of the authorities above the signers; the signers' own are in the message anyway
     * @return the same with these certificates, and no others, in the message
     */
    public GmSignOptions certificates(List<X509Certificate> others) {
        return new GmSignOptions(settings, signingTime, List.copyOf(Objects.requireNonNull(others)));
    }

    /** In seconds since 1970; -1 if there is none. */
    long seconds() {
        return signingTime == null ? -1 : signingTime.getEpochSecond();
    }

    boolean isDetached() {
        return (settings & DETACHED) != 0;
    }
}
