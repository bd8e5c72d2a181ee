//! The write path: remittances sold in a second, in process and over HTTP, beside others on the same PostgreSQL.

mod http;
mod imports;
mod journal;
mod pgbench;
mod pgledger;
mod program;
mod stock;

use crate::{
    Common,
    latency::Latencies,
    report::{Report, ratio, whole},
    scratch::Scratch,
};
use clap::{Args, ValueEnum};
use http::Fleet;
use imports::Customers;
use journal::Shop;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use stock::Stock;
use tokio::runtime::Runtime;

/// How many commands are under way at a time, in process.
const IN_FLIGHT: [usize; 5] = [1, 8, 32, 64, 128];
/// How many are where the targets are.
const TARGET_IN_FLIGHT: usize = 64;
/// How many clients there are over HTTP, and of TPC-B.
const CLIENTS: [usize; 4] = [1, 8, 32, 128];
/// The most clients of TPC-B.
const MOST_TPCB_CLIENTS: usize = 32;
/// Number of tenants in the runs with many tenants.
const MANY_TENANTS: usize = 12;
/// The clients of several nodes together.
const CLIENTS_OF_NODES: usize = 48;
/// Factor of the duration at half load: one pause of the disk should stay below a hundredth of the requests.
const HALF_LOAD_LASTS: u32 = 4;
/// Seconds of sales over which the projector's speed is measured.
const LOG_SECONDS: u32 = 2;

/// How the write path is measured.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    /// Only these parts of it
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Part::value_variants().to_vec())]
    only: Vec<Part>,
    /// The cala-ledger program (bench/cala), to be measured as well
    #[arg(long, value_name = "PROGRAM")]
    cala: Option<PathBuf>,
    /// pgledger's SQL (pgledger.sql in its repository), to be measured as well
    #[arg(long, value_name = "FILE")]
    pgledger: Option<PathBuf>,
    /// The program for emmett (bench/emmett/main.mjs, its packages installed), to be measured as well
    #[arg(long, value_name = "PROGRAM")]
    emmett: Option<PathBuf>,
}

/// A part of the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Caudal in process, with the limit of one connection beside it
    InProcess,
    /// cqrs-es, cala-ledger, pgledger and emmett
    Others,
    /// Caudal over HTTP beside TPC-B
    Http,
    /// Spreadsheets of sales beside the same sales over HTTP
    Imports,
    /// The projector
    Projector,
    /// Several nodes
    Nodes,
}

impl Arguments {
    /// All parts of it, with the programs for others that are there.
    pub fn all(common: Common, pgledger: Option<PathBuf>) -> Self {
        let cala = std::env::current_exe()
            .ok()
            .map(|own| own.with_file_name("caudal-bench-cala"));
        let emmett = Path::new(env!("CARGO_MANIFEST_DIR")).join("emmett");
        let installed = emmett.join("node_modules").exists();
        Self {
            common,
            only: Part::value_variants().to_vec(),
            cala: cala.filter(|program| program.exists()),
            pgledger,
            emmett: installed.then(|| emmett.join("main.mjs")),
        }
    }

    /// Who is measured in process beside cqrs-es.
    fn others(&self) -> Vec<Other<'_>> {
        let others = [
            self.cala.as_deref().map(Other::Cala),
            self.pgledger.as_deref().map(Other::Pgledger),
            self.emmett.as_deref().map(Other::Emmett),
        ];
        others.into_iter().flatten().collect()
    }
}

