package io.github.kuaimi;

import static io.github.kuaimi.Testing.JAR;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java's own programs, and programs with the jar, each in a process of its own. */
class ProgramsTest {
    private static final String JAVA = System.getProperty("java.home") + "/bin/";

    /** Prints a digest by Java's search, and which provider made it. */
    private static final String LOOK_UP = "public class LookUp {\n"
            + "  public static void main(String[] arguments) throws Exception {\n"
            + "    java.security.MessageDigest sm3 = java.security.MessageDigest.getInstance(\"SM3\");\n"
            + "    System.out.println(sm3.getProvider().getName() + \" \" + sm3.digest().length);\n"
            + "    System.out.println(java.security.Security.getProviders()[0].getName());\n"
            + "  }\n"
            + "}\n";

    /** As docs/java.md has them: Kuaimi, and then all of Java's own, each one place later. */
    static final String SETTINGS = "security.provider.1=Kuaimi\n"
            + "security.provider.2=SUN\n"
            + "security.provider.3=SunRsaSign\n"
            + "security.provider.4=SunEC\n"
            + "security.provider.5=SunJSSE\n"
            + "security.provider.6=SunJCE\n"
            + "security.provider.7=SunJGSS\n"
            + "security.provider.8=SunSASL\n"
            + "security.provider.9=XMLDSig\n"
            + "security.provider.10=SunPCSC\n"
            + "security.provider.11=JdkLDAP\n"
            + "security.provider.12=JdkSASL\n"
            + "security.provider.13=SunPKCS11\n";

    @TempDir
    Path folder;

    private static final class Result {
        final int status;
        final String output;

        Result(int status, String output) {
            this.status = status;
            this.output = output;
        }
    }

