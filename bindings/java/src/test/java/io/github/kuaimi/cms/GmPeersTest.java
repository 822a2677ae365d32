package io.github.kuaimi.cms;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.utf8;
import static io.github.kuaimi.cms.GmMessagesTest.DATA;
import static io.github.kuaimi.cms.GmMessagesTest.certificate;
import static io.github.kuaimi.cms.GmMessagesTest.file;
import static io.github.kuaimi.cms.GmMessagesTest.key;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kuaimi.KuaimiProvider;
import io.github.kuaimi.Testing;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.Security;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.ASN1InputStream;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.cms.AuthEnvelopedData;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.GCMParameters;
import org.bouncycastle.asn1.cms.KeyTransRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Messages of other programs, and Bouncy Castle in both directions, where it knows the object identifiers. */
class GmPeersTest {
    private static final BouncyCastleProvider BC = new BouncyCastleProvider();

    private static X509Certificate alice;
    private static X509Certificate bob;
    private static PrivateKey aliceKey;
    private static PrivateKey bobKey;

    @BeforeAll
    static void install() throws Exception {
        Security.insertProviderAt(KUAIMI, 1);
        alice = certificate("alice");
        bob = certificate("bob");
        aliceKey = key("alice");
        bobKey = key("bob");
    }

    @AfterAll
    static void remove() {
        Security.removeProvider(KuaimiProvider.NAME);
    }

    private static List<String> files(String prefix) throws Exception {
        try (Stream<Path> all = Files.list(DATA)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith(prefix) && name.endsWith(".der"))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private static void read(String prefix, String content, int count) throws Exception {
        List<String> names = files(prefix);
        assertEquals(count, names.size(), names.toString());
        byte[] numbers = new byte[16];
        for (int i = 0; i < 16; i++) {
            numbers[i] = (byte) i;
        }
        SecretKey shared = new SecretKeySpec(numbers, "SM4");
        for (String name : names) {
            byte[] message = file(name);
            byte[] found;
            switch (GmMessages.kind(message)) {
                case "signedData":
                    GmMessage verified = name.contains("detached")
                            ? GmMessages.verifyDetached(message, utf8(content), GmVerifyOptions.DEFAULT)
                            : GmMessages.verify(message, GmVerifyOptions.DEFAULT);
                    assertEquals(alice, verified.signers().get(0).certificate(), name);
                    found = name.contains("detached") ? utf8(content) : verified.content();
                    break;
                case "encryptedData":
                    found = GmMessages.decryptUnder(message, shared);
                    break;
                default:
                    found = GmMessages.decrypt(message, aliceKey, alice, GmVerifyOptions.DEFAULT).content();
            }
            assertArrayEquals(utf8(content), found, name);
        }
    }

    @Test
    void gmsm() throws Exception {
        read("gmsm-", "a content by gmsm, 密信", 20);
    }

    @Test
    void gmssl() throws Exception {
        read("gmssl-", "a content by GmSSL, 密信", 1);
        byte[] refused = file("refused-gmssl-signed.der");
        assertThrows(SignatureException.class, () -> GmMessages.verify(refused, GmVerifyOptions.DEFAULT));
    }

    @Test
    void bouncyCastlesFiles() throws Exception {
        read("bc-", "a content by Bouncy Castle, 密信", 4);
    }

    /** Bouncy Castle signs now, with attributes and without, in DER and BER. */
    @Test
    void bouncyCastleSigns() throws Exception {
        byte[] content = Testing.bytes(5000, 39);
        for (boolean direct : new boolean[] {false, true}) {
            for (boolean attached : new boolean[] {false, true}) {
                CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
                JcaSignerInfoGeneratorBuilder builder = new JcaSignerInfoGeneratorBuilder(
                        new JcaDigestCalculatorProviderBuilder().setProvider(BC).build());
                builder.setDirectSignature(direct);
                generator.addSignerInfoGenerator(builder.build(
                        new JcaContentSignerBuilder("SM3withSM2").setProvider(BC).build(aliceKey), alice));
                generator.addCertificates(new JcaCertStore(List.of(alice)));
                byte[] message =
                        generator.generate(new CMSProcessableByteArray(content), attached).getEncoded();
                GmMessage found = attached
                        ? GmMessages.verify(message, GmVerifyOptions.DEFAULT)
                        : GmMessages.verifyDetached(message, content, GmVerifyOptions.DEFAULT);
                assertEquals(alice, found.signers().get(0).certificate());
                assertEquals(direct, found.signers().get(0).signingTime() == null);
                if (attached) {
                    assertArrayEquals(content, found.content());
                }
            }
        }
    }

    @Test
    void bouncyCastleVerifies() throws Exception {
        byte[] content = Testing.bytes(5000, 40);
        List<GmSigner> signers = List.of(new GmSigner(aliceKey, alice));
        GmSignOptions cms = GmSignOptions.DEFAULT.form(GmForm.CMS);
        for (GmSignOptions options : List.of(cms, cms.withoutAttributes(), cms.byKeyIdentifier(), cms.detached())) {
            byte[] message = GmMessages.sign(content, signers, options);
            CMSSignedData read = options == cms || !options.isDetached()
                    ? new CMSSignedData(message)
                    : new CMSSignedData(new CMSProcessableByteArray(content), message);
            SignerInformation signer = read.getSignerInfos().iterator().next();
            assertTrue(signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider(BC).build(alice)));
            assertArrayEquals(content, (byte[]) read.getSignedContent().getContent());
        }
    }

