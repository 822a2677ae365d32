package io.github.kuaimi.internal;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;

/** {@code KeyFactory.EC}: keys on SM2's curve, and what is none by the next provider. */
final class EcKeyFactory extends Sm2KeyFactory {
    private interface Call<T> {
        T of(KeyFactory factory) throws GeneralSecurityException;
    }

    /** If the next provider cannot do it, either, {@code reason} is thrown, which says why it is no key of SM2's. */
    private static <T, E extends Exception> T next(E reason, Call<T> call) throws E {
        try {
            return call.of(KeyFactory.getInstance("EC", NextProvider.of("KeyFactory")));
        } catch (GeneralSecurityException | RuntimeException others) {
            reason.addSuppressed(others);
            throw reason;
        }
    }

    @Override
    protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
        try {
            return super.engineGeneratePublic(spec);
        } catch (InvalidKeySpecException reason) {
            return next(reason, factory -> factory.generatePublic(spec));
        }
    }

    @Override
    protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
        try {
            return super.engineGeneratePrivate(spec);
        } catch (InvalidKeySpecException reason) {
            return next(reason, factory -> factory.generatePrivate(spec));
        }
    }

    @Override
    protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> kind) throws InvalidKeySpecException {
        try {
            return super.engineGetKeySpec(key, kind);
        } catch (InvalidKeySpecException reason) {
            return next(reason, factory -> factory.getKeySpec(key, kind));
        }
    }

    @Override
    protected Key engineTranslateKey(Key key) throws InvalidKeyException {
        try {
            return super.engineTranslateKey(key);
        } catch (InvalidKeyException reason) {
            return next(reason, factory -> factory.translateKey(key));
        }
    }
}
