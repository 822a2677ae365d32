import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** The protocol of ../README.md for programs in Java. */
final class Line {
    /** What is timed. */
    interface Once {
        byte[] run() throws Exception;
    }

    /** Reads the inputs and gives what is timed. */
    interface Operation {
        Once of(Map<String, byte[]> inputs) throws Exception;
    }

    private Line() {
    }

    static byte[] truth(boolean yes) {
        return new byte[] {(byte) (yes ? 1 : 0)};
    }

    /** Answers requests until the input ends. */
    static void serve(String hello, Map<String, Operation> operations) throws IOException {
        Map<String, byte[]> inputs = new HashMap<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String answer;
            try {
                answer = ("ok " + answer(line.trim().split(" "), hello, inputs, operations)).trim();
            } catch (Exception error) {
                answer = "error " + error.toString().replace('\n', ' ');
            }
            System.out.println(answer);
            System.out.flush();
        }
    }

    private static String answer(String[] words, String hello, Map<String, byte[]> inputs, Map<String, Operation> operations)
            throws Exception {
        Operation operation = words.length > 1 ? operations.get(words[1]) : null;
        if (words[0].equals("hello")) {
            return hello + " operations=" + String.join(",", operations.keySet());
        } else if (words[0].equals("set") && words.length == 3) {
            inputs.put(words[1], HexFormat.of().parseHex(words[2]));
            return "";
        } else if (words[0].equals("fill") && words.length == 3) {
            byte[] bytes = new byte[Integer.parseInt(words[2])];
            Arrays.fill(bytes, (byte) 0x5A);
            inputs.put(words[1], bytes);
            return "";
        } else if (words[0].equals("make") && operation != null) {
            return HexFormat.of().formatHex(operation.of(inputs).run());
        } else if (words[0].equals("run") && operation != null && words.length == 3) {
            return Long.toString(time(operation.of(inputs), Long.parseLong(words[2])));
        }
        throw new IllegalArgumentException("unknown request");
    }

    private static long time(Once once, long count) throws Exception {
        long begun = System.nanoTime();
        for (long i = 0; i < count; i++) {
            once.run();
        }
        return System.nanoTime() - begun;
    }
}
