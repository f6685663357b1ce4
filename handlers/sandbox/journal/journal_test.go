package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// newJournal returns one that never ends.
func newJournal(entries int) *Journal { return New(context.Background(), entries, nil) }

var noon = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

// waits is Wait where nobody else waits.
func waits(ctx context.Context, t *testing.T, j *Journal, f Filter, count int) bool {
	enough, err := j.Wait(ctx, f, count)
	if err != nil {
		t.Error(err)
	}
	return enough
}

func paths(f Found) []string {
	got := make([]string, 0, len(f.Entries))
	for _, e := range f.Entries {
		got = append(got, e.Path)
	}
	return got
}

func TestJournalKeepsWhatItIsTold(t *testing.T) {
	t.Parallel()
	j := newJournal(10)
	j.Add(&Request{
		Time: noon, ID: "req-9", OperationID: "createPet", Client: "192.0.2.7",
		Method: "POST", Path: "/pets", Query: "x=1&y=%20",
		Draw: 17, Secure: true, Host: "pets.example:8443", Protocol: "HTTP/2.0",
		Message: Message{
			Headers: map[string][]string{"Accept": {"text/html", "*/*"}, "X-Client": {"web"}, "X-Empty": {""}, "X-None": nil},
			Body:    []byte(`{"name": "Ärmel"}`), Size: 18,
		},
		Response: &Answer{201, Message{
			Headers: map[string][]string{"Location": {"/pets/101"}, "Set-Cookie": {"a=b"}},
			Body:    []byte(`{"id":101}`), Size: 11,
		}},
		Status: 201, Duration: 1234567 * time.Nanosecond, Fault: 3,
	})
	want := Found{Matched: 1, Oldest: 1, Entries: []Entry{{
		ID: 1, Time: noon, RequestID: "req-9", OperationID: "createPet", Client: "192.0.2.7",
		Method: "POST", Path: "/pets", Query: "x=1&y=%20",
		Headers: map[string]string{"Accept": "text/html, */*", "X-Client": "web", "X-Empty": "", "X-None": ""},
		Draw:    17, Scheme: "https", Host: "pets.example:8443", Protocol: "HTTP/2.0",
		Body: `{"name": "Ärmel"}`, BodySize: 18, Status: 201, DurationMS: 1.235, Fault: 3,
		Response: &Response{
			Status: 201, Headers: map[string]string{"Location": "/pets/101", "Set-Cookie": "[redacted]"},
			Body: `{"id":101}`, BodyTruncated: true, BodySize: 11,
		},
	}}}
	if diff := cmp.Diff(want, j.Find(Filter{}, 10)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestJournalIsEmptyAtFirst(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(Found{Entries: []Entry{}}, newJournal(10).Find(Filter{}, 10)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestJournalThatIsOffKeepsNothing(t *testing.T) {
	t.Parallel()
	j := newJournal(0)
	j.Add(&Request{Path: "/pets"})
	if diff := cmp.Diff(Found{Entries: []Entry{}}, j.Find(Filter{}, 10)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if waits(t.Context(), t, j, Filter{}, 1) {
		t.Error("Wait = true")
	}
}

// TestJournalAgainstSlice does at random what can be done to a journal, and the
// same to a plain slice of all requests.
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
					Resets: j.Resets(),
					Method: rapid.SampledFrom([]string{"GET", "POST"}).Draw(t, "method"),
					Path:   rapid.SampledFrom([]string{"/pets", "/pets/1", "/nope"}).Draw(t, "path"),
					Status: rapid.SampledFrom([]int{0, 200, 404}).Draw(t, "status"),
				}
				r.Headers = map[string][]string{"X-A": {rapid.String().Draw(t, "header")}}
				r.Body = rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "body")
				r.Size = int64(len(r.Body))
				all = append(all, Entry{
					ID: last, Time: r.Time, Method: r.Method, Path: r.Path, Status: r.Status,
					Scheme: "http", Headers: map[string]string{"X-A": r.Headers["X-A"][0]}, Body: string(r.Body), BodySize: r.Size,
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
					if e.ID > f.Since && (f.Method == "" || e.Method == "GET") && (f.StatusClass == 0 || e.Status/100 == f.StatusClass) &&
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
				newest := want
				newest.Entries = slices.Clone(want.Entries)
				slices.Reverse(newest.Entries)
				for _, end := range []struct {
					want Found
					find func(Filter, int) Found
				}{{want, j.Find}, {newest, j.FindNewest}} {
					end.want.Entries = end.want.Entries[:min(limit, len(want.Entries))]
					if diff := cmp.Diff(end.want, end.find(f, limit)); diff != "" {
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
		{"no characters", strings.Repeat("\x80", MaxBody+1), strings.Repeat("\x80", MaxBody-utf8.UTFMax), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(1)
			m := Message{Body: []byte(test.body), Size: int64(len(test.body))}
			j.Add(&Request{Message: m, Response: &Answer{200, m}})
			e := j.Find(Filter{}, 1).Entries[0]
			if e.Body != test.want || e.BodyTruncated != test.cut || e.BodySize != m.Size {
				t.Errorf("%d bytes, cut: %t; want %d, %t", len(e.Body), e.BodyTruncated, len(test.want), test.cut)
			}
			if r := e.Response; r.Body != test.want || r.BodyTruncated != test.cut || r.BodySize != m.Size {
				t.Errorf("of the response %d bytes, cut: %t; want %d, %t", len(r.Body), r.BodyTruncated, len(test.want), test.cut)
			}
		})
	}
}

func TestJournalHoldsNoKeys(t *testing.T) {
	t.Parallel()
	const key = "s3cr3t"
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "x-api-key", "cookie", "Set-Cookie", "X-Auth-Token", "X-CSRFToken", "Apikey", "My-Api_Key", "Client-Secret", "X-Password-Hash"} {
		j := newJournal(1)
		m := Message{Headers: map[string][]string{name: {"Bearer " + key, key}}}
		j.Add(&Request{Message: m, Response: &Answer{200, m}})
		e := j.Find(Filter{}, 1).Entries[0]
		for _, headers := range []map[string]string{e.Headers, e.Response.Headers} {
			if diff := cmp.Diff(map[string]string{name: "[redacted]"}, headers); diff != "" {
				t.Errorf("%s, -want +got:\n%s", name, diff)
			}
		}
	}
	for query, want := range map[string]string{
		"api_key=" + key + "&apiKey=" + key:                "api_key=[redacted]&apiKey=[redacted]",
		"access_token=" + key:                              "access_token=[redacted]",
		"a=1&access_token=" + key + "&b=2":                 "a=1&access_token=[redacted]&b=2",
		"access_token=" + key + "&access_token=" + key:     "access_token=[redacted]&access_token=[redacted]",
		"access%5Ftoken=" + key:                            "access%5Ftoken=[redacted]",
		"ACCESS_TOKEN=" + key:                              "ACCESS_TOKEN=[redacted]",
		"a=1;access_token=" + key + ";b":                   "a=1;access_token=[redacted];b",
		"access_token=" + key + "=" + key:                  "access_token=[redacted]",
		"+access_token=" + key:                             "+access_token=[redacted]",
		"access_token=":                                    "access_token=[redacted]",
		"access_token":                                     "access_token",
		"token=" + key + "&client_secret=" + key:           "token=[redacted]&client_secret=[redacted]",
		"Password=" + key + "&x-api-key=" + key:            "Password=[redacted]&x-api-key=[redacted]",
		"key=a&pass=b&secre=c&idempotency-key=d":           "key=a&pass=b&secre=c&idempotency-key=d",
		"a=%zz&b=1":                                        "a=%zz&b=1",
		"":                                                 "",
		"&&access_token=" + url.QueryEscape("\n"+key) + "": "&&access_token=[redacted]",
	} {
		if got := redactQuery(query); got != want {
			t.Errorf("redactQuery(%q) = %q, want %q", query, got, want)
		}
		j := newJournal(1)
		j.Add(&Request{Query: query, Message: Message{Headers: map[string][]string{
			"Referer": {"http://localhost/?" + query}, "X-Page": {"one?", "/two?" + query},
			"Link": {"</pets?" + query + `>; rel="first", </pets?` + query + `>; rel="last"`},
		}}})
		e := j.Find(Filter{}, 1).Entries[0]
		if e.Query != want || e.Headers["Referer"] != "http://localhost/?"+want {
			t.Errorf("%q is kept as %q and %v", query, e.Query, e.Headers)
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(key)) || bytes.Contains(j.entries.chunks.at(0).text, []byte(key)) {
			t.Errorf("%q leaves the key in %s", query, text)
		}
	}
}

func TestJournalFilters(t *testing.T) {
	t.Parallel()
	j := newJournal(10)
	j.Add(&Request{OperationID: "listPets", Method: "GET", Path: "/pets", Status: 200})
	j.Add(&Request{OperationID: "getPet", Method: "GET", Path: "/pets/1", Status: 404})
	j.Add(&Request{OperationID: "deletePet", Method: "DELETE", Path: "/pets/1", Status: 0})
	j.Add(&Request{Method: "GET", Path: "/nope/1/2", Status: 404})
	for _, test := range []struct {
		filter Filter
		want   []string
	}{
		{Filter{}, []string{"/pets", "/pets/1", "/pets/1", "/nope/1/2"}},
		{Filter{OperationID: "getPet"}, []string{"/pets/1"}},
		{Filter{OperationID: "get"}, []string{}},
		{Filter{Method: "delete"}, []string{"/pets/1"}},
		{Filter{Path: "/pets/*"}, []string{"/pets/1", "/pets/1"}},
		{Filter{Path: "/nope/**"}, []string{"/nope/1/2"}},
		{Filter{Status: new(404)}, []string{"/pets/1", "/nope/1/2"}},
		{Filter{Status: new(0)}, []string{"/pets/1"}},
		{Filter{StatusClass: 4}, []string{"/pets/1", "/nope/1/2"}},
		{Filter{StatusClass: 4, Status: new(200)}, []string{}},
		{Filter{StatusClass: 2}, []string{"/pets"}},
		{Filter{Since: 3}, []string{"/nope/1/2"}},
		{Filter{Since: 4}, []string{}},
		{Filter{Path: "/pets/*", Status: new(404), Since: 1}, []string{"/pets/1"}},
	} {
		found := j.Find(test.filter, 10)
		if diff := cmp.Diff(test.want, paths(found)); diff != "" || found.Matched != len(test.want) {
			t.Errorf("%+v matches %d, -want +got:\n%s", test.filter, found.Matched, diff)
		}
	}
	if found := j.Find(Filter{}, 2); found.Matched != 4 || len(found.Entries) != 2 || found.Entries[0].ID != 1 {
		t.Errorf("with limit 2: %d matched, %v", found.Matched, paths(found))
	}
	if found := j.FindNewest(Filter{}, 2); found.Matched != 4 || len(found.Entries) != 2 || found.Entries[0].ID != 4 || found.Entries[1].ID != 3 {
		t.Errorf("newest first with limit 2: %d matched, %v", found.Matched, paths(found))
	}
	if found := j.FindNewest(Filter{}, 0); found.Matched != 4 || len(found.Entries) != 0 {
		t.Errorf("newest first with limit 0: %d matched, %v", found.Matched, paths(found))
	}
}

func TestJournalResetForgets(t *testing.T) {
	t.Parallel()
	j := newJournal(1)
	j.Add(&Request{Path: "/a"})
	j.Add(&Request{Path: "/b"})
	j.Reset()
	j.Add(&Request{Path: "/of before"})
	if diff := cmp.Diff(Found{Entries: []Entry{}}, j.Find(Filter{}, 10)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	j.Add(&Request{Path: "/c", Resets: j.Resets()})
	if found := j.Find(Filter{}, 10); found.Oldest != 3 || found.Entries[0].Path != "/c" {
		t.Errorf("oldest = %d, %v; ids must count on", found.Oldest, paths(found))
	}
}

// TestWait runs in a bubble, whose Wait returns once every goroutine is blocked: a
// Wait that polled would never be.
func TestWait(t *testing.T) {
	t.Parallel()
	post := Filter{Method: "POST"}
	for _, test := range []struct {
		name string
		do   func(*Journal)
		ends bool // at once
		want bool
	}{
		{"for enough", func(j *Journal) { j.Add(&Request{Method: "POST"}) }, true, true},
		{"for others", func(j *Journal) { j.Add(&Request{Method: "GET"}); j.Add(&Request{Method: "GET"}) }, false, false},
		{"for one that is dropped again", func(j *Journal) {
			j.Add(&Request{Method: "POST"})
			j.Add(&Request{Method: "GET"})
			j.Add(&Request{Method: "GET"})
			j.Add(&Request{Method: "GET"})
		}, true, true},
		{"across a reset", func(j *Journal) { j.Reset(); j.Add(&Request{Method: "POST", Resets: 1}) }, false, false},
		{"beyond a reset", func(j *Journal) {
			j.Reset()
			j.Add(&Request{Method: "POST", Resets: 1})
			j.Add(&Request{Method: "POST", Resets: 1})
		}, true, true},
		{"until the end of the sandbox", nil, true, false},
		{"until the end of ctx", func(*Journal) {}, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				life, end := context.WithCancel(t.Context())
				defer end()
				j := New(life, 3, nil)
				j.Add(&Request{Method: "POST"}) // one of the two that are waited for
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				answered := make(chan bool, 1)
				go func() { answered <- waits(ctx, t, j, post, 2) }()
				synctest.Wait()
				if len(answered) > 0 {
					t.Fatal("did not wait")
				}
				if test.do == nil {
					end()
				} else {
					test.do(j)
				}
				synctest.Wait()
				if atOnce := len(answered) > 0; atOnce != test.ends {
					t.Errorf("the wait is over: %t, want %t", atOnce, test.ends)
				}
				if got := <-answered; got != test.want { // when the minute is over, at the latest
					t.Errorf("Wait() = %t, want %t", got, test.want)
				}
				if len(j.waiters) > 0 {
					t.Error("somebody still waits")
				}
			})
		})
	}
}

func TestWaitSinceWhatIsNotThereYet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(3)
		answered := make(chan bool, 1)
		go func() { answered <- waits(t.Context(), t, j, Filter{Since: 2}, 1) }()
		for id := range 3 {
			synctest.Wait()
			if len(answered) > 0 {
				t.Fatalf("Wait() since 2 ends with the entry %d", id)
			}
			j.Add(&Request{})
		}
		if !<-answered {
			t.Error("Wait() = false")
		}
	})
}

