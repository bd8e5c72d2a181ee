//! Request bodies and their conversion to domain commands.
//!
//! A body is a struct of [`field::Field`]s. Reading never fails on a field: each keeps its errors, and the conversion
//! reports all of them at once, by path and rule code. Money and rates are parsed from digits; binary floats are never
//! used.

pub mod api_key;
pub mod approval;
pub mod customer;
pub mod dashboard;
mod decimal;
mod enumeration;
pub mod expected;
mod field;
pub mod limit;
pub(crate) mod merge;
pub mod movement;
pub mod office;
pub mod party;
pub mod passkey;
pub mod password;
pub mod password_policy;
mod quote;
pub mod rates;
pub mod reference_data;
pub mod remittance;
mod scalar;
pub mod screening;
pub mod second_factor;
pub mod sign_on;
pub mod standing_terms;
pub mod terms;
pub mod user;
pub mod webhook;

pub use quote::{CommissionChange, CommissionInput, ManagerCommissionInput};
pub(crate) use scalar::money;
