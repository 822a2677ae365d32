package io.github.kuaimi.bench;

import com.tencent.kona.crypto.KonaCryptoNativeProvider;
import com.tencent.kona.crypto.KonaCryptoProvider;
import io.github.kuaimi.KuaimiProvider;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.spec.ECGenParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** The providers that are measured. */
public enum Providers {
    KUAIMI,
    BOUNCY_CASTLE,
    KONA,
    KONA_NATIVE;

    Provider provider() {
        switch (this) {
            case KUAIMI:
                return new KuaimiProvider();
            case BOUNCY_CASTLE:
                return new BouncyCastleProvider();
            case KONA:
                return new KonaCryptoProvider();
            default:
                return new KonaCryptoNativeProvider();
        }
    }

    boolean isKona() {
        return this == KONA || this == KONA_NATIVE;
    }

    KeyPair keyPair() throws Exception {
        if (isKona()) {
            return KeyPairGenerator.getInstance("SM2", provider()).generateKeyPair();
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", provider());
        generator.initialize(new ECGenParameterSpec("sm2p256v1"));
        return generator.generateKeyPair();
    }
}
