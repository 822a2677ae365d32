package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.security.InvalidKeyException;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class Sm4GcmBatchTest {
    private static final int[] LENGTHS = {0, 1, 15, 16, 17, 64, 1000, 33, 512, 513, 5000};

    private final List<SecretKey> keys = new ArrayList<>();
    private final List<byte[]> nonces = new ArrayList<>();
    private final List<byte[]> headers = new ArrayList<>();
    private final List<byte[]> messages = new ArrayList<>();

    /** Rows of many lengths; without {@code usual}, of nonces also. */
    private void rows(int count, boolean usual) {
        keys.clear();
        nonces.clear();
        headers.clear();
        messages.clear();
        for (int row = 0; row < count; row++) {
            keys.add(new SecretKeySpec(bytes(16, row), "SM4"));
            nonces.add(bytes(usual || row % 7 != 6 ? 12 : 1 + row % 40, row + 1));
            headers.add(bytes(row * 5 % 70, row + 2));
            messages.add(bytes(LENGTHS[row % LENGTHS.length], row + 3));
        }
    }

    private byte[] singly(Provider provider, int row) throws Exception {
        Cipher cipher = Cipher.getInstance("SM4/GCM/NoPadding", provider);
        cipher.init(Cipher.ENCRYPT_MODE, keys.get(row), new GCMParameterSpec(128, nonces.get(row)));
        cipher.updateAAD(headers.get(row));
        return cipher.doFinal(messages.get(row));
    }

    @Test
    void theResultsOfCiphers() throws Exception {
        for (int count : new int[] {0, 1, 7, 16, 33, 500}) {
            rows(count, false);
            List<byte[]> sealed = Sm4GcmBatch.seal(keys, nonces, headers, messages);
            assertEquals(count, sealed.size());
            for (int row = 0; row < count; row++) {
                assertArrayEquals(singly(KUAIMI, row), sealed.get(row), "row " + row);
                assertArrayEquals(singly(Peers.BOUNCY_CASTLE.provider, row), sealed.get(row), "Bouncy Castle, row " + row);
            }
            List<byte[]> opened = Sm4GcmBatch.open(keys, nonces, headers, sealed);
            for (int row = 0; row < count; row++) {
                assertArrayEquals(messages.get(row), opened.get(row), "row " + row);
            }
        }
        // Without headers.
        rows(20, true);
        List<byte[]> sealed = Sm4GcmBatch.seal(keys, nonces, null, messages);
        headers.replaceAll(none -> new byte[0]);
        for (int row = 0; row < 20; row++) {
            assertArrayEquals(singly(Peers.BOUNCY_CASTLE.provider, row), sealed.get(row), "row " + row);
        }
        assertArrayEquals(messages.get(6), Sm4GcmBatch.open(keys, nonces, null, sealed).get(6));
    }

    /** More rows than one chunk has. */
    @Test
    void manyRows() throws Exception {
        rows(20_000, true);
        for (int row = 0; row < 20_000; row++) {
            messages.set(row, bytes(row % 90, row));
        }
        List<byte[]> sealed = Sm4GcmBatch.seal(keys, nonces, headers, messages);
        List<byte[]> opened = Sm4GcmBatch.open(keys, nonces, headers, sealed);
        for (int row = 0; row < 20_000; row++) {
            assertArrayEquals(messages.get(row), opened.get(row));
            if (row % 331 == 0 || row > 19_990) {
                assertArrayEquals(singly(Peers.BOUNCY_CASTLE.provider, row), sealed.get(row), "row " + row);
            }
        }
    }

    @Test
    void aWrongRowIsNullAndTheOthersAreRight() throws Exception {
        rows(70, false);
        List<byte[]> sealed = Sm4GcmBatch.seal(keys, nonces, headers, messages);
        for (int row = 0; row < 70; row += 2) {
            byte[] one = sealed.get(row).clone();
            switch (row / 2 % 7) {
                case 0:
                    one[one.length - 1] ^= 1;
                    break;
                case 1:
                    one[0] ^= 1;
                    break;
                case 2:
                    one = Arrays.copyOf(one, 15);
                    break;
                case 3:
                    one = new byte[0];
                    break;
                case 4:
                    nonces.set(row, new byte[0]);
                    break;
                case 5:
                    nonces.set(row, Arrays.copyOf(nonces.get(row), nonces.get(row).length + 1));
                    break;
                default:
                    headers.set(row, Arrays.copyOf(headers.get(row), headers.get(row).length + 1));
            }
            sealed.set(row, one);
        }
        List<byte[]> opened = Sm4GcmBatch.open(keys, nonces, headers, sealed);
        for (int row = 0; row < 70; row++) {
            if (row % 2 == 0) {
                assertNull(opened.get(row), "row " + row);
            } else {
                assertArrayEquals(messages.get(row), opened.get(row), "row " + row);
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Sm4GcmBatch.seal(keys, nonces, headers, messages), "an empty nonce");
    }

    @Test
    void whatIsNoBatch() throws Exception {
        rows(3, true);
        List<byte[]> sealed = Sm4GcmBatch.seal(keys, nonces, headers, messages);
        List<byte[]> two = nonces.subList(0, 2);
        Class<IllegalArgumentException> wrong = IllegalArgumentException.class;
        assertThrows(wrong, () -> Sm4GcmBatch.seal(keys, two, headers, messages));
        assertThrows(wrong, () -> Sm4GcmBatch.seal(keys.subList(0, 2), nonces, headers, messages));
        assertThrows(wrong, () -> Sm4GcmBatch.seal(keys, nonces, two, messages));
        assertThrows(wrong, () -> Sm4GcmBatch.seal(keys, nonces, headers, two));
        assertThrows(wrong, () -> Sm4GcmBatch.open(keys, nonces, headers, sealed.subList(0, 2)));
        keys.set(1, new SecretKeySpec(new byte[15], "SM4"));
        assertThrows(InvalidKeyException.class, () -> Sm4GcmBatch.seal(keys, nonces, headers, messages));
        assertThrows(InvalidKeyException.class, () -> Sm4GcmBatch.open(keys, nonces, headers, sealed));
        keys.set(1, null);
        assertThrows(InvalidKeyException.class, () -> Sm4GcmBatch.seal(keys, nonces, headers, messages));
    }

    private static ByteBuffer direct(List<byte[]> parts) {
        int length = parts.stream().mapToInt(part -> part.length).sum();
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        parts.forEach(buffer::put);
        return buffer;
    }

    private static int[] ends(List<byte[]> parts) {
        int[] ends = new int[parts.size()];
        int end = 0;
        for (int row = 0; row < ends.length; row++) {
            end += parts.get(row).length;
            ends[row] = end;
        }
        return ends;
    }

    private static byte[] contents(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(bytes);
        return bytes;
    }

    @Test
    void buffersAndTheirLimits() throws Exception {
        rows(11, true);
        List<byte[]> expected = Sm4GcmBatch.seal(keys, nonces, headers, messages);
        List<byte[]> encoded = new ArrayList<>();
        keys.forEach(key -> encoded.add(key.getEncoded()));
        ByteBuffer keyColumn = direct(encoded);
        ByteBuffer nonceColumn = direct(nonces);
        ByteBuffer headerColumn = direct(headers);
        int[] headerEnds = ends(headers);
        ByteBuffer messageColumn = direct(messages);
        int[] ends = ends(messages);
        ByteBuffer sealed = ByteBuffer.allocateDirect(messageColumn.capacity() + 16 * 11);
        Sm4GcmBatch.seal(keyColumn, nonceColumn, headerColumn, headerEnds, messageColumn, ends, sealed);
        assertArrayEquals(contents(direct(expected)), contents(sealed));

        // One row is altered: its message is zeros, and a row of before does not remain there.
        sealed.put(ends[5] + 16 * 6 - 1, (byte) (sealed.get(ends[5] + 16 * 6 - 1) ^ 1));
        ByteBuffer opened = ByteBuffer.allocateDirect(messageColumn.capacity());
        ByteBuffer verdicts = ByteBuffer.allocateDirect(11);
        for (int place = 0; place < opened.capacity(); place++) {
            opened.put(place, (byte) 7);
        }
        Sm4GcmBatch.open(keyColumn, nonceColumn, headerColumn, headerEnds, sealed, ends, opened, verdicts);
        assertArrayEquals(new byte[] {1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1}, contents(verdicts));
        byte[] wanted = contents(messageColumn);
        Arrays.fill(wanted, ends[4], ends[5], (byte) 0);
        assertArrayEquals(wanted, contents(opened));

        Class<IllegalArgumentException> wrong = IllegalArgumentException.class;
        ByteBuffer small = ByteBuffer.allocateDirect(3);
        ByteBuffer heap = ByteBuffer.allocate(1 << 16);
        for (ByteBuffer bad : new ByteBuffer[] {small, heap}) {
            for (int column = 0; column < 6; column++) {
                ByteBuffer[] all = {keyColumn, nonceColumn, headerColumn, sealed, opened, verdicts};
                all[column] = bad;
                verdicts.put(0, (byte) 1);
                assertThrows(wrong, () -> Sm4GcmBatch.open(all[0], all[1], all[2], headerEnds, all[3], ends, all[4], all[5]));
                assertEquals(column == 5 ? 1 : 0, verdicts.get(0), "a verdict of before");
                ByteBuffer[] seal = {keyColumn, nonceColumn, headerColumn, messageColumn, sealed};
                if (column < 5) {
                    seal[column] = bad;
                    assertThrows(wrong, () -> Sm4GcmBatch.seal(seal[0], seal[1], seal[2], headerEnds, seal[3], ends, seal[4]));
                }
            }
        }
        for (int[] bad : new int[][] {null, new int[10], new int[] {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, new int[] {-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}) {
            assertThrows(wrong, () -> Sm4GcmBatch.seal(keyColumn, nonceColumn, headerColumn, bad, messageColumn, ends, sealed));
        }
        assertThrows(wrong, () -> Sm4GcmBatch.seal(keyColumn, nonceColumn, null, headerEnds, messageColumn, ends, sealed));
        assertThrows(
                ReadOnlyBufferException.class,
                () -> Sm4GcmBatch.seal(
                        keyColumn, nonceColumn, headerColumn, headerEnds, messageColumn, ends, sealed.asReadOnlyBuffer()));
        // What is written must not be memory that is read.
        assertThrows(wrong, () -> Sm4GcmBatch.seal(keyColumn, nonceColumn, headerColumn, headerEnds, sealed, ends, sealed));
        ByteBuffer[] inputs = {keyColumn, nonceColumn, headerColumn, sealed, opened};
        for (ByteBuffer input : inputs) {
            assertThrows(
                    wrong,
                    () -> Sm4GcmBatch.open(keyColumn, nonceColumn, headerColumn, headerEnds, sealed, ends, opened, input));
        }
        assertThrows(
                wrong, () -> Sm4GcmBatch.open(keyColumn, nonceColumn, headerColumn, headerEnds, sealed, ends, sealed, verdicts));
    }
}
