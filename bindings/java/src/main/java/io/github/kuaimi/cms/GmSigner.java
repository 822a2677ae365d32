package io.github.kuaimi.cms;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Objects;

/** Who signs: a private key of SM2 and the certificate of its public key. */
public final class GmSigner {
    private final PrivateKey key;
    private final X509Certificate certificate;

    /**
     * @param key of any provider whose keys can be read: a key in a device cannot
     * @param certificate the certificate of this key; whether it is, is checked when it signs
     */
    public GmSigner(PrivateKey key, X509Certificate certificate) {
        this.key = Objects.requireNonNull(key, "a signer needs a private key");
        this.certificate = Objects.requireNonNull(certificate, "a signer needs a certificate");
    }

    /** @return the private key */
    public PrivateKey key() {
        return key;
    }

    /** @return its certificate */
    public X509Certificate certificate() {
        return certificate;
    }
}
