package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/petstore/handlers/internal/testmain"
)

// newJournal returns a journal that is never closed.
func newJournal(entries int) *Journal { return New(context.Background(), entries, nil) }

var noon = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

// TestJournalAgainstSlice runs random operations on a journal and on a plain slice of all
// requests, and compares them.
func TestJournalAgainstSlice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 40).Draw(t, "most")
		j := newJournal(most)
		var all []Entry // since the last reset
		last := int64(0)
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				last++
				r := Request{
					Time:   noon,
					Came:   noon,
					Resets: j.Resets(),
					Method: rapid.SampledFrom([]string{"GET", "POST"}).Draw(t, "method"),
					Path:   rapid.SampledFrom([]string{"/pets", "/pets/1", "/nope"}).Draw(t, "path"),
					Status: rapid.SampledFrom([]int{0, 200, 404}).Draw(t, "status"),
				}
				r.Headers = map[string][]string{"X-A": {rapid.String().Draw(t, "header")}}
				r.Body = rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "body")
				r.Size = int64(len(r.Body))
				all = append(all, Entry{
					ID: last, Time: r.Time, Came: r.Came, Method: r.Method, Path: r.Path, Status: r.Status,
					Scheme: "http", Headers: map[string]string{"X-A": r.Headers["X-A"][0]}, Body: string(r.Body),
					BodySize: r.Size,
				})
				j.Add(&r)
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "rarely") == 0 {
					j.Reset()
					all = nil
				}
			},
			"": func(t *rapid.T) {
				f := Filter{
					Method: rapid.SampledFrom([]string{"", "get"}).Draw(t, "filter method"),
					Path:   rapid.SampledFrom([]string{"", "/pets/*", "/pets/**"}).Draw(t, "filter path"),
					Since:  rapid.Int64Range(0, last+1).Draw(t, "since"),

					StatusClass: rapid.SampledFrom([]int{0, 0, 2, 4, 5}).Draw(t, "class"),
				}
				limit := rapid.IntRange(1, 50).Draw(t, "limit")
				kept := all[max(0, len(all)-most):]
				want := Found{Entries: []Entry{}, Dropped: uint64(len(all) - len(kept))}
				if len(kept) > 0 {
					want.Oldest = kept[0].ID
				}
				for _, e := range kept {
					if e.ID > f.Since && (f.Method == "" || e.Method == "GET") &&
						(f.StatusClass == 0 || e.Status/100 == f.StatusClass) &&
						(f.Path == "" || e.Path == "/pets/1" || e.Path == "/pets" && f.Path == "/pets/**") {
						want.Matched++
						want.Entries = append(want.Entries, e)
					}
				}
				activity := Activity{Requests: uint64(len(all))}
				for i, e := range all {
					if e.Status == 0 || e.Status == 404 {
						activity.Errors++
					}
					if i == len(all)-1 {
						activity.Last = &LastRequest{e.Method, e.Path, e.Status}
					}
				}
				if diff := cmp.Diff(activity, j.Activity()); diff != "" {
					t.Fatalf("activity, -want +got:\n%s", diff)
				}
				reversed := want
				reversed.Entries = slices.Clone(want.Entries)
				slices.Reverse(reversed.Entries)
				for _, end := range []struct {
					want Found
					find func(*Journal, Filter, int) Found
				}{{want, find}, {reversed, newest}} {
					end.want.Entries = end.want.Entries[:min(limit, len(want.Entries))]
					if diff := cmp.Diff(end.want, end.find(j, f, limit)); diff != "" {
						t.Fatalf("-want +got:\n%s", diff)
					}
				}
			},
		})
	})
}

func TestJournalCutsBodies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body, want string
		cut              bool
	}{
		{"at the bound", strings.Repeat("a", MaxBody), strings.Repeat("a", MaxBody), false},
		{"above it", strings.Repeat("a", MaxBody+1), strings.Repeat("a", MaxBody), true},
		{"before a character", strings.Repeat("a", MaxBody-1) + "Ä", strings.Repeat("a", MaxBody-1), true},
		{"behind a character", strings.Repeat("a", MaxBody-2) + "Äb", strings.Repeat("a", MaxBody-2) + "Ä", true},
		{"no characters", strings.Repeat("\x80", MaxBody+1), strings.Repeat("\x80", MaxBody-utf8.UTFMax+1), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(1)
			m := Message{Body: []byte(test.body), Size: int64(len(test.body))}
			j.Add(&Request{Message: m, Response: &Answer{200, m}})
			e := find(j, Filter{}, 1).Entries[0]
			if e.Body != test.want || e.BodyTruncated != test.cut || e.BodySize != m.Size {
				t.Errorf("%d bytes, cut: %t; want %d, %t", len(e.Body), e.BodyTruncated, len(test.want), test.cut)
			}
			if r := e.Response; r.Body != test.want || r.BodyTruncated != test.cut || r.BodySize != m.Size {
				t.Errorf("of the response %d bytes, cut: %t; want %d, %t", len(r.Body), r.BodyTruncated, len(test.want),
					test.cut)
			}
		})
	}
}

