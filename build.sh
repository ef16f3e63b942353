#!/usr/bin/env bash
# Builds, serves and checks the C-PSRL playground.
#
#   ./build.sh serve [-port N]   builds everything and serves it on loopback
#   ./build.sh test              runs every check
#   ./build.sh site [BASE=URL]   builds dist/, which any static host can serve; preview
#                                pictures need to know the address that it will have
#   ./build.sh figures           runs the paper's experiments again, for the page
#   ./build.sh bench [ROUNDS]    measures speed, native, in Chromium and beside numpy
#
# On Debian with Go and Node it installs what else it needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# --- What is needed -----------------------------------------------------------

# have PROGRAM PACKAGE installs Debian's package if the program is missing.
have() {
	command -v "$1" >/dev/null && return
	local root=()
	[[ $(id -u) == 0 ]] || root=(sudo)
	if ! command -v apt-get >/dev/null || ! command -v "${root[@]:-true}" >/dev/null; then
		echo "build.sh: $1 is missing; install it (Debian: apt-get install $2)" >&2
		return 1
	fi
	echo "installing $2 for $1" >&2
	"${root[@]}" apt-get update -qq >&2
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >&2
}

# need PROGRAM WHAT names a program that build.sh does not install.
need() {
	command -v "$1" >/dev/null && return
	echo "build.sh: $1 is missing; install $2" >&2
	exit 1
}

toolchains() {
	need go "Go 1.26 or newer"
	need node "Node 20 or newer"
	need npm "npm"
}

