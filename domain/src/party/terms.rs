//! A party's terms for a payment group, and who may set which part.

use super::{
    Party, PartyEvent, Role,
    permission::{Action, judge},
};
use crate::{
    decision::{Context, Decision},
    ids::PaymentGroupId,
    money::{Amount, Rate},
    quote::{Commission, Terms},
    refusal::{Refusal, require},
    tenant_state::account::Account,
    text,
};
use serde::{Deserialize, Serialize};

/// Changed terms for one group. `None` keeps the current value, or the group's default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TermsChange {
    pub group: PaymentGroupId,
    /// Units of the currency per USD; set by the superior.
    pub exchange_rate: Option<Rate>,
    /// The party's own commission.
    pub commission: Option<Commission>,
    /// The party's own name for the group.
    pub name: Option<String>,
    /// Whether it may sell the group; set by the superior.
    pub is_active: Option<bool>,
    /// Credit limit: how far below 0 its balance may go; set by the superior.
    pub credit_limit: Option<Amount>,
}

pub(super) fn decide(own: &Party, change: &TermsChange, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    let caller = ctx.caller()?;
    judge(caller.into(), own.into(), Action::SetOwnTerms)?;
    if let Err(refusal) = judge(caller.into(), own.into(), Action::SetTerms) {
        require_only_own_fields(own, change, &refusal)?;
    }
    let terms = resolve(own, change, ctx)?;
    let unchanged = own.terms.get(&terms.group) == Some(&terms);
    Ok(Decision::of(PartyEvent::TermsSet { id: own.id, terms }, own.id).unless(unchanged))
}

/// A party sets its own commission and name; the other parts must be absent or unchanged.
fn require_only_own_fields(own: &Party, change: &TermsChange, refusal: &Refusal) -> Result<(), Refusal> {
    let terms = own.terms.get(&change.group).ok_or_else(|| refusal.clone())?;
    let unchanged = change.exchange_rate.is_none_or(|rate| rate == terms.exchange_rate)
        && change.is_active.is_none_or(|active| active == terms.is_active)
        && change.credit_limit.is_none_or(|limit| limit == terms.credit_limit);
    require(unchanged, || refusal.clone())
}

