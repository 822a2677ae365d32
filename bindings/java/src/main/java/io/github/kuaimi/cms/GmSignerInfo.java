package io.github.kuaimi.cms;

import io.github.kuaimi.internal.Certificates;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/** One signer of a message, whose signature is right. Whether to trust the certificate is another question. */
public final class GmSignerInfo {
    private final byte[] certificate;
    private final byte[] serialNumber;
    private final byte[] keyIdentifier;
    private final byte[] time;

    /** Of the four items that native code returns. */
    GmSignerInfo(List<byte[]> facts) {
        certificate = facts.get(0);
        serialNumber = facts.get(1);
        keyIdentifier = facts.get(2);
        time = facts.get(3);
    }

    /**
     * @return the certificate whose key signed
     * @throws CertificateException if Java cannot read it: it does where {@link io.github.kuaimi.KuaimiProvider} is installed first
     */
    public X509Certificate certificate() throws CertificateException {
        return Certificates.read(certificate);
    }

    /** @return the certificate in DER, for other libraries */
    public byte[] encodedCertificate() {
        return certificate.clone();
    }

    /** @return when the signer says that it signed, or null; nothing proves it */
    public Instant signingTime() {
        return time.length == 0 ? null : Instant.ofEpochSecond(ByteBuffer.wrap(time).getLong());
    }

    /** @return the certificate's serial number, if the message names it by that, or null */
    public BigInteger serialNumber() {
        return serialNumber.length == 0 ? null : new BigInteger(serialNumber);
    }

    /** @return the identifier of the certificate's key, if the message names it by that, or null */
    public byte[] keyIdentifier() {
        return keyIdentifier.length == 0 ? null : keyIdentifier.clone();
    }
}
