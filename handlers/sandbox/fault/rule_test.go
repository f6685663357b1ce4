package fault

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
)

func TestRuleCheck(t *testing.T) {
	t.Parallel()
	operation := func(id string) error {
		if id == "getPet" {
			return nil
		}
		return errors.New("is none")
	}
	allowed := func(_ int, name, _ string) string { return map[string]string{"X-Mine": "is mine"}[name] }
	matching := func(m Match) Rule { return Rule{Match: &m} }
	delaying := func(d Delay) Rule { return Rule{Delay: &d} }
	answering := func(headers map[string]string) Rule { return Rule{Status: new(503), Headers: headers} }
	tests := []struct {
		name string
		rule Rule
		want []string // the invalid fields
	}{
		{name: "nothing at all"},
		{name: "everything", rule: Rule{
			ID: 7, Applied: 8, Probability: new(1.0), Times: new(1), Status: new(599), When: After, Code: "a",
			Message: "b",
			Match: &Match{OperationID: "getPet", Method: "PATCH", Path: "/pets/*",
				Headers: map[string]string{"x-client": "a b"}},
			Delay:   &Delay{FixedMs: new(0), JitterMs: new(600_000)},
			Headers: map[string]string{"retry-after": "1", "X-Empty": ""},
		}},
		{name: "an abort", rule: Rule{Abort: AbortHang, When: Before}},
		{name: "least values",
			rule: Rule{Probability: new(0.0), Status: new(200), Delay: &Delay{P50Ms: new(1), P99Ms: new(1)}}},

		{name: "unknown operation", rule: matching(Match{OperationID: "getPets"}),
			want: []string{"/match/operationId"}},
		{name: "method in lower case", rule: matching(Match{Method: "get"}), want: []string{"/match/method"}},
		{name: "method without faults", rule: matching(Match{Method: "OPTIONS"}), want: []string{"/match/method"}},
		{name: "path", rule: matching(Match{Path: "pets"}), want: []string{"/match/path"}},
		{name: "matched headers",
			rule: matching(Match{Headers: map[string]string{"": "a", "a/b": "c", "host": "a", "X-A": "b\n"}}),
			want: []string{"/match/headers/", "/match/headers/X-A", "/match/headers/a~1b",
				"/match/headers/host"}},
		{name: "one matched header twice", rule: matching(Match{Headers: map[string]string{"X-A": "1", "x-a": "2"}}),
			want: []string{"/match/headers/x-a"}},
		{name: "one header twice", rule: answering(map[string]string{"X-A": "1", "x-a": "2"}),
			want: []string{"/headers/x-a"}},
		{name: "probability over 1", rule: Rule{Probability: new(1.1)}, want: []string{"/probability"}},
		{name: "probability under 0", rule: Rule{Probability: new(-0.1)}, want: []string{"/probability"}},
		{name: "no times", rule: Rule{Times: new(0)}, want: []string{"/times"}},
		{name: "no delay", rule: delaying(Delay{}), want: []string{"/delay"}},
		{name: "both delays", rule: delaying(Delay{FixedMs: new(1), P50Ms: new(1), P99Ms: new(2)}),
			want: []string{"/delay"}},
		{name: "long delays", rule: delaying(Delay{FixedMs: new(600_001), JitterMs: new(-1)}),
			want: []string{"/delay/fixedMs", "/delay/jitterMs"}},
		{name: "delays long together", rule: delaying(Delay{FixedMs: new(1), JitterMs: new(600_000)}),
			want: []string{"/delay/jitterMs"}},
		{name: "the longest delays together", rule: delaying(Delay{FixedMs: new(599_999), JitterMs: new(1)})},
		{name: "the longest percentiles", rule: delaying(Delay{P50Ms: new(600_000), P99Ms: new(600_000)})},
		{name: "percentiles of zero", rule: delaying(Delay{P50Ms: new(0), P99Ms: new(600_001)}),
			want: []string{"/delay/p50Ms", "/delay/p99Ms"}},
		{name: "half a distribution", rule: delaying(Delay{P50Ms: new(1)}), want: []string{"/delay/p99Ms"}},
		{name: "the other half", rule: delaying(Delay{P99Ms: new(1)}), want: []string{"/delay/p50Ms"}},
		{name: "percentiles upside down", rule: delaying(Delay{P50Ms: new(2), P99Ms: new(1)}),
			want: []string{"/delay/p99Ms"}},
		{name: "status too small", rule: Rule{Status: new(199)}, want: []string{"/status"}},
		{name: "status too large", rule: Rule{Status: new(600)}, want: []string{"/status"}},
		{name: "parts of a response without a status",
			rule: Rule{Code: "a", Message: "b", Headers: map[string]string{}},
			want: []string{"/code", "/headers", "/message"}},
		{name: "long texts",
			rule: Rule{Status: new(500), Code: strings.Repeat("ä", 101), Message: strings.Repeat("ä", 4001)},
			want: []string{"/code", "/message"}},
		{name: "texts just not too long",
			rule: Rule{Status: new(500), Code: strings.Repeat("ä", 100), Message: strings.Repeat("ä", 4000)}},
		{name: "headers that split", rule: answering(map[string]string{"X-A": "b\r\nX-B: c", "X\nY": "a"}),
			want: []string{"/headers/X\nY", "/headers/X-A"}},
		{name: "headers of other programs",
			rule: answering(map[string]string{"x-mine": "0", "content-length": "1", "Host": "2"}),
			want: []string{"/headers/content-length", "/headers/x-mine"}},
		{name: "abort", rule: Rule{Abort: "explode"}, want: []string{"/abort"}},
		{name: "abort with a status", rule: Rule{Abort: AbortReset, Status: new(500)}, want: []string{"/abort"}},
		{name: "when", rule: Rule{Status: new(500), When: "now"}, want: []string{"/when"}},
		{name: "when of nothing", rule: Rule{When: After}, want: []string{"/when"}},
		{name: "all at once",
			rule: Rule{Probability: new(2.0), Times: new(-1), Status: new(1), When: "x", Abort: "y",
				Match: &Match{Path: "z"}},
			want: []string{"/abort", "/match/path", "/probability", "/status", "/times", "/when"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, problem := range test.rule.Check(operation, allowed) {
				got = append(got, problem.Field)
				if problem.Message == "" || strings.Contains(problem.Message, "%!") {
					t.Errorf("%s: %q", problem.Field, problem.Message)
				}
			}
			slices.Sort(got)
			slices.Sort(test.want)
			must.Equal(t, test.want, got, "fields at fault")
		})
	}
}

