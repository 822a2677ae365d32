# Thin names for the real commands. `make run` and `make test` are the ones to know.

CARGO ?= cargo
SHELL := /bin/bash
PREFIX ?= /usr/local
# Without it the arithmetic, inlined everywhere, is compiled once for each of 256 units.
export CARGO_INCREMENTAL ?= 0

# The crates of the library.
LIBRARY := kuaimi-platform kuaimi-symmetric kuaimi-math kuaimi

.PHONY: run test test-languages check lint docs help build install uninstall provider go python java javascript dotnet web-demo miniprogram dist go-test python-test java-test javascript-test dotnet-test test-engines sql-test test-openssl tls-test tls-bench tls-lab check-features check-inlined bench-check test-avx512 test-arrowlake test-aarch64 test-cpus test-targets fuzz fuzz-coverage interop test-fiat test-millions go-fuzz go-soak constant-time constant-time-avx512 constant-time-aarch64 timing trace-aarch64 prove faults miri sanitizers evidence bench bench-peers bench-ladders count-ladders bench-s2n bench-engines go-bench python-bench java-bench javascript-bench dotnet-bench report report-check summary dependencies audits sbom reproducible release release-test

# What `make` alone does.
.DEFAULT_GOAL := help

##@ The ones to know

run: ## Build, then keys, a signature and a ciphertext on a real file, then the speed of this machine
	@scripts/need cargo cc
	$(CARGO) build --release -p kuaimi-cli
	@scripts/demo target/release/kuaimi

# The other languages' tests build the library anew, each with its own features, and take as long again: they have a target of their own.
test: ## The library, the C library, the OpenSSL provider and the program, on every backend, against OpenSSL, a Go implementation and GmSSL
	@scripts/need cargo cc c++ cmake nm pkg-config valgrind openssl openssl/evp.h curl php go python3 pip
	$(CARGO) test --workspace
	KUAIMI_BACKEND=portable32 scripts/test-again $(LIBRARY)
	@scripts/check-features
	@scripts/need-target thumbv7em-none-eabi
	$(CARGO) check -p kuaimi --no-default-features --target thumbv7em-none-eabi
	@scripts/need-target aarch64-unknown-linux-gnu
	$(CARGO) check $(addprefix -p ,$(LIBRARY)) --tests --target aarch64-unknown-linux-gnu

test-languages: ## The Go, Python, Java and JavaScript packages, against gmsm, tjfoc, gmssl, GmSSL, Bouncy Castle, Kona, sm-crypto and others
	@scripts/need cargo cc openssl go python3 pip javac mvn
	cd peers/gmsm && ../../scripts/go vet ./... && ../../scripts/go test ./...
	$(MAKE) go-test
	@scripts/python-test
	@scripts/java-test
	@scripts/javascript-test

##@ Working on it

check: ## Format, lints, and the unit tests of the crates that changed since the last commit (BASE=main: since that one); a minute
	@scripts/need cargo cc
	@scripts/check $(BASE)

lint: ## Format, lints as errors, documentation as errors
	@scripts/need cargo cc pkg-config openssl/evp.h python3
	$(CARGO) fmt --all --check
	scripts/comment-width
# The program for libFuzzer is compiled by scripts/fuzz-coverage.
	$(CARGO) clippy --workspace --exclude kuaimi-fuzz --all-targets --all-features -- -D warnings
	$(CARGO) clippy --workspace --all-targets -- -D warnings
# What only this machine uses is unused on others.
	@scripts/need-target aarch64-unknown-linux-gnu i686-unknown-linux-gnu thumbv7em-none-eabi
	$(CARGO) clippy $(addprefix -p ,$(LIBRARY)) --tests --target aarch64-unknown-linux-gnu --target i686-unknown-linux-gnu -- -D warnings
	$(CARGO) clippy -p kuaimi --no-default-features --target thumbv7em-none-eabi -- -D warnings
	$(CARGO) clippy -p kuaimi-pki --no-default-features --target thumbv7em-none-eabi -- -D warnings
	@scripts/need-target wasm32-unknown-unknown
	@for part in sm2 sm9 pki formats; do \
		$(CARGO) clippy -p kuaimi-wasm --no-default-features --features $$part --target wasm32-unknown-unknown -- -D warnings || exit; \
	done
	$(MAKE) docs

