package io.github.kuaimi.internal;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;

/**
 * {@code KeyPairGenerator.SM2}, and {@code KeyPairGenerator.EC}, which serves SM2's curve alone, when it is asked for by name: for
 * any other, Java asks the next provider. Randomness is the operating system's; a {@code SecureRandom} is not used.
 */
class Sm2KeyPairGenerator extends KeyPairGeneratorSpi {
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

    /** 256 bits, or no parameters, mean another curve to programs that know nothing of SM2. */
    static final class Ec extends Sm2KeyPairGenerator {
        private boolean named;

        @Override
        public void initialize(int bits, SecureRandom random) {
            throw new InvalidParameterException("name the curve: new ECGenParameterSpec(\"sm2p256v1\")");
        }

        @Override
        public void initialize(AlgorithmParameterSpec params, SecureRandom random)
                throws InvalidAlgorithmParameterException {
            super.initialize(params, random);
            named = true;
        }

        @Override
        public KeyPair generateKeyPair() {
            if (!named) {
                throw new ProviderException("name the curve first: initialize(new ECGenParameterSpec(\"sm2p256v1\"))");
            }
            return super.generateKeyPair();
        }
    }
}
