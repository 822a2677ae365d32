package io.github.kuaimi;

import static io.github.kuaimi.Testing.bytes;
import static io.github.kuaimi.Testing.keyPair;
import static io.github.kuaimi.Testing.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Batches of callers that are wrong, or that change what they gave. */
class Sm2BatchHostileTest {
    private static final int ROWS = 3;

    private final int[] ends = {3, 6, 9};
    private final byte[] identity = utf8("alice");
    private final ByteBuffer messages = ByteBuffer.allocateDirect(9).put(utf8("onetwosix"));
    private final ByteBuffer signatures = ByteBuffer.allocateDirect(64 * ROWS);
    private final ByteBuffer keys = ByteBuffer.allocateDirect(64 * ROWS);
    private final ByteBuffer verdicts = ByteBuffer.allocateDirect(ROWS);
    private KeyPair pair;

    @BeforeEach
    void sign() throws Exception {
        pair = keyPair();
        byte[] spki = pair.getPublic().getEncoded();
        for (int row = 0; row < ROWS; row++) {
            keys.put(spki, spki.length - 64, 64);
        }
        Sm2Batch.sign(pair.getPrivate(), messages, ends, identity, signatures);
    }

    private static byte[] contents(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(bytes);
        return bytes;
    }

    private void leavesNoVerdict(Class<? extends Exception> expected, Executable call) throws Throwable {
        Sm2Batch.verify(keys, messages, ends, identity, signatures, verdicts);
        assertArrayEquals(new byte[] {1, 1, 1}, contents(verdicts));
        assertThrows(expected, call);
        assertArrayEquals(new byte[ROWS], contents(verdicts), "verdicts of before");
    }

    @Test
    void whatIsRefusedLeavesNoVerdictOfBefore() throws Throwable {
        Class<IllegalArgumentException> wrong = IllegalArgumentException.class;
        ByteBuffer small = ByteBuffer.allocateDirect(64 * ROWS - 1);
        ByteBuffer heap = ByteBuffer.allocate(64 * ROWS);
        for (ByteBuffer bad : new ByteBuffer[] {small, heap}) {
            leavesNoVerdict(wrong, () -> Sm2Batch.verify(bad, messages, ends, identity, signatures, verdicts));
            leavesNoVerdict(wrong, () -> Sm2Batch.verify(keys, messages, ends, identity, bad, verdicts));
            leavesNoVerdict(wrong, () -> Sm2Batch.verifyDigests(bad, signatures, signatures, verdicts, ROWS));
        }
        leavesNoVerdict(wrong, () -> Sm2Batch.verify(keys, heap, ends, identity, signatures, verdicts));
        leavesNoVerdict(wrong, () -> Sm2Batch.verifyDigests(keys, messages, signatures, verdicts, ROWS));
        for (int[] bad : new int[][] {{3, 2, 9}, {-1, 3, 9}, {3, 6, 10}, {3, 6, Integer.MAX_VALUE}}) {
            leavesNoVerdict(wrong, () -> Sm2Batch.verify(keys, messages, bad, identity, signatures, verdicts));
        }
        leavesNoVerdict(wrong, () -> Sm2Batch.verify(keys, messages, ends, new byte[8192], signatures, verdicts));
        Class<NullPointerException> none = NullPointerException.class;
        leavesNoVerdict(none, () -> Sm2Batch.verify(null, messages, ends, identity, signatures, verdicts));
        leavesNoVerdict(none, () -> Sm2Batch.verify(keys, null, ends, identity, signatures, verdicts));
        leavesNoVerdict(none, () -> Sm2Batch.verify(keys, messages, ends, identity, null, verdicts));
        // A limit does not count, and more rows than there is room for are refused as a whole.
        verdicts.limit(1);
        leavesNoVerdict(wrong, () -> Sm2Batch.verifyDigests(keys, signatures, signatures, verdicts, ROWS + 1));
    }