docs: ## The library's documentation, in target/doc
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --exclude kuaimi-fuzz --no-deps --all-features

help: ## This list
	@awk -f scripts/help.awk $(MAKEFILE_LIST)

##@ Installing

build: ## What make install puts in place
	@scripts/need cargo cc
	@. scripts/release-environment && $(CARGO) build --release --locked -p kuaimi-capi -p kuaimi-provider -p kuaimi-cli

# Root often has no cargo, and then installs what a user has built.
install: ## The C library, the OpenSSL provider, the program and its manual into PREFIX (/usr/local), under DESTDIR where that is set
	@if command -v $(CARGO) >/dev/null; then $(MAKE) --no-print-directory build; fi
	@PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" scripts/install

uninstall: ## Remove what make install has put into PREFIX
	@PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" scripts/install --uninstall

provider: ## The OpenSSL provider and its configuration, in target/provider (docs/openssl.md)
	@scripts/provider

go: ## The static library where cgo finds it, for bindings/go
	@scripts/need cargo cc
	$(CARGO) build --release -p kuaimi-capi
	@scripts/go-archive

python: ## A wheel of the Python package in target/wheels, for CPython 3.11 and newer and glibc 2.17 and newer
	@scripts/need cargo cc python3 pip
	@scripts/python-wheel

java: ## The Java provider's jar, with this machine's native library, in bindings/java/target
	@scripts/java-test -Dmaven.test.skip=true

javascript: ## The npm package in target/javascript/kuaimi-VERSION.tgz, which npm install takes; WebAssembly, and this machine's addon for Node
	@scripts/javascript
	@scripts/javascript-native

dotnet: ## The NuGet package in target/dotnet/packages, with this machine's C library; takes the SDK on the PATH, or one of npm
	@scripts/dotnet-test --package

web-demo: ## The page that shows SM2, SM3, SM4 and SM9 in a browser, in target/web-demo: for any web server, or opened from the folder
	@scripts/javascript-demo

miniprogram: ## The JavaScript package's folder for WeChat's mini-programs, in target/javascript/miniprogram
	@scripts/javascript-miniprogram

dist: ## Static programs for x86-64 and AArch64 Linux in target/dist, with their SHA-256 sums, run where nothing is installed
	@scripts/dist

##@ Tests of one part

# With libkuaimi and with gmsm. The second run has Go's checks of what is passed to C, and the race detector.
go-test: go ## Go: lints; all tests with libkuaimi, with the race detector and cgo's checks, and with gmsm in place of libkuaimi
	@scripts/need go
	@scripts/go-lint
	cd bindings/go && KUAIMI_GO_EXPECT=libkuaimi ../../scripts/go test ./...
	cd bindings/go && GODEBUG=cgocheck=1 GOEXPERIMENT=cgocheck2 ../../scripts/go test -race -short ./...
	KUAIMI_GO_EXPECT=gmsm scripts/go-gmsm test ./...
	cd bindings/go/gmsm && ../../../scripts/go test ./... && CGO_ENABLED=0 ../../../scripts/go test ./...
	cd bindings/go/peers && ../../../scripts/go test ./...

python-test: ## The Python package's tests alone
	@scripts/need cargo cc openssl python3 pip
	@scripts/python-test

java-test: ## The Java provider's tests alone, with Bouncy Castle and Kona, keytool and jarsigner
	@scripts/java-test

javascript-test: ## The npm package's tests alone, in Node, Chromium and a stand-in for WeChat, beside the packages that it replaces
	@scripts/javascript-test

dotnet-test: ## The .NET package's tests alone, beside OpenSSL, and the package in a new project with the examples of docs/dotnet.md
	@scripts/dotnet-test

test-engines: ## Verdicts through Spark, Ray, Polars, DataFusion and DuckDB beside the program's, a million rows; killed workers; secrets
	@scripts/engines-run -m pytest $(ENGINES)

