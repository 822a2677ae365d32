package io.github.kuaimi;

import io.github.kuaimi.internal.Columns;
import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import io.github.kuaimi.internal.SecretKeys;
import io.github.kuaimi.internal.Wipe;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.SecretKey;

/**
 * Many messages in SM4-GCM at once, each with a key of its own, in vector registers and on all processors: for messages of up to 256
 * bytes at least twice as fast as {@code Cipher} one by one; longer ones gain little. The results are those of
 * {@code Cipher.getInstance("SM4/GCM/NoPadding")}. Never use a nonce twice with a key: nothing checks that here.
 *
 * <p>With direct buffers, row {@code i} has the bytes {@code 16·i} to {@code 16·i + 15} of {@code keys} and {@code 12·i} to
 * {@code 12·i + 11} of {@code nonces}. Its message ends at {@code ends[i]}, where the next one begins, and so do headers. A sealed
 * message is the ciphertext with 16 bytes of its tag behind it, so that of row {@code i} ends at {@code ends[i] + 16·(i + 1)}. Positions
 * and limits of the buffers do not count, and what is written must not be memory that is read.
 */
public final class Sm4GcmBatch {
    private static final int KEY = 16;
    private static final int TAG = 16;

    private Sm4GcmBatch() {}

    /**
     * Encrypts messages.
     *
     * @param keys a key for each row
     * @param nonces a nonce for each row; 12 bytes are usual, and any other length but 0 is right
     * @param headers what is authenticated and not encrypted, for each row; null if there is none for any
     * @param messages a message for each row
     * @return the ciphertext for each row, with its tag of 16 bytes behind it
     * @throws InvalidKeyException if a key is none of SM4
     * @throws IllegalArgumentException if a nonce is empty, or if one list is longer than another
     */
    public static List<byte[]> seal(
            List<? extends SecretKey> keys, List<byte[]> nonces, List<byte[]> headers, List<byte[]> messages)
            throws InvalidKeyException {
        NativeLibrary.require();
        byte[][] everyMessage = messages.toArray(new byte[0][]);
        int rows = everyMessage.length;
        int[] ends = Columns.ends(everyMessage);
        byte[][] results = new byte[rows][];
        try (Beside beside = new Beside(keys, nonces, headers, rows)) {
            ByteBuffer joined = Columns.joined(everyMessage, ends);
            try {
                ByteBuffer sealed = ByteBuffer.allocateDirect(sealedEnd(ends, rows));
                Native.sm4SealBatch(
                        beside.keys, beside.nonces, beside.nonceEnds, beside.headers, beside.headerEnds, joined, ends, sealed, rows);
                for (int row = 0; row < rows; row++) {
                    results[row] = new byte[everyMessage[row].length + TAG];
                    sealed.get(results[row]);
                }
            } finally {
                Columns.wipe(joined);
            }
        }
        return Arrays.asList(results);
    }

    /**
     * Decrypts what {@link #seal(List, List, List, List)} or a {@code Cipher} made.
     *
     * @param keys a key for each row
     * @param nonces a nonce for each row
     * @param headers what was authenticated and not encrypted, for each row; null if there is none for any
     * @param sealed a ciphertext with its tag behind it, for each row
     * @return the message for each row; null where the tag is wrong, or where there is none, and where the nonce is empty
     * @throws InvalidKeyException if a key is none of SM4
     * @throws IllegalArgumentException if one list is longer than another
     */
    public static List<byte[]> open(
            List<? extends SecretKey> keys, List<byte[]> nonces, List<byte[]> headers, List<byte[]> sealed)
            throws InvalidKeyException {
        NativeLibrary.require();
        byte[][] everySealed = sealed.toArray(new byte[0][]);
        int rows = everySealed.length;
        int[] ends = new int[rows];
        int end = 0;
        for (int row = 0; row < rows; row++) {
            end = Math.addExact(end, Math.max(0, everySealed[row].length - TAG));
            ends[row] = end;
        }
        ByteBuffer joined = ByteBuffer.allocateDirect(sealedEnd(ends, rows));
        for (byte[] one : everySealed) {
            // Where there is no tag, zeros stand for one, and its verdict is not looked at.
            joined.put(one.length < TAG ? new byte[TAG] : one);
        }
        ByteBuffer messages = ByteBuffer.allocateDirect(end);
        ByteBuffer verdicts = ByteBuffer.allocateDirect(rows);
        byte[][] results = new byte[rows][];
        try (Beside beside = new Beside(keys, nonces, headers, rows)) {
            Native.sm4OpenBatch(
                    beside.keys, beside.nonces, beside.nonceEnds, beside.headers, beside.headerEnds, joined, ends, messages, verdicts,
                    rows);
            for (int row = 0; row < rows; row++) {
                byte[] message = new byte[Math.max(0, everySealed[row].length - TAG)];
                messages.get(message);
                boolean isRight = verdicts.get(row) == 1 && everySealed[row].length >= TAG;
                results[row] = isRight ? message : null;
            }
        } finally {
            Columns.wipe(messages);
        }
        return Arrays.asList(results);
    }

