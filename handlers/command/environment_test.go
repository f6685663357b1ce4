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
	f.String("addr", "", "")
	return f
}

func TestRepeatedVariables(t *testing.T) {
	t.Parallel()
	f := someFlags()
	if err := readEnvironment(f, []string{"PETSTORE_API_KEY=one, two,three"}); err != nil {
		t.Error(err)
	}
	if got, err := f.GetStringArray("api-key"); err != nil || !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("--api-key is %q, %v", got, err)
	}
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

func TestUnknownVariablesAreWarnedOf(t *testing.T) {
	t.Parallel()
	got := unknownVariables(someFlags(), []string{
		"PETSTORE_SEEDS=2",    // one letter too many
		"PETSTORE_APIKEY=a",   // one left out
		"PETSTORE_PETZ=3",     // one replaced
		"PETSTROE_SEED=4",     // two swapped
		"PETSTORE_SEDS=",      // empty, as if it were not there
		"PETSTORE_SEED=5",     // right
		"PETSTORE_COLOUR=red", // near none
		"PETSTORE_PORT=3000",  // another program's name for the address
		"PETSTORE_VERSIONS=6", // near a flag that has no variable
		"PETSTORE_VERSION=7",  // set in many an image
		"PETSTORE_BINARY=/x",  // of the clients for JavaScript, Python and Java
		"PETSTORE_URL=http:",  // likewise
		"_=/usr/bin/env",
		"=C:=x",
		"petstore_seed=8",
	})
	want := []string{
		"the variable PETSTORE_APIKEY does not belong to a flag; did you mean PETSTORE_API_KEY?",
		"the variable PETSTORE_COLOUR does not belong to a flag; --help lists the flags",
		"the variable PETSTORE_PETZ does not belong to a flag; did you mean PETSTORE_PETS?",
		"the variable PETSTORE_PORT does not belong to a flag; did you mean PETSTORE_ADDR?",
		"the variable PETSTORE_SEEDS does not belong to a flag; did you mean PETSTORE_SEED?",
		"the variable PETSTORE_VERSIONS does not belong to a flag; --help lists the flags",
		"the variable PETSTROE_SEED does not belong to a flag; did you mean PETSTORE_SEED?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestVariablesOfKubernetes has those that a pod gets from a Service called petstore, and from
// one called petstore-two.
func TestVariablesOfKubernetes(t *testing.T) {
	t.Parallel()
	var environ []string
	for _, service := range []string{"PETSTORE", "PETSTORE_TWO"} {
		for _, variable := range []string{
			"SERVICE_HOST=10.0.0.1", "SERVICE_PORT=80", "SERVICE_PORT_HTTP=80", "PORT=tcp://10.0.0.1:80", "PORT_80_TCP=tcp://10.0.0.1:80",
			"PORT_80_TCP_PROTO=tcp", "PORT_80_TCP_PORT=80", "PORT_80_TCP_ADDR=10.0.0.1", "PORT_53_UDP=udp://10.0.0.1:53",
		} {
			environ = append(environ, service+"_"+variable)
		}
	}
	if got := unknownVariables(allFlags(), environ); got != nil {
		t.Errorf("warnings %q, want none", got)
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
