package admin_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

// scenarios returns the scenarios of the control plane's operations.
func scenarios() []Scenario {
	return slices.Concat(
		adminScenarios(), adminEventScenarios(), resetScenarios(), stateScenarios(), worldScenarios(),
		snapshotScenarios(), sandboxScenarios(), templateScenarios(), workshopScenarios(),
		clockScenarios(), metricsScenarios(), mcpScenarios(), operationScenarios(), patchScenarios(), reportScenarios(),
		faultScenarios(), requestScenarios(), webhookScenarios(), commonScenarios(),
	)
}

func TestScenariosAreComplete(t *testing.T) {
	t.Parallel()
	Complete(t, AdminDocument(), scenarios(), "../../testdata/transcripts")
}

func TestCommonScenarios(t *testing.T) { RunScenarios(t, commonScenarios()) }

// commonScenarios returns the common scenarios, on a server with a workshop.
func commonScenarios() []Scenario {
	all := CommonScenarios(AdminDocument())
	for i := range all {
		all[i] = all[i].On(workshop)
	}
	return all
}

func TestMain(m *testing.M) { Main(m) }

// counts returns the counts member of a response.
func counts(c store.Counts) string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return `"counts": ` + string(text)
}

// withPets returns the counts member for the baseline with the given number of pets.
func withPets(pets int) string { return counts(countsWith(pets)) }

// countsWith returns the counts of the baseline with the given number of pets. The others are those
// of the data, so that records of a new noun change no test.
func countsWith(pets int) store.Counts {
	c := Baseline().Counts()
	c.Pets, c.Inventory = pets, pets
	return c
}

// differences returns a diff in which only the given nouns differ.
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
