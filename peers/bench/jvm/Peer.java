import com.tencent.kona.crypto.KonaCryptoProvider;
import com.tencent.kona.crypto.spec.SM2SignatureParameterSpec;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Bouncy Castle and Tencent Kona, whichever the argument names, through the JCA as programs use them. Objects of Signature and Cipher are
 * made once and initialised at each operation.
 */
public final class Peer {
    private static final String CURVE = "sm2p256v1";
    private static final byte[] ID = "1234567812345678".getBytes();

    private final Provider provider;
    private final boolean kona;

    private Peer(String name) {
        kona = name.equals("kona");
        provider = kona ? new KonaCryptoProvider() : new BouncyCastleProvider();
        Security.addProvider(provider);
    }

    public static void main(String[] arguments) throws Exception {
        Peer peer = new Peer(arguments[0]);
        // The jars' version, which the providers tell in part only, is the second argument.
        String forms = " signature=der ciphertext=" + (peer.kona ? "der" : "c1c2c3");
        Line.serve("version=" + arguments[1] + forms, peer.operations());
    }

    private Map<String, Line.Operation> operations() {
        Map<String, Line.Operation> all = new TreeMap<>();
        all.put("sm2-keygen", inputs -> {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(kona ? "SM2" : "EC", provider);
            if (!kona) {
                generator.initialize(new ECGenParameterSpec(CURVE));
            }
            return () -> generator.generateKeyPair().getPublic().getEncoded();
        });
        all.put("sm2-sign", inputs -> {
            Signature signature = signature(inputs);
            PrivateKey key = privateKey(inputs.get("secret"));
            byte[] message = inputs.get("message");
            return () -> {
                signature.initSign(key);
                signature.update(message);
                return signature.sign();
            };
        });
        all.put("sm2-verify", inputs -> {
            Signature signature = signature(inputs);
            PublicKey key = publicKey(inputs.get("public"));
            byte[] message = inputs.get("message");
            byte[] given = inputs.get("signature");
            return () -> {
                signature.initVerify(key);
                signature.update(message);
                return Line.truth(signature.verify(given));
            };
        });
        all.put("sm2-encrypt", inputs -> crypt(Cipher.ENCRYPT_MODE, publicKey(inputs.get("public")), inputs.get("message")));
        all.put("sm2-decrypt", inputs -> crypt(Cipher.DECRYPT_MODE, privateKey(inputs.get("secret")), inputs.get("ciphertext")));
        all.put("sm3", inputs -> {
            MessageDigest digest = MessageDigest.getInstance("SM3", provider);
            byte[] message = inputs.get("message");
            return () -> digest.digest(message);
        });
        all.put("sm4-cbc", inputs -> mode("CBC", inputs, new IvParameterSpec(inputs.get("iv"))));
        all.put("sm4-ctr", inputs -> mode("CTR", inputs, new IvParameterSpec(inputs.get("iv"))));
        all.put("sm4-gcm", inputs -> {
            // Both refuse a nonce twice in a row: another one takes turns with it.
            byte[] nonce = Arrays.copyOf(inputs.get("iv"), 12);
            return mode("GCM", inputs, new GCMParameterSpec(128, nonce), new GCMParameterSpec(128, new byte[12]));
        });
        return all;
    }

    private Signature signature(Map<String, byte[]> inputs) throws Exception {
        Signature signature = Signature.getInstance(kona ? "SM2" : "SM3WITHSM2", provider);
        if (kona) {
            // Signing takes the public key, which Z needs, from the parameters.
            signature.setParameter(new SM2SignatureParameterSpec(ID, (ECPublicKey) publicKey(inputs.get("public"))));
        }
        return signature;
    }

    private Line.Once crypt(int direction, Key key, byte[] given) throws Exception {
        Cipher cipher = Cipher.getInstance("SM2", provider);
        return () -> {
            cipher.init(direction, key);
            return cipher.doFinal(given);
        };
    }

    private Line.Once mode(String mode, Map<String, byte[]> inputs, AlgorithmParameterSpec... parameters) throws Exception {
        Cipher cipher = Cipher.getInstance("SM4/" + mode + "/NoPadding", provider);
        SecretKeySpec key = new SecretKeySpec(inputs.get("key"), "SM4");
        byte[] message = inputs.get("message");
        int[] turn = {0};
        return () -> {
            cipher.init(Cipher.ENCRYPT_MODE, key, parameters[turn[0]++ % parameters.length]);
            return cipher.doFinal(message);
        };
    }

    private ECParameterSpec curve() throws Exception {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC", provider);
        parameters.init(new ECGenParameterSpec(kona ? "curveSM2" : CURVE));
        return parameters.getParameterSpec(ECParameterSpec.class);
    }

    private PrivateKey privateKey(byte[] secret) throws Exception {
        KeyFactory factory = KeyFactory.getInstance("EC", provider);
        return factory.generatePrivate(new ECPrivateKeySpec(new BigInteger(1, secret), curve()));
    }

    private PublicKey publicKey(byte[] point) throws Exception {
        BigInteger x = new BigInteger(1, Arrays.copyOfRange(point, 1, 33));
        BigInteger y = new BigInteger(1, Arrays.copyOfRange(point, 33, 65));
        KeyFactory factory = KeyFactory.getInstance("EC", provider);
        return factory.generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve()));
    }
}
