//! Requests to the journal, and their results.

use crate::beside::idempotency_records::RequestDigest;
use caudal_domain::{
    Actor, Answer, Command, Expected, Preview,
    ids::{ApiKeyId, PartyId},
};
use uuid::Uuid;

/// A command with its context.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Caller of the command.
    pub actor: Actor,
    /// API key of the request, stored with the events; `None` for sessions and the system.
    pub api_key: Option<ApiKeyId>,
    pub command: Command,
    /// Idempotency key: a repetition gets the same answer and has no second effect.
    pub key: Option<String>,
    /// Digest of the request: a different request under the same key is refused.
    pub request_digest: RequestDigest,
    /// Request id, stored with the events.
    pub request_id: Uuid,
    /// New credential of a party, written with the command's events.
    pub credential: Option<Credential>,
    /// Log position at which the caller read the record. If its stream changed since, the command is refused
    /// ([`crate::SubmitError::Changed`]), which prevents lost updates.
    pub as_of: Option<i64>,
    /// Whether the caller read nothing of a sale's customers, since the tenant seemed to have no rule that asks for it. Where it
    /// has one, the command is refused ([`crate::SubmitError::Changed`]).
    pub presumes_no_checks: bool,
    /// Figures that the caller confirmed; different ones are refused with `quote_changed`.
    pub expected: Option<Expected>,
    /// Whether the caller has a second factor and gave no code of it lately; then what needs one is refused.
    pub lacks_code: bool,
}

impl Submission {
    /// A command that no request brings: without an idempotency key, under a request id of its own.
    #[must_use]
    pub fn of(actor: Actor, command: Command) -> Self {
        Self {
            actor,
            api_key: None,
            command,
            key: None,
            request_digest: RequestDigest::of([]),
            request_id: Uuid::now_v7(),
            credential: None,
            as_of: None,
            presumes_no_checks: false,
            expected: None,
            lacks_code: false,
        }
    }
}

/// A party's login credential.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    pub party: PartyId,
    /// Argon2 hash as a PHC string.
    pub hash: String,
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential")
            .field("party", &self.party)
            .finish_non_exhaustive()
    }
}

/// A durable command.
#[derive(Clone, Debug, PartialEq)]
pub struct Committed {
    pub answer: Answer,
    /// Log position after the command.
    pub position: i64,
    /// Whether the answer was replayed from the idempotency record.
    pub replayed: bool,
}

/// Result of a preview.
#[derive(Clone, Debug, PartialEq)]
pub struct Previewed {
    pub preview: Preview,
    /// Log position that it was decided at.
    pub position: i64,
}
