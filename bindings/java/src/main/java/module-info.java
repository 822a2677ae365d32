/** The ShangMi algorithms as a provider of the Java Cryptography Architecture, and SM9, messages and batches by an interface of their own. */
module io.github.kuaimi {
    exports io.github.kuaimi;
    exports io.github.kuaimi.cfca;
    exports io.github.kuaimi.cms;
    exports io.github.kuaimi.sm9;

    provides java.security.Provider with
            io.github.kuaimi.KuaimiProvider;
}
