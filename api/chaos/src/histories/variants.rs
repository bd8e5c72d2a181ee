//! What is done to the database, under which circumstances, and how it is put right.

use std::fmt;

/// What happens to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// PostgreSQL comes back without the last commands, as from a lagging standby or a restore.
    Stale,
    /// The same, and a node that has seen nothing serves from the start, beside those that know more.
    StaleBesideFresh,
    /// The same, and a node that has seen nothing writes before any node that knows more runs again.
    StaleUnderFresh,
    /// The owner deletes the last events and sets the head back.
    Cut,
    /// The owner swaps the payloads of two events.
    Swapped,
    /// The owner moves the head's position.
    HeadPosition,
    /// The owner changes the head's hash.
    HeadHash,
    /// The owner changes the head's time.
    HeadTime,
}

/// How the operator puts it right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// Accepts the loss, or the head as it is put right.
    Accept,
    /// Puts back what was right, which has everything: the newer files, or the events as they were.
    RightCopy,
}

#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// What happens to the database.
    pub change: Change,
    /// How many commands are acknowledged after the copy, or cut off.
    pub lag: usize,
    /// Whether clients give commands at all nodes all the time.
    pub is_busy: bool,
    /// Whether all nodes are killed meanwhile, and see the database only after their start.
    pub restarts: bool,
    /// Whether PostgreSQL is killed, and not stopped.
    pub by_crash: bool,
    /// How it is put right.
    pub way_out: WayOut,
}

impl Variant {
    const fn of(change: Change, lag: usize) -> Self {
        Self {
            change,
            lag,
            is_busy: false,
            restarts: false,
            by_crash: false,
            way_out: WayOut::Accept,
        }
    }

    /// A few of them, for `make test`: a stale copy, the right copy put back, a cut log, a changed head, swapped events.
    pub fn few() -> Vec<Self> {
        vec![
            Self {
                is_busy: true,
                ..Self::of(Change::Stale, 3)
            },
            Self {
                restarts: true,
                by_crash: true,
                way_out: WayOut::RightCopy,
                ..Self::of(Change::Stale, 1)
            },
            Self::of(Change::Cut, 2),
            Self {
                is_busy: true,
                ..Self::of(Change::HeadHash, 1)
            },
            Self {
                way_out: WayOut::RightCopy,
                ..Self::of(Change::Swapped, 2)
            },
        ]
    }

    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for lag in [1, 3, 20] {
            for is_busy in [false, true] {
                for restarts in [false, true] {
                    all.push(Self {
                        is_busy,
                        restarts,
                        by_crash: is_busy,
                        ..Self::of(Change::Stale, lag)
                    });
                }
            }
        }
        for (is_busy, restarts) in [(false, true), (true, false)] {
            all.push(Self {
                is_busy,
                restarts,
                way_out: WayOut::RightCopy,
                ..Self::of(Change::Stale, 3)
            });
        }
        for change in [Change::StaleBesideFresh, Change::StaleUnderFresh] {
            for lag in [1, 3, 20] {
                all.push(Self::of(change, lag));
            }
        }
        for is_busy in [false, true] {
            for lag in [1, 3, 20] {
                all.push(Self {
                    is_busy,
                    ..Self::of(Change::Cut, lag)
                });
            }
            for change in [Change::HeadPosition, Change::HeadHash, Change::HeadTime] {
                all.push(Self {
                    is_busy,
                    ..Self::of(change, 1)
                });
            }
            all.push(Self {
                is_busy,
                way_out: WayOut::RightCopy,
                ..Self::of(Change::Swapped, 2)
            });
        }
        all
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.change {
            Change::Stale => "a stale copy",
            Change::StaleBesideFresh => "a stale copy, a fresh node beside",
            Change::StaleUnderFresh => "a stale copy, a fresh node writes first",
            Change::Cut => "a cut log",
            Change::Swapped => "two swapped events",
            Change::HeadPosition => "a head of another position",
            Change::HeadHash => "a head of another hash",
            Change::HeadTime => "a head of another time",
        };
        write!(f, "{what}, lag {}", self.lag)?;
        let also = [
            (self.is_busy, "busy"),
            (self.by_crash, "PostgreSQL killed"),
            (self.restarts, "nodes restarted"),
            (self.way_out == WayOut::RightCopy, "what was right put back"),
        ];
        for (_, word) in also.iter().filter(|(holds, _)| *holds) {
            write!(f, ", {word}")?;
        }
        Ok(())
    }
}
