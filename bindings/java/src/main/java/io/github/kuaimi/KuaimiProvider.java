package io.github.kuaimi;

import io.github.kuaimi.internal.BuildVersion;
import io.github.kuaimi.internal.Native;
import io.github.kuaimi.internal.NativeLibrary;
import io.github.kuaimi.internal.Services;
import java.nio.charset.StandardCharsets;
import java.security.Provider;

/**
 * The provider {@code Kuaimi}: SM2, SM3 and SM4 under the names of the Java Cryptography Architecture.
 *
 * <pre>{@code
 * Security.insertProviderAt(new KuaimiProvider(), 1);
 * Signature signature = Signature.getInstance("SM3withSM2");
 * }</pre>
 *
 * <p>Operations on secrets are constant time. Objects are as thread-safe as Java's documentation asks: keys and parameters may be
 * shared, a {@code Signature} or {@code Cipher} belongs to one thread at a time.
 */
public final class KuaimiProvider extends Provider {
    /** The provider's name. */
    public static final String NAME = Services.NAME;

    private static final long serialVersionUID = 1;

    /**
     * Loads the native library, if that was not done yet.
     *
     * @throws java.security.ProviderException with the reason, where none can be loaded
     */
    public KuaimiProvider() {
        super(NAME, BuildVersion.VERSION, "Kuaimi: SM2, SM3 and SM4, constant time on secrets, and fast");
        NativeLibrary.require();
        Services.of(this, this::putService);
    }

    /** @return which implementation computes, as text: the variable {@code KUAIMI_BACKEND} selects another */
    public static String backend() {
        NativeLibrary.require();
        return new String(Native.backend(), StandardCharsets.UTF_8);
    }

    /** Forgets, and wipes, what native code keeps of keys for their next use. Keys can be used on. */
    public static void forgetKeys() {
        NativeLibrary.require();
        Native.forgetAll();
    }
}
