# Steps of .ci/run that test the pages. Most need the tools of npm.

# test_pages runs every test that shows a page, and shows every state of the pages to axe-core. Without -run, few tests
# show a page. Tests wait about half of the time, so four run at once on two cores. TestAttendeesAtWork
# runs for longer than in a plain run of the tests.
test_pages() {
	PETSTORE_AXE=$PWD/.ci/node_modules/axe-core/axe.min.js \
		go test ./handlers/internal/browsertest ./handlers/docs ./handlers/pages -run . -timeout 20m -p 1 -parallel 4
	go test ./handlers -run TestBrowser
	go test ./handlers/command -run TestAttendeesAtWork -for 2s
}

# test_modules tests the modules of the pages that need no browser.
test_modules() { node --test .ci/pages/*.test.js; }

# compare_library fails unless the pages' library and typefaces have the same bytes as npm's.
compare_library() {
	local face
	cmp .ci/node_modules/htm/preact/standalone.module.js handlers/pages/library/preact.js
	cmp .ci/node_modules/htm/LICENSE handlers/pages/library/LICENSE
	for face in geist geist-mono; do
		cmp ".ci/node_modules/@fontsource-variable/$face/files/$face-latin-wght-normal.woff2" "handlers/pages/library/$face.woff2"
		cmp ".ci/node_modules/@fontsource-variable/$face/LICENSE" "handlers/pages/library/LICENSE.$face"
	done
}
