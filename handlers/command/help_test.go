package command

import "testing"

func TestUsageIsInGroups(t *testing.T) {
	t.Parallel()
	one, two := NewGroup("One"), NewGroup("Two")
	one.Flags.Int("zebras", 3, "`number` of zebras")
	one.Flags.Bool("all", false, "all of them")
	two.Flags.BoolP("verbose", "v", false, "say more")
	want := `
One:
      --zebras number   number of zebras (default 3)
      --all             all of them

Two:
  -v, --verbose         say more
`
	if got := Usage([]Group{one, two}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
