//! Confirmed figures in requests.

use super::{
    decimal::MoneyInput,
    field::{Faults, Field, FromObject},
};
use caudal_domain::{Expected, money::Amount};
use serde::Deserialize;
use utoipa::ToSchema;

/// Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed` with
/// the current figures.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExpectedInput {
    /// Amount paid out: a sale's payout, the balance assigned, an exchange's counter value.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    payout: Field<Amount>,
    /// Amount paid or owed for it: a sale's total in USD, an assignment's USD value, a payment's amount.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    total_to_pay: Field<Amount>,
}

/// The figures of a field, if given.
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
