//! Cash in the field: moved between parties, returned to the manager, or exchanged.

use super::{Counter, Movement, MovementEvent, MovementKind, require_currency};
use crate::{
    decision::{Context, Decision},
    ids::{MovementId, PartyId},
    money::{Amount, CurrencyCode, Rate},
    party::{Action, Party, Role, permitted},
    quote::validate_amount,
    refusal::{Refusal, RefusalKind, require},
    tenant_state::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct TransferCash {
    pub from: PartyId,
    pub to: TransferTo,
    /// In `currency`.
    pub amount: Amount,
    pub currency: CurrencyCode,
    /// Target currency and rate; `None` for a transfer within one currency.
    pub exchange: Option<Exchange>,
    pub note: Option<String>,
}

crate::personal::untold!(TransferCash);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TransferTo {
    /// The manager's treasury.
    Manager,
    /// A dealer or a delivery man.
    Party(PartyId),
}

/// An exchange into another currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    pub currency: CurrencyCode,
    /// Target units per source unit.
    pub rate: Rate,
}

pub(super) fn decide(
    id: MovementId,
    transfer: &TransferCash,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    let caller = ctx.caller()?;
    let action = match transfer.exchange {
        None => Action::Transfer,
        Some(_) => Action::Exchange,
    };
    let from = permitted(caller, ctx.state.party(transfer.from), action);
    let from = from.map_err(|refusal| match refusal.kind {
        RefusalKind::NotFound => Refusal::invalid("from", "party_unknown"),
        _ => refusal,
    })?;
    require_currency("currency", transfer.currency, ctx)?;
    validate_amount("amount", transfer.amount)?;
    let gives = Account::of(AccountKind::FieldCash, from.id, transfer.currency);
    let movement = match (transfer.to, transfer.exchange) {
        (TransferTo::Manager, None) => {
            let treasury = Account::of_tenant(AccountKind::Treasury, transfer.currency);
            let entry = Entry::default().post(treasury, gives, transfer.amount, TransferCode::CashReturn);
            Movement {
                entry,
                ..moved(id, MovementKind::Return, transfer, caller, ctx)
            }
        }
        (TransferTo::Manager, Some(_)) => return Err(Refusal::invalid("toCurrency", "exchange_needs_a_party")),
        (TransferTo::Party(to), None) => {
            let to = receiver(to, from, caller, ctx)?;
            require(to.id != from.id, || Refusal::invalid("to", "same_party"))?;
            let receives = Account::of(AccountKind::FieldCash, to.id, transfer.currency);
            let entry = Entry::default().post(receives, gives, transfer.amount, code(from, to));
            Movement {
                to: Some(to.id),
                entry,
                ..moved(id, MovementKind::Transfer, transfer, caller, ctx)
            }
        }
        (TransferTo::Party(to), Some(exchange)) => {
            let to = receiver(to, from, caller, ctx)?;
            exchanged(id, transfer, exchange, caller, to, ctx)?
        }
    };
    movement.decide(transfer.note.as_deref(), ctx)
}

/// Permitted receivers: any active dealer, a delivery man of the giving dealer, or the delivery man's dealer.
fn receiver<'a>(id: PartyId, from: &Party, caller: &Party, ctx: &Context<'a>) -> Result<&'a Party, Refusal> {
    let to = ctx
        .state
        .party(id)
        .filter(|party| party.role.holds_cash() && party.is_active)
        .ok_or_else(|| Refusal::invalid("to", "party_unknown"))?;
    let reachable = match (from.role, to.role) {
        _ if from.id == to.id => true,
        (Role::Dealer, Role::Dealer) => true,
        (Role::Dealer, Role::DeliveryMan) => from.commands(to),
        (Role::DeliveryMan, Role::Dealer) => to.commands(from),
        _ => false,
    };
    require(
        reachable || (caller.role == Role::Manager && to.role == Role::Dealer),
        || Refusal::invalid("to", "party_not_reachable"),
    )?;
    Ok(to)
}

fn code(from: &Party, to: &Party) -> TransferCode {
    if from.commands(to) {
        TransferCode::HandOver
    } else if to.commands(from) {
        TransferCode::HandBack
    } else {
        TransferCode::FieldTransfer
    }
}

