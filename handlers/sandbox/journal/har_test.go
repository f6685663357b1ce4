package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/petstore/handlers/internal/must"
)

// archive is a HAR as another program decodes it. Fields that the specification requires are not
// pointers.
type archive struct {
	Log struct {
		Version string
		Creator struct{ Name, Version string }
		Comment string
		Entries []archived
	}
}

type archived struct {
	StartedDateTime time.Time
	Time            float64
	Request         struct {
		Method, URL, HTTPVersion string
		Cookies                  []any
		Headers, QueryString     []harPair
		PostData                 *struct{ MimeType, Text, Comment string }
		HeadersSize, BodySize    int64
		Comment                  string
	}
	Response struct {
		Status                  int
		StatusText, HTTPVersion string
		Cookies                 []any
		Headers                 []harPair
		Content                 struct {
			Size                    int64
			MimeType, Text, Comment string
		}
		RedirectURL           string
		HeadersSize, BodySize int64
		Comment               string
	}
	Cache   map[string]any
	Timings struct{ Send, Wait, Receive float64 }
	Comment string

	SandboxTime time.Time `json:"_time"`
	ID          int64     `json:"_id"`
	RequestID   string    `json:"_requestId"`
	OperationID string    `json:"_operationId"`
	Draw        uint64    `json:"_draw"`
	Fault       int64     `json:"_fault"`
	Client      string    `json:"_client"`
}

func each(entries []Entry) iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range entries {
			if !yield(&entries[i]) {
				return
			}
		}
	}
}

func archiveOf(t interface{ Fatalf(string, ...any) }, h HAR, entries []Entry) archive {
	var b bytes.Buffer
	if err := h.Write(&b, each(entries)); err != nil {
		t.Fatalf("Write: %v", err)
	}
	decoder := json.NewDecoder(&b)
	decoder.DisallowUnknownFields()
	var a archive
	if err := decoder.Decode(&a); err != nil {
		t.Fatalf("%v", err)
	}
	return a
}

