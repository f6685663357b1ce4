package metrics

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// parse parses the text as Prometheus does.
func parse(t *testing.T, text []byte) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return families
}

func TestText(t *testing.T) {
	t.Parallel()
	const odd = "a \"quoted\" \\ and\nanother line"
	var b bytes.Buffer
	text := NewText(&b)
	text.Family("odd_info", Gauge, "Odd.")
	text.Sample("odd_info", 1, "name", odd, "empty", "")
	text.One("plain_total", Counter, "Plain.", math.MaxInt32)
	_ = text.Flush() // writes to a Buffer cannot fail
	families := parse(t, b.Bytes())
	label := families["odd_info"].Metric[0].Label[0]
	if label.GetName() != "name" || label.GetValue() != odd || families["odd_info"].GetHelp() != "Odd." {
		t.Errorf("%v", families["odd_info"])
	}
	if got := families["plain_total"].Metric[0].Counter.GetValue(); got != math.MaxInt32 {
		t.Errorf("plain_total is %v", got)
	}
}

// TestHistogram checks that each bucket counts the values up to its bound, inclusive.
func TestHistogram(t *testing.T) {
	t.Parallel()
	var h Histogram
	var b bytes.Buffer
	text := NewText(&b)
	text.Family("took_seconds", histogramKind, "Took.")
	h.write(text, "took_seconds")
	for _, d := range []time.Duration{0, 100 * time.Microsecond, 100*time.Microsecond + 1, time.Second, time.Minute} {
		h.Observe(d)
	}
	h.write(text, "took_seconds", "operation", "listPets")
	_ = text.Flush() // writes to a Buffer cannot fail
	family := parse(t, b.Bytes())["took_seconds"]
	if len(family.Metric) != 1 {
		t.Fatalf("%d histograms, want that which is not empty", len(family.Metric))
	}
	got := family.Metric[0].Histogram
	if got.GetSampleCount() != 5 || math.Abs(got.GetSampleSum()-61.000200001) > 1e-9 ||
		len(got.Bucket) != len(bounds)+1 {
		t.Errorf("%v", got)
	}
	for _, bound := range []float64{0.025, 0.1} { // common latency objectives
		if !slices.ContainsFunc(got.Bucket, func(b *dto.Bucket) bool { return b.GetUpperBound() == bound }) {
			t.Errorf("no bucket of %v s", bound)
		}
	}
	for _, bucket := range got.Bucket {
		want := uint64(3)
		switch bound := bucket.GetUpperBound(); {
		case bound < 0.0002:
			want = 2
		case bound >= 1 && bound < 60:
			want = 4
		case bound >= 60:
			want = 5
		}
		if bucket.GetCumulativeCount() != want {
			t.Errorf("%d are at most %v s, want %d", bucket.GetCumulativeCount(), bucket.GetUpperBound(), want)
		}
	}
}
