//! A party's terms for payment groups as requests give them.

use super::{
    CommissionChange, CommissionInput,
    enumeration::TermsKind,
    field::{Faults, Field, FromObject},
};
use crate::extract::{MoneyInput, RateInput};
use caudal_domain::{
    Commission, Refusal, UtilityType,
    ids::PaymentGroupId,
    money::{Amount, CurrencyCode, Rate},
    party::{Party, Role, TermsChange},
};
use caudal_projections::scalar;
use serde::Deserialize;
use utoipa::ToSchema;

/// A party's terms for one catalogue group; what is absent comes from the group.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyTermsInput {
    /// The catalogue's group.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// Units of the group's currency per USD.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    exchange_rate: Field<Rate>,
    /// An agency's commission.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agency_commission: Field<Commission>,
    /// An agent's commission.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agent_commission: Field<Commission>,
    /// How far below 0 the balance may go, in the group's currency.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    credit_limit: Field<Amount>,
    /// The party's own name for the group.
    #[serde(default)]
    #[schema(value_type = String)]
    name: Field<String>,
    /// Whether the party may sell it.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
}

impl PartyTermsInput {
    fn read(self, commission: Option<Commission>, faults: &mut Faults) -> Option<TermsChange> {
        let group = faults.required("paymentGroupId", self.payment_group_id);
        let exchange_rate = faults.optional("exchangeRate", self.exchange_rate);
        let credit_limit = faults.optional("creditLimit", self.credit_limit);
        let name = faults.text("name", self.name);
        let is_active = faults.optional("isActive", self.is_active);
        Some(TermsChange {
            group: group?,
            exchange_rate,
            commission,
            name,
            is_active,
            credit_limit,
        })
    }
}

/// Terms of an agency to be made.
#[derive(Debug)]
pub(super) struct AgencyTerms(pub(super) TermsChange);

impl FromObject for AgencyTerms {
    type Input = PartyTermsInput;

    fn from_object(mut input: PartyTermsInput, faults: &mut Faults) -> Option<Self> {
        let commission = faults.optional("agencyCommission", std::mem::take(&mut input.agency_commission));
        input.read(commission, faults).map(Self)
    }
}

/// Terms of an agent to be made.
#[derive(Debug)]
pub(super) struct AgentTerms(pub(super) TermsChange);

impl FromObject for AgentTerms {
    type Input = PartyTermsInput;

    fn from_object(mut input: PartyTermsInput, faults: &mut Faults) -> Option<Self> {
        let commission = faults.optional("agentCommission", std::mem::take(&mut input.agent_commission));
        input.read(commission, faults).map(Self)
    }
}

/// A change of a party's terms for one group; what is absent stays. The party's own commission is given either by the
/// four fields `rate`, `utilityType`, `minimalAmount` and `utilityValue`, or as an object.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TermsInput {
    /// The catalogue's group.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// What the group sells: always USD.
    #[serde(default)]
    #[schema(value_type = String)]
    currency_from: Field<CurrencyCode>,
    /// What the group pays out, which does not change.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    currency_to: Field<CurrencyCode>,
    /// The party's own name for the group.
    #[serde(default)]
    #[schema(value_type = String)]
    name: Field<String>,
    /// Percentage of the amount, -100 to 100.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    rate: Field<Rate>,
    /// How `utilityValue` is read: fixed 0, percentage 1.
    #[serde(default)]
    #[schema(value_type = scalar::UtilityType)]
    utility_type: Field<UtilityType>,
    /// Below this amount of USD `utilityValue` holds instead of `rate`; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<MoneyInput>)]
    minimal_amount: Field<Amount>,
    /// USD where fixed, a percentage where not; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<RateInput>)]
    utility_value: Field<Rate>,
    /// An agency's commission, as an object.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agency_commission: Field<CommissionChange>,
    /// An agent's commission, as an object.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agent_commission: Field<CommissionChange>,
    /// Units of the group's currency per USD; set from above.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    exchange_rate: Field<Rate>,
    /// How far below 0 the balance may go; set from above.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    credit_limit: Field<Amount>,
    /// Whether the party may sell it; set from above.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// A party's terms are of type 1.
    #[serde(default)]
    #[schema(value_type = scalar::PaymentGroupType)]
    r#type: Field<TermsKind>,
}

impl TermsInput {
    /// The change that it describes for a party, whose present commission is `current(group)`.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn change(
        self,
        party: &Party,
        current: impl FnOnce(PaymentGroupId) -> (Commission, Option<CurrencyCode>),
    ) -> Result<TermsChange, Refusal> {
        let mut faults = Faults::default();
        let group = faults.required("paymentGroupId", self.payment_group_id);
        let sells = faults.optional("currencyFrom", self.currency_from);
        if sells.is_some_and(|currency| currency != CurrencyCode::USD) {
            faults.add("currencyFrom", "currency_from_is_usd");
        }
        let pays = faults.optional("currencyTo", self.currency_to);
        if faults.optional("type", self.r#type) == Some(TermsKind::Catalogue) {
            faults.add("type", "party_type_is_one");
        }
        let exchange_rate = faults.optional("exchangeRate", self.exchange_rate);
        let credit_limit = faults.optional("creditLimit", self.credit_limit);
        let name = faults.text("name", self.name);
        let is_active = faults.optional("isActive", self.is_active);
        let flat = CommissionChange::read(
            self.rate,
            self.utility_type,
            self.minimal_amount,
            self.utility_value,
            &mut faults,
        );
        let agency = faults.optional("agencyCommission", self.agency_commission);
        let agent = faults.optional("agentCommission", self.agent_commission);
        let object = if party.role == Role::Agency { agency } else { agent };
        let change = if flat.is_none() {
            object.unwrap_or_default()
        } else {
            flat
        };
        let (commission, currency) = match group {
            Some(group) => current(group),
            None => Default::default(),
        };
        if pays.is_some() && currency.is_some() && pays != currency {
            faults.add("currencyTo", "currency_is_fixed");
        }
        faults.finish(|| {
            Some(TermsChange {
                group: group?,
                exchange_rate,
                commission: (!change.is_none()).then(|| change.onto(commission)),
                name,
                is_active,
                credit_limit,
            })
        })
    }
}
