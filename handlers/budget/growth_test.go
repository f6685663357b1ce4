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
	"example.com/petstore/store"
)

// BenchmarkGrowth measures each operation without the connection, with 1,000 to 1,000,000 pets and
// as many categories, orders and messages, as a multiple of its time with 1,000.
func BenchmarkGrowth(b *testing.B) {
	const turns, rounds = 5, 400 // turns of all sizes, so that noise affects them alike, and rounds of the operation
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
	calls  func(pets, round int) []call // the first is measured
}

type call struct{ method, path, body string }

var growing = []operation{
	{"getPet", atMost(3), func(pets, n int) []call { return []call{{"GET", fmt.Sprintf("/pets/%d", 1+n*7919%pets), ""}} }},
	{"listPets/first", atMost(3), func(int, int) []call { return []call{{"GET", "/pets", ""}} }},
	{"listPets/middle", atMost(3), func(pets, _ int) []call { return []call{{"GET", fmt.Sprintf("/pets?offset=%d", pets/2), ""}} }},
	{"listPets/filtered", atMost(3), func(pets, _ int) []call {
		return []call{{"GET", fmt.Sprintf("/pets?status=available&categoryId=3&offset=%d", pets/40), ""}}
	}},
	{"listPets/descending", atMost(3), func(pets, _ int) []call {
		return []call{{"GET", fmt.Sprintf("/pets?sort=-id&offset=%d", pets/2), ""}}
	}},
	{"listInventory/middle", atMost(3), func(pets, _ int) []call {
		return []call{{"GET", fmt.Sprintf("/store/inventory?offset=%d", pets/2), ""}}
	}},
	{"createPet", atMost(1.5), func(int, int) []call { return []call{{"POST", "/pets", `{"name":"Rex","categoryId":3}`}} }},
	{"updatePet", atMost(3), func(pets, n int) []call {
		return []call{{"PATCH", fmt.Sprintf("/pets/%d", 1+n*7919%pets), fmt.Sprintf(`{"name":"Rex %d"}`, n)}}
	}},
	{"replacePet", atMost(3), func(pets, n int) []call {
		return []call{{"PUT", fmt.Sprintf("/pets/%d", 1+n*7919%pets), fmt.Sprintf(`{"name":"Rex %d","categoryId":3}`, n)}}
	}},
	{"deletePet", atMost(3), func(pets, n int) []call {
		return []call{{"DELETE", fmt.Sprintf("/pets/%d", 1+n*7919%pets), ""}, {"POST", "/admin/undo", ""}}
	}},
	{"updateInventory", atMost(3), func(pets, n int) []call {
		return []call{{"PUT", fmt.Sprintf("/store/inventory/%d", 1+n*7919%pets), fmt.Sprintf(`{"quantity":%d}`, n)}}
	}},
	{"getInventoryItem", atMost(3), func(pets, n int) []call {
		return []call{{"GET", fmt.Sprintf("/store/inventory/%d", 1+n*7919%pets), ""}}
	}},
	{"getPetPhoto", atMost(3), func(pets, n int) []call {
		return []call{{"GET", fmt.Sprintf("/pets/%d/photo", 1+n*7919%pets), ""}}
	}},
	{"listCategories/middle", atMost(3), func(pets, _ int) []call {
		return []call{{"GET", fmt.Sprintf("/categories?offset=%d", pets/2), ""}}
	}},
	{"getCategory", atMost(3), func(pets, n int) []call {
		return []call{{"GET", fmt.Sprintf("/categories/%d", 1+n*7919%pets), ""}}
	}},
	{"updateCategory", atMost(3), func(pets, n int) []call {
		return []call{{"PATCH", fmt.Sprintf("/categories/%d", 1+n*7919%pets), fmt.Sprintf(`{"name":"Rare %d"}`, n)}}
	}},
	{"replaceCategory", atMost(3), func(pets, n int) []call {
		return []call{{"PUT", fmt.Sprintf("/categories/%d", 1+n*7919%pets), fmt.Sprintf(`{"name":"Rare %d"}`, n)}}
	}},
	{"deleteCategory", atMost(3), func(pets, n int) []call {
		return []call{{"DELETE", fmt.Sprintf("/categories/%d", pets), ""}, {"POST", "/admin/undo", ""}}
	}},
	{"listOrders/middle", atMost(3), func(pets, _ int) []call {
		return []call{{"GET", fmt.Sprintf("/store/orders?offset=%d", pets/2), ""}}
	}},
	{"getOrder", atMost(3), func(pets, n int) []call {
		return []call{{"GET", fmt.Sprintf("/store/orders/%d", 1+n*7919%pets), ""}}
	}},
	{"updateOrder", atMost(3), func(pets, n int) []call {
		return []call{{"PATCH", fmt.Sprintf("/store/orders/%d", 1+n*7919%pets), fmt.Sprintf(`{"quantity":%d}`, n+1)}}
	}},
	{"replaceOrder", atMost(3), func(pets, n int) []call {
		return []call{{"PUT", fmt.Sprintf("/store/orders/%d", 1+n*7919%pets), fmt.Sprintf(`{"petId":1,"quantity":%d}`, n+1)}}
	}},
	{"deleteOrder", atMost(3), func(pets, n int) []call {
		return []call{{"DELETE", fmt.Sprintf("/store/orders/%d", 1+n*7919%pets), ""}, {"POST", "/admin/undo", ""}}
	}},
	{"listMessages/middle", atMost(3), func(pets, _ int) []call {
		return []call{{"GET", fmt.Sprintf("/messages?offset=%d", pets/2), ""}}
	}},
	{"getMessage", atMost(3), func(pets, n int) []call {
		return []call{{"GET", fmt.Sprintf("/messages/%d", 1+n*7919%pets), ""}}
	}},
	{"createCategory", atMost(3), func(int, int) []call { return []call{{"POST", "/categories", `{"name":"Rare"}`}} }},
	{"createOrder", atMost(3), func(int, int) []call { return []call{{"POST", "/store/orders", `{"petId":1}`}} }},
	{"createMessage", atMost(3), func(int, int) []call { return []call{{"POST", "/messages", `{"message":"Hello"}`}} }},
	{"undo", atMost(3), func(int, int) []call {
		return []call{{"POST", "/admin/undo", ""}, {"POST", "/pets", `{"name":"Rex","categoryId":3}`}}
	}},
	{"reset", atMost(3), func(int, int) []call { return []call{{"POST", "/admin/reset", ""}} }},
	{"snapshot", atMost(3), func(int, int) []call { return []call{{"PUT", "/admin/snapshots/a", ""}} }},
	{"restore", atMost(3), func(int, int) []call { return []call{{"POST", "/admin/snapshots/a/restore", ""}} }},
	{"fork", atMost(3), func(int, int) []call {
		return []call{{"POST", "/admin/sandboxes/default/fork", `{"name":"fork"}`}, {"DELETE", "/admin/sandboxes/fork", ""}}
	}},
	{"new sandbox", atMost(3), func(int, int) []call {
		return []call{{"GET", "/sandboxes/new/pets/1", ""}, {"DELETE", "/admin/sandboxes/new", ""}}
	}},
}

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
	server, err := handlers.New(handlers.Config{Baseline: stateOf(b, pets), MaxRecords: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	w := &world{server, pets}
	w.do(b, call{"POST", "/pets", `{"name":"Rex","categoryId":3}`})
	w.do(b, call{"PUT", "/admin/snapshots/a", ""})
	worlds.Store(pets, w)
	return w
}

// stateOf returns a state with as many records of each kind as pets.
func stateOf(b *testing.B, pets int) *store.State {
	b.Helper()
	sizes := fixtures.DefaultSizes()
	sizes.Pets, sizes.Orders = pets, pets
	state, err := fixtures.Generate(1, sizes, nil)
	if err != nil {
		b.Fatal(err)
	}
	s := store.New(state, store.Limits{})
	err = s.Update(func(tx *store.Tx) error {
		for i := range pets {
			if _, err := tx.CreateMessage(store.Message{Message: fmt.Sprint("Message ", i), CreatedAt: time.Unix(int64(i), 0).UTC()}); err != nil {
				return err
			}
			if i >= sizes.Categories {
				if _, err := tx.CreateCategory(store.Category{Name: fmt.Sprint("Category ", i)}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s.View()
}

// time returns the durations of the operation's first calls.
func (w *world) time(b *testing.B, op operation, rounds int) []time.Duration {
	b.Helper()
	w.do(b, call{"POST", "/pets", `{"name":"Rex","categoryId":3}`}) // a write to undo
	var took []time.Duration
	for n := range rounds {
		for i, c := range op.calls(w.pets, n) {
			one := w.do(b, c)
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