func TestWaitEndsAtOnceWhenTheSandboxHasEnded(t *testing.T) {
	t.Parallel()
	life, end := context.WithCancel(t.Context())
	j := New(life, 3, nil)
	end()
	if waits(t.Context(), t, j, Filter{}, 1) {
		t.Error("Wait() = true")
	}
}

// TestJournalAddAllocatesNothing is not parallel, since the allocations of others
// would count.
func TestJournalAddAllocatesNothing(t *testing.T) {
	j := newJournal(3)
	r := browserRequest()
	if got := testing.AllocsPerRun(100, func() { j.Add(&r) }); got > 0 {
		t.Errorf("%v allocations an entry, want none", got)
	}
}

func TestConcurrentRequestsAreAllThere(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 200
	j := newJournal(writers * each)
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				j.Add(&Request{Path: fmt.Sprintf("/%d/%d", w, i)})
				j.Find(Filter{Since: int64(i)}, 3)
			}
		})
	}
	if !waits(t.Context(), t, j, Filter{}, writers*each) {
		t.Error("Wait() = false")
	}
	group.Wait()
	found := j.Find(Filter{}, writers*each)
	got := paths(found)
	slices.Sort(got)
	if got = slices.Compact(got); len(got) != writers*each || found.Dropped != 0 {
		t.Errorf("%d different entries, %d dropped, want %d, 0", len(got), found.Dropped, writers*each)
	}
	for i, e := range found.Entries {
		if e.ID != int64(i+1) {
			t.Fatalf("entry %d has the id %d", i, e.ID)
		}
	}
}

