//! Cash in the field: from one party to another, back to the manager, or into another currency.

use super::{Counter, Movement, MovementEvent, MovementKind, require_currency};
use crate::{
    books::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
    decision::{Context, Decision},
    ids::{MovementId, PartyId},
    money::{Amount, CurrencyCode, Rate},
    party::{Party, Role},
    quote::validate_amount,
    refusal::{Refusal, require},
};

/// Moves cash in the field.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferCash {
    /// Who gives.
    pub from: PartyId,
    /// Who receives.
    pub to: TransferTo,
    /// How much, in `currency`.
    pub amount: Amount,
    /// The currency given.
    pub currency: CurrencyCode,
    /// Into which other currency, and at which rate.
    pub exchange: Option<Exchange>,
    /// A note.
    pub note: Option<String>,
}

/// Who receives cash from the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferTo {
    /// The manager's treasury.
    Manager,
    /// A dealer or a delivery man.
    Party(PartyId),
}

/// An exchange into another currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The target currency.
    pub currency: CurrencyCode,
    /// Units of the target for one of the source.
    pub rate: Rate,
}

pub(super) fn decide(
    id: MovementId,
    transfer: &TransferCash,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    let caller = ctx.caller()?;
    let may = caller.role == Role::Manager || caller.role.holds_cash();
    require(may, || Refusal::forbidden("role_not_allowed"))?;
    let from = ctx
        .books
        .party(transfer.from)
        .filter(|party| party.role.holds_cash() && caller.oversees(party))
        .ok_or_else(|| Refusal::invalid("from", "party_unknown"))?;
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
            require(caller.role == Role::Manager, || {
                Refusal::forbidden("only_manager_exchanges")
            })?;
            let to = receiver(to, from, caller, ctx)?;
            exchanged(id, transfer, exchange, caller, to, ctx)?
        }
    };
    movement.decide(transfer.note.as_deref(), ctx)
}

/// Whom a party may give to: any active dealer, a delivery man of its own, or his dealer.
fn receiver<'a>(id: PartyId, from: &Party, caller: &Party, ctx: &Context<'a>) -> Result<&'a Party, Refusal> {
    let to = ctx
        .books
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
    let movement = Movement::new(id, kind, caller.id, transfer.amount, transfer.currency, ctx.books);
    Movement {
        from: Some(transfer.from),
        ..movement
    }
}
