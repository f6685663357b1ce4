package store

import "testing"

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
