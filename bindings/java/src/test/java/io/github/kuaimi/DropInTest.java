package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static io.github.kuaimi.Testing.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.AlgorithmParameters;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a program does that knows nothing of SM2 gives with Kuaimi as the first provider what Java alone gives, failures among it. */
class DropInTest {
    private static final char[] PASSWORD = "a password".toCharArray();
    private static final Map<String, Action> ACTIONS = new LinkedHashMap<>();

    /** Its result is the same from run to run. */
    private interface Action {
        Object run() throws Exception;
    }

    private static KeyPair pair(String algorithm, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    private static KeyPair p256() throws Exception {
        return pair("EC", 256);
    }

    private static String curve(Key key) {
        ECParameterSpec parameters =
                key instanceof ECPublicKey ? ((ECPublicKey) key).getParams() : ((ECPrivateKey) key).getParams();
        return key.getClass() + " " + parameters;
    }

    private static boolean signed(String algorithm, KeyPair pair) throws Exception {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(pair.getPrivate());
        signature.update(utf8("a message"));
        byte[] made = signature.sign();
        signature.initVerify(pair.getPublic());
        signature.update(utf8("a message"));
        return signature.verify(made);
    }

    private static boolean agreed(String algorithm, KeyPair one, KeyPair other) throws Exception {
        byte[][] secrets = new byte[2][];
        KeyPair[] pairs = {one, other};
        for (int side = 0; side < 2; side++) {
            KeyAgreement agreement = KeyAgreement.getInstance(algorithm);
            agreement.init(pairs[side].getPrivate());
            agreement.doPhase(pairs[1 - side].getPublic(), true);
            secrets[side] = agreement.generateSecret();
        }
        return Arrays.equals(secrets[0], secrets[1]);
    }

    private static X509Certificate certificate(KeyPair pair, String signature) throws Exception {
        Instant now = Instant.now();
        X500Name name = new X500Name("CN=localhost");
        byte[] encoded = new JcaX509v3CertificateBuilder(
                        name,
                        BigInteger.ONE,
                        Date.from(now.minusSeconds(60)),
                        Date.from(now.plusSeconds(3600)),
                        name,
                        pair.getPublic())
                .build(new JcaContentSignerBuilder(signature).build(pair.getPrivate()))
                .getEncoded();
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    private static KeyStore store(String type, KeyPair pair, String signature) throws Exception {
        KeyStore made = KeyStore.getInstance(type);
        made.load(null, null);
        made.setKeyEntry("alice", pair.getPrivate(), PASSWORD, new X509Certificate[] {certificate(pair, signature)});
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        made.store(file, PASSWORD);
        KeyStore read = KeyStore.getInstance(type);
        read.load(new ByteArrayInputStream(file.toByteArray()), PASSWORD);
        if (!read.getKey("alice", PASSWORD).equals(pair.getPrivate())) {
            throw new IllegalStateException("another key");
        }
        return read;
    }

    /** A handshake over the loopback device, and what was agreed. */
    private static String handshake(String protocol, KeyPair pair, String signature) throws Exception {
        KeyStore store = store("PKCS12", pair, signature);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("alice", store.getCertificate("alice"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (SSLServerSocket server = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, loopback)) {
            server.setNeedClientAuth(true);
            Thread echo = new Thread(() -> {
                try (SSLSocket socket = (SSLSocket) server.accept()) {
                    socket.getOutputStream().write(socket.getInputStream().read() + 1);
                } catch (java.io.IOException failed) {
                    // The client sees it.
                }
            });
            echo.start();
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(loopback, server.getLocalPort())) {
                socket.setSoTimeout(20_000);
                socket.setEnabledProtocols(new String[] {protocol});
                socket.getOutputStream().write(6);
                int answer = socket.getInputStream().read();
                return answer + " " + socket.getSession().getProtocol() + " " + socket.getSession().getCipherSuite();
            } finally {
                echo.join();
            }
        }
    }

    static {
        ACTIONS.put("EC, nothing said", () -> curve(KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic()));
        ACTIONS.put("EC, after a look at the provider", () -> {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.getProvider();
            return curve(generator.generateKeyPair().getPrivate());
        });
        ACTIONS.put("EC by length, after a look at the provider", () -> {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.getProvider();
            generator.initialize(384);
            String first = curve(generator.generateKeyPair().getPublic());
            generator.initialize(new ECGenParameterSpec("secp521r1"));
            return first + curve(generator.generateKeyPair().getPublic());
        });
        for (String name : new String[] {"secp256r1", "secp384r1", "nonsense"}) {
            ACTIONS.put("EC, curve " + name, () -> {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new ECGenParameterSpec(name), new SecureRandom());
                return curve(generator.generateKeyPair().getPublic());
            });
        }
        ACTIONS.put("EC of no curve's length", () -> pair("EC", 257));
        ACTIONS.put("EC, null", () -> {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize((AlgorithmParameterSpec) null);
            return curve(generator.generateKeyPair().getPublic());
        });
        ACTIONS.put("EllipticCurve", () -> curve(KeyPairGenerator.getInstance("EllipticCurve").generateKeyPair().getPublic()));
        ACTIONS.put("ECDSA", () -> signed("SHA256withECDSA", p256()));
        ACTIONS.put("ECDSA of 521 bits", () -> signed("SHA512withECDSA", pair("EC", 521)));
        ACTIONS.put("ECDH", () -> agreed("ECDH", p256(), p256()));
        ACTIONS.put("X25519", () -> agreed("X25519", pair("X25519", 255), pair("X25519", 255)));
        ACTIONS.put("DH", () -> agreed("DH", pair("DH", 2048), pair("DH", 2048)));
        ACTIONS.put("RSA", () -> signed("SHA256withRSA", pair("RSA", 2048)));
        ACTIONS.put("DSA", () -> signed("SHA256withDSA", pair("DSA", 2048)));
        ACTIONS.put("RSA-OAEP", () -> {
            KeyPair pair = pair("RSA", 2048);
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
            cipher.init(Cipher.ENCRYPT_MODE, pair.getPublic());
            byte[] sealed = cipher.doFinal(utf8("a secret"));
            cipher.init(Cipher.DECRYPT_MODE, pair.getPrivate());
            return new String(cipher.doFinal(sealed));
        });
        for (boolean looked : new boolean[] {false, true}) {
            String how = looked ? ", after a look at the provider" : "";
            ACTIONS.put("KeyFactory.EC" + how, () -> {
                KeyPair pair = p256();
                KeyFactory factory = KeyFactory.getInstance("EC");
                if (looked) {
                    factory.getProvider();
                }
                PublicKey publicKey = factory.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));
                PrivateKey privateKey = factory.generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded()));
                ECPublicKeySpec point = factory.getKeySpec(publicKey, ECPublicKeySpec.class);
                ECPrivateKeySpec number = factory.getKeySpec(privateKey, ECPrivateKeySpec.class);
                return curve(publicKey)
                        + publicKey.equals(pair.getPublic())
                        + privateKey.equals(pair.getPrivate())
                        + factory.generatePublic(point).equals(publicKey)
                        + factory.generatePrivate(number).equals(privateKey)
                        + factory.translateKey(publicKey).equals(publicKey)
                        + factory.getKeySpec(privateKey, PKCS8EncodedKeySpec.class).getFormat();
            });
        }
        for (byte[] wrong : new byte[][] {{}, new byte[10], new byte[32], bytes(91, 1)}) {
            ACTIONS.put("no public key of " + wrong.length, () ->
                    KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(wrong)));
            ACTIONS.put("no private key of " + wrong.length, () ->
                    KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(wrong)));
        }
        ACTIONS.put("no specification", () -> KeyFactory.getInstance("EC").generatePrivate(null));
        ACTIONS.put("nothing to translate", () -> KeyFactory.getInstance("EC").translateKey(null));
        ACTIONS.put("an RSA key as one of EC", () -> KeyFactory.getInstance("EC").translateKey(pair("RSA", 2048).getPublic()));
        ACTIONS.put("another specification", () -> KeyFactory.getInstance("EC").getKeySpec(p256().getPrivate(), ECPublicKeySpec.class));
        ACTIONS.put("RSA key store", () -> store("PKCS12", pair("RSA", 2048), "SHA256withRSA").size());
        ACTIONS.put("EC key store", () -> store("PKCS12", p256(), "SHA256withECDSA").size());
        ACTIONS.put("JKS", () -> store("JKS", p256(), "SHA256withECDSA").size());
        for (String name : new String[] {"secp256r1", "nonsense"}) {
            ACTIONS.put("AlgorithmParameters.EC " + name, () -> {
                AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
                parameters.init(new ECGenParameterSpec(name));
                AlgorithmParameters copy = AlgorithmParameters.getInstance("1.2.840.10045.2.1");
                copy.init(parameters.getEncoded());
                return copy.getParameterSpec(ECParameterSpec.class) + copy.toString()
                        + copy.getParameterSpec(ECGenParameterSpec.class).getName();
            });
        }
        for (byte[] wrong : new byte[][] {{}, {5, 0}, {6, 1}, new byte[300]}) {
            ACTIONS.put("no parameters of " + wrong.length, () -> {
                AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
                parameters.init(wrong);
                return parameters;
            });
        }
        ACTIONS.put("AES-GCM", () -> {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(16, 1), "AES"), new GCMParameterSpec(128, bytes(12, 1)));
            return Arrays.toString(cipher.doFinal(utf8("a secret"))) + cipher.getProvider();
        });
        ACTIONS.put("PBKDF2", () -> Arrays.toString(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(new PBEKeySpec(PASSWORD, bytes(16, 1), 1000, 128))
                .getEncoded()));
        ACTIONS.put("SHA-256", () -> Arrays.toString(MessageDigest.getInstance("SHA-256").digest(bytes(99, 1))));
        ACTIONS.put("HMAC", () -> {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(bytes(16, 1), "HmacSHA256"));
            return Arrays.toString(mac.doFinal(bytes(99, 1)));
        });
        ACTIONS.put("SecureRandom", () -> new SecureRandom().getAlgorithm() + SecureRandom.getInstanceStrong().getAlgorithm());
        ACTIONS.put("certificate path", () -> {
            X509Certificate certificate = certificate(p256(), "SHA256withECDSA");
            certificate.verify(certificate.getPublicKey());
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(certificate, null)));
            parameters.setRevocationEnabled(false);
            CertPathValidator.getInstance("PKIX").validate(
                    CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)), parameters);
            return curve(certificate.getPublicKey());
        });
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            ACTIONS.put(protocol + " with EC", () -> handshake(protocol, p256(), "SHA256withECDSA"));
            ACTIONS.put(protocol + " with RSA", () -> handshake(protocol, pair("RSA", 2048), "SHA256withRSA"));
        }
    }

    static Stream<String> actions() {
        return ACTIONS.keySet().stream();
    }

    private static String outcome(Action action) {
        try {
            return String.valueOf(action.run());
        } catch (Exception thrown) {
            return thrown.getClass().getName();
        }
    }

    @ParameterizedTest
    @MethodSource("actions")
    void theSameAsJavaAlone(String name) {
        String alone = outcome(ACTIONS.get(name));
        Security.insertProviderAt(KUAIMI, 1);
        try {
            assertEquals(alone, outcome(ACTIONS.get(name)));
        } finally {
            Security.removeProvider(KuaimiProvider.NAME);
        }
        boolean fails = name.contains("nonsense") || name.contains("no ") || name.contains("another") || name.contains("nothing to")
                || name.contains("null") || name.contains("RSA key as one of EC");
        assertEquals(fails, alone.endsWith("Exception"), alone);
    }

    /** One object serves SM2's curve and others in turn, by whichever provider. */
    @Test
    void inTurn() throws Exception {
        Security.insertProviderAt(KUAIMI, 1);
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            KeyFactory factory = KeyFactory.getInstance("EC");
            for (String name : new String[] {"sm2p256v1", "secp256r1", "sm2p256v1", "secp384r1", "sm2p256v1"}) {
                generator.initialize(new ECGenParameterSpec(name));
                KeyPair pair = generator.generateKeyPair();
                assertEquals(name.startsWith("sm2"), ((ECPublicKey) pair.getPublic()).getParams().toString().startsWith("sm2"));
                assertEquals(pair.getPublic(), factory.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded())));
                assertEquals(pair.getPrivate(), factory.generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded())));
                if (!name.startsWith("sm2")) {
                    assertTrue(signed("SHA256withECDSA", pair));
                } else {
                    assertTrue(signed("SM3withSM2", pair));
                }
            }
            assertFalse(signed("SM3withSM2", new KeyPair(Testing.keyPair().getPublic(), Testing.keyPair().getPrivate())));
        } finally {
            Security.removeProvider(KuaimiProvider.NAME);
        }
    }
}