    private Result run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", "");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Result(process.waitFor(), Files.readString(output, StandardCharsets.UTF_8));
    }

    private String succeeds(String... command) throws IOException, InterruptedException {
        Result result = run(command);
        assertEquals(0, result.status, () -> String.join(" ", command) + "\n" + result.output);
        return result.output;
    }

    private static String[] with(String[] first, String... rest) {
        List<String> all = new ArrayList<>(Arrays.asList(first));
        all.addAll(Arrays.asList(rest));
        return all.toArray(new String[0]);
    }

    @Test
    void keytoolAndJarsigner() throws Exception {
        // Java's own EC parameters, which know no SM2, must come later.
        Files.writeString(folder.resolve("kuaimi.security"), SETTINGS);
        String[] provider = {"-J-cp", "-J" + JAR, "-J-Djava.security.properties=kuaimi.security"};
        String[] store = {"-keystore", "keys.p12", "-storepass", "a password", "-alias", "alice"};
        succeeds(with(with(with(new String[] {JAVA + "keytool", "-genkeypair"}, store), provider),
                "-keyalg", "SM2", "-sigalg", "SM3withSM2", "-dname", "CN=alice"));
        String listed = succeeds(with(with(with(new String[] {JAVA + "keytool", "-list", "-v"}, store), provider)));
        assertTrue(listed.contains("SM3WITHSM2") && listed.contains("CN=alice"), listed);
        String request = succeeds(with(with(new String[] {JAVA + "keytool", "-certreq"}, with(store, provider)),
                "-sigalg", "SM3withSM2"));
        assertTrue(request.contains("BEGIN NEW CERTIFICATE REQUEST"), request);
        succeeds(with(with(new String[] {JAVA + "keytool", "-exportcert"}, with(store, provider)), "-file", "alice.cer"));
        assertEquals("EC", Sm2Keys.readPublic(Files.readAllBytes(folder.resolve("alice.cer"))).getAlgorithm());

        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("program.jar")))) {
            jar.putNextEntry(new JarEntry("a-file"));
            jar.write(new byte[] {1, 2, 3});
        }
        String[] signer = with(new String[] {JAVA + "jarsigner"}, provider);
        succeeds(with(signer, "-keystore", "keys.p12", "-storepass", "a password", "-sigalg", "SM3withSM2",
                "-digestalg", "SM3", "program.jar", "alice"));
        // Java verifies jars with its own providers alone, whatever is installed: so Bouncy Castle does it here.
        try (JarFile jar = new JarFile(folder.resolve("program.jar").toFile(), false)) {
            byte[] signed = jar.getInputStream(jar.getEntry("META-INF/ALICE.SF")).readAllBytes();
            byte[] block = jar.getInputStream(jar.getEntry("META-INF/ALICE.EC")).readAllBytes();
            SignerInformation alice = new CMSSignedData(new CMSProcessableByteArray(signed), block)
                    .getSignerInfos().getSigners().iterator().next();
            assertArrayEquals(
                    MessageDigest.getInstance("SM3", Peers.BOUNCY_CASTLE.provider).digest(signed),
                    ((ASN1OctetString) alice.getSignedAttributes().get(CMSAttributes.messageDigest).getAttrValues()
                            .getObjectAt(0)).getOctets());
            Signature theirs = Signature.getInstance("SM3withSM2", Peers.BOUNCY_CASTLE.provider);
            theirs.initVerify(Peers.BOUNCY_CASTLE.translated(
                    Sm2Keys.readPublic(Files.readAllBytes(folder.resolve("alice.cer")))));
            theirs.update(alice.getEncodedSignedAttributes());
            assertTrue(theirs.verify(alice.getSignature()));
        }
    }

    private void lookUp() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("LookUp.java"), LOOK_UP);
        succeeds(JAVA + "javac", "LookUp.java");
    }

    @Test
    void theJavaSecurityFile() throws Exception {
        lookUp();
        Files.writeString(folder.resolve("java.security"), SETTINGS);
        assertEquals(
                "Kuaimi 32\nKuaimi\n",
                succeeds(JAVA + "java", "-Djava.security.properties=java.security", "-cp", JAR + ":.", "LookUp"));
    }

    @Test
    void theModulePath() throws Exception {
        lookUp();
        Files.writeString(folder.resolve("java.security"), SETTINGS);
        assertEquals(
                "Kuaimi 32\nKuaimi\n",
                succeeds(JAVA + "java", "-Djava.security.properties=java.security", "--module-path", JAR.toString(),
                        "--add-modules", "io.github.kuaimi", "-cp", ".", "LookUp"));
        String described = succeeds(JAVA + "java", "--module-path", JAR.toString(), "--describe-module", "io.github.kuaimi");
        assertTrue(described.contains("exports io.github.kuaimi.sm9"), described);
        assertTrue(described.contains("provides java.security.Provider"), described);
        assertEquals(false, described.contains("exports io.github.kuaimi.internal"), described);
    }

    @Test
    void theSettingsKeepAllProviders() throws Exception {
        Files.writeString(folder.resolve("Providers.java"), "public class Providers {\n"
                + "  public static void main(String[] arguments) {\n"
                + "    for (java.security.Provider provider : java.security.Security.getProviders()) {\n"
                + "      System.out.println(provider.getName());\n"
                + "    }\n"
                + "  }\n"
                + "}\n");
        succeeds(JAVA + "javac", "Providers.java");
        Files.writeString(folder.resolve("java.security"), SETTINGS);
        String alone = succeeds(JAVA + "java", "-cp", ".", "Providers");
        String[] first = {JAVA + "java", "-Djava.security.properties=java.security", "-cp", JAR + ":.", "Providers"};
        assertEquals("Kuaimi\n" + alone, succeeds(first));
    }

    @Test
    void keytoolForOtherAlgorithms() throws Exception {
        Files.writeString(folder.resolve("kuaimi.security"), SETTINGS);
        String[] provider = {"-J-cp", "-J" + JAR, "-J-Djava.security.properties=kuaimi.security"};
        String[] keytool = with(new String[] {JAVA + "keytool"}, provider);
        String[] kinds = {"EC", "RSA", "Ed25519"};
        for (String kind : kinds) {
            String[] store = {"-keystore", "others.p12", "-storepass", "a password", "-alias", kind};
            succeeds(with(with(keytool, "-genkeypair", "-keyalg", kind, "-dname", "CN=" + kind), store));
            assertTrue(succeeds(with(with(keytool, "-certreq"), store)).contains("BEGIN NEW CERTIFICATE REQUEST"));
            succeeds(with(with(keytool, "-exportcert", "-file", kind + ".cer"), store));
            assertTrue(succeeds(with(keytool, "-printcert", "-file", kind + ".cer")).contains("CN=" + kind));
        }
        // Java alone reads it.
        String listed = succeeds(JAVA + "keytool", "-list", "-v", "-keystore", "others.p12", "-storepass", "a password");
        for (String kind : kinds) {
            assertTrue(listed.contains("CN=" + kind), listed);
        }
        String curve = succeeds(JAVA + "keytool", "-printcert", "-file", "EC.cer");
        assertTrue(curve.contains("secp256r1") || curve.contains("secp384r1"), curve);
    }

    /** A program that makes the provider and prints why it cannot. */
    private Result make(String... settings) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("Make.java"), "public class Make {\n"
                + "  public static void main(String[] arguments) throws Exception {\n"
                + "    try {\n"
                + "      System.out.println(new io.github.kuaimi.KuaimiProvider().getName());\n"
                + "    } catch (java.security.ProviderException reason) {\n"
                + "      System.out.println(reason.getMessage());\n"
                + "    }\n"
                + "  }\n"
                + "}\n");
        succeeds(JAVA + "javac", "-cp", JAR.toString(), "Make.java");
        return run(with(with(new String[] {JAVA + "java"}, settings), "-cp", JAR + ":.", "Make"));
    }

    @Test
    void whatIsUnpackedIsPrivateAndRemoved() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        assertEquals("Kuaimi\n", make("-Djava.io.tmpdir=" + temporary).output);
        try (java.util.stream.Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.collect(java.util.stream.Collectors.toList()));
        }
    }

    @Test
    void aClearReasonWhereNoLibraryFits() throws Exception {
        assertTrue(make("-Dos.arch=riscv64").output.startsWith("Kuaimi has no native library for linux-riscv64"));
        assertTrue(make("-Dos.name=Plan 9").output.startsWith("Kuaimi has no native library for Plan 9-"));
        Result missing = make("-Dkuaimi.library=" + folder.resolve("missing.so"));
        assertTrue(missing.output.contains("cannot be loaded") && missing.output.contains("missing.so"), missing.output);
        Path text = Files.writeString(folder.resolve("text.so"), "no library");
        assertTrue(make("-Dkuaimi.library=" + text).output.contains("cannot be loaded"));
        String nowhere = make("-Djava.io.tmpdir=" + folder.resolve("nowhere")).output;
        assertTrue(nowhere.contains("java.io.tmpdir"), nowhere);
        String other = System.getProperty("os.arch").equals("aarch64") ? "x86_64" : "aarch64";
        String unpacked = make("-Dos.arch=" + other).output;
        assertTrue(unpacked.startsWith("this jar of Kuaimi was built without native/linux-" + other), unpacked);
    }

    @Test
    void aLibraryByItsName() throws Exception {
        Path library = folder.resolve("libkuaimi_java.so");
        Path built = JAR.getParent().resolve("classes/io/github/kuaimi/internal/native");
        try (java.util.stream.Stream<Path> files = Files.walk(built)) {
            Path found = files.filter(file -> file.toString().endsWith(".so")).findFirst().orElseThrow();
            Files.copy(found, library);
        }
        Files.setPosixFilePermissions(library, PosixFilePermissions.fromString("r--------"));
        assertEquals("Kuaimi\n", make("-Dkuaimi.library=" + library).output);
    }
}