// TestJournalAddAllocatesNothing is not parallel, because other tests' allocations would count.
func TestJournalAddAllocatesNothing(t *testing.T) {
	j := newJournal(3)
	r := browserRequest()
	if got := testing.AllocsPerRun(100, func() { j.Add(&r) }); got > 0 {
		t.Errorf("%v allocations an entry, want none", got)
	}
}

func browserRequest() Request {
	return Request{
		Time: noon, ID: "req-123456", OperationID: "createPet", Client: "127.0.0.1",
		Method: "POST", Path: "/pets", Query: "limit=20&status=sold",
		Host: "localhost:8080", Protocol: "HTTP/1.1", Draw: 4711,
		Message: Message{Headers: map[string][]string{
			"Accept": {"application/json"}, "Accept-Encoding": {"gzip, deflate, br"},
			"Accept-Language": {"en-GB,en;q=0.9"},
			"Authorization":   {"Bearer demo-key"}, "Content-Length": {"52"}, "Content-Type": {"application/json"},
			"Origin": {"http://localhost:5173"}, "Referer": {"http://localhost:5173/"}, "X-Sandbox": {"ada"},
			"User-Agent": {"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 " +
				"Safari/537.36"},
		}, Body: []byte(`{"name": "Rex", "categoryId": 1, "status": "available"}`), Size: 55},
		Response: &Answer{201, Message{Headers: map[string][]string{
			"Access-Control-Allow-Origin": {"http://localhost:5173"}, "Access-Control-Allow-Credentials": {"true"},
			"Cache-Control": {"no-cache"}, "Content-Length": {"60"}, "Content-Type": {"application/json"},
			"Etag":     {`"5Bq3sYVjWyA"`},
			"Location": {"/pets/101"}, "Vary": {"Origin, Accept-Encoding, X-Sandbox, Prefer"},
			"X-Content-Type-Options": {"nosniff"}, "X-Request-Id": {"req-123456"}, "X-Sandbox": {"ada"},
		}, Body: []byte(`{"id":101,"name":"Rex","categoryId":1,"status":"available"}` + "\n"), Size: 60}},
		Status: 201, Duration: 150 * time.Microsecond,
	}
}

func TestMain(m *testing.M) { testmain.Run(m) }

func BenchmarkJournalAdd(b *testing.B) {
	j := newJournal(1000)
	r := browserRequest()
	b.ReportAllocs()
	for b.Loop() {
		j.Add(&r)
	}
}

// Found is what [Journal.Select] has found.
type Found struct {
	Entries []Entry
	Matched int
	Dropped uint64
	Oldest  int64
}

// find returns the first matching entries, oldest first.
func find(j *Journal, f Filter, limit int) Found { return selected(j, f, limit, false) }

// newest returns the last matching entries, newest first.
func newest(j *Journal, f Filter, limit int) Found { return selected(j, f, limit, true) }

func selected(j *Journal, f Filter, limit int, newest bool) Found {
	s, err := j.Select(f, limit, newest, nil)
	if err != nil {
		panic(err)
	}
	found := Found{Entries: []Entry{}, Matched: s.Matched, Dropped: s.Dropped, Oldest: s.Oldest}
	for entry := range s.Entries() {
		found.Entries = append(found.Entries, *entry)
	}
	return found
}

// TestSelectionsAreReserved checks that the memory of a selection is reserved in advance.
func TestSelectionsAreReserved(t *testing.T) {
	t.Parallel()
	j := newJournal(100)
	for i := range 100 {
		j.Add(&Request{Path: fmt.Sprintf("/%d/%s", i, strings.Repeat("x", i*10))})
	}
	for _, end := range []bool{false, true} {
		var promised int64
		s, err := j.Select(Filter{Since: 10}, 50, end, func(bytes int64) error { promised = bytes; return nil })
		if err != nil || s.Len != 50 || s.Matched != 90 || int64(cap(s.texts)) != promised ||
			int64(len(s.texts)) > promised || int64(len(s.texts)) < promised*3/4 {
			t.Errorf("newest %t: %d of %d entries in %d bytes, of which %d are used and %d were promised, %v", end,
				s.Len, s.Matched, cap(s.texts), len(s.texts), promised, err)
		}
	}
	full := errors.New("full")
	if s, err := j.Select(Filter{}, 100, false, func(int64) error { return full }); err != full || s != nil {
		t.Errorf("without room: %v, %v", s, err)
	}
}
