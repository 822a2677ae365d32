package io.github.kuaimi.internal;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;

/**
 * {@code KeyPairGenerator.EC}: SM2's curve, when it is asked for by name, and any other by the next provider. A length, or nothing, means
 * another curve to programs that know nothing of SM2.
 */
final class EcKeyPairGenerator extends KeyPairGeneratorSpi {
    private boolean sm2;
    private KeyPairGenerator other;

    private static KeyPairGenerator next() throws NoSuchAlgorithmException {
        return KeyPairGenerator.getInstance("EC", NextProvider.of("KeyPairGenerator"));
    }

    @Override
    public void initialize(int bits, SecureRandom random) {
        try {
            KeyPairGenerator next = next();
            next.initialize(bits, random);
            other = next;
            sm2 = false;
        } catch (NoSuchAlgorithmException reason) {
            throw new InvalidParameterException(reason.getMessage());
        }
    }

    @Override
    public void initialize(AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidAlgorithmParameterException {
        if (Sm2Curve.is(params)) {
            sm2 = true;
            return;
        }
        try {
            KeyPairGenerator next = next();
            next.initialize(params, random);
            other = next;
            sm2 = false;
        } catch (NoSuchAlgorithmException reason) {
            throw new InvalidAlgorithmParameterException(reason.getMessage(), reason);
        }
    }

    @Override
    public KeyPair generateKeyPair() {
        if (sm2) {
            return Sm2PrivateKey.generate();
        }
        if (other == null) {
            try {
                other = next();
            } catch (NoSuchAlgorithmException reason) {
                throw new ProviderException(reason.getMessage(), reason);
            }
        }
        return other.generateKeyPair();
    }
}