func BenchmarkJournalAdd(b *testing.B) {
	j := newJournal(1000)
	r := browserRequest()
	b.ReportAllocs()
	for b.Loop() {
		j.Add(&r)
	}
}

// BenchmarkJournalAddWithPollers adds to a full journal that others read all the time. It
// reports the 99th percentile of the time that one entry takes.
func BenchmarkJournalAddWithPollers(b *testing.B) {
	for _, pollers := range []int{0, 4} {
		b.Run(fmt.Sprintf("pollers=%d", pollers), func(b *testing.B) {
			j := newJournal(100_000)
			large := browserRequest()
			large.Body = bytes.Repeat([]byte("x"), 2000)
			for range 3000 {
				j.Add(&large)
			}
			var pollersEnd sync.WaitGroup
			ctx, end := context.WithCancel(b.Context())
			for range pollers {
				pollersEnd.Go(func() {
					for ctx.Err() == nil {
						j.Find(Filter{Method: "PUT"}, 100)
					}
				})
			}
			r := browserRequest()
			took := make([]time.Duration, 0, b.N)
			for b.Loop() {
				begin := time.Now()
				j.Add(&r)
				took = append(took, time.Since(begin))
			}
			b.StopTimer()
			end()
			pollersEnd.Wait()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}

func BenchmarkJournalAddParallel(b *testing.B) {
	j := newJournal(1000)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		r := browserRequest()
		for pb.Next() {
			j.Add(&r)
		}
	})
}

func browserRequest() Request {
	return Request{
		Time: noon, ID: "req-123456", OperationID: "createPet", Client: "127.0.0.1",
		Method: "POST", Path: "/pets", Query: "limit=20&status=sold",
		Host: "localhost:8080", Protocol: "HTTP/1.1", Draw: 4711,
		Message: Message{Headers: map[string][]string{
			"Accept": {"application/json"}, "Accept-Encoding": {"gzip, deflate, br"}, "Accept-Language": {"en-GB,en;q=0.9"},
			"Authorization": {"Bearer demo-key"}, "Content-Length": {"52"}, "Content-Type": {"application/json"},
			"Origin": {"http://localhost:5173"}, "Referer": {"http://localhost:5173/"}, "X-Sandbox": {"ada"},
			"User-Agent": {"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"},
		}, Body: []byte(`{"name": "Rex", "categoryId": 1, "status": "available"}`), Size: 55},
		Response: &Answer{201, Message{Headers: map[string][]string{
			"Access-Control-Allow-Origin": {"http://localhost:5173"}, "Access-Control-Allow-Credentials": {"true"},
			"Cache-Control": {"no-cache"}, "Content-Length": {"60"}, "Content-Type": {"application/json"}, "Etag": {`"5Bq3sYVjWyA"`},
			"Location": {"/pets/101"}, "Vary": {"Origin, Accept-Encoding, X-Sandbox, Prefer"},
			"X-Content-Type-Options": {"nosniff"}, "X-Request-Id": {"req-123456"}, "X-Sandbox": {"ada"},
		}, Body: []byte(`{"id":101,"name":"Rex","categoryId":1,"status":"available"}` + "\n"), Size: 60}},
		Status: 201, Duration: 150 * time.Microsecond,
	}
}
