package io.github.kuaimi.internal;

import java.security.InvalidParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the provider has, under which names. */
public final class Services {
    public static final String NAME = "Kuaimi";

    private static volatile Provider instance;

    private Services() {}

    /** The provider that was made last: all are the same. */
    static Provider provider() {
        return instance;
    }

    /** Gives every service to {@code put}. */
    public static void of(Provider provider, Consumer<Provider.Service> put) {
        instance = provider;
        Table table = new Table(provider, put);
        // The name with the digest is the first, as Java derives names from those of an identifier.
        table.add("Signature", "SM3withSM2", () -> new Sm2Signature(false), "SM2", "1.2.156.10197.1.501", "OID.1.2.156.10197.1.501");
        table.add("Signature", "SM3withSM2inP1363Format", () -> new Sm2Signature(true), "SM2inP1363Format");
        table.add("KeyPairGenerator", "EC", EcKeyPairGenerator::new);
        table.add("KeyPairGenerator", "SM2", Sm2KeyPairGenerator::new);
        table.add("KeyFactory", "EC", EcKeyFactory::new, "1.2.840.10045.2.1", "OID.1.2.840.10045.2.1");
        table.add("KeyFactory", "SM2", Sm2KeyFactory::new);
        table.add("Cipher", "SM2", Sm2Cipher::new, "1.2.156.10197.1.301.3", "OID.1.2.156.10197.1.301.3");
        table.add("KeyAgreement", "SM2", Sm2KeyAgreement::new);
        table.add("MessageDigest", "SM3", Sm3Digest::new, "1.2.156.10197.1.401", "OID.1.2.156.10197.1.401");
        table.add("Mac", "HmacSM3", HmacSm3::new, "HMAC-SM3", "1.2.156.10197.1.401.2", "OID.1.2.156.10197.1.401.2");
        table.add("SecretKeyFactory", "PBKDF2WithHmacSM3", Pbkdf2::new);
        table.add("KeyGenerator", "SM4", Sm4KeyGenerator::new, "1.2.156.10197.1.104", "OID.1.2.156.10197.1.104");
        table.add("AlgorithmParameters", "EC", EcParameters::new, "1.2.840.10045.2.1", "OID.1.2.840.10045.2.1");
        table.add("AlgorithmParameters", "SM4", Sm4Parameters::new);
        table.add("AlgorithmParameters", "SM4/GCM", Sm4AeadParameters::new);
        table.add("AlgorithmParameters", "SM4/CCM", Sm4AeadParameters::new);
        table.add("Cipher", "SM4", () -> new Sm4Cipher(Sm4Cipher.Mode.ECB));
        table.add("Cipher", "SM4/ECB", () -> new Sm4Cipher(Sm4Cipher.Mode.ECB), "1.2.156.10197.1.104.1");
        table.add("Cipher", "SM4/CBC", () -> new Sm4Cipher(Sm4Cipher.Mode.CBC), "1.2.156.10197.1.104.2");
        table.add("Cipher", "SM4/OFB", () -> new Sm4Cipher(Sm4Cipher.Mode.OFB), "SM4/OFB128", "1.2.156.10197.1.104.3");
        table.add("Cipher", "SM4/CFB", () -> new Sm4Cipher(Sm4Cipher.Mode.CFB), "SM4/CFB128", "1.2.156.10197.1.104.4");
        table.add("Cipher", "SM4/CTR", () -> new Sm4Cipher(Sm4Cipher.Mode.CTR), "1.2.156.10197.1.104.7");
        table.add("Cipher", "SM4/GCM", () -> new Sm4Aead(false), "1.2.156.10197.1.104.8");
        table.add("Cipher", "SM4/CCM", () -> new Sm4Aead(true), "1.2.156.10197.1.104.9");
    }

    private static final class Table {
        private final Provider provider;
        private final Consumer<Provider.Service> put;

        Table(Provider provider, Consumer<Provider.Service> put) {
            this.provider = provider;
            this.put = put;
        }

        void add(String type, String name, Supplier<Object> maker, String... aliases) {
            put.accept(new Service(provider, type, name, maker, List.of(aliases)));
        }
    }

    private static final class Service extends Provider.Service {
        private final Supplier<Object> maker;

        Service(Provider provider, String type, String name, Supplier<Object> maker, List<String> aliases) {
            super(provider, type, name, maker.get().getClass().getName(), aliases, Map.of());
            this.maker = maker;
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            if (parameter != null) {
                throw new InvalidParameterException(getAlgorithm() + " takes no parameter");
            }
            return maker.get();
        }
    }
}
