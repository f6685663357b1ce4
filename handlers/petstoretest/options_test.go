package petstoretest_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
)

// TestOptionsAreTheBaseline checks that the baseline has the seed and the sizes of the options. A
// reset that specifies only one of the two takes the other from the baseline.
func TestOptionsAreTheBaseline(t *testing.T) {
	t.Parallel()
	byDefault := petstoretest.Run(t).Baseline()
	if byDefault.Seed != 1 || *byDefault.Sizes != (petstoretest.Sizes{Pets: 100, Categories: 8, Orders: 50}) {
		t.Errorf("by default: seed %d in sizes %v", byDefault.Seed, *byDefault.Sizes)
	}
	empty := petstoretest.Run(t, petstoretest.WithSizes(petstoretest.Sizes{})).Baseline()
	if counts := empty.State.Counts(); counts.Pets != 0 || counts.Categories != 0 {
		t.Errorf("a store that starts empty has %+v", counts)
	}
	sizes := petstoretest.Sizes{Pets: 4, Categories: 2}
	for name, opts := range map[string][]petstoretest.Option{
		"options": {petstoretest.WithSeed(3), petstoretest.WithSizes(sizes)},
		"seed of the configuration": {petstoretest.WithSizes(sizes),
			petstoretest.WithConfig(func(c *petstoretest.Config) { c.Seed = new(uint64(3)) })},
		"sizes of the configuration": {petstoretest.WithSeed(3),
			petstoretest.WithConfig(func(c *petstoretest.Config) { c.Sizes = &sizes })},
		"the later one": {petstoretest.WithSeed(5), petstoretest.WithSizes(petstoretest.Sizes{}),
			petstoretest.WithConfig(func(c *petstoretest.Config) { c.Seed, c.Sizes = new(uint64(3)), &sizes })},
		"the later option": {petstoretest.WithConfig(func(c *petstoretest.Config) {
			c.Seed, c.Sizes = new(uint64(5)), new(petstoretest.Sizes)
		}),
			petstoretest.WithSizes(sizes), petstoretest.WithSeed(3)},
	} {
		baseline := petstoretest.Run(t, opts...).Baseline()
		if baseline.Seed != 3 || baseline.Sizes == nil || *baseline.Sizes != sizes ||
			baseline.State.Counts().Pets != 4 {
			t.Errorf("%s: %d pets of seed %d in sizes %v", name, baseline.State.Counts().Pets, baseline.Seed,
				baseline.Sizes)
		}
	}
}

