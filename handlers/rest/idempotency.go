package rest

import (
	"strings"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// longestKey is the most bytes of an idempotency key.
const longestKey = 255

// IdempotencyKey returns the request's Idempotency-Key, or "". It is a quoted string, as in
// draft-ietf-httpapi-idempotency-key-header, section 2.1. An unquoted key is accepted too, because
// most clients send that.
func (x *Exchange) IdempotencyKey() (string, error) {
	values := x.R.Header["Idempotency-Key"]
	if values == nil {
		return "", nil
	}
	key := strings.Trim(values[0], " \t")
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	if len(values) > 1 || !visible(key) || len(key) > longestKey {
		return "", BadParameter(field.Problem{
			Field:   "Idempotency-Key",
			Message: `must be given once, as 1 to 255 visible ASCII characters in double quotes, such as "8e03978e-40d5"`,
		})
	}
	return key, nil
}

// Once runs a creation, or returns the response to the first request with the key.
func (x *Exchange) Once(key string, run func() (sandbox.Answer, error)) (sandbox.Answer, error) {
	body, err := x.Body()
	if err != nil {
		return sandbox.Answer{}, err
	}
	answer, replayed, err := x.Sandbox.Idempotency.Do(x.Operation.Method+" "+x.Path, key, body, run)
	if replayed {
		x.SetHeader("Idempotency-Replayed", "true")
	}
	return answer, err
}

// visible reports whether the text is not empty and visible ASCII without double quotes and
// backslashes.
func visible(text string) bool {
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return text != ""
}
