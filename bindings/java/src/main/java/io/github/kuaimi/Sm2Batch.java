package io.github.kuaimi;

import io.github.kuaimi.internal.Columns;
import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import io.github.kuaimi.internal.Sm2PrivateKey;
import io.github.kuaimi.internal.Sm2PublicKey;
import io.github.kuaimi.internal.Sm2Rows;
import io.github.kuaimi.internal.Wipe;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.List;

/**
 * Many signatures and shared secrets of SM2 at once, in vector registers and on all processors: several times as fast as one by one.
 *
 * <p>With direct buffers, row {@code i} has the bytes {@code 64·i} to {@code 64·i + 63} of {@code publicKeys} (x and y) and of
 * {@code signatures} (r and s), and its message ends at {@code ends[i]}, where the next one begins. Positions and limits of the
 * buffers do not count, and what is written must not be memory that is read. All numbers are written with the most significant byte first.
 */
public final class Sm2Batch {
    private static final byte[] DEFAULT_IDENTITY =
            Sm2SignatureParameterSpec.DEFAULT_IDENTITY.getBytes(StandardCharsets.US_ASCII);

    private Sm2Batch() {}

    /**
     * Verifies signatures in DER under the default identity.
     *
     * @param keys a key for each row; a key may come again
     * @param messages a message for each row
     * @param signatures a signature for each row
     * @return a verdict for each row: a signature that is none is wrong
     * @throws InvalidKeyException if a key is none of SM2
     */
    public static boolean[] verify(List<? extends PublicKey> keys, List<byte[]> messages, List<byte[]> signatures)
            throws InvalidKeyException {
        NativeLibrary.require();
        // Another thread may change the lists: they are read once.
        PublicKey[] everyKey = keys.toArray(new PublicKey[0]);
        byte[][] everyMessage = messages.toArray(new byte[0][]);
        byte[][] everySignature = signatures.toArray(new byte[0][]);
        int rows = everyKey.length;
        if (everyMessage.length != rows || everySignature.length != rows) {
            throw new IllegalArgumentException("as many keys as messages as signatures are needed");
        }
        ByteBuffer points = ByteBuffer.allocateDirect(Math.multiplyExact(64, rows));
        for (PublicKey key : everyKey) {
            points.put(Sm2PublicKey.of(key).point());
        }
        ByteBuffer raw = ByteBuffer.allocateDirect(64 * rows);
        for (byte[] signature : everySignature) {
            // Zeros are no signature, so they stand for what cannot be read.
            byte[] numbers = Sm2Rows.raw(signature.clone());
            raw.put(numbers == null ? new byte[64] : numbers);
        }
        ByteBuffer verdicts = ByteBuffer.allocateDirect(rows);
        int[] ends = Columns.ends(everyMessage);
        verify(points, Columns.joined(everyMessage, ends), ends, DEFAULT_IDENTITY, raw, verdicts);
        boolean[] results = new boolean[rows];
        for (int row = 0; row < rows; row++) {
            results[row] = verdicts.get(row) == 1;
        }
        return results;
    }

    /**
     * Verifies signatures over messages.
     *
     * @param publicKeys direct
     * @param messages direct, one message behind the other
     * @param ends where each message ends
     * @param identity of all signers
     * @param signatures direct
     * @param verdicts direct: a byte for each row, 1 for a right signature and 0 for any other, also where the key is no point. They are
     *     set to 0 first, so that an exception leaves no verdict of before
     */
    public static void verify(
            ByteBuffer publicKeys,
            ByteBuffer messages,
            int[] ends,
            byte[] identity,
            ByteBuffer signatures,
            ByteBuffer verdicts) {
        NativeLibrary.require();
        Columns.allWrong(verdicts, ends.length);
        Columns.direct(publicKeys, messages, signatures);
        Native.sm2VerifyBatch(publicKeys, messages, ends, identity, signatures, verdicts, ends.length);
    }

    /**
     * Verifies signatures over digests {@code e} (GB/T 32918.2-2016, B4), 32 bytes a row.
     *
     * @param publicKeys direct
     * @param digests direct
     * @param signatures direct
     * @param verdicts direct, as above
     * @param rows how many
     */
    public static void verifyDigests(
            ByteBuffer publicKeys, ByteBuffer digests, ByteBuffer signatures, ByteBuffer verdicts, int rows) {
        NativeLibrary.require();
        Columns.allWrong(verdicts, rows);
        Columns.direct(publicKeys, digests, signatures);
        Native.sm2VerifyBatch(publicKeys, digests, null, DEFAULT_IDENTITY, signatures, verdicts, rows);
    }