tls-test: ## TLCP beside Tongsuo, gotlcp and GmSSL, in both directions; TONGSUO, GOTLCP, GMSSL where they are already
	@scripts/tls-test

tls-lab: ## An authority, a pair, a web server with a proxy in front and a proxy for clients, on this machine, to try TLCP with
	@scripts/tls-lab

tls-bench: ## Handshakes and megabytes a second of TLCP beside Tongsuo and gotlcp, in turns
	@scripts/tls-bench

test-openssl: ## The OpenSSL provider with the system's OpenSSL, with 4.0 and with Tongsuo, which are built once: some minutes
	@scripts/test-openssl

sql-test: ## The functions for PostgreSQL, SQLite and DuckDB, in a server of their own, beside OpenSSL; docs/sql.md's examples
	@scripts/sql-test

check-features: ## The library without a warning with each sensible set of its features
	@scripts/need cargo cc
	@scripts/check-features

check-inlined: ## No vector instruction is called where it should be inlined, in any engine of the release build
	@scripts/need cargo cc nm
	$(CARGO) build --release -p kuaimi-cli
	scripts/check-inlined target/release/kuaimi

bench-check: ## Instruction counts of some operations within 2 % of the committed ones, under callgrind; UPDATE=1 writes them anew
	@scripts/bench-check $(if $(UPDATE),--update)

##@ Tests on other machines

test-avx512: ## The library's tests with AVX-512 IFMA and GFNI: natively where the CPU has them, else emulated
	@scripts/test-avx512

test-arrowlake: ## SM3 and SM4 with the instructions of x86-64 for them, emulated
	@scripts/test-arrowlake

test-aarch64: ## The library's tests for AArch64, emulated; PART=symmetric for SM3 and SM4 alone
	@scripts/test-aarch64 $(PART)

test-cpus: ## What x86-64 CPUs without newer instructions get from the table of implementations, emulated, with the standards' examples
	@scripts/test-cpus

test-targets: ## The library's tests on 32-bit and big-endian machines, RISC-V, LoongArch and WebAssembly, emulated; TARGETS=… for some; installs compilers (Debian, root)
	@scripts/test-targets $(TARGETS)

##@ Tests by the million

fuzz: ## Changes of kept inputs for every decoder and many functions, and ways to the same result compared; FUZZ_TIME seconds for each check, FUZZ_SEED
	@scripts/need cargo cc pkg-config openssl/evp.h
	$(if $(FUZZ_TIME),KUAIMI_FUZZ_SECONDS=$(FUZZ_TIME)) $(if $(FUZZ_SEED),KUAIMI_FUZZ_SEED=$(FUZZ_SEED)) $(CARGO) test -p kuaimi-fuzz --features fiat --test corpus --test openssl -- --nocapture

fuzz-coverage: ## The same checks by libFuzzer, which sees the code that an input reaches, with AddressSanitizer and limits of memory; FUZZ_TIME seconds in all, CHECKS=… for some
	@scripts/fuzz-coverage $(or $(FUZZ_TIME),60) $(CHECKS)

interop: ## Random cases both ways with OpenSSL's library and emmansun/gmsm, CASES=100000 of each kind, others with SEED: more than an hour; stops at the first difference
	@scripts/need cargo cc go pkg-config openssl/evp.h
	KUAIMI_INTEROP_CASES=$(or $(CASES),100000) KUAIMI_INTEROP_SEED=$(or $(SEED),0) $(CARGO) test -p kuaimi-fuzz --features fiat --test openssl -- --nocapture
	KUAIMI_INTEROP_CASES=$(or $(CASES),100000) KUAIMI_INTEROP_SEED=$(or $(SEED),0) $(CARGO) test -p kuaimi --test peers -- --nocapture interop_gmsm:: interop_sm4:: encoding_gmsm:: interop_sm9::

