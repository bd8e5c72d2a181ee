//! Request bodies of parties' terms.

use super::{
    CommissionChange, CommissionInput,
    decimal::{MoneyInput, RateInput},
    enumeration::TermsKind,
    field::{Faults, Field, FromObject},
    merge::{Merge, Mergeable, standing},
};
use caudal_domain::{
    Commission, Refusal, Terms, UtilityType,
    ids::PaymentGroupId,
    money::{Amount, CurrencyCode, Rate},
    party::{Party, Role, TermsChange},
};
use caudal_projections::scalar;
use serde::Deserialize;
use utoipa::ToSchema;

/// A party's terms for one payment group; absent fields come from the group.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PartyTermsInput {
    /// Id of the catalogue's payment group.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// Exchange rate: units of the group's currency per USD.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    exchange_rate: Field<Rate>,
    /// Commission of an agency.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agency_commission: Field<Commission>,
    /// Commission of an agent.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agent_commission: Field<Commission>,
    /// Credit limit: how far below 0 the balance may go, in the group's currency.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    credit_limit: Field<Amount>,
    /// The party's own name for the group, at most 80 characters.
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

/// Terms of a new agency.
#[derive(Debug)]
pub(super) struct AgencyTerms(pub(super) TermsChange);

impl FromObject for AgencyTerms {
    type Input = PartyTermsInput;

    fn from_object(mut input: PartyTermsInput, faults: &mut Faults) -> Option<Self> {
        let commission = faults.optional("agencyCommission", std::mem::take(&mut input.agency_commission));
        input.read(commission, faults).map(Self)
    }
}

/// Terms of a new agent.
#[derive(Debug)]
pub(super) struct AgentTerms(pub(super) TermsChange);

impl FromObject for AgentTerms {
    type Input = PartyTermsInput;

    fn from_object(mut input: PartyTermsInput, faults: &mut Faults) -> Option<Self> {
        let commission = faults.optional("agentCommission", std::mem::take(&mut input.agent_commission));
        input.read(commission, faults).map(Self)
    }
}

/// A change of a party's terms for one payment group; absent fields stay unchanged. The party's own commission is given
/// either by the four fields `rate`, `utilityType`, `minimalAmount` and `utilityValue`, or as an object.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TermsInput {
    /// Id of the catalogue's payment group.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// Currency of the amount sold: always USD.
    #[serde(default)]
    #[schema(value_type = String)]
    currency_from: Field<CurrencyCode>,
    /// Currency paid out; immutable.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    currency_to: Field<CurrencyCode>,
    /// The party's own name for the group, at most 80 characters.
    #[serde(default)]
    #[schema(value_type = String)]
    name: Field<String>,
    /// Percentage of the amount, -100 to 100; negative for a discount.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    rate: Field<Rate>,
    /// Unit of `utilityValue`: fixed 0, percentage 1.
    #[serde(default)]
    #[schema(value_type = scalar::UtilityType)]
    utility_type: Field<UtilityType>,
    /// Below this amount in USD, `utilityValue` replaces `rate`; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<MoneyInput>)]
    minimal_amount: Field<Amount>,
    /// Utility: USD when fixed, otherwise a percentage; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<RateInput>)]
    utility_value: Field<Rate>,
    /// Commission of an agency, as an object.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agency_commission: Field<CommissionChange>,
    /// Commission of an agent, as an object.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agent_commission: Field<CommissionChange>,
    /// Exchange rate: units of the group's currency per USD; set by the superior.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    exchange_rate: Field<Rate>,
    /// Credit limit: how far below 0 the balance may go; set by the superior.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    credit_limit: Field<Amount>,
    /// Whether the party may sell it; set by the superior.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// Always 1: a party's own terms.
    #[serde(default)]
    #[schema(value_type = scalar::PaymentGroupType)]
    r#type: Field<TermsKind>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`.
    #[serde(default, deserialize_with = "crate::input::merge::was")]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

/// Absent fields stay absent, and so unchanged in the decision: the group's defaults are not the party's terms.
impl Mergeable for TermsInput {
    fn take_was(&mut self) -> Option<Box<Self>> {
        self.was.take()
    }

    #[allow(private_interfaces, reason = "as its trait")]
    fn onto(self, was: &Self, stands: Self, merge: &mut Merge) -> Self {
        Self {
            name: merge.sent("name", self.name, &was.name, &stands.name),
            rate: merge.sent("rate", self.rate, &was.rate, &stands.rate),
            utility_type: merge.sent(
                "utilityType",
                self.utility_type,
                &was.utility_type,
                &stands.utility_type,
            ),
            minimal_amount: merge.sent(
                "minimalAmount",
                self.minimal_amount,
                &was.minimal_amount,
                &stands.minimal_amount,
            ),
            utility_value: merge.sent(
                "utilityValue",
                self.utility_value,
                &was.utility_value,
                &stands.utility_value,
            ),
            agency_commission: merge.parts(
                "agencyCommission",
                self.agency_commission,
                &was.agency_commission,
                &stands.agency_commission,
            ),
            agent_commission: merge.parts(
                "agentCommission",
                self.agent_commission,
                &was.agent_commission,
                &stands.agent_commission,
            ),
            exchange_rate: merge.sent(
                "exchangeRate",
                self.exchange_rate,
                &was.exchange_rate,
                &stands.exchange_rate,
            ),
            credit_limit: merge.sent(
                "creditLimit",
                self.credit_limit,
                &was.credit_limit,
                &stands.credit_limit,
            ),
            is_active: merge.sent("isActive", self.is_active, &was.is_active, &stands.is_active),
            ..self
        }
    }
}

impl TermsInput {
    /// The group, if valid.
    pub(crate) const fn group(&self) -> Option<PaymentGroupId> {
        match self.payment_group_id {
            Field::Given(group) => Some(group),
            _ => None,
        }
    }

    /// Current terms in the shape of a request; `group_name` when the party has no name of its own.
    pub(crate) fn standing(terms: &Terms, group_name: &str) -> Self {
        let commission = terms.commission;
        let object = || Field::Given(CommissionChange::whole(commission));
        Self {
            name: Field::Given(terms.name.clone().unwrap_or_else(|| group_name.to_owned())),
            rate: Field::Given(commission.rate),
            utility_type: Field::Given(commission.utility_type),
            minimal_amount: standing(commission.minimal_amount),
            utility_value: standing(commission.utility_value),
            agency_commission: object(),
            agent_commission: object(),
            exchange_rate: Field::Given(terms.exchange_rate),
            credit_limit: Field::Given(terms.credit_limit),
            is_active: Field::Given(terms.is_active),
            ..Self::default()
        }
    }

    /// Converts to a change for a party with the current commission `current(group)`.
    ///
    /// # Errors
    /// All field errors.
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
