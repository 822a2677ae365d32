package io.github.kuaimi.internal;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;

/** {@code KeyGenerator.SM4}. */
final class Sm4KeyGenerator extends KeyGeneratorSpi {
    private SecureRandom random;

    @Override
    protected void engineInit(SecureRandom source) {
        random = source;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec params, SecureRandom source)
            throws InvalidAlgorithmParameterException {
        throw new InvalidAlgorithmParameterException("SM4 keys have no parameters");
    }

    @Override
    protected void engineInit(int bits, SecureRandom source) {
        if (bits != 128) {
            throw new InvalidParameterException("an SM4 key has 128 bits, not " + bits);
        }
        random = source;
    }

    @Override
    protected SecretKey engineGenerateKey() {
        return SecretKeys.of(Sm4Spi.random(random, 16), "SM4");
    }
}
