// Command bench measures this library beside github.com/tjfoc/gmsm and github.com/emmansun/gmsm, in turn on one core, and prints the
// processor time, the bytes and the allocations of an operation, and the ratios. `make go-bench` runs it.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kuaimi/kuaimi/bindings/go"
)

// A row is one operation of some libraries. Each function does it once, or as many times as items says.
type row struct {
	name  string
	items int
	// The ratio that is the goal, beside whom; 0 for none. Where the goal depends on the CPU: withIFMA.
	goal, withIFMA float64
	beside         string
	// The most allocations of this library, where that is a goal.
	allocations int64
	entries     []entry
}

type entry struct {
	library string
	run     func()
}

// A figure is the median of the rounds.
type figure struct {
	nanoseconds        float64
	allocations, bytes int64
}

func measure(rows []row, rounds int, each time.Duration) [][]figure {
	times := make([][][]float64, len(rows))
	figures := make([][]figure, len(rows))
	for r, row := range rows {
		times[r] = make([][]float64, len(row.entries))
		figures[r] = make([]figure, len(row.entries))
	}
	for round := range rounds {
		for r, row := range rows {
			// The order changes with the round, so that none is always first.
			for k := range row.entries {
				e := (k + round) % len(row.entries)
				run := row.entries[e].run
				run()
				runtime.GC()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				begin, used, n := time.Now(), processorTime(), 0
				for time.Since(begin) < each {
					run()
					n++
				}
				elapsed := processorTime() - used
				runtime.ReadMemStats(&after)
				operations := float64(n * row.items)
				times[r][e] = append(times[r][e], float64(elapsed.Nanoseconds())/operations)
				figures[r][e].bytes = int64(float64(after.TotalAlloc-before.TotalAlloc) / operations)
			}
		}
	}
	for r, row := range rows {
		for e := range row.entries {
			slices.Sort(times[r][e])
			figures[r][e].nanoseconds = times[r][e][len(times[r][e])/2]
			figures[r][e].allocations = int64(testing.AllocsPerRun(20, row.entries[e].run)) / int64(row.items)
		}
	}
	return figures
}

// processorTime is what the process has used, on all threads, the collector's included: other programs on the machine change it less
// than the time of day.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	rounds := flag.Int("rounds", 7, "rounds, of which the median is printed")
	each := flag.Duration("each", 200*time.Millisecond, "time for one library and operation in a round")
	only := flag.String("only", "", "only the operations whose names contain this")
	check := flag.Bool("check", false, "say which of the project's goals are reached, and fail if one is missed")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	rows := slices.DeleteFunc(operations(), func(r row) bool { return !strings.Contains(r.name, *only) })
	hasIFMA := kuaimi.Backend() == "ifma"
	fmt.Printf("%s, %s/%s, backend %s, one core, processor time, the median of %d rounds\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		kuaimi.Backend(), *rounds)
	heading := ""
	if *check {
		heading = "goal"
	}
	fmt.Printf("%-38s %-18s %12s %8s %10s %8s  %s\n", "operation", "library", "ns/op", "B/op", "allocs/op", "ratio", heading)
	missed := 0
	for r, figures := range measure(rows, *rounds, *each) {
		row := rows[r]
		goal := row.goal
		if hasIFMA && row.withIFMA != 0 {
			goal = row.withIFMA
		}
		for e, figure := range figures {
			name, ratio, verdict := "", "", ""
			if e == 0 {
				name = row.name
				if *check && row.allocations != 0 {
					verdict = fmt.Sprintf("at most %d allocations%s", row.allocations, tell(figure.allocations <= row.allocations, &missed))
				}
			} else {
				times := figure.nanoseconds / figures[0].nanoseconds
				ratio = fmt.Sprintf("%.2f", times)
				if *check && row.entries[e].library == row.beside && goal != 0 {
					verdict = fmt.Sprintf("%.1f%s", goal, tell(times >= goal, &missed))
				}
			}
			fmt.Printf("%-38s %-18s %12.0f %8d %10d %8s  %s\n", name, row.entries[e].library, figure.nanoseconds, figure.bytes,
				figure.allocations, ratio, verdict)
		}
	}
	if missed > 0 && *check {
		os.Exit(1)
	}
}

func tell(reached bool, missed *int) string {
	if reached {
		return ": reached"
	}
	*missed++
	return ": MISSED"
}
