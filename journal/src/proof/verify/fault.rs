//! What can be wrong with a log.

/// The first place at which a log is not what it was when it was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("position {position} is missing; {found} follows")]
    Missing {
        /// The position that should follow.
        position: i64,
        /// The one that does.
        found: i64,
    },
    #[error("position {position} should follow, but {found} stands there again")]
    Repeated {
        /// The position that should follow.
        position: i64,
        /// The one that does.
        found: i64,
    },
    #[error("position {position} was changed: its hash does not match")]
    Changed { position: i64 },
    #[error("position {position} was recorded before the event before it")]
    Backwards { position: i64 },
    #[error("position {position} can't be read: {reason}")]
    Unreadable {
        position: i64,
        reason: String,
    },
    #[error("position {position} (line {line} of the file) is damaged: {reason}")]
    Damaged {
        /// The position of the event that the line should hold; 0 for the file's first line.
        position: i64,
        /// The line, from 1.
        line: u64,
        reason: String,
    },
    /// The head is not at the last event: events were cut off or added, or the head was changed.
    #[error("the log ends at position {end}, but the head says {head}")]
    HeadMoved {
        /// The last event's position.
        end: i64,
        head: i64,
    },
    #[error("the head's hash or time is not that of the last event, at position {position}")]
    HeadChanged {
        /// The last event's position.
        position: i64,
    },
    #[error("the log was rewritten at position {position} or before: its hash there is not the one that was signed")]
    Rewritten {
        /// The signed position.
        position: i64,
    },
    /// The hash at a signed position is the one that was signed, the Merkle root is not.
    #[error("the Merkle root at position {position} is not the one that was signed there")]
    RootChanged {
        /// The signed position.
        position: i64,
    },
    #[error("the kept Merkle tree is not that of the log, from position {position} on: it was changed, or the log was")]
    TreeChanged {
        /// The position of the first event under the node.
        position: i64,
    },
    #[error("position {position} is not what was verified there before: the log went back, or was rewritten")]
    WentBack {
        /// The position verified before.
        position: i64,
    },
    #[error("the log ends at position {end}, but it was signed up to {signed}: events were cut off")]
    Shortened {
        /// The last event's position.
        end: i64,
        /// The signed position.
        signed: i64,
    },
}

impl Fault {
    /// Its name, by which interfaces say it in their own words.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::Repeated { .. } => "repeated",
            Self::Changed { .. } => "changed",
            Self::Backwards { .. } => "backwards",
            Self::Unreadable { .. } => "unreadable",
            Self::Damaged { .. } => "damaged",
            Self::HeadMoved { .. } => "head_moved",
            Self::HeadChanged { .. } => "head_changed",
            Self::Rewritten { .. } => "rewritten",
            Self::RootChanged { .. } => "root_changed",
            Self::TreeChanged { .. } => "tree_changed",
            Self::WentBack { .. } => "went_back",
            Self::Shortened { .. } => "shortened",
        }
    }

    /// The first position that is wrong.
    #[must_use]
    pub const fn position(&self) -> i64 {
        match self {
            Self::Missing { position, .. }
            | Self::Repeated { position, .. }
            | Self::Changed { position }
            | Self::Backwards { position }
            | Self::Unreadable { position, .. }
            | Self::Damaged { position, .. }
            | Self::HeadChanged { position }
            | Self::Rewritten { position }
            | Self::RootChanged { position }
            | Self::TreeChanged { position }
            | Self::WentBack { position } => *position,
            Self::HeadMoved { end, head } => {
                if *end < *head {
                    *end + 1
                } else {
                    *head + 1
                }
            }
            Self::Shortened { end, .. } => *end + 1,
        }
    }
}
