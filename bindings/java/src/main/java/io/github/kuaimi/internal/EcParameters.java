package io.github.kuaimi.internal;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.NoSuchAlgorithmException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;

/**
 * {@code AlgorithmParameters.EC}: SM2's curve, and any other curve by the next provider that has these parameters. Java reads the
 * keys of certificates by the first provider that has them, and its own does not know SM2's curve.
 */
final class EcParameters extends DerParameters {
    /** The object identifier 1.2.156.10197.1.301. */
    private static final byte[] SM2 = {6, 8, 0x2a, (byte) 0x81, 0x1c, (byte) 0xcf, 0x55, 1, (byte) 0x82, 0x2d};

    /** Null for SM2's curve. */
    private AlgorithmParameters other;

    private static AlgorithmParameters next() throws NoSuchAlgorithmException {
        return AlgorithmParameters.getInstance("EC", NextProvider.of("AlgorithmParameters"));
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        other = null;
        if (Sm2Curve.is(spec)) {
            return;
        }
        try {
            AlgorithmParameters parameters = next();
            parameters.init(spec);
            other = parameters;
        } catch (NoSuchAlgorithmException reason) {
            throw new InvalidParameterSpecException(reason.getMessage());
        }
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        other = null;
        // By its name, or in full.
        boolean sm2 = encoded.length > 0 && encoded[0] == Der.SEQUENCE
                ? Native.sm2IsCurve(encoded)
                : Arrays.equals(encoded, SM2);
        if (sm2) {
            return;
        }
        try {
            AlgorithmParameters parameters = next();
            parameters.init(encoded);
            other = parameters;
        } catch (NoSuchAlgorithmException reason) {
            throw new IOException(reason.getMessage(), reason);
        }
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> kind)
            throws InvalidParameterSpecException {
        if (other != null) {
            return other.getParameterSpec(kind);
        }
        if (kind.isAssignableFrom(ECParameterSpec.class)) {
            return kind.cast(Sm2Curve.PARAMETERS);
        }
        if (kind.isAssignableFrom(ECGenParameterSpec.class)) {
            return kind.cast(new ECGenParameterSpec("sm2p256v1"));
        }
        throw new InvalidParameterSpecException("SM2's curve is an ECParameterSpec, not a " + kind.getName());
    }

    @Override
    protected byte[] engineGetEncoded() throws IOException {
        return other == null ? SM2.clone() : other.getEncoded();
    }

    @Override
    protected String engineToString() {
        return other == null ? Sm2Curve.PARAMETERS.toString() : other.toString();
    }
}
