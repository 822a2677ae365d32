package io.github.kuaimi.internal;

import java.io.ByteArrayInputStream;
import java.security.InvalidKeyException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Java's certificates as DER, and back. */
public final class Certificates {
    private Certificates() {}

    /** A certificate of any class. */
    public static byte[] encoded(X509Certificate certificate) throws InvalidKeyException {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException reason) {
            throw new InvalidKeyException("a certificate has no encoding: " + reason.getMessage(), reason);
        }
    }

    /** A list for native code. */
    public static byte[] list(Collection<X509Certificate> certificates) throws InvalidKeyException {
        List<byte[]> all = new ArrayList<>();
        for (X509Certificate certificate : certificates) {
            all.add(encoded(certificate));
        }
        return Frames.list(all);
    }

    /** By Java's own factory, which finds the classes of the key and of the signature among the installed providers. */
    public static X509Certificate read(byte[] der) throws CertificateException {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException reason) {
            throw new CertificateException(
                    "Java cannot read the certificate: " + reason.getMessage()
                            + ". It reads those of SM2 if KuaimiProvider is installed before Java's own providers:"
                            + " Security.insertProviderAt(new KuaimiProvider(), 1).",
                    reason);
        }
    }
}