// delays returns the delays of many requests, in ascending order.
func delays(d Delay, requests uint64) []time.Duration {
	all := make([]time.Duration, 0, requests)
	for number := range requests {
		all = append(all, d.draw(&Draws{Seed: 1, Number: number + 1}))
	}
	slices.Sort(all)
	return all
}

func TestDelayLogNormal(t *testing.T) {
	t.Parallel()
	const n = 100_000
	all := delays(Delay{P50Ms: new(80), P99Ms: new(2000)}, n)
	for _, want := range []struct {
		percentile int
		delay      time.Duration
	}{{50, 80 * time.Millisecond}, {99, 2 * time.Second}} {
		got := all[n*want.percentile/100]
		if ratio := got.Seconds() / want.delay.Seconds(); ratio < 0.95 || ratio > 1.05 {
			t.Errorf("p%d = %v, want %v within 5 %%", want.percentile, got, want.delay)
		}
	}
	if all[0] <= 0 {
		t.Errorf("least = %v", all[0])
	}
	// Its mean is far from its median, unlike that of a symmetric distribution:
	// 80 ms * exp(sigma²/2) with sigma = ln(25)/2.326.
	sum := time.Duration(0)
	for _, d := range all {
		sum += d
	}
	if mean := sum / n; mean < 190*time.Millisecond || mean > 230*time.Millisecond {
		t.Errorf("mean = %v, want about 208 ms", mean)
	}
}

func TestDelayEven(t *testing.T) {
	t.Parallel()
	const n = 10_000
	all := delays(Delay{FixedMs: new(200), JitterMs: new(100)}, n)
	for i, want := range map[int]time.Duration{0: 200, n / 4: 225, n / 2: 250, n - 1: 300} {
		want *= time.Millisecond
		if got := all[i]; (got - want).Abs() > 2*time.Millisecond {
			t.Errorf("the %d. of %d is %v, want about %v", i, n, got, want)
		}
	}
	if fixed := delays(Delay{FixedMs: new(200)}, 10); fixed[0] != 200*time.Millisecond || fixed[9] != fixed[0] {
		t.Errorf("fixed = %v", fixed)
	}
}

func TestDelayIsBounded(t *testing.T) {
	t.Parallel()
	all := delays(Delay{P50Ms: new(1), P99Ms: new(600_000)}, 10_000)
	if longest := all[len(all)-1]; longest != MaxDelay {
		t.Errorf("longest = %v, want %v", longest, MaxDelay)
	}
}

func newRules(base ...Rule) *Rules { return NewRules(base) }

// coded returns a rule that its code identifies.
func coded(code string) Rule { return Rule{Status: new(503), Code: code} }

func mustAdd(t testing.TB, f *Rules, r Rule) Rule {
	t.Helper()
	return must.Get(f.Add(r, 0))(t)
}

// summary formats the rules as id, code and count.
func summary(f *Rules) []string {
	var all []string
	for _, r := range f.List() {
		all = append(all, fmt.Sprintf("%d %s %d", r.ID, r.Code, r.Applied))
	}
	return all
}

func expectRules(t *testing.T, f *Rules, want ...string) {
	t.Helper()
	must.Equal(t, want, summary(f), "rules")
}

func TestMain(m *testing.M) { testmain.Run(m) }
