package io.github.kuaimi;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Provider;
import java.util.Arrays;
import java.util.Random;

/** What the tests share. */
public final class Testing {
    public static final Provider KUAIMI = new KuaimiProvider();
    public static final Path ROOT = Path.of(System.getProperty("kuaimi.test.root"));
    public static final Path JAR = Path.of(System.getProperty("kuaimi.test.jar"));

    private Testing() {}

    public static byte[] hex(String digits) {
        byte[] bytes = new byte[digits.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }

    public static byte[] hex(JsonObject example, String name) {
        return hex(example.get(name).getAsString());
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] joined(byte[]... parts) {
        byte[] joined = new byte[0];
        for (byte[] part : parts) {
            int end = joined.length;
            joined = Arrays.copyOf(joined, end + part.length);
            System.arraycopy(part, 0, joined, end, part.length);
        }
        return joined;
    }

    public static JsonObject vectors(String name) throws IOException {
        return JsonParser.parseString(Files.readString(ROOT.resolve("vectors/" + name + ".json"))).getAsJsonObject();
    }

    /** Bytes that repeat from run to run. */
    public static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** A private key from its 32 bytes. */
    public static PrivateKey privateKey(byte[] number) throws InvalidKeyException {
        return Sm2Keys.readPrivate(number, null);
    }

    public static PrivateKey privateKey(long number) throws InvalidKeyException {
        byte[] digits = BigInteger.valueOf(number).toByteArray();
        byte[] bytes = new byte[32];
        System.arraycopy(digits, 0, bytes, 32 - digits.length, digits.length);
        return privateKey(bytes);
    }

    public static KeyPair keyPair() throws Exception {
        return java.security.KeyPairGenerator.getInstance("SM2", KUAIMI).generateKeyPair();
    }
}
