# Steps of .ci/run about the Go code alone.

# install_tools gets Debian's packages for the commands that are missing.
install_tools() {
	local -A package_of=([gcc]='gcc libc6-dev' [git]=git [curl]=curl [node]=nodejs [npm]=npm [chromium]=chromium)
	local missing=() command
	for command in "${!package_of[@]}"; do
		command -v "$command" >/dev/null || missing+=(${package_of[$command]})
	done
	((${#missing[@]})) || return 0
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
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

fuzz_all() {
	local package listed target
	for package in $(go list ./...); do
		listed=$(go test -list '^Fuzz' "$package")
		for target in $(grep '^Fuzz' <<<"$listed" || true); do
			go test -run '^$' -fuzz "^$target\$" -fuzztime 5s "$package"
		done
	done
}
