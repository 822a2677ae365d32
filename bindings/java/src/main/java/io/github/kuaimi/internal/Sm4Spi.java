package io.github.kuaimi.internal;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import javax.crypto.Cipher;

/** What all modes of SM4 have in common. */
abstract class Sm4Spi extends WrappingCipher {
    static final int BLOCK = 16;

    private final Class<? extends AlgorithmParameterSpec> parameters;

    /** The kind of parameters that the mode takes. */
    Sm4Spi(Class<? extends AlgorithmParameterSpec> parameters) {
        this.parameters = parameters;
    }

    static boolean encrypts(int operation) {
        return operation == Cipher.ENCRYPT_MODE || operation == Cipher.WRAP_MODE;
    }

    /** The mode is part of the name under which the class was asked for. */
    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
        if (!mode.equalsIgnoreCase("ECB")) {
            throw new NoSuchAlgorithmException("SM4 has no mode " + mode + " here");
        }
    }

    @Override
    protected int engineGetBlockSize() {
        return BLOCK;
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        Wipe.wipe(SecretKeys.sm4(key));
        return 128;
    }

    @Override
    protected void engineInit(int operation, Key key, SecureRandom random) throws InvalidKeyException {
        try {
            engineInit(operation, key, (AlgorithmParameterSpec) null, random);
        } catch (InvalidAlgorithmParameterException reason) {
            throw new InvalidKeyException(reason.getMessage(), reason);
        }
    }

    @Override
    protected void engineInit(int operation, Key key, AlgorithmParameters params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        try {
            engineInit(operation, key, params == null ? null : params.getParameterSpec(parameters), random);
        } catch (InvalidParameterSpecException reason) {
            throw new InvalidAlgorithmParameterException(reason.getMessage(), reason);
        }
    }

    static byte[] random(SecureRandom random, int length) {
        byte[] bytes = new byte[length];
        (random == null ? new SecureRandom() : random).nextBytes(bytes);
        return bytes;
    }
}