test-fiat: ## SM2's field arithmetic of every backend and engine against machine-checked code; COUNT results for each and modulus
	@scripts/need cargo cc
	$(CARGO) run --release -p kuaimi-math --example fiat --features all-backends,fiat,std -- $(or $(COUNT),10000000)

test-millions: ## Field arithmetic of every backend against the plain code, two million random numbers for each modulus
	@scripts/need cargo cc
	KUAIMI_TEST_FACTOR=200 $(CARGO) test -p kuaimi-math --lib -- --nocapture arith::tests::backends_agree

go-fuzz: go ## Go: each fuzz interop test for half a minute (FUZZ_TIME)
	@scripts/need go
	@scripts/go-fuzz $(FUZZ_TIME)

go-soak: go ## Go: a million operations from 64 goroutines, with flat memory; some minutes
	@scripts/need go
	cd bindings/go && KUAIMI_GO_OPERATIONS=1000000 ../../scripts/go test -count=1 -timeout=60m -v -run TestManyGoroutines .

##@ Evidence

constant-time: ## Every operation on secrets under valgrind, which reports branches and look-ups that depend on them
	@scripts/constant-time

constant-time-avx512: ## The same, and divisions, on an emulated CPU that follows secrets itself, for all rows, those that valgrind cannot run among them; BACKENDS=… for some
	@scripts/constant-time-avx512 $(BACKENDS)

constant-time-aarch64: ## The same under valgrind for AArch64, which QEMU runs; without the instructions for SM3 and SM4
	@scripts/constant-time-aarch64

timing: ## Whether the time of operations depends on their secrets, by dudect's method, on a quiet machine; SECONDS for each of 14 operations
	@scripts/need cargo cc
	$(CARGO) run --release -p kuaimi-evidence -- timing $(if $(SECONDS),--seconds $(SECONDS))

trace-aarch64: ## AArch64 in an emulator: numbers of instructions; the same ones, and addresses, for different secrets
	@scripts/trace-aarch64

prove: ## The assembly of the arithmetic, proved from its compiled instructions for all inputs; docs/proofs.md; PART=x86 or a64, ONLY="mul sub:sm2p" for some
	@scripts/prove $(PART) $(if $(ONLY),--only $(ONLY))

faults: ## One bit flipped at a random moment of signing and decryption, COUNT times for each operation: what is given out; Linux, x86-64
	@scripts/need cargo cc
	$(CARGO) run --release -p kuaimi-bench --bin faults -- $(or $(COUNT),2000)

miri: ## Rust's interpreter on the portable code and the C library's functions, also as a big-endian machine runs them: what is undefined is reported; ten minutes of processor time
	@scripts/miri

sanitizers: ## AddressSanitizer in the library under the tests of the C library, the OpenSSL provider, and the Python and Go packages; PARTS=c for some
	@scripts/sanitizers $(PARTS)

evidence: ## Every claim of SECURITY.md shown again, docs/evidence.md: many hours; STEPS="prove memory" for some; summary in target/evidence
	@scripts/evidence $(STEPS)

##@ Measuring

# What users of Kuaimi most often come from.
BESIDE := gmsm,openssl
# Some libraries or operations are only printed: they do not replace the records of all.
bench: ## Kuaimi beside emmansun/gmsm and OpenSSL, in turn on one core and on all; threads; batch sizes; files of signatures; a quarter of an hour; records in target/bench
	@scripts/need cargo cc openssl openssl/evp.h go
	$(CARGO) run --release -p kuaimi-lab -- libraries --libraries $(or $(LIBRARIES),$(BESIDE)) $(if $(OPERATIONS),--operations $(OPERATIONS)) $(if $(LIBRARIES)$(OPERATIONS),,--out target/bench)
ifeq ($(LIBRARIES)$(OPERATIONS),)
	$(CARGO) run --release -p kuaimi-lab -- scaling --out target/bench
	$(CARGO) run --release -p kuaimi-lab -- batches --out target/bench
	$(CARGO) build --release -p kuaimi-cli
	$(CARGO) run --release -p kuaimi-lab -- files --out target/bench
endif

