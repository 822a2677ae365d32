package io.github.kuaimi;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.keyPair;
import static io.github.kuaimi.Testing.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.SignatureException;
import org.junit.jupiter.api.Test;

class Sm2ExplainTest {
    private static final byte[] ALICE = utf8("alice");

    private final KeyPair pair;

    Sm2ExplainTest() throws Exception {
        pair = keyPair();
    }

    private byte[] signed(String algorithm, String identity, String message) throws Exception {
        Signature signature = Signature.getInstance(algorithm, KUAIMI);
        signature.setParameter(new Sm2SignatureParameterSpec(identity));
        signature.initSign(pair.getPrivate());
        signature.update(utf8(message));
        return signature.sign();
    }

    private String why(byte[] signature) throws Exception {
        return Sm2.explain(pair.getPublic(), ALICE, utf8("a message"), signature);
    }

    @Test
    void whatPeopleGetWrong() throws Exception {
        assertEquals("it fits under the empty identity", why(signed("SM2", "", "a message")));
        String usual = why(signed("SM2", Sm2SignatureParameterSpec.DEFAULT_IDENTITY, "a message"));
        assertTrue(usual.contains("1234567812345678"), usual);
        assertEquals("it fits the message with a line feed at its end", why(signed("SM2", "alice", "a message\n")));
        byte[] raw = signed("SM3withSM2inP1363Format", "alice", "a message");
        byte[] swapped = new byte[64];
        System.arraycopy(raw, 0, swapped, 32, 32);
        System.arraycopy(raw, 32, swapped, 0, 32);
        assertEquals("it fits with r and s swapped", why(swapped));
        assertEquals(
                "it fits under the empty identity",
                Sm2.explain(
                        Peers.BOUNCY_CASTLE.translated(pair.getPublic()), ALICE, utf8("a message"), signed("SM2", "", "a message")),
                "a key of another provider");
    }

    @Test
    void nothingIsFound() throws Exception {
        assertNull(why(signed("SM2", "alice", "another message")));
        assertNull(why(signed("SM2", "alice", "a message")), "it fits as it is");
    }

    @Test
    void whatCannotBeLookedAt() throws Exception {
        byte[] signature = signed("SM2", "", "a message");
        for (byte[] none : new byte[][] {{}, new byte[63], new byte[64], {0x30, 0}, utf8("a signature")}) {
            assertThrows(SignatureException.class, () -> why(none));
        }
        KeyPair other = KeyPairGenerator.getInstance("EC").generateKeyPair();
        assertThrows(InvalidKeyException.class, () -> Sm2.explain(other.getPublic(), ALICE, ALICE, signature));
        assertThrows(
                IllegalArgumentException.class,
                () -> Sm2.explain(pair.getPublic(), new byte[8192], ALICE, signature));
    }
}
