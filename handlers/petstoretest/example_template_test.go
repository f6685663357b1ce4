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
