//! Business rules of Caudal: money, ledger, aggregates and decisions. No I/O, no clock, no randomness.
//!
//! A rule is found by its business name: `remittance/cancel.rs`, `movement/pay_debits.rs`. [`decide`] takes a command,
//! the state of its stream and a [`Context`], and returns events or a [`Refusal`]. [`TenantState`] is the state across
//! aggregates, folded from all events of a tenant.

#![cfg_attr(
    test,
    allow(clippy::inconsistent_digit_grouping, reason = "amounts in hundredths read as 318_50")
)]

mod aggregate;
pub mod api_key;
pub mod approval;
pub mod attachment;
pub mod closure;
mod command;
mod contact;
pub mod customer;
mod decision;
pub mod document;
pub mod erasure;
mod event;
mod figures;
mod fresh_code;
pub mod ids;
pub mod limits;
mod map;
pub mod money;
pub mod movement;
pub mod office;
pub mod party;
mod personal;
pub mod phone;
mod preview;
mod quote;
pub mod rates;
pub mod reference_data;
pub mod refusal;
pub mod remittance;
mod stream;
mod tenant;
pub mod tenant_state;
pub mod text;
mod unique_value;
pub mod webhook;

#[cfg(test)]
extern crate self as caudal_domain;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod testing;

pub use aggregate::{Act, Stream, StreamState};
pub use command::{Command, decide, judged};
pub use decision::{Actor, Answer, Context, Customers, Decision, Holders};
pub use event::{AddedField, DecodeError, Event};
pub use figures::{Expected, Figures};
pub use personal::{Clear, Personal, PersonalData, PersonalPart};
pub use preview::{Preview, PreviewedAccount, PreviewedTransfer};
pub use quote::{Commission, FrozenTerms, Quote, Terms, UtilityType, validate_amount};
pub use refusal::{FieldError, Refusal, RefusalKind};
pub use stream::{StreamId, StreamKind, UnknownStreamKind};
pub use tenant::{
    AcceptedHistory, DEFAULT_ZONE, MAX_SIGN_ON_LENGTH, PasswordPolicy, SecondFactorRule, SignOnProvider, Tenant,
    TenantCommand, TenantEvent, TenantRecord,
};
pub use tenant_state::{
    STATE_FINGERPRINT, TenantState,
    account::{Account, AccountKind},
    entry::{Entry, Transfer, TransferCode},
};
pub use unique_value::{UniqueValue, UniqueValueKind};
