package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.keyPair;
import static io.github.kuaimi.Testing.privateKey;
import static io.github.kuaimi.Testing.utf8;
import static io.github.kuaimi.Testing.vectors;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class Sm2KeysTest {
    @ParameterizedTest
    @ValueSource(strings = {"sm2p256v1", "curveSM2", "SM2", "1.2.156.10197.1.301"})
    void ecKeysOfSm2sCurveByItsNames(String name) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", KUAIMI);
        generator.initialize(new ECGenParameterSpec(name));
        KeyPair pair = generator.generateKeyPair();
        ECPublicKey key = (ECPublicKey) pair.getPublic();
        // Its parameters in full serve, too.
        generator.initialize(key.getParams());
        assertNotEquals(key, generator.generateKeyPair().getPublic());
    }

    /** {@link DropInTest} has the rest. */
    @Test
    void otherCurvesAreLeftToOtherProviders() throws Exception {
        KeyPairGenerator ours = KeyPairGenerator.getInstance("EC", KUAIMI);
        ours.initialize(new ECGenParameterSpec("secp256r1"));
        PublicKey other = ours.generateKeyPair().getPublic();
        assertEquals("sun.security.ec", other.getClass().getPackageName());
        KeyPairGenerator sm2 = KeyPairGenerator.getInstance("SM2", KUAIMI);
        assertThrows(InvalidAlgorithmParameterException.class, () -> sm2.initialize(new ECGenParameterSpec("secp256r1")));
        assertThrows(InvalidParameterException.class, () -> sm2.initialize(384));
        X509EncodedKeySpec encoded = new X509EncodedKeySpec(other.getEncoded());
        assertEquals(other, KeyFactory.getInstance("EC", KUAIMI).generatePublic(encoded));
        KeyFactory factory = KeyFactory.getInstance("SM2", KUAIMI);
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(encoded));
    }

    @ParameterizedTest
    @EnumSource
    void keysOfPeersByAllTheirForms(Peers peer) throws Exception {
        KeyFactory factory = KeyFactory.getInstance("EC", KUAIMI);
        KeyPair theirs = peer.generate();
        ECPublicKey publicKey = (ECPublicKey) factory.translateKey(theirs.getPublic());
        ECPrivateKey privateKey = (ECPrivateKey) factory.translateKey(theirs.getPrivate());
        assertEquals(((ECPublicKey) theirs.getPublic()).getW(), publicKey.getW());
        assertEquals(((ECPrivateKey) theirs.getPrivate()).getS(), privateKey.getS());
        KeyPair ours = keyPair();
        ECPublicKey read = (ECPublicKey) peer.translated(ours.getPublic());
        assertEquals(((ECPublicKey) ours.getPublic()).getW(), read.getW());
        ECPrivateKey readPrivate = (ECPrivateKey) peer.translated(ours.getPrivate());
        assertEquals(((ECPrivateKey) ours.getPrivate()).getS(), readPrivate.getS());
    }

    @Test
    void specifications() throws Exception {
        KeyFactory factory = KeyFactory.getInstance("SM2", KUAIMI);
        KeyPair pair = keyPair();
        ECPublicKeySpec point = factory.getKeySpec(pair.getPublic(), ECPublicKeySpec.class);
        assertEquals(pair.getPublic(), factory.generatePublic(point));
        ECPrivateKeySpec number = factory.getKeySpec(pair.getPrivate(), ECPrivateKeySpec.class);
        assertEquals(pair.getPrivate(), factory.generatePrivate(number));
        assertEquals(
                pair.getPrivate(),
                factory.generatePrivate(factory.getKeySpec(pair.getPrivate(), PKCS8EncodedKeySpec.class)));
        assertEquals(
                pair.getPublic(),
                factory.generatePublic(factory.getKeySpec(pair.getPublic(), X509EncodedKeySpec.class)));
        ECParameterSpec curve = point.getParams();
        ECPoint off = new ECPoint(point.getW().getAffineX(), point.getW().getAffineY().add(BigInteger.ONE));
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new ECPublicKeySpec(off, curve)));
        ECPoint huge = new ECPoint(BigInteger.ONE.shiftLeft(300), BigInteger.TEN);
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new ECPublicKeySpec(huge, curve)));
        BigInteger order = curve.getOrder();
        assertEquals(
                order.subtract(BigInteger.TWO),
                ((ECPrivateKey) factory.generatePrivate(new ECPrivateKeySpec(order.subtract(BigInteger.TWO), curve)))
                        .getS());
        for (BigInteger wrong : new BigInteger[] {
            BigInteger.ZERO, order.subtract(BigInteger.ONE), order, BigInteger.ONE.negate(), BigInteger.ONE.shiftLeft(256)
        }) {
            assertThrows(
                    InvalidKeySpecException.class, () -> factory.generatePrivate(new ECPrivateKeySpec(wrong, curve)));
        }
        for (byte[] wrong : new byte[][] {{}, {0x30, 0}, new byte[91], hex("30820000")}) {
            assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(new X509EncodedKeySpec(wrong)));
            assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(new PKCS8EncodedKeySpec(wrong)));
        }
    }

    @Test
    void keysFromFiles() throws Exception {
        String der = vectors("openssl").getAsJsonObject("sm2").get("private_key").getAsString();
        ECPrivateKey key = Sm2Keys.readPrivate(hex(der), null);
        assertEquals(key, Sm2Keys.readPrivate(utf8(der), null), "hexadecimal");
        StringWriter pem = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(pem)) {
            PrivateKey theirs = Peers.BOUNCY_CASTLE.translated(key);
            writer.writeObject(new JcaPKCS8Generator(
                    theirs,
                    new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                            .setProvider(Peers.BOUNCY_CASTLE.provider)
                            .setPassword("a password".toCharArray())
                            .build()));
        }
        assertEquals(key, Sm2Keys.readPrivate(utf8(pem.toString()), "a password".toCharArray()));
        assertThrows(InvalidKeyException.class, () -> Sm2Keys.readPrivate(utf8(pem.toString()), null));
        assertThrows(
                InvalidKeyException.class,
                () -> Sm2Keys.readPrivate(utf8(pem.toString()), "another".toCharArray()));
        StringWriter publicPem = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(publicPem)) {
            writer.writeObject(keyPair().getPublic());
        }
        assertEquals("EC", Sm2Keys.readPublic(utf8(publicPem.toString())).getAlgorithm());
        assertThrows(InvalidKeyException.class, () -> Sm2Keys.readPublic(utf8("no key")));
        assertThrows(InvalidKeyException.class, () -> Sm2Keys.readPrivate(new byte[32], null));
    }

    @Test
    void destroyedKeysServeNoMore() throws Exception {
        PrivateKey key = privateKey(hex("11".repeat(32)));
        PrivateKey same = privateKey(hex("11".repeat(32)));
        assertEquals(key, same);
        assertEquals(key.hashCode(), same.hashCode());
        Signature signature = Signature.getInstance("SM2", KUAIMI);
        signature.initSign(key);
        key.destroy();
        assertTrue(key.isDestroyed());
        assertThrows(SignatureException.class, signature::sign);
        assertThrows(InvalidKeyException.class, () -> signature.initSign(key));
        assertThrows(IllegalStateException.class, key::getEncoded);
        assertThrows(IllegalStateException.class, ((ECPrivateKey) key)::getS);
        assertNotEquals(key, same);
        assertFalse(same.isDestroyed());
        signature.initSign(same);
        assertTrue(signature.sign().length > 0, "another object with the same key serves on");
    }

    @Test
    void textShowsNoSecret() throws Exception {
        PrivateKey key = privateKey(hex("11".repeat(32)));
        assertFalse(key.toString().contains("11111111"));
    }

    @Test
    void serialization() throws Exception {
        Security.addProvider(KUAIMI);
        try {
            KeyPair pair = keyPair();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(pair);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                KeyPair read = (KeyPair) in.readObject();
                assertEquals(pair.getPrivate(), read.getPrivate());
                assertEquals(pair.getPublic(), read.getPublic());
                assertArrayEquals(pair.getPublic().getEncoded(), read.getPublic().getEncoded());
            }
        } finally {
            Security.removeProvider(KuaimiProvider.NAME);
        }
    }
}
