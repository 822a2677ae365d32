package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.utf8;
import static io.github.kuaimi.Testing.vectors;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.spec.InvalidKeySpecException;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.api.Test;

class Sm3Test {
    private static MessageDigest ours() throws Exception {
        return MessageDigest.getInstance("SM3", KUAIMI);
    }

    @Test
    void examples() throws Exception {
        MessageDigest digest = ours();
        for (String file : new String[] {"sm3_sm4", "openssl"}) {
            for (JsonElement element : vectors(file).getAsJsonArray("sm3")) {
                JsonObject example = element.getAsJsonObject();
                assertArrayEquals(hex(example, "digest"), digest.digest(hex(example, "message")));
            }
        }
        for (JsonElement element : vectors("openssl").getAsJsonArray("hmac_sm3")) {
            JsonObject example = element.getAsJsonObject();
            Mac mac = Mac.getInstance("HmacSM3", KUAIMI);
            mac.init(new SecretKeySpec(hex(example, "key"), "HmacSM3"));
            assertArrayEquals(hex(example, "mac"), mac.doFinal(hex(example, "message")));
        }
    }

    @Test
    void everyLengthAndEverySplit() throws Exception {
        MessageDigest theirs = MessageDigest.getInstance("SM3", Peers.BOUNCY_CASTLE.provider);
        MessageDigest digest = ours();
        assertEquals(32, digest.getDigestLength());
        for (int length = 0; length < 1200; length++) {
            byte[] message = bytes(length, length);
            byte[] expected = theirs.digest(message);
            assertArrayEquals(expected, digest.digest(message), "length " + length);
            int first = length == 0 ? 0 : length * 7 % length;
            digest.update(message, 0, first);
            digest.update(ByteBuffer.allocateDirect(length - first).put(message, first, length - first).flip());
            assertArrayEquals(expected, digest.digest(), "length " + length + " at " + first);
        }
        byte[] large = bytes(3_000_001, 1);
        assertArrayEquals(theirs.digest(large), digest.digest(large));
    }

    @Test
    void aCloneGoesOnByItself() throws Exception {
        for (int prefix : new int[] {0, 3, 64, 447, 448, 449}) {
            MessageDigest one = ours();
            one.update(bytes(prefix, 9));
            MessageDigest other = (MessageDigest) one.clone();
            one.update((byte) 1);
            other.update((byte) 2);
            MessageDigest expected = ours();
            expected.update(bytes(prefix, 9));
            assertArrayEquals(expected.digest(new byte[] {2}), other.digest());
            expected.update(bytes(prefix, 9));
            assertArrayEquals(expected.digest(new byte[] {1}), one.digest());
        }
        MessageDigest reset = ours();
        reset.update(bytes(700, 1));
        reset.reset();
        assertArrayEquals(ours().digest(), reset.digest());
        assertThrows(DigestException.class, () -> ours().digest(new byte[31], 0, 31));
    }

    @Test
    void hmacAgainstBouncyCastle() throws Exception {
        Random random = new Random(5);
        Mac ours = Mac.getInstance("HmacSM3", KUAIMI);
        Mac theirs = Mac.getInstance("HMACSM3", Peers.BOUNCY_CASTLE.provider);
        for (int length : new int[] {1, 16, 63, 64, 65, 200}) {
            SecretKeySpec key = new SecretKeySpec(bytes(length, length), "HmacSM3");
            ours.init(key);
            theirs.init(key);
            for (int round = 0; round < 20; round++) {
                byte[] message = bytes(random.nextInt(1500), round);
                byte[] expected = theirs.doFinal(message);
                assertArrayEquals(expected, ours.doFinal(message));
                ours.update(message, 0, message.length / 2);
                Mac copy = (Mac) ours.clone();
                ours.reset();
                copy.update(message, message.length / 2, message.length - message.length / 2);
                assertArrayEquals(expected, copy.doFinal());
            }
        }
        assertEquals(32, ours.getMacLength());
        assertThrows(InvalidKeyException.class, () -> ours.init(Testing.keyPair().getPrivate()));
        assertThrows(
                InvalidAlgorithmParameterException.class,
                () -> ours.init(new SecretKeySpec(new byte[1], "x"), new IvParameterSpec(new byte[16])));
        Mac fresh = Mac.getInstance("HmacSM3", KUAIMI);
        assertThrows(IllegalStateException.class, () -> fresh.update((byte) 1));
    }

    @Test
    void pbkdf2AgainstBouncyCastle() throws Exception {
        SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSM3", KUAIMI);
        String password = "口令 password";
        for (int iterations : new int[] {1, 2, 1000}) {
            for (int length : new int[] {1, 32, 33, 100}) {
                PKCS5S2ParametersGenerator theirs = new PKCS5S2ParametersGenerator(new SM3Digest());
                theirs.init(utf8(password), utf8("a salt"), iterations);
                byte[] expected = ((KeyParameter) theirs.generateDerivedParameters(8 * length)).getKey();
                PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), utf8("a salt"), iterations, 8 * length);
                assertArrayEquals(expected, factory.generateSecret(spec).getEncoded());
            }
        }
        assertThrows(InvalidKeySpecException.class, () -> factory.generateSecret(new PBEKeySpec(new char[1])));
        assertThrows(
                InvalidKeySpecException.class,
                () -> factory.generateSecret(new PBEKeySpec(new char[1], new byte[1], 1, 7)));
        assertThrows(
                InvalidKeySpecException.class,
                () -> factory.generateSecret(new PBEKeySpec(new char[1], new byte[1], 2_000_000_000, 8)));
    }
}
