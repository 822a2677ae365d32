package io.github.kuaimi.sm9;

/** A key, and the point from which the user finds it out. */
public final class Sm9Encapsulation {
    private final byte[] point;
    private final byte[] key;

    Sm9Encapsulation(byte[] point, byte[] key) {
        this.point = point;
        this.key = key;
    }

    /** @return what the user needs: 64 bytes, no secret */
    public byte[] point() {
        return point.clone();
    }

    /** @return the key, for the caller to wipe */
    public byte[] key() {
        return key.clone();
    }
}