# packages installs the locked npm packages, unless they are there.
packages() {
	[[ site/node_modules/.package-lock.json -nt site/package-lock.json ]] && return
	(cd site && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
}

# --- Building -----------------------------------------------------------------

# build_site [BASE=URL] makes dist/.
build_site() {
	if [[ $# -gt 1 || ${1:-BASE=} != BASE=* ]]; then usage; fi
	set -- ${1:+"${1#BASE=}"}
	packages
	# For size: no HTTP/2, and no inlining in packages whose speed does not matter
	# here (0.16 MB gzipped).
	local cold=() package
	for package in github.com/go-json-experiment/json/... reflect strings encoding/binary fmt time math/big crypto/... encoding/asn1 encoding/base64 sync internal/reflectlite net net/netip net/url net/textproto compress/... syscall/js log log/internal path path/filepath github.com/syumai/workers/... cpsrl/core/bigraph cpsrl/core/agent cpsrl/core/domain cpsrl/core/record cpsrl/core/export cpsrl/core/engine; do
		cold+=("-gcflags=$package=-l")
	done
	GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -ldflags='-s -w' -tags nethttpomithttp2,kernel \
		"${cold[@]}" -o "$work/engine.wasm" ./wasm/main
	GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -ldflags='-s -w' \
		-gcflags='github.com/go-json-experiment/json/...=-l' -o "$work/stage.wasm" ./wasm/stage
	go run ./site -presets >"$work/presets.json"
	node site/build.mjs "$work" dist "$@"
}

# figures runs the paper's presets and writes the curves that the page shows
# before anything has run.
figures() {
	local preset flags=()
	[[ $(go env GOARCH) != arm64 ]] || flags=(-gcflags=all=-d=fmahash=n)
	go build "${flags[@]}" -o "$work/cpsrl" ./core/cmd/cpsrl
	mkdir -p site/figures
	for preset in $("$work/cpsrl" presets | cut -d' ' -f1 | grep -v -e -quick); do
		nice "$work/cpsrl" run -preset "$preset" -o "$work/$preset.jsonl"
		"$work/cpsrl" figure "$work/$preset.jsonl" -o "site/figures/$preset.json"
	done
	"$work/cpsrl" plot "$work/fig2d.jsonl" -o site/figures/fig2d.svg
}

# --- Checks -------------------------------------------------------------------

passed=0
failed=0

# check NAME COMMAND… runs a command, keeps quiet if it succeeds and shows all it
# said if it fails.
check() {
	local name=$1 start=$SECONDS
	shift
	printf '%-28s' "$name"
	if "$@" >"$work/log" 2>&1; then
		passed=$((passed + 1))
		echo "ok      $((SECONDS - start)) s"
	else
		failed=$((failed + 1))
		echo "FAILED  $((SECONDS - start)) s"
		cat "$work/log"
	fi
}

formatted() {
	local files
	files=$(find . -name '*.go' -not -path '*/node_modules/*' -exec gofmt -l {} +)
	[[ -z $files ]] || { echo "gofmt would change:"; echo "$files"; return 1; }
}

# static_checks runs staticcheck as the go.mod names it, for both targets.
static_checks() {
	go build -o "$work/staticcheck" honnef.co/go/tools/cmd/staticcheck &&
		"$work/staticcheck" ./... && GOOS=js GOARCH=wasm "$work/staticcheck" -tags kernel ./...
}

# node_tests runs the Go tests under GOOS=js in Node. A WebAssembly program has
# only 16 KB for arguments and environment together, so it gets a small one.
# The command and the page's server have files and processes that Node does not
# give them.
node_tests() {
	local exec packages
	exec="env -i PATH=$PATH HOME=$HOME $(go env GOROOT)/lib/wasm/go_js_wasm_exec"
	packages=$(go list ./core/... ./render/... | grep -v /cmd/)
	GOOS=js GOARCH=wasm go test -exec "$exec" $packages
}

# kernel_tests holds the SIMD kernel to the bits of its twins in Go, and the records
# that are made with it to the golden fingerprints.
kernel_tests() {
	local exec="env -i PATH=$PATH HOME=$HOME node $PWD/wasm/kernel/exec.mjs $work/kernel.wasm"
	node site/assemble.mjs wasm/kernel/kernel.wat "$work/kernel.wasm" &&
		GOOS=js GOARCH=wasm go test -tags kernel -exec "$exec" ./core/internal/loops &&
		GOOS=js GOARCH=wasm go test -tags kernel -exec "$exec" -run '^TestGolden$' ./core/experiment
}

# arm64_tests meets the golden fingerprints with the build that keeps products
# and sums apart; that compiler flag is chatty.
arm64_tests() {
	have qemu-aarch64 qemu-user || return
	GOARCH=arm64 CGO_ENABLED=0 go test -c -gcflags=all=-d=fmahash=n -o "$work/arm64.test" ./core/experiment 2>/dev/null || return
	(cd core/experiment && qemu-aarch64 "$work/arm64.test" -test.v -test.run '^TestGolden$') | tee "$work/arm64.log"
	grep -q '^--- PASS: TestGolden' "$work/arm64.log"
}

# fuzz gives every fuzz target a bounded number of inputs.
fuzz() {
	local package target
	for package in $(go list ./core/... ./render); do
		for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz'); do
			go test -run '^$' -fuzz "^$target\$" -fuzztime 2000x -fuzzminimizetime 5x "$package" || return
		done
	done
}

browser_tests() {
	have chromium chromium || return
	have dot graphviz || return
	(cd site && npm test)
}

# budget NAME LIMIT FILE… holds the gzipped sizes of files to a limit in bytes.
budget() {
	local name=$1 limit=$2 size=0 file
	shift 2
	for file; do size=$((size + $(gzip -9c "$file" | wc -c))); done
	echo "$name: $size of $limit bytes"
	((size <= limit))
}

sizes() {
	local first=(dist/index.html dist/assets/page-*.js dist/assets/chunk-*.js dist/assets/page-*.css)
	local ready=(dist/assets/engine-*.wasm dist/assets/kernel-*.wasm dist/assets/worker-*.js dist/assets/chart-*.js)
	budget "first paint" 60000 "${first[@]}" && budget "ready to run" 2200000 "${ready[@]}" &&
		budget "stage" 4000000 dist/assets/stage-*
}

run_checks() {
	check "gofmt" formatted
	check "go.mod is tidy" go mod tidy -diff
	check "go vet" go vet ./...
	check "go vet, js" env GOOS=js GOARCH=wasm go vet -tags kernel ./...
	check "staticcheck" static_checks
	check "native tests" go test ./...
	check "fuzzing" fuzz
	check "Go tests in Node" node_tests
	check "fingerprints on arm64" arm64_tests
	check "npm packages" packages
	check "SIMD kernel" kernel_tests
	check "TypeScript" npm --prefix site run types
	check "site" build_site
	check "sizes" sizes
	check "page in Chromium" browser_tests
	echo "$passed passed, $failed failed"
	[[ $failed == 0 ]]
}

# --- Commands -----------------------------------------------------------------

usage() {
	sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	exit 2
}

command=${1:-}
[[ $# == 0 ]] || shift
case $command in
serve)
	toolchains
	build_site
	go build -o "$work/serve" ./site
	"$work/serve" "$@"
	;;
test)
	toolchains
	run_checks
	;;
site)
	toolchains
	build_site "$@"
	;;
figures)
	need go "Go 1.26 or newer"
	figures
	;;
bench)
	toolchains
	have chromium chromium
	/usr/bin/python3 -c 'import numpy' 2>/dev/null || have numpy python3-numpy
	build_site
	node site/bench/bench.mjs "$@"
	;;
*) usage ;;
esac
