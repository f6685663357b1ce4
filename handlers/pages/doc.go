// Package pages serves the web pages: the dashboard, the pages for a workshop, and the files that
// all pages share.
//
// The pages consist of plain HTML, CSS and JavaScript modules, without a build step. They call the
// documented API through relative URLs, so that they work in every sandbox and behind a path
// prefix. They request nothing from other hosts.
//
// # Files
//
//	pages.go    serves the files; chooses between a page and JSON
//	preload.go  adds preload links and version paths to pages
//	shell/      contains files that all pages share
//	dashboard/  contains the page at /
//	workshop.go serves the pages for a workshop and QR codes
//	workshop/   contains the pages at /join and /workshop
//	library/    contains the JavaScript library and fonts; see library/README.md
package pages
