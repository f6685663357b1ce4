package petstoretest_test

import (
	"fmt"

	"example.com/petstore/handlers/petstoretest"
)

func ExampleServer_SetTemplate() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	scene := srv.Sandbox("scene")
	addPet(scene.Client, scene.URL, "Rex")
	srv.SetTemplate(scene)
	from, data := srv.Template()
	fmt.Println(from, data.Counts().Pets)

	pets := srv.Sandbox(t.Name())
	addPet(pets.Client, pets.URL, "Bella")
	pets.Reset()
	fmt.Println(pets.State().Counts().Pets)
	srv.DropTemplate()
	fmt.Println(srv.Sandbox("fresh").State().Counts().Pets)
	// Output:
	// scene 101
	// 101
	// 100
}

func ExampleServer_Everywhere() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	ada := srv.Sandbox("ada")
	srv.Everywhere(func(s *petstoretest.Sandbox) {
		s.Fault(petstoretest.Rule{Match: &petstoretest.Match{OperationID: "createPet"}, Times: new(1),
			Status: new(503)})
	})
	late := srv.Sandbox("late")
	for _, s := range []*petstoretest.Sandbox{ada, late, late} {
		fmt.Println(s.Name, addPet(s.Client, s.URL, "Rex"))
	}
	// Output:
	// ada 503 Service Unavailable
	// late 503 Service Unavailable
	// late 201 Created
}

func ExampleSandbox_SetPrivate() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	key := pets.SetPrivate(true)
	fmt.Println(len(key) > 20, addPet(pets.Client, pets.URL, "Rex"))
	pets.SetKey("sesame") // instead of the one that was made
	pets.SetPrivate(false)
	fmt.Println(addPet(pets.Client, pets.URL, "Rex"))
	// Output:
	// true 401 Unauthorized
	// 201 Created
}

func ExampleServer_Join() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) { c.Workshop = true }))
	srv.SetWorkshop(true, 20)
	srv.SetTitle("APIs for designers")
	ada, key := srv.Join("Ada Lovelace")
	fmt.Println(ada.Name, len(key) > 20, srv.Workshop().Joined)
	srv.EndWorkshop()
	fmt.Println(len(srv.Sandboxes()), srv.Workshop().Open, srv.Workshop().Title)
	// Output:
	// ada-lovelace true 1
	// 1 false APIs for designers
}
