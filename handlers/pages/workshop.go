package pages

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/skip2/go-qrcode"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// noWorkshop serves /join and /workshop if the server runs no workshop. The 404 explains how to start
// one. For a browser, it is a page.
func noWorkshop(x *rest.Exchange) error {
	if !Wanted(x.R) {
		return registry.ErrNoWorkshop
	}
	SetHeaders(x)
	return x.Reply(http.StatusNotFound, "text/html; charset=utf-8", rendered()["workshop/none.html"])
}

// maxQR is the maximum length of the text in a QR code, in bytes.
const maxQR = 1 << 10

// drawQR returns an SVG picture of a QR code for the text in the request body. The text is not in
// the URL, because it may contain a key, and proxies may log URLs.
func drawQR(x *rest.Exchange) error {
	text, err := io.ReadAll(http.MaxBytesReader(x.W, x.R.Body, maxQR))
	switch _, tooLarge := errors.AsType[*http.MaxBytesError](err); {
	case tooLarge:
		return rest.Refuse("payload_too_large",
			fmt.Sprintf("a QR code can hold at most %d bytes; send a shorter text", maxQR))
	case err != nil:
		return rest.Refuse("invalid_parameter", "the text did not come whole; send it again")
	}
	code, err := qrcode.New(string(text), qrcode.Medium)
	if err != nil {
		return rest.Refuse("validation_failed", "this text cannot be drawn as a QR code: "+err.Error())
	}
	return x.Document("image/svg+xml", []byte(svgOf(code.Bitmap())))
}

// svgOf draws the modules, the squares of a QR code, as one path. They are dark on white even if
// the page is dark, because scanners require this.
func svgOf(modules [][]bool) string {
	var path strings.Builder
	for y, row := range modules {
		for x, dark := range row {
			if dark {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x, y)
			}
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="%[2]s"/></svg>`, len(modules), path.String())
}
