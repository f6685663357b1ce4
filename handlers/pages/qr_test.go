package pages_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
)

// TestQRCodes checks that the server draws codes of texts up to the limit, one square per module,
// and refuses longer texts.
func TestQRCodes(t *testing.T) {
	t.Parallel()
	w := contracttest.NewWorld(t)
	draw := func(text string) *contracttest.Answer {
		return w.Do(t, request{Method: "POST", Path: "/pages/qr", Body: text, Header: http.Header{"Content-Type": {"text/plain"}}})
	}
	for text, modules := range map[string]string{"http://127.0.0.1:8080/join": "0 0 33 33", strings.Repeat("x", 1<<10): "0 0 129 129"} {
		a := draw(text)
		a.Expect(t, 200, "")
		a.ExpectHeader(t, "Content-Type", "image/svg+xml")
		a.ExpectHeader(t, "X-Content-Type-Options", "nosniff")
		var svg struct {
			ViewBox string `xml:"viewBox,attr"`
			Path    []struct {
				D string `xml:"d,attr"`
			} `xml:"path"`
		}
		if err := xml.Unmarshal(a.Body, &svg); err != nil || svg.ViewBox != modules || len(svg.Path) != 2 || len(svg.Path[1].D) < 1000 {
			t.Errorf("of %d bytes: %v, %s, %d paths", len(text), err, svg.ViewBox, len(svg.Path))
		}
	}
	draw(strings.Repeat("x", 1<<10+1)).Expect(t, 413, "payload_too_large")
	draw("").Expect(t, 400, "validation_failed")
	w.Do(t, request{Method: "GET", Path: "/pages/qr"}).Expect(t, 405, "method_not_allowed")
}