fn exchanged(
    id: MovementId,
    transfer: &TransferCash,
    exchange: Exchange,
    caller: &Party,
    to: &Party,
    ctx: &Context<'_>,
) -> Result<Movement, Refusal> {
    require_currency("toCurrency", exchange.currency, ctx)?;
    require(exchange.currency != transfer.currency, || {
        Refusal::invalid("toCurrency", "same_currency")
    })?;
    require(exchange.rate.is_positive(), || {
        Refusal::invalid("rate", "rate_not_positive")
    })?;
    let amount = exchange
        .rate
        .times(transfer.amount)
        .filter(|amount| amount.is_positive() && *amount <= Amount::LARGEST)
        .ok_or_else(|| Refusal::invalid("amount", "exchanged_amount_out_of_range"))?;
    let fx = |currency| Account::of_tenant(AccountKind::FxPosition, currency);
    let cash = |party, currency| Account::of(AccountKind::FieldCash, party, currency);
    let entry = Entry::default()
        .post(
            fx(transfer.currency),
            cash(transfer.from, transfer.currency),
            transfer.amount,
            TransferCode::ExchangeOut,
        )
        .post(
            cash(to.id, exchange.currency),
            fx(exchange.currency),
            amount,
            TransferCode::ExchangeIn,
        );
    let counter = Counter {
        amount,
        currency: exchange.currency,
        rate: exchange.rate,
    };
    Ok(Movement {
        to: Some(to.id),
        counter: Some(counter),
        entry,
        ..moved(id, MovementKind::Exchange, transfer, caller, ctx)
    })
}

