package io.github.kuaimi.internal;

import java.util.Arrays;

/** Secrets that are not needed any more. */
public final class Wipe {
    private Wipe() {}

    public static void wipe(byte[] secret) {
        if (secret != null) {
            Arrays.fill(secret, (byte) 0);
        }
    }
}
