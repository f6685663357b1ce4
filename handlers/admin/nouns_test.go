package admin_test

import (
	"encoding/json"
	"reflect"

	"example.com/petstore/store"
)

// counts is the member of an answer that has the counts. It is written from their type, so that a
// new noun changes no test that is not about it.
func counts(c store.Counts) string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return `"counts": ` + string(text)
}

// withPets is counts of the baseline, but with that many pets.
func withPets(pets int) string {
	return counts(store.Counts{Pets: pets, Categories: 3, Orders: 4, Inventory: pets, Messages: 1})
}

// differences is a diff in which only the given nouns differ.
func differences(differing map[string]string) string {
	all := make(map[string]json.RawMessage)
	for noun := range reflect.TypeFor[store.Diff]().Fields() {
		name := noun.Tag.Get("json")
		all[name] = json.RawMessage(`{"added": [], "changed": [], "removed": []}`)
		if text, ok := differing[name]; ok {
			all[name] = json.RawMessage(text)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text)
}
