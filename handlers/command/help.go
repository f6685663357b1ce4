package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// Group is flags that --help shows together.
type Group struct {
	Title string
	Flags *pflag.FlagSet
}

// NewGroup returns a group that has no flags yet, and shows them in the order in
// which they are added.
func NewGroup(title string) Group {
	g := Group{Title: title, Flags: pflag.NewFlagSet("", pflag.ContinueOnError)}
	g.Flags.SortFlags = false
	return g
}

// Usage returns the groups with a line for each flag, in columns that all of them share.
func Usage(groups []Group) string {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.SortFlags = false
	for _, g := range groups {
		all.AddFlagSet(g.Flags)
	}
	lines := strings.SplitAfter(all.FlagUsages(), "\n")
	var text strings.Builder
	for _, g := range groups {
		text.WriteString("\n" + g.Title + ":\n")
		g.Flags.VisitAll(func(*pflag.Flag) {
			text.WriteString(lines[0])
			lines = lines[1:]
		})
	}
	return text.String()
}
