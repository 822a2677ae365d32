package io.github.kuaimi.internal;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;

/** {@code KeyPairGenerator.SM2}. Randomness is the operating system's; a {@code SecureRandom} is not used. */
final class Sm2KeyPairGenerator extends KeyPairGeneratorSpi {
    @Override
    public void initialize(int bits, SecureRandom random) {
        if (bits != 256) {
            throw new InvalidParameterException("an SM2 key has 256 bits, not " + bits);
        }
    }

    @Override
    public void initialize(AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidAlgorithmParameterException {
        if (!Sm2Curve.is(params)) {
            throw new InvalidAlgorithmParameterException("Kuaimi has SM2's curve alone: sm2p256v1, or curveSM2");
        }
    }

    @Override
    public KeyPair generateKeyPair() {
        return Sm2PrivateKey.generate();
    }
}
