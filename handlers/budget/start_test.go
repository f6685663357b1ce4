package budget

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// BenchmarkStart measures the time from exec to the first 200, and compares it to a bare server's.
func BenchmarkStart(b *testing.B) {
	once(b, func() []figure {
		var ours, bare []time.Duration
		programtest.Petstore.Path(b) // build outside the measured time
		programtest.Bare.Path(b)
		for range times(21) {
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

// startToAnswer starts a server and returns the time until its first 200.
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

// BenchmarkMemory reports the resident memory in MB after the first response, and after many.
func BenchmarkMemory(b *testing.B) {
	once(b, func() []figure {
		p := startProgram(b, 100)
		p.answer(b, get("/pets"))
		idle := p.megabytes()
		for i := range 10 {
			load(b, p.addr, []string{get("/pets/42"), get("/pets")}[i%2], times(1_000_000)/10)
		}
		return []figure{{idle, "MB-idle", atMost(20)}, {p.megabytes(), "MB-after", atMost(48)}}
	})
}

func BenchmarkMemoryMillionPets(b *testing.B) {
	once(b, func() []figure {
		p := startProgram(b, 1_000_000)
		p.answer(b, get("/pets"))
		return []figure{{p.megabytes(), "MB", atMost(260)}}
	})
}

// BenchmarkMemorySandboxes fills the server with sandboxes. In each, a client with few headers or
// with a browser's headers makes some writes.
func BenchmarkMemorySandboxes(b *testing.B) {
	const writes = 20
	sandboxes := times(9_999) // plus the default sandbox
	for _, client := range []struct{ name, headers string }{{"few headers", headers}, {"browser", browserHeaders}} {
		b.Run(client.name, func(b *testing.B) {
			once(b, func() []figure {
				p := startProgram(b, 100)
				names := make(chan int)
				var clients sync.WaitGroup
				for range connections {
					clients.Go(func() {
						for name := range names {
							path := fmt.Sprintf("/sandboxes/s%d/pets", name)
							request := strings.Replace(post(path, `{"name":"Rex","categoryId":3}`), headers,
								client.headers, 1)
							if err := ask(p.addr, request, writes); err != nil {
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
				return []figure{{p.megabytes(), "MB-under-load", unbounded}, {p.idleMemory(), "MB", atMost(400)}}
			})
		})
	}
}

// browserHeaders are the headers of a request by a web page.
const browserHeaders = "Host: 127.0.0.1\r\nConnection: keep-alive\r\nAccept: application/json, text/plain, */*\r\n" +
	"Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7\r\n" +
	"Origin: http://localhost:5173\r\nReferer: http://localhost:5173/\r\n" +
	"Sec-Ch-Ua: \"Chromium\";v=\"142\", \"Google Chrome\";v=\"142\", \"Not_A Brand\";v=\"99\"\r\n" +
	"Sec-Ch-Ua-Mobile: ?0\r\nSec-Ch-Ua-Platform: \"Linux\"\r\nSec-Fetch-Dest: empty\r\nSec-Fetch-Mode: " +
	"cors\r\nSec-Fetch-Site: same-site\r\n" +
	"User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 " +
	"Safari/537.36\r\n"

// idleMemory returns the resident memory in MB after the program had time to release unused memory.
func (p *process) idleMemory() float64 {
	least := p.megabytes()
	for quiet := 0; quiet < times(15); quiet++ {
		time.Sleep(time.Second)
		if now := p.megabytes(); now < least*0.99 {
			least, quiet = now, 0
		}
	}
	return p.megabytes()
}

// BenchmarkWorlds reports the time to export and import a world with its data, as a multiple of the
// time for the same data as a state.
func BenchmarkWorlds(b *testing.B) {
	const turns = 5 // of both, so that noise affects both alike
	for _, pets := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(pets), func(b *testing.B) {
			once(b, func() []figure {
				state, err := fixtures.Generate(1, fixtures.Sizes{Pets: pets, Categories: 8, Orders: pets / 10}, nil)
				if err != nil {
					b.Fatal(err)
				}
				server := must.Get(handlers.New(handlers.Config{Baseline: state, SandboxMemory: 1 << 30}))(b)
				defer server.Close()
				w := &world{server, pets}
				took := make(map[string][]time.Duration)
				for range turns {
					for _, what := range []string{"state", "world"} { // each in its own sandbox
						path := "/sandboxes/" + what + "/admin/" + what
						w.do(b, call{"POST", "/sandboxes/" + what + "/pets", `{"name":"Rex","categoryId":3}`})
						file := w.answer(b, call{"GET", path, ""})
						took["export "+what] = append(took["export "+what], w.do(b, call{"GET", path, ""}))
						took["import "+what] = append(took["import "+what], w.do(b, call{"PUT", path, file}))
					}
				}
				ratio := func(way string) float64 { return median(took[way+" world"]) / median(took[way+" state"]) }
				return []figure{{ratio("export"), "export/state", atMost(1.5)},
					{ratio("import"), "import/state", atMost(1.5)}}
			})
		})
	}
}

// answer returns the body of the response.
func (w *world) answer(b *testing.B, c call) string {
	b.Helper()
	answer := httptest.NewRecorder()
	w.server.ServeHTTP(answer, httptest.NewRequest(c.method, "http://127.0.0.1"+c.path, nil))
	return answer.Body.String()
}
