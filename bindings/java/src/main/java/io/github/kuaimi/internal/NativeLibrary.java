package io.github.kuaimi.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.ProviderException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * Loads the native library, once: the file that the system property {@code kuaimi.library} names, or this machine's from the jar. The
 * latter is written into a new folder that nobody else may enter, read back and compared with the checksum in the jar, loaded, and
 * removed where the system allows that.
 */
public final class NativeLibrary {
    /** Names a file, which is loaded as it is. */
    static final String PROPERTY = "kuaimi.library";

    private static final String PREFIX = "kuaimi-";

    /** The folders in the jar, and what the system calls the library. */
    private static final Map<String, String> PLATFORMS = Map.of(
            "linux-x86_64", "libkuaimi_java.so",
            "linux-aarch64", "libkuaimi_java.so",
            "macos-x86_64", "libkuaimi_java.dylib",
            "macos-aarch64", "libkuaimi_java.dylib",
            "windows-x86_64", "kuaimi_java.dll");

    private static final ProviderException FAILURE = load();

    private NativeLibrary() {}

    /** Does nothing where the library is loaded, and says why not where it is not. */
    public static void require() {
        if (FAILURE != null) {
            throw new ProviderException(FAILURE.getMessage(), FAILURE);
        }
    }

    private static ProviderException load() {
        try {
            String given = System.getProperty(PROPERTY);
            if (given != null) {
                System.load(Path.of(given).toAbsolutePath().toString());
            } else {
                loadFromJar(platform(System.getProperty("os.name"), System.getProperty("os.arch")));
            }
            checkVersion(new String(Native.version(), StandardCharsets.UTF_8));
            return null;
        } catch (ProviderException failure) {
            return failure;
        } catch (IOException | RuntimeException | LinkageError failure) {
            return new ProviderException(
                    "Kuaimi's native library cannot be loaded: " + failure.getMessage()
                            + ". It needs a folder for temporary files (java.io.tmpdir) from which programs may run;"
                            + " or name the library by the system property " + PROPERTY + ".",
                    failure);
        }
    }

    /** The folder of a machine's library in the jar. */
    static String platform(String system, String machine) {
        String name = system;
        for (String[] one : new String[][] {{"linux", "linux"}, {"mac", "macos"}, {"windows", "windows"}}) {
            if (system.toLowerCase(Locale.ROOT).startsWith(one[0])) {
                name = one[1];
            }
        }
        switch (machine.toLowerCase(Locale.ROOT)) {
            case "amd64":
            case "x86_64":
            case "x64":
                name += "-x86_64";
                break;
            case "aarch64":
            case "arm64":
                name += "-aarch64";
                break;
            default:
                name += "-" + machine;
        }
        if (!PLATFORMS.containsKey(name)) {
            throw new ProviderException("Kuaimi has no native library for " + name + ", but for "
                    + String.join(", ", new TreeSet<>(PLATFORMS.keySet())) + ". Build it for this machine (cargo build"
                    + " --release -p kuaimi-java), and name it by the system property " + PROPERTY + ".");
        }
        return name;
    }

    static void checkVersion(String found) {
        if (!found.equals(BuildVersion.VERSION)) {
            throw new ProviderException("Kuaimi's native library is of version " + found + ", the jar of version "
                    + BuildVersion.VERSION + ": they must be the same.");
        }
    }

    private static void loadFromJar(String platform) throws IOException {
        String fileName = PLATFORMS.get(platform);
        String name = "native/" + platform + "/" + fileName;
        byte[] library = resource(name);
        String checksum = new String(resource(name + ".crc32"), StandardCharsets.US_ASCII).strip();
        Path folder = privateFolder();
        Path file = folder.resolve(fileName);
        try {
            Files.write(file, library, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            checkWhole(Files.readAllBytes(file), checksum);
            System.load(file.toString());
        } finally {
            // What is loaded stays loaded.
            delete(file);
            delete(folder);
        }
    }

    /** Windows gives each user such folders of his own. */
    private static Path privateFolder() throws IOException {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            return Files.createTempDirectory(PREFIX);
        }
        return Files.createTempDirectory(
                PREFIX, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static void delete(Path path) throws IOException {
        try {
            Files.deleteIfExists(path);
        } catch (IOException failure) {
            // Windows keeps a library that is loaded, and its folder.
            if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                throw failure;
            }
        }
    }

    /**
     * Detects a damaged library. This is not a signature: an attacker who can change the library in the jar can change the checksum, too,
     * and could change a SHA-256 digest in the same way. SHA-256 of 6 MB takes 0.3 s in a JVM that has just started.
     */
    static void checkWhole(byte[] library, String checksum) {
        CRC32 found = new CRC32();
        found.update(library);
        if (found.getValue() != Long.parseLong(checksum, 16)) {
            throw new ProviderException(
                    "Kuaimi's native library is not what the jar says (CRC-32): the jar or the file was damaged.");
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream stream = NativeLibrary.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new ProviderException("this jar of Kuaimi was built without " + name
                        + ". Build it on such a machine (make java), or name the library by the system property "
                        + PROPERTY + ".");
            }
            return stream.readAllBytes();
        }
    }
}
