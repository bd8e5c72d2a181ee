//! `caudal-chaos`: breaks Caudal and looks at what is left.

use caudal_chaos::{
    Report,
    cluster::{self, Failover},
    crash::{self, Size},
    histories::{self, Variant},
    resources::{self, SCENARIOS, Scenario},
};
use clap::Parser;
use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// How long a node may take to notice that the database is another history.
const NOTICED_WITHIN: Duration = Duration::from_secs(1);

/// Kills, cuts and starves Caudal under load, and looks at whether anything acknowledged is lost or doubled.
#[derive(Debug, Parser)]
struct Arguments {
    /// Decides the faults and commands; without it, the clock does
    #[arg(long)]
    seed: Option<u64>,
    /// How many processes are killed, half of them with one node and half with two
    #[arg(long, default_value_t = 240)]
    kills: u64,
    /// Only with this many nodes, in place of with one and then with two
    #[arg(long)]
    nodes: Option<usize>,
    /// How many workers give commands to each of the two tenants
    #[arg(long, default_value_t = 4)]
    workers: usize,
    /// Only kill and break, and neither take resources away nor edit the database
    #[arg(long, conflicts_with_all = ["resources", "resource", "histories"])]
    crashes: bool,
    /// Only take resources away, and kill nothing
    #[arg(long)]
    resources: bool,
    /// Only take the database back and edit it, under running nodes
    #[arg(long)]
    histories: bool,
    /// Only those of its variants whose description contains this, such as "lag 3"
    #[arg(long)]
    variant: Option<String>,
    /// Only fail a real cluster over, this number of times (see scripts/try-cluster)
    #[arg(long, value_name = "FAILOVERS")]
    cluster: Option<u64>,
    /// Only failovers of this kind
    #[arg(long, requires = "cluster")]
    kind: Option<cluster::Kind>,
    /// Only take this away
    #[arg(long)]
    resource: Option<Scenario>,
    /// The program under test, in place of the one that was built beside this one
    #[arg(long)]
    program: Option<PathBuf>,
}

#[allow(clippy::print_stdout, reason = "it is the command's own answer")]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let seed = arguments.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(0, |now| now.as_secs())
    });
    let program = arguments.program.unwrap_or_else(|| {
        let own = std::env::current_exe().unwrap_or_default();
        own.with_file_name("caudal-under-chaos")
    });
    println!("seed {seed}");
    if let Some(failovers) = arguments.cluster {
        let size = cluster::Size {
            seed,
            failovers,
            kind: arguments.kind,
            workers: arguments.workers,
        };
        let report = cluster::run(&program, &size, |number, failover: &Failover| {
            println!("{number}: {failover}")
        });
        println!("{report}");
        return ending(&[report]);
    }
    let mut reports = Vec::new();
    let numbers = arguments.nodes.map_or_else(|| vec![1, 2], |only| vec![only]);
    let kills = arguments.kills / numbers.len() as u64;
    for nodes in numbers
        .iter()
        .copied()
        .filter(|_| !arguments.resources && arguments.resource.is_none() && !arguments.histories)
    {
        let size = Size {
            seed,
            nodes,
            kills,
            workers: arguments.workers,
            is_patient: true,
        };
        reports.push(crash::run(&program, size, |killed| {
            if killed % 10 == 0 {
                println!("{nodes} node(s): {killed} kills");
            }
        }));
        println!("{}", reports.last().map(Report::to_string).unwrap_or_default());
    }
    for nodes in numbers
        .iter()
        .copied()
        .filter(|_| !arguments.crashes && !arguments.resources && arguments.resource.is_none())
    {
        let asked = arguments.variant.as_deref().unwrap_or_default();
        let mut variants = Variant::all();
        variants.retain(|variant| format!("{nodes} node(s): {variant}").contains(asked));
        if variants.is_empty() {
            continue;
        }
        let size = histories::Size {
            seed,
            nodes,
            variants,
            noticed_within: NOTICED_WITHIN,
        };
        reports.push(histories::run(&program, &size, |variant, noticed| {
            println!("{nodes} node(s): {variant}: noticed after {noticed:?} ms");
        }));
        println!("{}", reports.last().map(Report::to_string).unwrap_or_default());
    }
    let asked = |scenario: &&Scenario| {
        let is_left_out = arguments.crashes || arguments.histories;
        !is_left_out && arguments.resource.is_none_or(|only| only == **scenario)
    };
    for scenario in SCENARIOS.iter().filter(asked) {
        match resources::run(&program, *scenario, seed) {
            Some(report) => {
                println!("{report}");
                reports.push(report);
            }
            None => println!("{scenario:?}: left out, since it takes root, or libfaketime"),
        }
    }
    ending(&reports)
}

fn ending(reports: &[Report]) -> ExitCode {
    if reports.iter().all(Report::is_clean) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