    /** Bouncy Castle has no recipients with SM2, but the structures and the algorithms. */
    @Test
    void bouncyCastleDecrypts() throws Exception {
        byte[] content = Testing.bytes(5000, 41);
        GmEncryptOptions options = GmEncryptOptions.DEFAULT.form(GmForm.CMS).cipher(GmCipher.SM4_GCM);
        byte[] message = GmMessages.encrypt(content, List.of(bob), options);
        try (ASN1InputStream stream = new ASN1InputStream(new ByteArrayInputStream(message))) {
            AuthEnvelopedData body =
                    AuthEnvelopedData.getInstance(ContentInfo.getInstance(stream.readObject()).getContent());
            KeyTransRecipientInfo info = KeyTransRecipientInfo.getInstance(
                    RecipientInfo.getInstance(body.getRecipientInfos().getObjectAt(0)).getInfo());
            Cipher sm2 = Cipher.getInstance("SM2", BC);
            sm2.init(Cipher.DECRYPT_MODE, io.github.kuaimi.Peers.BOUNCY_CASTLE.translated(bobKey));
            byte[] key = sm2.doFinal(c1c2c3(info.getEncryptedKey().getOctets()));
            GCMParameters gcm = GCMParameters.getInstance(
                    body.getAuthEncryptedContentInfo().getContentEncryptionAlgorithm().getParameters());
            Cipher cipher = Cipher.getInstance("SM4/GCM/NoPadding", BC);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    new SecretKeySpec(key, "SM4"),
                    new GCMParameterSpec(8 * gcm.getIcvLen(), gcm.getNonce()));
            cipher.update(new byte[0]);
            byte[] text = body.getAuthEncryptedContentInfo().getEncryptedContent().getOctets();
            assertArrayEquals(content, cipher.doFinal(Testing.joined(text, body.getMac().getOctets())));
        }
    }

    /** SM2Cipher of GM/T 0009 in the order of Bouncy Castle's cipher. */
    private static byte[] c1c2c3(byte[] der) {
        ASN1Sequence parts = ASN1Sequence.getInstance(der);
        byte[][] numbers = new byte[2][];
        for (int i = 0; i < 2; i++) {
            BigInteger number = ASN1Integer.getInstance(parts.getObjectAt(i)).getValue();
            numbers[i] = org.bouncycastle.util.BigIntegers.asUnsignedByteArray(32, number);
        }
        byte[] c3 = ASN1OctetString.getInstance(parts.getObjectAt(2)).getOctets();
        byte[] c2 = ASN1OctetString.getInstance(parts.getObjectAt(3)).getOctets();
        return Testing.joined(new byte[] {4}, numbers[0], numbers[1], c2, c3);
    }
}
