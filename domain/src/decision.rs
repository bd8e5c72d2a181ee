//! Deciding: a command, the caller, the time and the state go in; events, or a refusal, come out. Nothing else does.

use crate::{
    aggregate::StreamState,
    books::Books,
    claim::Claim,
    figures::Expected,
    ids::PartyId,
    money::Amount,
    party::{Party, Role},
    quote::Quote,
    refusal::{Refusal, RefusalKind, require},
    stream::StreamId,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use uuid::Uuid;

/// Who gives a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Actor {
    /// The `caudal` command, run by whoever runs the machine: opens tenants and makes their first manager.
    System,
    /// A logged-in party.
    Party(PartyId),
}

impl std::fmt::Display for Actor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::System => f.write_str("system"),
            Self::Party(id) => id.fmt(f),
        }
    }
}

/// The streams that a command refers to, as they stand.
#[derive(Clone, Debug, Default)]
pub struct Streams(HashMap<StreamId, StreamState>);

impl Streams {
    /// Adds a stream's state.
    pub fn insert(&mut self, id: StreamId, state: StreamState) {
        self.0.insert(id, state);
    }

    /// A stream's state.
    #[must_use]
    pub fn get(&self, id: &StreamId) -> Option<&StreamState> {
        self.0.get(id)
    }
}

/// All that a decision may look at besides its own stream.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The tenant's books.
    pub books: &'a Books,
    /// The caller.
    pub actor: Actor,
    /// When: the time that the events will bear.
    pub now: DateTime<Utc>,
    /// The streams that the command refers to ([`crate::Command::reads`]).
    pub streams: &'a Streams,
    /// The figures that the caller confirmed, where it states any.
    pub expected: Option<Expected>,
}

impl<'a> Context<'a> {
    /// The calling party.
    ///
    /// # Errors
    /// Forbidden where the caller is no active party of this tenant.
    pub fn caller(&self) -> Result<&'a Party, Refusal> {
        let Actor::Party(id) = self.actor else {
            return Err(Refusal::forbidden("role_not_allowed"));
        };
        let party = self
            .books
            .party(id)
            .ok_or_else(|| Refusal::forbidden("account_inactive"))?;
        require(party.is_active, || Refusal::forbidden("account_inactive"))?;
        Ok(party)
    }

    /// Refuses all but managers and the system.
    ///
    /// # Errors
    /// Forbidden.
    pub fn require_manager(&self) -> Result<(), Refusal> {
        match self.actor {
            Actor::System => Ok(()),
            Actor::Party(_) => require(self.caller()?.role == Role::Manager, || {
                Refusal::forbidden("role_not_allowed")
            }),
        }
    }
}

/// What the caller is told, and told again when it repeats the command. Nothing personal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Answer {
    /// The id of what was made or changed.
    pub id: Uuid,
    /// Its human number, where it has one (`R-000001`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The remittance's status afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u8>,
    /// The quote that a remittance was sold at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quote>,
    /// What a sale left of the seller's balance in its group, in the group's currency; below 0 where it drew on credit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining_balance: Option<Amount>,
    /// The debit opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debit_id: Option<Uuid>,
    /// The debit opened towards the agency, by a closure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agency_debit_id: Option<Uuid>,
    /// Why a delivery that was made without a network was not recorded as one but kept as a dispute: the refusal's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disputed: Option<String>,
    /// Codes of what the caller should know although it was done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What a command does, decided and not yet written.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Decision<E> {
    /// The events of the command's one stream.
    pub events: Vec<E>,
    /// Unique values taken or given up: those of its events.
    pub claims: Vec<Claim>,
    /// What the caller is told.
    pub answer: Answer,
}

impl<E> Decision<E> {
    /// One event, and the id of what it is about.
    pub fn of(event: E, id: impl Into<Uuid>) -> Self {
        Self {
            events: vec![event],
            claims: Vec::new(),
            answer: Answer {
                id: id.into(),
                ..Answer::default()
            },
        }
    }

    /// No event, since what was asked for is so already, and the id of what it is about.
    pub fn nothing(id: impl Into<Uuid>) -> Self {
        Self {
            events: Vec::new(),
            claims: Vec::new(),
            answer: Answer {
                id: id.into(),
                ..Answer::default()
            },
        }
    }

    /// The same answer and no event, where the events would leave everything as it stands.
    pub fn unless(self, unchanged: bool) -> Self {
        let events = if unchanged { Vec::new() } else { self.events };
        Self { events, ..self }
    }

    /// What the maker of something new is told where its id is taken: that, unless the thing is not for him to make.
    ///
    /// # Errors
    /// The outcome's own refusal, or a conflict where the id is taken.
    pub fn of_new(outcome: Result<Self, Refusal>, taken: bool) -> Result<Self, Refusal> {
        let hidden = |refusal: &Refusal| matches!(refusal.kind, RefusalKind::Forbidden | RefusalKind::NotFound);
        match outcome {
            Err(refusal) if hidden(&refusal) => Err(refusal),
            _ if taken => Err(Refusal::conflict("already_exists")),
            outcome => outcome,
        }
    }

    /// Changes the answer.
    pub fn answering(mut self, change: impl FnOnce(&mut Answer)) -> Self {
        change(&mut self.answer);
        self
    }

    /// The same decision with its events in another type.
    pub fn map<F>(self, wrap: impl Fn(E) -> F) -> Decision<F> {
        Decision {
            events: self.events.into_iter().map(wrap).collect(),
            claims: self.claims,
            answer: self.answer,
        }
    }
}