fn moved(id: MovementId, kind: MovementKind, transfer: &TransferCash, caller: &Party, ctx: &Context<'_>) -> Movement {
    let movement = Movement::new(id, kind, caller.id, transfer.amount, transfer.currency, ctx.state);
    Movement {
        from: Some(transfer.from),
        ..movement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Conflict, Forbidden, Invalid},
        movement::MovementCommand,
        testing::{
            Business, amount,
            given::{Caller, Then, Tried},
            rate,
        },
    };

    fn cash(from: PartyId, to: TransferTo, text: &str) -> TransferCash {
        TransferCash {
            from,
            to,
            amount: amount(text),
            currency: CurrencyCode::CUP,
            exchange: None,
            note: None,
        }
    }

    fn transfer(business: &Business, caller: impl Caller, from: PartyId, to: PartyId, text: &str) -> Tried<Movement> {
        business.moving(
            caller,
            MovementCommand::Transfer(cash(from, TransferTo::Party(to), text)),
        )
    }

    fn exchange(
        business: &Business,
        caller: impl Caller,
        to: TransferTo,
        text: &str,
        currency: CurrencyCode,
        by: &str,
    ) -> Tried<Movement> {
        let exchange = Some(Exchange {
            currency,
            rate: rate(by),
        });
        let transfer = TransferCash {
            exchange,
            ..cash(business.dealer, to, text)
        };
        business.moving(caller, MovementCommand::Transfer(transfer))
    }

    #[test]
    fn a_dealer_gives_cash_to_any_dealer_in_use() {
        let mut business = Business::funded();
        let (dealer, other) = (business.dealer, business.other_dealer);
        transfer(&business, dealer, dealer, other, "500").then_posts(
            &business,
            &["Dr field_cash[other-dealer] / Cr field_cash[dealer] 500.00 CUP"],
        );
        transfer(&business, dealer, dealer, other, "90000.01").then_refused(Conflict, "cash_insufficient");
        business.pause(other);
        transfer(&business, dealer, dealer, other, "500").then_refused(Invalid, "invalid to:party_unknown");
    }

    #[test]
    fn cash_goes_between_a_dealer_and_its_own_delivery_men() {
        let mut business = Business::funded();
        let (manager, dealer, courier) = (business.manager, business.dealer, business.courier);
        let event = transfer(&business, dealer, dealer, courier, "500").then_event();
        let MovementEvent::MovementPosted(handed) = event else {
            panic!("{event:?}")
        };
        assert_eq!(handed.movement.entry.transfers[0].code, TransferCode::HandOver);
        let hand_over = MovementCommand::Transfer(cash(dealer, TransferTo::Party(courier), "500"));
        business
            .world
            .run(manager, Command::Movement(MovementId::generate(), hand_over))
            .unwrap();
        for caller in [courier, dealer] {
            transfer(&business, caller, courier, dealer, "500").then_posts(
                &business,
                &["Dr field_cash[dealer] / Cr field_cash[courier] 500.00 CUP"],
            );
        }
        transfer(&business, courier, courier, business.other_dealer, "1")
            .then_refused(Invalid, "invalid to:party_not_reachable");
        transfer(&business, dealer, dealer, business.other_courier, "1")
            .then_refused(Invalid, "invalid to:party_not_reachable");
    }

    #[test]
    fn cash_goes_back_to_the_managers_treasury() {
        let business = Business::funded();
        let back = |from| MovementCommand::Transfer(cash(from, TransferTo::Manager, "500"));
        business
            .moving(business.dealer, back(business.dealer))
            .then_posts(&business, &["Dr treasury / Cr field_cash[dealer] 500.00 CUP"]);
        business
            .moving(business.manager, back(business.courier))
            .then_refused(Conflict, "cash_insufficient");
    }

    #[test]
    fn the_manager_takes_back_the_cash_of_a_dealer_out_of_use() {
        let mut business = Business::funded();
        let (manager, dealer) = (business.manager, business.dealer);
        business.pause(dealer);
        business
            .moving(
                manager,
                MovementCommand::Transfer(cash(dealer, TransferTo::Manager, "90000")),
            )
            .then_event();
    }

    #[test]
    fn an_exchange_rounds_once_into_the_target_currency() {
        let business = Business::funded();
        let own = TransferTo::Party(business.dealer);
        exchange(
            &business,
            business.manager,
            own,
            "33000",
            CurrencyCode::USD,
            "0.003030303",
        )
        .then_posts(
            &business,
            &[
                "Dr fx_position / Cr field_cash[dealer] 33000.00 CUP",
                "Dr field_cash[dealer] / Cr fx_position 100.00 USD",
            ],
        );
        let another = TransferTo::Party(business.other_dealer);
        exchange(
            &business,
            business.manager,
            another,
            "330",
            CurrencyCode::USD,
            "0.00303",
        )
        .then_posts(
            &business,
            &[
                "Dr fx_position / Cr field_cash[dealer] 330.00 CUP",
                "Dr field_cash[other-dealer] / Cr fx_position 1.00 USD",
            ],
        );
    }

    #[test]
    fn only_the_manager_exchanges_between_two_currencies_at_a_rate_above_zero() {
        let business = Business::funded();
        let (manager, usd, own) = (business.manager, CurrencyCode::USD, TransferTo::Party(business.dealer));
        for to in [own, TransferTo::Manager] {
            exchange(&business, business.dealer, to, "330", usd, "0.003")
                .then_refused(Forbidden, "only_manager_exchanges");
        }
        for (currency, by, refused) in [
            (CurrencyCode::CUP, "1", "invalid toCurrency:same_currency"),
            (usd, "0", "invalid rate:rate_not_positive"),
            (usd, "-1", "invalid rate:rate_not_positive"),
            (usd, "0.000001", "invalid amount:exchanged_amount_out_of_range"),
        ] {
            exchange(&business, manager, own, "330", currency, by).then_refused(Invalid, refused);
        }
        exchange(&business, manager, TransferTo::Manager, "330", usd, "0.003")
            .then_refused(Invalid, "invalid toCurrency:exchange_needs_a_party");
        exchange(&business, manager, own, "90000.01", usd, "0.003").then_refused(Conflict, "cash_insufficient");
    }

    #[test]
    fn the_manager_moves_a_delivery_mans_cash_to_any_dealer_and_exchanges_his_own() {
        let mut business = Business::funded();
        let (manager, courier, other) = (business.manager, business.courier, business.other_dealer);
        let hand_over = MovementCommand::Transfer(cash(business.dealer, TransferTo::Party(courier), "500"));
        business
            .world
            .run(manager, Command::Movement(MovementId::generate(), hand_over))
            .unwrap();
        transfer(&business, manager, courier, other, "500").then_posts(
            &business,
            &["Dr field_cash[other-dealer] / Cr field_cash[courier] 500.00 CUP"],
        );
        transfer(&business, manager, courier, business.other_courier, "500")
            .then_refused(Invalid, "invalid to:party_not_reachable");
        let exchange = Some(Exchange {
            currency: CurrencyCode::USD,
            rate: rate("0.002"),
        });
        let own = TransferCash {
            exchange,
            ..cash(courier, TransferTo::Party(courier), "500")
        };
        business.moving(manager, MovementCommand::Transfer(own)).then_event();
    }

    #[test]
    fn only_field_parties_move_cash_and_only_their_own() {
        let business = Business::funded();
        let (dealer, courier) = (business.dealer, business.courier);
        for caller in [business.agency, business.agent, business.clerk] {
            transfer(&business, caller, dealer, courier, "1").then_refused(Forbidden, "role_not_allowed");
        }
        for caller in [courier, business.other_dealer] {
            transfer(&business, caller, dealer, courier, "1").then_refused(Invalid, "invalid from:party_unknown");
        }
        transfer(&business, dealer, dealer, dealer, "1").then_refused(Invalid, "invalid to:same_party");
    }
}
