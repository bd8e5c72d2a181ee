//! A tenant's move between two cells: a row in each, writers that may act late, and a mover that may die at any step and be
//! begun again or undone.
//!
//! The model shows that no two cells take writes, that nothing written is missing where the tenant lives, and that the tenant can
//! always be written to again.

use stateright::{Model, Property};

/// Writes at most: each is a number in the order of arrival.
const WRITES: u8 = 3;
/// Begun moves at most: the first, and those after its death.
const MOVES: u8 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Source {
    Here,
    Copying,
    Held,
    /// The hold has run out, and writes are taken again.
    Lapsed,
    Left,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Target {
    Nothing,
    Arriving,
    Here,
}

/// What the mover does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Mover {
    None,
    Copies,
    Holds,
    CopiesTheRest,
    Leaves,
    Opens,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    source: Source,
    target: Target,
    /// Ids of the moves that the rows name.
    source_move: u8,
    target_move: u8,
    mover: Mover,
    mover_move: u8,
    begun: u8,
    /// Writes in each cell's log.
    source_log: Vec<u8>,
    target_log: Vec<u8>,
    /// A transaction that has passed the guard of the old cell and is not committed.
    under_way: Option<u8>,
    next: u8,
    acknowledged: Vec<u8>,
    /// Whether both cells took a write at the same time.
    took_two: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Begin,
    Move,
    Die,
    Undo,
    Lapse,
    /// A write begins in the old cell: a late node asks it too.
    Write,
    Commit,
    WriteAtTarget,
    /// A node opens what has left.
    OpenByNode,
}

/// A rule that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The hold does not wait for transactions that have passed the guard.
    HeldWithoutWaiting,
    /// Nothing is copied between the hold and the departure.
    RestNotCopied,
    /// A hold that has run out becomes a departure.
    LeftAfterTheHold,
    /// The new cell opens before the old one is left.
    OpenedBeforeLeaving,
    /// The old cell takes writes of late nodes after it was left.
    NoGuard,
    /// A move that was left is undone.
    UndoneAfterLeaving,
}

pub(crate) struct Relocations {
    pub(crate) fault: Option<Fault>,
}

impl Relocations {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn source_takes(&self, state: &State) -> bool {
        match state.source {
            Source::Here | Source::Copying | Source::Lapsed => true,
            Source::Held => false,
            Source::Left => self.has(Fault::NoGuard),
        }
    }

    fn may_open(&self, state: &State) -> bool {
        let is_left = state.source == Source::Left || self.has(Fault::OpenedBeforeLeaving);
        let is_the_same = state.source_move == state.target_move;
        state.target == Target::Arriving && is_left && is_the_same
    }
}

impl Model for Relocations {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            source: Source::Here,
            target: Target::Nothing,
            source_move: 0,
            target_move: 0,
            mover: Mover::None,
            mover_move: 0,
            begun: 0,
            source_log: Vec::new(),
            target_log: Vec::new(),
            under_way: None,
            next: 1,
            acknowledged: Vec::new(),
            took_two: false,
        }]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        if state.mover == Mover::None {
            if state.target != Target::Here && (state.begun < MOVES || state.source != Source::Here) {
                steps.push(Step::Begin);
            }
            if !matches!(state.source, Source::Here | Source::Left) || self.has(Fault::UndoneAfterLeaving) {
                steps.push(Step::Undo);
            }
        } else {
            steps.extend([Step::Move, Step::Die]);
        }
        if state.source == Source::Held {
            steps.push(Step::Lapse);
        }
        if state.next <= WRITES {
            if self.source_takes(state) && state.under_way.is_none() {
                steps.push(Step::Write);
            }
            if state.target == Target::Here {
                steps.push(Step::WriteAtTarget);
            }
        }
        if state.under_way.is_some() {
            steps.push(Step::Commit);
        }
        if self.may_open(state) {
            steps.push(Step::OpenByNode);
        }
    }

    fn next_state(&self, last: &State, step: Step) -> Option<State> {
        let mut state = last.clone();
        match step {
            Step::Begin => {
                // A move that has left is completed, one that ended early goes on under its id.
                if state.source == Source::Left {
                    state.mover = Mover::Opens;
                } else {
                    if state.source == Source::Here {
                        state.begun += 1;
                        state.source_move = state.begun;
                    }
                    state.source = Source::Copying;
                    state.target = Target::Arriving;
                    state.target_move = state.source_move;
                    state.mover = Mover::Copies;
                }
                state.mover_move = state.source_move;
            }
            Step::Die => state.mover = Mover::None,
            Step::Undo => state.source = Source::Here,
            Step::Lapse => state.source = Source::Lapsed,
            Step::Write => {
                state.under_way = Some(state.next);
                state.next += 1;
            }
            Step::Commit => {
                let write = state.under_way.take()?;
                state.took_two |= state.target == Target::Here;
                state.source_log.push(write);
                state.acknowledged.push(write);
            }
            Step::WriteAtTarget => {
                state.took_two |= self.source_takes(&state);
                state.target_log.push(state.next);
                state.acknowledged.push(state.next);
                state.next += 1;
            }
            Step::OpenByNode => state.target = Target::Here,
            Step::Move => match state.mover {
                Mover::None => return None,
                Mover::Copies => {
                    state.target_log.clone_from(&state.source_log);
                    state.mover = Mover::Holds;
                }
                Mover::Holds => {
                    if state.under_way.is_some() && !self.has(Fault::HeldWithoutWaiting) {
                        return None;
                    }
                    state.source = Source::Held;
                    state.mover = Mover::CopiesTheRest;
                }
                Mover::CopiesTheRest => {
                    if !self.has(Fault::RestNotCopied) {
                        state.target_log.clone_from(&state.source_log);
                    }
                    state.mover = Mover::Leaves;
                }
                Mover::Leaves => {
                    let may_leave = match state.source {
                        Source::Held => true,
                        Source::Lapsed => self.has(Fault::LeftAfterTheHold),
                        _ => false,
                    };
                    if may_leave && state.source_move == state.mover_move {
                        state.source = Source::Left;
                        state.mover = Mover::Opens;
                    } else {
                        state.mover = Mover::None;
                    }
                }
                Mover::Opens => {
                    if self.may_open(&state) {
                        state.target = Target::Here;
                    }
                    state.mover = Mover::None;
                }
            },
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("one cell at a time takes writes", |model: &Self, state: &State| {
                !(state.took_two || state.target == Target::Here && model.source_takes(state))
            }),
            Property::always(
                "what is acknowledged is stored once where the tenant lives",
                |_, state: &State| {
                    let log = match state.target {
                        Target::Here => &state.target_log,
                        _ => &state.source_log,
                    };
                    let once = |write: &u8| log.iter().filter(|stored| *stored == write).count() == 1;
                    state.acknowledged.iter().all(once)
                },
            ),
            Property::always("a tenant that has left can be opened", |model: &Self, state: &State| {
                state.source != Source::Left || state.target == Target::Here || model.may_open(state)
            }),
            Property::sometimes("a tenant moves and is written to", |_, state: &State| {
                state.target == Target::Here && state.target_log.len() == usize::from(WRITES)
            }),
            Property::sometimes("a move is undone and the tenant is written to", |_, state: &State| {
                state.source == Source::Here && state.begun > 0 && state.source_log.len() == usize::from(WRITES)
            }),
        ]
    }
}
