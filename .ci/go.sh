# Steps of .ci/run about the Go code alone.

# install_tools gets Debian's packages for the commands that are missing.
install_tools() {
	local -A package_of=([gcc]='gcc libc6-dev' [git]=git [slowhttptest]=slowhttptest [curl]=curl [node]=nodejs [npm]=npm [chromium]=chromium [python3]=python3 [nginx]=nginx-light [haproxy]=haproxy [systemd-analyze]=systemd [zsh]=zsh [fish]=fish)
	local missing=() command
	for command in "${!package_of[@]}"; do
		command -v "$command" >/dev/null || missing+=(${package_of[$command]})
	done
	install_packages "${missing[@]}"
	command -v chromium-headless-shell >/dev/null || install_packages chromium-headless-shell ||
		echo 'Debian has no chromium-headless-shell here, so chromium shows the pages, more slowly.'
}

# install_packages installs Debian's packages, if any.
install_packages() {
	(($#)) || return 0
	apt-get update -qq &&
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# test_as_readme_says runs the command that README.md gives for the tests.
test_as_readme_says() {
	local command
	command=$(sed -n 's/^\$ \(go test .*\)/\1/p' README.md)
	printf '$ %s\n' "$command"
	[[ $command == 'go test '* && $command != *$'\n'* ]] || { echo 'README.md does not have one such command'; return 1; }
	$command
}

# check_format fails on files that gofmt would change, new ones included, and names them.
check_format() {
	local unformatted
	unformatted=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 -r gofmt -l)
	[[ -z $unformatted ]] || { printf 'gofmt would change:\n%s\n' "$unformatted"; return 1; }
}

# check_properties runs the tests that draw cases by chance, with so many draws for each property.
check_properties() {
	local files tests
	files=$(git grep -lF 'rapid.Check(' -- '*_test.go')
	tests=$(awk '/^func /{name = $2; sub(/\(.*/, "", name)} /rapid\.Check\(/{print name}' $files | paste -sd '|')
	go test -vet off $(dirname $files | sort -u | sed 's|^|./|') -run "^($tests)\$" -rapid.checks "$1"
}

# run_benchmarks runs each benchmark once. Only their packages are built, because linking a test takes a second or two.
run_benchmarks() {
	go test -vet off $(git grep -l '^func Benchmark' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|') \
		-run '^$' -bench . -benchtime 1x -short
}

# fuzz_all fuzzes each target of the packages for as long, or as many executions, as its first argument says, and prints
# their number. It fails for fewer than 1,000: a target that slow finds nothing. Minimizing interesting inputs is limited,
# because by default it takes nearly all the time. A package is built once for all its targets.
fuzz_all() {
	local each=$1 binary package folder target output executions
	shift
	binary=$(mktemp)
	(($#)) || set -- $(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')
	while read -r package folder; do
		go test -c -vet off -fuzz . -o "$binary" "$package"
		for target in $("$binary" -test.list '^Fuzz'); do
			output=$(cd "$folder" && "$binary" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$each" \
				-test.fuzzminimizetime 10x -test.fuzzcachedir "$(go env GOCACHE)/fuzz/$package" 2>&1) || { printf '%s\n' "$output"; return 1; }
			executions=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' <<<"$output" | tail -n 1)
			printf '%9d executions  %s of %s\n' "${executions:-0}" "$target" "$package"
			((${executions:-0} >= 1000)) || { printf '%s\nThat is too few.\n' "$output"; return 1; }
		done
	done < <(go list -f '{{.ImportPath}} {{.Dir}}' "$@")
	rm "$binary"
}
