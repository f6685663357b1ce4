package budget

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/store"
)

// BenchmarkGrowth measures each operation without the connection, with 1,000 to 1,000,000 pets and
// as many categories, orders and messages, as a multiple of its time with 1,000.
func BenchmarkGrowth(b *testing.B) {
	turns, rounds := times(5), times(400) // turns of all sizes, so that noise affects them alike
	sizes := []int{1_000, 10_000, 100_000, 1_000_000}
	for _, op := range growing {
		b.Run(op.name, func(b *testing.B) {
			once(b, func() []figure {
				took := make([][]time.Duration, len(sizes))
				for range turns {
					for i, pets := range sizes {
						took[i] = append(took[i], worldOf(b, pets).time(b, op, rounds)...)
					}
				}
				least := median(took[0])
				return []figure{
					{least * 1e6, "µs-1e3", unbounded},
					{median(took[1]) / least, "time-1e4/1e3", unbounded},
					{median(took[2]) / least, "time-1e5/1e3", unbounded},
					{median(took[3]) / least, "time-1e6/1e3", op.growth},
				}
			})
		})
	}
}

// operation is an operation with the limit of its growth from 1,000 to 1,000,000 pets.
type operation struct {
	name   string
	growth bound
	calls  []call // the first is measured
}

// call is a request. In the path and the body, ID stands for one of the records, LAST for the last
// one, ROUND for the number of the round, HALF for half the records, and FEW for a fortieth.
type call struct{ method, path, body string }

func (c call) in(pets, round int) call {
	fill := strings.NewReplacer("ID", fmt.Sprint(1+round*7919%pets), "LAST", fmt.Sprint(pets), "ROUND",
		fmt.Sprint(round+1),
		"HALF", fmt.Sprint(pets/2), "FEW", fmt.Sprint(pets/40))
	return call{c.method, fill.Replace(c.path), fill.Replace(c.body)}
}

var (
	undo    = call{"POST", "/admin/undo", ""}
	newPet  = call{"POST", "/pets", `{"name":"Rex","categoryId":3}`}
	growing = []operation{
		{"getPet", atMost(3), []call{{"GET", "/pets/ID", ""}}},
		{"listPets/first", atMost(3), []call{{"GET", "/pets", ""}}},
		{"listPets/middle", atMost(3), []call{{"GET", "/pets?offset=HALF", ""}}},
		{"listPets/filtered", atMost(3), []call{{"GET", "/pets?status=available&categoryId=3&offset=FEW", ""}}},
		{"listPets/descending", atMost(3), []call{{"GET", "/pets?sort=-id&offset=HALF", ""}}},
		{"listInventory/middle", atMost(3), []call{{"GET", "/store/inventory?offset=HALF", ""}}},
		{"createPet", atMost(1.5), []call{newPet}},
		{"updatePet", atMost(3), []call{{"PATCH", "/pets/ID", `{"name":"Rex ROUND"}`}}},
		{"replacePet", atMost(3), []call{{"PUT", "/pets/ID", `{"name":"Rex ROUND","categoryId":3}`}}},
		{"deletePet", atMost(3), []call{{"DELETE", "/pets/ID", ""}, undo}},
		{"updateInventory", atMost(3), []call{{"PUT", "/store/inventory/ID", `{"quantity":ROUND}`}}},
		{"getInventoryItem", atMost(3), []call{{"GET", "/store/inventory/ID", ""}}},
		{"getPetPhoto", atMost(3), []call{{"GET", "/pets/ID/photo", ""}}},
		{"listCategories/middle", atMost(3), []call{{"GET", "/categories?offset=HALF", ""}}},
		{"getCategory", atMost(3), []call{{"GET", "/categories/ID", ""}}},
		{"updateCategory", atMost(3), []call{{"PATCH", "/categories/ID", `{"name":"Rare ROUND"}`}}},
		{"replaceCategory", atMost(3), []call{{"PUT", "/categories/ID", `{"name":"Rare ROUND"}`}}},
		{"deleteCategory", atMost(3), []call{{"DELETE", "/categories/LAST", ""}, undo}},
		{"listOrders/middle", atMost(3), []call{{"GET", "/store/orders?offset=HALF", ""}}},
		{"getOrder", atMost(3), []call{{"GET", "/store/orders/ID", ""}}},
		{"updateOrder", atMost(3), []call{{"PATCH", "/store/orders/ID", `{"quantity":ROUND}`}}},
		{"replaceOrder", atMost(3), []call{{"PUT", "/store/orders/ID", `{"petId":1,"quantity":ROUND}`}}},
		{"deleteOrder", atMost(3), []call{{"DELETE", "/store/orders/ID", ""}, undo}},
		{"listMessages/middle", atMost(3), []call{{"GET", "/messages?offset=HALF", ""}}},
		{"getMessage", atMost(3), []call{{"GET", "/messages/ID", ""}}},
		{"createCategory", atMost(3), []call{{"POST", "/categories", `{"name":"Rare"}`}}},
		{"createOrder", atMost(3), []call{{"POST", "/store/orders", `{"petId":1}`}}},
		{"createMessage", atMost(3), []call{{"POST", "/messages", `{"message":"Hello"}`}}},
		{"undo", atMost(3), []call{undo, newPet}},
		{"reset", atMost(3), []call{{"POST", "/admin/reset", ""}}},
		{"snapshot", atMost(3), []call{{"PUT", "/admin/snapshots/a", ""}}},
		{"restore", atMost(3), []call{{"POST", "/admin/snapshots/a/restore", ""}}},
		{"fork", atMost(3),
			[]call{{"POST", "/admin/sandboxes/default/fork", `{"name":"fork"}`},
				{"DELETE", "/admin/sandboxes/fork", ""}}},
		{"new sandbox", atMost(3),
			[]call{{"GET", "/sandboxes/new/pets/1", ""}, {"DELETE", "/admin/sandboxes/new", ""}}},
	}
)