/// Who is measured in process beside Caudal, with the file that it takes.
#[derive(Clone, Copy)]
enum Other<'a> {
    Stock(&'a Stock),
    Cala(&'a Path),
    Pgledger(&'a Path),
    Emmett(&'a Path),
}

impl Other<'_> {
    const fn name(self) -> &'static str {
        match self {
            Self::Stock(_) => "cqrs-es + postgres-es",
            Self::Cala(_) => "cala-ledger",
            Self::Pgledger(_) => "pgledger",
            Self::Emmett(_) => "emmett",
        }
    }

    /// Commands a second, on a database of its own.
    async fn rate(self, scratch: &Scratch, in_flight: usize, duration: Duration) -> f64 {
        match self {
            Self::Stock(stock) => stock.sell(scratch, in_flight, duration).await.rate,
            Self::Cala(program) => program::cala(program, &scratch.empty().await, in_flight, duration),
            Self::Pgledger(file) => pgledger::post(scratch, file, in_flight, duration).await.rate,
            Self::Emmett(script) => program::emmett(script, &scratch.empty().await, in_flight, duration),
        }
    }
}

/// Measures it.
pub fn run(runtime: &Runtime, arguments: &Arguments, report: &mut Report) {
    let scratch = Scratch::start();
    let measurement = Measurement {
        scratch: &scratch,
        arguments,
        report,
    };
    runtime.block_on(measurement.run());
}

struct Measurement<'a> {
    scratch: &'a Scratch,
    arguments: &'a Arguments,
    report: &'a mut Report,
}

