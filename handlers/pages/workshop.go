package pages

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// workshopOperations returns the operations for the pages at /join and /workshop, and for QR codes.
// If the server runs no workshop, /join and /workshop return a 404 that explains how to start one.
// For a browser, the 404 is a page.
func workshopOperations(workshop bool) []rest.Operation {
	page := func(address, name string) rest.Operation {
		if !workshop {
			return rest.Operation{Method: http.MethodGet, Path: address, Kind: rest.Page, Vary: "Accept", Handle: noWorkshop}
		}
		return rest.Operation{Method: http.MethodGet, Path: address, Kind: rest.Page, Handle: func(x *rest.Exchange) error { return serve(x, name) }}
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
