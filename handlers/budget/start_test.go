package budget

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// starts is how often a start is measured. The median counts.
const starts = 21

// requests is how many a server answers before its memory is looked at.
const requests = 1_000_000

// BenchmarkStart measures from exec to the first 200, against a server that does
// nothing else.
func BenchmarkStart(b *testing.B) {
	once(b, func() []figure {
		var ours, bare []time.Duration
		programtest.Petstore.Path(b) // built before it counts
		programtest.Bare.Path(b)
		for range starts {
			ours = append(ours, startToAnswer(b, programtest.Petstore, "/pets", "--addr", "127.0.0.1:0"))
			bare = append(bare, startToAnswer(b, programtest.Bare, "/"))
		}
		return []figure{
			{median(ours) * 1e3, "ms", unbounded},
			{median(ours) / median(bare), "time/bare", atMost(2)},
		}
	})
}

func BenchmarkStartMillionPets(b *testing.B) {
	once(b, func() []figure {
		programtest.Petstore.Path(b)
		took := startToAnswer(b, programtest.Petstore, "/pets", "--addr", "127.0.0.1:0", "--pets", "1000000")
		return []figure{{took.Seconds(), "s", atMost(2)}}
	})
}

// startToAnswer starts a server and returns how long it took from there to its first
// 200.
func startToAnswer(b *testing.B, binary programtest.Binary, path string, flags ...string) time.Duration {
	b.Helper()
	began := time.Now()
	p := start(b, binary, nil, flags...)
	p.answer(b, get(path))
	took := time.Since(began)
	p.Kill()
	return took
}

// median returns the median in seconds.
func median(all []time.Duration) float64 {
	slices.Sort(all)
	return all[len(all)/2].Seconds()
}

// BenchmarkMemory reports the resident memory in MB after the first answer, and after
// many.
func BenchmarkMemory(b *testing.B) {
	once(b, func() []figure {
		p := startProgram(b, 100)
		p.answer(b, get("/pets"))
		idle := p.megabytes()
		for i := range 10 {
			load(b, p.addr, []string{get("/pets/42"), get("/pets")}[i%2], requests/10)
		}
		return []figure{{idle, "MB-idle", atMost(20)}, {p.megabytes(), "MB-after", atMost(32)}}
	})
}

func BenchmarkMemoryMillionPets(b *testing.B) {
	once(b, func() []figure {
		p := startProgram(b, 1_000_000)
		p.answer(b, get("/pets"))
		return []figure{{p.megabytes(), "MB", atMost(350)}}
	})
}

// BenchmarkMemorySandboxes fills the server with sandboxes, each with some writes.
func BenchmarkMemorySandboxes(b *testing.B) {
	const sandboxes, writes = 9_999, 20 // and the default one
	once(b, func() []figure {
		p := startProgram(b, 100)
		names := make(chan int)
		var clients sync.WaitGroup
		for range connections {
			clients.Go(func() {
				for name := range names {
					path := fmt.Sprintf("/sandboxes/s%d/pets", name)
					if err := ask(p.addr, post(path, `{"name":"Rex","categoryId":3}`), writes); err != nil {
						b.Error(err)
					}
				}
			})
		}
		for name := range sandboxes {
			names <- name
		}
		close(names)
		clients.Wait()
		return []figure{{p.megabytes(), "MB-under-load", unbounded}, {p.calm(), "MB", atMost(400)}}
	})
}

// calm returns the resident memory in MB when the program has had the time to give back
// what it does not need any more.
func (p *process) calm() float64 {
	least := p.megabytes()
	for quiet := 0; quiet < 15; quiet++ {
		time.Sleep(time.Second)
		if now := p.megabytes(); now < least*0.99 {
			least, quiet = now, 0
		}
	}
	return p.megabytes()
}
