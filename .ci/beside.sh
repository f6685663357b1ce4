# Runs a function of .ci/run in the background, during the steps that follow.

work=$(mktemp -d)
beside=
trap 'end_beside; stop_petstore; rm -rf "$work"' EXIT

# begin_beside starts a function in a process group of its own. Its output goes to a file until await_beside.
begin_beside() {
	set -m
	(
		trap stop_petstore EXIT
		"$@"
	) </dev/null &>"$work/beside.log" &
	beside=$!
	set +m
}

# await_beside waits for that function, prints its output, and fails if it has failed.
await_beside() {
	local status=0
	wait "$beside" || status=$?
	beside=
	cat "$work/beside.log"
	return "$status"
}

# end_beside kills the processes of that function, and prints its output so far.
end_beside() {
	[[ -n $beside ]] || return 0
	kill -- "-$beside" 2>/dev/null || true
	wait "$beside" 2>/dev/null || true
	cat "$work/beside.log"
}
