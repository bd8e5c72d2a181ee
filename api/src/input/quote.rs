//! Commissions in requests, complete and partial.

use super::{
    decimal::{MoneyInput, RateInput},
    field::{Faults, Field, FromObject},
    merge::{Merge, Parts, Shown},
};
use caudal_domain::{
    Commission, UtilityType,
    money::{Amount, Rate},
};
use caudal_projections::scalar as utility;
use serde::Deserialize;
use utoipa::ToSchema;

/// A commission.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CommissionInput {
    /// Percentage of the amount, -100 to 100; negative for a discount.
    #[serde(default)]
    #[schema(value_type = RateInput, required)]
    rate: Field<Rate>,
    /// Unit of `utilityValue`: fixed 0, percentage 1.
    #[serde(default)]
    #[schema(value_type = utility::UtilityType)]
    utility_type: Field<UtilityType>,
    /// Below this amount in USD, `utilityValue` replaces `rate`.
    #[serde(default)]
    #[schema(value_type = Option<MoneyInput>)]
    minimal_amount: Field<Amount>,
    /// Utility: USD when fixed, otherwise a percentage.
    #[serde(default)]
    #[schema(value_type = Option<RateInput>)]
    utility_value: Field<Rate>,
}

/// The manager's commission.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ManagerCommissionInput {
    /// Percentage of the amount, -100 to 100; negative for a discount.
    #[serde(default)]
    #[schema(value_type = RateInput, required)]
    rate: Field<Rate>,
}

/// A partial change of a commission; absent parts are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommissionChange {
    /// New percentage.
    pub rate: Option<Rate>,
    /// New unit of the utility.
    pub utility_type: Option<UtilityType>,
    /// New minimal amount, or its removal.
    pub minimal_amount: Option<Option<Amount>>,
    /// New utility, or its removal.
    pub utility_value: Option<Option<Rate>>,
}

impl CommissionChange {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Applies the change to a commission.
    #[must_use]
    pub fn onto(self, current: Commission) -> Commission {
        Commission {
            rate: self.rate.unwrap_or(current.rate),
            utility_type: self.utility_type.unwrap_or(current.utility_type),
            minimal_amount: self.minimal_amount.unwrap_or(current.minimal_amount),
            utility_value: self.utility_value.unwrap_or(current.utility_value),
        }
    }

    /// Reads the four fields.
    pub(super) fn read(
        rate: Field<Rate>,
        utility_type: Field<UtilityType>,
        minimal_amount: Field<Amount>,
        utility_value: Field<Rate>,
        faults: &mut Faults,
    ) -> Self {
        Self {
            rate: faults.optional("rate", rate),
            utility_type: faults.optional("utilityType", utility_type),
            minimal_amount: faults.change("minimalAmount", minimal_amount),
            utility_value: faults.change("utilityValue", utility_value),
        }
    }
}

impl FromObject for CommissionChange {
    type Input = CommissionInput;

    fn from_object(input: CommissionInput, faults: &mut Faults) -> Option<Self> {
        let CommissionInput {
            rate,
            utility_type,
            minimal_amount,
            utility_value,
        } = input;
        Some(Self::read(rate, utility_type, minimal_amount, utility_value, faults))
    }
}

/// A complete commission: the rate is required.
impl FromObject for Commission {
    type Input = CommissionInput;

    fn from_object(input: CommissionInput, faults: &mut Faults) -> Option<Self> {
        let rate = faults.required("rate", input.rate);
        let utility_type = faults.optional("utilityType", input.utility_type).unwrap_or_default();
        let minimal_amount = faults.optional("minimalAmount", input.minimal_amount);
        let utility_value = faults.optional("utilityValue", input.utility_value);
        Some(Self {
            rate: rate?,
            utility_type,
            minimal_amount,
            utility_value,
        })
    }
}

impl CommissionChange {
    /// A change of every part.
    pub(super) const fn whole(commission: Commission) -> Self {
        Self {
            rate: Some(commission.rate),
            utility_type: Some(commission.utility_type),
            minimal_amount: Some(commission.minimal_amount),
            utility_value: Some(commission.utility_value),
        }
    }
}

impl Parts for CommissionChange {
    fn merged(self, was: &Self, stands: &Self, name: &'static str, merge: &mut Merge) -> Self {
        let none_as_null = serde_json::Value::Null;
        Self {
            rate: merge.part((name, "rate"), self.rate, was.rate, stands.rate, |rate| rate.shown()),
            utility_type: merge.part(
                (name, "utilityType"),
                self.utility_type,
                was.utility_type,
                stands.utility_type,
                |kind| kind.shown(),
            ),
            minimal_amount: merge.part(
                (name, "minimalAmount"),
                self.minimal_amount,
                was.minimal_amount,
                stands.minimal_amount,
                |amount| amount.map_or(none_as_null.clone(), |amount| amount.shown()),
            ),
            utility_value: merge.part(
                (name, "utilityValue"),
                self.utility_value,
                was.utility_value,
                stands.utility_value,
                |value| value.map_or(none_as_null.clone(), |value| value.shown()),
            ),
        }
    }
}

impl Parts for Commission {
    fn merged(self, was: &Self, stands: &Self, name: &'static str, merge: &mut Merge) -> Self {
        let whole = CommissionChange::whole;
        whole(self)
            .merged(&whole(*was), &whole(*stands), name, merge)
            .onto(*stands)
    }
}

/// A manager's commission: a plain percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ManagerCommission(pub(super) Commission);

impl Parts for ManagerCommission {
    fn merged(self, was: &Self, stands: &Self, name: &'static str, merge: &mut Merge) -> Self {
        Self(self.0.merged(&was.0, &stands.0, name, merge))
    }
}

impl FromObject for ManagerCommission {
    type Input = ManagerCommissionInput;

    fn from_object(input: ManagerCommissionInput, faults: &mut Faults) -> Option<Self> {
        faults
            .required("rate", input.rate)
            .map(|rate| Self(Commission::percentage(rate)))
    }
}
