package io.github.kuaimi.sm9;

import io.github.kuaimi.internal.Secret;
import java.util.function.Consumer;
import javax.security.auth.Destroyable;

/** What all private keys of SM9 have in common. */
public abstract class Sm9PrivateKey implements Destroyable {
    final Secret secret;

    Sm9PrivateKey(byte[] bytes) {
        secret = new Secret(bytes);
    }

    /** @param forget is given the bytes once they are not to be used any more */
    Sm9PrivateKey(byte[] bytes, Consumer<byte[]> forget) {
        secret = new Secret(bytes, forget);
    }

    /** @return the key's bytes, for the caller to wipe */
    public byte[] getEncoded() {
        return secret.copy();
    }

    /** Wipes the key, here and in native code. */
    @Override
    public void destroy() {
        secret.destroy();
    }

    @Override
    public boolean isDestroyed() {
        return secret.isDestroyed();
    }
}
