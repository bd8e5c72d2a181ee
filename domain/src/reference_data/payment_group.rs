//! Catalogue of payment groups: the products that can be sold.

use crate::{
    decision::{Context, Decision},
    ids::PaymentGroupId,
    money::{CurrencyCode, Rate},
    quote::Commission,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};

/// In characters; must fit a table column and a tab.
pub const MAX_NAME_LENGTH: usize = 80;

/// A product of the catalogue: sold in USD, paid out in its currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PaymentGroup {
    pub id: PaymentGroupId,
    /// Unique in the tenant.
    pub name: String,
    /// Currency paid out. Immutable: balances are keyed by it.
    pub currency_to: CurrencyCode,
    /// Units of the currency per USD; a party's terms may override it.
    pub exchange_rate: Rate,
    pub manager_commission: Commission,
    /// Default for an agency's terms.
    pub agency_commission: Commission,
    /// Default for an agent's terms.
    pub agent_commission: Commission,
    pub is_active: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PaymentGroupCommand {
    Create(PaymentGroup),
    /// Changes everything but the currency.
    Change(PaymentGroup),
    /// Withdraws the group from sale permanently; history stays.
    Remove,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum PaymentGroupEvent {
    PaymentGroupCreated(PaymentGroup),
    PaymentGroupChanged(PaymentGroup),
    /// Withdrawn from sale permanently.
    PaymentGroupRemoved {
        id: PaymentGroupId,
    },
}

impl PaymentGroup {
    pub(crate) fn fold(_state: Option<Self>, event: &PaymentGroupEvent) -> Option<Self> {
        match event {
            PaymentGroupEvent::PaymentGroupCreated(group) | PaymentGroupEvent::PaymentGroupChanged(group) => {
                Some(group.clone())
            }
            PaymentGroupEvent::PaymentGroupRemoved { .. } => None,
        }
    }

    fn validate(&self) -> Result<(), Refusal> {
        crate::text::required("name", &self.name, MAX_NAME_LENGTH)?;
        require(self.exchange_rate.is_positive(), || {
            Refusal::invalid("exchangeRate", "rate_not_positive")
        })?;
        self.manager_commission.validate("managerCommission")?;
        self.agency_commission.validate("agencyCommission")?;
        self.agent_commission.validate("agentCommission")
    }
}

pub(crate) fn decide(
    own: Option<&PaymentGroup>,
    command: &PaymentGroupCommand,
    ctx: &Context<'_>,
) -> Result<Decision<PaymentGroupEvent>, Refusal> {
    ctx.require_manager()?;
    match (command, own) {
        (PaymentGroupCommand::Create(group), None) => {
            group.validate()?;
            let currency = ctx.state.currency(group.currency_to);
            require(currency.is_some_and(|currency| currency.enabled), || {
                Refusal::invalid("currencyTo", "currency_unknown")
            })?;
            Ok(Decision::of(
                PaymentGroupEvent::PaymentGroupCreated(group.clone()),
                group.id,
            ))
        }
        (PaymentGroupCommand::Create(_), Some(_)) => Err(Refusal::conflict("already_exists")),
        (PaymentGroupCommand::Change(_) | PaymentGroupCommand::Remove, None) => {
            Err(Refusal::not_found("payment_group_not_found"))
        }
        (PaymentGroupCommand::Change(group), Some(own)) => {
            require(group.currency_to == own.currency_to, || {
                Refusal::invalid("currencyTo", "currency_is_fixed")
            })?;
            let group = PaymentGroup {
                id: own.id,
                ..group.clone()
            };
            group.validate()?;
            let unchanged = group == *own;
            Ok(Decision::of(PaymentGroupEvent::PaymentGroupChanged(group), own.id).unless(unchanged))
        }
        (PaymentGroupCommand::Remove, Some(own)) => {
            require(!ctx.state.uses_group(own.id), || {
                Refusal::conflict("payment_group_in_use")
            })?;
            Ok(Decision::of(
                PaymentGroupEvent::PaymentGroupRemoved { id: own.id },
                own.id,
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        reference_data::currency::{Currency, CurrencyCommand},
        testing::{
            Business,
            given::{Caller, Then, Tried},
            rate,
        },
    };

    fn euros(business: &Business) -> PaymentGroup {
        PaymentGroup {
            id: PaymentGroupId::generate(),
            name: "EUR en mano".into(),
            currency_to: CurrencyCode::EUR,
            exchange_rate: rate("0.9"),
            ..business.world.tenant_state.group(business.cup).unwrap().clone()
        }
    }

    fn act(
        business: &Business,
        caller: impl Caller,
        id: PaymentGroupId,
        command: PaymentGroupCommand,
    ) -> Tried<PaymentGroup> {
        business
            .world
            .given::<PaymentGroup>(id)
            .when(business.world.by(caller, command))
    }

    fn disable(business: &mut Business, code: CurrencyCode) {
        let currency = Currency {
            enabled: false,
            ..business.world.tenant_state.currency(code).unwrap().clone()
        };
        let command = Command::Currency(currency.id, CurrencyCommand::Change(currency));
        business.world.run(business.manager, command).unwrap();
    }

    #[test]
    fn the_manager_makes_groups_that_pay_in_an_enabled_currency() {
        let mut business = Business::new();
        let group = euros(&business);
        let create = || PaymentGroupCommand::Create(group.clone());
        act(&business, business.manager, group.id, create())
            .then_expect_events(vec![PaymentGroupEvent::PaymentGroupCreated(group.clone())]);
        act(&business, business.agency, group.id, create()).then_refused(Forbidden, "role_not_allowed");
        disable(&mut business, CurrencyCode::EUR);
        act(&business, business.manager, group.id, create())
            .then_refused(Invalid, "invalid currencyTo:currency_unknown");
    }

    #[test]
    fn a_group_keeps_its_currency_and_its_id() {
        let business = Business::new();
        let cup = business.world.tenant_state.group(business.cup).unwrap().clone();
        let other_currency = PaymentGroup {
            currency_to: CurrencyCode::EUR,
            ..cup.clone()
        };
        act(
            &business,
            business.manager,
            cup.id,
            PaymentGroupCommand::Change(other_currency),
        )
        .then_refused(Invalid, "invalid currencyTo:currency_is_fixed");
        let renamed = PaymentGroup {
            name: "CUP en mano".into(),
            ..cup.clone()
        };
        let of_another_id = PaymentGroup {
            id: PaymentGroupId::generate(),
            ..renamed.clone()
        };
        act(
            &business,
            business.manager,
            cup.id,
            PaymentGroupCommand::Change(of_another_id),
        )
        .then_expect_events(vec![PaymentGroupEvent::PaymentGroupChanged(renamed)]);
        let nobodys = euros(&business);
        act(
            &business,
            business.manager,
            nobodys.id,
            PaymentGroupCommand::Change(nobodys),
        )
        .then_refused(NotFound, "payment_group_not_found");
    }

    #[test]
    fn a_group_of_a_disabled_currency_can_be_closed() {
        let mut business = Business::new();
        disable(&mut business, CurrencyCode::CUP);
        let cup = business.world.tenant_state.group(business.cup).unwrap().clone();
        let closed = PaymentGroup {
            is_active: false,
            ..cup
        };
        act(
            &business,
            business.manager,
            business.cup,
            PaymentGroupCommand::Change(closed),
        )
        .then_event();
    }

    #[test]
    fn a_name_is_of_one_group_whatever_its_case() {
        let mut business = Business::new();
        let group = PaymentGroup {
            name: " cup ".into(),
            ..euros(&business)
        };
        let create = Command::PaymentGroup(group.id, PaymentGroupCommand::Create(group.clone()));
        let refusal = business.world.run(business.manager, create).unwrap_err();
        assert_eq!((refusal.kind, refusal.code), (Conflict, "payment_group_name_taken"));
    }

    #[test]
    fn a_group_that_a_party_holds_is_not_removed() {
        let mut business = Business::new();
        act(&business, business.manager, business.cup, PaymentGroupCommand::Remove)
            .then_refused(Conflict, "payment_group_in_use");
        let unheld = business
            .world
            .group(business.manager, "EUR", CurrencyCode::EUR, "0.9", "1");
        act(&business, business.manager, unheld, PaymentGroupCommand::Remove)
            .then_expect_events(vec![PaymentGroupEvent::PaymentGroupRemoved { id: unheld }]);
    }

    #[test]
    fn commissions_and_rates_have_bounds() {
        let business = Business::new();
        let beyond = Commission::percentage(rate("-100.5"));
        for (group, rule) in [
            (
                PaymentGroup {
                    exchange_rate: rate("0"),
                    ..euros(&business)
                },
                "exchangeRate:rate_not_positive",
            ),
            (
                PaymentGroup {
                    name: "x".repeat(81),
                    ..euros(&business)
                },
                "name:text_too_long",
            ),
            (
                PaymentGroup {
                    manager_commission: beyond,
                    ..euros(&business)
                },
                "managerCommission.rate:percentage_out_of_range",
            ),
            (
                PaymentGroup {
                    agency_commission: beyond,
                    ..euros(&business)
                },
                "agencyCommission.rate:percentage_out_of_range",
            ),
            (
                PaymentGroup {
                    agent_commission: beyond,
                    ..euros(&business)
                },
                "agentCommission.rate:percentage_out_of_range",
            ),
        ] {
            act(
                &business,
                business.manager,
                group.id,
                PaymentGroupCommand::Create(group.clone()),
            )
            .then_refused(Invalid, &format!("invalid {rule}"));
        }
    }

    #[test]
    fn a_change_to_what_a_group_is_writes_no_event() {
        let business = Business::new();
        let cup = business.world.tenant_state.group(business.cup).unwrap().clone();
        let change = |group: &PaymentGroup| PaymentGroupCommand::Change(group.clone());
        act(&business, business.manager, cup.id, change(&cup)).then_expect_events(vec![]);
        let closed = PaymentGroup {
            is_active: false,
            ..cup.clone()
        };
        act(&business, business.manager, cup.id, change(&closed)).then_event();
    }
}
