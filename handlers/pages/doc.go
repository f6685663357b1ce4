// Package pages serves the pages for browsers: the dashboard, the pages of a workshop, and the files
// that all pages share.
//
// The pages are plain HTML, CSS and JavaScript modules, served without a build step. They use the
// documented API by relative URLs, so they work in a sandbox and behind a path prefix, and they
// request nothing from other hosts.
//
// # Files
//
//	pages.go    serves the files and sets the headers of pages
//	preload.go  links a page to its modules and to their version
//	accept.go   decides between a page and JSON
//	shell/      holds what all pages share
//	dashboard/  holds the page at /
//	workshop.go serves the pages of a workshop
//	qr.go       draws QR codes
//	workshop/   holds the pages at /join and /workshop
//	library/    holds the JavaScript library and the typefaces; see library/README.md
package pages
