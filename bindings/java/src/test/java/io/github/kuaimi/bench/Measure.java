package io.github.kuaimi.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs all benchmarks in rounds, so that every provider meets the machine's good and bad times, and prints medians and ratios. */
public final class Measure {
    private static final int ROUNDS = 3;
    private static final Map<String, Double> GOALS = Map.of("sign", 8.0, "verify", 5.0);

    private Measure() {}

    /** @param arguments a regular expression of benchmarks, or none for all */
    public static void main(String[] arguments) throws Exception {
        Map<String, Map<Providers, List<Double>>> rates = new TreeMap<>();
        for (int round = 1; round <= ROUNDS; round++) {
            System.out.println("round " + round + " of " + ROUNDS);
            Options options = new OptionsBuilder()
                    .include("ProviderBenchmark" + (arguments.length > 0 ? ".*" + arguments[0] : ""))
                    .forks(1)
                    .warmupIterations(3)
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(2)
                    .measurementTime(TimeValue.seconds(1))
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .build();
            for (RunResult result : new Runner(options).run()) {
                String name = result.getPrimaryResult().getLabel();
                Providers provider = Providers.valueOf(result.getParams().getParam("provider"));
                rates.computeIfAbsent(name, none -> new EnumMap<>(Providers.class))
                        .computeIfAbsent(provider, none -> new ArrayList<>())
                        .add(rate(result));
            }
        }
        System.out.printf("%n%-19s", "a CPU second");
        Arrays.stream(Providers.values()).forEach(provider -> System.out.printf("%16s", provider));
        System.out.printf("%12s %12s %16s%n", "x BC", "x Kona", "x Kona native");
        rates.forEach(Measure::print);
    }

    /** Operations in a second of processor time. */
    private static double rate(RunResult result) {
        double operations = result.getSecondaryResults().get("operations").getScore();
        return 1e9 * operations / result.getSecondaryResults().get("nanoseconds").getScore();
    }

    private static void print(String name, Map<Providers, List<Double>> rates) {
        double[] medians = new double[Providers.values().length];
        System.out.printf("%-19s", name);
        for (Providers provider : Providers.values()) {
            double[] sorted = rates.get(provider).stream().mapToDouble(rate -> rate).sorted().toArray();
            medians[provider.ordinal()] = sorted[sorted.length / 2];
            System.out.printf("%16.0f", sorted[sorted.length / 2]);
        }
        System.out.printf("%12.1f %12.1f %16.1f", medians[0] / medians[1], medians[0] / medians[2], medians[0] / medians[3]);
        Double goal = GOALS.get(name);
        System.out.println(goal == null ? "" : "   goal " + goal + ": " + (medians[0] / medians[1] >= goal ? "met" : "NOT MET"));
    }
}
