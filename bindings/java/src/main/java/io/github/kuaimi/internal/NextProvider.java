package io.github.kuaimi.internal;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;

/**
 * The provider that serves elliptic curves other than SM2's, under the name {@code EC} that Kuaimi serves, too. Java itself asks the next
 * provider only as long as nobody asked which one it has ({@code getProvider()}), and never for parameters.
 */
final class NextProvider {
    private NextProvider() {}

    static Provider of(String type) throws NoSuchAlgorithmException {
        Provider[] providers = Security.getProviders(type + ".EC");
        if (providers != null) {
            for (Provider provider : providers) {
                if (!provider.getName().equals(Services.NAME)) {
                    return provider;
                }
            }
        }
        throw new NoSuchAlgorithmException("Kuaimi has SM2's curve alone, sm2p256v1, and no other provider has elliptic curves");
    }
}
