package pages

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// workshopOperations are the pages of a workshop: the door, and the teacher's wall. Where
// there is no workshop, they say so.
func workshopOperations() []rest.Operation {
	page := func(address, name string) rest.Operation {
		return rest.Operation{Method: http.MethodGet, Path: address, Kind: rest.Page, Handle: func(x *rest.Exchange) error { return serve(x, name) }}
	}
	return []rest.Operation{
		page("/join", "workshop/join.html"),
		page("/workshop", "workshop/wall.html"),
		{Method: http.MethodPost, Path: filesPath + "qr", Kind: rest.Page, Frees: true, Handle: drawQR},
	}
}
