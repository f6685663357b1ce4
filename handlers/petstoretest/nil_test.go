package petstoretest_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers/petstoretest"
)

// TestNilIsToldOf passes nil in place of a test or an option.
func TestNilIsToldOf(t *testing.T) {
	t.Parallel()
	if _, err := petstoretest.Start(petstoretest.WithSeed(1), nil); err == nil || err.Error() != "option 2 is nil; leave it out" {
		t.Errorf("a nil option: %v", err)
	}
	srv, err := petstoretest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	for function, call := range map[string]func(){
		"Run":        func() { petstoretest.Run(nil) },
		"Server.For": func() { srv.For(nil) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "petstoretest: "+function+" needs a test, not nil") {
					t.Errorf("%s of nil panics with %v", function, text)
				}
			}()
			call()
		}()
	}
}

// TestSnapshotsAreCopies checks that changing the result of Snapshots does not change the sandbox.
func TestSnapshotsAreCopies(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	srv.Snapshot("mine")
	list := srv.Snapshots()
	list[0].Name = "yours"
	if again := srv.Snapshots(); len(again) != 1 || again[0].Name != "mine" {
		t.Errorf("the snapshots are %+v", again)
	}
}
