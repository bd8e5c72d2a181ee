//! Moves of tenants between two cells under load, on two PostgreSQL servers.
//!
//! Workers give mixed commands to two tenants all along. An operator moves one of them after the other to the other cell and
//! back. In most moves something is killed, stopped or cut off at a step that the seed chooses; the operator runs the command
//! again until it is done, as the handbook says. The pause of a move is the longest time without an acknowledged command of
//! its tenant. At the end what was acknowledged is compared with what is stored where the tenants live, as after crashes, and
//! the other cell serves nothing of them.

mod command;
mod residence;
mod steps;
mod strike;

use crate::{
    audit,
    crash::{open, take_breath},
    dice::Dice,
    engine::Cell,
    fleet::{Fleet, Place, RECOVERY},
    tally::{Report, Tally},
};
use command::{Ended, Mover};
use std::{
    fmt, fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use steps::{STEPS, Sight, Step};
use strike::{Deck, KINDS, Kind, Plan};

/// Two tenants, so that what one goes through touches the other's.
const TENANTS: [&str; 2] = ["moves-one", "moves-two"];
/// How long business goes on between two moves, in milliseconds.
const BETWEEN: (u64, u64) = (300, 1_500);
/// Until the operator runs a command once more that was run again in vain.
const ONCE_MORE: Duration = Duration::from_millis(500);
/// After how many moves the log of the tenant that moved is signed.
const SIGNED_EVERY: usize = 10;

/// What a command that says so has found is never right.
const NEVER: [&str; 3] = ["does not chain", "is not a beginning of", "panicked at"];
/// What a command says that compares two copies of which one was written to after a hold that ran out.
const DIFFERS: &str = "differs between the cells";
/// What a command says that was too slow.
const HOLD_RAN_OUT: &str = "the hold ran out";

/// How big a run is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Decides the moves, what is struck, and the commands.
    pub seed: u64,
    /// How many nodes serve both cells.
    pub nodes: usize,
    pub moves: usize,
    /// How many workers give commands to each of the two tenants.
    pub workers: usize,
    /// No move begins later than this.
    pub begun_within: Duration,
    /// Whether there are waits that are longer than those of writes.
    pub is_patient: bool,
}

/// How a move went.
#[derive(Clone, Debug)]
pub struct Moved {
    tenant: usize,
    to: Cell,
    kind: Kind,
    /// Where it was struck.
    struck: Option<Step>,
    /// How often the command was run.
    runs: u64,
    began: Instant,
    ended: Instant,
    /// How long the command says that writes waited.
    waited: Option<Duration>,
}

/// Moves tenants of a program, `size.moves` times. `progress` is told of each move.
pub fn run(program: &Path, size: &Size, mut progress: impl FnMut(usize, &Moved)) -> Report {
    let tally = Arc::new(Tally::default());
    let place = Place::with_two_cells();
    let fleet = Fleet::at(place, program, size.nodes, &TENANTS, tally.clone());
    let mut dice = Dice::new(size.seed, 0);
    let mut tenants: Vec<_> = TENANTS
        .iter()
        .map(|name| open(&fleet, name, size.workers, size.seed, &mut dice))
        .collect();
    let checkpoints = fleet.beside("checkpoints");
    fs::create_dir(&checkpoints).expect("a folder can be made");
    for name in TENANTS {
        residence::sign(&fleet, name, &checkpoints);
    }
    let mover = Mover::new(&fleet);
    let mut cells = [Cell::Home; TENANTS.len()];
    let (mut deck, mut moves) = (Deck::default(), Vec::new());
    let (stop, started) = (AtomicBool::new(false), Instant::now());
    thread::scope(|scope| {
        let works: Vec<_> = tenants
            .iter_mut()
            .flat_map(|tenant| tenant.workers.iter_mut())
            .map(|worker| scope.spawn(|| worker.work(&stop)))
            .collect();
        let stopping = Stopping(&stop);
        while moves.len() < size.moves && started.elapsed() < size.begun_within && tally.report("", 0).is_clean() {
            thread::sleep(dice.millis(BETWEEN.0, BETWEEN.1));
            let tenant = dice.index(TENANTS.len());
            let plan = Plan::roll(deck.draw(&mut dice), &fleet, &mut dice, size.is_patient);
            let Some(moved) = Moved::of(tenant, cells[tenant], plan, &mover, &fleet) else {
                break;
            };
            cells[tenant] = moved.to;
            moves.push(moved.clone());
            progress(moves.len(), &moved);
            take_breath(&fleet);
            if moves.len() % SIGNED_EVERY == 0 && do_cells_answer(&fleet) {
                residence::sign(&fleet, TENANTS[tenant], &checkpoints);
            }
        }
        // A PostgreSQL that was killed last may still be starting.
        do_cells_answer(&fleet);
        fleet.heal();
        drop(stopping);
        for work in works {
            if work.join().is_err() {
                tally.find("a worker gave up");
            }
        }
    });
    tally.add("seconds of load and moves", started.elapsed().as_secs());
    for (tenant, cell) in tenants.iter_mut().zip(cells) {
        tenant.cell = cell;
    }
    summarise(&tally, &tenants, &moves);
    audit::run(&fleet, &tenants);
    for tenant in &tenants {
        residence::check(&fleet, tenant);
        residence::verify(&fleet, tenant.id.as_str(), &checkpoints);
    }
    let title = format!("Moves between two cells, {} nodes, {} moves", size.nodes, moves.len());
    tally.report(&title, size.seed)
}

