package admin

import (
	"encoding/xml"
	"fmt"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// The elements of a JUnit report that its readers agree on: Jenkins, GitLab, the
// reporters for GitHub and others read these.
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
		Timestamp string     `xml:"timestamp,attr"` // UTC, without a zone
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

// junit returns the report as a test result that a pipeline can fail on: a failed
// test for each use, a passed one for each deprecated operation that nobody used.
func junit(sb *sandbox.Sandbox, r Report) ([]byte, error) {
	const suite, noTime = "deprecated-use", "0"
	var failed, passed []testCase
	used := make(map[string]bool)
	for i := range r.Uses {
		use := &r.Uses[i]
		used[use.OperationID] = true
		failed = append(failed, testCase{Class: suite + "." + use.OperationID, Name: caller(use), Time: noTime, Failure: use.failure()})
	}
	if r.OtherUses > 0 {
		message := fmt.Sprintf("%d deprecated calls by callers beyond the %d that are told apart", r.OtherUses, len(r.Uses))
		failed = append(failed, testCase{Class: suite, Name: "other callers", Time: noTime, Failure: &failure{message, suite, message}})
	}
	for _, op := range sb.Lifecycles.Operations() {
		if sb.Lifecycles.Current(op.ID).Deprecated && !used[op.ID] {
			passed = append(passed, testCase{Class: suite + "." + op.ID, Name: "used by nobody", Time: noTime})
		}
	}
	tests := len(failed) + len(passed)
	body, err := xml.MarshalIndent(testSuites{
		Name: "petstore", Tests: tests, Failures: len(failed), Time: noTime,
		Suites: []testSuite{{
			Name: suite, Tests: tests, Failures: len(failed), Time: noTime,
			Timestamp: sb.Clock.Now().Format("2006-01-02T15:04:05"),
			Cases:     append(failed, passed...),
		}},
	}, "", "  ")
	return append([]byte(xml.Header), append(body, '\n')...), err
}

// caller names the caller of a use for a person.
func caller(use *DeprecatedUse) string {
	agent := use.UserAgent
	if agent == "" {
		agent = "a caller without User-Agent"
	}
	if use.Client != "" {
		agent += " (X-Client: " + use.Client + ")"
	}
	return "used by " + agent
}

// failure says what is wrong with the use and what to do.
func (use *DeprecatedUse) failure() *failure {
	message := fmt.Sprintf("%s is deprecated and was called %d times", use.OperationID, use.Count)
	if use.Count == 1 {
		message = use.OperationID + " is deprecated and was called once"
	}
	text := message + ", " + caller(use) +
		"\nfirst: " + use.First.Format(time.RFC3339) +
		"\nlast: " + use.Last.Format(time.RFC3339)
	if use.Sunset != "" {
		message += "; its sunset is " + use.Sunset
		text += "\nsunset: " + use.Sunset
	}
	if use.Successor != "" {
		message += "; use " + use.Successor
		text += "\nuse instead: " + use.Successor
	}
	return &failure{Message: message, Type: "deprecated-use", Text: text}
}
