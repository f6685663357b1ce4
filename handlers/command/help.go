package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// usage is what --help says before the flags.
const usage = `Usage: petstore [flags]

Serves an in-memory pet store. Every flag is also PETSTORE_<FLAG> in the
environment, except --wait-ready, --completion, --version and --help.
`

// group is flags that --help shows together.
type group struct {
	title string
	flags *pflag.FlagSet
}

// newGroup returns a group that has no flags yet, and shows them in the order in
// which they are added.
func newGroup(title string) group {
	g := group{title: title, flags: pflag.NewFlagSet("", pflag.ContinueOnError)}
	g.flags.SortFlags = false
	return g
}

// groupedUsage returns the groups with a line for each flag, in columns that all of them share.
func groupedUsage(groups []group) string {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.SortFlags = false
	for _, g := range groups {
		all.AddFlagSet(g.flags)
	}
	lines := strings.SplitAfter(all.FlagUsages(), "\n")
	var text strings.Builder
	for _, g := range groups {
		text.WriteString("\n" + g.title + ":\n")
		g.flags.VisitAll(func(*pflag.Flag) {
			text.WriteString(lines[0])
			lines = lines[1:]
		})
	}
	return text.String()
}