func TestHAR(t *testing.T) {
	t.Parallel()
	j := newJournal(10)
	later := noon.Add(72 * time.Hour)
	long := strings.Repeat("x", MaxBody+1)
	j.Add(&Request{
		Time: later, Came: noon, ID: "req-9", OperationID: "createPet", Client: "192.0.2.7", Draw: 17, Fault: 3,
		Method: "POST", Path: "/pets/a%2Fb c", Query: "status=a%20b&access_token=k&[x]&%zz=é", Secure: true,
		Host: "pets.example:8443", Protocol: "HTTP/2.0",
		Message: Message{Headers: map[string][]string{"Content-Type": {"application/json"}, "Accept": {"*/*"}},
			Body: []byte(long), Size: MaxBody + 1},
		Response: &Answer{201,
			Message{Headers: map[string][]string{"Location": {"/pets/101"}, "Content-Type": {"application/json"}},
				Body: []byte(`{"id":101}`), Size: 10}},
		Status: 201, Duration: 1500 * time.Microsecond,
	})
	j.Add(&Request{Came: noon, Method: "GET", Path: "/pets", Protocol: "HTTP/1.1"})
	j.Add(&Request{
		Came: noon, Method: "GET", Path: "/events", Host: "localhost", Protocol: "HTTP/1.1", Status: 0,
		Response: &Answer{200,
			Message{Headers: map[string][]string{"Content-Encoding": {"gzip"},
				"X-Long": {strings.Repeat("y", maxHeaders)}}, Body: []byte("ab"), Size: -1}},
	})
	a := archiveOf(t, HAR{Version: "1.2.3", Prefix: "/sandboxes/ada", Comment: "three"}, find(j, Filter{}, 10).Entries)
	if a.Log.Version != "1.2" || a.Log.Creator.Name != "petstore" || a.Log.Creator.Version != "1.2.3" ||
		a.Log.Comment != "three" || len(a.Log.Entries) != 3 {
		t.Fatalf("the log is %+v", a.Log)
	}
	first, second, third := a.Log.Entries[0], a.Log.Entries[1], a.Log.Entries[2]
	var want archived
	want.StartedDateTime, want.SandboxTime, want.Time = noon, later, 1.5
	want.Timings.Wait, want.Cache = 1.5, map[string]any{}
	want.ID, want.RequestID, want.OperationID, want.Draw, want.Fault, want.Client = 1, "req-9", "createPet", 17, 3,
		"192.0.2.7"
	r := &want.Request
	r.Method, r.HTTPVersion, r.Cookies, r.HeadersSize, r.BodySize = "POST", "HTTP/2.0", []any{}, -1, MaxBody+1
	r.URL = "https://pets.example:8443/sandboxes/ada/pets/a%2Fb%20c?status=a%20b&access_token=%5Bredacted%5D&%5Bx%5D&%25zz=%C3%A9"
	r.Headers = []harPair{{"Accept", "*/*"}, {"Content-Type", "application/json"}}
	r.QueryString = []harPair{{"status", "a b"}, {"access_token", "[redacted]"}, {"[x]", ""}, {"%zz", "é"}}
	r.PostData = &struct{ MimeType, Text, Comment string }{"application/json", long[:MaxBody],
		"cut: the first 4096 of 4097 bytes"}
	s := &want.Response
	s.Status, s.StatusText, s.HTTPVersion, s.Cookies, s.HeadersSize, s.BodySize, s.RedirectURL = 201, "Created",
		"HTTP/2.0", []any{}, -1, 10, "/pets/101"
	s.Headers = []harPair{{"Content-Type", "application/json"}, {"Location", "/pets/101"}}
	s.Content.Size, s.Content.MimeType, s.Content.Text = 10, "application/json", `{"id":101}`
	must.Equal(t, want, first, "the first entry")
	if second.Request.URL != "http://localhost/sandboxes/ada/pets" || second.Response.Status != 0 ||
		second.Response.Headers == nil || second.Request.PostData != nil ||
		second.Comment != "the connection was broken off" || second.Response.Content.MimeType != "x-unknown" {
		t.Errorf("a request that was broken off is %+v", second)
	}
	if c := third.Response; c.Status != 0 || c.BodySize != -1 || c.Content.Size != 0 ||
		c.Content.Comment != "cut: the first 2 bytes" || c.Comment != "headers were cut or left out" {
		t.Errorf("a stream that was broken off is %+v", c)
	}
}

// TestHARAddresses checks that every URL is valid, whatever the client sent.
func TestHARAddresses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("/a%2F5[]{}<>\"|\\^` é?#&=\x7f\u2028")))
		e := Entry{Scheme: "http", Host: rapid.StringMatching(`[a-z:0-9.-]*`).Draw(t, "host"),
			Path: "/" + text.Draw(t, "path"), Query: text.Draw(t, "query")}
		address := archiveOf(t, HAR{}, []Entry{e}).Log.Entries[0].Request.URL
		for _, c := range address {
			if c <= ' ' || c > '~' || strings.ContainsRune("<>\"{}|\\^`#", c) {
				t.Fatalf("%+v is %q, which has %q", e, address, c)
			}
		}
		if _, err := url.Parse(address); err != nil && !strings.Contains(err.Error(), "port") {
			t.Fatalf("%+v is %q: %v", e, address, err)
		}
	})
}

// TestHARIsStreamed checks that each entry is written separately.
func TestHARIsStreamed(t *testing.T) {
	t.Parallel()
	w := &largest{}
	if err := (HAR{}).Write(w, each(make([]Entry, 1000))); err != nil || w.writes < 1000 || w.bytes > 4<<10 {
		t.Errorf("%d writes of at most %d bytes, %v", w.writes, w.bytes, err)
	}
	w.fail = fmt.Errorf("gone")
	if err := (HAR{}).Write(w, each(make([]Entry, 1))); err != w.fail {
		t.Errorf("to a client that has gone: %v", err)
	}
}

// largest is a writer that records the length of the largest write.
type largest struct {
	writes, bytes int
	fail          error
}

func (w *largest) Write(p []byte) (int, error) {
	w.writes++
	w.bytes = max(w.bytes, len(p))
	return len(p), w.fail
}
