//! Deposits: the manager's cash contribution, a seller's prepaid balance, a dealer's cash. The caller is the giver.

use super::{Counter, Movement, MovementEvent, MovementKind, require_currency};
use crate::{
    decision::{Context, Decision},
    ids::{MovementId, ObligationId, PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    party::{Action, Party, Role, permitted},
    quote::validate_amount,
    refusal::{Refusal, require},
    tenant_state::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
        obligation::{ObligationOrigin, OpenedObligation},
    },
};
use serde::{Deserialize, Serialize};

const USD: CurrencyCode = CurrencyCode::USD;

/// Contributes cash, or assigns balance or cash to a party.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct Deposit {
    pub to: DepositTo,
    pub funds: Funds,
    pub amount: Amount,
    /// Whether the seller owes the value instead of paying it now.
    pub on_credit: bool,
    pub note: Option<String>,
    /// Id for the obligation, if one opens.
    pub debit: ObligationId,
}

crate::personal::untold!(Deposit);

/// Who receives a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DepositTo {
    /// The tenant's treasury.
    Treasury,
    /// A party, of the role that the route implies.
    Party(PartyId, ExpectedParty),
}

/// Role that the route requires of the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ExpectedParty {
    /// Any role that can receive.
    Any,
    Agency,
    Agent,
    Dealer,
    DeliveryMan,
}

