//! A party's terms for a payment group: who sets which part of them.

use super::{Party, PartyEvent, Role};
use crate::{
    books::account::Account,
    decision::{Context, Decision},
    ids::PaymentGroupId,
    money::{Amount, Rate},
    quote::{Commission, Terms},
    refusal::{Refusal, require},
    text,
};

/// New terms for one group. What is `None` stays, or is the group's default.
#[derive(Clone, Debug, PartialEq)]
pub struct TermsChange {
    /// The catalogue's group.
    pub group: PaymentGroupId,
    /// Units of the currency per USD; set from above.
    pub exchange_rate: Option<Rate>,
    /// The party's own commission.
    pub commission: Option<Commission>,
    /// The party's own name for the group.
    pub name: Option<String>,
    /// Whether it may sell the group; set from above.
    pub is_active: Option<bool>,
    /// How far below 0 its balance may go; set from above.
    pub credit_limit: Option<Amount>,
}

pub(super) fn decide(own: &Party, change: &TermsChange, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    let caller = ctx.caller()?;
    require(caller.oversees(own), || Refusal::not_found("party_not_found"))?;
    require(own.role.holds_terms(), || Refusal::conflict("party_has_no_terms"))?;
    let above = caller.role == Role::Manager || caller.commands(own);
    if !above {
        require_only_own_fields(own, change)?;
    }
    let terms = resolve(own, change, ctx)?;
    Ok(Decision::of(PartyEvent::TermsSet { id: own.id, terms }, own.id))
}

/// A party sets its own commission and name; the rest must be absent or unchanged.
fn require_only_own_fields(own: &Party, change: &TermsChange) -> Result<(), Refusal> {
    let terms = own
        .terms
        .get(&change.group)
        .ok_or_else(|| Refusal::forbidden("terms_set_from_above"))?;
    let unchanged = change.exchange_rate.is_none_or(|rate| rate == terms.exchange_rate)
        && change.is_active.is_none_or(|active| active == terms.is_active)
        && change.credit_limit.is_none_or(|limit| limit == terms.credit_limit);
    require(unchanged, || Refusal::forbidden("terms_set_from_above"))
}

/// The whole terms that a change amounts to, checked.
pub(super) fn resolve(party: &Party, change: &TermsChange, ctx: &Context<'_>) -> Result<Terms, Refusal> {
    let group = ctx
        .books
        .group(change.group)
        .ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_unknown"))?;
    if let Some(agency) = party.agency.and_then(|id| ctx.books.party(id)) {
        require(agency.terms.contains_key(&group.id), || {
            Refusal::invalid("paymentGroupId", "payment_group_not_held_by_agency")
        })?;
    }
    let default = Terms {
        group: group.id,
        exchange_rate: group.exchange_rate,
        commission: if party.role == Role::Agency {
            group.agency_commission
        } else {
            group.agent_commission
        },
        name: None,
        is_active: true,
        credit_limit: Amount::ZERO,
    };
    let current = party.terms.get(&group.id).cloned().unwrap_or(default);
    let terms = Terms {
        group: group.id,
        exchange_rate: change.exchange_rate.unwrap_or(current.exchange_rate),
        commission: change.commission.unwrap_or(current.commission),
        name: change.name.clone().or(current.name).filter(|name| *name != group.name),
        is_active: change.is_active.unwrap_or(current.is_active),
        credit_limit: change.credit_limit.unwrap_or(current.credit_limit),
    };
    require(terms.exchange_rate.is_positive(), || {
        Refusal::invalid("exchangeRate", "rate_not_positive")
    })?;
    terms.commission.validate(if party.role == Role::Agency {
        "agencyCommission"
    } else {
        "agentCommission"
    })?;
    if let Some(name) = &terms.name {
        text::required("name", name, crate::nomenclator::payment_group::MAX_NAME_LENGTH)?;
    }
    require(terms.credit_limit >= Amount::ZERO, || {
        Refusal::invalid("creditLimit", "amount_negative")
    })?;
    require(terms.credit_limit <= Amount::LARGEST, || {
        Refusal::invalid("creditLimit", "amount_too_large")
    })?;
    let used = ctx
        .books
        .owed_on(Account::balance(party.id, group.id, group.currency_to));
    require(
        terms.credit_limit >= used || terms.credit_limit >= current_limit(party, change.group),
        || Refusal::conflict("credit_limit_below_use").with("used", used),
    )?;
    Ok(terms)
}

fn current_limit(party: &Party, group: PaymentGroupId) -> Amount {
    party.terms.get(&group).map_or(Amount::ZERO, |terms| terms.credit_limit)
}