    /**
     * Signs messages under the default identity.
     *
     * @param key the key of all
     * @param messages the messages
     * @return a signature in DER for each message
     * @throws InvalidKeyException if the key is none of SM2, or was destroyed
     */
    public static List<byte[]> sign(PrivateKey key, List<byte[]> messages) throws InvalidKeyException {
        NativeLibrary.require();
        byte[][] everyMessage = messages.toArray(new byte[0][]);
        ByteBuffer signatures = ByteBuffer.allocateDirect(Math.multiplyExact(64, everyMessage.length));
        int[] ends = Columns.ends(everyMessage);
        sign(key, Columns.joined(everyMessage, ends), ends, DEFAULT_IDENTITY, signatures);
        byte[][] results = new byte[everyMessage.length][];
        byte[] raw = new byte[64];
        for (int row = 0; row < results.length; row++) {
            signatures.get(raw);
            results[row] = Sm2Rows.der(raw);
        }
        return Arrays.asList(results);
    }

    /**
     * Signs messages.
     *
     * @param key the key of all
     * @param messages direct, one message behind the other
     * @param ends where each message ends
     * @param identity of the signer
     * @param signatures direct: 64 bytes for each row are written
     * @throws InvalidKeyException if the key is none of SM2, or was destroyed
     */
    public static void sign(PrivateKey key, ByteBuffer messages, int[] ends, byte[] identity, ByteBuffer signatures)
            throws InvalidKeyException {
        NativeLibrary.require();
        Columns.direct(messages, signatures);
        Columns.writable(signatures);
        Sm2PrivateKey privateKey = Sm2PrivateKey.of(key);
        byte[] number = privateKey.number();
        try {
            Native.sm2SignBatch(number, messages, ends, identity, signatures, ends.length);
        } finally {
            privateKey.release(number);
        }
    }

    /**
     * Computes shared secrets of plain Diffie-Hellman: the x-coordinate of the product of a private key and the other party's public
     * key, as TLS 1.3 does with the group curveSM2 (RFC 8998). Use a fresh private key for each exchange, and derive keys from the
     * secret with a key derivation function that also takes both public keys. The key exchange of the standard, which authenticates
     * both parties, is {@code KeyAgreement.SM2}.
     *
     * @param keys one party's private key for each row
     * @param peers the other party's public key for each row
     * @return a secret of 32 bytes for each row, for the caller to wipe
     * @throws InvalidKeyException if a key is none of SM2, or was destroyed
     */
    public static List<byte[]> diffieHellman(List<? extends PrivateKey> keys, List<? extends PublicKey> peers)
            throws InvalidKeyException {
        NativeLibrary.require();
        PrivateKey[] everyKey = keys.toArray(new PrivateKey[0]);
        PublicKey[] everyPeer = peers.toArray(new PublicKey[0]);
        int rows = everyKey.length;
        if (everyPeer.length != rows) {
            throw new IllegalArgumentException("as many private keys as public keys are needed");
        }
        byte[] numbers = new byte[Math.multiplyExact(32, rows)];
        byte[] points = new byte[Math.multiplyExact(64, rows)];
        byte[] secrets = null;
        try {
            for (int row = 0; row < rows; row++) {
                Sm2PrivateKey key = Sm2PrivateKey.of(everyKey[row]);
                byte[] number = key.number();
                System.arraycopy(number, 0, numbers, 32 * row, 32);
                key.release(number);
                System.arraycopy(Sm2PublicKey.of(everyPeer[row]).point(), 0, points, 64 * row, 64);
            }
            secrets = Native.sm2DiffieHellmanBatch(numbers, points);
            byte[][] results = new byte[rows][];
            for (int row = 0; row < rows; row++) {
                results[row] = Arrays.copyOfRange(secrets, 32 * row, 32 * row + 32);
            }
            return Arrays.asList(results);
        } finally {
            Wipe.wipe(numbers);
            Wipe.wipe(secrets);
        }
    }
}
