#!/usr/bin/env bash
# Builds, serves and checks the C-PSRL playground.
#
#   ./build.sh serve [-port N]   builds everything and serves it on loopback
#   ./build.sh test [-long] [NAME…]
#                                runs the checks, or these and those that they need; -long adds
#                                what takes long: three more checks and more cases of the tests;
#                                ./build.sh test -l lists all
#   ./build.sh site [BASE=URL] [VERSIONS=FOLDER]
#                                builds dist/, which any static host can serve; with BASE,
#                                its future address, it has preview pictures, and each file
#                                compressed by Brotli beside it; VERSIONS is a folder with
#                                the sites of earlier engines (v1, v2, …)
#   ./build.sh package [BASE=URL]
#                                builds the site and, from it, the npm package, the single
#                                file and a zip in release/, which link to the site with BASE;
#                                and the wheels for Python, of all systems
#   ./build.sh release TAG       builds all files of the release with this tag, in release/
#   ./build.sh figures           runs the paper's experiments again, for the page
#   ./build.sh studies [NAME…]   runs the studies, or these, and makes their tables again; it goes on
#                                with the records that studies-out has
#   ./build.sh fuzz EACH [TARGET…]
#                                fuzzes each target, or these, for a time such as 1h; -l lists
#                                the targets
#   ./build.sh bench [ROUNDS]    measures speed, native and in Chromium, and compares numpy
#
# On Debian with Go, Node and npm it installs whatever else it needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# All builds leave out paths, as the site must, and use no C, as a release must, so that they share
# compiled packages.
GOFLAGS="$(go env GOFLAGS 2>/dev/null || true) -trimpath -buildvcs=false"
export GOFLAGS CGO_ENABLED=0

# 1 if ./build.sh test -long was asked for; the browser tests read it, too.
export LONG=""

# What a build needs in between is kept if CPSRL_WORK names a folder for it, as the development loop does.
work=${CPSRL_WORK:-$(mktemp -d)}
trap 'clear_up' EXIT

# clear_up ends the shared browser and server of the browser tests and removes the work folder.
clear_up() {
	local host _
	if read -r host _ 2>/dev/null <"$work/host"; then kill "$host" 2>/dev/null || true; fi
	[[ -n ${CPSRL_WORK:-} ]] || rm -rf "$work"
}

# --- Requirements -------------------------------------------------------------

# Who installs packages.
root=()
[[ $(id -u) == 0 ]] || root=(sudo)

