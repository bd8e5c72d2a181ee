//! What is struck in the middle of a move, and when.

use super::{
    command::{Mover, Running},
    steps::{STEPS, Step},
};
use crate::{dice::Dice, engine::Cell, fleet::Fleet};
use nix::sys::signal::Signal;
use std::{fmt, thread, time::Duration};

/// How many waits of a hundred last longer than the steps that writes wait for: the hold runs out meanwhile.
const LONG_PERCENT: u64 = 30;

/// What happens to a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Undisturbed,
    CommandKilled,
    /// The command stands still for some seconds.
    CommandStopped,
    /// The command's connections to the cell that the tenant leaves are cut.
    SourceCut,
    /// Those to the new cell.
    TargetCut,
    NodeKilled,
    /// PostgreSQL of the cell that the tenant leaves is killed.
    SourceKilled,
    /// That of the new cell.
    TargetKilled,
}

/// All of them, with how often each comes in a deck.
pub const KINDS: [(Kind, usize); 8] = [
    (Kind::Undisturbed, 2),
    (Kind::CommandKilled, 2),
    (Kind::CommandStopped, 1),
    (Kind::SourceCut, 1),
    (Kind::TargetCut, 1),
    (Kind::NodeKilled, 1),
    (Kind::SourceKilled, 2),
    (Kind::TargetKilled, 2),
];

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Undisturbed => "undisturbed",
            Self::CommandKilled => "command killed",
            Self::CommandStopped => "command stopped for a while",
            Self::SourceCut => "command cut off from the old cell",
            Self::TargetCut => "command cut off from the new cell",
            Self::NodeKilled => "node killed",
            Self::SourceKilled => "PostgreSQL of the old cell killed",
            Self::TargetKilled => "PostgreSQL of the new cell killed",
        })
    }
}

/// The kinds of the next moves: all of a deck before any comes again.
#[derive(Debug, Default)]
pub struct Deck(Vec<Kind>);

impl Deck {
    pub fn draw(&mut self, dice: &mut Dice) -> Kind {
        if self.0.is_empty() {
            self.0.extend(
                KINDS
                    .iter()
                    .flat_map(|(kind, times)| std::iter::repeat_n(*kind, *times)),
            );
        }
        self.0.swap_remove(dice.index(self.0.len()))
    }
}

/// What happens to one move, as the dice have it.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub kind: Kind,
    /// At which step it is struck.
    pub step: Step,
    /// How long after the step was reached.
    after: Duration,
    /// How long the command stands still, or is cut off.
    lasts: Duration,
    /// Which node is killed.
    node: usize,
    /// When the operator runs a command again that ended early.
    pub again_after: Duration,
}

impl Plan {
    pub fn roll(kind: Kind, fleet: &Fleet, dice: &mut Dice, is_patient: bool) -> Self {
        let step = STEPS[dice.index(STEPS.len())];
        let after = dice.millis(0, step.lasts());
        let node = dice.index(fleet.posts.len());
        let mut wait = |short: (u64, u64), long: (u64, u64)| {
            let is_long = dice.percent(LONG_PERCENT) && is_patient;
            let (low, high) = if is_long { long } else { short };
            dice.millis(low, high)
        };
        let lasts = match kind {
            Kind::CommandStopped => wait((500, 4_000), (9_000, 16_000)),
            _ => wait((0, 2_000), (2_000, 5_000)),
        };
        Self {
            kind,
            step,
            after,
            lasts,
            node,
            again_after: wait((100, 1_000), (8_000, 16_000)),
        }
    }

    /// Strikes. Whether there was something to strike.
    pub fn strike(&self, fleet: &Fleet, mover: &Mover, running: &mut Running, source: Cell) -> bool {
        thread::sleep(self.after);
        match self.kind {
            Kind::Undisturbed => false,
            Kind::CommandKilled => running.signal(Signal::SIGKILL),
            Kind::CommandStopped => {
                let stopped = running.signal(Signal::SIGSTOP);
                if stopped {
                    thread::sleep(self.lasts);
                    running.signal(Signal::SIGCONT);
                }
                stopped
            }
            Kind::SourceCut => self.cut(mover, running, source),
            Kind::TargetCut => self.cut(mover, running, source.other()),
            Kind::NodeKilled => fleet.posts[self.node].node.signal(Signal::SIGKILL),
            Kind::SourceKilled => fleet.engine(source).signal(Signal::SIGKILL),
            Kind::TargetKilled => fleet.engine(source.other()).signal(Signal::SIGKILL),
        }
    }

    fn cut(&self, mover: &Mover, running: &mut Running, cell: Cell) -> bool {
        let runs = !running.has_ended();
        if runs {
            mover.cut(cell, self.lasts);
        }
        runs
    }
}
