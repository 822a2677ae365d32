package io.github.kuaimi.internal;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;

/** {@code Signature.SM3withSM2} (GB/T 32918.2-2016): signatures in DER, or of r and s alone. */
final class Sm2Signature extends SignatureSpi {
    private final boolean raw;
    private byte[] identity = Identities.DEFAULT;
    private Sm2PrivateKey privateKey;
    private Sm2PublicKey publicKey;
    private final Sm3State hash = new Sm3State();
    /** Whether Z was taken in: it is when the message begins. */
    private boolean begun;

    Sm2Signature(boolean raw) {
        this.raw = raw;
    }

    @Override
    protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
        publicKey = Sm2PublicKey.of(key);
        privateKey = null;
        restart();
    }

    @Override
    protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
        Sm2PrivateKey sm2 = Sm2PrivateKey.of(key);
        if (sm2.isDestroyed()) {
            throw new InvalidKeyException("the key was destroyed");
        }
        privateKey = sm2;
        publicKey = sm2.publicKey();
        restart();
    }

    private void restart() {
        hash.reset();
        begun = false;
    }

    private Sm3State message() {
        if (!begun) {
            begun = true;
            hash.update(publicKey.identityDigest(identity), 0, Sm3State.DIGEST);
        }
        return hash;
    }

    @Override
    protected void engineUpdate(byte input) {
        message().update(input);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
        message().update(input, offset, length);
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
        message().update(input);
    }

    @Override
    protected byte[] engineSign() throws SignatureException {
        byte[] digest = message().digest();
        begun = false;
        byte[] number = null;
        try {
            number = privateKey.number();
            return Native.sm2Sign(number, digest, raw);
        } catch (InvalidKeyException reason) {
            throw new SignatureException(reason.getMessage(), reason);
        } finally {
            privateKey.release(number);
        }
    }

    @Override
    protected boolean engineVerify(byte[] signature) throws SignatureException {
        return engineVerify(signature, 0, signature.length);
    }

    @Override
    protected boolean engineVerify(byte[] signature, int offset, int length) throws SignatureException {
        byte[] digest = message().digest();
        begun = false;
        try {
            return Native.sm2Verify(publicKey.point(), digest, signature, offset, length, raw);
        } catch (InvalidKeyException reason) {
            throw new SignatureException(reason.getMessage(), reason);
        }
    }

    /** Null leaves the identity as it is. */
    @Override
    protected void engineSetParameter(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
        if (params == null) {
            return;
        }
        if (begun) {
            throw new InvalidAlgorithmParameterException("the identity comes before the message");
        }
        identity = Identities.of(params);
    }

    /** The identity is no part of an algorithm's identifier. */
    @Override
    protected AlgorithmParameters engineGetParameters() {
        return null;
    }

    @Override
    @Deprecated
    protected void engineSetParameter(String name, Object value) {
        throw new UnsupportedOperationException("the identity is given by an Sm2SignatureParameterSpec");
    }

    @Override
    @Deprecated
    protected Object engineGetParameter(String name) {
        throw new UnsupportedOperationException("there are no parameters by names");
    }
}
