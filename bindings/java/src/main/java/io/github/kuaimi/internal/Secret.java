package io.github.kuaimi.internal;

import java.security.InvalidKeyException;
import java.util.function.Consumer;

/** Secret bytes that can be destroyed, while other threads use them. */
public final class Secret {
    private final byte[] bytes;
    private boolean destroyed;

    /** It takes the bytes, not a copy. */
    public Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** What is computed from secret bytes. */
    public interface Use {
        byte[] of(byte[] bytes) throws InvalidKeyException;
    }

    /** A copy, for the caller to wipe. */
    public synchronized byte[] take() throws InvalidKeyException {
        if (destroyed) {
            throw new InvalidKeyException("the key was destroyed");
        }
        return bytes.clone();
    }

    /** As {@link #take}, where nothing else can be wrong. */
    public byte[] copy() {
        try {
            return take();
        } catch (InvalidKeyException wasDestroyed) {
            throw new IllegalStateException(wasDestroyed.getMessage(), wasDestroyed);
        }
    }

    public byte[] with(Use use) throws InvalidKeyException {
        byte[] copy = take();
        try {
            return use.of(copy);
        } finally {
            wipe(copy);
        }
    }

    public void destroy() {
        destroy(none -> {});
    }

    /** @param first is given the bytes before they are wiped */
    public synchronized void destroy(Consumer<byte[]> first) {
        if (!destroyed) {
            first.accept(bytes);
            wipe(bytes);
            destroyed = true;
        }
    }

    public synchronized boolean isDestroyed() {
        return destroyed;
    }

    public static void wipe(byte[] bytes) {
        Wipe.wipe(bytes);
    }
}
