package io.github.kuaimi.cfca;

import io.github.kuaimi.internal.Certificates;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;

/** What is in an {@code .sm2} file of CFCA: a private key, and the certificate of its public key. */
public final class CfcaKeyFile {
    private final ECPrivateKey key;
    private final byte[] certificate;

    CfcaKeyFile(ECPrivateKey key, byte[] certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    /** @return the private key, which can be destroyed */
    public ECPrivateKey key() {
        return key;
    }

    /**
     * @return the certificate, for which nobody has vouched
     * @throws CertificateException if Java cannot read it: it does where {@link io.github.kuaimi.KuaimiProvider} is installed first
     */
    public X509Certificate certificate() throws CertificateException {
        return Certificates.read(certificate);
    }

    /** @return the certificate in DER, for other libraries */
    public byte[] encodedCertificate() {
        return certificate.clone();
    }
}
