package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static io.github.kuaimi.Testing.hex;
import static io.github.kuaimi.Testing.joined;
import static io.github.kuaimi.Testing.keyPair;
import static io.github.kuaimi.Testing.privateKey;
import static io.github.kuaimi.Testing.utf8;
import static io.github.kuaimi.Testing.vectors;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.engines.SM2Engine;
import org.bouncycastle.jcajce.provider.asymmetric.util.ECUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class Sm2CipherTest {
    private static Cipher ours() throws Exception {
        return Cipher.getInstance("SM2", KUAIMI);
    }

    @Test
    void theStandardsExampleInAllForms() throws Exception {
        JsonObject example = vectors("sm2").getAsJsonObject("encryption");
        PrivateKey key = privateKey(hex(example, "d"));
        byte[] message = utf8(example.get("message_ascii").getAsString());
        byte[] c1 = hex(example, "c1");
        byte[] c2 = hex(example, "c2");
        byte[] c3 = hex(example, "c3");
        byte[][] forms = {joined(c1, c3, c2), joined(c1, c2, c3), hex(example, "der_gmt0009")};
        for (Sm2CiphertextForm form : Sm2CiphertextForm.values()) {
            Cipher any = ours();
            any.init(Cipher.DECRYPT_MODE, key);
            assertArrayEquals(message, any.doFinal(forms[form.ordinal()]));
            for (byte[] ciphertext : forms) {
                Cipher strict = ours();
                strict.init(Cipher.DECRYPT_MODE, key, new Sm2CipherParameterSpec(form));
                if (ciphertext == forms[form.ordinal()]) {
                    assertArrayEquals(message, strict.doFinal(ciphertext));
                } else {
                    assertThrows(BadPaddingException.class, () -> strict.doFinal(ciphertext));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void peersInBothDirections(Peers peer) throws Exception {
        // Bouncy Castle writes C1C2C3 and Kona DER, unless told otherwise.
        Sm2CiphertextForm form = peer == Peers.KONA ? Sm2CiphertextForm.DER : Sm2CiphertextForm.C1C2C3;
        KeyPair pair = keyPair();
        Cipher theirs = Cipher.getInstance("SM2", peer.provider);
        for (int length : new int[] {1, 31, 32, 33, 1000}) {
            byte[] message = bytes(length, length);
            theirs.init(Cipher.ENCRYPT_MODE, peer.translated(pair.getPublic()));
            byte[] ciphertext = theirs.doFinal(message);
            Cipher ours = ours();
            ours.init(Cipher.DECRYPT_MODE, pair.getPrivate());
            assertArrayEquals(message, ours.doFinal(ciphertext));
            ours.init(Cipher.DECRYPT_MODE, pair.getPrivate(), new Sm2CipherParameterSpec(form));
            assertArrayEquals(message, ours.doFinal(ciphertext));
            ours.init(Cipher.ENCRYPT_MODE, pair.getPublic(), new Sm2CipherParameterSpec(form));
            theirs.init(Cipher.DECRYPT_MODE, peer.translated(pair.getPrivate()));
            assertArrayEquals(message, theirs.doFinal(ours.doFinal(message)));
        }
    }

    @Test
    void formsByTheNameOfTheTransformation() throws Exception {
        KeyPair pair = keyPair();
        for (SM2Engine.Mode form : SM2Engine.Mode.values()) {
            Cipher ours = Cipher.getInstance("SM2/" + form + "/NoPadding", KUAIMI);
            ours.init(Cipher.ENCRYPT_MODE, pair.getPublic());
            byte[] ciphertext = ours.doFinal(new byte[5]);
            SM2Engine theirs = new SM2Engine(form);
            theirs.init(false, ECUtil.generatePrivateKeyParameter(Peers.BOUNCY_CASTLE.translated(pair.getPrivate())));
            assertArrayEquals(new byte[5], theirs.processBlock(ciphertext, 0, ciphertext.length));
            ours.init(Cipher.DECRYPT_MODE, pair.getPrivate());
            assertArrayEquals(new byte[5], ours.doFinal(ciphertext));
        }
        assertThrows(NoSuchAlgorithmException.class, () -> Cipher.getInstance("SM2/CBC/NoPadding", KUAIMI));
    }

    @Test
    void theRulesOfCiphers() throws Exception {
        KeyPair pair = keyPair();
        Cipher encryptor = ours();
        encryptor.init(Cipher.ENCRYPT_MODE, pair.getPublic());
        assertThrows(IllegalBlockSizeException.class, encryptor::doFinal);
        encryptor.update(utf8("a se"));
        assertThrows(ShortBufferException.class, () -> encryptor.doFinal(utf8("cret"), 0, 4, new byte[20], 0));
        byte[] output = new byte[encryptor.getOutputSize(4)];
        int length = encryptor.doFinal(utf8("cret"), 0, 4, output, 0);
        assertEquals(65 + 32 + 8, length);
        Cipher decryptor = ours();
        decryptor.init(Cipher.DECRYPT_MODE, pair.getPrivate());
        decryptor.update(output, 0, 50);
        assertThrows(ShortBufferException.class, () -> decryptor.doFinal(output, 50, length - 50, new byte[7], 0));
        byte[] message = new byte[8];
        assertEquals(8, decryptor.doFinal(output, 50, length - 50, message, 0));
        assertArrayEquals(utf8("a secret"), message);
        ByteBuffer opened = ByteBuffer.allocateDirect(decryptor.getOutputSize(length));
        decryptor.doFinal(ByteBuffer.wrap(output, 0, length), opened);
        assertEquals(8, opened.position());
        for (int bit = 0; bit < 8 * length; bit += 5) {
            byte[] altered = output.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(BadPaddingException.class, () -> decryptor.doFinal(altered, 0, length));
        }
        for (int shorter = 0; shorter < length; shorter += 7) {
            int count = shorter;
            assertThrows(BadPaddingException.class, () -> decryptor.doFinal(output, 0, count));
        }
        assertThrows(InvalidKeyException.class, () -> ours().init(Cipher.ENCRYPT_MODE, pair.getPrivate()));
        assertThrows(InvalidKeyException.class, () -> ours().init(Cipher.DECRYPT_MODE, pair.getPublic()));
        assertThrows(
                InvalidAlgorithmParameterException.class,
                () -> ours().init(Cipher.ENCRYPT_MODE, pair.getPublic(), new IvParameterSpec(new byte[16])));
    }

    @Test
    void wrapping() throws Exception {
        KeyPair pair = keyPair();
        Cipher wrapper = ours();
        wrapper.init(Cipher.WRAP_MODE, pair.getPublic());
        Cipher unwrapper = ours();
        unwrapper.init(Cipher.UNWRAP_MODE, pair.getPrivate());
        SecretKey key = new SecretKeySpec(bytes(16, 1), "SM4");
        byte[] wrapped = wrapper.wrap(key);
        assertArrayEquals(key.getEncoded(), unwrapper.unwrap(wrapped, "SM4", Cipher.SECRET_KEY).getEncoded());
        wrapped[80] ^= 1;
        assertThrows(InvalidKeyException.class, () -> unwrapper.unwrap(wrapped, "SM4", Cipher.SECRET_KEY));
    }

    @Test
    void theStandardsKeyExchange() throws Exception {
        JsonObject example = vectors("sm2").getAsJsonObject("key_exchange");
        byte[] id = utf8(example.get("id_a_ascii").getAsString());
        for (boolean initiator : new boolean[] {true, false}) {
            String me = initiator ? "a" : "b";
            String other = initiator ? "b" : "a";
            KeyAgreement agreement = KeyAgreement.getInstance("SM2", KUAIMI);
            Sm2KeyAgreementParameterSpec sides = new Sm2KeyAgreementParameterSpec(
                    initiator,
                    privateKey(hex(example, "d_" + me)),
                    id,
                    Sm2Keys.readPublic(hex(example, "p_" + other)),
                    id,
                    16);
            agreement.init(privateKey(hex(example, "r_" + me)), sides);
            agreement.doPhase(Sm2Keys.readPublic(hex(example, "point_r_" + other)), true);
            assertThrows(ShortBufferException.class, () -> agreement.generateSecret(new byte[15], 0));
            assertArrayEquals(hex(example, "k_ab"), agreement.generateSecret());
            assertThrows(IllegalStateException.class, agreement::generateSecret);
        }
        KeyAgreement agreement = KeyAgreement.getInstance("SM2", KUAIMI);
        assertThrows(InvalidKeyException.class, () -> agreement.init(keyPair().getPrivate()));
        assertThrows(
                InvalidAlgorithmParameterException.class,
                () -> agreement.init(keyPair().getPrivate(), new IvParameterSpec(new byte[16])));
    }

    @Test
    void theKeyExchangeWithKona() throws Exception {
        KeyPair alice = keyPair();
        KeyPair bob = keyPair();
        KeyPair once = keyPair();
        KeyPair bobOnce = keyPair();
        Peers kona = Peers.KONA;
        for (boolean initiator : new boolean[] {true, false}) {
            KeyAgreement ours = KeyAgreement.getInstance("SM2", KUAIMI);
            ours.init(once.getPrivate(), new Sm2KeyAgreementParameterSpec(
                    initiator, alice.getPrivate(), utf8("alice"), bob.getPublic(), utf8("bob"), 40));
            ours.doPhase(bobOnce.getPublic(), true);
            KeyAgreement theirs = KeyAgreement.getInstance("SM2", kona.provider);
            theirs.init(kona.translated(bobOnce.getPrivate()), new com.tencent.kona.crypto.spec.SM2KeyAgreementParamSpec(
                    utf8("bob"),
                    (java.security.interfaces.ECPrivateKey) kona.translated(bob.getPrivate()),
                    (java.security.interfaces.ECPublicKey) kona.translated(bob.getPublic()),
                    utf8("alice"),
                    (java.security.interfaces.ECPublicKey) kona.translated(alice.getPublic()),
                    !initiator,
                    40));
            theirs.doPhase(kona.translated(once.getPublic()), true);
            assertArrayEquals(theirs.generateSecret(), ours.generateSecret("SM4").getEncoded());
        }
    }
}
