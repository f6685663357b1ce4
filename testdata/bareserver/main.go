// Bareserver answers 200 to everything and does nothing else. Benchmarks compare
// the start of petstore with its start.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("bareserver listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "ok")
	})))
}
