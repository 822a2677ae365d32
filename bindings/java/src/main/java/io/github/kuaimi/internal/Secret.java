package io.github.kuaimi.internal;

import java.security.InvalidKeyException;
import java.util.function.Consumer;

/** Secret bytes that can be destroyed, while other threads use them. */
public final class Secret {
    private final byte[] bytes;
    private final Consumer<byte[]> forget;
    private boolean destroyed;

    /** It takes the bytes, not a copy. */
    public Secret(byte[] bytes) {
        this(bytes, none -> {});
    }

    /**
     * @param forget is given the bytes when they are destroyed, and again by each use that ends later, as that may have made native
     *     code remember them anew
     */
    public Secret(byte[] bytes, Consumer<byte[]> forget) {
        this.bytes = bytes;
        this.forget = forget;
    }

    /** What is computed from secret bytes. */
    public interface Use {
        byte[] of(byte[] bytes) throws InvalidKeyException;
    }

    /** A copy, for the caller to {@link #release}. */
    public synchronized byte[] take() throws InvalidKeyException {
        if (destroyed) {
            throw new InvalidKeyException("the key was destroyed");
        }
        return bytes.clone();
    }

    /** Wipes a copy that {@link #take} or {@link #copy} gave, after its use. Null is nothing. */
    public void release(byte[] copy) {
        if (copy != null && isDestroyed()) {
            forget.accept(copy);
        }
        wipe(copy);
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
            release(copy);
        }
    }

    public synchronized void destroy() {
        if (!destroyed) {
            forget.accept(bytes);
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