func TestBadOptionsEndTheTest(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bad.json")
	must.Succeed(t, os.WriteFile(file, []byte(`{"pets": [{"id": 1, "name": "", "categoryId": 7}]}`), 0o600))
	baseline := must.Get(fixtures.Generate(1, petstoretest.Sizes{}, nil))(t)
	good := petstoretest.Run(t).ExportWorld()
	badWorld, world := filepath.Join(t.TempDir(), "bad.json"), filepath.Join(t.TempDir(), "world.json")
	empty := filepath.Join(t.TempDir(), "empty.json")
	for path, text := range map[string]string{
		badWorld: `{"format": 1, "draw": 0, "baseline": {"pets": [{"id": 1}]}, "state": {}}`, world: good, empty: "{}",
	} {
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for name, test := range map[string]struct {
		opts []petstoretest.Option
		want []string // parts of the message
	}{
		"bad file": {[]petstoretest.Option{petstoretest.WithFixtures(file)},
			[]string{"WithFixtures: ", file, "pets[0].name", "pets[0].categoryId"}},
		"no path": {[]petstoretest.Option{petstoretest.WithFixtures("")},
			[]string{"WithFixtures needs the path of a file"}},
		"endless": {[]petstoretest.Option{petstoretest.WithSizes(petstoretest.Sizes{Pets: math.MaxInt,
			Categories: 1})}, []string{"Config.Sizes.Pets cannot be"}},
		"no such file": {[]petstoretest.Option{petstoretest.WithFixtures("none.json")},
			[]string{"WithFixtures: ", "none.json"}},
		"sizes": {[]petstoretest.Option{petstoretest.WithSizes(petstoretest.Sizes{Pets: 1})},
			[]string{"Config.Sizes.Categories cannot be 0"}},
		"two sources": {[]petstoretest.Option{petstoretest.WithSeed(1), petstoretest.WithFixtures(file)},
			[]string{"choose one"}},
		"own baseline": {
			[]petstoretest.Option{petstoretest.WithSeed(1),
				petstoretest.WithConfig(func(c *petstoretest.Config) { c.Baseline = baseline })},
			[]string{"choose one"},
		},
		"fixtures of sizes": {
			[]petstoretest.Option{petstoretest.WithFixtures(file),
				petstoretest.WithConfig(func(c *petstoretest.Config) { c.Sizes = new(petstoretest.Sizes) })},
			[]string{"choose one"},
		},
		"sizes of another baseline": {
			[]petstoretest.Option{petstoretest.WithConfig(func(c *petstoretest.Config) {
				c.Baseline, c.Sizes = baseline, &petstoretest.Sizes{Pets: 3, Categories: 1}
			})},
			[]string{"Config.Sizes are not those of the Baseline; leave Sizes out"},
		},
		"world of words": {
			[]petstoretest.Option{petstoretest.WithConfig(func(c *petstoretest.Config) {
				c.World = []byte("garbage")
			})},
			[]string{"petstoretest: Config.World cannot be used:\nline 1, column 1: invalid character 'g'"},
		},
		"world of nothing": {
			[]petstoretest.Option{petstoretest.WithConfig(func(c *petstoretest.Config) { c.World = []byte("{}") })},
			[]string{"petstoretest: Config.World cannot be used:\nformat: is required"},
		},
		"a bad world": {[]petstoretest.Option{petstoretest.FromWorld(badWorld)},
			[]string{"FromWorld: ", badWorld, "draw: must be from 1", "baseline.pets[0].name: is required"}},
		"no world": {[]petstoretest.Option{petstoretest.FromWorld(world + ".none")},
			[]string{"FromWorld: ", ".none"}},
		"no path of a world": {[]petstoretest.Option{petstoretest.FromWorld("")},
			[]string{"FromWorld needs the path of a file"}},
		"no request of a world": {[]petstoretest.Option{petstoretest.FromWorld(world, petstoretest.AtDraw(0))},
			[]string{"AtDraw needs the number of a request, from 1"}},
		"all of it as well": {
			[]petstoretest.Option{petstoretest.FromWorld(world), petstoretest.WithSeed(2),
				petstoretest.WithSizes(petstoretest.Sizes{}), petstoretest.WithConfig(func(c *petstoretest.Config) {
					c.ErrorRate, c.EnforceSunset = 0.5, true
				})},
			[]string{"Config.Seed is part of a world", "Config.Sizes is part of a world",
				"Config.ErrorRate is part of a world", "Config.EnforceSunset is part of a world"},
		},
		"fixtures as well": {[]petstoretest.Option{petstoretest.FromWorld(world), petstoretest.WithFixtures(empty)},
			[]string{"Config.Baseline is part of a world"}},
		"config": {[]petstoretest.Option{petstoretest.WithConfig(func(c *petstoretest.Config) {
			c.CORSOrigins = []string{"x"}
		})}, []string{"Config.CORSOrigins must be an origin"}},
		"bounds": {[]petstoretest.Option{petstoretest.WithConfig(func(c *petstoretest.Config) {
			c.MaxRecords, c.Journal = -1, new(-1)
		})},
			[]string{"Config.MaxRecords must be at least 1, not -1\nConfig.Journal cannot be negative; 0 turns it off"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustEnd(t, func(fake *exampleT) { petstoretest.Run(fake, test.opts...) }, test.want...)
			if srv, err := petstoretest.Start(test.opts...); srv != nil || err == nil {
				t.Errorf("Start = %v, %v, want an error", srv, err)
			}
		})
	}
	mustEnd(t, func(fake *exampleT) { petstoretest.Run(fake).ImportWorld(good, petstoretest.AtDraw(0)) },
		"AtDraw needs the number of a request")
}
