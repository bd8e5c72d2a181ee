//! Append, fence and catch-up: two nodes and a PostgreSQL with an asynchronous standby.
//!
//! A log is the list of its entries. Logs with equal hashes at their head are equal, so the model compares lists
//! where nodes and PostgreSQL compare hashes.

use stateright::{Model, Property};

/// An event: its command, and the decision of that command that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Entry {
    command: u8,
    decision: u8,
}

type Log = Vec<Entry>;

/// Committed state of PostgreSQL, or of its standby.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Database {
    log: Log,
    epoch: u8,
}

/// An append that was sent and not carried out yet. Its caller may have given up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Statement {
    node: usize,
    /// The head that the node read: hash, position and epoch that the batch is based on.
    base: Database,
    /// The history that the decision used.
    state: Log,
    entry: Entry,
}

/// A node's knowledge of an append that it sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Sent {
    entry: Entry,
    /// The epoch that the batch is based on.
    epoch: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
enum Phase {
    #[default]
    Idle,
    Decided(Statement),
    /// The append was sent.
    Sent(Sent),
    /// PostgreSQL has answered; the answer is in transit.
    Answered(Sent, bool),
    /// The answer was lost.
    Unknown(Sent),
    Quarantined,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Node {
    /// The history that the node's state is folded from.
    known: Log,
    phase: Phase,
}

/// An answer to a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum ToldAnswer {
    Done(Entry),
    /// The decision had no effect: the command may be decided again.
    NotDone(Entry),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    database: Database,
    standby: Database,
    statements: Vec<Statement>,
    nodes: [Node; 2],
    told: Vec<ToldAnswer>,
    decisions: u8,
    restarts: u8,
    /// Whether a failover happened, and whether it lost anything.
    has_lost: Option<bool>,
    /// PostgreSQL carried out an append that was decided on another history than the log's.
    decided_on_another_history: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// A command arrives at a node, which reads the head and decides it, or repeats its answer.
    Decide {
        node: usize,
        command: u8,
    },
    Send(usize),
    /// PostgreSQL carries out an append, or refuses it.
    CarryOut(usize),
    Deliver(usize),
    LoseAnswer(usize),
    Fence(usize),
    Restart(usize),
    Replicate,
    /// The standby is promoted. Connections to the old server end, with their pending requests.
    Failover,
}

/// A rule of the protocol that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    HashNotCompared,
    PositionNotCompared,
    EpochNotCompared,
    NoFenceAfterALostAnswer,
    /// A failover that loses a fence sets the epoch back; the next fence may raise it to an epoch used before.
    FencedPastTheLogsEpochAlone,
    AnsweredBeforeTheCommit,
    CaughtUpWithoutChaining,
    RecordsIgnored,
}

/// The protocol, complete or without one rule.
pub(crate) struct Protocol {
    pub(crate) fault: Option<Fault>,
}

const COMMANDS: u8 = 2;
/// Maximum decisions of all commands together.
const MAX_DECISIONS: u8 = 3;
/// Fences increment the epoch up to this bound.
const MAX_EPOCH: u8 = 2;
const MAX_RESTARTS: u8 = 1;

impl Protocol {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Whether PostgreSQL accepts an append: the head equals the one that the batch is based on.
    fn is_on_base(&self, statement: &Statement, database: &Database) -> bool {
        let base = &statement.base;
        let same_epoch = self.has(Fault::EpochNotCompared) || base.epoch == database.epoch;
        let same_position = self.has(Fault::PositionNotCompared) || base.log.len() == database.log.len();
        // The hash covers the last entry and those before it. Without the position, it is compared with the entry at
        // the batch's position.
        let same_hash = self.has(Fault::HashNotCompared)
            || if self.has(Fault::PositionNotCompared) {
                database.log.starts_with(&base.log)
            } else {
                base.log == database.log
            };
        same_epoch && same_position && same_hash
    }

    /// Reads the log up to the head; `false` where it does not extend the history that the node has seen.
    fn catch_up(&self, node: &mut Node, database: &Database) -> bool {
        if self.has(Fault::CaughtUpWithoutChaining) {
            let new = database.log.get(node.known.len()..).unwrap_or_default();
            node.known.extend_from_slice(new);
            return true;
        }
        if !database.log.starts_with(&node.known) {
            return false;
        }
        node.known.clone_from(&database.log);
        true
    }

