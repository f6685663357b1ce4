package command

import (
	"io"

	"github.com/spf13/pflag"
)

// flags returns a flag set that stores the values of flags in o.
func (o *options) flags() *pflag.FlagSet {
	all := pflag.NewFlagSet("petstore", pflag.ContinueOnError)
	all.SortFlags = false
	all.SetOutput(io.Discard) // run reports errors
	for s := range o.All() {
		flag := all.VarPF(s.Value, s.Name, s.Short, s.Help)
		flag.DefValue = s.Value.Default()
		if s.Value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
	return all
}
