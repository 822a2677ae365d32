package io.github.kuaimi.cms;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.ROOT;
import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kuaimi.KuaimiProvider;
import io.github.kuaimi.Sm2Keys;
import io.github.kuaimi.Testing;
import io.github.kuaimi.internal.Certificates;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Security;
import java.security.SignatureException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.crypto.BadPaddingException;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GmMessagesTest {
    static final Path DATA = ROOT.resolve("crates/kuaimi-pki/tests/data/message");
    private static final byte[] CONTENT = utf8("a payment, 付款");

    private static X509Certificate root;
    private static X509Certificate alice;
    private static X509Certificate bob;
    private static PrivateKey aliceKey;
    private static PrivateKey bobKey;

    /** Java reads certificates of SM2 with an installed provider. */
    @BeforeAll
    static void install() throws Exception {
        Security.insertProviderAt(KUAIMI, 1);
        root = certificate("ca");
        alice = certificate("alice");
        bob = certificate("bob");
        aliceKey = key("alice");
        bobKey = key("bob");
    }

    @AfterAll
    static void remove() {
        Security.removeProvider(KuaimiProvider.NAME);
    }

    static byte[] file(String name) throws Exception {
        return Files.readAllBytes(DATA.resolve(name));
    }

    static X509Certificate certificate(String name) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(file(name + ".pem")));
    }

    static PrivateKey key(String name) throws Exception {
        return Sm2Keys.readPrivate(file(name + ".key"), null);
    }

    private static List<GmSigner> signers() {
        return List.of(new GmSigner(aliceKey, alice));
    }

    private static byte[] der(String hexadecimal) {
        return hex(hexadecimal);
    }

    private static boolean contains(byte[] bytes, byte[] part) {
        for (int i = 0; i + part.length <= bytes.length; i++) {
            if (Arrays.equals(Arrays.copyOfRange(bytes, i, i + part.length), part)) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @EnumSource(names = {"GM", "CMS"})
    void signed(GmForm form) throws Exception {
        Instant time = Instant.ofEpochSecond(1_790_000_000);
        GmSignOptions options = GmSignOptions.DEFAULT.form(form).certificates(List.of(root));
        byte[] message = GmMessages.sign(CONTENT, signers(), options.signingTime(time));
        // GM/T 0006: signedData is 1.2.156.10197.6.1.4.2.2; RFC 5652: 1.2.840.113549.1.7.2.
        byte[] type = der(form == GmForm.GM ? "060a2a811ccf550601040202" : "06092a864886f70d010702");
        assertArrayEquals(type, Arrays.copyOfRange(message, 4, 4 + type.length));
        assertEquals("signedData", GmMessages.kind(message));

        GmMessage found = GmMessages.verify(message, GmVerifyOptions.DEFAULT);
        assertArrayEquals(CONTENT, found.content());
        GmSignerInfo signer = found.signers().get(0);
        assertEquals(alice, signer.certificate());
        assertArrayEquals(alice.getEncoded(), signer.encodedCertificate());
        assertEquals(time, signer.signingTime());
        assertEquals(alice.getSerialNumber(), signer.serialNumber());
        assertNull(signer.keyIdentifier());
        assertEquals(Set.of(root, alice), new HashSet<>(found.certificates()));
        assertEquals(2, found.encodedCertificates().size());

        // In PEM, and every altered byte of the content.
        String pem = "-----BEGIN CMS-----\n" + Base64.getMimeEncoder().encodeToString(message) + "\n-----END CMS-----\n";
        assertArrayEquals(CONTENT, GmMessages.verify(utf8(pem), GmVerifyOptions.DEFAULT).content());
        for (int i = 0; i + CONTENT.length <= message.length; i++) {
            if (Arrays.equals(CONTENT, Arrays.copyOfRange(message, i, i + CONTENT.length))) {
                byte[] altered = message.clone();
                altered[i + 3] ^= 1;
                assertThrows(SignatureException.class, () -> GmMessages.verify(altered, GmVerifyOptions.DEFAULT));
                return;
            }
        }
        throw new AssertionError("the content is inside");
    }

    @Test
    void detached() throws Exception {
        for (GmSignOptions options : List.of(GmSignOptions.DEFAULT, GmSignOptions.DEFAULT.withoutAttributes().byKeyIdentifier())) {
            byte[] message = GmMessages.sign(CONTENT, signers(), options.detached());
            GmMessage found = GmMessages.verifyDetached(message, CONTENT, GmVerifyOptions.DEFAULT);
            assertEquals(alice, found.signers().get(0).certificate());
            assertEquals(0, found.content().length);
            assertThrows(
                    SignatureException.class,
                    () -> GmMessages.verifyDetached(message, utf8("another"), GmVerifyOptions.DEFAULT));
            // The sender of a message chooses this: so it is a checked exception.
            assertThrows(GmMessageException.class, () -> GmMessages.verify(message, GmVerifyOptions.DEFAULT));
            byte[] attached = GmMessages.sign(CONTENT, signers(), options);
            assertThrows(
                    GmMessageException.class,
                    () -> GmMessages.verifyDetached(attached, CONTENT, GmVerifyOptions.DEFAULT));
        }
    }

    @Test
    void certificatesThatAreElsewhere() throws Exception {
        byte[] message = GmMessages.sign(CONTENT, signers(), GmSignOptions.DEFAULT.withoutCertificates().byKeyIdentifier());
        assertThrows(SignatureException.class, () -> GmMessages.verify(message, GmVerifyOptions.DEFAULT));
        GmVerifyOptions known = GmVerifyOptions.DEFAULT.certificates(List.of(bob, alice));
        GmMessage found = GmMessages.verify(message, known);
        assertEquals(alice, found.signers().get(0).certificate());
        assertNull(found.signers().get(0).serialNumber());
        assertNull(found.signers().get(0).signingTime());
        byte[] id = found.signers().get(0).keyIdentifier();
        assertTrue(contains(alice.getExtensionValue("2.5.29.14"), id));
        assertTrue(found.certificates().isEmpty());

        byte[] empty = GmMessages.sign(CONTENT, signers(), GmSignOptions.DEFAULT.emptyIdentity());
        assertThrows(SignatureException.class, () -> GmMessages.verify(empty, GmVerifyOptions.DEFAULT));
        assertArrayEquals(CONTENT, GmMessages.verify(empty, GmVerifyOptions.DEFAULT.acceptEmptyIdentity()).content());
    }

    @Test
    void severalSigners() throws Exception {
        List<GmSigner> both = List.of(new GmSigner(aliceKey, alice), new GmSigner(bobKey, bob));
        GmMessage found = GmMessages.verify(GmMessages.sign(CONTENT, both, GmSignOptions.DEFAULT), GmVerifyOptions.DEFAULT);
        Set<X509Certificate> signers = new HashSet<>();
        for (GmSignerInfo signer : found.signers()) {
            signers.add(signer.certificate());
        }
        assertEquals(Set.of(alice, bob), signers);
    }

    @Test
    void encrypted() throws Exception {
        for (GmForm form : GmForm.values()) {
            for (GmCipher cipher : GmCipher.values()) {
                GmEncryptOptions options = GmEncryptOptions.DEFAULT.form(form).cipher(cipher);
                String kind = cipher == GmCipher.SM4_GCM ? "authEnvelopedData" : "envelopedData";
                for (boolean byKey : new boolean[] {false, true}) {
                    byte[] message =
                            GmMessages.encrypt(CONTENT, List.of(alice, bob), byKey ? options.byKeyIdentifier() : options);
                    assertEquals(kind, GmMessages.kind(message));
                    GmMessage found = GmMessages.decrypt(message, aliceKey, alice, GmVerifyOptions.DEFAULT);
                    assertArrayEquals(CONTENT, found.content());
                    assertEquals(kind, found.kind());
                    assertTrue(found.signers().isEmpty());
                    assertArrayEquals(CONTENT, GmMessages.decrypt(message, bobKey, null, GmVerifyOptions.DEFAULT).content());
                    found.destroy();
                    assertTrue(found.isDestroyed());
                    assertThrows(IllegalStateException.class, found::content);
                }
            }
        }
        // GM/T 0006: envelopedData is 1.2.156.10197.6.1.4.2.3; SM4, without a mode, 1.2.156.10197.1.104.
        byte[] sadk = GmMessages.encrypt(CONTENT, List.of(alice), GmEncryptOptions.SADK);
        assertTrue(contains(sadk, der("060a2a811ccf550601040203")));
        assertTrue(contains(sadk, der("06082a811ccf55016804")) == false && contains(sadk, der("06072a811ccf550168")));
    }

    /** Whatever is wrong with an encrypted message, it is one exception with one text. */
    @Test
    void failedDecryptions() throws Exception {
        for (GmCipher cipher : GmCipher.values()) {
            byte[] message = GmMessages.encrypt(CONTENT, List.of(alice), GmEncryptOptions.DEFAULT.cipher(cipher));
            Set<String> texts = new HashSet<>();
            texts.add(assertThrows(
                            BadPaddingException.class,
                            () -> GmMessages.decrypt(message, bobKey, alice, GmVerifyOptions.DEFAULT))
                    .getMessage());
            byte[] altered = message.clone();
            // The last byte of a content in CBC is of its padding; in GCM it is of the tag.
            altered[message.length - 1] ^= 1;
            if (cipher == GmCipher.SM4_GCM) {
                texts.add(assertThrows(
                                BadPaddingException.class,
                                () -> GmMessages.decrypt(altered, aliceKey, alice, GmVerifyOptions.DEFAULT))
                        .getMessage());
            }
            assertEquals(1, texts.size(), texts.toString());
            InvalidKeyException other = assertThrows(
                    InvalidKeyException.class, () -> GmMessages.decrypt(message, bobKey, bob, GmVerifyOptions.DEFAULT));
            assertTrue(other.getMessage().contains("not encrypted for this certificate"), other.getMessage());
        }
        byte[] signed = GmMessages.sign(CONTENT, signers(), GmSignOptions.DEFAULT);
        assertThrows(GmMessageException.class, () -> GmMessages.decrypt(signed, aliceKey, alice, GmVerifyOptions.DEFAULT));
        byte[] encrypted = GmMessages.encrypt(CONTENT, List.of(alice), GmEncryptOptions.DEFAULT);
        assertThrows(GmMessageException.class, () -> GmMessages.verify(encrypted, GmVerifyOptions.DEFAULT));
        assertThrows(GmMessageException.class, () -> GmMessages.kind(CONTENT));
    }

    @Test
    void signedAndEncrypted() throws Exception {
        byte[] message = GmMessages.signAndEncrypt(
                CONTENT, signers(), GmSignOptions.DEFAULT, List.of(bob), GmEncryptOptions.DEFAULT);
        assertTrue(contains(message, der("060a2a811ccf550601040204")));
        GmMessage found = GmMessages.decrypt(message, bobKey, bob, GmVerifyOptions.DEFAULT);
        assertArrayEquals(CONTENT, found.content());
        assertEquals("signedAndEnvelopedData", found.kind());
        assertEquals(alice, found.signers().get(0).certificate());
        // Its signers must be right, but a reason would say that the padding was.
        byte[] bare = GmMessages.signAndEncrypt(
                CONTENT, signers(), GmSignOptions.DEFAULT.withoutCertificates(), List.of(bob), GmEncryptOptions.SADK);
        assertThrows(BadPaddingException.class, () -> GmMessages.decrypt(bare, bobKey, null, GmVerifyOptions.DEFAULT));
        GmVerifyOptions known = GmVerifyOptions.DEFAULT.certificates(List.of(alice));
        assertArrayEquals(CONTENT, GmMessages.decrypt(bare, bobKey, null, known).content());
        for (GmSignOptions options :
                List.of(GmSignOptions.DEFAULT.detached(), GmSignOptions.DEFAULT.signingTime(Instant.now()))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> GmMessages.signAndEncrypt(CONTENT, signers(), options, List.of(bob), GmEncryptOptions.DEFAULT));
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> GmMessages.signAndEncrypt(
                        CONTENT,
                        signers(),
                        GmSignOptions.DEFAULT,
                        List.of(bob),
                        GmEncryptOptions.DEFAULT.cipher(GmCipher.SM4_GCM)));
    }

    @Test
    void underAKeyThatBothSidesHave() throws Exception {
        SecretKey key = new SecretKeySpec(Testing.bytes(16, 1), "SM4");
        byte[] message = GmMessages.encryptUnder(CONTENT, key, GmEncryptOptions.DEFAULT);
        assertTrue(contains(message, der("060a2a811ccf550601040205")));
        assertEquals("encryptedData", GmMessages.kind(message));
        assertArrayEquals(CONTENT, GmMessages.decryptUnder(message, key));
        SecretKey longer = new SecretKeySpec(new byte[32], "SM4");
        assertThrows(InvalidKeyException.class, () -> GmMessages.decryptUnder(message, longer));
        assertThrows(
                IllegalArgumentException.class,
                () -> GmMessages.encryptUnder(CONTENT, key, GmEncryptOptions.DEFAULT.cipher(GmCipher.SM4_GCM)));
    }

    @Test
    void wrongArguments() throws Exception {
        List<GmSigner> another = List.of(new GmSigner(bobKey, alice));
        assertThrows(InvalidKeyException.class, () -> GmMessages.sign(CONTENT, another, GmSignOptions.DEFAULT));
        List<GmSigner> rsa = List.of(new GmSigner(aliceKey, certificate("rsa")));
        assertThrows(InvalidKeyException.class, () -> GmMessages.sign(CONTENT, rsa, GmSignOptions.DEFAULT));
        assertThrows(
                InvalidKeyException.class,
                () -> GmMessages.encrypt(CONTENT, List.of(certificate("p256")), GmEncryptOptions.DEFAULT));
        assertThrows(IllegalArgumentException.class, () -> GmMessages.sign(CONTENT, List.of(), GmSignOptions.DEFAULT));
        assertThrows(
                IllegalArgumentException.class, () -> GmMessages.encrypt(CONTENT, List.of(), GmEncryptOptions.DEFAULT));
        assertThrows(IllegalArgumentException.class, () -> GmSignOptions.DEFAULT.form(GmForm.GMSSL));
        assertThrows(IllegalArgumentException.class, () -> GmSignOptions.DEFAULT.signingTime(Instant.ofEpochSecond(-1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> GmMessages.sign(CONTENT, signers(), GmSignOptions.DEFAULT.signingTime(Instant.MAX)));
        assertThrows(NullPointerException.class, () -> GmMessages.sign(null, signers(), GmSignOptions.DEFAULT));
        assertThrows(NullPointerException.class, () -> GmMessages.verify(null, GmVerifyOptions.DEFAULT));
        assertThrows(NullPointerException.class, () -> new GmSigner(null, alice));

        java.security.KeyPair pair = Testing.keyPair();
        pair.getPrivate().destroy();
        List<GmSigner> destroyed = List.of(new GmSigner(aliceKey, alice), new GmSigner(pair.getPrivate(), bob));
        assertThrows(InvalidKeyException.class, () -> GmMessages.sign(CONTENT, destroyed, GmSignOptions.DEFAULT));
    }

    /** Every byte of messages altered, and every length: an exception that is declared, or a content. */
    @Test
    void hostileMessages() throws Exception {
        Random random = new Random(39);
        int tried = 0;
        int refused = 0;
        for (String name : new String[] {"gmsm-signed.der", "gmsm-enveloped-gcm.der", "gmsm-both.der", "bc-signed.der"}) {
            byte[] message = file(name);
            for (int place = 0; place < message.length; place++) {
                tried++;
                byte[] altered = random.nextBoolean() ? message.clone() : Arrays.copyOf(message, place);
                if (altered.length == message.length) {
                    altered[place] ^= (byte) (1 << random.nextInt(8));
                }
                try {
                    GmMessage found = name.contains("signed")
                            ? GmMessages.verify(altered, GmVerifyOptions.DEFAULT)
                            : GmMessages.decrypt(altered, aliceKey, alice, GmVerifyOptions.DEFAULT);
                    // What nobody signed may change: certificates and recipients that are not needed.
                    String who = name.startsWith("bc") ? "Bouncy Castle" : "gmsm";
                    assertArrayEquals(utf8("a content by " + who + ", 密信"), found.content());
                } catch (SignatureException | BadPaddingException | InvalidKeyException | GmMessageException expected) {
                    refused++;
                }
            }
        }
        assertTrue(refused > tried * 3 / 4, refused + " of " + tried + " refused");
    }

    /** Without the provider, messages are verified all the same; only Java's class of certificates cannot be had. */
    @Test
    void withoutAnInstalledProvider() throws Exception {
        byte[] message = GmMessages.sign(CONTENT, signers(), GmSignOptions.DEFAULT);
        Security.removeProvider(KuaimiProvider.NAME);
        try {
            GmMessage found = GmMessages.verify(message, GmVerifyOptions.DEFAULT);
            assertArrayEquals(alice.getEncoded(), found.signers().get(0).encodedCertificate());
            // Another one than Alice's, which Java remembers: with another signature.
            byte[] unknown = alice.getEncoded();
            unknown[unknown.length - 1] ^= 2;
            CertificateException thrown = assertThrows(CertificateException.class, () -> Certificates.read(unknown));
            assertTrue(thrown.getMessage().contains("insertProviderAt"), thrown.getMessage());
        } finally {
            Security.insertProviderAt(KUAIMI, 1);
        }
    }

    /** What the page says of trust: Java's own validator follows the chain. */
    @Test
    void chainsOfSigners() throws Exception {
        GmMessage found = GmMessages.verify(GmMessages.sign(CONTENT, signers(), GmSignOptions.DEFAULT), GmVerifyOptions.DEFAULT);
        X509Certificate signer = found.signers().get(0).certificate();
        PKIXParameters trusted = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
        trusted.setRevocationEnabled(false);
        trusted.setDate(new Date(alice.getNotBefore().getTime() + 1000));
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        validator.validate(factory.generateCertPath(List.of(signer)), trusted);
        // The same certificate with another signature.
        byte[] forged = signer.getEncoded();
        forged[forged.length - 1] ^= 1;
        X509Certificate other = (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(forged));
        assertThrows(
                CertPathValidatorException.class,
                () -> validator.validate(factory.generateCertPath(List.of(other)), trusted));
    }

    @Test
    void exceptionsAreOfJavas() {
        assertTrue(GeneralSecurityException.class.isAssignableFrom(GmMessageException.class));
    }
}