/// Complete, validated terms after a change.
pub(super) fn resolve(party: &Party, change: &TermsChange, ctx: &Context<'_>) -> Result<Terms, Refusal> {
    let group = ctx
        .state
        .group(change.group)
        .ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_unknown"))?;
    if let Some(agency) = party.agency.and_then(|id| ctx.state.party(id)) {
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
        text::required("name", name, crate::reference_data::payment_group::MAX_NAME_LENGTH)?;
    }
    require(terms.credit_limit >= Amount::ZERO, || {
        Refusal::invalid("creditLimit", "amount_negative")
    })?;
    require(terms.credit_limit <= Amount::LARGEST, || {
        Refusal::invalid("creditLimit", "amount_too_large")
    })?;
    let used = ctx
        .state
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        ids::PartyId,
        party::PartyCommand,
        testing::{
            Business, amount, commission,
            given::{Caller, Then, Tried},
            rate, terms,
        },
    };

    fn nothing(group: PaymentGroupId) -> TermsChange {
        TermsChange {
            group,
            exchange_rate: None,
            commission: None,
            name: None,
            is_active: None,
            credit_limit: None,
        }
    }

    fn own_commission(group: PaymentGroupId) -> TermsChange {
        TermsChange {
            commission: Some(commission("6.5", Default::default(), None)),
            ..nothing(group)
        }
    }

    fn set(business: &Business, caller: impl Caller, party: PartyId, change: TermsChange) -> Tried<Party> {
        let act = business.world.by(caller, PartyCommand::SetTerms(change));
        business.world.given::<Party>(party).when(act)
    }

    #[test]
    fn terms_not_in_a_change_stay() {
        let business = Business::new();
        let old = business.world.tenant_state.party(business.agency).unwrap().terms[&business.usd].clone();
        let terms = Terms {
            commission: commission("6.5", Default::default(), None),
            ..old
        };
        set(
            &business,
            business.manager,
            business.agency,
            own_commission(business.usd),
        )
        .then_expect_events(vec![PartyEvent::TermsSet {
            id: business.agency,
            terms,
        }]);
    }

    #[test]
    fn a_name_equal_to_the_groups_is_not_stored() {
        let business = Business::new();
        let named = |name: &str| {
            let change = TermsChange {
                name: Some(name.into()),
                ..nothing(business.cup)
            };
            let event = set(&business, business.agency, business.agency, change).then_event();
            let PartyEvent::TermsSet { terms, .. } = event else {
                panic!("{event:?}")
            };
            terms.name
        };
        assert_eq!(named("Pesos al momento"), Some("Pesos al momento".into()));
        let business = Business::new();
        let own = TermsChange {
            name: Some("CUP".into()),
            ..own_commission(business.cup)
        };
        let event = set(&business, business.agency, business.agency, own).then_event();
        let PartyEvent::TermsSet { terms, .. } = event else {
            panic!("{event:?}")
        };
        assert_eq!(terms.name, None);
    }

    #[test]
    fn terms_that_stay_as_they_are_write_no_event() {
        let business = Business::new();
        let held = business.world.tenant_state.party(business.agency).unwrap().terms[&business.cup].clone();
        let same = TermsChange {
            exchange_rate: Some(held.exchange_rate),
            commission: Some(held.commission),
            is_active: Some(held.is_active),
            credit_limit: Some(held.credit_limit),
            ..nothing(business.cup)
        };
        for change in [nothing(business.cup), same] {
            set(&business, business.manager, business.agency, change).then_expect_events(vec![]);
        }
    }

    #[test]
    fn a_seller_sets_its_own_commission_and_nothing_that_is_set_from_above() {
        let business = Business::new();
        for seller in [business.agency, business.agent, business.free_agent] {
            set(&business, seller, seller, own_commission(business.cup)).then_event();
            let cup = business.cup;
            for change in [
                TermsChange {
                    exchange_rate: Some(rate("999")),
                    ..own_commission(cup)
                },
                TermsChange {
                    credit_limit: Some(amount("1")),
                    ..own_commission(cup)
                },
                TermsChange {
                    is_active: Some(false),
                    ..own_commission(cup)
                },
            ] {
                set(&business, seller, seller, change).then_refused(Forbidden, "terms_set_from_above");
            }
        }
        let unchanged = TermsChange {
            exchange_rate: Some(rate("318.50")),
            credit_limit: Some(amount("0")),
            is_active: Some(true),
            ..own_commission(business.cup)
        };
        set(&business, business.agency, business.agency, unchanged).then_event();
        set(&business, business.agent, business.agent, nothing(business.mlc))
            .then_refused(Forbidden, "terms_set_from_above");
    }

    #[test]
    fn the_manager_sets_agencies_and_an_agency_its_own_agents() {
        let business = Business::new();
        let change = || terms(business.cup, "310", Default::default(), "5000");
        set(&business, business.manager, business.agency, change()).then_event();
        set(&business, business.manager, business.agent, change()).then_event();
        set(&business, business.agency, business.agent, change()).then_event();
        set(&business, business.agency, business.free_agent, change()).then_refused(NotFound, "party_not_found");
        set(&business, business.other_agency, business.agent, change()).then_refused(NotFound, "party_not_found");
        set(&business, business.dealer, business.agency, change()).then_refused(NotFound, "party_not_found");
    }

    #[test]
    fn internal_agents_and_dealers_have_no_terms() {
        let business = Business::new();
        for party in [business.clerk, business.dealer] {
            set(&business, business.manager, party, nothing(business.cup)).then_refused(Conflict, "party_has_no_terms");
        }
    }

    #[test]
    fn an_agent_is_not_given_a_group_that_its_agency_does_not_hold() {
        let mut business = Business::new();
        let manager = business.manager;
        let euro = business
            .world
            .group(manager, "EUR", crate::money::CurrencyCode::EUR, "0.9", "1");
        set(&business, manager, business.agent, nothing(euro))
            .then_refused(Invalid, "invalid paymentGroupId:payment_group_not_held_by_agency");
        set(&business, manager, business.free_agent, nothing(euro)).then_event();
        let unknown = nothing(PaymentGroupId::generate());
        set(&business, manager, business.agent, unknown)
            .then_refused(Invalid, "invalid paymentGroupId:payment_group_unknown");
    }

    #[test]
    fn a_credit_limit_is_not_lowered_below_its_use() {
        let mut business = Business::funded();
        let (manager, agency, usd) = (business.manager, business.agency, business.usd);
        let sale = business.sale(usd, 3_200_00);
        business.sell(agency, sale);
        let limit = |text: &str| TermsChange {
            credit_limit: Some(amount(text)),
            ..nothing(usd)
        };
        set(&business, manager, agency, limit("200")).then_event();
        set(&business, manager, agency, limit("199.99"))
            .then_expect_error(Refusal::conflict("credit_limit_below_use").with("used", "200.00"));
    }

    #[test]
    fn rates_commissions_and_limits_have_bounds() {
        let business = Business::new();
        let cup = business.cup;
        let with = |percent, utility_type, special| TermsChange {
            commission: Some(commission(percent, utility_type, special)),
            ..nothing(cup)
        };
        use crate::quote::UtilityType::{Fixed, Percentage};
        for (change, refused) in [
            (
                TermsChange {
                    exchange_rate: Some(rate("0")),
                    ..nothing(cup)
                },
                "exchangeRate:rate_not_positive",
            ),
            (
                TermsChange {
                    credit_limit: Some(amount("-1")),
                    ..nothing(cup)
                },
                "creditLimit:amount_negative",
            ),
            (
                TermsChange {
                    credit_limit: Some(amount("1000000000000.01")),
                    ..nothing(cup)
                },
                "creditLimit:amount_too_large",
            ),
            (
                TermsChange {
                    name: Some(" ".into()),
                    ..nothing(cup)
                },
                "name:required",
            ),
            (
                with("-100.01", Fixed, None),
                "agencyCommission.rate:percentage_out_of_range",
            ),
            (
                with("1", Fixed, Some(("-1", "4"))),
                "agencyCommission.minimalAmount:amount_negative",
            ),
            (
                with("1", Fixed, Some(("1000000000000.01", "4"))),
                "agencyCommission.minimalAmount:amount_too_large",
            ),
            (
                with("1", Fixed, Some(("50", "4.005"))),
                "agencyCommission.utilityValue:amount_too_many_decimals",
            ),
            (
                with("1", Percentage, Some(("50", "101"))),
                "agencyCommission.utilityValue:percentage_out_of_range",
            ),
        ] {
            set(&business, business.manager, business.agency, change)
                .then_refused(Invalid, &format!("invalid {refused}"));
        }
        set(
            &business,
            business.manager,
            business.agency,
            with("-100", Percentage, Some(("50", "-100"))),
        )
        .then_event();
    }
}
