package io.github.kuaimi.internal;

import java.security.AlgorithmParameters;
import java.security.AlgorithmParametersSpi;

/** Parameters of this provider, made without a search among the installed providers. */
final class Parameters extends AlgorithmParameters {
    private Parameters(AlgorithmParametersSpi spi, String name) {
        super(spi, Services.provider(), name);
    }

    static AlgorithmParameters of(String name, AlgorithmParametersSpi spi) {
        return new Parameters(spi, name);
    }
}
