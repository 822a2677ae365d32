package io.github.kuaimi.cms;

import io.github.kuaimi.internal.Certificates;
import io.github.kuaimi.internal.Frames;
import io.github.kuaimi.internal.Secret;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.Destroyable;

/** A message that was opened: its content, and its signers, all of whose signatures are right. */
public final class GmMessage implements Destroyable {
    private final String kind;
    private final Secret content;
    private final List<GmSignerInfo> signers;
    private final List<byte[]> certificates;

    /** Of the four items that native code returns. The array is wiped. */
    GmMessage(byte[] found) {
        List<byte[]> items = Frames.items(found);
        Secret.wipe(found);
        kind = new String(items.get(0), StandardCharsets.UTF_8);
        content = new Secret(items.get(1));
        List<GmSignerInfo> all = new ArrayList<>();
        for (byte[] facts : Frames.items(items.get(2))) {
            all.add(new GmSignerInfo(Frames.items(facts)));
        }
        signers = List.copyOf(all);
        certificates = Frames.items(items.get(3));
    }

    /** @return {@code signedData}, {@code envelopedData}, {@code signedAndEnvelopedData} or {@code authEnvelopedData} */
    public String kind() {
        return kind;
    }

    /**
     * @return the content; nothing, if it is not in the message. Of an encrypted message it is a secret, for the caller to wipe
     * @throws IllegalStateException if this was destroyed
     */
    public byte[] content() {
        return content.copy();
    }

    /** @return who signed: one at least of a message that {@code verify} returned, none of one that is not signed */
    public List<GmSignerInfo> signers() {
        return signers;
    }

    /**
     * @return the certificates in the message, for which nobody has vouched
     * @throws CertificateException if Java cannot read one: it does where {@link io.github.kuaimi.KuaimiProvider} is installed first
     */
    public List<X509Certificate> certificates() throws CertificateException {
        List<X509Certificate> all = new ArrayList<>();
        for (byte[] der : certificates) {
            all.add(Certificates.read(der));
        }
        return all;
    }

    /** @return the same in DER, for other libraries */
    public List<byte[]> encodedCertificates() {
        List<byte[]> all = new ArrayList<>();
        for (byte[] der : certificates) {
            all.add(der.clone());
        }
        return all;
    }

    /** Wipes the content. */
    @Override
    public void destroy() {
        content.destroy();
    }

    @Override
    public boolean isDestroyed() {
        return content.isDestroyed();
    }
}
