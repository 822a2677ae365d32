package io.github.kuaimi.sm9;

import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.joined;
import static io.github.kuaimi.Testing.utf8;
import static io.github.kuaimi.Testing.vectors;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.BadPaddingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class Sm9Test {
    @Test
    void theStandardsSignature() throws Exception {
        JsonObject example = vectors("sm9").getAsJsonObject("signature");
        Sm9MasterSigningKey master = Sm9MasterSigningKey.of(hex(example, "ks"));
        assertArrayEquals(hex(example, "p_pub_s"), master.publicKey().getEncoded());
        Sm9SigningKey alice = master.extract(example.get("id_ascii").getAsString());
        assertArrayEquals(hex(example, "ds"), alice.getEncoded());
        byte[] message = utf8(example.get("message_ascii").getAsString());
        // GB/T 41389: a sequence of h and the point as a bit string.
        byte[] signature = joined(
                hex("3066"), hex("0420"), hex(example, "h"), hex("03420004"), hex(example, "s"));
        assertTrue(master.publicKey().verify("Alice", message, signature));
        assertFalse(master.publicKey().verify("Bob", message, signature));
        assertFalse(master.publicKey().verify("Alice", utf8("another"), signature));
        assertTrue(master.publicKey().verify("Alice", message, alice.sign(message)));
        for (int length = 0; length < signature.length; length++) {
            assertFalse(master.publicKey().verify("Alice", message, Arrays.copyOf(signature, length)));
        }
    }

    @Test
    void theStandardsEncryption() throws Exception {
        JsonObject example = vectors("sm9").getAsJsonObject("key_encapsulation");
        Sm9MasterEncryptionKey master = Sm9MasterEncryptionKey.of(hex(example, "ke"));
        assertArrayEquals(hex(example, "p_pub_e"), master.publicKey().getEncoded());
        Sm9DecryptionKey bob = master.extract(example.get("id_ascii").getAsString());
        assertArrayEquals(hex(example, "de"), bob.getEncoded());
        assertArrayEquals(hex(example, "k"), bob.decapsulate(hex(example, "c"), 32));
        Sm9Encapsulation made = master.publicKey().encapsulate("Bob", 48);
        assertArrayEquals(made.key(), bob.decapsulate(made.point(), 48));
        assertThrows(BadPaddingException.class, () -> bob.decapsulate(new byte[64], 32));
        byte[] ciphertext = master.publicKey().encrypt("Bob", utf8("a secret"));
        assertArrayEquals(utf8("a secret"), bob.decrypt(ciphertext));
        for (int bit = 0; bit < 8 * ciphertext.length; bit += 37) {
            byte[] altered = ciphertext.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(BadPaddingException.class, () -> bob.decrypt(altered));
        }
        assertThrows(BadPaddingException.class, () -> master.extract("Eve").decrypt(ciphertext));
        assertThrows(IllegalArgumentException.class, () -> master.publicKey().encrypt("Bob", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> master.publicKey().encapsulate("Bob", -1));
    }

    @Test
    void keysThatDoNotBelongTogetherAreRefused() throws Exception {
        Sm9MasterSigningKey master = Sm9MasterSigningKey.generate();
        Sm9SigningKey alice = master.extract("alice");
        Sm9MasterSigningPublicKey read = Sm9MasterSigningPublicKey.of(master.publicKey().getEncoded());
        assertEquals(master.publicKey(), read);
        assertEquals(master.publicKey().hashCode(), read.hashCode());
        Sm9SigningKey again = Sm9SigningKey.of(alice.getEncoded(), "alice", read);
        assertTrue(read.verify("alice", new byte[1], again.sign(new byte[1])));
        assertThrows(InvalidKeyException.class, () -> Sm9SigningKey.of(alice.getEncoded(), "bob", read));
        Sm9MasterSigningPublicKey other = Sm9MasterSigningKey.generate().publicKey();
        assertNotEquals(read, other);
        assertThrows(InvalidKeyException.class, () -> Sm9SigningKey.of(alice.getEncoded(), "alice", other));
        assertThrows(InvalidKeyException.class, () -> Sm9MasterSigningPublicKey.of(new byte[128]));
        assertThrows(InvalidKeyException.class, () -> Sm9MasterEncryptionPublicKey.of(new byte[63]));
        assertThrows(InvalidKeyException.class, () -> Sm9MasterSigningKey.of(new byte[32]));
        assertThrows(IllegalArgumentException.class, () -> master.extract(""));
        Sm9MasterEncryptionKey encryption = Sm9MasterEncryptionKey.generate();
        Sm9DecryptionKey bob = encryption.extract("bob");
        assertThrows(
                InvalidKeyException.class,
                () -> Sm9DecryptionKey.of(bob.getEncoded(), "alice", encryption.publicKey()));
    }

    @Test
    void destroyedKeysServeNoMore() throws Exception {
        Sm9MasterSigningKey master = Sm9MasterSigningKey.generate();
        Sm9SigningKey alice = master.extract("alice");
        alice.destroy();
        assertTrue(alice.isDestroyed());
        assertThrows(InvalidKeyException.class, () -> alice.sign(new byte[1]));
        assertThrows(IllegalStateException.class, alice::getEncoded);
        master.destroy();
        assertThrows(InvalidKeyException.class, () -> master.extract("bob"));
        Sm9MasterEncryptionKey encryption = Sm9MasterEncryptionKey.generate();
        Sm9DecryptionKey bob = encryption.extract("bob");
        byte[] ciphertext = encryption.publicKey().encrypt("bob", new byte[1]);
        bob.destroy();
        assertThrows(InvalidKeyException.class, () -> bob.decrypt(ciphertext));
    }

    /** Swaps two arrays' bytes into a third one, over and over, while something is done. */
    private static void whileItChanges(byte[] array, byte[] one, byte[] other, Executable work) throws Throwable {
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Thread changer = new Thread(() -> {
            for (long turn = 0; !done.get(); turn++) {
                System.arraycopy(turn % 2 == 0 ? one : other, 0, array, 0, array.length);
                begun.countDown();
                Thread.onSpinWait();
            }
        });
        changer.start();
        begun.await();
        try {
            work.execute();
        } finally {
            done.set(true);
            changer.join();
        }
    }

    /** What is kept is what was checked, though another thread changes the caller's array meanwhile. */
    @Test
    void arraysOfTheCallersAreReadOnce() throws Throwable {
        Sm9MasterSigningKey signing = Sm9MasterSigningKey.generate();
        Sm9MasterEncryptionKey encryption = Sm9MasterEncryptionKey.generate();
        byte[] name = utf8("alice");
        whileItChanges(name, utf8("alice"), utf8("bobby"), () -> {
            for (int round = 0; round < 300; round++) {
                signing.extract(name).sign(name);
                Sm9DecryptionKey key = encryption.extract(name);
                assertThrows(BadPaddingException.class, () -> key.decrypt(new byte[3]));
            }
        });
        byte[] alice = signing.extract("alice").getEncoded();
        byte[] array = alice.clone();
        byte[] bob = signing.extract("bobby").getEncoded();
        whileItChanges(array, alice, bob, () -> {
            for (int round = 0; round < 300; round++) {
                Sm9SigningKey key;
                try {
                    key = Sm9SigningKey.of(array, "alice", signing.publicKey());
                } catch (InvalidKeyException ofAnother) {
                    continue;
                }
                key.sign(name);
                assertArrayEquals(alice, key.getEncoded());
            }
        });
    }
}
