package command

import (
	"slices"
	"testing"

	"github.com/spf13/pflag"
)

// someFlags is a flag set as the program has one.
func someFlags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Int("seed", 1, "")
	f.StringArray("api-key", nil, "")
	f.Int("pets", 100, "")
	f.Bool("version", false, "")
	f.Bool("help", false, "")
	f.String("wait-ready", "", "")
	return f
}

func TestFlagsThatEndHaveNoVariable(t *testing.T) {
	t.Parallel()
	f := someFlags()
	err := readEnvironment(f, []string{"PETSTORE_VERSION=1.2.3", "PETSTORE_HELP=true", "PETSTORE_WAIT_READY=http://127.0.0.1:8080", "PETSTORE_SEED=2"})
	if err != nil {
		t.Error(err)
	}
	f.VisitAll(func(flag *pflag.Flag) {
		if want := flag.Name == "seed"; flag.Changed != want {
			t.Errorf("--%s is set to %s", flag.Name, flag.Value)
		}
	})
}

func TestMisspeltVariablesAreWarnedOf(t *testing.T) {
	t.Parallel()
	got := misspelt(someFlags(), []string{
		"PETSTORE_SEEDS=2",    // one letter too many
		"PETSTORE_APIKEY=a",   // one left out
		"PETSTORE_PETZ=3",     // one replaced
		"PETSTROE_SEED=4",     // two swapped
		"PETSTORE_SEDS=",      // empty, as if it were not there
		"PETSTORE_SEED=5",     // right
		"PETSTORE_PORT=tcp:",  // further off: somebody else's
		"PETSTORE_VERSIONS=6", // near a flag that has no variable
		"PETSTORE_VERSION=7",
		"_=/usr/bin/env",
		"=C:=x",
		"petstore_seed=8",
	})
	want := []string{
		"the variable PETSTORE_APIKEY does not belong to a flag; did you mean PETSTORE_API_KEY?",
		"the variable PETSTORE_PETZ does not belong to a flag; did you mean PETSTORE_PETS?",
		"the variable PETSTORE_SEEDS does not belong to a flag; did you mean PETSTORE_SEED?",
		"the variable PETSTROE_SEED does not belong to a flag; did you mean PETSTORE_SEED?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestEmptyKeysAreWarnedOf(t *testing.T) {
	t.Parallel()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	flags.StringArray("api-key", nil, "")
	flags.String("admin-key", "", "")
	environ := []string{"PETSTORE_ADMIN_KEY=", "PETSTORE_API_KEY=", "PETSTORE_SEED="}
	want := []string{
		"the variable PETSTORE_API_KEY is empty, so there is no such key: give it a value, or remove it",
		"the variable PETSTORE_ADMIN_KEY is empty, so there is no such key: give it a value, or remove it",
	}
	if got := emptyKeys(flags, environ); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if err := flags.Parse([]string{"--admin-key", "k"}); err != nil {
		t.Fatal(err)
	}
	if got := emptyKeys(flags, environ); !slices.Equal(got, want[:1]) {
		t.Errorf("with --admin-key: %q, want %q", got, want[:1])
	}
	if got := emptyKeys(flags, []string{"PETSTORE_API_KEY=k"}); got != nil {
		t.Errorf("with a key: %q, want none", got)
	}
}
