//! The read path: every list, search, figure, report and export over tenants of different sizes on one node, with the
//! plans of the statements behind each, and how much longer the larger tenant takes.

mod calls;
mod plans;
mod server;

use crate::{
    latency::{Latencies, milliseconds},
    report::{Report, whole},
    volume,
};
use calls::{Call, Kind};
use clap::Args;
use plans::Plans;
use server::Server;
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

/// Options of the read measurement.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The data folder with the tenants, as `caudal generate` leaves it
    #[arg(long, value_name = "FOLDER")]
    data_dir: PathBuf,
    /// The `caudal` to measure [default: this program, which is one as well]
    #[arg(long, value_name = "FILE", default_value_os_t = own())]
    binary: PathBuf,
    /// The tenants, the smallest first
    #[arg(long = "tenant", value_name = "TENANT", required = true)]
    tenants: Vec<String>,
    /// How often each call is made
    #[arg(long, default_value_t = TIMES, value_parser = clap::value_parser!(u32).range(2..=1_000))]
    times: u32,
    /// Only calls whose name holds this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// A file for the plans of all statements
    #[arg(long, value_name = "FILE")]
    plans: Option<PathBuf>,
    /// Exports of all rows too, which take a while
    #[arg(long)]
    exports: bool,
    /// A file that the tables are written to as well
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

impl Arguments {
    /// All of it, over the tenants of [`volume`]. The plans stay with the data.
    pub fn all(data_dir: PathBuf) -> Self {
        Self {
            plans: Some(data_dir.join("plans.txt")),
            data_dir,
            binary: own(),
            tenants: volume::TENANTS.iter().map(|(tenant, _)| (*tenant).to_owned()).collect(),
            times: TIMES,
            only: None,
            exports: true,
            out: None,
        }
    }
}

/// This program.
fn own() -> PathBuf {
    std::env::current_exe().expect("this program has a path")
}

/// How often each call is made.
const TIMES: u32 = 20;

/// How long a call may take in each kind, at the 95th percentile.
const fn target(kind: Kind) -> Duration {
    match kind {
        Kind::List => Duration::from_millis(50),
        Kind::Period => Duration::from_millis(300),
    }
}

/// How much longer the larger tenant may take.
const GROWTH: f64 = 1.5;

/// Measures, and says what misses its target.
pub fn run(arguments: &Arguments, report: &mut Report) {
    let server = Server::start(&arguments.binary, &arguments.data_dir);
    report.heading("Start and memory");
    let resident = server.resident_mib();
    report.table(
        &["Figure", "Measured"],
        &[
            vec![
                "From start to ready, s".to_owned(),
                format!("{:.2}", server.ready_after.as_secs_f64()),
            ],
            vec!["Resident when ready, MiB".to_owned(), whole(resident)],
        ],
    );
    let mut plans = arguments.plans.as_ref().map(|file| Plans::new(file));
    let wanted = |call: &Call| {
        let only = arguments.only.as_ref();
        only.is_none_or(|text| call.name.contains(text.as_str()))
    };
    let of_tenants: Vec<Vec<Call>> = arguments
        .tenants
        .iter()
        .map(|tenant| calls::all(&server, tenant).into_iter().filter(wanted).collect())
        .collect();
    let mut rows = Vec::new();
    for number in 0..of_tenants.first().map_or(0, Vec::len) {
        let same: Vec<&Call> = of_tenants.iter().filter_map(|calls| calls.get(number)).collect();
        if let Some(first) = same.first() {
            rows.push(line(first, &measure(&server, &same, arguments.times)));
        }
    }
    let mut columns = vec!["Call".to_owned()];
    columns.extend(
        arguments
            .tenants
            .iter()
            .flat_map(|tenant| [format!("{tenant} p50"), format!("{tenant} p95")]),
    );
    columns.extend(["growth".to_owned(), "target".to_owned(), "".to_owned()]);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    report.heading("Calls, ms");
    report.table(&columns, &rows);
    let missed = rows
        .iter()
        .filter(|row| row.last().is_some_and(|last| !last.is_empty()))
        .count();
    report.paragraph(&format!("{missed} of {} calls miss a target.", rows.len()));
    report.paragraph(&format!(
        "Resident after all calls: {} MiB.",
        whole(server.resident_mib())
    ));
    if arguments.exports {
        exports(&server, &arguments.tenants, report);
    }
    drop(server);
    if let Some(plans) = &mut plans {
        plans.explain(arguments, |tenant, server| calls::all(server, tenant));
    }
}

