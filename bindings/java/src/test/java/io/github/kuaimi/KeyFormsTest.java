package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.joined;
import static io.github.kuaimi.Testing.privateKey;
import static io.github.kuaimi.Testing.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Security;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.jce.spec.ECPrivateKeySpec;
import org.bouncycastle.jce.spec.ECPublicKeySpec;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;

/** Keys as people have them: read wherever Java takes bytes of a key, and if not, named. */
class KeyFormsTest {
    private static final String DIGITS = "b9ab0b828ff68872f21a837fc303668428dea11dcd1b24429d0c99e24eed83d5";

    private final PrivateKey key = privateKey(hex(DIGITS));
    private final PublicKey publicKey;

    KeyFormsTest() throws Exception {
        publicKey = Sm2Keys.readPublic(bouncy().getG().multiply(((ECPrivateKey) key).getS()).getEncoded(false));
    }

    /** SM2's curve as Bouncy Castle has it, without its name. */
    private static org.bouncycastle.jce.spec.ECParameterSpec bouncy() {
        ECParameterSpec curve = curve();
        java.security.spec.ECFieldFp field = (java.security.spec.ECFieldFp) curve.getCurve().getField();
        ECCurve of = new ECCurve.Fp(
                field.getP(), curve.getCurve().getA(), curve.getCurve().getB(), curve.getOrder(), BigInteger.ONE);
        return new org.bouncycastle.jce.spec.ECParameterSpec(
                of,
                of.createPoint(curve.getGenerator().getAffineX(), curve.getGenerator().getAffineY()),
                curve.getOrder());
    }

    private static ECParameterSpec curve() {
        try {
            return ((ECPublicKey) Testing.keyPair().getPublic()).getParams();
        } catch (Exception reason) {
            throw new AssertionError(reason);
        }
    }

