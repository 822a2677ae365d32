package io.github.kuaimi.internal;

import java.io.IOException;
import java.security.AlgorithmParametersSpi;

/** Parameters that have one encoding, DER, whatever its name is. */
abstract class DerParameters extends AlgorithmParametersSpi {
    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        engineInit(encoded);
    }

    @Override
    protected byte[] engineGetEncoded(String format) throws IOException {
        return engineGetEncoded();
    }
}
