package petstoretest_test

import (
	"fmt"

	"example.com/petstore/handlers/petstoretest"
)

func ExampleSandbox_State() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	before := pets.State()
	addPet(pets.Client, pets.URL, "Rex")

	rex, err := pets.State().FindPet(101)
	fmt.Println(rex.Name, rex.Status, err)
	fmt.Println(before.Counts().Pets) // which stays as it was
	// Output:
	// Rex available <nil>
	// 100
}

func ExampleSandbox_Export() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	addPet(srv.Client, srv.URL, "Rex")
	copied := srv.Sandbox("copy")
	copied.Import(srv.Export())
	fmt.Println(copied.State().Counts().Pets, copied.Export() == srv.Export())
	// Output: 101 true
}

func ExampleSandbox_Import() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.Import(`{
		"categories": [{"id": 1, "name": "Dogs"}],
		"pets": [{"id": 7, "name": "Rex", "categoryId": 1}]
	}`)
	addPet(pets.Client, pets.URL, "Bella")
	bella, err := pets.State().FindPet(8)
	fmt.Println(bella.Name, err)
	// Output: Bella <nil>
}

func ExampleSandbox_ImportBaseline() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.ImportBaseline("categories: [{id: 1, name: Dogs}]") // YAML will do
	addPet(pets.Client, pets.URL, "Rex")
	pets.Reset()
	fmt.Println(pets.State().Counts().Categories, pets.State().Counts().Pets)
	// Output: 1 0
}

func ExampleSandbox_Diff() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	addPet(pets.Client, pets.URL, "Rex")
	pets.Snapshot("with-rex")
	addPet(pets.Client, pets.URL, "Bella")

	for _, pet := range pets.Diff().Pets.Added {
		fmt.Println("since the baseline:", pet.Name)
	}
	for _, pet := range pets.DiffFrom("with-rex").Pets.Added {
		fmt.Println("since the snapshot:", pet.Name)
	}
	// Output:
	// since the baseline: Rex
	// since the baseline: Bella
	// since the snapshot: Bella
}

func ExampleSandbox_Undo() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	addPet(pets.Client, pets.URL, "Rex")
	addPet(pets.Client, pets.URL, "Bella")
	fmt.Println(pets.Undoable())
	pets.Undo(1)
	fmt.Println(pets.State().Counts().Pets, pets.Undoable())
	// Output:
	// 2
	// 101 1
}

func ExampleSandbox_StateAt() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	addPet(pets.Client, pets.URL, "Rex")
	addPet(pets.Client, pets.URL, "Bella")
	for _, request := range pets.Requests(petstoretest.Filter{}) {
		fmt.Println(request.ID, pets.StateAt(request.ID).Counts().Pets)
	}
	fmt.Println(pets.ForkAt("after Rex", 1).State().Counts().Pets, pets.State().Counts().Pets)
	// Output:
	// 1 101
	// 2 102
	// 101 102
}

func ExampleSandbox_Snapshot() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t, petstoretest.WithSizes(petstoretest.Sizes{Pets: 5, Categories: 1})).Sandbox(t.Name())
	pets.Snapshot("five")
	addPet(pets.Client, pets.URL, "Rex")
	pets.Snapshot("six")
	for _, snapshot := range pets.Snapshots() {
		fmt.Println(snapshot.Name, snapshot.State.Counts().Pets)
	}
	pets.Restore("five")
	pets.DropSnapshot("six")
	fmt.Println(pets.State().Counts().Pets, len(pets.Snapshots()))
	// Output:
	// five 5
	// six 6
	// 5 1
}

func ExampleSandbox_Renew() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.Snapshot("before")
	pets.ResetTo(7, petstoretest.Sizes{Pets: 3, Categories: 1})
	pets.Renew()
	fmt.Println(pets.State().Counts().Pets, len(pets.Snapshots()))
	// Output:
	// 100 0
}
