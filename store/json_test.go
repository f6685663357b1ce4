package store

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// TestRecordsWriteTheJSONOfTheirTags compares the JSON that records write with the library's
// encoding.
func TestRecordsWriteTheJSONOfTheirTags(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, -1, math.MinInt64, math.MaxInt64}))
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("\x00\x1f\x7f\"\\/<>&'\b\t\n\f\r\u0085\u2028\u2029\ufffd🐕é"))))
		raw := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) })
		anyText := rapid.OneOf(text, raw)
		status := rapid.OneOf(rapid.SampledFrom(Statuses()), rapid.Map(anyText, func(s string) PetStatus { return PetStatus(s) }))
		at := rapid.Custom(func(t *rapid.T) time.Time {
			const first, last = -62135596800, 253402300799 // the years 1 to 9999
			return time.Unix(rapid.Int64Range(first, last).Draw(t, "s"), rapid.SampledFrom([]int64{0, 1, 250_000_000, 999_999_999}).Draw(t, "ns")).UTC()
		})

		expectLibrary(t, Pet{id.Draw(t, "id"), anyText.Draw(t, "name"), id.Draw(t, "category"), status.Draw(t, "status")})
		expectLibrary(t, Category{id.Draw(t, "id"), anyText.Draw(t, "name"), rapid.Ptr(anyText, true).Draw(t, "description")})
		expectLibrary(t, Order{id.Draw(t, "id"), id.Draw(t, "pet"), id.Draw(t, "quantity"), anyText.Draw(t, "date"), rapid.Bool().Draw(t, "complete")})
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
