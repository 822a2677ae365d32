package io.github.kuaimi.internal;

import io.github.kuaimi.Sm2KeyAgreementParameterSpec;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;

/** {@code KeyAgreement.SM2} (GB/T 32918.3-2016): the key exchange without the confirmations, which are optional there. */
final class Sm2KeyAgreement extends KeyAgreementSpi {
    private Sm2KeyAgreementParameterSpec sides;
    private Sm2PrivateKey ephemeral;
    private Sm2PublicKey peerEphemeral;

    @Override
    protected void engineInit(Key key, SecureRandom random) throws InvalidKeyException {
        throw new InvalidKeyException("SM2's key exchange needs an Sm2KeyAgreementParameterSpec with the keys of both sides");
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (!(params instanceof Sm2KeyAgreementParameterSpec)) {
            throw new InvalidAlgorithmParameterException(
                    "SM2's key exchange needs an Sm2KeyAgreementParameterSpec with the keys of both sides");
        }
        ephemeral = Sm2PrivateKey.of(key);
        sides = (Sm2KeyAgreementParameterSpec) params;
        peerEphemeral = null;
    }

    @Override
    protected Key engineDoPhase(Key key, boolean lastPhase) throws InvalidKeyException {
        if (sides == null || peerEphemeral != null || !lastPhase) {
            throw new IllegalStateException("after init, one phase takes the other side's ephemeral public key");
        }
        peerEphemeral = Sm2PublicKey.of(key);
        return null;
    }

    @Override
    protected byte[] engineGenerateSecret() {
        if (peerEphemeral == null) {
            throw new IllegalStateException("doPhase comes first, with the other side's ephemeral public key");
        }
        Sm2PrivateKey key = null;
        byte[] own = null;
        byte[] once = null;
        try {
            key = Sm2PrivateKey.of(sides.getKey());
            own = key.number();
            once = ephemeral.number();
            byte[] secret = Native.sm2Agree(
                    sides.isInitiator(),
                    own,
                    sides.getId(),
                    Sm2PublicKey.of(sides.getPeerKey()).point(),
                    sides.getPeerId(),
                    once,
                    peerEphemeral.point(),
                    sides.getLength());
            peerEphemeral = null;
            return secret;
        } catch (InvalidKeyException reason) {
            throw new IllegalStateException(reason.getMessage(), reason);
        } finally {
            if (key != null) {
                key.release(own);
            }
            ephemeral.release(once);
        }
    }

    @Override
    protected int engineGenerateSecret(byte[] output, int offset) throws ShortBufferException {
        if (sides != null && output.length - offset < sides.getLength()) {
            throw new ShortBufferException("room for " + sides.getLength() + " bytes is needed");
        }
        byte[] secret = engineGenerateSecret();
        System.arraycopy(secret, 0, output, offset, secret.length);
        Wipe.wipe(secret);
        return secret.length;
    }

    @Override
    protected SecretKey engineGenerateSecret(String algorithm) {
        return SecretKeys.of(engineGenerateSecret(), algorithm);
    }
}