    fn decide(&self, state: &mut State, at: usize, command: u8) {
        let database = state.database.clone();
        let Some(node) = state.nodes.get_mut(at) else { return };
        if !self.catch_up(node, &database) {
            node.phase = Phase::Quarantined;
            return;
        }
        let earlier = node.known.iter().find(|entry| entry.command == command).copied();
        if let Some(entry) = earlier.filter(|_| !self.has(Fault::RecordsIgnored)) {
            tell(&mut state.told, ToldAnswer::Done(entry));
            return;
        }
        let entry = Entry {
            command,
            decision: state.decisions,
        };
        state.decisions += 1;
        node.phase = Phase::Decided(Statement {
            node: at,
            base: database,
            state: node.known.clone(),
            entry,
        });
    }

    fn carry_out(&self, state: &mut State, index: usize) {
        let statement = state.statements.remove(index);
        let is_done = self.is_on_base(&statement, &state.database);
        if is_done {
            state.decided_on_another_history |= statement.state != state.database.log;
            state.database.log.push(statement.entry);
        }
        if let Some(node) = state.nodes.get_mut(statement.node)
            && let Phase::Sent(sent) = node.phase
            && sent.entry == statement.entry
        {
            node.phase = Phase::Answered(sent, is_done);
        }
    }

    fn fence(&self, state: &mut State, at: usize, Sent { entry, epoch }: Sent) {
        let past = if self.has(Fault::FencedPastTheLogsEpochAlone) {
            0
        } else {
            epoch
        };
        if !self.has(Fault::NoFenceAfterALostAnswer) {
            state.database.epoch = state.database.epoch.max(past) + 1;
        }
        let database = state.database.clone();
        let Some(node) = state.nodes.get_mut(at) else { return };
        node.phase = if self.catch_up(node, &database) {
            let is_done = database.log.contains(&entry);
            tell(
                &mut state.told,
                if is_done {
                    ToldAnswer::Done(entry)
                } else {
                    ToldAnswer::NotDone(entry)
                },
            );
            Phase::Idle
        } else {
            Phase::Quarantined
        };
    }
}

fn tell(told: &mut Vec<ToldAnswer>, what: ToldAnswer) {
    if let Err(place) = told.binary_search(&what) {
        told.insert(place, what);
    }
}

