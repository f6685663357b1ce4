package store

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

// TestFits checks that a state from another store may have as many records as this store's
// limit allows.
func TestFits(t *testing.T) {
	t.Parallel()
	s := New(built(2, 10), Limits{Records: 3})
	wantEqual(t, "error for as many as fit", s.Fits(built(2, 13), Beside{}), nil)
	err := s.Fits(built(2, 14), Beside{})
	wantError(t, err, TooLarge, "")
	wantEqual(t, "message", err.Error(), "the state has 16 records, but the sandbox can hold at most 15")
	wantError(t, s.Fork(Now).Fits(built(2, 14), Beside{}), TooLarge, "")
	s.SetBaseline(built(2, 11))
	wantEqual(t, "error over a larger baseline", s.Fits(built(2, 14), Beside{}), nil)
	wantEqual(t, "error for as many as a baseline may have", s.FitsBaseline(built(2, 13), Beside{}), nil)
	err = s.FitsBaseline(built(2, 14), Beside{})
	wantError(t, err, TooLarge, "")
	wantEqual(t, "message", err.Error(), "the state has 16 records, but its baseline can have at most 15")
	wantEqual(t, "error for a baseline without a limit",
		New(built(1, 0), Limits{}).FitsBaseline(built(2, 1000), Beside{}), nil)
	wantEqual(t, "error without a limit", New(built(1, 0), Limits{}).Fits(built(2, 1000), Beside{}), nil)
}

// TestDiffOfEqualTimes has a message in another time zone.
func TestDiffOfEqualTimes(t *testing.T) {
	t.Parallel()
	hello := Message{ID: 3, Message: "Hello", CreatedAt: time.Unix(3, 0).UTC()}
	s := New(built(1, 0), Limits{})
	must(do(s, Messages.Create, hello))
	before := s.View()
	hello.CreatedAt = hello.CreatedAt.In(time.FixedZone("", 3600))
	must(do(s, Messages.Create, hello))
	wantEqual(t, "diff", s.View().Diff(before), before.Diff(before))
}

func writtenDiff(now, from *State) string {
	var b strings.Builder
	if err := now.WriteDiff(&b, from); err != nil {
		panic(err)
	}
	return b.String()
}

// TestRecordsWriteTheJSONOfTheirTags compares the JSON that records write with the library's
// encoding.
func TestRecordsWriteTheJSONOfTheirTags(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, -1, math.MinInt64, math.MaxInt64}))
		text := rapid.OneOf(rapid.String(),
			rapid.StringOf(rapid.RuneFrom([]rune("\x00\x1f\x7f\"\\/<>&'\b\t\n\f\r\u0085\u2028\u2029\ufffd🐕é"))))
		raw := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) })
		anyText := rapid.OneOf(text, raw)
		status := rapid.OneOf(rapid.SampledFrom(Statuses()),
			rapid.Map(anyText, func(s string) PetStatus { return PetStatus(s) }))
		at := rapid.Custom(func(t *rapid.T) time.Time {
			const first, last = -62135596800, 253402300799 // the years 1 to 9999
			return time.Unix(rapid.Int64Range(first, last).Draw(t, "s"),
				rapid.SampledFrom([]int64{0, 1, 250_000_000, 999_999_999}).Draw(t, "ns")).UTC()
		})

		expectLibrary(t,
			Pet{id.Draw(t, "id"), anyText.Draw(t, "name"), id.Draw(t, "category"), status.Draw(t, "status")})
		expectLibrary(t,
			Category{id.Draw(t, "id"), anyText.Draw(t, "name"), rapid.Ptr(anyText, true).Draw(t, "description")})
		expectLibrary(t,
			Order{id.Draw(t, "id"), id.Draw(t, "pet"), id.Draw(t, "quantity"), anyText.Draw(t, "date"),
				rapid.Bool().Draw(t, "complete")})
		expectLibrary(t, InventoryItem{id.Draw(t, "pet"), id.Draw(t, "quantity"), status.Draw(t, "status")})
		expectLibrary(t, Message{id.Draw(t, "id"), anyText.Draw(t, "message"), at.Draw(t, "at")})
	})
}

func expectLibrary(t *rapid.T, record interface{ AppendJSON([]byte) []byte }) {
	t.Helper()
	want, err := json.Marshal(record, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		t.Fatal(err)
	}
	if got := record.AppendJSON([]byte("before ")); !bytes.Equal(got, append([]byte("before "), want...)) {
		t.Errorf("%+v writes\n%s, the library\n%s", record, got, want)
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
