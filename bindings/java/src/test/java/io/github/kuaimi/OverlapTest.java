package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input, associated data and output may be parts of one array or buffer, wherever they lie: the result is that of arrays of their own. */
class OverlapTest {
    private static final int SPACE = 3000;

    private static AlgorithmParameterSpec parameters(String transformation, int round) {
        if (transformation.contains("ECB")) {
            return null;
        }
        boolean authenticated = transformation.contains("GCM") || transformation.contains("CCM");
        return authenticated ? new GCMParameterSpec(128, bytes(12, round)) : new IvParameterSpec(bytes(16, round));
    }

    private static Cipher cipher(String transformation, int operation, int round) throws Exception {
        Cipher cipher = Cipher.getInstance(transformation, KUAIMI);
        cipher.init(operation, new SecretKeySpec(bytes(16, round), "SM4"), parameters(transformation, round));
        return cipher;
    }

    private static byte[] joined(byte[] update, byte[] last) {
        return update == null ? last : Testing.joined(update, last);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "SM4/ECB/NoPadding", "SM4/ECB/PKCS5Padding", "SM4/CBC/NoPadding", "SM4/CBC/PKCS5Padding", "SM4/CTR/NoPadding",
        "SM4/CFB/NoPadding", "SM4/OFB/NoPadding", "SM4/GCM/NoPadding", "SM4/CCM/NoPadding"
    })
    void anyOverlapGivesTheSame(String transformation) throws Exception {
        for (int round = 0; round < 600; round++) {
            Random random = new Random(round);
            int first = random.nextInt(round % 5 == 0 ? 1000 : 70);
            int second = 32 - first % 16 + 16 * random.nextInt(3);
            byte[] message = bytes(first + second, round);
            byte[] header = bytes(random.nextInt(40), round);
            Cipher plain = cipher(transformation, Cipher.ENCRYPT_MODE, round);
            boolean authenticated = transformation.contains("GCM") || transformation.contains("CCM");
            if (authenticated) {
                plain.updateAAD(header);
            }
            byte[] expected = plain.doFinal(message);

            for (int operation : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
                byte[] from = operation == Cipher.ENCRYPT_MODE ? message : expected;
                byte[] to = operation == Cipher.ENCRYPT_MODE ? expected : message;
                int cut = Math.min(first, from.length);
                Cipher cipher = cipher(transformation, operation, round);
                // The places of the two inputs and outputs are near each other, so that most overlap.
                int[] places = random.ints(5, 0, 200).toArray();
                byte[] array = new byte[SPACE];
                if (authenticated) {
                    System.arraycopy(header, 0, array, places[4], header.length);
                    cipher.updateAAD(array, places[4], header.length);
                }
                System.arraycopy(from, 0, array, places[0], cut);
                int done = cipher.update(array, places[0], cut, array, places[1]);
                byte[] got = Arrays.copyOfRange(array, places[1], places[1] + done);
                System.arraycopy(from, cut, array, places[2], from.length - cut);
                int rest = cipher.doFinal(array, places[2], from.length - cut, array, places[3]);
                got = joined(got, Arrays.copyOfRange(array, places[3], places[3] + rest));
                assertArrayEquals(to, got, () -> transformation + ", round " + Arrays.toString(places));

                for (ByteBuffer memory : new ByteBuffer[] {ByteBuffer.allocate(SPACE), ByteBuffer.allocateDirect(SPACE)}) {
                    Cipher buffered = cipher(transformation, operation, round);
                    if (authenticated) {
                        buffered.updateAAD(memory.duplicate().put(header).flip());
                    }
                    ByteBuffer input = memory.duplicate().position(places[0]);
                    input.duplicate().put(from);
                    input.limit(places[0] + from.length);
                    ByteBuffer output = memory.duplicate().position(places[1]);
                    int count = buffered.doFinal(input, output);
                    byte[] result = new byte[count];
                    memory.duplicate().position(places[1]).get(result);
                    assertArrayEquals(to, result, () -> transformation + ", buffers " + Arrays.toString(places));
                }
            }
        }
    }
}