impl Model for Protocol {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            database: Database::default(),
            standby: Database::default(),
            statements: Vec::new(),
            nodes: Default::default(),
            told: Vec::new(),
            decisions: 0,
            restarts: 0,
            has_lost: None,
            decided_on_another_history: false,
        }]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        for (at, node) in state.nodes.iter().enumerate() {
            match &node.phase {
                Phase::Idle if state.decisions < MAX_DECISIONS => {
                    steps.extend((0..COMMANDS).map(|command| Step::Decide { node: at, command }));
                }
                Phase::Decided(_) => steps.push(Step::Send(at)),
                Phase::Sent(_) => steps.push(Step::LoseAnswer(at)),
                Phase::Answered(..) => steps.extend([Step::Deliver(at), Step::LoseAnswer(at)]),
                Phase::Unknown(_) if state.database.epoch < MAX_EPOCH => steps.push(Step::Fence(at)),
                Phase::Idle | Phase::Unknown(_) | Phase::Quarantined => {}
            }
            if state.restarts < MAX_RESTARTS && node.phase != Phase::Quarantined {
                steps.push(Step::Restart(at));
            }
        }
        steps.extend((0..state.statements.len()).map(Step::CarryOut));
        if state.has_lost.is_none() {
            if state.standby != state.database {
                steps.push(Step::Replicate);
            }
            steps.push(Step::Failover);
        }
    }

    fn next_state(&self, last: &State, step: Step) -> Option<State> {
        let mut state = last.clone();
        match step {
            Step::Decide { node, command } => self.decide(&mut state, node, command),
            Step::Send(at) => {
                let node = state.nodes.get_mut(at)?;
                let Phase::Decided(statement) = std::mem::take(&mut node.phase) else {
                    return None;
                };
                node.phase = Phase::Sent(Sent {
                    entry: statement.entry,
                    epoch: statement.base.epoch,
                });
                if self.has(Fault::AnsweredBeforeTheCommit) {
                    tell(&mut state.told, ToldAnswer::Done(statement.entry));
                }
                state.statements.push(statement);
            }
            Step::CarryOut(index) => self.carry_out(&mut state, index),
            Step::Deliver(at) => {
                let node = state.nodes.get_mut(at)?;
                let Phase::Answered(Sent { entry, .. }, is_done) = std::mem::take(&mut node.phase) else {
                    return None;
                };
                if is_done {
                    node.known.push(entry);
                    tell(&mut state.told, ToldAnswer::Done(entry));
                }
            }
            Step::LoseAnswer(at) => {
                let node = state.nodes.get_mut(at)?;
                let (Phase::Sent(sent) | Phase::Answered(sent, _)) = node.phase else {
                    return None;
                };
                node.phase = Phase::Unknown(sent);
            }
            Step::Fence(at) => {
                let Phase::Unknown(sent) = state.nodes.get(at)?.phase else {
                    return None;
                };
                self.fence(&mut state, at, sent);
            }
            Step::Restart(at) => {
                *state.nodes.get_mut(at)? = Node::default();
                state.restarts += 1;
            }
            Step::Replicate => state.standby = state.database.clone(),
            Step::Failover => {
                state.has_lost = Some(state.standby != state.database);
                state.database = state.standby.clone();
                state.statements.clear();
                for node in &mut state.nodes {
                    if let Phase::Sent(sent) = node.phase {
                        node.phase = Phase::Unknown(sent);
                    }
                }
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("a command takes effect once", |_, state: &State| {
                let log = &state.database.log;
                (0..COMMANDS).all(|command| log.iter().filter(|entry| entry.command == command).count() <= 1)
            }),
            Property::always(
                "what is acknowledged is stored, unless a failover lost it",
                |_, state: &State| {
                    let is_stored = |told: &ToldAnswer| match told {
                        ToldAnswer::Done(entry) => state.database.log.contains(entry) || is_under_way(state, *entry),
                        ToldAnswer::NotDone(_) => true,
                    };
                    state.has_lost == Some(true) || state.told.iter().all(is_stored)
                },
            ),
            Property::always("what is told to have no effect never has one", |_, state: &State| {
                state.told.iter().all(|told| match told {
                    ToldAnswer::NotDone(entry) => !state.database.log.contains(entry),
                    ToldAnswer::Done(_) => true,
                })
            }),
            Property::always(
                "nothing is appended that was decided on another history",
                |_, state: &State| !state.decided_on_another_history,
            ),
            Property::sometimes("both commands are done", |_, state: &State| {
                state.database.log.len() == 2
            }),
            Property::sometimes(
                "a node is in quarantine after a failover with loss",
                |_, state: &State| state.nodes.iter().any(|node| node.phase == Phase::Quarantined),
            ),
            Property::sometimes("a fence finds the append of a lost answer", |_, state: &State| {
                state.database.epoch > 0 && state.told.iter().any(|told| matches!(told, ToldAnswer::Done(_)))
            }),
        ]
    }
}

/// Whether an answer preceded its commit and the append is still pending: the model reports the fault once the append
/// fails.
fn is_under_way(state: &State, entry: Entry) -> bool {
    state.statements.iter().any(|statement| statement.entry == entry)
}

#[test]
fn appends_fences_and_failovers_keep_every_property_in_every_order() {
    super::holds(Protocol { fault: None });
}

#[test]
fn each_append_rule_is_needed() {
    use Fault::{
        AnsweredBeforeTheCommit, CaughtUpWithoutChaining, EpochNotCompared, FencedPastTheLogsEpochAlone,
        HashNotCompared, NoFenceAfterALostAnswer, PositionNotCompared, RecordsIgnored,
    };
    for fault in [
        HashNotCompared,
        PositionNotCompared,
        EpochNotCompared,
        NoFenceAfterALostAnswer,
        FencedPastTheLogsEpochAlone,
        AnsweredBeforeTheCommit,
        CaughtUpWithoutChaining,
        RecordsIgnored,
    ] {
        let broken = super::broken(Protocol { fault: Some(fault) });
        println!("{fault:?}: {broken:?}");
        assert!(broken.is_some(), "{fault:?} breaks nothing");
    }
}
