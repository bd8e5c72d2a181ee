//! `caudal-bench`: what Caudal does in a second, beside others on the same PostgreSQL and the same machine.
//!
//! Absolute figures say little about another machine, and less about a shared one; the ratios of one run are the result.
//! docs/benchmarks.md keeps them, with the method.
//!
//! A measurement cannot go on without what it asks for, so whatever fails here panics.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "measurements only, on data of their own"
)]

mod latency;
mod live;
mod load;
mod node;
mod office;
mod process;
mod read;
mod report;
mod scratch;
mod screening;
mod volume;
mod write;

use clap::{Args, Parser};
use report::Report;
use std::{path::PathBuf, process::ExitCode, time::Duration};

/// Measures Caudal beside others, on a PostgreSQL of its own that is as durable as any.
#[derive(Debug, Parser)]
enum Bench {
    /// The write path: commands a second in process and over HTTP, beside the others
    Write(write::Arguments),
    /// The read path: every list, figure, report and export over tenants that `caudal generate` made
    Read(read::Arguments),
    /// Screening on a node: what it adds to a sale, and how long a new version of a list takes for all customers
    Screening(screening::Arguments),
    /// Live streams on a node: how soon each reader has a change while thousands of streams are open
    Live(live::Arguments),
    /// All of it but the screening and the live streams
    All(All),
}

/// What the write and the read path together take.
#[derive(Args, Clone, Debug)]
struct All {
    #[command(flatten)]
    common: Common,
    /// A data folder for the million, which is made there where it is not yet
    #[arg(long, value_name = "FOLDER")]
    data_dir: PathBuf,
    /// How many remittances are a million
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..))]
    remittances: u64,
    /// pgledger's SQL (pgledger.sql in its repository), to be measured as well
    #[arg(long, value_name = "FILE")]
    pgledger: Option<PathBuf>,
}

/// What all measurements take.
#[derive(Args, Clone, Debug)]
struct Common {
    /// How many seconds each figure is measured
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// A file that the tables are written to as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Common {
    const fn duration(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// The first arguments with which this program is `caudal` itself: the nodes under measurement are this same file.
const CAUDAL: [&str; 4] = ["serve", "generate", "verify", "rebuild"];

/// The only command of `caudal screening` that a measurement gives; its first word is one of a measurement too.
const LOAD: [&str; 2] = ["screening", "load"];

fn is_caudal() -> bool {
    let words: Vec<String> = std::env::args().skip(1).take(LOAD.len()).collect();
    words.first().is_some_and(|first| CAUDAL.contains(&first.as_str())) || words == LOAD
}

fn main() -> ExitCode {
    if is_caudal() {
        return caudal_api::cli::run();
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    match Bench::parse() {
        Bench::Write(arguments) => {
            let mut report = Report::new(arguments.common.out.clone());
            write::run(&runtime, &arguments, &mut report);
        }
        Bench::Read(arguments) => {
            let mut report = Report::new(arguments.out.clone());
            read::run(&arguments, &mut report);
        }
        Bench::Screening(arguments) => {
            let mut report = Report::new(arguments.common.out.clone());
            screening::run(&runtime, &arguments, &mut report);
        }
        Bench::Live(arguments) => {
            let mut report = Report::new(arguments.out.clone());
            live::run(&runtime, &arguments, &mut report);
        }
        Bench::All(all) => {
            let mut report = Report::new(all.common.out.clone());
            write::run(&runtime, &write::Arguments::all(all.common, all.pgledger), &mut report);
            volume::make(&all.data_dir, all.remittances);
            volume::whole_log(&all.data_dir, &mut report);
            read::run(&read::Arguments::all(all.data_dir), &mut report);
        }
    }
    ExitCode::SUCCESS
}
