package pages

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Wanted reports whether the request prefers a page to JSON (RFC 9110, section 12.5.1). This is
// true if the Accept header lists text/html, and the weight of text/html is not lower than that of
// application/json. A client that accepts only */* gets JSON.
func Wanted(r *http.Request) bool {
	weights := make(map[string]float64)
	for part := range strings.SplitSeq(strings.Join(r.Header["Accept"], ","), ",") {
		name, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		weight := 1.0
		if q, given := parameters["q"]; given {
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				weight = 0
			}
		}
		weights[name] = weight
	}
	return weights["text/html"] > 0 && weights["text/html"] >= weights["application/json"]
}
