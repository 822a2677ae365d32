package io.github.kuaimi;

import com.tencent.kona.crypto.KonaCryptoProvider;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** The other providers, and keys as they want them. */
public enum Peers {
    BOUNCY_CASTLE(new BouncyCastleProvider()),
    KONA(new KonaCryptoProvider());

    public final Provider provider;

    Peers(Provider provider) {
        this.provider = provider;
    }

    public KeyPair generate() throws Exception {
        if (this == KONA) {
            return KeyPairGenerator.getInstance("SM2", provider).generateKeyPair();
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", provider);
        generator.initialize(new ECGenParameterSpec("sm2p256v1"));
        return generator.generateKeyPair();
    }

    /** A key of ours as one of theirs. */
    public PublicKey translated(PublicKey key) throws Exception {
        if (this == KONA) {
            return KeyFactory.getInstance("SM2", provider)
                    .generatePublic(new com.tencent.kona.crypto.spec.SM2PublicKeySpec(((ECPublicKey) key).getW()));
        }
        return KeyFactory.getInstance("EC", provider).generatePublic(new X509EncodedKeySpec(key.getEncoded()));
    }

    public PrivateKey translated(PrivateKey key) throws Exception {
        if (this == KONA) {
            return KeyFactory.getInstance("SM2", provider)
                    .generatePrivate(new com.tencent.kona.crypto.spec.SM2PrivateKeySpec(((ECPrivateKey) key).getS()));
        }
        return KeyFactory.getInstance("EC", provider).generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
    }

    /** The name of the signature. */
    public String signature() {
        return this == KONA ? "SM2" : "SM3withSM2";
    }
}
