package io.github.kuaimi.internal;

/** The version of this jar, which the native library must have, too. */
public final class BuildVersion {
    public static final String VERSION = "0.1.0";

    private BuildVersion() {}
}
