/** The ShangMi algorithms as a provider of the Java Cryptography Architecture, and SM9 and batches by an interface of their own. */
module io.github.kuaimi {
    exports io.github.kuaimi;
    exports io.github.kuaimi.sm9;

    provides java.security.Provider with
            io.github.kuaimi.KuaimiProvider;
}
