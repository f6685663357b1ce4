package contracttest

import (
	"net/http"
	"sync"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/extras"
	"example.com/petstore/store"
)

// BaselineText is the data of every new world. It contains the special cases that tests need: a
// category without pets, names that differ only in case, ties and missing values for sorting, an
// order for a deleted pet, and deleted records that had the highest ids.
const BaselineText = `{
	"categories": [
		{"id": 1, "name": "Dogs", "description": "Loyal and loud"},
		{"id": 2, "name": "Cats"},
		{"id": 3, "name": "Birds", "description": ""}
	],
	"pets": [
		{"id": 1, "name": "Rex", "categoryId": 1, "status": "available"},
		{"id": 2, "name": "Misty", "categoryId": 2, "status": "pending"},
		{"id": 3, "name": "Ärmel", "categoryId": 1, "status": "sold"},
		{"id": 4, "name": "rex", "categoryId": 2, "status": "available"},
		{"id": 5, "name": "Misty", "categoryId": 1, "status": "available"}
	],
	"inventory": [
		{"petId": 1, "quantity": 3}, {"petId": 4, "quantity": 7}, {"petId": 5, "quantity": 3}
	],
	"orders": [
		{"id": 1, "petId": 1, "quantity": 2, "shipDate": "2025-03-14T09:30:00.000Z", "complete": true},
		{"id": 2, "petId": 6, "quantity": 1},
		{"id": 3},
		{"id": 4, "petId": 1, "quantity": 5, "shipDate": "2025-01-01T00:00:00+01:00"}
	],
	"messages": [{"id": 1, "message": "Is Rex still there?", "createdAt": "2025-03-14T09:30:00Z"}],
	"next": {"category": 5, "pet": 7, "order": 6, "message": 2}
}`

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
