package budget

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// bound is the limit of a figure. The zero bound accepts every value.
type bound struct {
	sign  string // ≥ or ≤, or empty for no limit
	limit float64
}

var unbounded bound

func atLeast(limit float64) bound { return bound{"≥", limit} }
func atMost(limit float64) bound  { return bound{"≤", limit} }

func (b bound) keptBy(value float64) bool {
	return b.sign == "≥" && value >= b.limit || b.sign == "≤" && value <= b.limit
}

// figure is a measured value.
type figure struct {
	value float64
	unit  string
	bound bound
}

// row is a figure with a budget.
type row struct {
	benchmark string
	figure
}

// The figures of this run. Benchmarks run one after the other.
var (
	rows []row
	done = make(map[string][]figure) // by name of the benchmark, set by [once]
)

// report reports a figure, and adds it to the table if it has a budget. If a benchmark runs more
// than once, the last run counts.
func report(b *testing.B, f figure) {
	b.Helper()
	b.ReportMetric(f.value, f.unit)
	if f.bound == unbounded {
		return
	}
	r := row{strings.TrimPrefix(b.Name(), "Benchmark"), f}
	for i := range rows {
		if rows[i].benchmark == r.benchmark && rows[i].unit == f.unit {
			rows[i] = r
			return
		}
	}
	rows = append(rows, r)
}

// once measures figures that do not depend on b.N, only in the first run of a benchmark.
func once(b *testing.B, measure func() []figure) {
	b.Helper()
	if done[b.Name()] == nil {
		done[b.Name()] = measure()
	}
	b.ReportMetric(0, "ns/op") // omit the meaningless time
	for _, f := range done[b.Name()] {
		report(b, f)
	}
}

// printTable prints the figures and their budgets as a Markdown table.
func printTable() {
	if len(rows) == 0 {
		return
	}
	fmt.Print("\n| benchmark | measured | budget | |\n| --- | --- | --- | --- |\n")
	for _, r := range rows {
		verdict := "kept"
		if !r.bound.keptBy(r.value) {
			verdict = "missed"
		}
		fmt.Printf("| %s | %s %s | %s %s | %s |\n", r.benchmark, short(r.value), r.unit, r.bound.sign, short(r.bound.limit), verdict)
	}
	fmt.Println()
}

// short formats a number with three significant digits.
func short(value float64) string {
	if value >= 1000 {
		return strconv.FormatFloat(value, 'f', 0, 64)
	}
	return strconv.FormatFloat(value, 'g', 3, 64)
}
