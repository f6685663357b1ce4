package middleware

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// maxDelay bounds how long a client can ask its answer to wait.
const maxDelay = time.Minute

// Prefer makes one request fail or wait as its Prefer header (RFC 7240) asks:
// code=503, delay=1500 (milliseconds). Other preferences are not ours and are
// ignored, as the RFC says.
func Prefer() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.R.Header["Prefer"] == nil || !x.Operation.TakesFaults() {
				return next(x)
			}
			p, err := readPreferences(x.R.Header["Prefer"])
			if err != nil {
				return err
			}
			wait := x.Wait
			if p.status != 0 {
				wait = x.WaitInstead
			}
			if err := wait(p.delay); err != nil {
				return err
			}
			if len(p.applied) > 0 {
				x.SetHeader("Preference-Applied", strings.Join(p.applied, ", "))
			}
			if p.status != 0 {
				return x.Injected(p.status)
			}
			return next(x)
		}
	}
}

type preferences struct {
	status  int // 0: none
	delay   time.Duration
	applied []string // as they are answered
}

// readPreferences reads a request's Prefer headers. Of a preference that is given twice
// the first counts (RFC 7240, section 2).
func readPreferences(headers []string) (preferences, error) {
	var p preferences
	read := make(map[string]bool)
	for _, line := range headers {
		for _, element := range elements(line) {
			preference, _, _ := strings.Cut(element, ";") // parameters say nothing here
			name, value, _ := strings.Cut(preference, "=")
			name = strings.ToLower(strings.TrimSpace(name))
			value = strings.Trim(strings.TrimSpace(value), `"`)
			set := p.setter(name)
			if set == nil || read[name] {
				continue
			}
			read[name] = true
			if err := set(value); err != nil {
				return p, err
			}
			p.applied = append(p.applied, name+"="+value)
		}
	}
	return p, nil
}

// elements returns the elements of a header's list (RFC 9110, section 5.6.1): what lies
// between the commas, those in quoted strings aside.
func elements(line string) []string {
	var list []string
	start, quoted := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++ // what it escapes ends nothing
		case c == ',' && !quoted:
			list = append(list, line[start:i])
			start = i + 1
		}
	}
	return append(list, line[start:])
}

// setter returns what sets the preference of the name; nil: it is not ours.
func (p *preferences) setter(name string) func(value string) error {
	switch name {
	case "code":
		return p.setCode
	case "delay":
		return p.setDelay
	}
	return nil
}

func (p *preferences) setCode(value string) error {
	status, wrong := field.ParseInteger(value)
	if wrong != "" || status < http.StatusBadRequest || status > 599 {
		return badPreference(fmt.Sprintf("code must be a status from 400 to 599, not %s; for example, Prefer: code=503", field.Quote(value)))
	}
	p.status = int(status)
	return nil
}

func (p *preferences) setDelay(value string) error {
	ms, wrong := field.ParseInteger(value)
	if wrong != "" || ms < 0 || ms > maxDelay.Milliseconds() {
		return badPreference(fmt.Sprintf("delay must be from 0 to %d milliseconds, not %s; for example, Prefer: delay=1500", maxDelay.Milliseconds(), field.Quote(value)))
	}
	p.delay = time.Duration(ms) * time.Millisecond
	return nil
}

func badPreference(message string) error {
	return rest.BadParameter(field.Problem{Field: "Prefer", Message: message})
}
