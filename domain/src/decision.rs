//! Decisions: pure functions from a command, its caller, the time and the state to events or a refusal.

use crate::{
    approval::{Proposed, Proposing},
    customer::Customer,
    figures::Expected,
    ids::{CustomerId, PartyId},
    money::Amount,
    party::{Party, Role},
    quote::Quote,
    refusal::{Refusal, RefusalKind, require},
    tenant_state::TenantState,
    unique_value::{UniqueValue, UniqueValueKind},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use uuid::Uuid;

/// Origin of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Actor {
    /// The `caudal` program run by the operator: opens tenants and creates their first manager.
    System,
    /// An authenticated party.
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

/// The customers that a command names.
#[derive(Clone, Debug, Default)]
pub struct Customers(HashMap<CustomerId, Customer>);

impl FromIterator<Customer> for Customers {
    fn from_iter<I: IntoIterator<Item = Customer>>(customers: I) -> Self {
        Self(customers.into_iter().map(|customer| (customer.id, customer)).collect())
    }
}

/// Holders of the unique values that a decision looks up ([`crate::Command::looks_up`]); a value that nobody holds is absent.
#[derive(Clone, Debug, Default)]
pub struct Holders(HashMap<(UniqueValueKind, String), Uuid>);

impl FromIterator<((UniqueValueKind, String), Uuid)> for Holders {
    fn from_iter<I: IntoIterator<Item = ((UniqueValueKind, String), Uuid)>>(holders: I) -> Self {
        Self(holders.into_iter().collect())
    }
}

/// Everything that a decision may read besides its own stream.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub state: &'a TenantState,
    pub actor: Actor,
    /// Time of the command, and of its events.
    pub now: DateTime<Utc>,
    /// The customers that the command names, of its streams ([`crate::Command::reads`]).
    pub customers: &'a Customers,
    pub holders: &'a Holders,
    /// Figures that the caller confirmed; `None` skips the comparison.
    pub expected: Option<Expected>,
    /// What a covered command is proposed with; `None` refuses covered commands.
    pub proposing: Option<Proposing>,
    /// Whether the caller has a second factor and gave no code of it lately.
    pub lacks_code: bool,
}

impl<'a> Context<'a> {
    /// The calling party.
    ///
    /// # Errors
    /// Forbidden when the caller is no active party of this tenant.
    pub fn caller(&self) -> Result<&'a Party, Refusal> {
        let Actor::Party(id) = self.actor else {
            return Err(Refusal::forbidden("role_not_allowed"));
        };
        let party = self
            .state
            .party(id)
            .ok_or_else(|| Refusal::forbidden("account_inactive"))?;
        require(party.is_active, || Refusal::forbidden("account_inactive"))?;
        Ok(party)
    }

    /// A customer that the command names.
    #[must_use]
    pub fn customer(&self, id: CustomerId) -> Option<&'a Customer> {
        self.customers.0.get(&id)
    }

    /// Who holds a unique value that the command looks up.
    #[must_use]
    pub(crate) fn holder(&self, kind: UniqueValueKind, value: &str) -> Option<Uuid> {
        self.holders.0.get(&(kind, value.to_owned())).copied()
    }

    /// Refuses everyone but managers and the system.
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

/// Result of a command as its caller sees it; stored for replay of the same idempotency key. Contains no personal data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Answer {
    /// The created or changed record.
    pub id: Uuid,
    /// Human number, for records that have one (`R-000001`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The remittance's status after the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u8>,
    /// Quote of a sale or an amount edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quote>,
    /// The seller's balance in the group after a sale, in the group's currency; negative when on credit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining_balance: Option<Amount>,
    /// The obligation that the command opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debit_id: Option<Uuid>,
    /// The obligation to the agency that a closure opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agency_debit_id: Option<Uuid>,
    /// Refusal code of an offline delivery that was stored as a dispute instead of a delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disputed: Option<String>,
    /// Set when the command waits for its approval, and had no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposed>,
    /// Codes of warnings; the command succeeded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Result of a decision before the commit.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Decision<E> {
    pub events: Vec<E>,
    /// Unique values taken or released, derived from the events.
    pub unique_values: Vec<UniqueValue>,
    pub answer: Answer,
}

impl<E> Decision<E> {
    /// One event, and the id of its record.
    pub fn of(event: E, id: impl Into<Uuid>) -> Self {
        Self {
            events: vec![event],
            unique_values: Vec::new(),
            answer: Answer {
                id: id.into(),
                ..Answer::default()
            },
        }
    }

    /// No event, because the requested state is the current one.
    pub fn nothing(id: impl Into<Uuid>) -> Self {
        Self {
            events: Vec::new(),
            unique_values: Vec::new(),
            answer: Answer {
                id: id.into(),
                ..Answer::default()
            },
        }
    }

    /// Drops the events when they would change nothing; the answer stays.
    pub fn unless(self, unchanged: bool) -> Self {
        let events = if unchanged { Vec::new() } else { self.events };
        Self { events, ..self }
    }

    /// Reports a taken id as a conflict to a caller who may create the record, and the outcome's own refusal to others.
    ///
    /// # Errors
    /// The outcome's refusal, or a conflict when the id is taken.
    pub fn of_new(outcome: Result<Self, Refusal>, taken: bool) -> Result<Self, Refusal> {
        let hidden = |refusal: &Refusal| matches!(refusal.kind, RefusalKind::Forbidden | RefusalKind::NotFound);
        match outcome {
            Err(refusal) if hidden(&refusal) => Err(refusal),
            _ if taken => Err(Refusal::conflict("already_exists")),
            outcome => outcome,
        }
    }

    pub fn answering(mut self, change: impl FnOnce(&mut Answer)) -> Self {
        change(&mut self.answer);
        self
    }

    /// Converts the event type.
    pub fn map<F>(self, wrap: impl Fn(E) -> F) -> Decision<F> {
        Decision {
            events: self.events.into_iter().map(wrap).collect(),
            unique_values: self.unique_values,
            answer: self.answer,
        }
    }
}
