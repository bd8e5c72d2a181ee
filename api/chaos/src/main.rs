//! `caudal-chaos`: breaks Caudal and looks at what is left.

use caudal_chaos::{
    Report,
    cluster::{self, Failover},
    crash::{self, Size},
    histories::{self, Variant},
    moves::{self, Moved},
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

/// How often tenants move where no number is asked for.
const MOVES: usize = 60;

/// How many nodes serve while tenants move, where no number is asked for.
const NODES_OF_MOVES: usize = 2;

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
    /// Only kill and break, and neither take resources away, edit the database nor move tenants
    #[arg(long)]
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
    /// Only move tenants between two cells, this number of times
    #[arg(long)]
    moves: Option<usize>,
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

/// What a run consists of, where nothing else is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Crashes,
    Histories,
    Moves,
    Resources,
}

impl Arguments {
    /// The parts that are asked for; all of them where none is.
    fn parts(&self) -> Vec<Part> {
        let asked = [
            (Part::Crashes, self.crashes),
            (Part::Histories, self.histories),
            (Part::Moves, self.moves.is_some()),
            (Part::Resources, self.resources || self.resource.is_some()),
        ];
        let is_all = asked.iter().all(|(_, is_asked)| !is_asked);
        let parts = asked.into_iter().filter(|(_, is_asked)| is_all || *is_asked);
        parts.map(|(part, _)| part).collect()
    }
}

#[allow(clippy::print_stdout, reason = "it is the command's own answer")]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let parts = arguments.parts();
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
    for nodes in numbers.iter().copied().filter(|_| parts.contains(&Part::Crashes)) {
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
    for nodes in numbers.iter().copied().filter(|_| parts.contains(&Part::Histories)) {
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
    if parts.contains(&Part::Moves) {
        let size = moves::Size {
            seed,
            nodes: arguments.nodes.unwrap_or(NODES_OF_MOVES),
            moves: arguments.moves.unwrap_or(MOVES),
            workers: arguments.workers,
            begun_within: Duration::MAX,
            is_patient: true,
        };
        let report = moves::run(&program, &size, |number, moved: &Moved| println!("{number}: {moved}"));
        println!("{report}");
        reports.push(report);
    }
    let asked = |scenario: &&Scenario| {
        parts.contains(&Part::Resources) && arguments.resource.is_none_or(|only| only == **scenario)
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
