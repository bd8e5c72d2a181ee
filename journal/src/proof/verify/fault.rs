//! Faults of a log.

/// The first inconsistency of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("position {position} is missing; {found} follows")]
    Missing {
        /// Position expected next.
        position: i64,
        /// Position found.
        found: i64,
    },
    #[error("position {position} should follow, but {found} stands there again")]
    Repeated {
        /// Position expected next.
        position: i64,
        /// Position found.
        found: i64,
    },
    #[error("position {position} was changed: its hash does not match")]
    Changed { position: i64 },
    #[error("position {position} was recorded before the event before it")]
    Backwards { position: i64 },
    #[error("position {position} can't be read: {reason}")]
    Unreadable { position: i64, reason: String },
    #[error("position {position} (line {line} of the file) is damaged: {reason}")]
    Damaged {
        /// Position of the line's event; 0 for the first line.
        position: i64,
        /// From 1.
        line: u64,
        reason: String,
    },
    /// The head is not at the last event: events were cut off or added, or the head was changed.
    #[error("the log ends at position {end}, but the head says {head}")]
    HeadMoved {
        /// Position of the last event.
        end: i64,
        head: i64,
    },
    #[error("the head's hash or time is not that of the last event, at position {position}")]
    HeadChanged {
        /// Position of the last event.
        position: i64,
    },
    /// The head is the last event's, and its MAC is not valid: events were added without the key file, or the MAC was changed.
    #[error(
        "the head has no valid MAC: the log up to position {position} was not written by a node of this installation"
    )]
    HeadUnsigned {
        /// Position of the last event.
        position: i64,
    },
    #[error("the log was rewritten at position {position} or before: its hash there is not the one that was signed")]
    Rewritten {
        /// The signed position.
        position: i64,
    },
    /// The hash at a signed position matches, but the Merkle root differs.
    #[error("the Merkle root at position {position} is not the one that was signed there")]
    RootChanged {
        /// The signed position.
        position: i64,
    },
    #[error("the kept Merkle tree is not that of the log, from position {position} on: it was changed, or the log was")]
    TreeChanged {
        /// Position of the first event under the node.
        position: i64,
    },
    #[error("position {position} is not what was verified there before: the log went back, or was rewritten")]
    WentBack {
        /// Position verified before.
        position: i64,
    },
    #[error("the log ends at position {end}, but it was signed up to {signed}: events were cut off")]
    Shortened {
        /// Position of the last event.
        end: i64,
        /// The signed position.
        signed: i64,
    },
}

impl Fault {
    /// Stable code, translated by interfaces.
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
            Self::HeadUnsigned { .. } => "head_unsigned",
            Self::Rewritten { .. } => "rewritten",
            Self::RootChanged { .. } => "root_changed",
            Self::TreeChanged { .. } => "tree_changed",
            Self::WentBack { .. } => "went_back",
            Self::Shortened { .. } => "shortened",
        }
    }

    /// First position affected.
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
            | Self::HeadUnsigned { position }
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
