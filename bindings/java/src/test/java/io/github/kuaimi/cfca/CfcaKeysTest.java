package io.github.kuaimi.cfca;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.ROOT;
import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.privateKey;
import static io.github.kuaimi.Testing.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kuaimi.KuaimiProvider;
import io.github.kuaimi.Sm2Keys;
import io.github.kuaimi.Testing;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.BadPaddingException;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1BitString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files of CFCA's SADK and of gmsm, and what is written for them. */
class CfcaKeysTest {
    @BeforeAll
    static void install() {
        Security.insertProviderAt(KUAIMI, 1);
    }

    @AfterAll
    static void remove() {
        Security.removeProvider(KuaimiProvider.NAME);
    }

    private static byte[] file(String name) throws Exception {
        return Files.readAllBytes(ROOT.resolve("crates/kuaimi-pki/tests/data/" + name));
    }

    private static PrivateKey key(String name) throws Exception {
        return Sm2Keys.readPrivate(file("pkcs12/" + name + ".key"), null);
    }

    private static X509Certificate certificate(String name) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(file("pkcs12/" + name + ".pem")));
    }

    @Test
    void keyFiles() throws Exception {
        String[][] files = {{"field.sm2", "123456"}, {"sadk.pem", "ys123456"}, {"gmsm.sm2", "密码"}};
        for (String[] each : files) {
            byte[] file = file("cfca/" + each[0]);
            CfcaKeyFile opened = CfcaKeys.open(file, each[1].toCharArray());
            byte[] message = utf8("a message");
            java.security.Signature signature = java.security.Signature.getInstance("SM3withSM2", KUAIMI);
            signature.initSign(opened.key());
            signature.update(message);
            byte[] signed = signature.sign();
            signature.initVerify(opened.certificate().getPublicKey());
            signature.update(message);
            assertTrue(signature.verify(signed), each[0]);
            assertArrayEquals(opened.encodedCertificate(), opened.certificate().getEncoded());
            InvalidKeyException wrong =
                    assertThrows(InvalidKeyException.class, () -> CfcaKeys.open(file, "12345".toCharArray()));
            assertTrue(wrong.getMessage().contains("password"), wrong.getMessage());
            // Nothing in the form is random: written again, it is the same.
            byte[] written = CfcaKeys.write(opened.key(), opened.certificate(), each[1].toCharArray());
            if (each[0].endsWith(".sm2")) {
                assertArrayEquals(Base64.getMimeDecoder().decode(file), Base64.getMimeDecoder().decode(written), each[0]);
            }
            assertEquals(opened.key(), CfcaKeys.open(written, each[1].toCharArray()).key());
        }
        assertEquals(key("sign"), CfcaKeys.open(file("cfca/gmsm.sm2"), "密码".toCharArray()).key());
    }

    @Test
    void wrongArguments() throws Exception {
        char[] password = "a password".toCharArray();
        assertThrows(InvalidKeyException.class, () -> CfcaKeys.write(key("sign"), certificate("encrypt"), password));
        assertThrows(
                IllegalArgumentException.class, () -> CfcaKeys.write(key("sign"), certificate("sign"), new char[0]));
        assertThrows(InvalidKeyException.class, () -> CfcaKeys.open(new byte[100], password));
        assertThrows(InvalidKeyException.class, () -> CfcaKeys.open(new byte[(1 << 20) + 1], password));
        assertThrows(NullPointerException.class, () -> CfcaKeys.open(null, password));
        assertThrows(InvalidKeyException.class, () -> CfcaKeys.temporaryKey(new byte[3]));
        byte[] der = CfcaKeys.write(key("sign"), certificate("sign"), password);
        byte[] decoded = Base64.getMimeDecoder().decode(der);
        for (int length = 0; length < decoded.length; length += 3) {
            byte[] shorter = Arrays.copyOf(decoded, length);
            assertThrows(InvalidKeyException.class, () -> CfcaKeys.open(shorter, password));
        }
    }

    @Test
    void requests() throws Exception {
        assertEquals(Testing.keyPair().getPublic().getAlgorithm(), CfcaKeys.temporaryKey(file("cfca/sadk-request.pem")).getAlgorithm());
        X509Certificate encrypt = certificate("encrypt");
        assertEquals(encrypt.getPublicKey(), CfcaKeys.temporaryKey(file("cfca/gmsm-request.der")));

        X500Principal subject = new X500Principal("CN=holder,O=Example,C=CN");
        byte[] ours = CfcaKeys.request(subject, key("sign"), encrypt.getPublicKey(), "111111");
        assertEquals(encrypt.getPublicKey(), CfcaKeys.temporaryKey(ours));
        // Bouncy Castle refuses such attributes, which have no SET, but reads the rest.
        assertThrows(java.io.IOException.class, () -> new org.bouncycastle.pkcs.PKCS10CertificationRequest(ours));
        ASN1Sequence read = ASN1Sequence.getInstance(ours);
        ASN1Sequence info = ASN1Sequence.getInstance(read.getObjectAt(0));
        assertEquals(subject, new X500Principal(info.getObjectAt(1).toASN1Primitive().getEncoded()));
        assertArrayEquals(
                certificate("sign").getPublicKey().getEncoded(), info.getObjectAt(2).toASN1Primitive().getEncoded());
        java.security.Signature signature = java.security.Signature.getInstance("SM3withSM2", KUAIMI);
        signature.initVerify(certificate("sign").getPublicKey());
        signature.update(info.getEncoded());
        assertTrue(signature.verify(ASN1BitString.getInstance(read.getObjectAt(2)).getOctets()));
        assertThrows(
                IllegalArgumentException.class,
                () -> CfcaKeys.request(subject, key("sign"), encrypt.getPublicKey(), "密码"));
        byte[] plain = Files.readAllBytes(ROOT.resolve("crates/kuaimi-pki/tests/data/cfca/trustasia-request.pem"));
        assertTrue(CfcaKeys.temporaryKey(plain) != null);
    }

    /** The keys of gmsm's tests. */
    @Test
    void returnedKeys() throws Exception {
        PrivateKey temporary = privateKey(hex("cacece36cac24aab94e52bcd5c0f552c95028f2856053135a1e47510b4c307ba"));
        PrivateKey expected = privateKey(hex("f6e02c941a0dfdac58d8b3b1bc1bd136f179741b7465ebc7b0b25bb381840a3b"));
        for (String name : new String[] {"digits", "base64", "commas"}) {
            byte[] text = file("cfca/returned-" + name + ".txt");
            assertEquals(expected, CfcaKeys.openReturnedKey(text, temporary), name);
            assertThrows(BadPaddingException.class, () -> CfcaKeys.openReturnedKey(text, expected), name);
            for (int length = 0; length < text.length; length += 7) {
                byte[] shorter = Arrays.copyOf(text, length);
                assertThrows(GeneralSecurityException.class, () -> CfcaKeys.openReturnedKey(shorter, temporary));
            }
        }
        assertEquals(key("encrypt"), CfcaKeys.openReturnedKey(file("cfca/returned-c1c2c3.txt"), key("sign")));

        KeyPair pair = Testing.keyPair();
        KeyPair holder = Testing.keyPair();
        ECPrivateKey back =
                CfcaKeys.openReturnedKey(CfcaKeys.returnKey(pair.getPrivate(), holder.getPublic()), holder.getPrivate());
        assertEquals(pair.getPrivate(), back);
        assertThrows(InvalidKeyException.class, () -> CfcaKeys.openReturnedKey(new byte[5000], holder.getPrivate()));
    }

    /** A request of the usual form has no temporary key. */
    @Test
    void requestsWithoutATemporaryKey() throws Exception {
        org.bouncycastle.asn1.x500.X500Name name = new org.bouncycastle.asn1.x500.X500Name("CN=alice");
        KeyPair pair = Testing.keyPair();
        byte[] request = new org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder(
                        new X500Principal(name.getEncoded()), pair.getPublic())
                .build(new org.bouncycastle.operator.jcajce.JcaContentSignerBuilder("SM3withSM2")
                        .setProvider(new org.bouncycastle.jce.provider.BouncyCastleProvider())
                        .build(pair.getPrivate()))
                .getEncoded();
        assertNull(CfcaKeys.temporaryKey(request));
    }
}
