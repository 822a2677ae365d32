package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.joined;
import static io.github.kuaimi.Testing.keyPair;
import static io.github.kuaimi.Testing.privateKey;
import static io.github.kuaimi.Testing.utf8;
import static io.github.kuaimi.Testing.vectors;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.tencent.kona.crypto.spec.SM2SignatureParameterSpec;
import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import org.bouncycastle.jcajce.spec.SM2ParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class Sm2SignatureTest {
    private static byte[] sign(Signature signature, PrivateKey key, byte[] message) throws Exception {
        signature.initSign(key);
        signature.update(message);
        return signature.sign();
    }

    private static boolean verify(Signature signature, PublicKey key, byte[] message, byte[] signed) throws Exception {
        signature.initVerify(key);
        signature.update(message);
        return signature.verify(signed);
    }

    private static Signature ours() throws Exception {
        return Signature.getInstance("SM3withSM2", KUAIMI);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM2", "SM3withSM2", "SM3WITHSM2", "1.2.156.10197.1.501", "OID.1.2.156.10197.1.501"})
    void everyNameIsTheSameSignature(String name) throws Exception {
        KeyPair pair = keyPair();
        byte[] signed = sign(Signature.getInstance(name, KUAIMI), pair.getPrivate(), utf8("a message"));
        assertTrue(verify(ours(), pair.getPublic(), utf8("a message"), signed));
    }

    @Test
    void theStandardsExample() throws Exception {
        JsonObject example = vectors("sm2").getAsJsonObject("signature");
        PublicKey key = Sm2Keys.readPublic(joined(hex(example, "px"), hex(example, "py")));
        Signature raw = Signature.getInstance("SM3withSM2inP1363Format", KUAIMI);
        byte[] message = utf8(example.get("message_ascii").getAsString());
        byte[] signed = joined(hex(example, "r"), hex(example, "s"));
        assertTrue(verify(raw, key, message, signed));
        assertFalse(verify(raw, key, utf8("another"), signed));
        // The key that it names makes signatures that verify under the public key that it names.
        byte[] made = sign(raw, privateKey(hex(example, "d")), message);
        assertEquals(64, made.length);
        assertTrue(verify(raw, key, message, made));
    }

    @ParameterizedTest
    @EnumSource
    void peersInBothDirectionsWithTheirOwnKeys(Peers peer) throws Exception {
        Signature theirs = Signature.getInstance(peer.signature(), peer.provider);
        for (KeyPair pair : Arrays.asList(keyPair(), peer.generate())) {
            for (int length : new int[] {0, 1, 31, 32, 55, 407, 408, 416, 417, 5000}) {
                byte[] message = bytes(length, length);
                // Our provider takes keys of both as they are.
                byte[] ours = sign(ours(), pair.getPrivate(), message);
                theirs.initVerify(peer.translated(pair.getPublic()));
                theirs.update(message);
                assertTrue(theirs.verify(ours), "ours, " + length);
                if (peer == Peers.KONA) {
                    theirs.setParameter(new SM2SignatureParameterSpec((ECPublicKey) peer.translated(pair.getPublic())));
                }
                byte[] made = sign(theirs, peer.translated(pair.getPrivate()), message);
                assertTrue(verify(ours(), pair.getPublic(), message, made), "theirs, " + length);
                assertFalse(verify(ours(), pair.getPublic(), joined(message, new byte[1]), made));
            }
        }
    }

    @Test
    void identitiesInTheClassesOfAllThree() throws Exception {
        KeyPair pair = keyPair();
        byte[] identity = utf8("alice@example.com");
        AlgorithmParameterSpec[] specs = {
            new Sm2SignatureParameterSpec("alice@example.com"),
            new SM2ParameterSpec(identity),
            new SM2SignatureParameterSpec(identity, (ECPublicKey) pair.getPublic()),
        };
        Signature theirs = Signature.getInstance("SM3withSM2", Peers.BOUNCY_CASTLE.provider);
        theirs.setParameter(new SM2ParameterSpec(identity));
        for (AlgorithmParameterSpec spec : specs) {
            Signature ours = ours();
            ours.setParameter(spec);
            byte[] signed = sign(ours, pair.getPrivate(), utf8("a message"));
            assertTrue(verify(theirs, Peers.BOUNCY_CASTLE.translated(pair.getPublic()), utf8("a message"), signed));
            assertTrue(verify(ours, pair.getPublic(), utf8("a message"), signed));
            assertFalse(verify(ours(), pair.getPublic(), utf8("a message"), signed), "another identity");
        }
        // An empty identity, which OpenSSL 3 takes, and the longest.
        for (int length : new int[] {0, 8191}) {
            Signature ours = ours();
            ours.setParameter(new Sm2SignatureParameterSpec(new byte[length]));
            theirs = Signature.getInstance("SM3withSM2", Peers.BOUNCY_CASTLE.provider);
            theirs.setParameter(new SM2ParameterSpec(new byte[length]));
            byte[] signed = sign(ours, pair.getPrivate(), utf8("a message"));
            assertTrue(verify(theirs, Peers.BOUNCY_CASTLE.translated(pair.getPublic()), utf8("a message"), signed));
        }
        assertThrows(IllegalArgumentException.class, () -> new Sm2SignatureParameterSpec(new byte[8192]));
        Signature begun = ours();
        begun.initVerify(pair.getPublic());
        begun.update((byte) 1);
        assertThrows(InvalidAlgorithmParameterException.class, () -> begun.setParameter(specs[0]));
        assertThrows(InvalidAlgorithmParameterException.class, () -> ours().setParameter(new ECGenParameterSpec("SM2")));
    }

    @Test
    void piecesOfAllKindsAreOneMessage() throws Exception {
        KeyPair pair = keyPair();
        byte[] message = bytes(100_000, 1);
        byte[] signed = sign(ours(), pair.getPrivate(), message);
        Signature verifier = ours();
        verifier.initVerify(pair.getPublic());
        ByteBuffer direct = ByteBuffer.allocateDirect(70_000);
        direct.put(message, 1 + 500, 70_000).flip();
        verifier.update(message[0]);
        verifier.update(message, 1, 500);
        verifier.update(direct);
        assertFalse(direct.hasRemaining());
        ByteBuffer readOnly = ByteBuffer.wrap(message, 70_501, 1000).asReadOnlyBuffer();
        verifier.update(readOnly);
        verifier.update(ByteBuffer.wrap(message, 71_501, message.length - 71_501));
        assertTrue(verifier.verify(signed));
        // It begins anew.
        verifier.update(message);
        byte[] within = joined(new byte[3], signed, new byte[2]);
        assertTrue(verifier.verify(within, 3, signed.length));
        assertFalse(verifier.verify(signed));
    }

    @Test
    void everySignatureIsAnother() throws Exception {
        KeyPair pair = keyPair();
        assertNotEquals(
                Arrays.toString(sign(ours(), pair.getPrivate(), new byte[1])),
                Arrays.toString(sign(ours(), pair.getPrivate(), new byte[1])));
    }

    @Test
    void badSignatures() throws Exception {
        KeyPair pair = keyPair();
        byte[] message = utf8("a message");
        byte[] signed = sign(ours(), pair.getPrivate(), message);
        Signature verifier = ours();
        verifier.initVerify(pair.getPublic());
        for (int bit = 0; bit < 8 * signed.length; bit++) {
            byte[] altered = signed.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            verifier.update(message);
            try {
                assertFalse(verifier.verify(altered), "bit " + bit);
            } catch (SignatureException malformed) {
                // Not in the form of a signature.
            }
        }
        for (byte[] malformed : new byte[][] {{}, {0x30}, new byte[64], joined(signed, new byte[1])}) {
            verifier.update(message);
            assertThrows(SignatureException.class, () -> verifier.verify(malformed));
        }
        assertThrows(IllegalArgumentException.class, () -> verifier.verify(signed, 1, signed.length));
        verifier.update(message);
        assertTrue(verifier.verify(signed), "after failures it begins anew");
        // r = 0: in the form of a signature, and never right.
        Signature raw = Signature.getInstance("SM3withSM2inP1363Format", KUAIMI);
        assertFalse(verify(raw, pair.getPublic(), message, new byte[64]));
    }

    @Test
    void wrongKeys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", "SunEC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair other = generator.generateKeyPair();
        assertThrows(InvalidKeyException.class, () -> ours().initSign(other.getPrivate()));
        assertThrows(InvalidKeyException.class, () -> ours().initVerify(other.getPublic()));
        assertThrows(InvalidKeyException.class, () -> ours().initVerify((PublicKey) null));
        assertThrows(SignatureException.class, () -> ours().sign(), "not initialized");
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(1024);
        assertThrows(InvalidKeyException.class, () -> ours().initVerify(rsa.generateKeyPair().getPublic()));
    }
}
