package mcp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/must"
	petmcp "example.com/petstore/handlers/mcp"
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

// TestListRequestsIsShort lists nine successful requests and a failed one, all with long
// bodies.
func TestListRequestsIsShort(t *testing.T) {
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
			case e.Status != 201, !e.BodyTruncated, !e.Response.BodyTruncated, e.BodySize < 3600,
				e.Response.BodySize < 3600:
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

// TestWaitForRequests waits for requests that arrive, and for one that does not.
func TestWaitForRequests(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	shop.do(t, "GET", "/pets/7", "")
	s := shop.connect(t, "/mcp")
	waited := make(chan result, 1)
	go func() {
		waited <- s.call(t, "wait_for_requests",
			`{"operationId": "createPet", "status": "4xx", "count": 2, "since": 1}`)
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
			late := decode[struct{ TimedOut bool }](t,
				s.must(t, "wait_for_requests", `{"operationId": "deletePet", "wait": "1ms"}`))
			if !late.TimedOut {
				t.Error("a timeout is not reported")
			}
			return
		default:
		}
	}
}

// TestResources checks that every listed resource equals the service's document for the sandbox of
// the address.
func TestResources(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	ada := shop.connect(t, "/sandboxes/ada/mcp")
	type document struct{ URI, Name, Title, MIMEType, Description, Text string }
	list := decode[struct{ Resources []document }](t, string(ada.send(t, "resources/list", `{}`).Result)).Resources
	if len(list) != 5 {
		t.Errorf("%d resources: %v", len(list), list)
	}
	for _, r := range list {
		_, want := shop.do(t, "GET", "/sandboxes/ada/"+r.Name, "")
		got := decode[struct {
			Contents   []document
			TTLMs      *int
			CacheScope string
		}](t, string(ada.send(t, "resources/read", fmt.Sprintf(`{"uri": %q}`, r.URI)).Result))
		if len(got.Contents) != 1 ||
			got.Contents[0] != (document{URI: r.URI, MIMEType: r.MIMEType, Text: string(want)}) {
			t.Errorf("%s is %v, want %s", r.URI, got, want)
		}
		if got.TTLMs == nil || *got.TTLMs != 0 || got.CacheScope != "public" {
			t.Errorf("a client may keep %s for %v, %q", r.URI, got.TTLMs, got.CacheScope)
		}
		if r.Title == "" || r.Description == "" || r.MIMEType == "" {
			t.Errorf("a host shows %+v", r)
		}
	}
	if got := string(ada.send(t, "resources/templates/list", `{}`).Result); decode[map[string]any](t,
		got)["resourceTemplates"] == nil {
		t.Errorf("the templates are %s", got)
	}
}

// TestErrorsOfAShardNameTools follows the advice of an error.
func TestErrorsOfAShardNameTools(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(c *handlers.Config) { c.Sharded, c.Replica = true, "two" }).connect(t, "/mcp")
	got := s.call(t, "get_status", `{}`)
	if want := "; get one with create_sandbox, with a name such as ada.two"; !got.wrong ||
		!strings.HasSuffix(decode[struct{ Message string }](t, got.text).Message, want) {
		t.Errorf("the default sandbox of a shard: %+v, want %q", got, want)
	}
	s.must(t, "create_sandbox", `{"name": "ada.two"}`)
	s.must(t, "get_status", `{"sandbox": "ada.two"}`)
}

// TestWorldThroughTools exports a sandbox with many requests and imports it into another one.
func TestWorldThroughTools(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	s := shop.connect(t, "/mcp")
	for range 100 { // so that the journal is longer than a tool may return
		shop.do(t, "POST", "/pets", `{"name": "`+strings.Repeat("x", 2000)+`", "categoryId": 1}`)
	}
	shop.do(t, "DELETE", "/pets/2", "")
	s.must(t, "add_fault", `{"status": 503, "match": {"operationId": "listPets"}}`)
	s.must(t, "set_clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`)
	s.must(t, "set_lifecycle", `{"operationId": "createPet", "deprecated": true}`)
	world := s.must(t, "export_world", `{}`)
	if strings.Contains(world, "\n") {
		t.Error("the world has white space, which counts")
	}
	s.must(t, "create_sandbox", `{"name": "copy"}`)
	s.must(t, "import_world", `{"sandbox": "copy", "world": `+world+`}`)
	expectJSON(t, "the world of the copy", s.must(t, "export_world", `{"sandbox": "copy"}`), world)
	if pets := decode[struct{ Total int }](t,
		s.must(t, "list_records", `{"sandbox": "copy", "collection": "pets"}`)); pets.Total != 99 {
		t.Errorf("the copy has %d pets", pets.Total)
	}
	if status, _ := shop.do(t, "GET", "/sandboxes/copy/pets", ""); status != 503 {
		t.Errorf("GET /pets of the copy = %d", status)
	}
	if got := s.call(t, "import_world", `{"sandbox": "copy", "world": {"format": 1, "pets": []}}`); !got.wrong ||
		decode[struct{ Code string }](t, got.text).Code != "validation_failed" {
		t.Errorf("a world with a mistake: %+v", got)
	}
}

// TestLargeWorlds checks the advice for saving a world that is too long for a tool.
func TestLargeWorlds(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	s := shop.connect(t, "/mcp")
	s.must(t, "create_sandbox", `{"name": "Ada Lovelace"}`)
	for range 40 {
		shop.do(t, "POST", "/categories", fmt.Sprintf(`{"name": "a", "description": %q}`, strings.Repeat("🐈", 1000)))
	}
	s.must(t, "fork_sandbox", `{"name": "large"}`)
	for arguments, address := range map[string]string{
		`{}`:                                 shop.url + "/admin/world",
		`{"data": true, "sandbox": "large"}`: shop.url + "/sandboxes/large/admin/world?data=true",
	} {
		got := s.call(t, "export_world", arguments)
		if want := "the result is longer than 65536 bytes; save it in a file with curl -o FILE '" + address +
			"', and the key of the control plane if it has one"; !got.wrong || got.text != want {
			t.Errorf("export_world %s: %.300s, want %s", arguments, got.text, want)
		}
		if status, world := shop.do(t, "GET", strings.TrimPrefix(address, shop.url), ""); status != 200 ||
			len(world) < 64<<10 {
			t.Errorf("GET %s = %d with %d bytes", address, status, len(world))
		}
	}
}

// TestUnreadableResource checks that a document which the service refuses is an internal error
// with the service's reason.
func TestUnreadableResource(t *testing.T) {
	t.Parallel()
	full := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no memory for "+r.URL.Path, http.StatusServiceUnavailable)
	})
	var out strings.Builder
	in := strings.NewReader(hello +
		`{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "petstore:///openapi.json"}}`)
	must.Succeed(t, petmcp.New(full, "devel").ServeLines(t.Context(), in, &out, "http://127.0.0.1:8080", ""))
	_, answer, _ := strings.Cut(out.String(), "\n")
	expectJSON(t, "resources/read", answer,
		`{"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "no memory for /openapi.json"}}`)
}
