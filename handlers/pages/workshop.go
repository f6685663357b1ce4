package pages

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/skip2/go-qrcode"

	"example.com/petstore/handlers/rest"
)

// workshopOperations returns the operations for the pages at /join and /workshop, and for QR codes.
// If the server runs no workshop, /join and /workshop return a 404 that explains how to start one.
// For a browser, the 404 is a page.
func workshopOperations(workshop bool) []rest.Operation {
	page := func(address, name string) rest.Operation {
		if !workshop {
			return rest.Operation{Method: http.MethodGet, Path: address, Kind: rest.Page, Vary: "Accept",
				Handle: noWorkshop}
		}
		return rest.Operation{Method: http.MethodGet, Path: address, Kind: rest.Page,
			Handle: func(x *rest.Exchange) error { return serve(x, name) }}
	}
	return []rest.Operation{
		page("/join", "workshop/join.html"),
		page("/workshop", "workshop/wall.html"),
		{Method: http.MethodPost, Path: filesPath + "qr", Kind: rest.Page, Frees: true, Handle: drawQR},
	}
}

func noWorkshop(x *rest.Exchange) error {
	if !Wanted(x.R) {
		return rest.Refuse("not_found", "this server runs no workshop; start it with --workshop")
	}
	SetHeaders(x)
	return x.Reply(http.StatusNotFound, "text/html; charset=utf-8", rendered()["workshop/none.html"])
}

// maxQR is the maximum length of the text in a QR code, in bytes.
const maxQR = 1 << 10

// drawQR returns an SVG picture of a QR code for the text in the request body. The text may contain
// a key. It is not in the URL, because proxies may log URLs.
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

// svgOf draws the modules as one path. It draws them dark on white even if the page is dark,
// because scanners require this.
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
