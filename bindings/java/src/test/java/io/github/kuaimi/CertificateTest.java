package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.keyPair;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.gm.GMObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Certificates signed by each provider, verified by each other; PKCS#12 files of Java's and of Bouncy Castle's. */
class CertificateTest {
    private static final char[] PASSWORD = "a password".toCharArray();

    /** Java reads the keys of certificates by the installed providers. */
    @BeforeEach
    void install() {
        Security.insertProviderAt(KUAIMI, 1);
    }

    @AfterEach
    void remove() {
        Security.removeProvider(KuaimiProvider.NAME);
    }

    private static byte[] certificate(KeyPair pair, PrivateKey key, Provider provider, String name) throws Exception {
        X500Name alice = new X500Name("CN=alice");
        Instant now = Instant.now();
        return new X509v3CertificateBuilder(
                        alice,
                        BigInteger.ONE,
                        Date.from(now.minusSeconds(60)),
                        Date.from(now.plusSeconds(3600)),
                        alice,
                        SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()))
                .build(new Signer(key, provider, name))
                .getEncoded();
    }

    /** What Bouncy Castle's builder asks to sign. */
    private static final class Signer implements ContentSigner {
        private final PrivateKey key;
        private final Provider provider;
        private final String name;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        Signer(PrivateKey key, Provider provider, String name) {
            this.key = key;
            this.provider = provider;
            this.name = name;
        }

        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
            return new AlgorithmIdentifier(GMObjectIdentifiers.sm2sign_with_sm3);
        }

        @Override
        public ByteArrayOutputStream getOutputStream() {
            return content;
        }

        @Override
        public byte[] getSignature() {
            try {
                java.security.Signature signature = java.security.Signature.getInstance(name, provider);
                signature.initSign(key);
                signature.update(content.toByteArray());
                return signature.sign();
            } catch (java.security.GeneralSecurityException reason) {
                throw new IllegalStateException(reason);
            }
        }
    }

    private static X509Certificate read(byte[] certificate) throws Exception {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    @ParameterizedTest
    @EnumSource
    void certificatesOfPeers(Peers peer) throws Exception {
        KeyPair pair = keyPair();
        X509Certificate theirs =
                read(certificate(pair, peer.translated(pair.getPrivate()), peer.provider, peer.signature()));
        assertEquals(pair.getPublic(), theirs.getPublicKey(), "Java found our KeyFactory");
        theirs.verify(pair.getPublic());
        theirs.verify(theirs.getPublicKey(), KUAIMI);
        assertThrows(SignatureException.class, () -> theirs.verify(keyPair().getPublic()));

        X509Certificate ours = read(certificate(pair, pair.getPrivate(), KUAIMI, "SM3withSM2"));
        java.security.Signature verifier = java.security.Signature.getInstance(peer.signature(), peer.provider);
        verifier.initVerify(peer.translated(pair.getPublic()));
        verifier.update(ours.getTBSCertificate());
        assertEquals(true, verifier.verify(ours.getSignature()));
        assertEquals("SM3WITHSM2", ours.getSigAlgName());
    }

    @Test
    void bouncyCastlesCertificateClass() throws Exception {
        KeyPair pair = keyPair();
        byte[] encoded = certificate(pair, pair.getPrivate(), KUAIMI, "SM3withSM2");
        X509Certificate theirs = (X509Certificate)
                CertificateFactory.getInstance("X.509", Peers.BOUNCY_CASTLE.provider)
                        .generateCertificate(new ByteArrayInputStream(encoded));
        theirs.verify(Peers.BOUNCY_CASTLE.translated(pair.getPublic()), Peers.BOUNCY_CASTLE.provider);
        theirs.verify(theirs.getPublicKey(), KUAIMI);
        PublicKey key = Sm2Keys.readPublic(encoded);
        assertEquals(pair.getPublic(), key);
    }

    @Test
    void pkcs12InBothDirections() throws Exception {
        KeyPair pair = keyPair();
        X509Certificate certificate = read(certificate(pair, pair.getPrivate(), KUAIMI, "SM3withSM2"));
        KeyStore ours = KeyStore.getInstance("PKCS12", "SunJSSE");
        KeyStore theirs = KeyStore.getInstance("PKCS12", Peers.BOUNCY_CASTLE.provider);
        for (KeyStore[] way : new KeyStore[][] {{ours, theirs}, {theirs, ours}}) {
            way[0].load(null, null);
            way[0].setKeyEntry("alice", pair.getPrivate(), PASSWORD, new X509Certificate[] {certificate});
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            way[0].store(file, PASSWORD);
            way[1].load(new ByteArrayInputStream(file.toByteArray()), PASSWORD);
            PrivateKey key = (PrivateKey) way[1].getKey("alice", PASSWORD);
            assertEquals(pair.getPrivate(), java.security.KeyFactory.getInstance("EC", KUAIMI).translateKey(key));
            assertArrayEquals(certificate.getEncoded(), way[1].getCertificate("alice").getEncoded());
        }
    }
}
