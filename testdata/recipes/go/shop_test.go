package shop

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// store serves all tests, each in a sandbox of its own.
var store *petstoretest.Server

func TestMain(m *testing.M) {
	var err error
	sizes := petstoretest.WithSizes(petstoretest.Sizes{Pets: 500, Categories: 8})
	if store, err = petstoretest.Start(sizes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	store.Close()
	os.Exit(code)
}

// newShop returns a client and its sandbox. A failed test saves the sandbox as files (go test -artifacts).
func newShop(t *testing.T) (*Shop, *petstoretest.Sandbox) {
	pets := store.For(t).Sandbox(t.Name())
	pets.KeepWorld()
	return &Shop{URL: pets.URL, Client: pets.Client, Log: slog.New(slog.DiscardHandler)}, pets
}

// wantStatuses compares the status codes of an operation's responses with want.
func wantStatuses(t *testing.T, pets *petstoretest.Sandbox, operation string, want ...int) {
	t.Helper()
	var got []int
	for _, entry := range pets.Requests(petstoretest.Filter{OperationID: operation}) {
		got = append(got, entry.Status)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s was answered with %v, want %v", operation, got, want)
	}
}

func TestPetIsCreatedWhenTheFirstTwoAttemptsFail(t *testing.T) {
	t.Parallel()
	shop, pets := newShop(t)
	pets.Fault(petstoretest.Rule{
		Match: &petstoretest.Match{OperationID: "createPet"}, Times: new(2), Status: new(http.StatusServiceUnavailable),
		Headers: map[string]string{"Retry-After": "0"},
	})
	rex, err := shop.AddPet(t.Context(), Pet{Name: "Rex", CategoryID: 6})
	if want := (Pet{ID: 501, Name: "Rex", CategoryID: 6, Status: "available"}); err != nil || rex != want {
		t.Errorf("got %+v, %v, want %+v", rex, err, want)
	}
	wantStatuses(t, pets, "createPet", 503, 503, 201)
}

func TestPetIsCreatedOnceWhenTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	shop, pets := newShop(t)
	pets.Fault(petstoretest.Rule{
		Match: &petstoretest.Match{OperationID: "createPet"}, Times: new(1), Status: new(http.StatusBadGateway),
		When: "after",
	})
	if _, err := shop.AddPet(t.Context(), Pet{Name: "Rex the Only", CategoryID: 6}); err != nil {
		t.Fatal(err)
	}
	count := 0
	for pet, err := range shop.Pets(t.Context(), url.Values{"name": {"Rex the Only"}}) {
		if err != nil {
			t.Fatal(err)
		}
		count++
		t.Log(pet)
	}
	if count != 1 {
		t.Errorf("%d pets, want one", count)
	}
	wantStatuses(t, pets, "createPet", 502, 201)
}

func TestEveryPageIsRead(t *testing.T) {
	t.Parallel()
	shop, pets := newShop(t)
	last := int64(0)
	for pet, err := range shop.Pets(t.Context(), url.Values{}) {
		if err != nil || pet.ID != last+1 {
			t.Fatalf("%+v, %v after pet %d", pet, err, last)
		}
		last = pet.ID
	}
	if last != 500 {
		t.Errorf("the last is %d, want 500", last)
	}
	wantStatuses(t, pets, "listPets", 200, 200, 200, 200, 200)
}

func TestDayAfterTheSunset(t *testing.T) {
	t.Parallel()
	shop, pets := newShop(t)
	var log bytes.Buffer
	shop.Log = slog.New(slog.NewTextHandler(&log, nil))
	before, err := shop.Pet(t.Context(), 7)
	if err != nil || !strings.Contains(log.String(), `sunset="Tue, 31 Dec 2030 00:00:00 GMT"`) {
		t.Errorf("%v, the log is %q", err, log.String())
	}
	pets.ChangeLifecycle("getPet", func(l *petstoretest.Lifecycle) { l.EnforceSunset = true })
	pets.SetTime(time.Date(2031, time.January, 1, 0, 0, 0, 0, time.UTC))
	if after, err := shop.Pet(t.Context(), 7); err != nil || after != before {
		t.Errorf("got %+v, %v, want %+v", after, err, before)
	}
	wantStatuses(t, pets, "getPet", 200, 410)
}

func TestBackgroundRequest(t *testing.T) {
	t.Parallel()
	shop, pets := newShop(t)
	go shop.AddPet(t.Context(), Pet{Name: "Rex", CategoryID: 6})
	pets.WaitForRequests(time.Minute, petstoretest.Filter{OperationID: "createPet"}, 1)
}
