package petstoretest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/petstoretest"
)

// addPet stands for the code under test. It returns the answer's status.
func addPet(client *http.Client, address, name string) string {
	body := strings.NewReader(`{"name": "` + name + `", "categoryId": 1}`)
	response, err := client.Post(address+"/pets", "application/json", body)
	if err != nil {
		return "broken off"
	}
	response.Body.Close()
	return response.Status
}

func ExampleRun() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	rex := strings.NewReader(`{"name": "Rex", "categoryId": 1}`)
	response, err := srv.Client.Post(srv.URL+"/pets", "application/json", rex)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	fmt.Println(response.Status, response.Header.Get("Location"))

	srv.Reset() // no Rex any more, and the next pet is 101 again
	// Output: 201 Created /pets/101
}

func ExampleStart() {
	srv, err := petstoretest.Start() // in TestMain
	if err != nil {
		panic(err)
	}
	defer srv.Close()

	t := newExampleT() // in a test: its *testing.T
	defer t.end()
	pets := srv.For(t).Sandbox(t.Name())
	fmt.Println(addPet(pets.Client, pets.URL, "Rex"))
	fmt.Println(pets.State().Counts().Pets, srv.State().Counts().Pets)
	// Output:
	// 201 Created
	// 101 100
}

func ExampleServer_Handler() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	answer := httptest.NewRecorder() // no connection at all
	srv.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/categories/1", nil))
	fmt.Println(answer.Code, answer.Header().Get("X-Sandbox"))
	// Output: 200 default
}

func ExampleServer_Sandbox() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	ada, bob := srv.Sandbox("ada"), srv.Sandbox("bob") // or t.Name()
	addPet(ada.Client, ada.URL, "Rex")
	fmt.Println(ada.State().Counts().Pets, bob.State().Counts().Pets)
	for _, pets := range srv.Sandboxes() {
		fmt.Println(pets.Name)
	}
	// Output:
	// 101 100
	// ada
	// bob
	// default
}

func ExampleServer_SandboxesNamed() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	for _, name := range []string{"TestShop/cart", "TestShop/checkout", "TestLogin"} {
		addPet(srv.Client, srv.URL+"/sandboxes/"+url.PathEscape(name), "Rex")
	}
	for _, pets := range srv.SandboxesNamed("shop") {
		fmt.Println(pets.Name)
	}
	// Output:
	// testshop-cart-000be81d2079
	// testshop-checkout-49f64a7b7d3d
}

func ExampleWithoutNetwork() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
	fmt.Println(srv.URL, addPet(srv.Client, srv.URL, "Rex"))
	// Output: http://petstore.test 201 Created
}

func ExampleSandbox_Reset() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	addPet(pets.Client, pets.URL, "Rex")
	pets.Freeze()

	pets.Reset(petstoretest.PartClock)
	fmt.Println(pets.State().Counts().Pets, pets.Clock().Frozen)
	pets.Reset()
	fmt.Println(pets.State().Counts().Pets)
	// Output:
	// 101 false
	// 100
}

func ExampleSandbox_ResetTo() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.ResetTo(7, petstoretest.Sizes{Pets: 3, Categories: 1})
	addPet(pets.Client, pets.URL, "Rex")
	pets.Reset()
	fmt.Println(pets.State().Counts().Pets, pets.Baseline().Seed)
	// Output: 3 7
}

func ExampleSandbox_Fork() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	addPet(pets.Client, pets.URL, "Rex")

	fork := pets.Fork("what-if")
	addPet(fork.Client, fork.URL, "Bella")
	fmt.Println(pets.State().Counts().Pets, fork.State().Counts().Pets)
	fork.Drop()
	// Output: 101 102
}

func ExampleSandbox_MCP() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t, petstoretest.WithConfig(extras.Add)).Sandbox(t.Name())
	const message = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "set_clock", ` +
		`"arguments": {"advance": "72h"}}}`
	// In a test: a client of the protocol.
	answer, err := pets.Client.Post(pets.MCP(), "application/json", strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	fmt.Println(answer.StatusCode, pets.Clock().Offset/3600)
	// Output: 200 72
}

func ExampleServer_Metrics() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	addPet(srv.Client, srv.URL, "Rex")
	for line := range strings.Lines(srv.Metrics()) {
		if strings.HasPrefix(line, "petstore_http_requests_total{") {
			fmt.Print(line)
		}
	}
	// Output: petstore_http_requests_total{operation="createPet",status="2xx"} 1
}
