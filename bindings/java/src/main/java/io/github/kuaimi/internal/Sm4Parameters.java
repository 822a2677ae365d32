package io.github.kuaimi.internal;

import java.io.IOException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.spec.IvParameterSpec;

/** {@code AlgorithmParameters.SM4}: an initialization vector, in DER an octet string. */
final class Sm4Parameters extends DerParameters {
    private byte[] iv;

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        if (!(spec instanceof IvParameterSpec) || ((IvParameterSpec) spec).getIV().length != 16) {
            throw new InvalidParameterSpecException("an IvParameterSpec of 16 bytes is needed");
        }
        iv = ((IvParameterSpec) spec).getIV();
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        if (encoded.length != 18 || encoded[0] != Der.OCTET_STRING || encoded[1] != 16) {
            throw new IOException("this is no initialization vector of SM4: an octet string of 16 bytes in DER");
        }
        iv = Arrays.copyOfRange(encoded, 2, 18);
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> kind)
            throws InvalidParameterSpecException {
        if (!kind.isAssignableFrom(IvParameterSpec.class)) {
            throw new InvalidParameterSpecException("SM4's parameters are an IvParameterSpec, not a " + kind.getName());
        }
        return kind.cast(new IvParameterSpec(iv));
    }

    @Override
    protected byte[] engineGetEncoded() throws IOException {
        return Der.octetString(iv);
    }

    @Override
    protected String engineToString() {
        return "SM4: an initialization vector of 16 bytes";
    }
}
