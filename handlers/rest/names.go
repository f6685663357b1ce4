package rest

import (
	"fmt"
	"net/url"
	"unicode/utf8"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// SandboxName returns the name of the request's sandbox, from its path or its X-Sandbox header,
// which is percent-encoded like a path segment, or else the default name. Both may be given if they
// name the same sandbox.
func (x *Exchange) SandboxName() (sandbox.Name, error) {
	name := sandbox.Name{Canonical: sandbox.Default, Title: sandbox.Default}
	var err error
	if x.Prefix != "" {
		if name, err = parseSandboxName("sandbox", x.named); err != nil {
			return name, err
		}
	}
	headers := x.R.Header["X-Sandbox"]
	if len(headers) == 0 {
		return name, nil
	}
	if len(headers) > 1 {
		return name, BadParameter(field.Problem{Field: "X-Sandbox", Message: givenOften(len(headers))})
	}
	text, err := url.PathUnescape(headers[0])
	if err != nil {
		return name, BadParameter(field.Problem{Field: "X-Sandbox", Message: field.Quote(headers[0]) + " does not parse; write % as %25"})
	}
	if !utf8.ValidString(text) {
		return name, BadParameter(field.Problem{Field: "X-Sandbox", Message: field.Quote(headers[0]) + " is not UTF-8; percent-encode the name in UTF-8, as encodeURIComponent does"})
	}
	inHeader, err := parseSandboxName("X-Sandbox", text)
	switch {
	case err != nil:
		return name, err
	case x.Prefix != "" && inHeader.Canonical != name.Canonical:
		return name, BadParameter(field.Problem{
			Field:   "X-Sandbox",
			Message: fmt.Sprintf("names a different sandbox than the path, %s; use the path or the header", field.Quote(x.named)),
		})
	}
	return inHeader, nil
}

// PathSandbox returns the named path parameter as the name of a sandbox, or a 400.
func (x *Exchange) PathSandbox(parameter string) (sandbox.Name, error) {
	return parseSandboxName(parameter, x.Params[parameter])
}

func parseSandboxName(parameter, text string) (sandbox.Name, error) {
	name, err := sandbox.ParseName(text)
	if err != nil {
		return name, BadParameter(field.Problem{Field: parameter, Message: BadSandboxName(text)})
	}
	return name, nil
}

// BadSandboxName reports that a text cannot name a sandbox.
func BadSandboxName(text string) string { return field.Quote(text) + " " + sandbox.ErrBadName.Error() }

// PathName returns the named path parameter as the name of a snapshot or a webhook, or a 400.
func (x *Exchange) PathName(parameter string) (string, error) {
	name := x.Params[parameter]
	if !sandbox.ValidName(name) {
		return "", BadParameter(field.Problem{Field: parameter, Message: field.Quote(name) + " " + sandbox.ErrBadSnapshotName.Error()})
	}
	return name, nil
}

// UnknownSandbox returns the response to a request whose sandbox does not exist and is not created
// by it. explicit means that no request creates sandboxes by naming them. door is the workshop's,
// or nil.
func UnknownSandbox(title string, explicit bool, door *sandbox.Door) *Error {
	create := "PUT /admin/sandboxes/" + url.PathEscape(title)
	why := "; the first request to the service creates it, or " + create
	switch {
	case door != nil && door.Ended:
		why = "; the workshop has ended, and its sandboxes are gone"
	case door != nil:
		why = "; attendees of the workshop get theirs at " + JoinPath + ", and the teacher creates others with " + create
	case explicit:
		why = ", and requests do not create any (--explicit-sandboxes); create it with " + create
	}
	return Refuse("unknown_sandbox", "there is no sandbox "+field.Quote(title)+why)
}
