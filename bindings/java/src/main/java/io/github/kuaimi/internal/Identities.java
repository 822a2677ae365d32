package io.github.kuaimi.internal;

import io.github.kuaimi.Sm2SignatureParameterSpec;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidAlgorithmParameterException;
import java.security.spec.AlgorithmParameterSpec;

/** Identities in the parameters of a signature: this provider's class, Bouncy Castle's and Kona's, which are not linked against. */
final class Identities {
    static final byte[] DEFAULT =
            Sm2SignatureParameterSpec.DEFAULT_IDENTITY.getBytes(StandardCharsets.US_ASCII);

    private Identities() {}

    static byte[] of(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
        if (spec instanceof Sm2SignatureParameterSpec) {
            return ((Sm2SignatureParameterSpec) spec).getId();
        }
        switch (spec == null ? "" : spec.getClass().getName()) {
            case "org.bouncycastle.jcajce.spec.SM2ParameterSpec":
                return get(spec, "getID");
            case "com.tencent.kona.crypto.spec.SM2SignatureParameterSpec":
                return get(spec, "getId");
            default:
                throw new InvalidAlgorithmParameterException("the identity is given by an Sm2SignatureParameterSpec");
        }
    }

    private static byte[] get(AlgorithmParameterSpec spec, String getter) throws InvalidAlgorithmParameterException {
        try {
            return new Sm2SignatureParameterSpec((byte[]) spec.getClass().getMethod(getter).invoke(spec)).getId();
        } catch (NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException
                | ClassCastException
                | IllegalArgumentException reason) {
            throw new InvalidAlgorithmParameterException("the identity cannot be read: " + reason.getMessage(), reason);
        }
    }
}
