package mcp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

// entry is a recorded request, as tools return it.
type entry struct {
	ID            int
	Status        int
	Body          string
	BodyTruncated bool
	BodySize      int
	Response      struct {
		Body          string
		BodyTruncated bool
		BodySize      int
	}
}

// TestListsOfRequestsAreShort lists nine successful requests and a failed one, all with long
// bodies.
func TestListsOfRequestsAreShort(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	s := shop.connect(t, "/mcp")
	description := strings.Repeat("🐈", 900) // 3,600 bytes
	body := fmt.Sprintf(`{"name": "a", "description": "%s"}`, description)
	for range 9 {
		shop.do(t, "POST", "/categories", body)
	}
	shop.do(t, "POST", "/categories", strings.Replace(body, `"a"`, `7`, 1))
	for _, tool := range []string{"list_requests", "wait_for_requests"} {
		text := s.must(t, tool, `{}`)
		if len(text) > 40<<10 {
			t.Errorf("%s returns %d bytes for ten requests", tool, len(text))
		}
		list := decode[struct {
			Requests []entry
			Matched  int
			Note     string
		}](t, text)
		if len(list.Requests) != 10 || list.Matched != 10 || !strings.Contains(list.Note, "get_request") {
			t.Fatalf("%s returns %.300s", tool, text)
		}
		for i, e := range list.Requests {
			bodies := map[string]string{"request": e.Body, "response": e.Response.Body}
			switch {
			case e.Status == 400 && (e.Body == "" || e.BodyTruncated || e.BodySize != len(e.Body)):
				t.Errorf("%s, %d: the body of the failure is truncated: %+v", tool, i, e)
			case e.Status == 400:
			case e.Status != 201, !e.BodyTruncated, !e.Response.BodyTruncated, e.BodySize < 3600, e.Response.BodySize < 3600:
				t.Errorf("%s, %d: %+v", tool, i, e)
			case len(e.Body) > 1<<10 || len(e.Response.Body) > 1<<10 || len(e.Body) < 1020:
				t.Errorf("%s, %d: bodies of %d and %d bytes", tool, i, len(e.Body), len(e.Response.Body))
			case strings.ContainsRune(bodies["request"]+bodies["response"], '\uFFFD'):
				t.Errorf("%s, %d: a character is cut: %+v", tool, i, bodies)
			}
		}
	}
	whole := s.must(t, "get_request", `{"id": 9}`)
	_, want := shop.do(t, "GET", "/admin/requests?since=8&limit=1", "")
	expectJSON(t, "get_request", `{"requests": [`+whole+`], "matched": 2, "dropped": 0, "oldest": 1}`, string(want))
	if e := decode[entry](t, whole); e.Body != body || e.BodyTruncated {
		t.Errorf("get_request returns %+v", e)
	}
	if short := decode[struct{ Note *string }](t, s.must(t, "list_requests", `{"status": "400"}`)); short.Note != nil {
		t.Errorf("a list of failures notes %q", *short.Note)
	}
}

// TestGetRequestErrors checks the errors for invalid, dropped and unknown ids.
func TestGetRequestErrors(t *testing.T) {
	t.Parallel()
	shop := newShop(t, func(c *handlers.Config) { c.Journal = new(2) })
	s := shop.connect(t, "/mcp")
	for range 3 {
		shop.do(t, "GET", "/pets/7", "")
	}
	for arguments, want := range map[string]string{
		`{}`:           "get_request requires the argument id",
		`{"id": "x"}`:  "id must be the id of a request, such as 7",
		`{"id": 0}`:    "id must be the id of a request, such as 7",
		`{"id": null}`: "get_request requires the argument id",
		`{"id": 1}`:    "there is no request 1; list_requests lists those that the journal keeps",
		`{"id": 4}`:    "there is no request 4; list_requests lists those that the journal keeps",
	} {
		if got := s.call(t, "get_request", arguments); !got.wrong || got.text != want {
			t.Errorf("get_request %s: %+v, want %q", arguments, got, want)
		}
	}
	if e := decode[entry](t, s.must(t, "get_request", `{"id": "3"}`)); e.ID != 3 {
		t.Errorf("got request %d", e.ID)
	}
}

// TestWaitForRequests waits for requests that arrive, and for one that does not.
func TestWaitForRequests(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	shop.do(t, "GET", "/pets/7", "")
	s := shop.connect(t, "/mcp")
	waited := make(chan result, 1)
	go func() {
		waited <- s.call(t, "wait_for_requests", `{"operationId": "createPet", "status": "4xx", "count": 2, "since": 1}`)
	}()
	for { // until the tool has seen two requests
		if status, _ := shop.do(t, "POST", "/pets", `{}`); status != http.StatusBadRequest {
			t.Fatalf("POST /pets = %d", status)
		}
		select {
		case got := <-waited:
			list := decode[struct {
				Requests []entry
				TimedOut bool
			}](t, got.text)
			if got.wrong || list.TimedOut || len(list.Requests) < 2 || list.Requests[0].ID < list.Requests[1].ID {
				t.Errorf("got %+v", got)
			}
			late := decode[struct{ TimedOut bool }](t, s.must(t, "wait_for_requests", `{"operationId": "deletePet", "wait": "1ms"}`))
			if !late.TimedOut {
				t.Error("a wait in vain is not told")
			}
			return
		default:
		}
	}
}
