package command

import (
	"fmt"
	"strings"
	"testing"

	"example.com/petstore/fixtures"
)

func TestUsageIsInGroups(t *testing.T) {
	t.Parallel()
	one, two := newGroup("One"), newGroup("Two")
	one.flags.Int("zebras", 3, "`number` of zebras")
	one.flags.Bool("all", false, "all of them")
	two.flags.BoolP("verbose", "v", false, "say more")
	want := `
One:
      --zebras number   number of zebras (default 3)
      --all             all of them

Two:
  -v, --verbose         say more
`
	if got := groupedUsage([]group{one, two}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestSizesTellTheirBound wants the help of each size to say how many records there
// can be.
func TestSizesTellTheirBound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pets", "categories", "orders"} {
		usage := allFlags().Lookup(name).Usage
		if want := fmt.Sprintf("at most %d records in all", fixtures.MaxFakes); !strings.Contains(strings.ReplaceAll(usage, ",", ""), want) {
			t.Errorf("--%s: %q, want %q in it", name, usage, want)
		}
	}
}
