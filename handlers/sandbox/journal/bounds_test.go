package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/petstore/handlers/internal/testmain"
)

// drawRequest draws a request as a malicious client may send it.
func drawRequest(t *rapid.T) *Request {
	long := rapid.Custom(func(t *rapid.T) string {
		length := rapid.SampledFrom([]int{0, 1, 20, maxWord, maxText, maxText + 1, maxHeaders + 1, MaxBody + 1}).
			Draw(t, "length")
		return strings.Repeat(rapid.SampledFrom([]string{"x", "Ä", "\x80", "token=&"}).Draw(t, "filling"), length)
	})
	message := rapid.Custom(func(t *rapid.T) Message {
		m := Message{Headers: make(map[string][]string), Body: []byte(long.Draw(t, "body"))}
		m.Size = int64(len(m.Body)) + rapid.Int64Range(-1, 1).Draw(t, "size")
		for i := range rapid.IntRange(0, 5).Draw(t, "headers") {
			m.Headers[fmt.Sprint("X-", i, long.Draw(t, "name"))] = []string{long.Draw(t, "value"),
				long.Draw(t, "value")}
		}
		return m
	})
	r := &Request{
		Time: noon, ID: long.Draw(t, "id"), OperationID: long.Draw(t, "operation"), Client: long.Draw(t, "client"),
		Method: long.Draw(t, "method"), Path: long.Draw(t, "path"), Query: long.Draw(t, "query"),
		Host: long.Draw(t, "host"), Protocol: long.Draw(t, "protocol"), Message: message.Draw(t, "request"),
	}
	if rapid.Bool().Draw(t, "answered") {
		r.Response = &Answer{200, message.Draw(t, "response")}
	}
	return r
}

// TestJournalKeeps200ArbitraryRequests sends arbitrary requests and checks that the journal keeps the last
// 200 of them, in 4 MiB.
func TestJournalKeeps200ArbitraryRequests(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		j := newJournal(1000)
		kinds := make([]*Request, rapid.IntRange(1, 5).Draw(t, "kinds"))
		for i := range kinds {
			kinds[i] = drawRequest(t)
			e := new(Journal).encode(nil, nil, kinds[i])
			if n := e.recordBytes(); n > maxEntry {
				t.Fatalf("an entry of %d bytes, want at most %d", n, maxEntry)
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "fill") > 0 { // filling is slow, so only a quarter of the journals is filled
			return
		}
		const added = 350
		for i := range int64(added) {
			j.Add(kinds[i%int64(len(kinds))])
			if i%50 != 0 {
				continue
			}
			if n := j.Bytes(); n > maxBytes {
				t.Fatalf("%d bytes, want at most %d", n, maxBytes)
			}
			if found := find(j, Filter{Since: i}, 1); found.Matched != 1 || found.Oldest > max(1, i-250) {
				t.Fatalf("after entry %d: %d matched, the oldest is %d", i+1, found.Matched, found.Oldest)
			}
		}
	})
}

// TestJournalIsBoundedInBytes fills a journal with small entries, whose number is not limited, and
// with the largest ones.
func TestJournalIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	full := bytes.Repeat([]byte("x"), MaxBody)
	headers := make(map[string][]string)
	for i := range 10 {
		headers[fmt.Sprint(i)] = []string{strings.Repeat("y", maxText)}
	}
	text := strings.Repeat("z", maxText)
	large := Message{Headers: headers, Body: full, Size: MaxBody}
	for name, test := range map[string]struct {
		request Request
		added   int
		least   int // entries that must be kept
	}{
		"small":  {Request{Path: "/pets"}, 200_000, 30_000},
		"a body": {Request{Message: Message{Body: full, Size: MaxBody}}, 3000, 900},
		"all of it": {Request{ID: text, OperationID: text, Client: text, Method: text, Path: text, Query: text,
			Host: text, Protocol: text, Message: large, Response: &Answer{200, large}}, 1000, 250},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(1_000_000)
			for range test.added {
				j.Add(&test.request)
			}
			if n := j.Bytes(); n > maxBytes || n < maxBytes-chunkBytes {
				t.Errorf("%d bytes, want %d, or one chunk less", n, maxBytes)
			}
			entries, dropped := j.Size()
			if entries < test.least {
				t.Errorf("%d entries, want at least %d, which fit", entries, test.least)
			}
			if entries+int(dropped) != test.added {
				t.Errorf("%d entries and %d dropped, want %d together", entries, dropped, test.added)
			}
			if found := find(j, Filter{}, 1); found.Oldest != int64(dropped)+1 || found.Entries[0].ID != found.Oldest ||
				found.Matched != entries {
				t.Errorf("oldest = %d, first = %d, want %d; %d matched, want %d", found.Oldest, found.Entries[0].ID,
					dropped+1, found.Matched, entries)
			}
		})
	}
}

