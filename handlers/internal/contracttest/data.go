package contracttest

import (
	_ "embed"
	"net/http"
	"sync"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/extras"
	"example.com/petstore/store"
)

// BaselineText is the data of every new world and of the transcripts. It contains the special cases
// that tests need: a category without pets, names that differ only in case, ties and missing values
// for sorting, an order for a deleted pet, and deleted records that had the highest ids.
//
//go:embed shop.json
var BaselineText string

// Now is the time in every new world. It is between getPet's deprecation and its sunset.
var Now = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

// Baseline returns BaselineText as a state.
var Baseline = sync.OnceValue(func() *store.State {
	state, err := fixtures.Decode([]byte(BaselineText))
	if err != nil {
		panic(err)
	}
	return state
})

// Config returns the configuration of a new world, modified by the change functions.
func Config(change ...func(*handlers.Config)) handlers.Config {
	c := handlers.Config{Baseline: Baseline(), Now: func() time.Time { return Now }}
	extras.Add(&c)
	for _, f := range change {
		f(&c)
	}
	return c
}

// Rex is pet 1 as JSON.
const Rex = `{"id": 1, "name": "Rex", "categoryId": 1, "status": "available"}`

// NewPet is a valid request body for createPet.
const NewPet = `{"name": "Bello", "categoryId": 1}`

// DemoKey is the header with the key for messages on a server without configured keys.
var DemoKey = http.Header{"Authorization": {"Bearer demo-key"}}
