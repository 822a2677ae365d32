import java.io.File;
import java.io.FileReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.Security;
import java.util.Arrays;
import java.util.List;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.cms.AuthEnvelopedData;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.GCMParameters;
import org.bouncycastle.asn1.cms.KeyTransRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.crypto.engines.SM2Engine;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/**
 * Messages by Bouncy Castle, and its reading of this library's.
 *
 *   java -cp bcprov.jar:bcpkix.jar:bcutil.jar Messages.java write ..
 *   java -cp …                                Messages.java read FOLDER ..
 */
public class Messages {
    static final byte[] CONTENT = "a content by Bouncy Castle, 密信".getBytes(StandardCharsets.UTF_8);
    static String data;

    static X509CertificateHolder certificate(String name) throws Exception {
        return (X509CertificateHolder) new PEMParser(new FileReader(data + "/" + name + ".pem")).readObject();
    }

    static PrivateKeyInfo key(String name) throws Exception {
        return (PrivateKeyInfo) new PEMParser(new FileReader(data + "/" + name + ".key")).readObject();
    }

    public static void main(String[] args) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        data = args[args.length - 1];
        if (args[0].equals("write")) {
            for (boolean attached : new boolean[] {true, false}) {
                for (boolean attributes : new boolean[] {true, false}) {
                    String name = "bc-signed" + (attached ? "" : "-detached") + (attributes ? "" : "-plain");
                    Files.write(Path.of(data, name + ".der"), sign(attached, attributes));
                }
            }
        } else {
            read(Path.of(args[1]));
        }
    }

    static byte[] sign(boolean attached, boolean attributes) throws Exception {
        PrivateKey key = new JcaPEMKeyConverter().setProvider("BC").getPrivateKey(key("alice"));
        CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
        JcaSignerInfoGeneratorBuilder builder = new JcaSignerInfoGeneratorBuilder(
            new JcaDigestCalculatorProviderBuilder().setProvider("BC").build());
        builder.setDirectSignature(!attributes);
        generator.addSignerInfoGenerator(builder.build(
            new JcaContentSignerBuilder("SM3withSM2").setProvider("BC").build(key), certificate("alice")));
        generator.addCertificates(new JcaCertStore(List.of(certificate("alice"))));
        // Attached, Bouncy Castle writes BER.
        return generator.generate(new CMSProcessableByteArray(CONTENT), attached).getEncoded();
    }

    static void read(Path folder) throws Exception {
        byte[] expected = Files.readAllBytes(folder.resolve("content"));
        boolean good = true;
        File[] files = folder.toFile().listFiles();
        Arrays.sort(files);
        for (File file : files) {
            String name = file.getName();
            boolean right;
            try {
                byte[] message = Files.readAllBytes(file.toPath());
                if (name.startsWith("kuaimi-cms-signed")) {
                    CMSSignedData signed = name.contains("detached")
                        ? new CMSSignedData(new CMSProcessableByteArray(expected), message)
                        : new CMSSignedData(message);
                    SignerInformation signer = signed.getSignerInfos().iterator().next();
                    right = signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC")
                            .build(certificate("alice")))
                        && Arrays.equals((byte[]) signed.getSignedContent().getContent(), expected);
                } else if (name.contains("-auth-gcm")) {
                    right = Arrays.equals(open(message), expected);
                } else {
                    continue;
                }
            } catch (Exception error) {
                System.out.println(error);
                right = false;
            }
            System.out.println(name + " " + right);
            good &= right;
        }
        System.exit(good ? 0 : 1);
    }

    /** authEnvelopedData, of which Bouncy Castle knows the structure and the algorithms. */
    static byte[] open(byte[] message) throws Exception {
        AuthEnvelopedData body = AuthEnvelopedData.getInstance(ContentInfo.getInstance(
            new org.bouncycastle.asn1.ASN1InputStream(message).readObject()).getContent());
        SM2Engine engine = new SM2Engine(SM2Engine.Mode.C1C3C2);
        engine.init(false, (ECPrivateKeyParameters) PrivateKeyFactory.createKey(key("bob")));
        byte[] key = null;
        for (var each : body.getRecipientInfos()) {
            var info = KeyTransRecipientInfo.getInstance(RecipientInfo.getInstance(each).getInfo());
            ASN1Sequence parts = ASN1Sequence.getInstance(info.getEncryptedKey().getOctets());
            byte[] raw = new byte[65 + 32 + 16];
            raw[0] = 4;
            for (int i = 0; i < 2; i++) {
                byte[] number = org.bouncycastle.util.BigIntegers.asUnsignedByteArray(
                    32, org.bouncycastle.asn1.ASN1Integer.getInstance(parts.getObjectAt(i)).getValue());
                System.arraycopy(number, 0, raw, 1 + 32 * i, 32);
            }
            System.arraycopy(ASN1OctetString.getInstance(parts.getObjectAt(2)).getOctets(), 0, raw, 65, 32);
            System.arraycopy(ASN1OctetString.getInstance(parts.getObjectAt(3)).getOctets(), 0, raw, 97, 16);
            try {
                key = engine.processBlock(raw, 0, raw.length);
            } catch (org.bouncycastle.crypto.InvalidCipherTextException notBob) {
                continue;
            }
        }
        var content = body.getAuthEncryptedContentInfo();
        GCMParameters gcm = GCMParameters.getInstance(content.getContentEncryptionAlgorithm().getParameters());
        Cipher cipher = Cipher.getInstance("SM4/GCM/NoPadding", "BC");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "SM4"),
            new GCMParameterSpec(8 * gcm.getIcvLen(), gcm.getNonce()));
        byte[] text = content.getEncryptedContent().getOctets();
        byte[] tag = body.getMac().getOctets();
        byte[] all = Arrays.copyOf(text, text.length + tag.length);
        System.arraycopy(tag, 0, all, text.length, tag.length);
        return cipher.doFinal(all);
    }
}
