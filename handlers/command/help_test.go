package command

import "testing"

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
