import io.github.kuaimi.KuaimiProvider;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.Signature;

/** What a user of the jar does first: a signature, and a wrong one refused. */
public class Use {
    public static void main(String[] arguments) throws Exception {
        Provider kuaimi = new KuaimiProvider();
        KeyPair pair = KeyPairGenerator.getInstance("SM2", kuaimi).generateKeyPair();
        Signature signature = Signature.getInstance("SM3withSM2", kuaimi);
        signature.initSign(pair.getPrivate());
        signature.update("a contract".getBytes());
        byte[] signed = signature.sign();
        signature.initVerify(pair.getPublic());
        signature.update("a contract".getBytes());
        if (!signature.verify(signed)) throw new AssertionError("refused");
        signature.update("another".getBytes());
        if (signature.verify(signed)) throw new AssertionError("accepted");
        System.out.println(System.getProperty("java.version") + " " + System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    }
}