    private static String pem(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    /** The texts of a key that are not those of one kind alone. */
    private static Map<String, byte[]> texts(String label, byte[] der) {
        String pem = pem(label, der);
        Map<String, byte[]> forms = new LinkedHashMap<>();
        forms.put("DER", der);
        forms.put("PEM", utf8(pem));
        forms.put("PEM with a byte order mark", utf8("\ufeff" + pem));
        forms.put("PEM in UTF-16", joined(new byte[] {-1, -2}, pem.getBytes(StandardCharsets.UTF_16LE)));
        forms.put("PEM with the line ends of Windows", utf8(pem.replace("\n", "\r\n")));
        forms.put("PEM out of JSON", utf8("\"" + pem.replace("\n", "\\n") + "\""));
        forms.put("Base64", Base64.getEncoder().encode(der));
        forms.put("Base64 of URLs", Base64.getUrlEncoder().withoutPadding().encode(der));
        StringBuilder digits = new StringBuilder();
        for (byte value : der) {
            digits.append(digits.length() == 0 ? "" : ":").append(String.format("%02X", value));
        }
        forms.put("hexadecimal with colons", utf8(digits.toString()));
        return forms;
    }

    @Test
    void privateKeys() throws Exception {
        byte[] explicit = KeyFactory.getInstance("EC", Peers.BOUNCY_CASTLE.provider)
                .generatePrivate(new ECPrivateKeySpec(((ECPrivateKey) key).getS(), bouncy()))
                .getEncoded();
        assertTrue(explicit.length > 250, "with all parameters");
        Map<String, byte[]> forms = texts("PRIVATE KEY", key.getEncoded());
        forms.put("PKCS#8 under the label of SEC 1", utf8(pem("EC PRIVATE KEY", key.getEncoded())));
        forms.put("parameters in full", explicit);
        forms.put("parameters in full, PEM", utf8(pem("PRIVATE KEY", explicit)));
        for (Map.Entry<String, byte[]> form : forms.entrySet()) {
            assertEquals(key, Sm2Keys.readPrivate(form.getValue(), null), form.getKey());
            for (String name : new String[] {"EC", "SM2"}) {
                PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(form.getValue());
                assertEquals(key, KeyFactory.getInstance(name, KUAIMI).generatePrivate(spec), form.getKey());
            }
        }
        // A number does not say on which curve it is a key.
        for (byte[] number : new byte[][] {
            hex(DIGITS), hex("00" + DIGITS), utf8(DIGITS), utf8("00" + DIGITS), Base64.getEncoder().encode(hex(DIGITS))
        }) {
            assertEquals(key, Sm2Keys.readPrivate(number, null));
            InvalidKeySpecException refused = assertThrows(
                    InvalidKeySpecException.class,
                    () -> KeyFactory.getInstance("EC", KUAIMI).generatePrivate(new PKCS8EncodedKeySpec(number)));
            assertTrue(refused.getMessage().contains("Sm2Keys.readPrivate"), refused.getMessage());
        }
    }

    @Test
    void publicKeys() throws Exception {
        byte[] explicit = KeyFactory.getInstance("EC", Peers.BOUNCY_CASTLE.provider)
                .generatePublic(new ECPublicKeySpec(bouncy().getG().multiply(((ECPrivateKey) key).getS()), bouncy()))
                .getEncoded();
        assertTrue(explicit.length > 250, "with all parameters");
        Map<String, byte[]> forms = texts("PUBLIC KEY", publicKey.getEncoded());
        forms.put("parameters in full", explicit);
        for (Map.Entry<String, byte[]> form : forms.entrySet()) {
            assertEquals(publicKey, Sm2Keys.readPublic(form.getValue()), form.getKey());
            for (String name : new String[] {"EC", "SM2"}) {
                X509EncodedKeySpec spec = new X509EncodedKeySpec(form.getValue());
                assertEquals(publicKey, KeyFactory.getInstance(name, KUAIMI).generatePublic(spec), form.getKey());
            }
        }
    }

    /** Java reads the key of a certificate by the parameters that it finds there. */
    @Test
    void certificatesWithTheParametersInFull() throws Exception {
        SubjectPublicKeyInfo explicit = SubjectPublicKeyInfo.getInstance(KeyFactory.getInstance(
                        "EC", Peers.BOUNCY_CASTLE.provider)
                .generatePublic(new ECPublicKeySpec(bouncy().getG().multiply(((ECPrivateKey) key).getS()), bouncy()))
                .getEncoded());
        X500Name name = new X500Name("CN=alice");
        byte[] encoded = new X509v3CertificateBuilder(name, BigInteger.ONE, new Date(), new Date(), name, explicit)
                .build(new JcaContentSignerBuilder("SM3withSM2")
                        .setProvider(Peers.BOUNCY_CASTLE.provider)
                        .build(Peers.BOUNCY_CASTLE.translated(key)))
                .getEncoded();
        Security.insertProviderAt(KUAIMI, 1);
        try {
            java.security.cert.Certificate read =
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
            assertEquals(publicKey, read.getPublicKey());
            read.verify(publicKey);
        } finally {
            Security.removeProvider(KuaimiProvider.NAME);
        }
        // Another generator is another system of keys.
        byte[] parameters = explicit.getAlgorithm().getParameters().toASN1Primitive().getEncoded();
        AlgorithmParameters ec = AlgorithmParameters.getInstance("EC", KUAIMI);
        ec.init(parameters);
        assertEquals("sm2p256v1 (1.2.156.10197.1.301)", ec.toString());
        byte[] generator = bouncy().getG().getEncoded(false);
        int at = new String(parameters, StandardCharsets.ISO_8859_1)
                .indexOf(new String(generator, StandardCharsets.ISO_8859_1));
        byte[] twice = bouncy().getG().twice().getEncoded(false);
        System.arraycopy(twice, 0, parameters, at, twice.length);
        assertThrows(java.io.IOException.class, () -> ec.init(parameters));
    }

    private static void named(String words, byte[] file) throws Exception {
        KeyFactory factory = KeyFactory.getInstance("SM2", KUAIMI);
        String[] said = {
            assertThrows(InvalidKeyException.class, () -> Sm2Keys.readPrivate(file, null)).getMessage(),
            assertThrows(InvalidKeyException.class, () -> Sm2Keys.readPublic(file)).getMessage(),
            assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(new PKCS8EncodedKeySpec(file)))
                    .getMessage(),
            assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new X509EncodedKeySpec(file)))
                    .getMessage()
        };
        for (String text : said) {
            assertTrue(text.contains(words), () -> words + ": " + String.join(" | ", said));
        }
    }

    @Test
    void whatIsNotReadIsNamed() throws Exception {
        KeyPair pair = new KeyPair(Peers.BOUNCY_CASTLE.translated(publicKey), Peers.BOUNCY_CASTLE.translated(key));
        byte[] request = new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=alice"), pair.getPublic())
                .build(new JcaContentSignerBuilder("SM3withSM2")
                        .setProvider(Peers.BOUNCY_CASTLE.provider)
                        .build(pair.getPrivate()))
                .getEncoded();
        named("certificate request", request);
        named("certificate request", utf8(pem("CERTIFICATE REQUEST", request)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        store.store(file, "a password".toCharArray());
        named("PKCS #12", file.toByteArray());
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair p256 = generator.generateKeyPair();
        generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair rsa = generator.generateKeyPair();
        KeyFactory factory = KeyFactory.getInstance("SM2", KUAIMI);
        for (KeyPair other : new KeyPair[] {p256, rsa}) {
            String name = other == rsa ? "RSA" : "NIST P-256";
            String publicReason = assertThrows(
                            InvalidKeySpecException.class,
                            () -> factory.generatePublic(new X509EncodedKeySpec(other.getPublic().getEncoded())))
                    .getMessage();
            assertTrue(publicReason.contains(name), publicReason);
            String privateReason = assertThrows(
                            InvalidKeySpecException.class,
                            () -> factory.generatePrivate(new PKCS8EncodedKeySpec(other.getPrivate().getEncoded())))
                    .getMessage();
            assertTrue(privateReason.contains(name), privateReason);
        }
        // A digit is missing, and n - 1 is no private key.
        for (String digits : new String[] {DIGITS.substring(1), "04" + "1".repeat(127)}) {
            String reason = assertThrows(InvalidKeyException.class, () -> Sm2Keys.readPublic(utf8(digits))).getMessage();
            assertTrue(reason.contains("digit"), reason);
        }
        byte[] largest = key.getEncoded();
        int at = new String(largest, StandardCharsets.ISO_8859_1)
                .indexOf(new String(hex(DIGITS), StandardCharsets.ISO_8859_1));
        byte[] order = hex(curve().getOrder().subtract(BigInteger.ONE).toString(16));
        System.arraycopy(order, 0, largest, at, 32);
        String range = assertThrows(
                        InvalidKeySpecException.class, () -> factory.generatePrivate(new PKCS8EncodedKeySpec(largest)))
                .getMessage();
        assertTrue(range.contains("range"), range);
    }
}