/// Makes one call of each tenant, in turn: a machine that is slower for a second is so for all of them.
fn measure(server: &Server, calls: &[&Call], times: u32) -> Vec<Latencies> {
    // The first calls prepare statements and warm the caches, on each of the node's connections.
    for _ in 0..times.min(6) {
        for call in calls {
            server.send(call);
        }
    }
    let mut taken = vec![Vec::new(); calls.len()];
    for _ in 0..times {
        for (call, taken) in calls.iter().zip(&mut taken) {
            let started = Instant::now();
            server.send(call);
            taken.push(started.elapsed());
        }
    }
    taken.into_iter().map(Latencies::of).collect()
}

fn line(call: &Call, of_tenants: &[Latencies]) -> Vec<String> {
    let percentile = |of: &Latencies, percent| of.percentile(percent).unwrap_or_default();
    let mut cells = vec![call.name.clone()];
    cells.extend(
        of_tenants
            .iter()
            .flat_map(|of| [50.0, 95.0].map(|percent| milliseconds(percentile(of, percent)))),
    );
    let last = of_tenants.last().map(|of| percentile(of, 95.0)).unwrap_or_default();
    let middle = |of: Option<&Latencies>| of.map(|of| percentile(of, 50.0)).unwrap_or_default().as_secs_f64();
    let growth = middle(of_tenants.last()) / middle(of_tenants.first()).max(f64::EPSILON);
    cells.push(if of_tenants.len() > 1 {
        format!("{growth:.2}")
    } else {
        "–".to_owned()
    });
    cells.push(format!("< {}", target(call.kind).as_millis()));
    let mut missed = Vec::new();
    if last > target(call.kind) {
        missed.push("slow");
    }
    if growth > GROWTH {
        missed.push("grows");
    }
    cells.push(missed.join(", "));
    cells
}

fn exports(server: &Server, tenants: &[String], report: &mut Report) {
    report.heading("Exports of all remittances");
    let mut rows = Vec::new();
    for tenant in tenants {
        let token = server.login(tenant, "manager@caudal.demo");
        for (format, limit) in [("csv", ""), ("xlsx", "&initDate=")] {
            // A sheet has 1,048,576 lines at most, and fewer rows are allowed: a month is exported.
            let month = calls::month();
            let path = if limit.is_empty() {
                format!("/api/remittances?format={format}")
            } else {
                format!(
                    "/api/remittances?format={format}&initDate={}&finalDate={}",
                    month.0, month.1
                )
            };
            let started = Instant::now();
            let (bytes, lines, peak) = server.download(tenant, &token, &path);
            let seconds = started.elapsed().as_secs_f64();
            let of = server.total(
                tenant,
                &token,
                &path.replace(&format!("format={format}"), "RecordsPerPage=1"),
            );
            rows.push(vec![
                format!("{tenant}, {format}"),
                whole(of as f64),
                format!("{seconds:.1}"),
                whole(of as f64 / seconds),
                whole(bytes as f64 / 1_048_576.0),
                whole(peak),
            ]);
            assert!(format != "csv" || lines >= of, "a CSV file has a line a row");
        }
    }
    report.table(
        &["File", "rows", "s", "rows a second", "MiB", "resident at most, MiB"],
        &rows,
    );
}
