//! The figures that a person confirmed, as requests state them.

use super::field::{Faults, Field, FromObject};
use crate::extract::MoneyInput;
use caudal_domain::{Expected, money::Amount};
use serde::Deserialize;
use utoipa::ToSchema;

/// The figures that the person confirmed. Where the decision arrives at others, nothing is done: 409 `quote_changed`
/// with the new figures.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExpectedInput {
    /// What the receiver gets: a sale's payout, the balance assigned, what an exchange gives.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    payout: Field<Amount>,
    /// What is paid or owed for it: a sale's total in USD, the USD value of an assignment, what a payment takes.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    total_to_pay: Field<Amount>,
}

/// The figures of a field that states them.
#[must_use]
pub const fn given(field: &Field<Expected>) -> Option<Expected> {
    match field {
        Field::Given(expected) => Some(*expected),
        Field::Absent | Field::Null | Field::Faulty(_) => None,
    }
}

impl FromObject for Expected {
    type Input = ExpectedInput;

    fn from_object(input: ExpectedInput, faults: &mut Faults) -> Option<Self> {
        let payout = faults.optional("payout", input.payout);
        let total_to_pay = faults.optional("totalToPay", input.total_to_pay);
        Some(Self { payout, total_to_pay })
    }
}
