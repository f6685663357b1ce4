package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// usage is the text of --help before the flags.
const usage = `Usage: petstore [flags]

Serves an in-memory pet store. Every flag is also PETSTORE_<FLAG> in the
environment, except --wait-ready, --completion, --version and --help.
`

// group is a group of flags in --help.
type group struct {
	title string
	flags *pflag.FlagSet
}

// newGroup returns an empty group, which lists its flags in the order in which they are added.
func newGroup(title string) group {
	g := group{title: title, flags: pflag.NewFlagSet("", pflag.ContinueOnError)}
	g.flags.SortFlags = false
	return g
}

// groupedUsage formats the groups, one line per flag, with the same columns in all of them.
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
