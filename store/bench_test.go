package store

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// The two sizes whose times the budgets compare. The states are shared by all
// benchmarks and made when the first one asks.
const (
	small = 1_000
	large = 1_000_000
)

const benchCategories = 20

var benchStates = map[int]func() *State{
	small: sync.OnceValue(func() *State { return built(benchCategories, small) }),
	large: sync.OnceValue(func() *State { return built(benchCategories, large) }),
}

// bySize runs a benchmark at both sizes, each on a new store.
func bySize(b *testing.B, run func(b *testing.B, s *Store, pets int)) {
	for _, pets := range []int{small, large} {
		b.Run(fmt.Sprintf("pets=%d", pets), func(b *testing.B) {
			s := New(benchStates[pets](), Limits{})
			b.ReportAllocs()
			run(b, s, pets)
		})
	}
}

// Writes are followed by a reset, which costs next to nothing, so that every
// round meets the same state.

func BenchmarkCreatePet(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, _ int) {
		for b.Loop() {
			must(do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 7, Status: Available}))
			s.Reset()
		}
	})
}

func BenchmarkUpdatePetStatus(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, pets int) {
		pet := must(s.View().FindPet(int64(pets / 3)))
		pet.Status = statuses[(pet.Status.index()+1)%len(statuses)]
		for b.Loop() {
			must(do(s, (*Tx).UpdatePet, pet))
			s.Reset()
		}
	})
}

func BenchmarkDeletePet(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, pets int) {
		for b.Loop() {
			must(0, remove(s, (*Tx).DeletePet, int64(pets/3)))
			s.Reset()
		}
	})
}

func BenchmarkFindPet(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, pets int) {
		for b.Loop() {
			must(s.View().FindPet(int64(pets / 3)))
		}
	})
}

func BenchmarkListPets(b *testing.B) {
	queries := []struct {
		name  string
		query PetQuery
	}{
		{"all", PetQuery{}},
		{"status and category", PetQuery{Statuses: []PetStatus{Sold}, CategoryIDs: []int64{7}}},
		{"statuses and categories", PetQuery{Statuses: []PetStatus{Sold, Pending}, CategoryIDs: []int64{2, 3, 5, 7, 11}}},
		{"sort=-id", PetQuery{Paging: sortedDesc("id")}},
		{"sort=status", PetQuery{Paging: sorted("status")}},
	}
	const limit = 20
	for _, test := range queries {
		for _, far := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/far=%t", test.name, far), func(b *testing.B) {
				bySize(b, func(b *testing.B, s *Store, _ int) {
					query := test.query
					query.Limit = limit
					if far {
						query.Offset = max(0, s.View().ListPets(query).Total-limit)
					}
					for b.Loop() {
						s.View().ListPets(query)
					}
				})
			})
		}
	}
}

// BenchmarkManyCategories is a page of pets of many categories, one pet each, by id and by
// category.
func BenchmarkManyCategories(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		s := New(built(n, n), Limits{})
		query := PetQuery{Paging: Paging{Offset: n / 2, Limit: 20}}
		for id := range int64(n) {
			query.CategoryIDs = append(query.CategoryIDs, 1+id)
		}
		for _, field := range []string{"id", "categoryId"} {
			b.Run(fmt.Sprintf("categories=%d/sort=%s", n, field), func(b *testing.B) {
				query.Sort.Field = field
				for b.Loop() {
					s.View().ListPets(query)
				}
			})
		}
	}
}

// BenchmarkStores tells what a store holds beyond the data that it shares: many of them
// over one baseline, with a few writes each.
func BenchmarkStores(b *testing.B) {
	const stores, writes = 10_000, 20
	baseline := built(8, 100)
	kept := make([]*Store, stores)
	before := heap()
	for b.Loop() {
		for i := range kept {
			kept[i] = New(baseline, Limits{})
			for n := range writes {
				pet := Pet{Name: "Rex", CategoryID: int64(1 + n%8), Status: Available}
				if n%2 == 0 {
					must(do(kept[i], (*Tx).CreatePet, pet))
					continue
				}
				pet.ID = int64(1 + n*5)
				must(do(kept[i], (*Tx).UpdatePet, pet))
			}
		}
	}
	b.ReportMetric(float64(heap()-before)/stores, "bytes/store")
	b.ReportMetric(float64(kept[0].Usage().Own+kept[0].Usage().Undo), "counted/store")
	runtime.KeepAlive(kept)
	runtime.KeepAlive(baseline)
}

func BenchmarkReset(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, _ int) {
		must(do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 7, Status: Available}))
		for b.Loop() {
			s.Reset()
		}
	})
}

// BenchmarkUndo is a write and what takes it back.
func BenchmarkUndo(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, _ int) {
		for b.Loop() {
			must(do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 7, Status: Available}))
			s.Undo(1)
		}
	})
}

// BenchmarkKeep is the store's part of a snapshot, BenchmarkFork that of a fork.
func BenchmarkKeep(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, _ int) {
		for b.Loop() {
			s.Keep()
		}
	})
}

func BenchmarkFork(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, _ int) {
		for b.Loop() {
			s.Fork(nil)
		}
	})
}

// BenchmarkNew is the store's part of a new sandbox.
func BenchmarkNew(b *testing.B) {
	bySize(b, func(b *testing.B, s *Store, _ int) {
		for b.Loop() {
			New(s.Baseline(), Limits{})
		}
	})
}

// BenchmarkBuild also tells what a pet weighs: its name, inventory entry and
// place in every index included.
func BenchmarkBuild(b *testing.B) {
	for _, pets := range []int{small, large} {
		b.Run(fmt.Sprintf("pets=%d", pets), func(b *testing.B) {
			var state *State
			before := heap()
			for b.Loop() {
				state = nil // at most one is alive
				state = built(benchCategories, pets)
			}
			b.ReportMetric(float64(heap()-before)/float64(pets), "bytes/pet")
			b.ReportMetric(float64(state.Bytes())/float64(pets), "counted/pet")
			runtime.KeepAlive(state)
		})
	}
}

// heap returns the bytes in use after a collection.
func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
