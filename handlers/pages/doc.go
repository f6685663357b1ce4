// Package pages serves what people open in a browser: the dashboard, and what all pages
// share.
//
// The pages are plain HTML, CSS and JavaScript modules, served as they lie here. They use
// the documented API by relative addresses, so that they work in a sandbox and behind a
// path prefix, and ask no other host for anything.
//
// # Files
//
//	pages.go     the rows of the route table that serve files, and the headers of a page
//	accept.go    who wants a page, and who wants JSON
//	shell/       what all pages share: colours, type, header, requests, streams
//	dashboard/   the page at /
//	workshop.go  the rows of the pages of a workshop
//	qr.go        QR codes
//	workshop/    the pages at /join and /workshop
//	library/     the one library, as npm has it; see library/README.md
package pages
