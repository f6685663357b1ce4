package budget

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
)

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
				server, err := handlers.New(handlers.Config{Baseline: state, SandboxMemory: 1 << 30})
				if err != nil {
					b.Fatal(err)
				}
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
				return []figure{{ratio("export"), "export/state", atMost(1.5)}, {ratio("import"), "import/state", atMost(1.5)}}
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
