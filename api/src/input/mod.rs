//! What requests bring, and the domain commands that they mean.
//!
//! A request's body is a struct of [`field::Field`]s. Reading it never fails on a field: each keeps its fault, and the
//! conversion into a command tells all of them at once, by the field's path in the request and the rule's code.
//! Money and rates are read from the digits of the request; no binary float is ever made of them.

pub mod customer;
pub mod dashboard;
mod enumeration;
pub mod expected;
mod field;
pub(crate) mod merge;
pub mod movement;
pub mod nomenclator;
pub mod party;
pub mod password;
mod quote;
pub mod rates;
pub mod remittance;
mod scalar;
pub mod terms;
pub mod user;

pub use quote::{CommissionChange, CommissionInput, ManagerCommissionInput};
pub(crate) use scalar::money;