impl Measurement<'_> {
    async fn run(mut self) {
        let version = self.scratch.version().await;
        let seconds = self.arguments.common.seconds;
        self.report.paragraph(&format!(
            "PostgreSQL {version}, durability at its defaults; each figure over {seconds} s."
        ));
        self.scratch.season().await;
        let mut caudal = None;
        if self.wants(Part::InProcess) {
            caudal = Some(self.in_process().await);
        }
        if self.wants(Part::Others) {
            self.others(caudal).await;
        }
        let mut http = None;
        if self.wants(Part::Http) {
            http = Some(self.http().await);
        }
        if self.wants(Part::Imports) {
            self.imports().await;
        }
        if self.wants(Part::Projector) {
            self.projector(http).await;
        }
        if self.wants(Part::Nodes) {
            self.nodes().await;
        }
    }

    fn wants(&self, part: Part) -> bool {
        self.arguments.only.contains(&part)
    }

    /// Remittances a second at the target's number in flight.
    async fn in_process(&mut self) -> f64 {
        let duration = self.arguments.common.duration();
        self.report.heading("In process: remittances a second");
        let mut rows = Vec::new();
        let mut target = 0.0;
        for in_flight in IN_FLIGHT {
            let shop = Shop::open(self.scratch, 1).await;
            let load = shop.sell(in_flight, duration).await;
            let batch = shop.batch(self.scratch).await;
            shop.close().await;
            let mut projected = Shop::open(self.scratch, 1).await;
            projected.project();
            let with_projector = projected.sell(in_flight, duration).await;
            projected.close().await;
            let many = Shop::open(self.scratch, MANY_TENANTS).await;
            let with_many = many.sell(in_flight, duration).await;
            many.close().await;
            if in_flight == TARGET_IN_FLIGHT {
                target = load.rate;
            }
            let [median, p99] = load.latencies.median_and_p99();
            rows.push(vec![
                in_flight.to_string(),
                whole(load.rate),
                format!("{batch:.0}"),
                median,
                p99,
                whole(with_projector.rate),
                whole(with_many.rate),
            ]);
        }
        let many = format!("{MANY_TENANTS} tenants");
        let columns = [
            "In flight",
            "One tenant",
            "Events a commit",
            "Median, ms",
            "p99, ms",
            "Projector on",
            &many,
        ];
        self.report.table(&columns, &rows);
        self.limit().await;
        target
    }

    /// One connection of pgbench with the rows and batches of a run beside it.
    async fn limit(&mut self) {
        let duration = self.arguments.common.duration();
        let shop = Shop::open(self.scratch, 1).await;
        let load = shop.sell(TARGET_IN_FLIGHT, duration).await;
        let batch = shop.batch(self.scratch).await.round();
        let (url, tenant) = (shop.url.clone(), shop.offices[0].tenant.clone());
        shop.close().await;
        let limit = pgbench::limit(self.scratch, &url, tenant.as_str(), batch as i64, duration).await;
        self.report
            .heading("The limit: one pgbench connection inserting the same rows in the same batches");
        let row = |what: &str, rate: f64| vec![what.to_owned(), whole(rate), ratio(load.rate, rate)];
        self.report.table(
            &["", "Remittances/s", "Caudal / it"],
            &[
                vec![
                    format!("Caudal, {TARGET_IN_FLIGHT} in flight"),
                    whole(load.rate),
                    String::new(),
                ],
                row("pgbench, rows sent as SQL", limit.sent),
                row("pgbench, rows made by the server", limit.made),
            ],
        );
    }

    async fn others(&mut self, caudal: Option<f64>) {
        let duration = self.arguments.common.duration();
        self.report.heading("Others in process: commands a second");
        let stock = Stock::open(self.scratch).await;
        let mut others = vec![Other::Stock(&stock)];
        others.extend(self.arguments.others());
        let mut best = vec![0.0_f64; others.len()];
        let mut rows = Vec::new();
        for in_flight in IN_FLIGHT {
            let mut row = vec![in_flight.to_string()];
            for (other, best) in others.iter().zip(&mut best) {
                let rate = other.rate(self.scratch, in_flight, duration).await;
                *best = best.max(rate);
                row.push(whole(rate));
            }
            rows.push(row);
        }
        let mut columns = vec!["In flight"];
        columns.extend(others.iter().map(|other| other.name()));
        self.report.table(&columns, &rows);
        if let Some(caudal) = caudal {
            let times = others
                .iter()
                .zip(best)
                .map(|(other, best)| format!("{} times {} at its best", ratio(caudal, best), other.name()));
            let times: Vec<_> = times.collect();
            self.report.paragraph(&format!(
                "Caudal with {TARGET_IN_FLIGHT} in flight is {}.",
                times.join(", ")
            ));
        }
    }

    /// The best rate.
    async fn http(&mut self) -> f64 {
        let duration = self.arguments.common.duration();
        self.report
            .heading("Over HTTP, until it can be read: remittances a second beside TPC-B");
        let tpcb = self.scratch.empty().await;
        pgbench::prepare_tpcb(self.scratch, &tpcb);
        let mut rows = Vec::new();
        let mut best = 0.0_f64;
        for clients in CLIENTS {
            let one = Fleet::start(self.scratch, 1, 1).await;
            let load = one.closed(clients, true, duration).await;
            let half = one.paced(clients, load.rate / 2.0, duration * HALF_LOAD_LASTS).await;
            let resident = one.most_resident_mib();
            drop(one);
            let many = Fleet::start(self.scratch, 1, MANY_TENANTS).await;
            let with_many = many.closed(clients, true, duration).await;
            let resident = resident.max(many.most_resident_mib());
            drop(many);
            best = best.max(load.rate);
            let beside = (clients <= MOST_TPCB_CLIENTS).then(|| pgbench::tpcb(self.scratch, &tpcb, clients, duration));
            let [median, p99] = load.latencies.median_and_p99();
            let beside_half = beside.map(|rate| {
                let lasts = duration * HALF_LOAD_LASTS;
                pgbench::tpcb_paced(self.scratch, &tpcb, clients, rate / 2.0, lasts)
            });
            let [half, spread] = half_load(&half.latencies);
            let [beside_half, beside_spread] = beside_half.as_ref().map(half_load).unwrap_or_default();
            rows.push(vec![
                clients.to_string(),
                whole(load.rate),
                median,
                p99,
                half,
                spread,
                whole(with_many.rate),
                whole(resident),
                beside.map_or_else(String::new, whole),
                beside.map_or_else(String::new, |beside| ratio(load.rate, beside)),
                beside_half,
                beside_spread,
            ]);
        }
        let many = format!("{MANY_TENANTS} tenants");
        let columns = [
            "Clients",
            "One tenant",
            "Median, ms",
            "p99, ms",
            "At half load, ms",
            "p99 / median there",
            &many,
            "Resident at most, MiB",
            "TPC-B",
            "One tenant / TPC-B",
            "TPC-B at half load, ms",
            "p99 / median there",
        ];
        self.report.table(&columns, &rows);
        best
    }

    async fn imports(&mut self) {
        let duration = self.arguments.common.duration();
        self.report
            .heading(&format!("Imports of {} sales", whole(imports::ROWS as f64)));
        let mut rows = Vec::new();
        for (what, customers) in [
            ("to known customers", Customers::Known),
            ("to customers registered on the way", Customers::New),
        ] {
            let imported = imports::measure(self.scratch, customers, duration).await;
            let rate = imported.commands as f64 / imported.run.as_secs_f64();
            rows.push(vec![
                what.to_owned(),
                format!("{:.1}", imported.csv.upload.as_secs_f64()),
                format!("{:.1}", imported.csv.preview.as_secs_f64()),
                format!("{:.1}", imported.xlsx.upload.as_secs_f64()),
                format!("{:.1}", imported.xlsx.preview.as_secs_f64()),
                format!("{:.1}", imported.run.as_secs_f64()),
                whole(rate),
                whole(imported.beside),
                ratio(rate, imported.beside),
                whole(imported.resident),
            ]);
        }
        let beside = format!("{} clients over HTTP, sales a second", imports::CLIENTS_BESIDE);
        let columns = [
            "",
            "Upload of CSV, s",
            "Preview of CSV, s",
            "Upload of XLSX, s",
            "Preview of XLSX, s",
            "Run, s",
            "Commands a second",
            &beside,
            "Commands / sales",
            "Resident at most, MiB",
        ];
        self.report.table(&columns, &rows);
    }

    async fn projector(&mut self, http: Option<f64>) {
        let duration = self.arguments.common.duration();
        self.report.heading("The projector");
        let shop = Shop::open(self.scratch, 1).await;
        shop.catch_up().await;
        shop.sell(TARGET_IN_FLIGHT, duration * LOG_SECONDS).await;
        let speed = shop.catch_up().await;
        shop.close().await;
        let mut rows = vec![vec!["Events a second, catching up".to_owned(), whole(speed)]];
        if let Some(http) = http {
            rows.push(vec!["… times the best over HTTP".to_owned(), ratio(speed, http)]);
            let mut shop = Shop::open(self.scratch, 1).await;
            shop.project();
            let lag = shop.lag(http / 2.0, duration).await;
            shop.close().await;
            let [median, p99] = lag.latencies.median_and_p99();
            rows.push(vec![
                format!("Lag at {} a second, median / p99, ms", whole(http / 2.0)),
                format!("{median} / {p99}"),
            ]);
        }
        self.report.table(&["", ""], &rows);
    }

    async fn nodes(&mut self) {
        let duration = self.arguments.common.duration();
        self.report.heading(&format!(
            "Nodes over one PostgreSQL: {MANY_TENANTS} tenants, {CLIENTS_OF_NODES} clients over HTTP"
        ));
        let mut rows = Vec::new();
        for nodes in [1, 2, 3] {
            let fleet = Fleet::start(self.scratch, nodes, MANY_TENANTS).await;
            let own = fleet.closed(CLIENTS_OF_NODES, true, duration).await;
            let any = fleet.closed(CLIENTS_OF_NODES, false, duration).await;
            rows.push(vec![nodes.to_string(), whole(own.rate), whole(any.rate)]);
        }
        let columns = ["Nodes", "A tenant at one node", "A tenant at all nodes"];
        self.report.table(&columns, &rows);
    }
}

/// The median and the 99th percentile at half load, in milliseconds, and how many times one the other is.
fn half_load(times: &Latencies) -> [String; 2] {
    let [median, p99] = times.median_and_p99();
    let spread = times.percentile(99.0).zip(times.percentile(50.0));
    let spread = spread.map(|(p99, median)| ratio(p99.as_secs_f64(), median.as_secs_f64()));
    [format!("{median} / {p99}"), spread.unwrap_or_default()]
}