impl ExpectedParty {
    const fn fits(self, role: Role) -> bool {
        match self {
            Self::Any => true,
            Self::Agency => matches!(role, Role::Agency),
            Self::Agent => matches!(role, Role::ExternalAgent | Role::InternalAgent),
            Self::Dealer => matches!(role, Role::Dealer),
            Self::DeliveryMan => matches!(role, Role::DeliveryMan),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Funds {
    /// Cash of a currency.
    Currency(CurrencyCode),
    /// Balance of a payment group.
    Group(PaymentGroupId),
}

pub(super) fn decide(id: MovementId, deposit: &Deposit, ctx: &Context<'_>) -> Result<Decision<MovementEvent>, Refusal> {
    let caller = ctx.caller()?;
    let DepositTo::Party(to, expected) = deposit.to else {
        return into_treasury(id, deposit, caller, ctx);
    };
    let to = ctx.state.party(to).filter(|party| expected.fits(party.role));
    let to = permitted(caller, to, Action::Deposit)?;
    validate_amount("amount", deposit.amount)?;
    if to.role.holds_cash() {
        cash(id, deposit, caller, to, ctx)
    } else {
        balance(id, deposit, caller, to, ctx)
    }
}

fn into_treasury(
    id: MovementId,
    deposit: &Deposit,
    caller: &Party,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    require(caller.role == Role::Manager, || Refusal::forbidden("role_not_allowed"))?;
    let currency = cash_currency(deposit, ctx)?;
    validate_amount("amount", deposit.amount)?;
    require_paid(deposit)?;
    let entry = Entry::default().post(
        Account::of_tenant(AccountKind::Treasury, currency),
        Account::of_tenant(AccountKind::Capital, currency),
        deposit.amount,
        TransferCode::Deposit,
    );
    let movement = Movement {
        entry,
        ..Movement::new(
            id,
            MovementKind::Deposit,
            caller.id,
            deposit.amount,
            currency,
            ctx.state,
        )
    };
    movement.decide(deposit.note.as_deref(), ctx)
}

/// Cash to a dealer or delivery man, from the treasury or from the dealer's own cash.
fn cash(
    id: MovementId,
    deposit: &Deposit,
    caller: &Party,
    to: &Party,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    let currency = cash_currency(deposit, ctx)?;
    require_paid(deposit)?;
    let receives = Account::of(AccountKind::FieldCash, to.id, currency);
    let (from, gives, code) = match caller.role {
        Role::Dealer => (
            Some(caller.id),
            Account::of(AccountKind::FieldCash, caller.id, currency),
            TransferCode::HandOver,
        ),
        Role::Manager | Role::Agency | Role::ExternalAgent | Role::InternalAgent | Role::DeliveryMan => (
            None,
            Account::of_tenant(AccountKind::Treasury, currency),
            TransferCode::CashOut,
        ),
    };
    let movement = Movement {
        from,
        to: Some(to.id),
        entry: Entry::default().post(receives, gives, deposit.amount, code),
        ..Movement::new(
            id,
            MovementKind::CashAssignment,
            caller.id,
            deposit.amount,
            currency,
            ctx.state,
        )
    };
    movement.decide(deposit.note.as_deref(), ctx)
}

/// Balance to a seller, from the manager or from its agency.
fn balance(
    id: MovementId,
    deposit: &Deposit,
    caller: &Party,
    to: &Party,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    let Funds::Group(group_id) = deposit.funds else {
        return Err(Refusal::invalid("paymentGroupId", "required"));
    };
    let group = ctx
        .state
        .group(group_id)
        .ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_unknown"))?;
    let terms = to
        .terms
        .get(&group_id)
        .ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_not_held"))?;
    require(group.is_active && terms.is_active, || {
        Refusal::invalid("paymentGroupId", "payment_group_closed")
    })?;
    let currency = group.currency_to;
    require_currency("paymentGroupId", currency, ctx)?;
    let value = if currency == USD {
        deposit.amount
    } else {
        let value = terms.exchange_rate.divide(deposit.amount);
        let value = value.filter(|value| *value <= Amount::LARGEST);
        value.ok_or_else(|| Refusal::invalid("amount", "amount_too_large"))?
    };
    require(value.is_positive(), || Refusal::invalid("amount", "value_not_positive"))?;
    let receives = Account::balance(to.id, group_id, currency);
    let by_agency = caller.role == Role::Agency;
    let entry = if by_agency {
        let given = Entry::default().post(
            Account::balance(caller.id, group_id, currency),
            receives,
            deposit.amount,
            TransferCode::Given,
        );
        let owed = if deposit.on_credit { value } else { Amount::ZERO };
        let receivable = Account::usd(AccountKind::AgencyReceivable, to.id);
        given.post(
            receivable,
            Account::usd(AccountKind::AgencyMemo, caller.id),
            owed,
            TransferCode::GivenOnCredit,
        )
    } else {
        let pays = if deposit.on_credit {
            Account::usd(AccountKind::Debits, to.id)
        } else {
            Account::of_tenant(AccountKind::Treasury, USD)
        };
        if currency == USD {
            Entry::default().post(pays, receives, deposit.amount, TransferCode::Assignment)
        } else {
            let fx = |currency| Account::of_tenant(AccountKind::FxPosition, currency);
            Entry::default()
                .post(pays, fx(USD), value, TransferCode::AssignmentValue)
                .post(fx(currency), receives, deposit.amount, TransferCode::Assignment)
        }
    };
    let creditor = by_agency.then_some(caller.id);
    let debit = deposit.on_credit.then_some(OpenedObligation {
        id: deposit.debit,
        debtor: to.id,
        creditor,
        amount: value,
        origin: ObligationOrigin::Assignment,
    });
    let movement = Movement {
        from: creditor,
        to: Some(to.id),
        group: Some(group_id),
        counter: Some(Counter {
            amount: value,
            currency: USD,
            rate: terms.exchange_rate,
        }),
        on_credit: deposit.on_credit,
        debit,
        entry,
        ..Movement::new(
            id,
            MovementKind::Assignment,
            caller.id,
            deposit.amount,
            currency,
            ctx.state,
        )
    };
    movement.decide(deposit.note.as_deref(), ctx)
}

/// Refuses credit for cash: cash is handed over, not owed.
fn require_paid(deposit: &Deposit) -> Result<(), Refusal> {
    require(!deposit.on_credit, || {
        Refusal::invalid("onCredit", "cash_is_not_given_on_credit")
    })
}

fn cash_currency(deposit: &Deposit, ctx: &Context<'_>) -> Result<CurrencyCode, Refusal> {
    let Funds::Currency(currency) = deposit.funds else {
        return Err(Refusal::invalid("currency", "required"));
    };
    require_currency("currency", currency, ctx)?;
    Ok(currency)
}

#[cfg(test)]
mod tests;
