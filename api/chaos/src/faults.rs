//! What is broken, and how.

use crate::{
    dice::Dice,
    fleet::{Fleet, Post},
    proxy::Loss,
};
use nix::sys::signal::{Signal, kill};
use std::thread;

/// Texts by which the proxy knows a request that appends to the log: the types of events stand in it.
const APPENDS: &[&str] = &[
    "MovementPosted",
    "MovementReversed",
    "PeriodClosed",
    "RemittanceAssigned",
    "RemittanceCompleted",
    "RemittanceCreated",
    "RemittanceCanceled",
];
/// The text of a request that ends a transaction: a locked append, or the projector.
const COMMITS: &[&str] = &["COMMIT"];
/// Texts by which the proxy knows a write of a client.
const WRITES: &[&str] = &["POST /api", "PUT /api"];

/// A fault. The first group kills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A node ends at once.
    KillNode,
    /// A node is asked to end.
    StopNode,
    /// PostgreSQL's first process ends at once.
    KillDatabase,
    /// `pg_ctl stop -m immediate`.
    StopDatabaseImmediately,
    /// A process that serves a connection of PostgreSQL ends at once, and all others with it.
    KillBackend,
    /// A node stands still for a while.
    FreezeNode,
    /// All connections between a node and PostgreSQL are cut.
    CutDatabase,
    /// PostgreSQL can't be reached for a while.
    RefuseDatabase,
    /// Nothing passes between a node and PostgreSQL for a while, in silence.
    HoldDatabase,
    /// The connections between a node and PostgreSQL say nothing any more, and don't end; new ones work.
    SilenceDatabase,
    /// An append, or its answer, is lost or late.
    LoseAppend,
    /// A COMMIT, or its answer, is lost or late.
    LoseCommit,
    /// All connections between clients and a node are cut.
    CutClients,
    /// Nothing passes between clients and a node for a while, in silence.
    HoldClients,
    /// A write of a client, or its answer, is lost or late.
    LoseWrite,
}

/// What ends processes.
pub const KILLS: &[Fault] = &[
    Fault::KillNode,
    Fault::KillNode,
    Fault::KillNode,
    Fault::StopNode,
    Fault::KillDatabase,
    Fault::StopDatabaseImmediately,
    Fault::KillBackend,
];

/// What breaks something else.
pub const OTHERS: &[Fault] = &[
    Fault::FreezeNode,
    Fault::CutDatabase,
    Fault::RefuseDatabase,
    Fault::HoldDatabase,
    Fault::SilenceDatabase,
    Fault::LoseAppend,
    Fault::LoseAppend,
    Fault::LoseAppend,
    Fault::LoseCommit,
    Fault::CutClients,
    Fault::HoldClients,
    Fault::LoseWrite,
    Fault::LoseWrite,
];

impl Fault {
    /// What the report calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KillNode => "kill: SIGKILL of a node",
            Self::StopNode => "kill: SIGTERM of a node",
            Self::KillDatabase => "kill: SIGKILL of PostgreSQL",
            Self::StopDatabaseImmediately => "kill: immediate stop of PostgreSQL",
            Self::KillBackend => "kill: SIGKILL of a PostgreSQL connection",
            Self::FreezeNode => "fault: a node stands still",
            Self::CutDatabase => "fault: node–database connections cut",
            Self::RefuseDatabase => "fault: database out of a node's reach",
            Self::HoldDatabase => "fault: node–database traffic held in silence",
            Self::SilenceDatabase => "fault: node–database connections silent for good",
            Self::LoseAppend => "fault: an append or its answer lost or late",
            Self::LoseCommit => "fault: a COMMIT or its answer lost or late",
            Self::CutClients => "fault: client–node connections cut",
            Self::HoldClients => "fault: client–node traffic held in silence",
            Self::LoseWrite => "fault: a write or its answer lost or late",
        }
    }

    /// Breaks something. Whether there was anything to break, and whether it may be broken: what lasts longer than
    /// clients wait takes a patient run.
    pub fn inject(self, fleet: &Fleet, dice: &mut Dice, is_patient: bool) -> bool {
        if self == Self::SilenceDatabase && !is_patient {
            return false;
        }
        let post = &fleet.posts[dice.index(fleet.posts.len())];
        let happened = self.inject_at(fleet, post, dice, is_patient);
        if happened {
            fleet.tally.count(self.name());
        }
        happened
    }

    fn inject_at(self, fleet: &Fleet, post: &Post, dice: &mut Dice, is_patient: bool) -> bool {
        match self {
            Self::KillNode => post.node.is_serving() && post.node.signal(Signal::SIGKILL),
            Self::StopNode => post.node.is_serving() && post.node.signal(Signal::SIGTERM),
            Self::KillDatabase => fleet.server.signal(Signal::SIGKILL),
            Self::StopDatabaseImmediately => fleet.server.signal(Signal::SIGQUIT),
            Self::KillBackend => {
                let backends = fleet.server.backends();
                !backends.is_empty() && kill(backends[dice.index(backends.len())], Signal::SIGKILL).is_ok()
            }
            Self::FreezeNode => {
                let stopped = post.node.is_serving() && post.node.signal(Signal::SIGSTOP);
                if stopped {
                    // Now and then longer than anybody waits for it.
                    let long = is_patient && dice.percent(25);
                    thread::sleep(if long {
                        dice.millis(6_000, 14_000)
                    } else {
                        dice.millis(50, 1_500)
                    });
                    post.node.signal(Signal::SIGCONT);
                }
                stopped
            }
            Self::CutDatabase => {
                post.back.cut();
                true
            }
            Self::RefuseDatabase => {
                post.back.refuse(dice.millis(200, 4_000));
                true
            }
            Self::HoldDatabase => {
                let long = is_patient && dice.percent(25);
                post.back.hold(if long {
                    dice.millis(5_000, 10_000)
                } else {
                    dice.millis(100, 1_500)
                });
                true
            }
            Self::SilenceDatabase => {
                post.back.silence();
                true
            }
            Self::LoseAppend => {
                post.back.lose(loss(dice), APPENDS);
                true
            }
            Self::LoseCommit => {
                post.back.lose(loss(dice), COMMITS);
                true
            }
            Self::CutClients => {
                post.front.cut();
                true
            }
            Self::HoldClients => {
                post.front.hold(dice.millis(100, 3_000));
                true
            }
            Self::LoseWrite => {
                post.front.lose(loss(dice), WRITES);
                true
            }
        }
    }
}

fn loss(dice: &mut Dice) -> Loss {
    match dice.below(4) {
        0 => Loss::Request,
        1 => Loss::Late,
        _ => Loss::Answer,
    }
}
