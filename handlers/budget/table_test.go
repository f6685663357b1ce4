package budget

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// bound is what a figure must be; the zero bound takes any.
type bound struct {
	sign  string // ≥ or ≤; empty: unbounded
	limit float64
}

var unbounded bound

func atLeast(limit float64) bound { return bound{"≥", limit} }
func atMost(limit float64) bound  { return bound{"≤", limit} }

func (b bound) keptBy(value float64) bool {
	return b.sign == "≥" && value >= b.limit || b.sign == "≤" && value <= b.limit
}

// figure is what a benchmark measures.
type figure struct {
	value float64
	unit  string
	bound bound
}

// row is a figure that has a budget.
type row struct {
	benchmark string
	figure
}

// What was measured in this run. Benchmarks run one after the other.
var (
	rows []row
	done = make(map[string][]figure) // by [once]
)

// report tells a figure, and keeps it for the table where it has a budget. A benchmark
// is run more than once; the last run counts.
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

// once measures what does not depend on b.N: the first time, however often the
// benchmark is run.
func once(b *testing.B, measure func() []figure) {
	b.Helper()
	if done[b.Name()] == nil {
		done[b.Name()] = measure()
	}
	b.ReportMetric(0, "ns/op") // which says nothing here
	for _, f := range done[b.Name()] {
		report(b, f)
	}
}

// printTable prints the figures beside their budgets, as a table of Markdown.
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

// short writes a number with three digits that count.
func short(value float64) string {
	if value >= 1000 {
		return strconv.FormatFloat(value, 'f', 0, 64)
	}
	return strconv.FormatFloat(value, 'g', 3, 64)
}