fn do_cells_answer(fleet: &Fleet) -> bool {
    Sight::new(fleet, TENANTS[0], Cell::Home).answers()
}

/// Stops the workers with its end, also when the harness gives up: otherwise it would wait for them for ever.
struct Stopping<'a>(&'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Moved {
    /// Moves a tenant to its other cell. `None` where that does not come to an end, which is noted.
    fn of(tenant: usize, source: Cell, plan: Plan, mover: &Mover, fleet: &Fleet) -> Option<Self> {
        let (name, to) = (TENANTS[tenant], source.other());
        let mut sight = Sight::new(fleet, name, source);
        if !sight.answers() {
            return None;
        }
        mover.heal();
        let began = Instant::now();
        let mut running = mover.start(name, to);
        let mut struck = None;
        if plan.kind != Kind::Undisturbed {
            let reached = sight.reaches(plan.step, || running.has_ended());
            struck = reached.filter(|_| plan.strike(fleet, mover, &mut running, source));
        }
        let mut ended = running.wait(RECOVERY);
        let mut runs = 1;
        while !ended.is_done {
            judge(&ended, name, plan.kind, struck, &fleet.tally);
            if began.elapsed() > 2 * RECOVERY {
                fleet.tally.find(format!(
                    "{name} is not in {} after {runs} runs: {}",
                    to.name(),
                    ended.said
                ));
                return None;
            }
            thread::sleep(if runs == 1 { plan.again_after } else { ONCE_MORE });
            ended = mover.start(name, to).wait(RECOVERY);
            runs += 1;
        }
        Some(Self {
            tenant,
            to,
            kind: plan.kind,
            struck,
            runs,
            began,
            ended: Instant::now(),
            waited: waited(&ended.said),
        })
    }

    /// The longest time between two acknowledged commands of its tenant from its beginning to its end.
    fn pause(&self, done: &[Instant]) -> Option<Duration> {
        let first = done.partition_point(|one| *one <= self.began).saturating_sub(1);
        let end = done.partition_point(|one| *one < self.ended);
        let around = &done[first..done.len().min(end + 1)];
        around.windows(2).map(|pair| pair[1] - pair[0]).max()
    }
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}: {}", TENANTS[self.tenant], self.to.name(), self.kind)?;
        if let Some(step) = self.struck {
            write!(f, " at the step \"{step}\"")?;
        }
        write!(f, ", {} run(s), {:.1?}", self.runs, self.ended - self.began)?;
        match self.waited {
            Some(waited) => write!(f, ", writes waited for {waited:.1?}"),
            None => Ok(()),
        }
    }
}

/// How long writes waited, by what the command says at its end.
fn waited(said: &str) -> Option<Duration> {
    let (_, rest) = said.split_once("its writes waited for ")?;
    let milliseconds = rest.split(' ').next()?.parse().ok()?;
    Some(Duration::from_millis(milliseconds))
}

/// Whether a command may have ended early for the reason that it gives.
fn judge(ended: &Ended, name: &str, kind: Kind, struck: Option<Step>, tally: &Tally) {
    tally.count("commands that ended early and were run again");
    let said = &ended.said;
    let is_wrong = NEVER.iter().any(|text| said.contains(text))
        || (said.contains(DIFFERS) && kind != Kind::CommandStopped)
        || (struck.is_none() && !said.contains(HOLD_RAN_OUT));
    if is_wrong {
        tally.find(format!("the move of {name} ({kind}) ended early: {said}"));
    }
}

/// Adds the moves of each kind up, with the pauses that clients saw, and notes those that were too long.
fn summarise(tally: &Tally, tenants: &[audit::Tenant], moves: &[Moved]) {
    let done: Vec<Vec<Instant>> = tenants
        .iter()
        .map(|tenant| {
            let acknowledged = tenant.workers.iter().flat_map(|worker| &worker.acknowledged);
            let mut done: Vec<_> = acknowledged.map(|one| one.at).collect();
            done.sort();
            done
        })
        .collect();
    for (kind, _) in KINDS {
        let of_kind: Vec<_> = moves.iter().filter(|moved| moved.kind == kind).collect();
        tally.add(&format!("moves: {kind}"), of_kind.len() as u64);
        let mut pauses = Vec::new();
        for moved in &of_kind {
            match moved.pause(&done[moved.tenant]) {
                Some(pause) if pause <= RECOVERY => pauses.push(pause),
                pause => tally.find(format!("{moved}: a pause of {pause:?}")),
            }
        }
        tally.times(&format!("{kind}: pause of writes that clients saw"), pauses);
        let waited = of_kind.iter().filter_map(|moved| moved.waited);
        tally.times(
            &format!("{kind}: pause of writes that the command told"),
            waited.collect(),
        );
        let took = of_kind.iter().map(|moved| moved.ended - moved.began);
        tally.times(&format!("{kind}: until the tenant was moved"), took.collect());
    }
    for step in STEPS {
        let struck = moves.iter().filter(|moved| moved.struck == Some(step));
        tally.add(&format!("moves struck at the step \"{step}\""), struck.count() as u64);
    }
    let missed = moves
        .iter()
        .filter(|moved| moved.kind != Kind::Undisturbed && moved.struck.is_none());
    tally.add("moves that were over before they were struck", missed.count() as u64);
}