    /**
     * Encrypts messages.
     *
     * @param keys direct: 16 bytes for each row
     * @param nonces direct: 12 bytes for each row
     * @param headers direct, what is authenticated and not encrypted, one behind the other; null if there is none for any row
     * @param headerEnds where each header ends; null without headers
     * @param messages direct, one message behind the other
     * @param ends where each message ends
     * @param sealed direct: 16 bytes for each row more than the messages have are written
     */
    public static void seal(
            ByteBuffer keys,
            ByteBuffer nonces,
            ByteBuffer headers,
            int[] headerEnds,
            ByteBuffer messages,
            int[] ends,
            ByteBuffer sealed) {
        NativeLibrary.require();
        ByteBuffer everyHeader = headers(headers, headerEnds);
        Columns.direct(keys, nonces, everyHeader, messages, sealed);
        Columns.writable(sealed);
        Native.sm4SealBatch(keys, nonces, null, everyHeader, headerEnds, messages, ends, sealed, ends.length);
    }

    /**
     * Decrypts messages.
     *
     * @param keys direct: 16 bytes for each row
     * @param nonces direct: 12 bytes for each row
     * @param headers direct, what was authenticated and not encrypted, one behind the other; null if there is none for any row
     * @param headerEnds where each header ends; null without headers
     * @param sealed direct, one ciphertext with its tag behind the other
     * @param ends where each message ends, without tags: as they were when the messages were sealed
     * @param messages direct: the messages are written, zeros for each that could not be decrypted
     * @param verdicts direct: a byte for each row, 1 for a right tag and 0 for any other. They are set to 0 first, so that an exception
     *     leaves no verdict of before
     */
    public static void open(
            ByteBuffer keys,
            ByteBuffer nonces,
            ByteBuffer headers,
            int[] headerEnds,
            ByteBuffer sealed,
            int[] ends,
            ByteBuffer messages,
            ByteBuffer verdicts) {
        NativeLibrary.require();
        Columns.allWrong(verdicts, ends.length);
        ByteBuffer everyHeader = headers(headers, headerEnds);
        Columns.direct(keys, nonces, everyHeader, sealed, messages);
        Columns.writable(messages);
        Native.sm4OpenBatch(keys, nonces, null, everyHeader, headerEnds, sealed, ends, messages, verdicts, ends.length);
    }

    private static ByteBuffer headers(ByteBuffer headers, int[] headerEnds) {
        if ((headers == null) != (headerEnds == null)) {
            throw new IllegalArgumentException("headers and where each of them ends come together");
        }
        return headers == null ? ByteBuffer.allocateDirect(0) : headers;
    }

    /** Where the last sealed message ends. */
    private static int sealedEnd(int[] ends, int rows) {
        return Math.addExact(rows == 0 ? 0 : ends[rows - 1], Math.multiplyExact(TAG, rows));
    }

    /** The columns beside the messages, of lists. Another thread may change the lists: they are read once. */
    private static final class Beside implements AutoCloseable {
        private final ByteBuffer keys;
        private final ByteBuffer nonces;
        private final int[] nonceEnds;
        private final ByteBuffer headers;
        private final int[] headerEnds;

        private Beside(List<? extends SecretKey> keyList, List<byte[]> nonceList, List<byte[]> headerList, int rows)
                throws InvalidKeyException {
            SecretKey[] everyKey = keyList.toArray(new SecretKey[0]);
            byte[][] everyNonce = nonceList.toArray(new byte[0][]);
            byte[][] everyHeader = headerList == null ? null : headerList.toArray(new byte[0][]);
            if (everyKey.length != rows || everyNonce.length != rows || everyHeader != null && everyHeader.length != rows) {
                throw new IllegalArgumentException("as many keys as nonces as headers as messages are needed");
            }
            nonceEnds = Columns.ends(everyNonce);
            nonces = Columns.joined(everyNonce, nonceEnds);
            headerEnds = everyHeader == null ? null : Columns.ends(everyHeader);
            headers = everyHeader == null ? ByteBuffer.allocateDirect(0) : Columns.joined(everyHeader, headerEnds);
            keys = ByteBuffer.allocateDirect(Math.multiplyExact(KEY, rows));
            try {
                for (SecretKey key : everyKey) {
                    byte[] bytes = SecretKeys.sm4(key);
                    keys.put(bytes);
                    Wipe.wipe(bytes);
                }
            } catch (InvalidKeyException | RuntimeException wrong) {
                close();
                throw wrong;
            }
        }

        @Override
        public void close() {
            Columns.wipe(keys);
        }
    }
}
