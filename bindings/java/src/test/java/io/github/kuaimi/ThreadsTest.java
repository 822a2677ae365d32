package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static io.github.kuaimi.Testing.keyPair;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.SignatureException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Keys are shared by threads, each of which has its own Signature and Cipher, as Java's documentation asks. */
class ThreadsTest {
    private static void onThreads(int count, Callable<Void> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<Void>> results = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                results.add(threads.submit(work));
            }
            for (Future<Void> result : results) {
                result.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void sharedKeysWhileTheCollectorRuns() throws Exception {
        KeyPair pair = keyPair();
        onThreads(8, () -> {
            Signature signature = Signature.getInstance("SM2", KUAIMI);
            Cipher sm2 = Cipher.getInstance("SM2", KUAIMI);
            Cipher gcm = Cipher.getInstance("SM4/GCM/NoPadding", KUAIMI);
            Cipher cbc = Cipher.getInstance("SM4/CBC/PKCS5Padding", KUAIMI);
            for (int round = 0; round < 60; round++) {
                byte[] message = bytes(round * 997 % 200_000 + 1, round);
                signature.initSign(pair.getPrivate());
                signature.update(message);
                byte[] signed = signature.sign();
                signature.initVerify(pair.getPublic());
                signature.update(message);
                assertTrue(signature.verify(signed));
                sm2.init(Cipher.ENCRYPT_MODE, pair.getPublic());
                byte[] ciphertext = sm2.doFinal(message, 0, Math.min(100, message.length));
                sm2.init(Cipher.DECRYPT_MODE, pair.getPrivate());
                assertArrayEquals(java.util.Arrays.copyOf(message, Math.min(100, message.length)), sm2.doFinal(ciphertext));
                SecretKeySpec key = new SecretKeySpec(bytes(16, round), "SM4");
                gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, bytes(12, System.nanoTime())));
                byte[] nonce = gcm.getIV();
                byte[] sealed = gcm.doFinal(message);
                gcm.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, nonce));
                assertArrayEquals(message, gcm.doFinal(sealed));
                cbc.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
                byte[] encrypted = cbc.doFinal(message);
                cbc.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(new byte[16]));
                assertArrayEquals(message, cbc.doFinal(encrypted));
                if (round % 20 == 0) {
                    System.gc();
                    KuaimiProvider.forgetKeys();
                }
            }
            return null;
        });
    }

    @Test
    void aKeyThatIsDestroyedInUseGivesNoWrongSignature() throws Exception {
        for (int round = 0; round < 20; round++) {
            KeyPair pair = keyPair();
            onThreads(4, () -> {
                Signature signer = Signature.getInstance("SM2", KUAIMI);
                Signature verifier = Signature.getInstance("SM2", KUAIMI);
                verifier.initVerify(pair.getPublic());
                try {
                    signer.initSign(pair.getPrivate());
                    for (int i = 0; i < 50; i++) {
                        byte[] signed = signer.sign();
                        assertTrue(verifier.verify(signed));
                    }
                    pair.getPrivate().destroy();
                } catch (InvalidKeyException | SignatureException destroyed) {
                    assertTrue(destroyed.getMessage().contains("destroyed"));
                }
                return null;
            });
        }
    }
}