# apt COMMAND… runs apt-get. Others may be installing, too: a new machine brings itself up to date. So it waits for their
# locks, for half an hour at most. apt-get itself waits for dpkg's locks only if asked, and for those of its lists and of its
# archives never.
apt() {
	local end=$((SECONDS + 1800)) said
	while ! said=$("${root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq -o DPkg::Lock::Timeout=60 "$@" 2>&1 9>&-); do
		if [[ $said != *"Could not get lock"* && $said != *"Unable to lock"* && $said != *"Unable to acquire"* && $said != *"is locked by"* ]] || ((SECONDS > end)); then
			echo "$said" >&2
			return 1
		fi
		echo "apt-get $1 waits for another program's lock" >&2
		sleep "${APT_PAUSE:-5}"
	done
}

# have PROGRAM PACKAGE installs Debian's package if the program is missing.
have() {
	command -v "$1" >/dev/null && return
	if ! command -v apt-get >/dev/null || ! command -v "${root[@]:-true}" >/dev/null; then
		echo "build.sh: $1 is missing; install it (Debian: apt-get install $2)" >&2
		return 1
	fi
	(
		flock 9 # because checks run side by side
		echo "installing $2 for $1" >&2
		apt update && apt install -y --no-install-recommends "$2"
	) 9>"$work/apt" && return
	echo "build.sh: $1 is missing, and apt-get cannot install $2" >&2
	return 1
}

# need PROGRAM WHAT ends build.sh if a program is missing that it does not install.
need() {
	command -v "$1" >/dev/null && return
	echo "build.sh: $1 is missing; install $2" >&2
	exit 1
}

toolchains() {
	need go "Go 1.26 or newer"
	need node "Node 20.19 or newer"
	need npm "npm"
}

# packages installs the locked npm packages, unless they are installed.
packages() {
	[[ site/node_modules/.package-lock.json -nt site/package-lock.json ]] && return
	(cd site && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
}

# --- Building -----------------------------------------------------------------

# cold are packages of the engine in which nothing is slow: without inlining they are smaller.
cold=(core/arm core/cells core/concentration core/curve core/document core/domain core/edit core/evidence core/export core/format core/formula core/gallery core/offline core/param core/record core/results core/session core/spec core/strict core/sweep core/talk core/worlds core/worth wasm/engine)

# idle are libraries of the engine in which no time is spent.
idle=(compress/... crypto/... fmt math/big net/url time)

# build_programs FOLDER builds engine.wasm, agent.wasm, stage.wasm and print.wasm.
build_programs() {
	# What builds, reads and draws problems is not inlined: that keeps the engine small. So it is with libraries in
	# which no time is spent; of crypto, only the fingerprint is computed.
	GOOS=js GOARCH=wasm go build -buildvcs=false -ldflags='-s -w' -tags kernel \
		-gcflags=cpsrl/render/...=-l "${cold[@]/*/-gcflags=cpsrl/&=-l}" "${idle[@]/*/-gcflags=&=-l}" \
		-gcflags=crypto/internal/fips140/sha256= -o "$1/engine.wasm" ./wasm/main
	GOOS=js GOARCH=wasm go build -buildvcs=false -ldflags='-s -w' -tags kernel -o "$1/agent.wasm" ./wasm/agent
	GOOS=js GOARCH=wasm go build -buildvcs=false -ldflags='-s -w' \
		-gcflags='github.com/go-json-experiment/json/...=-l' -o "$1/stage.wasm" ./wasm/stage
	GOOS=js GOARCH=wasm go build -buildvcs=false -ldflags='-s -w' -gcflags=all=-l -o "$1/print.wasm" ./wasm/print
}

# build_site [BASE=URL] [VERSIONS=FOLDER] makes dist/.
build_site() {
	local asked
	for asked; do [[ $asked == BASE=* || $asked == VERSIONS=* ]] || usage; done
	packages
	build_programs "$work"
	go run ./site -figures site/figures -out "$work"
	node site/build.mjs "$work" dist "$@"
}

# compress_site adds to dist/ what brotli.mjs makes of its files. What only tests or a developer read does without.
compress_site() { node site/brotli.mjs dist; }

# version prints the version in CITATION.cff.
version() { sed -n 's/^version: //p' CITATION.cff; }

# systems are those that a release has the command for.
systems=({linux,darwin,windows}/{amd64,arm64})

# build_binaries FOLDER SYSTEM… writes an archive of the command for each system into a folder,
# with the licences of its parts, and a bill of materials of the command and the site. The same
# sources and tools give the same bytes.
build_binaries() {
	local folder=$1 system name flags packed=(--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=go=rX)
	shift
	mkdir -p "$folder" "$work/bin"
	node site/bill.mjs licences "$@" >"$work/licences.txt"
	for system; do
		name=cpsrl-${system/\//-} flags=()
		[[ $system != */arm64 ]] || flags=(-gcflags=all=-d=fmahash=n)
		mkdir "$work/bin/$name"
		GOOS=${system%/*} GOARCH=${system#*/} go build -ldflags="-s -w -X main.release=$(version)" "${flags[@]}" -o "$work/bin/$name/" ./core/cmd/cpsrl 2>"$work/said" || {
			grep -v fmahash "$work/said" >&2 # the flag makes the compiler print a lot
			exit 1
		}
		cp LICENSE "$work/licences.txt" "$work/bin/$name"
		[[ $system != linux/* ]] || cp core/cmd/cpsrl/Containerfile "$work/bin/$name"
		tar -C "$work/bin" "${packed[@]}" -c "$name" | gzip -9n >"$folder/$name.tar.gz"
	done
	node site/bill.mjs sbom dist/licences.txt "$work"/bin/*/cpsrl* >"$folder/sbom.cdx.json"
}

# build_wheels FOLDER writes a wheel for each system that build_binaries has built for, and the sources of the client for Python.
build_wheels() {
	local name
	name=cpsrl-$(version)
	rm -rf "$work/python"
	node site/wheels.mjs "$work/bin" "$work/python"
	tar -C "$work/python" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=go=rX -c "$name" | gzip -9n >"$1/$name.tar.gz"
	cp "$work"/python/*.whl "$1"
}

# build_release TAG makes all files of a release. The tag must be that of the version in CITATION.cff.
build_release() {
	[[ $# == 1 && $1 == "v$(version)" ]] || { echo "build.sh: CITATION.cff has version $(version), so the tag must be v$(version)" >&2; exit 2; }
	build_site
	build_package
	build_binaries release "${systems[@]}"
	build_wheels release
	(cd release && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >"$work/sums" && mv "$work/sums" SHA256SUMS)
}

# build_package [BASE=URL] makes release/ from the site that build_site has made, with what is compressed.
build_package() {
	compress_site
	node site/package.mjs "$work" dist release "$@"
}

# figures runs the paper's presets and writes the precomputed figures of the page.
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
	go test ./site -run '^TestReadmeFilm$' -update
}

# build_studies [NAME…] runs studies and writes their tables.
build_studies() {
	local name flags=()
	[[ $(go env GOARCH) != arm64 ]] || flags=(-gcflags=all=-d=fmahash=n)
	[[ $# -gt 0 ]] || set -- concentration false-edges tied gallery graph sepsis search large transfer calibration confounding world edges
	for name; do
		[[ -x studies/$name.sh ]] || { echo "build.sh: there is no study \"$name\"" >&2; exit 2; }
	done
	go build "${flags[@]}" -o "$work/cpsrl" ./core/cmd/cpsrl
	for name; do
		CPSRL=$work/cpsrl nice "studies/$name.sh" studies-out
	done
}

# --- Checks -------------------------------------------------------------------

# locks checks that have waits while another program holds apt's or dpkg's locks, and fails at once where something else is
# wrong. A stand-in for apt-get says what apt-get says then.
locks() {
	local folder=$work/locks
	mkdir -p "$folder"
	cat >"$folder/apt-get" <<-'end'
		#!/usr/bin/env bash
		case $* in
		*" update") words=("Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)" "Unable to lock directory /var/lib/apt/lists/") ;;
		*graphviz) words=("Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?") ;;
		*) words=("Unable to locate package ${!#}") ;;
		esac
		echo x >>"$0.${!#}"
		[[ $(wc -l <"$0.${!#}") -ge 3 && ${words[0]} != *locate* ]] || { printf 'E: %s\n' "${words[@]}" >&2; exit 100; }
	end
	chmod +x "$folder/apt-get"
	(root=() PATH=$folder:$PATH APT_PAUSE=0 && have a-program-of-graphviz graphviz) &&
		[[ $(wc -l <"$folder/apt-get.update") == 3 && $(wc -l <"$folder/apt-get.graphviz") == 3 ]] &&
		! (root=() PATH=$folder:$PATH APT_PAUSE=0 && have a-program-of-nobody nothing) &&
		[[ $(wc -l <"$folder/apt-get.nothing") == 1 ]]
}

formatted() {
	local files
	files=$(find . -name '*.go' -not -path '*/node_modules/*' -exec gofmt -l {} +)
	[[ -z $files ]] || { echo "gofmt would change:"; echo "$files"; return 1; }
}

# Tools that a check compiles and runs once are not optimized, which takes half the time.
hasty=(-gcflags='honnef.co/...=-N -l' -gcflags='github.com/rhysd/...=-N -l' -gcflags='golang.org/x/...=-N -l')

# static_checks runs the version of staticcheck that go.mod names, and for the browser on the
# packages that have other code there.
static_checks() {
	go build "${hasty[@]}" -o "$work/staticcheck" honnef.co/go/tools/cmd/staticcheck &&
		"$work/staticcheck" ./... && GOOS=js GOARCH=wasm "$work/staticcheck" -tags kernel ./wasm/... ./render/canvas ./core/internal/loops
}

# workflows lints the workflows, and checks that every action is pinned by a hash, that no
# checkout leaves its token behind, and that a job has only the permissions that it names.
# actionlint is not a tool of go.mod, because there it would choose newer versions of modules that
# the command links.
workflows() {
	local files=(.github/workflows/*.yml) loose
	go run "${hasty[@]}" github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 -shellcheck= -pyflakes= "${files[@]}" || return
	if loose=$(grep -nE '^[ -]*uses:' "${files[@]}" | grep -vE 'uses: (\./|[a-z/-]+@[0-9a-f]{40} # v[0-9.]+$)'); then
		echo "an action has no hash with its version: $loose"
		return 1
	fi
	[[ $(cat "${files[@]}" | grep -c actions/checkout@) == $(cat "${files[@]}" | grep -A2 actions/checkout@ | grep -c 'persist-credentials: false') ]] || {
		echo "a checkout leaves its token behind"
		return 1
	}
	loose=$(grep -Lx 'permissions: {}' "${files[@]}" || true)
	[[ -z $loose ]] || {
		echo "a workflow does not begin without permissions: $loose"
		return 1
	}
}

# node_tests runs the Go tests under GOOS=js in Node. A WebAssembly program has
# only 16 KB for arguments and environment together, so it gets a small
# environment. The command and the page's server are left out, because they need
# files and processes that Node does not give them. Without -long, the packages that do no
# arithmetic are left out, and so are the tests that take long under Node.
node_tests() {
	local exec packages short=()
	exec="env -i PATH=$PATH HOME=$HOME $(go env GOROOT)/lib/wasm/go_js_wasm_exec"
	packages=$(go list ./core/... ./render/... ./wasm/engine | grep -v /cmd/)
	if [[ -z $LONG ]]; then
		short=(-short)
		packages=$(grep -vE '/(core|bigraph|export|formattest|param|record|spec|render|chart|print)$' <<<"$packages")
	fi
	GOOS=js GOARCH=wasm go test "${short[@]}" -vet=off -exec "$exec" $packages # vet-js vets them
}

# kernel_tests checks that the SIMD kernel gives the bits of its twins in Go, and that records
# made with it have the golden fingerprints.
kernel_tests() {
	local exec="env -i PATH=$PATH HOME=$HOME node $PWD/wasm/kernel/exec.mjs $work/kernel.wasm"
	node site/assemble.mjs wasm/kernel/kernel.wat "$work/kernel.wasm" &&
		GOOS=js GOARCH=wasm go test -vet=off -tags kernel -exec "$exec" ./core/internal/loops &&
		GOOS=js GOARCH=wasm go test -vet=off -tags kernel -exec "$exec" -run '^TestGolden$' ./core/experiment
}

# arm64_tests checks the golden fingerprints of the arm64 build, which keeps products and
# sums apart, and the bits of 2ˣ. It drops the messages of go test -c, because that compiler flag
# prints a lot.
arm64_tests() {
	local package name
	have qemu-aarch64 qemu-user || return
	while read -r package name; do
		GOARCH=arm64 go test -vet=off -c -gcflags=all=-d=fmahash=n -o "$work/arm64.test" "./$package" 2>/dev/null || return
		(cd "$package" && qemu-aarch64 "$work/arm64.test" -test.v -test.run "^$name\$") | tee "$work/arm64.log"
		grep -q "^--- PASS: $name" "$work/arm64.log" || return
	done <<-'end'
		core/internal/loops TestExp2Bits
		core/experiment TestGolden
	end
}

# golden_386 checks the golden fingerprints where ints have 32 bits, and that the command compiles
# for 32-bit ARM.
golden_386() {
	CGO_ENABLED=0 GOARCH=386 go test -vet=off -run '^TestGolden$' ./core/experiment && CGO_ENABLED=0 GOARCH=arm go build -o "$work/cpsrl-arm" ./core/cmd/cpsrl
}

# fuzz_targets prints each fuzz target after its package.
fuzz_targets() {
	grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' core render wasm | sed 's|/[^/]*:func | |' | sort
}

# fuzz EACH [TARGET…] fuzzes all targets, or these, in turns, each for a time such as 1h. The targets
# of a package share one program. The compiler's flag makes our own code count which of its parts an
# input reaches, and the inputs follow it; go test -fuzz would compile the standard library again, so
# that it counts, too. Before Go 1.27, a target may fail without an input when its time is over:
# go.dev/issue/75804. No check fuzzes: its inputs would be others each time. The tests try the inputs
# that were found.
fuzz() {
	local each=$1 package target built=""
	shift
	for target; do
		fuzz_targets | grep -q " $target\$" || { echo "build.sh: there is no fuzz target \"$target\"; ./build.sh fuzz -l lists them" >&2; return 2; }
	done
	while read -r package target; do
		[[ $# == 0 || " $* " == *" $target "* ]] || continue
		if [[ $built != "$package" ]]; then
			go test -c -vet=off -gcflags=cpsrl/...=-d=libfuzzer -o "$work/fuzz.test" "./$package" || return
			built=$package
		fi
		(cd "$package" && "$work/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$each" -test.fuzzminimizetime 5x -test.fuzzcachedir "$work/fuzz" </dev/null) |
			tee "$work/fuzz.log" || { grep -q 'context deadline exceeded' "$work/fuzz.log" && ! grep -q 'Failing input' "$work/fuzz.log"; } || return
	done < <(fuzz_targets)
}

# native_tests runs the Go tests. One of them needs Graphviz.
native_tests() {
	have dot graphviz || return
	go test -vet=off ./... # vet vets them
}

# python_tests runs the tests of the client for Python against the command. They use Gymnasium if Python has it, and else a
# stand-in, and say which.
python_tests() {
	have python3 python3 || return
	go build -o "$work/client/cpsrl" ./core/cmd/cpsrl &&
		CPSRL=$work/client/cpsrl python3 -B site/python/test_cpsrl.py
}

# wheel_tests checks the wheel of this system, which it makes of the program of the check "binary", and installs it.
wheel_tests() {
	have python3 python3 && { python3 -c 'import ensurepip' 2>/dev/null || have ensurepip python3-venv; } || return
	build_wheels "$work/release" && WHEELS=$work/release python3 -B site/python/test_wheels.py
}

# slurm_tests and snakemake_tests follow the page about sweeps, on a Slurm cluster of one machine and with Snakemake, and
# demand the bytes of one machine.
slurm_tests() {
	local PATH=$PATH:/usr/sbin
	have slurmctld slurmctld && have slurmd slurmd && have sbatch slurm-client && have munged munge || return
	cluster slurm
}

snakemake_tests() {
	have snakemake snakemake || return
	cluster snakemake
}

cluster() {
	go build -o "$work/cluster-$1/cpsrl" ./core/cmd/cpsrl && core/cmd/cpsrl/cluster.sh "$1" "$work/cluster-$1/cpsrl"
}

# The browser that most files of site/test share: Chromium without its own windows, menus and
# buttons, which takes a fifth less processor time.
shell=/usr/bin/chromium-headless-shell

# browsers starts the browser and the server that all files of site/test share, unless they
# are running.
browsers() {
	local host _
	(
		flock 9
		if read -r host _ 2>/dev/null <"$work/host" && kill -0 "$host" 2>/dev/null; then exit; fi
		read -r host < <(CHROMIUM=$shell exec node site/test/host.mjs 9>&-) && echo "$host" >"$work/host"
	) 9>"$work/browsers"
}

# browser_tests NAME runs a file of site/test. "firefox" and "webkit" run in these browsers, with
# a virtual screen, and "chromium" runs in the whole of Chromium. All others run in the shared
# browser; "package" also runs in Firefox.
browser_tests() {
	local program=$shell
	have chromium-headless-shell chromium-headless-shell || return
	case $1 in
	chromium) have chromium chromium && program=/usr/bin/chromium || return ;;
	firefox) have firefox-esr firefox-esr && have Xvfb xvfb || return ;;
	webkit) have WebKitWebDriver webkit2gtk-driver && have Xvfb xvfb || return ;;
	package) have firefox-esr firefox-esr && have Xvfb xvfb && have unzip unzip || return ;;
	esac
	have dot graphviz && have pdftotext poppler-utils || return
	browsers || return
	local said=$work/said-$1
	browser_test "$1" "$program" >"$said" 2>&1 && { cat "$said"; return; }
	cat "$said"
	# A check in Chromium's own code fails now and then: the system's log has "trap int3" of a
	# DedicatedWorker, each time at the same address. This says nothing of the page. The tests run again
	# once, because a page that makes Chromium crash does so again.
	grep -q 'Target crashed' "$said" || return 1
	echo "Chromium crashed; the tests run again"
	browser_test "$1" "$program"
}

# browser_test NAME PROGRAM runs a file of browser tests with a Chromium.
browser_test() {
	(cd site && CHROMIUM=$2 TEST_HOST=$(cut -d' ' -f2- "$work/host") node --test --test-timeout=2400000 "test/$1.test.mjs")
}

# binary builds the command for this system as a release does, and runs it from its archive. A
# release with the tag of another version is refused.
binary() {
	local system said
	system=$(go env GOOS)/$(go env GOARCH)
	build_binaries "$work/release" "$system"
	tar -C "$work/release" -xzf "$work/release/cpsrl-${system/\//-}.tar.gz"
	[[ $("$work/release/cpsrl-${system/\//-}/cpsrl" presets) == *fig2a* ]]
	[[ $("$work/release/cpsrl-${system/\//-}/cpsrl" version) == "cpsrl $(version)"$'\n'* ]]
	[[ $(id -u) != 0 ]] || contained "$work/release/cpsrl-${system/\//-}"
	grep -q '"purl": "pkg:golang/gonum.org/v1/gonum@' "$work/release/sbom.cdx.json"
	grep -q '"purl": "pkg:npm/lit-html@' "$work/release/sbom.cdx.json"
	said=$(build_release v0.0.0 2>&1) && return 1
	[[ $said == *"so the tag must be v"* ]] || { echo "$said"; return 1; }
}

# contained runs the program where there is nothing but the files that the Containerfile copies.
contained() {
	local files
	read -r _ files <<<"$(grep ^COPY "$1/Containerfile")"
	mkdir "$work/container"
	(cd "$1" && cp ${files% /} "$work/container")
	chroot "$work/container" /cpsrl run -preset fig1-quick -quiet -o records.jsonl
	"$1/cpsrl" verify "$work/container/records.jsonl"
}

# same_bytes makes a release, and the editions with a base, from copies of the sources in two folders of different
# depth, of which the second is a checkout, and compares all files. The binary for arm64 must
# give the records of this system.
same_bytes() {
	local one=$work/one two=$work/another/further/down folder tag base=https://example.org/cpsrl/
	tag=v$(version)
	for folder in "$one" "$two"; do
		mkdir -p "$folder"
		find . -mindepth 1 -maxdepth 1 ! -name dist ! -name release ! -name artifacts ! -name .git -exec cp -Rpt "$folder" {} +
	done
	git -C "$two" init -q
	git -C "$two" add -A
	git -C "$two" -c user.name=check -c user.email=check@example.org commit -qm check
	for folder in "$one" "$two"; do
		"$folder/build.sh" release "$tag"
	done
	diff -rq "$one/dist" "$two/dist"
	diff -rq "$one/release" "$two/release"
	(cd "$one/release" && sha256sum --quiet -c SHA256SUMS)
	have qemu-aarch64 qemu-user
	tar -C "$work" -xzf "$one/release/cpsrl-linux-arm64.tar.gz"
	qemu-aarch64 "$work/cpsrl-linux-arm64/cpsrl" run -preset fig1-quick -o "$work/arm64.jsonl" 2>&1 | tee "$work/arm64.said"
	[[ ! -s $work/arm64.said ]] # it would warn that it fuses products and sums
	go run ./core/cmd/cpsrl run -preset fig1-quick | cmp - "$work/arm64.jsonl"
	have unzip unzip
	unzip -q "$one/dist/source.zip" -d "$work/source"
	diff -r -x node_modules -x dist -x release "$work/source/cpsrl" "$one" # the archive holds the sources of the build
	[[ -x $work/source/cpsrl/build.sh ]]
	for folder in "$one" "$two"; do
		"$folder/build.sh" package BASE="$base"
	done
	diff -rq "$one/dist" "$two/dist"
	diff -rq "$one/release" "$two/release"
	pages "$one/dist" "$base"
}

# based_site makes the site as a deploy does: for a known address, and with the site of an earlier
# engine beside it. It checks the links of both. It follows the check "package", which reads a
# file that building the site writes.
based_site() {
	local base=https://example.org/cpsrl/
	mkdir "$work/earlier"
	cp -R dist "$work/earlier/v1"
	node site/build.mjs "$work" "$work/based" BASE=$base VERSIONS="$work/earlier"
	node site/links.mjs "$work/based" $base
}

# pages FOLDER [BASE] checks the built pages against the rules of HTML, and their links.
pages() {
	local files
	mapfile -t files < <(find "$1" -name '*.html')
	site/node_modules/.bin/html-validate --config site/.htmlvalidate.json "${files[@]}" && node site/links.mjs "$@"
}

# all_checks prints a line for each check: the check that it needs (- for none), its name and its
# command. One lane takes checks from the first on, the other from the last on, so that both end
# together.
all_checks() {
	local file name
	cat <<-'end'
		- packages packages
		packages types npm --prefix site run types
		packages lint npm --prefix site run lint
		packages unit npm --prefix site run unit
		packages state npm --prefix site run state
		packages citation node site/citation.mjs
		packages site build_site
		site sizes node site/sizes.mjs dist
		site pages pages dist
		site package build_package
		package claims node site/sizes.mjs dist release
		package based based_site
		site binary binary
		binary wheels wheel_tests
	end
	for file in site/test/*.test.mjs; do
		name=$(basename "$file" .test.mjs)
		[[ $name == package ]] && echo -n "package " || echo -n "site "
		echo "browser-$name browser_tests $name"
	done
	cat <<-'end'
		packages reproducible same_bytes
		packages kernel kernel_tests
		- fetch node --test wasm/fetch/fetch.test.mjs
		- arm64 arm64_tests
		- golden-386 golden_386
		- node node_tests
		- python python_tests
		- slurm slurm_tests
		- snakemake snakemake_tests
		- native native_tests
		- staticcheck static_checks
		- vet-js env GOOS=js GOARCH=wasm go vet -tags kernel ./...
		- vet-386 env CGO_ENABLED=0 GOARCH=386 go vet ./core/... ./wasm/engine
		- vet go vet ./...
		- workflows workflows
		- locks locks
		- tidy go mod tidy -diff
		- gofmt formatted
	end
}

# The checks that run without being named only with -long.
long=" vet-js arm64 golden-386 reproducible "

# chosen NAME… prints the checks with these names and the checks that they need. A name also
# stands for all checks that begin with it and a dash. Without names it prints all checks but
# the long ones, which -long adds.
chosen() {
	local name on check words wanted=" "
	all_checks >"$work/checks"
	for name; do
		[[ $name =~ ^[a-z0-9-]+$ ]] && grep -Eq "^[a-z-]+ $name(-[a-z0-9-]+)? " "$work/checks" && continue
		echo "build.sh: there is no check \"$name\"; ./build.sh test -l lists the checks" >&2
		return 2
	done
	# It goes from the last to the first, because each check needs an earlier one.
	tac "$work/checks" | while read -r on check words; do
		[[ $# != 0 || -n $LONG || $long != *" $check "* ]] || continue
		for name in "${@:-$check}"; do
			[[ $check == "$name" || $check == "$name"-* || $wanted == *" $check "* ]] || continue
			wanted+="$on "
			echo "$on $check $words"
			break
		done
	done | tac
}

# next ORDER prints the next chosen check that no lane has taken, as soon as the check that it
# needs has run. ORDER is cat, from the first to the last, or tac.
next() {
	local on check words left
	while
		exec 9>"$work/next"
		flock 9
		left=no
		while read -r on check words; do
			! grep -qx "$check" "$work/taken" || continue
			left=yes
			[[ $on == - ]] || grep -q "^$on " "$work/results" || continue
			echo "$check" >>"$work/taken"
			echo "$on $check $words"
			return
		done < <("$1" "$work/chosen")
		[[ $left == yes ]]
	do
		exec 9>&-
		sleep 1 # the other lane is running the check that is needed
	done
}

# run ORDER runs chosen checks and prints a line for each, followed by its output if it failed.
run() {
	local start on check words log=$work/$1.log status
	while read -r on check words < <(next "$1"); do
		start=$SECONDS status=ok
		if grep -qx -e "$on FAILED" "$work/results"; then
			echo "it needs $on, which failed" >"$log"
			status=FAILED
		else
			(
				[[ $check == browser-* ]] || renice -n 5 $BASHPID >/dev/null # browser tests have the higher priority
				$words
			) >"$log" 2>&1 </dev/null & # without if and ||, which would switch off set -e
			wait $! || status=FAILED
		fi
		echo "$check $status" >>"$work/results"
		(
			flock 9
			printf '%-20s%-8s%4d s\n' "$check" "$status" $((SECONDS - start))
			[[ $status == ok ]] || cat "$log"
		) 9>"$work/print"
	done
}

# run_checks runs the chosen checks, in two lanes side by side.
run_checks() {
	local order lanes=() orders=(cat tac)
	[[ $(nproc) -gt 1 ]] || orders=(cat)
	: >"$work/results" >"$work/taken"
	set -m # gives each lane a group of processes, so that the lane can be ended
	trap 'for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null || true; done; wait; exit 130' INT TERM HUP
	for order in "${orders[@]}"; do
		(
			set +m
			run "$order"
		) &
		lanes+=($!)
	done
	wait
	echo "$(grep -c ' ok$' "$work/results") passed, $(grep -c ' FAILED$' "$work/results") failed"
	[[ $(grep -c ' ok$' "$work/results") == $(wc -l <"$work/chosen") ]]
}

# --- Commands -----------------------------------------------------------------

usage() {
	sed -n '2,27s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	exit 2
}

command=${1:-}
[[ $# == 0 ]] || shift
case $command in
serve)
	toolchains
	build_site
	compress_site
	go build -o "$work/serve" ./site
	"$work/serve" "$@"
	;;
test)
	if [[ ${1:-} == -l && $# == 1 ]]; then
		all_checks | cut -d' ' -f2-
		exit
	fi
	if [[ ${1:-} == -long ]]; then
		LONG=1
		shift
	fi
	chosen "$@" >"$work/chosen"
	toolchains
	run_checks
	;;
site)
	toolchains
	build_site "$@"
	[[ " $*" != *" BASE="* ]] || compress_site
	;;
package)
	toolchains
	build_site "$@"
	build_package "$@"
	build_binaries "$work/archives" "${systems[@]}"
	build_wheels release
	;;
release)
	toolchains
	build_release "$@"
	;;
figures)
	need go "Go 1.26 or newer"
	figures
	;;
studies)
	need go "Go 1.26 or newer"
	build_studies "$@"
	;;
fuzz)
	need go "Go 1.26 or newer"
	[[ $# -gt 0 ]] || usage
	if [[ $1 == -l && $# == 1 ]]; then
		fuzz_targets | cut -d' ' -f2
		exit
	fi
	fuzz "$@"
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
