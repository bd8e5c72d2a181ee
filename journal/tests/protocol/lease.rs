//! Leases of a tenant's writer: three nodes, one row, and a clock with one speed for all.
//!
//! The correctness of the books does not depend on leases. The model shows that at most one node at a time believes
//! to hold one, so that nodes do not conflict, and that a dead node's lease expires after its length.

use stateright::{Model, Property};

const NODES: usize = 3;
/// Length of a lease, in ticks.
const LEASE: u8 = 2;
/// Length of a run, in ticks.
const END: u8 = 5;

/// A message about the lease, in transit or at PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Message {
    /// Take or renew, sent at this tick by the node's timer.
    Take { node: usize, asked: u8 },
    /// A granted lease, with the ticks that were left when PostgreSQL answered.
    Granted { node: usize, asked: u8, left: u8 },
    /// The node shuts down and releases its lease.
    Release { node: usize },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    now: u8,
    /// `journal.writer_leases`: the holder, and the tick at which the lease ends.
    row: Option<(usize, u8)>,
    messages: Vec<Message>,
    /// Tick until which each node believes to hold the lease; 0 if it does not.
    believes_until: [u8; NODES],
    is_down: [bool; NODES],
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Ask(usize),
    /// A message arrives. Messages may arrive late, in any order, or never.
    Arrive(usize),
    GoDown(usize),
    Die(usize),
    Tick,
}

/// A rule of leases that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The node counts the lease from the arrival of the answer.
    CountedFromTheAnswer,
    /// PostgreSQL grants a lease before the previous one has ended.
    TakenBeforeItsEnd,
    /// A node that shuts down uses its lease after releasing it.
    BelievedAfterRelease,
}

pub(crate) struct Leases {
    pub(crate) fault: Option<Fault>,
}

impl Leases {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }
}

impl Model for Leases {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            now: 1,
            row: None,
            messages: Vec::new(),
            believes_until: [0; NODES],
            is_down: [false; NODES],
        }]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        for node in 0..NODES {
            let is_asking = state.messages.iter().any(|message| match message {
                Message::Take { node: asking, .. } | Message::Granted { node: asking, .. } => *asking == node,
                Message::Release { .. } => false,
            });
            if !state.is_down.get(node).copied().unwrap_or(true) {
                if !is_asking {
                    steps.push(Step::Ask(node));
                }
                steps.extend([Step::GoDown(node), Step::Die(node)]);
            }
        }
        steps.extend((0..state.messages.len()).map(Step::Arrive));
        if state.now < END {
            steps.push(Step::Tick);
        }
    }

    fn next_state(&self, last: &State, step: Step) -> Option<State> {
        let mut state = last.clone();
        match step {
            Step::Ask(node) => state.messages.push(Message::Take { node, asked: state.now }),
            Step::Arrive(index) => match state.messages.remove(index) {
                Message::Take { node, asked } => {
                    let is_free = state.row.is_none_or(|(holder, until)| {
                        holder == node || until <= state.now || self.has(Fault::TakenBeforeItsEnd)
                    });
                    if is_free {
                        state.row = Some((node, state.now + LEASE));
                        let left = LEASE;
                        state.messages.push(Message::Granted { node, asked, left });
                    }
                }
                Message::Granted { node, asked, left } => {
                    let from = if self.has(Fault::CountedFromTheAnswer) {
                        state.now
                    } else {
                        asked
                    };
                    if !*state.is_down.get(node)? {
                        *state.believes_until.get_mut(node)? = from + left;
                    }
                }
                Message::Release { node } => {
                    state.row = state.row.filter(|(holder, _)| *holder != node);
                }
            },
            Step::GoDown(node) => {
                *state.is_down.get_mut(node)? = true;
                if !self.has(Fault::BelievedAfterRelease) {
                    *state.believes_until.get_mut(node)? = 0;
                }
                state.messages.push(Message::Release { node });
            }
            Step::Die(node) => {
                *state.is_down.get_mut(node)? = true;
                *state.believes_until.get_mut(node)? = 0;
            }
            Step::Tick => state.now += 1,
        }
        state.messages.sort_unstable();
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("at most one node believes that it has the lease", |_, state: &State| {
                state.believes_until.iter().filter(|until| **until > state.now).count() <= 1
            }),
            Property::always(
                "nobody believes in a lease for longer than PostgreSQL does",
                |model: &Self, state: &State| {
                    let holds = |(node, until): (usize, &u8)| {
                        *until <= state.now || state.row.is_some_and(|(holder, end)| holder == node && *until <= end)
                    };
                    model.has(Fault::BelievedAfterRelease) || state.believes_until.iter().enumerate().all(holds)
                },
            ),
            Property::always("the row of a lease ends within its length", |_, state: &State| {
                state.row.is_none_or(|(_, until)| until <= state.now + LEASE)
            }),
            Property::sometimes("a second node has the lease of one that died", |_, state: &State| {
                let is_down = |node: usize| state.is_down.get(node).copied().unwrap_or_default();
                is_down(0) && state.now > LEASE && state.believes_until.iter().skip(1).any(|until| *until > state.now)
            }),
        ]
    }
}

#[test]
fn at_most_one_node_believes_to_hold_the_lease_in_every_order() {
    super::holds(Leases { fault: None });
}

#[test]
fn each_lease_rule_is_needed() {
    use Fault::{BelievedAfterRelease, CountedFromTheAnswer, TakenBeforeItsEnd};
    for fault in [CountedFromTheAnswer, TakenBeforeItsEnd, BelievedAfterRelease] {
        let broken = super::broken(Leases { fault: Some(fault) });
        println!("{fault:?}: {broken:?}");
        assert!(broken.is_some(), "{fault:?} breaks nothing");
    }
}
