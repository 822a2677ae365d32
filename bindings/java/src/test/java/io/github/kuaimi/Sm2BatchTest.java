package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static io.github.kuaimi.Testing.keyPair;
import static io.github.kuaimi.Testing.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.Test;

class Sm2BatchTest {
    @Test
    void aVerdictForEachRow() throws Exception {
        KeyPair[] pairs = {keyPair(), keyPair(), keyPair()};
        List<PublicKey> keys = new ArrayList<>();
        List<byte[]> messages = new ArrayList<>();
        List<byte[]> signatures = new ArrayList<>();
        boolean[] expected = new boolean[20_000];
        List<List<byte[]>> signed = new ArrayList<>();
        List<byte[]> all = new ArrayList<>();
        for (int row = 0; row < expected.length; row++) {
            all.add(bytes(row % 90, row));
        }
        for (KeyPair pair : pairs) {
            signed.add(Sm2Batch.sign(pair.getPrivate(), all));
        }
        for (int row = 0; row < expected.length; row++) {
            int signer = row * 7 % pairs.length;
            keys.add(pairs[signer].getPublic());
            messages.add(all.get(row));
            byte[] signature = signed.get(signer).get(row);
            switch (row % 10) {
                case 3:
                    signature = signed.get((signer + 1) % pairs.length).get(row);
                    break;
                case 5:
                    signature = signed.get(signer).get((row + 1) % expected.length);
                    break;
                case 7:
                    signature = Arrays.copyOf(signature, row / 10 % signature.length);
                    break;
                case 9:
                    signature = signature.clone();
                    signature[3 + row / 10 % 3] ^= 1;
                    break;
                default:
                    expected[row] = true;
            }
            signatures.add(signature);
        }
        assertArrayEquals(expected, Sm2Batch.verify(keys, messages, signatures));
        // They are signatures as any other.
        Signature verifier = Signature.getInstance("SM2", KUAIMI);
        for (int row = 0; row < 200; row++) {
            verifier.initVerify(pairs[1].getPublic());
            verifier.update(all.get(row));
            assertTrue(verifier.verify(signed.get(1).get(row)));
        }
        assertEquals(0, Sm2Batch.verify(List.of(), List.of(), List.of()).length);
        assertEquals(List.of(), Sm2Batch.sign(pairs[0].getPrivate(), List.of()));
        assertThrows(IllegalArgumentException.class, () -> Sm2Batch.verify(keys, messages, List.of()));
    }

