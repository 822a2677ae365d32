package io.github.kuaimi.internal;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactorySpi;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;

/** {@code KeyFactory.SM2}. */
class Sm2KeyFactory extends KeyFactorySpi {
    @Override
    protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
        try {
            if (spec instanceof X509EncodedKeySpec) {
                return new Sm2PublicKey(Native.sm2FromSpki(((X509EncodedKeySpec) spec).getEncoded()));
            }
            if (spec instanceof ECPublicKeySpec) {
                ECPublicKeySpec ec = (ECPublicKeySpec) spec;
                checkCurve(Sm2Curve.is(ec.getParams()));
                return Sm2PublicKey.of(ec.getW());
            }
        } catch (InvalidKeyException reason) {
            throw new InvalidKeySpecException(reason.getMessage(), reason);
        }
        throw new InvalidKeySpecException("public keys are made of X509EncodedKeySpec and ECPublicKeySpec");
    }

    @Override
    protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
        try {
            if (spec instanceof PKCS8EncodedKeySpec) {
                byte[] encoded = ((PKCS8EncodedKeySpec) spec).getEncoded();
                try {
                    return Sm2PrivateKey.ofPair(Native.sm2FromPkcs8(encoded));
                } finally {
                    Wipe.wipe(encoded);
                }
            }
            if (spec instanceof ECPrivateKeySpec) {
                ECPrivateKeySpec ec = (ECPrivateKeySpec) spec;
                checkCurve(Sm2Curve.is(ec.getParams()));
                return Sm2PrivateKey.of(ec.getS());
            }
        } catch (InvalidKeyException reason) {
            throw new InvalidKeySpecException(reason.getMessage(), reason);
        }
        throw new InvalidKeySpecException("private keys are made of PKCS8EncodedKeySpec and ECPrivateKeySpec");
    }

    private static void checkCurve(boolean right) throws InvalidKeySpecException {
        if (!right) {
            throw new InvalidKeySpecException("this key is not on SM2's curve, sm2p256v1");
        }
    }

    @Override
    protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> kind) throws InvalidKeySpecException {
        try {
            if (key instanceof PublicKey) {
                Sm2PublicKey sm2 = Sm2PublicKey.of(key);
                if (kind.isAssignableFrom(X509EncodedKeySpec.class)) {
                    return kind.cast(new X509EncodedKeySpec(sm2.getEncoded()));
                }
                if (kind.isAssignableFrom(ECPublicKeySpec.class)) {
                    return kind.cast(new ECPublicKeySpec(sm2.getW(), sm2.getParams()));
                }
            } else {
                Sm2PrivateKey sm2 = Sm2PrivateKey.of(key);
                if (kind.isAssignableFrom(PKCS8EncodedKeySpec.class)) {
                    return kind.cast(new PKCS8EncodedKeySpec(sm2.getEncoded()));
                }
                if (kind.isAssignableFrom(ECPrivateKeySpec.class)) {
                    return kind.cast(new ECPrivateKeySpec(sm2.getS(), sm2.getParams()));
                }
            }
        } catch (InvalidKeyException reason) {
            throw new InvalidKeySpecException(reason.getMessage(), reason);
        }
        throw new InvalidKeySpecException("this key has no " + kind.getName());
    }

    @Override
    protected Key engineTranslateKey(Key key) throws InvalidKeyException {
        return key instanceof PrivateKey ? Sm2PrivateKey.of(key) : Sm2PublicKey.of(key);
    }
}
