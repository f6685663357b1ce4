package petstoretest_test

import (
	"fmt"
	"path/filepath"

	"example.com/petstore/handlers/petstoretest"
)

func ExampleSandbox_ExportWorld() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t)
	pets.Snapshot("empty-cart")
	addPet(pets.Client, pets.URL, "Rex")
	pets.SetFaults(petstoretest.Rule{Status: new(503), Times: new(2)})
	addPet(pets.Client, pets.URL, "Bella") // one of the two

	other := petstoretest.Run(t, petstoretest.WithSeed(7)).Sandbox("copy")
	other.ImportWorld(pets.ExportWorld())
	fmt.Println(addPet(other.Client, other.URL, "Bella"), len(other.Snapshots()))
	fmt.Println(addPet(other.Client, other.URL, "Bella"), other.State().Counts().Pets)

	other.ImportWorld(pets.ExportWorldWithData()) // from any version
	fmt.Println(other.State().Counts().Pets)
	// Output:
	// 503 Service Unavailable 1
	// 201 Created 102
	// 101
}

func ExampleSandbox_KeepWorld() {
	t := newExampleT() // in a test: its *testing.T
	defer t.removeArtifacts()
	pets := petstoretest.Run(t)
	pets.KeepWorld()
	pets.Fault(petstoretest.Rule{Probability: new(0.3), Status: new(503)})
	for i := 0; !t.Failed(); i++ { // a flaky test
		if addPet(pets.Client, pets.URL, fmt.Sprint("Pet ", i)) != "201 Created" {
			t.Fail()
		}
	}
	failed := pets.Requests(petstoretest.Filter{Status: new(503)})[0]
	t.end()

	file := filepath.Join(t.ArtifactDir(), "default.world.json")
	again := petstoretest.Run(t, petstoretest.FromWorld(file, petstoretest.AtDraw(failed.Draw)))
	fmt.Println(addPet(again.Client, again.URL, "Rex"))
	t.end()
	// Output: 503 Service Unavailable
}
