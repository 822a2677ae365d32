package io.github.kuaimi.cms;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;

/** What a verification accepts. An object does not change: each method returns another one. */
public final class GmVerifyOptions {
    /** The certificates in the message, and the default identity. */
    public static final GmVerifyOptions DEFAULT = new GmVerifyOptions(List.of(), false);

    final List<X509Certificate> certificates;
    final boolean empty;

    private GmVerifyOptions(List<X509Certificate> certificates, boolean empty) {
        this.certificates = certificates;
        this.empty = empty;
    }

    /**
     * @param known certificates that signers may have, besides those in the message
     * @return the same with these
     */
    public GmVerifyOptions certificates(List<X509Certificate> known) {
        return new GmVerifyOptions(List.copyOf(Objects.requireNonNull(known)), empty);
    }

    /** @return the same with signatures under the empty identity accepted, too: OpenSSL 3 makes such */
    public GmVerifyOptions acceptEmptyIdentity() {
        return new GmVerifyOptions(certificates, true);
    }
}