    @Test
    void buffersAndTheirLimits() throws Exception {
        KeyPair pair = keyPair();
        byte[] spki = pair.getPublic().getEncoded();
        ByteBuffer keys = ByteBuffer.allocateDirect(192);
        for (int row = 0; row < 3; row++) {
            keys.put(spki, spki.length - 64, 64);
        }
        keys.put(64, (byte) (keys.get(64) ^ 1)); // No point any more.
        ByteBuffer messages = ByteBuffer.allocateDirect(9).put(utf8("onetwo")).put(utf8("six"));
        int[] ends = {3, 6, 9};
        byte[] identity = utf8("alice");
        ByteBuffer signatures = ByteBuffer.allocateDirect(192);
        ByteBuffer verdicts = ByteBuffer.allocateDirect(3);
        Sm2Batch.sign(pair.getPrivate(), messages, ends, identity, signatures);
        Sm2Batch.verify(keys, messages, ends, identity, signatures, verdicts);
        assertArrayEquals(new byte[] {1, 0, 1}, contents(verdicts));
        Sm2Batch.verify(keys, messages, ends, utf8("bob"), signatures, verdicts);
        assertArrayEquals(new byte[3], contents(verdicts));
        Signature raw = Signature.getInstance("SM3withSM2inP1363Format", KUAIMI);
        raw.setParameter(new Sm2SignatureParameterSpec("alice"));
        raw.initVerify(pair.getPublic());
        raw.update(utf8("six"));
        assertTrue(raw.verify(Arrays.copyOfRange(contents(signatures), 128, 192)));

        for (int[] wrong : new int[][] {{3, 2, 9}, {-1, 3, 9}, {3, 6, 10}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Sm2Batch.verify(keys, messages, wrong, identity, signatures, verdicts));
        }
        ByteBuffer small = ByteBuffer.allocateDirect(191);
        assertThrows(
                IllegalArgumentException.class,
                () -> Sm2Batch.verify(small, messages, ends, identity, signatures, verdicts));
        assertThrows(
                IllegalArgumentException.class,
                () -> Sm2Batch.verify(keys, messages, ends, identity, small, verdicts));
        assertThrows(
                IllegalArgumentException.class,
                () -> Sm2Batch.verify(keys, messages, ends, new byte[8192], signatures, verdicts));
        assertThrows(
                IllegalArgumentException.class,
                () -> Sm2Batch.verify(ByteBuffer.allocate(192), messages, ends, identity, signatures, verdicts));
        assertThrows(
                ReadOnlyBufferException.class,
                () -> Sm2Batch.verify(keys, messages, ends, identity, signatures, verdicts.asReadOnlyBuffer()));
        assertThrows(
                IllegalArgumentException.class,
                () -> Sm2Batch.verifyDigests(keys, messages, signatures, verdicts, 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> Sm2Batch.verifyDigests(keys, messages, signatures, verdicts, -1));
    }

    @Test
    void digests() throws Exception {
        KeyPair pair = keyPair();
        ByteBuffer messages = ByteBuffer.allocateDirect(2);
        ByteBuffer signatures = ByteBuffer.allocateDirect(64);
        Sm2Batch.sign(pair.getPrivate(), messages, new int[] {2}, utf8("1234567812345678"), signatures);
        byte[] spki = pair.getPublic().getEncoded();
        byte[] point = Arrays.copyOfRange(spki, spki.length - 64, spki.length);
        // e = SM3(Z, M), and Z as the standard has it (5.5).
        java.security.MessageDigest sm3 = java.security.MessageDigest.getInstance("SM3", KUAIMI);
        sm3.update(new byte[] {0, (byte) 128});
        sm3.update(utf8("1234567812345678"));
        com.google.gson.JsonObject curve = Testing.vectors("sm2").getAsJsonObject("curve");
        for (String name : new String[] {"a", "b", "gx", "gy"}) {
            sm3.update(Testing.hex(curve, name));
        }
        byte[] z = sm3.digest(point);
        sm3.update(z);
        ByteBuffer digests = ByteBuffer.allocateDirect(32).put(sm3.digest(new byte[2]));
        ByteBuffer verdicts = ByteBuffer.allocateDirect(1);
        ByteBuffer keys = ByteBuffer.allocateDirect(64).put(point);
        Sm2Batch.verifyDigests(keys, digests, signatures, verdicts, 1);
        assertEquals(1, verdicts.get(0));
        digests.put(0, (byte) (digests.get(0) ^ 1));
        Sm2Batch.verifyDigests(keys, digests, signatures, verdicts, 1);
        assertEquals(0, verdicts.get(0));
    }

    @Test
    void bothPartiesHaveTheSameSecrets() throws Exception {
        List<PrivateKey> keys = new ArrayList<>();
        List<PublicKey> peers = new ArrayList<>();
        for (int count : new int[] {0, 1, 7, 16, 33}) {
            while (keys.size() < 2 * count) {
                // Keys of Bouncy Castle are taken, too.
                KeyPair one = Peers.BOUNCY_CASTLE.generate();
                KeyPair other = keyPair();
                keys.addAll(List.of(one.getPrivate(), other.getPrivate()));
                peers.addAll(List.of(other.getPublic(), one.getPublic()));
            }
            List<byte[]> secrets = Sm2Batch.diffieHellman(keys, peers);
            assertEquals(2 * count, secrets.size());
            for (int row = 0; row < secrets.size(); row++) {
                assertArrayEquals(secrets.get(row ^ 1), secrets.get(row), "row " + row);
                KeyAgreement theirs = KeyAgreement.getInstance("ECDH", Peers.BOUNCY_CASTLE.provider);
                theirs.init(Peers.BOUNCY_CASTLE.translated(keys.get(row)));
                theirs.doPhase(Peers.BOUNCY_CASTLE.translated(peers.get(row)), true);
                assertArrayEquals(theirs.generateSecret(), secrets.get(row), "Bouncy Castle, row " + row);
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Sm2Batch.diffieHellman(keys, peers.subList(0, 3)));
        KeyPair rsa = java.security.KeyPairGenerator.getInstance("RSA").generateKeyPair();
        assertThrows(
                InvalidKeyException.class,
                () -> Sm2Batch.diffieHellman(List.of(keys.get(0), rsa.getPrivate()), peers.subList(0, 2)));
        assertThrows(
                InvalidKeyException.class,
                () -> Sm2Batch.diffieHellman(keys.subList(0, 2), List.of(peers.get(0), rsa.getPublic())));
        keys.get(1).destroy();
        assertThrows(InvalidKeyException.class, () -> Sm2Batch.diffieHellman(keys, peers));
    }

    private static byte[] contents(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(bytes);
        return bytes;
    }
}
