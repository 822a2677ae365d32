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
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.KeyGenerator;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Sm4Test {
    private static final SecretKey KEY = new SecretKeySpec(hex("0123456789ABCDEFFEDCBA9876543210"), "SM4");
    private static final IvParameterSpec IV = new IvParameterSpec(bytes(16, 16));

    private static Cipher ours(String name, int operation) throws Exception {
        return initialized(Cipher.getInstance(name, KUAIMI), name, operation);
    }

    private static Cipher initialized(Cipher cipher, String name, int operation) throws Exception {
        cipher.init(operation, KEY, name.contains("ECB") ? null : IV);
        return cipher;
    }

    @Test
    void examples() throws Exception {
        JsonObject block = vectors("sm3_sm4").getAsJsonArray("sm4").get(0).getAsJsonObject();
        Cipher ecb = Cipher.getInstance("SM4/ECB/NoPadding", KUAIMI);
        ecb.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(hex(block, "key"), "SM4"));
        assertArrayEquals(hex(block, "ciphertext"), ecb.doFinal(hex(block, "plaintext")));
        for (JsonElement element : vectors("sm4_modes").getAsJsonArray("feedback")) {
            JsonObject example = element.getAsJsonObject();
            String mode = example.get("mode").getAsString().toUpperCase(Locale.ROOT);
            Cipher cipher = Cipher.getInstance("SM4/" + mode + "/NoPadding", KUAIMI);
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(hex(example, "key"), "SM4"),
                    new IvParameterSpec(hex(example, "iv")));
            assertArrayEquals(hex(example, "ciphertext"), cipher.doFinal(hex(example, "plaintext")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "SM4/ECB/NoPadding", "SM4/ECB/PKCS5Padding", "SM4/CBC/NoPadding", "SM4/CBC/PKCS5Padding", "SM4/CTR/NoPadding",
        "SM4/CFB/NoPadding", "SM4/OFB/NoPadding"
    })
    void bouncyCastleInAnyPieces(String name) throws Exception {
        Random random = new Random(name.hashCode());
        boolean whole = !name.contains("PKCS5") && (name.contains("ECB") || name.contains("CBC"));
        for (int round = 0; round < 300; round++) {
            int length = round < 100 ? round : random.nextInt(round % 50 == 0 ? 2_000_000 : 3000);
            byte[] message = bytes(whole ? length - length % 16 : length, round);
            Cipher theirs = initialized(Cipher.getInstance(name, Peers.BOUNCY_CASTLE.provider), name, Cipher.ENCRYPT_MODE);
            byte[] ciphertext = theirs.doFinal(message);
            assertArrayEquals(ciphertext, ours(name, Cipher.ENCRYPT_MODE).doFinal(message));
            assertArrayEquals(ciphertext, inPieces(ours(name, Cipher.ENCRYPT_MODE), message, random));
            assertArrayEquals(message, inPieces(ours(name, Cipher.DECRYPT_MODE), ciphertext, random));
        }
    }

    /** Through arrays, one array in place, and buffers. */
    private static byte[] inPieces(Cipher cipher, byte[] data, Random random) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int done = 0;
        while (done < data.length) {
            int count = 1 + random.nextInt(Math.min(data.length - done, 1 + random.nextInt(5000)));
            byte[] result;
            switch (random.nextInt(3)) {
                case 0:
                    result = cipher.update(data, done, count);
                    break;
                case 1:
                    byte[] place = new byte[count + 64];
                    System.arraycopy(data, done, place, 20, count);
                    int start = random.nextInt(40);
                    int length = cipher.update(place, 20, count, place, start);
                    result = Arrays.copyOfRange(place, start, start + length);
                    break;
                default:
                    ByteBuffer input = ByteBuffer.allocateDirect(count).put(data, done, count).flip();
                    ByteBuffer output = ByteBuffer.allocateDirect(cipher.getOutputSize(count) + 16);
                    cipher.update(input, output);
                    result = new byte[output.flip().remaining()];
                    output.get(result);
            }
            if (result != null) {
                out.write(result);
            }
            done += count;
        }
        out.write(cipher.doFinal());
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4/CBC/PKCS5Padding", "SM4/ECB/PKCS5Padding", "SM4/CTR/NoPadding", "SM4/CBC/NoPadding"})
    void aShortOutputLeavesTheStateAsItWas(String name) throws Exception {
        byte[] message = bytes(48, 1);
        byte[] ciphertext = ours(name, Cipher.ENCRYPT_MODE).doFinal(message);
        Cipher encryptor = ours(name, Cipher.ENCRYPT_MODE);
        assertThrows(ShortBufferException.class, () -> encryptor.update(message, 0, 32, new byte[31]));
        encryptor.update(message, 0, 7);
        assertThrows(ShortBufferException.class, () -> encryptor.doFinal(message, 7, 41, new byte[20], 0));
        byte[] rest = encryptor.doFinal(message, 7, 41);
        assertArrayEquals(Arrays.copyOfRange(ciphertext, ciphertext.length - rest.length, ciphertext.length), rest);
        Cipher decryptor = ours(name, Cipher.DECRYPT_MODE);
        byte[] first = decryptor.update(ciphertext, 0, 33);
        assertThrows(
                ShortBufferException.class,
                () -> decryptor.doFinal(ciphertext, 33, ciphertext.length - 33, new byte[3], 0));
        byte[] exact = new byte[48 - first.length];
        assertEquals(exact.length, decryptor.doFinal(ciphertext, 33, ciphertext.length - 33, exact, 0));
        assertArrayEquals(message, joined(first, exact));
        // doFinal has begun anew, with the same vector.
        assertArrayEquals(message, decryptor.doFinal(ciphertext));
    }

    @Test
    void wrongPaddingsAndLengths() throws Exception {
        Cipher plain = ours("SM4/CBC/NoPadding", Cipher.ENCRYPT_MODE);
        Cipher padded = ours("SM4/CBC/PKCS5Padding", Cipher.DECRYPT_MODE);
        for (int last = 0; last < 256; last++) {
            byte[] message = bytes(32, 77);
            message[31] = (byte) last;
            message[30] = 2;
            byte[] ciphertext = plain.doFinal(message);
            if (last == 1 || last == 2) {
                assertEquals(32 - last, padded.doFinal(ciphertext).length);
            } else {
                assertThrows(BadPaddingException.class, () -> padded.doFinal(ciphertext), "ends with " + last);
            }
        }
        byte[] whole = new byte[32];
        Arrays.fill(whole, 16, 32, (byte) 16);
        assertArrayEquals(new byte[16], padded.doFinal(plain.doFinal(whole)));
        whole[16] = 15;
        assertThrows(BadPaddingException.class, () -> padded.doFinal(plain.doFinal(whole)));
        assertThrows(IllegalBlockSizeException.class, () -> plain.doFinal(new byte[17]));
        assertThrows(IllegalBlockSizeException.class, () -> padded.doFinal(new byte[17]));
        assertEquals(0, padded.doFinal(new byte[0]).length);
        assertEquals(16, plain.doFinal(new byte[16]).length, "a failure begins anew");
    }

    @Test
    void parameters() throws Exception {
        Cipher encryptor = Cipher.getInstance("SM4/CBC/PKCS7Padding", KUAIMI);
        encryptor.init(Cipher.ENCRYPT_MODE, KEY);
        assertEquals(16, encryptor.getIV().length);
        byte[] ciphertext = encryptor.doFinal(bytes(100, 1));
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("SM4", KUAIMI);
        parameters.init(encryptor.getParameters().getEncoded());
        Cipher decryptor = Cipher.getInstance("SM4/CBC/PKCS5Padding", KUAIMI);
        decryptor.init(Cipher.DECRYPT_MODE, KEY, parameters);
        assertArrayEquals(bytes(100, 1), decryptor.doFinal(ciphertext));
        // Bouncy Castle reads them, too.
        AlgorithmParameters theirs = AlgorithmParameters.getInstance("SM4", Peers.BOUNCY_CASTLE.provider);
        theirs.init(parameters.getEncoded());
        assertArrayEquals(encryptor.getIV(), theirs.getParameterSpec(IvParameterSpec.class).getIV());
        assertThrows(java.io.IOException.class, () -> AlgorithmParameters.getInstance("SM4", KUAIMI).init(new byte[18]));
        assertNull(ours("SM4/ECB/NoPadding", Cipher.ENCRYPT_MODE).getParameters());
        assertThrows(InvalidKeyException.class, () -> decryptor.init(Cipher.DECRYPT_MODE, KEY));
        for (AlgorithmParameterSpec wrong : new AlgorithmParameterSpec[] {
            new IvParameterSpec(new byte[15]), new Sm2SignatureParameterSpec("")
        }) {
            assertThrows(
                    InvalidAlgorithmParameterException.class, () -> decryptor.init(Cipher.DECRYPT_MODE, KEY, wrong));
        }
        assertThrows(InvalidKeyException.class, () -> decryptor.init(
                Cipher.DECRYPT_MODE, new SecretKeySpec(new byte[24], "SM4"), IV));
        assertThrows(InvalidKeyException.class, () -> decryptor.init(Cipher.DECRYPT_MODE, Testing.keyPair().getPrivate(), IV));
        assertThrows(NoSuchAlgorithmException.class, () -> Cipher.getInstance("SM4/CTS/NoPadding", KUAIMI));
        assertThrows(NoSuchPaddingException.class, () -> {
            try {
                Cipher.getInstance("SM4/CTR/PKCS5Padding", KUAIMI);
            } catch (NoSuchAlgorithmException reason) {
                throw new NoSuchPaddingException(reason.getMessage());
            }
        });
    }

    @Test
    void keysAndWrapping() throws Exception {
        KeyGenerator generator = KeyGenerator.getInstance("SM4", KUAIMI);
        SecretKey key = generator.generateKey();
        assertEquals(16, key.getEncoded().length);
        assertEquals("SM4", key.getAlgorithm());
        assertThrows(InvalidParameterException.class, () -> generator.init(256));
        for (String name : new String[] {"SM4/CBC/PKCS5Padding", "SM4/CTR/NoPadding"}) {
            Cipher wrapper = ours(name, Cipher.WRAP_MODE);
            Cipher unwrapper = ours(name, Cipher.UNWRAP_MODE);
            assertEquals(key, unwrapper.unwrap(wrapper.wrap(key), "SM4", Cipher.SECRET_KEY));
        }
        Cipher cbc = ours("SM4/CBC/PKCS5Padding", Cipher.WRAP_MODE);
        Key secret = Testing.keyPair().getPrivate();
        byte[] wrapped = cbc.wrap(secret);
        assertThrows(
                InvalidKeyException.class,
                () -> ours("SM4/CBC/PKCS5Padding", Cipher.UNWRAP_MODE)
                        .unwrap(Arrays.copyOf(wrapped, 32), "EC", Cipher.PRIVATE_KEY));
    }
}
