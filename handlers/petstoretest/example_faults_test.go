package petstoretest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

func ExampleSandbox_Fault() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.Fault(petstoretest.Rule{
		Match:  &petstoretest.Match{OperationID: "createPet"},
		Times:  new(2),
		Status: new(503),
	})
	for range 3 { // a client that tries again
		fmt.Println(addPet(pets.Client, pets.URL, "Rex"))
	}
	// Output:
	// 503 Service Unavailable
	// 503 Service Unavailable
	// 201 Created
}

func ExampleSandbox_Fault_abort() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.Fault(petstoretest.Rule{Abort: petstoretest.AbortReset, When: petstoretest.After})
	fmt.Println(addPet(pets.Client, pets.URL, "Rex"))
	fmt.Println(len(pets.Diff().Pets.Added), "pet was made all the same")
	// Output:
	// broken off
	// 1 pet was made all the same
}

func ExampleSandbox_SetFaults() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	failing := petstoretest.Rule{Match: &petstoretest.Match{Method: "POST"}, Status: new(500)}
	rules := pets.SetFaults(failing, petstoretest.Rule{Delay: &petstoretest.Delay{FixedMs: new(1)}})
	fmt.Println(addPet(pets.Client, pets.URL, "Rex"))
	for _, rule := range pets.Faults() {
		fmt.Println(rule.ID, rule.Applied)
	}
	pets.DropFault(rules[0].ID)
	fmt.Println(len(pets.Faults()))
	pets.ClearFaults()
	fmt.Println(len(pets.Faults()))
	// Output:
	// 500 Internal Server Error
	// 1 1
	// 2 0
	// 1
	// 0
}

func ExampleSandbox_Requests() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	addPet(pets.Client, pets.URL, "Rex")
	for _, r := range pets.Requests(petstoretest.Filter{OperationID: "createPet"}) {
		fmt.Println(r.Method, r.Path, r.Status, r.Body)
	}
	pets.ClearRequests()
	fmt.Println(pets.JournalSize())
	// Output:
	// POST /pets 201 {"name": "Rex", "categoryId": 1}
	// 0 0
}

func ExampleSandbox_WaitForRequests() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	for _, name := range []string{"Rex", "Bella"} {
		go addPet(pets.Client, pets.URL, name)
	}
	came := pets.WaitForRequests(5*time.Second, petstoretest.Filter{Method: "POST"}, 2)
	fmt.Println(len(came))
	// Output: 2
}

func ExampleSandbox_Listen() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	events := pets.Listen(petstoretest.FromNow).Events()
	addPet(pets.Client, pets.URL, "Rex")
	made := <-events
	fmt.Println(made.Name, string(made.Data))
	fmt.Println((<-events).Request.Status)
	// Output:
	// pet.created {"id":101,"name":"Rex","categoryId":1,"status":"available"}
	// 201
}

func ExampleServer_ListenToAll() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	srv := petstoretest.Run(t)
	events := srv.ListenToAll(petstoretest.FromNow).Events()
	ada := srv.Sandbox("ada")
	addPet(ada.Client, ada.URL, "Rex")
	for range 3 {
		e := <-events
		fmt.Println(e.Sandbox, e.Name)
	}
	// Output:
	// ada sandbox.created
	// ada pet.created
	// ada request
}

func ExampleSandbox_HAR() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	addPet(pets.Client, pets.URL, "Rex")
	var archive struct {
		Log struct {
			Entries []struct {
				Request  struct{ Method, URL string }
				Response struct{ Status int }
			}
		}
	}
	if err := json.Unmarshal(pets.HAR(petstoretest.Filter{Method: "POST"}), &archive); err != nil {
		panic(err)
	}
	for _, e := range archive.Log.Entries {
		fmt.Println(e.Request.Method, e.Response.Status, strings.HasSuffix(e.Request.URL, "/pets"))
	}
	// Output: POST 201 true
}
