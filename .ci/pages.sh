# Steps of .ci/run about the pages that people see. Most need the tools of npm.

# test_pages runs every test that shows a page. Without -run, few show one. The attendees of a
# workshop are at work for longer than in a plain run of the tests, without the wall too.
test_pages() {
	go test ./handlers/internal/browsertest ./handlers/docs ./handlers/pages -run .
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

# judge_accessibility shows every state of every page to axe-core, in packages that have a test that ends in Axe.
judge_accessibility() {
	local packages
	mapfile -t packages < <(git grep -l 'browsertest\.Axe(' -- 'handlers/**_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')
	((${#packages[@]})) || { echo 'No package has such a test.'; return 1; }
	PETSTORE_AXE=$PWD/.ci/node_modules/axe-core/axe.min.js go test "${packages[@]}" -run 'Axe$'
}
