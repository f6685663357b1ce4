package store

import "testing"

// TestIDsUsedUp checks that creation fails after the largest id, because wrapping around would
// overwrite records. The largest id is the largest integer that every JSON parser reads exactly.
func TestIDsUsedUp(t *testing.T) {
	t.Parallel()
	s := New(must(Build(func(tx *Tx) error {
		_, err := Categories.Create(tx, Category{ID: 9007199254740990})
		return err
	})), Limits{})
	wantEqual(t, "last id", must(do(s, Categories.Create, Category{})).ID, 9007199254740991)
	_, err := do(s, Categories.Create, Category{})
	wantError(t, err, NoID, "")
	wantEqual(t, "categories", s.View().Counts().Categories, 2)
}

// TestRecordsCountTheirTexts checks that the size of a record is the fixed size of its kind plus
// its texts.
func TestRecordsCountTheirTexts(t *testing.T) {
	t.Parallel()
	text := "four"
	for name, test := range map[string]struct {
		empty, full record
		want        int64
	}{
		"category": {&Category{}, &Category{Name: text, Description: &text}, 8},
		"pet":      {&petRow{}, &petRow{name: text}, 4},
		"order":    {&Order{}, &Order{ShipDate: text}, 4},
		"message":  {&Message{}, &Message{Message: text}, 4},
	} {
		if got := size(test.full) - size(test.empty); got != test.want {
			t.Errorf("%s: its texts count %d bytes, want %d", name, got, test.want)
		}
	}
}
