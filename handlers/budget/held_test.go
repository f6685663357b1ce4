package budget

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
)

// BenchmarkBytesAPet reports the memory of a pet, including its inventory entry and all indexes.
func BenchmarkBytesAPet(b *testing.B) {
	const pets = 1_000_000
	once(b, func() []figure {
		before := heapBytes()
		state := must.Get(fixtures.Generate(1, fixtures.Sizes{Pets: pets, Categories: 8}, nil))(b)
		taken := heapBytes() - before
		runtime.KeepAlive(state)
		return []figure{{taken / pets, "B/pet", atMost(250)}}
	})
}

// BenchmarkUntouchedSandbox reports the memory of a new, unused sandbox.
func BenchmarkUntouchedSandbox(b *testing.B) {
	const sandboxes = 10_000
	once(b, func() []figure {
		server := must.Get(handlers.New(handlers.Config{MaxSandboxes: sandboxes + 1}))(b)
		defer server.Close()
		before := heapBytes()
		for i := range sandboxes {
			if _, _, _, err := server.Sandboxes().Make(fmt.Sprint("sandbox-", i), registry.CreateOptions{}); err != nil {
				b.Fatal(err)
			}
		}
		return []figure{{(heapBytes() - before) / sandboxes, "B/sandbox", atMost(2 << 10)}}
	})
}

func heapBytes() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// BenchmarkWork reports the median time of operations that only copy a pointer, without HTTP.
func BenchmarkWork(b *testing.B) {
	for _, work := range []struct {
		name     string
		do, undo func(r *registry.Registry) error
	}{
		{"reset", func(r *registry.Registry) error { r.Default().Reset(); return nil }, nothing},
		{"snapshot", func(r *registry.Registry) error {
			sb := r.Default()
			_, _, err := sb.Snapshots.Take("work", sb.Store.Keep(), sb.Clock.Now())
			return err
		}, nothing},
		{"fork", func(r *registry.Registry) error { _, err := r.Fork(sandbox.Default, "work", nil); return err }, drop},
		{"new sandbox",
			func(r *registry.Registry) error {
				_, _, _, err := r.Make("work", registry.CreateOptions{})
				return err
			}, drop},
	} {
		b.Run(work.name, func(b *testing.B) {
			once(b, func() []figure {
				var middle [2]float64
				for i, pets := range []int{1_000, 1_000_000} {
					r := worldOf(b, pets).server.Sandboxes()
					runtime.GC() // collect the garbage of the other size
					took := make([]time.Duration, times(10_000))
					for n := range took {
						began := time.Now()
						err := work.do(r)
						took[n] = time.Since(began)
						must.Succeed(b, errors.Join(err, work.undo(r)))
					}
					middle[i] = median(took)
				}
				return []figure{{middle[1] * 1e6, "µs-1e6", atMost(2)},
					{middle[1] / middle[0], "time-1e6/1e3", unbounded}}
			})
		})
	}
}

func nothing(*registry.Registry) error { return nil }

func drop(r *registry.Registry) error { return r.Drop("work") }

// BenchmarkImport reports the peak memory of an import, as a multiple of the body's bytes.
func BenchmarkImport(b *testing.B) {
	const size = 8 << 20
	state := must.Get(fixtures.Generate(1, fixtures.Sizes{Pets: 80_000, Categories: 8, Orders: 10_000}, nil))(b)
	exported := must.Get(fixtures.Encode(state))(b)
	var ids bytes.Buffer
	ids.WriteString(`{"orders":[{"id":1}`)
	for id := 2; ids.Len() < size; id++ {
		fmt.Fprintf(&ids, `,{"id":%d}`, id)
	}
	ids.WriteString("]}")
	for _, body := range []struct {
		name string
		text []byte
	}{
		{"export", exported},
		{"nothing but ids", ids.Bytes()},
		{"nothing but faults", []byte(`{"pets":[0` + strings.Repeat(",0", size/2) + "]}")},
	} {
		b.Run(body.name, func(b *testing.B) {
			once(b, func() []figure {
				p := startProgram(b, 100, "--sandbox-memory", "1GiB")
				p.answer(b, get("/pets"))
				before := p.megabytes()
				r, err := http.NewRequest(http.MethodPut, "http://"+p.addr+"/admin/state", bytes.NewReader(body.text))
				if err != nil {
					b.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/json")
				answer := must.Get(http.DefaultClient.Do(r))(b)
				answer.Body.Close()
				return []figure{{(p.peak(b) - before) * 1e6 / float64(len(body.text)), "x-bytes", atMost(6)}}
			})
		})
	}
}

// peak returns the peak resident memory of the process, in MB.
func (p *process) peak(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	if err != nil {
		b.Skip(err)
	}
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	var kib float64
	must.Get(fmt.Sscan(line, &kib))(b)
	return kib * 1024 / 1e6
}

// BenchmarkSlowClient reports the memory of a client that does not read, beyond the size of its
// response.
func BenchmarkSlowClient(b *testing.B) {
	const clients = 400
	once(b, func() []figure {
		p := startProgram(b, 2000)
		owed := float64(len(p.answer(b, get("/pets?limit=1000"))))
		before := p.megabytes()
		for range clients {
			c := must.Get(net.Dial("tcp", p.addr))(b)
			defer c.Close()
			_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
			must.Get(io.WriteString(c, get("/pets?limit=1000")))(b)
			must.Get(io.ReadFull(c, make([]byte, 1)))(b)
		}
		return []figure{{max(0, (p.megabytes()-before)*1e6/clients-owed) / 1e3, "kB-beyond", atMost(64)}}
	})
}

func BenchmarkBinary(b *testing.B) {
	once(b, func() []figure {
		file := must.Get(os.Stat(programtest.Petstore.Path(b)))(b)
		return []figure{{float64(file.Size()) / 1e6, "MB", atMost(25)}}
	})
}

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

// times returns a number of repetitions, or a hundredth of it under -short, which only checks that each benchmark runs.
func times(n int) int {
	if testing.Short() {
		return max(1, n/100)
	}
	return n
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
		fmt.Printf("| %s | %s %s | %s %s | %s |\n", r.benchmark, short(r.value), r.unit, r.bound.sign,
			short(r.bound.limit), verdict)
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
