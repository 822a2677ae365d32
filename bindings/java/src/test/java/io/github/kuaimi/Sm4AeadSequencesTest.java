package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.InvalidAlgorithmParameterException;
import java.security.Key;
import java.security.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No call sequence encrypts twice under one nonce: random sequences throw where those of Java's own AES in GCM throw. */
class Sm4AeadSequencesTest {
    private static final int KEYS = 2;
    private static final int NONCES = 3;
    private static final int[] MODES = {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE, Cipher.WRAP_MODE, Cipher.UNWRAP_MODE};

    private static byte[] nonce(int number) {
        return bytes(12, 100 + number);
    }

    private static GCMParameterSpec spec(int nonce) {
        return new GCMParameterSpec(128, nonce(nonce));
    }

    /** One of the two ciphers, with what it needs to be called as the other one. */
    private static final class Side {
        final String algorithm;
        final Cipher cipher;
        final byte[][] sealed = new byte[KEYS * NONCES][];
        /** The nonce that the cipher drew last. */
        byte[] drawn = nonce(0);

        Side(Cipher cipher) throws Exception {
            this.cipher = cipher;
            algorithm = cipher.getAlgorithm().substring(0, 3).replace("/", "");
            for (int i = 0; i < sealed.length; i++) {
                Cipher sealer = Cipher.getInstance(cipher.getAlgorithm(), cipher.getProvider());
                sealer.init(Cipher.ENCRYPT_MODE, key(i / NONCES), spec(i % NONCES));
                sealed[i] = sealer.doFinal(bytes(20, 1));
            }
        }

        /** The same bytes in a new object each time. */
        Key key(int number) {
            return new SecretKeySpec(bytes(16, number), algorithm);
        }
    }

    /** What a random call does to a side. */
    private interface Call {
        void on(Side side) throws Exception;
    }

    /** Whether the last {@code init} succeeded, and nothing came since: only then is a short output compared, after which Java's own forgets. */
    private boolean fresh;

    private Call call(Random random) {
        int key = random.nextInt(KEYS);
        int nonce = random.nextInt(NONCES);
        int operation = MODES[random.nextInt(MODES.length)];
        int length = random.nextInt(40);
        int which = random.nextInt(20);
        boolean begins = which < 9;
        boolean wasFresh = fresh;
        fresh = begins;
        switch (which) {
            case 0: case 1: case 2: case 3: case 4: case 5:
                return side -> init(side, operation, side.key(key), spec(nonce));
            case 6:
                return side -> init(side, operation, side.key(key), new GCMParameterSpec(100, nonce(nonce)));
            case 7:
                // To encrypt, this makes Java's own forget; see the other test.
                return side -> init(side, Cipher.DECRYPT_MODE, new SecretKeySpec(new byte[15], side.algorithm), spec(nonce));
            case 8:
                return side -> init(side, operation, null, spec(nonce));
            case 9:
                return side -> {
                    side.cipher.init(Cipher.ENCRYPT_MODE, side.key(key));
                    side.drawn = side.cipher.getIV();
                };
            case 10:
                return side -> init(side, Cipher.ENCRYPT_MODE, side.key(key), new GCMParameterSpec(128, side.drawn));
            case 11: case 12:
                return side -> side.cipher.updateAAD(new byte[length]);
            case 13: case 14:
                return side -> side.cipher.update(new byte[length]);
            case 15: case 16:
                return side -> side.cipher.doFinal(new byte[16 + length]);
            case 17:
                return side -> side.cipher.doFinal(side.sealed[key * NONCES + nonce]);
            case 18:
                return operation == Cipher.WRAP_MODE
                        ? side -> side.cipher.wrap(side.key(key))
                        : side -> side.cipher.unwrap(side.sealed[key * NONCES + nonce], "AES", Cipher.SECRET_KEY);
            default:
                return wasFresh
                        ? side -> side.cipher.doFinal(new byte[30], 0, 30, new byte[10], 0)
                        : side -> side.cipher.doFinal();
        }
    }

    private static void init(Side side, int operation, Key key, GCMParameterSpec spec) throws Exception {
        side.cipher.init(operation, key, spec);
    }

    /** What is thrown. Java's own gives out of an encryption what it has, so that lengths differ. */
    private static Object outcome(Call call, Side side) {
        try {
            call.on(side);
            return "done";
        } catch (Exception thrown) {
            // With less than a tag, this is what Java's own throws.
            return thrown instanceof ProviderException ? AEADBadTagException.class : thrown.getClass();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GCM", "CCM"})
    void callsThrowWhereJavasOwnThrow(String mode) throws Exception {
        int refused = 0;
        for (int round = 0; round < 3000; round++) {
            Random random = new Random(round);
            Side javas = new Side(Cipher.getInstance("AES/GCM/NoPadding", "SunJCE"));
            Side ours = new Side(Cipher.getInstance("SM4/" + mode + "/NoPadding", KUAIMI));
            fresh = false;
            List<Object> before = new ArrayList<>();
            for (int step = 0; step < 40; step++) {
                Call call = call(random);
                Object expected = outcome(call, javas);
                Object found = outcome(call, ours);
                assertEquals(expected, found, () -> "after " + before);
                before.add(expected);
                refused += expected == InvalidAlgorithmParameterException.class ? 1 : 0;
            }
        }
        assertTrue(refused > 3000, refused + " refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GCM", "CCM"})
    void aNonceServesOnceWhateverComesBetween(String mode) throws Exception {
        Cipher cipher = Cipher.getInstance("SM4/" + mode + "/NoPadding", KUAIMI);
        Side side = new Side(cipher);
        List<Call> between = List.of(
                any -> init(any, Cipher.DECRYPT_MODE, any.key(0), spec(0)),
                any -> init(any, Cipher.UNWRAP_MODE, any.key(1), spec(1)),
                any -> init(any, Cipher.ENCRYPT_MODE, any.key(0), new GCMParameterSpec(1, nonce(1))),
                any -> init(any, Cipher.ENCRYPT_MODE, null, spec(1)),
                any -> init(any, Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[15], "SM4"), spec(1)),
                any -> any.cipher.doFinal(new byte[40]),
                any -> any.cipher.doFinal(any.sealed[0]),
                any -> any.cipher.updateAAD(new byte[40]));
        cipher.init(Cipher.ENCRYPT_MODE, side.key(0), spec(0));
        cipher.doFinal(new byte[3]);
        for (Call one : between) {
            for (Call other : between) {
                outcome(one, side);
                outcome(other, side);
                for (int operation : new int[] {Cipher.ENCRYPT_MODE, Cipher.WRAP_MODE}) {
                    assertThrows(
                            InvalidAlgorithmParameterException.class, () -> init(side, operation, side.key(0), spec(0)));
                }
            }
        }
        cipher.init(Cipher.ENCRYPT_MODE, side.key(1), spec(0));
        assertEquals(19, cipher.doFinal(new byte[3]).length, "another key is another");
    }

    /** What is refused as too long neither leaves plaintext in the output nor touches an input that is in the same array. */
    @Test
    void aMessageThatIsTooLongChangesNothing() throws Exception {
        Cipher ccm = Cipher.getInstance("SM4/CCM/NoPadding", KUAIMI);
        ccm.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(16, 1), "SM4"), new GCMParameterSpec(128, bytes(13, 1)));
        byte[] array = bytes((1 << 16) + 60, 5);
        assertThrows(IllegalBlockSizeException.class, () -> ccm.doFinal(array, 3, 1 << 16, array, 20));
        assertEquals(-1, java.util.Arrays.mismatch(array, bytes(array.length, 5)));
    }
}
