package io.github.kuaimi;

import static io.github.kuaimi.Testing.JAR;
import static io.github.kuaimi.Testing.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every example of the pages runs, each as a program of its own with nothing but the jar. */
class DocsTest {
    private static final Pattern BLOCK = Pattern.compile("```(java|properties|xml|sh)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    private static List<String> blocks(String page, String language) throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(Files.readString(ROOT.resolve(page)));
        while (matcher.find()) {
            if (matcher.group(1).equals(language)) {
                blocks.add(matcher.group(2));
            }
        }
        assertFalse(blocks.isEmpty(), "there is no example");
        return blocks;
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "README.zh-CN.md", "docs/java.md", "docs/java.zh-CN.md"})
    void examplesRun(String page) throws Exception {
        // What the examples read.
        Files.copy(ROOT.resolve("crates/kuaimi-pki/tests/data/cfca/field.sm2"), folder.resolve("holder.sm2"));
        for (String block : blocks(page, "java")) {
            String imports = block.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
            String body = block.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
            Path file = Files.writeString(
                    folder.resolve("Example.java"),
                    imports + "\npublic class Example {\n  public static void main(String[] arguments) throws Exception {\n"
                            + body + "\n  }\n}\n");
            Process process = new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/java", "-ea", "-cp", JAR.toString(), file.toString())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes());
            assertEquals(0, process.waitFor(), block + output);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"README", "docs/java"})
    void bothLanguagesHaveTheSameExamples(String page) throws Exception {
        assertEquals(withoutComments(blocks(page + ".md", "java")), withoutComments(blocks(page + ".zh-CN.md", "java")));
    }

    private static List<String> withoutComments(List<String> blocks) {
        return blocks.stream().map(block -> block.replaceAll("\\s*//.*", "")).collect(Collectors.toList());
    }

    /** The settings that {@link ProgramsTest} runs keytool and jarsigner with. */
    @Test
    void theSettingsForJavasPrograms() throws Exception {
        assertEquals(List.of(ProgramsTest.SETTINGS), blocks("docs/java.md", "properties"));
        assertEquals(List.of(ProgramsTest.SETTINGS), blocks("docs/java.zh-CN.md", "properties"));
    }

    /** What {@code mvn install} puts into the local repository is what the pages depend on. */
    @Test
    void theDependencyIsWhatIsInstalled() throws Exception {
        String project = Files.readString(ROOT.resolve("bindings/java/pom.xml"));
        String coordinates = "";
        for (String name : new String[] {"groupId", "artifactId", "version"}) {
            Matcher element = Pattern.compile("<" + name + ">(.*?)</" + name + ">").matcher(project);
            assertTrue(element.find());
            coordinates += "  " + element.group() + "\n";
        }
        for (String page : new String[] {"docs/java.md", "docs/java.zh-CN.md"}) {
            assertEquals(List.of("<dependency>\n" + coordinates + "</dependency>\n"), blocks(page, "xml"));
            assertTrue(blocks(page, "sh").get(0).contains("mvn -q -f bindings/java install -Dmaven.test.skip=true"));
        }
        String version = Testing.KUAIMI.getVersionStr();
        for (String page : new String[] {"README.md", "README.zh-CN.md"}) {
            assertTrue(Files.readString(ROOT.resolve(page)).contains("`io.github.kuaimi:kuaimi:" + version + "`"), page);
        }
    }

    /** Every service is in the table of both pages. */
    @Test
    void everyServiceIsNamed() throws Exception {
        for (String page : new String[] {"docs/java.md", "docs/java.zh-CN.md"}) {
            String text = Files.readString(ROOT.resolve(page));
            for (java.security.Provider.Service service : Testing.KUAIMI.getServices()) {
                String row = "| `" + service.getType() + "` |";
                assertTrue(text.contains(row), row);
                String named = text.substring(text.indexOf(row)).lines().findFirst().orElseThrow();
                assertTrue(named.contains("`" + service.getAlgorithm() + "`"), service.toString());
            }
        }
    }
}
