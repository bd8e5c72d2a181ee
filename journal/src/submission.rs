//! What is asked of the journal, and what it answers.

use crate::beside::receipts::RequestDigest;
use caudal_domain::{Actor, Answer, Command, Expected, Preview, ids::PartyId};
use uuid::Uuid;

/// A command with all that goes with it.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Who asks.
    pub actor: Actor,
    pub command: Command,
    /// The caller's idempotency key: the same one again has the same answer and no second effect.
    pub key: Option<String>,
    /// Tells the request apart from another one under the same key.
    pub request_digest: RequestDigest,
    /// The request's id, which the events keep.
    pub request_id: Uuid,
    /// What a party will sign in with from now on; set together with the command's events.
    pub credential: Option<Credential>,
    /// Where the log stood when the caller read what the command changes: a change of its stream after that refuses it
    /// ([`crate::SubmitError::Changed`]), so that a command made of what was read overwrites nothing unseen.
    pub as_of: Option<i64>,
    /// The figures that the caller confirmed: a decision that arrives at others is refused with `quote_changed`.
    pub expected: Option<Expected>,
}

/// What a party signs in with.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    pub party: PartyId,
    /// An argon2 hash, as a PHC string.
    pub hash: String,
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential")
            .field("party", &self.party)
            .finish_non_exhaustive()
    }
}

/// A command that is durable.
#[derive(Clone, Debug, PartialEq)]
pub struct Committed {
    /// What the caller is told.
    pub answer: Answer,
    /// Where the log stood with the command done.
    pub position: i64,
    /// Whether it had been done before, under the same idempotency key.
    pub replayed: bool,
}

/// What a command would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Previewed {
    /// What it would do.
    pub preview: Preview,
    /// The position of the log that it was decided at.
    pub position: i64,
}