    /** Thousands of rows are computed in chunks: where a result is written over what a later chunk reads, that would be other data. */
    @Test
    void resultsAreNotWrittenOverWhatIsRead() throws Exception {
        int rows = 20_000;
        ByteBuffer memory = ByteBuffer.allocateDirect(64 * rows + 64);
        memory.put(bytes(32 * rows, 1));
        int[] all = new int[rows];
        Arrays.setAll(all, row -> 32 * (row + 1));
        byte[] before = contents(memory);
        ByteBuffer shifted = memory.duplicate().position(16).slice();
        assertThrows(
                IllegalArgumentException.class, () -> Sm2Batch.sign(pair.getPrivate(), memory, all, identity, memory));
        assertThrows(
                IllegalArgumentException.class, () -> Sm2Batch.sign(pair.getPrivate(), memory, all, identity, shifted));
        assertArrayEquals(before, contents(memory), "and nothing is written");
        // One behind the other in one piece of memory is no overlap.
        ByteBuffer one = ByteBuffer.allocateDirect(9 + 64 * ROWS).put(utf8("onetwosix"));
        ByteBuffer behind = one.duplicate().position(9).slice();
        Sm2Batch.sign(pair.getPrivate(), one, ends, identity, behind);
        Sm2Batch.verify(keys, one, ends, identity, behind, verdicts);
        assertArrayEquals(new byte[] {1, 1, 1}, contents(verdicts));
        for (ByteBuffer input : List.of(keys, messages, signatures)) {
            ByteBuffer inside = input.duplicate().position(input.capacity() - ROWS).limit(input.capacity()).slice();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Sm2Batch.verify(keys, messages, ends, identity, signatures, inside));
        }
    }

    /** Gives something else each time it is looked at, as a list does that another thread changes. */
    private static List<byte[]> changing(byte[][] first, byte[] then) {
        return new AbstractList<>() {
            private final int[] looks = new int[first.length];

            @Override
            public byte[] get(int row) {
                return looks[row]++ == 0 ? first[row] : then;
            }

            @Override
            public int size() {
                return first.length;
            }
        };
    }

    @Test
    void listsAreReadOnce() throws Exception {
        byte[][] signed = {utf8("one"), utf8("three"), utf8("five")};
        List<byte[]> made = Sm2Batch.sign(pair.getPrivate(), changing(signed, utf8("seven")));
        boolean[] right = Sm2Batch.verify(
                List.of(pair.getPublic(), pair.getPublic(), pair.getPublic()),
                changing(signed, new byte[40]),
                changing(made.toArray(new byte[0][]), new byte[70]));
        assertEquals("[true, true, true]", Arrays.toString(right));
    }

    /** Tables of keys that come back are kept under the key's bytes: no other key's, though these bytes change during a call. */
    @Test
    void aKeyThatChangesDuringACallIsNotKeptUnderAnothersName() throws Exception {
        KuaimiProvider.forgetKeys();
        byte[] right = contents(keys);
        byte[] other = new byte[right.length];
        byte[] spki = keyPair().getPublic().getEncoded();
        for (int row = 0; row < ROWS; row++) {
            System.arraycopy(spki, spki.length - 64, other, 64 * row, 64);
        }
        AtomicBoolean done = new AtomicBoolean();
        Thread changer = new Thread(() -> {
            for (long turn = 0; !done.get(); turn++) {
                keys.duplicate().clear().put(turn % 2 == 0 ? other : right);
                Thread.onSpinWait();
            }
        });
        changer.start();
        for (int call = 0; call < 2000; call++) {
            Sm2Batch.verify(keys, messages, ends, identity, signatures, verdicts);
        }
        done.set(true);
        changer.join();
        keys.duplicate().clear().put(right);
        Sm2Batch.verify(keys, messages, ends, identity, signatures, verdicts);
        assertArrayEquals(new byte[] {1, 1, 1}, contents(verdicts));
        keys.duplicate().clear().put(other);
        Sm2Batch.verify(keys, messages, ends, identity, signatures, verdicts);
        assertArrayEquals(new byte[ROWS], contents(verdicts));
    }
}