func TestJournalCutsTexts(t *testing.T) {
	t.Parallel()
	fill := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct{ name, text, want string }{
		{"at the bound", fill(maxText), fill(maxText)},
		{"above it", fill(maxText + 1), fill(maxText-3) + "…"},
		{"before a character", fill(maxText-4) + "Äxxx", fill(maxText-4) + "…"},
		{"no characters", strings.Repeat("\x80", maxText+1), strings.Repeat("\x80", maxText-6) + "…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(1)
			m := Message{Headers: map[string][]string{"X-A": {test.text}, "X-B": {"b"}}}
			j.Add(&Request{Path: test.text, Query: test.text, Message: m, Response: &Answer{200, m}})
			e := find(j, Filter{}, 1).Entries[0]
			if diff := cmp.Diff([]string{test.want, test.want, test.want, "b"},
				[]string{e.Path, e.Query, e.Headers["X-A"], e.Headers["X-B"]}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if cut := test.text != test.want; e.HeadersTruncated != cut || e.Response.HeadersTruncated != cut {
				t.Errorf("headers are truncated: %t, of the response: %t, want %t", e.HeadersTruncated,
					e.Response.HeadersTruncated, cut)
			}
		})
	}
}

// TestJournalKeepsShortHeaders checks that a flood of headers does not displace those that
// identify the client.
func TestJournalKeepsShortHeaders(t *testing.T) {
	t.Parallel()
	j := newJournal(1)
	headers := map[string][]string{"X-Client": {"web"}, "User-Agent": {"test/1"}}
	for i := range 9 {
		headers[fmt.Sprint("X-", i)] = []string{strings.Repeat("x", 600)}
	}
	j.Add(&Request{Message: Message{Headers: headers}})
	e := find(j, Filter{}, 1).Entries[0]
	want := []string{"User-Agent", "X-0", "X-1", "X-2", "X-Client"}
	if got := slices.Sorted(maps.Keys(e.Headers)); !cmp.Equal(got, want) || !e.HeadersTruncated {
		t.Errorf("%q are kept, truncated: %t; want %q", got, e.HeadersTruncated, want)
	}
}

// TestJournalRedactsTruncatedKeys checks keys that truncated texts contain.
func TestJournalRedactsTruncatedKeys(t *testing.T) {
	t.Parallel()
	const key = "s3cr3t"
	for before := maxText - 40; before < maxText+5; before++ {
		text := strings.Repeat("x", before) + "&token=" + key + "&token=" + key
		j := newJournal(1)
		j.Add(&Request{Query: text, Message: Message{Headers: map[string][]string{"Referer": {"/?" + text}}}})
		e := find(j, Filter{}, 1).Entries[0]
		for _, kept := range []string{e.Query, e.Headers["Referer"]} {
			if strings.Contains(kept, "s3c") || len(kept) > maxText {
				t.Errorf("%d before the key: %q", before, kept[len(kept)-50:])
			}
		}
	}
}

// TestWaitersAreBounded has as many waiters as are allowed, and then one more.
func TestWaitersAreBounded(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		j := newJournal(3)
		ctx, end := context.WithCancel(t.Context())
		for range maxWaiters {
			go j.Wait(ctx, Filter{}, 1)
		}
		synctest.Wait()
		if _, err := j.Wait(ctx, Filter{}, 1); !errors.Is(err, ErrWaiters) {
			t.Errorf("one more: %v", err)
		}
		end()
		synctest.Wait()
		if _, err := j.Wait(ctx, Filter{}, 1); err != nil {
			t.Errorf("after the others have ended: %v", err)
		}
	})
}

func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	j := newJournal(0)
	for range maxStreams {
		listen(t, j, FromNow, false)
	}
	if n := j.Bytes(); n != maxStreams*streamBytes {
		t.Errorf("%d bytes, want %d", n, maxStreams*streamBytes)
	}
	if _, err := j.Listen(FromNow, true); !errors.Is(err, ErrStreams) {
		t.Errorf("one more: %v", err)
	}
	j.hub.streams[7].Close()
	listen(t, j, FromNow, true)
}

// TestEntryCountsItsTexts checks that the size of an entry includes each of its texts.
func TestEntryCountsItsTexts(t *testing.T) {
	t.Parallel()
	const x = "0123456789"
	e := Entry{RequestID: x, OperationID: x, Method: x, Host: x, Path: x, Query: x, Protocol: x, Body: x, Client: x,
		Headers: map[string]string{x: x}, Response: &Response{Body: x, Headers: map[string]string{x: x}}}
	if got, want := e.size(), 512+2*64+14*len(x); got != want {
		t.Errorf("the size is %d bytes, want %d", got, want)
	}
}
