//! Terms in the body of a changed seller. Its call changes none: clients that send whole rows back send them as they were read.

use super::{
    CommissionInput, ManagerCommissionInput,
    decimal::{MoneyInput, RateInput},
    enumeration::TermsKind,
    field::{Faults, Field, FromObject},
    quote::ManagerCommission,
};
use caudal_domain::{
    Commission, Refusal, TenantState,
    ids::PaymentGroupId,
    money::{Amount, CurrencyCode, Rate},
    party::{Party, Role},
};
use caudal_projections::scalar;
use serde::Deserialize;
use utoipa::ToSchema;

/// A seller's terms for one payment group, as its row has them. This call changes none: other terms are refused, and are set by
/// `exchange_rate/{id}` of agencies or agents.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StandingTermsInput {
    /// Id of the catalogue's payment group.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// Id of the catalogue's payment group again.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    id: Field<PaymentGroupId>,
    /// Name of the group; not compared.
    #[serde(default)]
    #[schema(value_type = String)]
    group_name: Field<String>,
    /// The party's own name for the group.
    #[serde(default)]
    #[schema(value_type = String)]
    name: Field<String>,
    /// Currency of the amount sold; not compared.
    #[serde(default)]
    #[schema(value_type = String)]
    currency_from: Field<CurrencyCode>,
    /// Currency paid out; not compared.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    currency_to: Field<CurrencyCode>,
    /// Prepaid balance; not compared.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    amount: Field<Amount>,
    /// Payouts; not compared.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    expenses: Field<Amount>,
    /// Exchange rate.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    exchange_rate: Field<Rate>,
    /// Credit limit.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    credit_limit: Field<Amount>,
    /// The manager's commission; not compared.
    #[serde(default)]
    #[schema(value_type = ManagerCommissionInput)]
    manager_commission: Field<ManagerCommission>,
    /// Commission of the agency; compared where it is the agency's terms.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agency_commission: Field<Commission>,
    /// Commission of the agent.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agent_commission: Field<Commission>,
    /// Whether it may be sold.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// Always 1: a party's own terms.
    #[serde(default)]
    #[schema(value_type = scalar::PaymentGroupType)]
    r#type: Field<TermsKind>,
}

/// What is compared of sent terms; an absent part is as it stands.
#[derive(Clone, Debug)]
pub(super) struct StandingTerms {
    group: PaymentGroupId,
    name: Option<String>,
    exchange_rate: Option<Rate>,
    credit_limit: Option<Amount>,
    agency_commission: Option<Commission>,
    agent_commission: Option<Commission>,
    is_active: Option<bool>,
}

impl FromObject for StandingTerms {
    type Input = StandingTermsInput;

    fn from_object(input: StandingTermsInput, faults: &mut Faults) -> Option<Self> {
        let group = faults.required("paymentGroupId", input.payment_group_id);
        faults.optional("id", input.id);
        faults.optional("groupName", input.group_name);
        faults.optional("currencyFrom", input.currency_from);
        faults.optional("currencyTo", input.currency_to);
        faults.optional("amount", input.amount);
        faults.optional("expenses", input.expenses);
        faults.optional("managerCommission", input.manager_commission);
        faults.optional("type", input.r#type);
        let name = faults.text("name", input.name);
        let exchange_rate = faults.optional("exchangeRate", input.exchange_rate);
        let credit_limit = faults.optional("creditLimit", input.credit_limit);
        let agency_commission = faults.optional("agencyCommission", input.agency_commission);
        let agent_commission = faults.optional("agentCommission", input.agent_commission);
        let is_active = faults.optional("isActive", input.is_active);
        Some(Self {
            group: group?,
            name,
            exchange_rate,
            credit_limit,
            agency_commission,
            agent_commission,
            is_active,
        })
    }
}

impl StandingTerms {
    /// Parts that are not as a seller has them.
    fn changed(&self, seller: &Party, state: &TenantState) -> Vec<&'static str> {
        let Some(terms) = seller.terms.get(&self.group) else {
            return vec!["paymentGroupId"];
        };
        // A row tells whether it may be sold now.
        let is_sold = terms.is_active && state.group(self.group).is_some_and(|group| group.is_active);
        let (own, commission) = if seller.role == Role::Agency {
            ("agencyCommission", self.agency_commission)
        } else {
            ("agentCommission", self.agent_commission)
        };
        let parts = [
            ("name", self.name.is_some() && self.name != terms.name),
            (
                "exchangeRate",
                self.exchange_rate.is_some_and(|rate| rate != terms.exchange_rate),
            ),
            (
                "creditLimit",
                self.credit_limit.is_some_and(|limit| limit != terms.credit_limit),
            ),
            (own, commission.is_some_and(|commission| commission != terms.commission)),
            (
                "isActive",
                self.is_active.is_some_and(|is| is != is_sold && is != terms.is_active),
            ),
        ];
        let changed = parts.into_iter().filter(|(_, is_changed)| *is_changed);
        changed.map(|(part, _)| part).collect()
    }
}

/// Refuses terms other than those that a seller has. A list need not have all of them.
pub(super) fn require_standing(
    sent: &Field<Vec<StandingTerms>>,
    seller: &Party,
    state: &TenantState,
) -> Result<(), Refusal> {
    let mut faults = Faults::default();
    let sent = faults.optional("paymentGroups", sent.clone()).unwrap_or_default();
    // An internal agent sells by the terms of its agency, which stand in its row.
    let agency = seller.agency.filter(|_| seller.role == Role::InternalAgent);
    let seller = agency.and_then(|id| state.party(id)).unwrap_or(seller);
    for (index, terms) in sent.iter().enumerate() {
        for part in terms.changed(seller, state) {
            faults.add(format!("paymentGroups[{index}].{part}"), "terms_set_by_another_call");
        }
    }
    faults.finish(|| Some(()))
}