// world is a server with the given number of pets.
type world struct {
	server *handlers.Server
	pets   int
}

var worlds sync.Map // *world by number of pets

func worldOf(b *testing.B, pets int) *world {
	b.Helper()
	if known, ok := worlds.Load(pets); ok {
		return known.(*world)
	}
	server := must.Get(handlers.New(handlers.Config{Baseline: stateOf(b, pets), MaxRecords: 1 << 30}))(b)
	w := &world{server, pets}
	w.do(b, newPet)
	w.do(b, call{"PUT", "/admin/snapshots/a", ""})
	worlds.Store(pets, w)
	return w
}

// stateOf returns a state with as many records of each kind as pets.
func stateOf(b *testing.B, pets int) *store.State {
	b.Helper()
	sizes := fixtures.DefaultSizes()
	sizes.Pets, sizes.Orders = pets, pets
	state := must.Get(fixtures.Generate(1, sizes, nil))(b)
	s := store.New(state, store.Limits{})
	must.Succeed(b, s.Update(store.Beside{}, func(tx *store.Tx) error {
		for i := range pets {
			if _, err := store.Messages.Create(tx, store.Message{Message: fmt.Sprint("Message ", i),
				CreatedAt: time.Unix(int64(i), 0).UTC()}); err != nil {
				return err
			}
			if i >= sizes.Categories {
				if _, err := store.Categories.Create(tx, store.Category{Name: fmt.Sprint("Category ", i)}); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	return s.View()
}

// time returns the durations of the operation's first calls.
func (w *world) time(b *testing.B, op operation, rounds int) []time.Duration {
	b.Helper()
	w.do(b, newPet) // a write to undo
	var took []time.Duration
	for n := range rounds {
		for i, c := range op.calls {
			one := w.do(b, c.in(w.pets, n))
			if i == 0 {
				took = append(took, one)
			}
		}
	}
	return took
}

func (w *world) do(b *testing.B, c call) time.Duration {
	b.Helper()
	r := httptest.NewRequest(c.method, "http://127.0.0.1"+c.path, strings.NewReader(c.body))
	if c.body != "" {
		r.Header["Content-Type"] = []string{"application/json"}
	}
	r.Header["Authorization"] = []string{"Bearer demo-key"} // required by messages
	answer := httptest.NewRecorder()
	began := time.Now()
	w.server.ServeHTTP(answer, r)
	took := time.Since(began)
	if answer.Code >= http.StatusBadRequest {
		b.Fatalf("%s %s = %d: %s", c.method, c.path, answer.Code, answer.Body)
	}
	return took
}
