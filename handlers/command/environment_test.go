package command

import (
	"slices"
	"testing"
)

func TestRepeatedVariables(t *testing.T) {
	t.Parallel()
	var o options
	if err := o.readEnvironment(o.flags(), []string{"PETSTORE_API_KEY=one, two,three"}); err != nil {
		t.Error(err)
	}
	if got := o.Config.APIKeys; !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("the keys are %q", got)
	}
}

func TestUnknownVariablesAreWarnedOf(t *testing.T) {
	t.Parallel()
	got := new(options).unknownVariables([]string{
		"PETSTORE_SEEDS=2",    // one letter too many
		"PETSTORE_APIKEY=a",   // one letter missing
		"PETSTORE_PETZ=3",     // one letter replaced
		"PETSTROE_SEED=4",     // two letters swapped
		"PETSTORE_SEDS=",      // empty, so treated as unset
		"PETSTORE_SEED=5",     // correct
		"PETSTORE_COLOUR=red", // not similar to a flag
		"PETSTORE_PORT=3000",  // a common name for the address
		"PETSTORE_VERSIONS=6", // similar to a flag without a variable
		"PETSTORE_VERSION=7",  // set in many images
		"PETSTORE_BINARY=/x",  // used by the clients for JavaScript, Python and Java
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

// TestVariablesOfKubernetes uses the variables that Kubernetes sets in a pod for the Services
// petstore and petstore-two.
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
	if got := new(options).unknownVariables(environ); got != nil {
		t.Errorf("warnings %q, want none", got)
	}
}

func TestEmptyKeysAreWarnedOf(t *testing.T) {
	t.Parallel()
	var o options
	flags := o.flags()
	environ := []string{"PETSTORE_ADMIN_KEY=", "PETSTORE_API_KEY=", "PETSTORE_SEED="}
	want := []string{
		"the variable PETSTORE_API_KEY is empty, so there is no such key: give it a value, or remove it",
		"the variable PETSTORE_ADMIN_KEY is empty, so there is no such key: give it a value, or remove it",
	}
	if got := o.emptyKeys(flags, environ); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if err := flags.Parse([]string{"--admin-key", "k"}); err != nil {
		t.Fatal(err)
	}
	if got := o.emptyKeys(flags, environ); !slices.Equal(got, want[:1]) {
		t.Errorf("with --admin-key: %q, want %q", got, want[:1])
	}
	if got := o.emptyKeys(flags, []string{"PETSTORE_API_KEY=k"}); got != nil {
		t.Errorf("with a key: %q, want none", got)
	}
}