bench-peers: ## Kuaimi beside all 22 other libraries, which are built first, in turn on one core and on all; OPERATIONS=sm2,verify for some; records in target/bench
	@scripts/need cargo cc
	$(CARGO) run --release -p kuaimi-lab -- libraries $(if $(OPERATIONS),--operations $(OPERATIONS),--out target/bench)

bench-ladders: ## Every optimisation beside what it replaces, in turn on one core; LADDERS=reduction,generator for some; records in target/bench
	@scripts/need cargo cc
	$(CARGO) run --release -p kuaimi-lab -- ladders $(if $(LADDERS),--only $(LADDERS)) --out target/bench

count-ladders: ## The instructions of the ladders' rungs under callgrind, beside their times in target/bench; LADDERS=… for some
	@scripts/need cargo cc valgrind
	$(CARGO) build --release -p kuaimi-lab --features memcheck
	target/release/kuaimi-lab ladders $(if $(LADDERS),--only $(LADDERS)) --instructions --out target/bench

bench-s2n: ## SM2's scalar arithmetic beside s2n-bignum's assembly, in turn: times and instructions; S2N_BIGNUM=/its/sources without a download
	@scripts/bench-s2n

bench-engines: ## Rows a second and core: the program, Arrow in one process, Spark, Ray and the others, in one run; the cost of each step
	@scripts/engines-run bench.py

go-bench: go ## Go: Kuaimi beside tjfoc/gmsm and emmansun/gmsm, in turn on one core: times, allocations, ratios
	@scripts/need go
	cd bindings/go/peers && ../../../scripts/go run ./bench

python-bench: ## The Python package beside gmssl, gmalg, cryptography and the Rust library, in turn; prints ratios
	@scripts/need cargo cc python3 pip
	@scripts/python-bench

java-bench: ## The Java provider beside Bouncy Castle and Kona by JMH: medians of three rounds, ratios, goals
	@scripts/java-bench

javascript-bench: ## The npm package beside sm-crypto, sm-crypto-v2, gm-crypto, sm3 and Node's own, in turn on one core: times, ratios, goals
	@scripts/javascript-bench

dotnet-bench: ## What a call from .NET costs beside the same call in C, in turn: nanoseconds
	@scripts/dotnet-bench

report: ## All records of target/bench as one HTML page, target/report.html, for a browser; nothing is measured
	@scripts/need cargo cc
	$(CARGO) run --release -p kuaimi-lab -- report target/bench --out target/report.html

report-check: ## That page in a real browser: no error, tables sort and filter, nothing overflows; screenshots in target/report-check
	@scripts/need cargo cc
	@scripts/report-check

summary: ## The headline figures of target/bench into docs/bench.md, and what became of the goals into docs/goals.md; nothing is measured
	@scripts/need cargo cc
	$(CARGO) run --release -p kuaimi-lab -- summary target/bench --out docs/bench.md --goals docs/goals.md

##@ Releasing

dependencies: ## Licences, sources and known faults of all dependencies, by cargo-deny; ADVISORIES=a clone of RustSec's list where it cannot be fetched
	@ADVISORIES="$(ADVISORIES)" scripts/dependencies

audits: ## Which audits other organisations have published of the dependencies; AUDITS=folder where they cannot be fetched
	@scripts/need cargo python3
	@scripts/audits $(AUDITS)

sbom: ## What each thing that is handed out consists of, as CycloneDX in target/sbom
	@scripts/sbom

reproducible: ## The C library, built twice, in other folders and on another day: the same, byte for byte; PACKAGES="kuaimi-provider kuaimi-cli" for others, PACKAGES=release for all that make release makes
	@scripts/reproducible $(PACKAGES)

release: ## What a user gets without compiling, of the last commit, in target/release-artefacts (docs/release.md); PLATFORMS='linux-x86_64 …', PARTS='native python …', MAINTAINER='NAME <ADDRESS>'
	@scripts/release

release-test: ## Those of make release, installed and used where nothing was built: Debian, Python, Node, Java, Go, Rust, AArch64, Windows; PART=… (Debian, root)
	@scripts/release-test $(PART)
