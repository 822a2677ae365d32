package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.joined;
import static io.github.kuaimi.Testing.vectors;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Sm4AeadTest {
    private static final SecretKey KEY = new SecretKeySpec(bytes(16, 3), "SM4");

    private static GCMParameterSpec nonce(int number) {
        return new GCMParameterSpec(128, ByteBuffer.allocate(12).putInt(8, number).array());
    }

    private static Cipher ours(String mode, int operation, int nonce) throws Exception {
        Cipher cipher = Cipher.getInstance("SM4/" + mode + "/NoPadding", KUAIMI);
        cipher.init(operation, KEY, nonce(nonce));
        return cipher;
    }

    @Test
    void examples() throws Exception {
        for (JsonElement element : vectors("sm4_modes").getAsJsonArray("aead")) {
            JsonObject example = element.getAsJsonObject();
            String mode = example.get("mode").getAsString().toUpperCase(Locale.ROOT);
            Cipher cipher = Cipher.getInstance("SM4/" + mode + "/NoPadding", KUAIMI);
            SecretKey key = new SecretKeySpec(hex(example, "key"), "SM4");
            GCMParameterSpec spec = new GCMParameterSpec(128, hex(example, "nonce"));
            byte[] sealed = joined(hex(example, "ciphertext"), hex(example, "tag"));
            cipher.init(Cipher.ENCRYPT_MODE, key, spec);
            cipher.updateAAD(hex(example, "associated_data"));
            assertArrayEquals(sealed, cipher.doFinal(hex(example, "plaintext")));
            cipher.init(Cipher.DECRYPT_MODE, key, spec);
            cipher.updateAAD(hex(example, "associated_data"));
            assertArrayEquals(hex(example, "plaintext"), cipher.doFinal(sealed));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GCM", "CCM"})
    void bouncyCastleInBothDirections(String mode) throws Exception {
        Cipher theirs = Cipher.getInstance("SM4/" + mode + "/NoPadding", Peers.BOUNCY_CASTLE.provider);
        int number = 0;
        for (int length : new int[] {0, 1, 15, 16, 17, 495, 496, 512, 513, 4096, 70_001, 300_000}) {
            byte[] message = bytes(length, length);
            byte[] header = bytes(length % 50, 1);
            theirs.init(Cipher.ENCRYPT_MODE, KEY, nonce(++number));
            theirs.updateAAD(header);
            byte[] sealed = theirs.doFinal(message);
            Cipher encryptor = ours(mode, Cipher.ENCRYPT_MODE, number);
            encryptor.updateAAD(header, 0, header.length / 2);
            encryptor.updateAAD(ByteBuffer.wrap(header, header.length / 2, header.length - header.length / 2));
            assertNull(encryptor.update(message, 0, length / 3));
            byte[] place = new byte[length + 16 + 7];
            System.arraycopy(message, length / 3, place, 5, length - length / 3);
            assertEquals(length + 16, encryptor.doFinal(place, 5, length - length / 3, place, 7));
            assertArrayEquals(sealed, Arrays.copyOfRange(place, 7, place.length));

            Cipher decryptor = ours(mode, Cipher.DECRYPT_MODE, number);
            decryptor.updateAAD(header);
            ByteBuffer output = ByteBuffer.allocateDirect(length);
            decryptor.doFinal(ByteBuffer.allocateDirect(length + 16).put(sealed).flip(), output);
            byte[] opened = new byte[length];
            output.flip().get(opened);
            assertArrayEquals(message, opened);
            // In place, from the beginning of the array.
            decryptor.updateAAD(header);
            byte[] array = sealed.clone();
            assertEquals(length, decryptor.doFinal(array, 0, array.length, array, 0));
            assertArrayEquals(message, Arrays.copyOf(array, length));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GCM", "CCM"})
    void everyChangeIsFound(String mode) throws Exception {
        Cipher encryptor = ours(mode, Cipher.ENCRYPT_MODE, 1);
        encryptor.updateAAD(new byte[3]);
        byte[] sealed = encryptor.doFinal(bytes(20, 1));
        Cipher decryptor = ours(mode, Cipher.DECRYPT_MODE, 1);
        for (int bit = 0; bit < 8 * sealed.length; bit++) {
            byte[] altered = sealed.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            decryptor.updateAAD(new byte[3]);
            byte[] output = new byte[20];
            assertThrows(AEADBadTagException.class, () -> decryptor.doFinal(altered, 0, altered.length, output, 0));
            assertArrayEquals(new byte[20], output, "no plaintext is given out");
        }
        for (int length = 0; length < sealed.length; length++) {
            byte[] shorter = Arrays.copyOf(sealed, length);
            decryptor.updateAAD(new byte[3]);
            assertThrows(AEADBadTagException.class, () -> decryptor.doFinal(shorter));
        }
        decryptor.updateAAD(new byte[2]);
        assertThrows(AEADBadTagException.class, () -> decryptor.doFinal(sealed));
        decryptor.updateAAD(new byte[3]);
        assertArrayEquals(bytes(20, 1), decryptor.doFinal(sealed), "failures begin anew");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GCM", "CCM"})
    void aNonceServesOnce(String mode) throws Exception {
        Cipher unused = ours(mode, Cipher.ENCRYPT_MODE, 1);
        assertThrows(InvalidAlgorithmParameterException.class, () -> unused.init(Cipher.ENCRYPT_MODE, KEY, nonce(1)));
        Cipher cipher = ours(mode, Cipher.ENCRYPT_MODE, 1);
        cipher.doFinal(new byte[1]);
        assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[1]));
        assertThrows(IllegalStateException.class, () -> cipher.update(new byte[1]));
        assertThrows(IllegalStateException.class, () -> cipher.updateAAD(new byte[1]));
        assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, nonce(1)));
        assertThrows(
                InvalidAlgorithmParameterException.class,
                () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(nonce(1).getIV())));
        cipher.init(Cipher.ENCRYPT_MODE, KEY, nonce(2));
        cipher.doFinal(new byte[1]);
        // Without one, it is random.
        cipher.init(Cipher.ENCRYPT_MODE, KEY);
        byte[] first = cipher.getIV();
        byte[] sealed = cipher.doFinal(new byte[9]);
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("SM4/" + mode, KUAIMI);
        parameters.init(cipher.getParameters().getEncoded());
        cipher.init(Cipher.DECRYPT_MODE, KEY, parameters);
        assertArrayEquals(new byte[9], cipher.doFinal(sealed));
        cipher.init(Cipher.ENCRYPT_MODE, KEY);
        assertEquals(false, Arrays.equals(first, cipher.getIV()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GCM", "CCM"})
    void aShortOutputLeavesTheStateAsItWas(String mode) throws Exception {
        Cipher encryptor = ours(mode, Cipher.ENCRYPT_MODE, 1);
        encryptor.update(new byte[5]);
        assertThrows(ShortBufferException.class, () -> encryptor.doFinal(new byte[5], 0, 5, new byte[25], 0));
        byte[] sealed = new byte[26];
        assertEquals(26, encryptor.doFinal(new byte[5], 0, 5, sealed, 0));
        Cipher decryptor = ours(mode, Cipher.DECRYPT_MODE, 1);
        assertThrows(ShortBufferException.class, () -> decryptor.doFinal(sealed, 0, 26, new byte[9], 0));
        assertArrayEquals(new byte[10], decryptor.doFinal(sealed));
    }

    @Test
    void tagsAndNoncesOfOtherLengths() throws Exception {
        Cipher theirs = Cipher.getInstance("SM4/CCM/NoPadding", Peers.BOUNCY_CASTLE.provider);
        Cipher ours = Cipher.getInstance("SM4/CCM/NoPadding", KUAIMI);
        for (int bits = 32; bits <= 128; bits += 16) {
            for (int length = 7; length <= 13; length++) {
                GCMParameterSpec spec = new GCMParameterSpec(bits, bytes(length, bits));
                theirs.init(Cipher.ENCRYPT_MODE, KEY, spec);
                byte[] sealed = theirs.doFinal(bytes(33, 1));
                ours.init(Cipher.DECRYPT_MODE, KEY, spec);
                assertArrayEquals(bytes(33, 1), ours.doFinal(sealed));
                AlgorithmParameters copy = AlgorithmParameters.getInstance("SM4/CCM", KUAIMI);
                copy.init(ours.getParameters().getEncoded());
                GCMParameterSpec read = copy.getParameterSpec(GCMParameterSpec.class);
                assertEquals(bits, read.getTLen());
                assertArrayEquals(spec.getIV(), read.getIV());
            }
        }
        // 13 bytes leave two for the length.
        ours.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[13]));
        assertThrows(IllegalBlockSizeException.class, () -> ours.doFinal(new byte[1 << 16]));
        int[][] wrong = {{128, 6}, {128, 14}, {120, 12}, {16, 12}, {127, 12}};
        for (int[] lengths : wrong) {
            GCMParameterSpec spec = new GCMParameterSpec(lengths[0], new byte[lengths[1]]);
            assertThrows(InvalidAlgorithmParameterException.class, () -> ours.init(Cipher.ENCRYPT_MODE, KEY, spec));
        }
        Cipher gcm = Cipher.getInstance("SM4/GCM/NoPadding", KUAIMI);
        for (GCMParameterSpec spec : new GCMParameterSpec[] {
            new GCMParameterSpec(96, new byte[12]), new GCMParameterSpec(128, new byte[0])
        }) {
            assertThrows(InvalidAlgorithmParameterException.class, () -> gcm.init(Cipher.ENCRYPT_MODE, KEY, spec));
        }
        gcm.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, bytes(33, 1)));
        byte[] sealed = gcm.doFinal(new byte[3]);
        Cipher bouncy = Cipher.getInstance("SM4/GCM/NoPadding", Peers.BOUNCY_CASTLE.provider);
        bouncy.init(Cipher.DECRYPT_MODE, KEY, new GCMParameterSpec(128, bytes(33, 1)));
        assertArrayEquals(new byte[3], bouncy.doFinal(sealed));
        Cipher late = ours("GCM", Cipher.ENCRYPT_MODE, 1);
        late.update(new byte[1]);
        assertThrows(IllegalStateException.class, () -> late.updateAAD(new byte[1]));
    }

    @Test
    void parametersThatAreNone() throws Exception {
        String[] wrong = {"", "30", "3000", "3003040100ff", "300304010102", "300604010102010c", "3006040101020111", "3006040101020100", "30800401010000"};
        for (String encoded : wrong) {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("SM4/GCM", KUAIMI);
            assertThrows(java.io.IOException.class, () -> parameters.init(hex(encoded)), encoded);
        }
        AlgorithmParameters right = AlgorithmParameters.getInstance("SM4/GCM", KUAIMI);
        right.init(hex("300604010a020110"));
        assertEquals(128, right.getParameterSpec(GCMParameterSpec.class).getTLen());
    }
}
