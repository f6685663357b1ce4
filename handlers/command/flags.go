package command

import (
	"io"
	"strings"

	"github.com/spf13/pflag"

	"example.com/petstore/handlers/config"
)

// flags returns a flag set that stores the values of flags in o.
func (o *options) flags() *pflag.FlagSet {
	all := pflag.NewFlagSet("petstore", pflag.ContinueOnError)
	all.SortFlags = false
	all.SetOutput(io.Discard) // Run reports errors
	for _, s := range o.All() {
		flag := all.VarPF(s.Value, s.Name, s.Short, s.Help)
		flag.DefValue = s.Value.Default()
		if s.Value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
	return all
}

// usage is printed before the flags by --help.
const usage = `Usage: petstore [flags]

Serves an in-memory pet store. Every flag is also PETSTORE_<FLAG> in the
environment, except --wait-ready, --completion, --version and --help.
`

// groupedUsage formats the flags in groups, with one line for each flag. The columns are aligned
// across all groups.
func groupedUsage(flags *pflag.FlagSet, groups []config.Group) string {
	lines := strings.SplitAfter(flags.FlagUsages(), "\n")
	var text strings.Builder
	for _, g := range groups {
		text.WriteString("\n" + g.Title + ":\n" + strings.Join(lines[:len(g.Settings)], ""))
		lines = lines[len(g.Settings):]
	}
	return text.String()
}
