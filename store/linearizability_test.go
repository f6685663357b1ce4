package store

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
)

// request is one operation of the history; response what it came back with.
type request struct {
	verb   string
	id     int64
	status PetStatus
}

type response struct {
	id     int64     // of a created pet
	status PetStatus // of the pet found, or before the update
	count  int       // of the pets listed
	code   Code
}

// petsOnly is the sequential model's state: the status of each pet, empty where
// there is none. As an array it compares and copies by value, which keeps the
// model's step pure.
type petsOnly struct {
	last int64
	pets [256]PetStatus
}

func (s petsOnly) step(in request) (response, petsOnly) {
	old := s.pets[in.id]
	switch in.verb {
	case "create":
		s.last++
		s.pets[s.last] = in.status
		return response{id: s.last}, s
	case "list":
		count := 0
		for _, status := range s.pets {
			if status == in.status {
				count++
			}
		}
		return response{count: count}, s
	case "reset":
		return response{}, petsOnly{}
	}
	if old == "" {
		return response{code: NotFound}, s
	}
	switch in.verb {
	case "update":
		s.pets[in.id] = in.status
	case "delete":
		s.pets[in.id] = ""
		return response{}, s
	}
	return response{status: old}, s
}

// perform does the request to a store.
func perform(s *Store, in request) (out response) {
	// Others get their turn amid the write, which is where they would do harm.
	update := func(change func(*Tx) error) error {
		return s.Update(func(tx *Tx) error {
			runtime.Gosched()
			defer runtime.Gosched()
			return change(tx)
		})
	}
	var pet Pet
	var err error
	switch in.verb {
	case "create":
		err = update(func(tx *Tx) error {
			pet, err = tx.CreatePet(Pet{Name: "Rex", CategoryID: 1, Status: in.status})
			return err
		})
		out.id = pet.ID
	case "find":
		pet, err = s.View().FindPet(in.id)
		out.status = pet.Status
	case "update":
		err = update(func(tx *Tx) error {
			old, err := tx.View().FindPet(in.id)
			if err != nil {
				return err
			}
			out.status = old.Status
			old.Status = in.status
			_, err = tx.UpdatePet(old)
			return err
		})
	case "delete":
		err = update(func(tx *Tx) error { return tx.DeletePet(in.id) })
	case "reset":
		s.Reset()
	case "list":
		out.count = s.View().ListPets(PetQuery{Statuses: []PetStatus{in.status}, Paging: Paging{Limit: 1}}).Total
	}
	if err != nil {
		out.code = err.(*Error).Code
	}
	return out
}

// TestLinearizability lets clients work on a few pets at once and asks whether
// what each saw fits some order of the operations, one at a time, that keeps
// to the order in real time.
func TestLinearizability(t *testing.T) {
	t.Parallel()
	const clients, each, rounds = 4, 50, 10
	verbs := []string{"create", "create", "find", "find", "update", "update", "delete", "list", "reset"}
	baseline := built(1, 0)
	model := porcupine.Model{
		Init: func() any { return petsOnly{} },
		Step: func(state, in, out any) (bool, any) {
			want, next := state.(petsOnly).step(in.(request))
			return out.(response) == want, next
		},
		DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v: %+v", in, out) },
	}
	for round := range uint64(rounds) {
		s := New(baseline, Limits{})
		histories := make([][]porcupine.Operation, clients)
		var clock atomic.Int64 // orders calls and returns without two at one time
		together(clients, func(client int) {
			chance := rand.New(rand.NewPCG(round, uint64(client)))
			for range each {
				in := request{verbs[chance.IntN(len(verbs))], chance.Int64N(8), statuses[chance.IntN(len(statuses))]}
				call := clock.Add(1)
				out := perform(s, in)
				histories[client] = append(histories[client], porcupine.Operation{
					ClientId: client, Input: in, Call: call, Output: out, Return: clock.Add(1),
				})
			}
		})
		if !porcupine.CheckOperations(model, slices.Concat(histories...)) {
			t.Fatalf("round %d: no order of the operations explains the history", round)
		}
		checkInvariants(t, s.View())
	}
}
