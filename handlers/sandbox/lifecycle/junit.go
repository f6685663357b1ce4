package lifecycle

import (
	"encoding/xml"
	"fmt"
	"time"
)

// These are the elements of a JUnit report. All common readers of such reports support them, for
// example Jenkins, GitLab and the reporters for GitHub.
type (
	testSuites struct {
		XMLName  xml.Name    `xml:"testsuites"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Time     string      `xml:"time,attr"` // seconds
		Suites   []testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name      string     `xml:"name,attr"`
		Tests     int        `xml:"tests,attr"`
		Failures  int        `xml:"failures,attr"`
		Errors    int        `xml:"errors,attr"`
		Skipped   int        `xml:"skipped,attr"`
		Time      string     `xml:"time,attr"`
		Timestamp string     `xml:"timestamp,attr"` // UTC, without a time zone
		Cases     []testCase `xml:"testcase"`
	}
	testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Failure *failure `xml:"failure"`
	}
	failure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit returns the report as a JUnit file, which makes a CI pipeline fail if a deprecated
// operation was used. The file has a failed test for each recorded use, one more for all calls that
// were not recorded, if any, and a passed test for each operation that l describes as deprecated
// and that has no recorded use. now is the time of the file.
func (r *Report) JUnit(l *Lifecycles, now time.Time) ([]byte, error) {
	const suite, noTime = "deprecated-use", "0"
	uses, other := r.Uses()
	newCase := func(class, name string, failure *failure) testCase {
		return testCase{Class: class, Name: name, Time: noTime, Failure: failure}
	}
	var failed, passed []testCase
	used := make(map[string]bool)
	for i := range uses {
		use := &uses[i]
		used[use.Operation] = true
		failed = append(failed, newCase(suite+"."+use.Operation, "used by "+use.displayName(),
			use.failure(l.Current(use.Operation), now)))
	}
	if other > 0 {
		message := fmt.Sprintf("%d deprecated calls by callers beyond the first %d", other, len(uses))
		failed = append(failed, newCase(suite, "other callers", &failure{message, suite, message}))
	}
	for _, op := range l.Operations {
		if l.Current(op.ID).Deprecated && !used[op.ID] {
			passed = append(passed, newCase(suite+"."+op.ID, "not used", nil))
		}
	}
	tests := len(failed) + len(passed)
	body, err := xml.MarshalIndent(testSuites{
		Name: "petstore", Tests: tests, Failures: len(failed), Time: noTime,
		Suites: []testSuite{{
			Name: suite, Tests: tests, Failures: len(failed), Time: noTime,
			Timestamp: now.Format("2006-01-02T15:04:05"),
			Cases:     append(failed, passed...),
		}},
	}, "", "  ")
	return append([]byte(xml.Header), append(body, '\n')...), err
}

// failure describes the use. l is the operation's current lifecycle, which has the deprecation, the
// sunset and the successor.
func (use *Use) failure(l Lifecycle, now time.Time) *failure {
	message := use.Operation + " is deprecated"
	if now.Before(l.DeprecatedSince) {
		message = use.Operation + " will be deprecated on " + FormatDay(l.DeprecatedSince)
	}
	if use.Count == 1 {
		message += " and was called once"
	} else {
		message += fmt.Sprintf(" and was called %d times", use.Count)
	}
	text := message + ", used by " + use.displayName() +
		"\nfirst: " + use.First.Format(time.RFC3339) +
		"\nlast: " + use.Last.Format(time.RFC3339)
	if !l.Sunset.IsZero() {
		sunset := FormatDay(l.Sunset)
		message += "; its sunset is " + sunset
		text += "\nsunset: " + sunset
	}
	if l.Successor != "" {
		message += "; use " + l.Successor
		text += "\nuse instead: " + l.Successor
	}
	return &failure{Message: message, Type: "deprecated-use", Text: text}
}
