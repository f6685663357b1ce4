package petstoretest_test

import (
	"fmt"
	"strings"

	"example.com/petstore/handlers/petstoretest"
)

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
