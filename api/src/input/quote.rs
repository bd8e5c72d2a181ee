//! Commissions, whole and in part.

use super::{
    field::{Faults, Field, FromObject},
    merge::{Merge, Parts, Shown},
};
use crate::extract::{MoneyInput, RateInput};
use caudal_domain::{
    Commission, UtilityType,
    money::{Amount, Rate},
};
use caudal_projections::scalar as utility;
use serde::Deserialize;
use utoipa::ToSchema;

/// Commission as a request gives it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommissionInput {
    /// Percentage of the amount, -100 to 100.
    #[serde(default)]
    #[schema(value_type = RateInput, required)]
    rate: Field<Rate>,
    /// How `utilityValue` is read: fixed 0, percentage 1.
    #[serde(default)]
    #[schema(value_type = utility::UtilityType)]
    utility_type: Field<UtilityType>,
    /// Below this amount of USD `utilityValue` holds instead of `rate`.
    #[serde(default)]
    #[schema(value_type = Option<MoneyInput>)]
    minimal_amount: Field<Amount>,
    /// USD where fixed, a percentage where not.
    #[serde(default)]
    #[schema(value_type = Option<RateInput>)]
    utility_value: Field<Rate>,
}

/// The manager's commission as a request gives it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManagerCommissionInput {
    /// Percentage of the amount, -100 to 100.
    #[serde(default)]
    #[schema(value_type = RateInput, required)]
    rate: Field<Rate>,
}

/// What a request does to a commission: what it leaves out stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommissionChange {
    /// Another percentage.
    pub rate: Option<Rate>,
    /// Another way to read the utility.
    pub utility_type: Option<UtilityType>,
    /// Another minimal amount, or none any more.
    pub minimal_amount: Option<Option<Amount>>,
    /// Another utility, or none any more.
    pub utility_value: Option<Option<Rate>>,
}

impl CommissionChange {
    /// Whether it changes anything.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The commission that it makes of another.
    #[must_use]
    pub fn onto(self, current: Commission) -> Commission {
        Commission {
            rate: self.rate.unwrap_or(current.rate),
            utility_type: self.utility_type.unwrap_or(current.utility_type),
            minimal_amount: self.minimal_amount.unwrap_or(current.minimal_amount),
            utility_value: self.utility_value.unwrap_or(current.utility_value),
        }
    }

    /// Reads the four fields, wherever they stand.
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

/// A whole commission: the rate must be there.
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
    /// The change that sets every part of a commission.
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
