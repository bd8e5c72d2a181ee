//! Paying debits: recorded by the creditor, oldest first.

use super::{Movement, MovementEvent, MovementKind};
use crate::{
    books::{
        account::{Account, AccountKind},
        debit::{Debit, DebitPayment},
        entry::{Entry, TransferCode},
    },
    decision::{Context, Decision},
    ids::{DebitId, MovementId, PartyId},
    money::{Amount, CurrencyCode},
    party::Role,
    quote::validate_amount,
    refusal::{Refusal, require},
};

/// The most debits that one payment settles: an entry stays readable, an event small.
pub const MAX_DEBITS: usize = 200;

/// Pays debits.
#[derive(Clone, Debug, PartialEq)]
pub struct PayDebits {
    /// Which.
    pub debits: Vec<DebitId>,
    /// How much of them, in USD; all where `None`.
    pub amount: Option<Amount>,
    /// A note.
    pub note: Option<String>,
}

pub(super) fn decide(
    id: MovementId,
    payment: &PayDebits,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    let caller = ctx.caller()?;
    let creditor = match caller.role {
        Role::Manager => None,
        Role::Agency => Some(caller.id),
        _ => return Err(Refusal::forbidden("role_not_allowed")),
    };
    let listed = listed_debits(payment, creditor, ctx)?;
    let outstanding: Amount = listed.iter().map(|debit| debit.outstanding()).sum();
    let amount = payment.amount.unwrap_or(outstanding);
    if payment.amount.is_some() {
        validate_amount("amount", amount)?;
    }
    require(outstanding.is_positive(), || {
        Refusal::conflict("debits_already_settled")
    })?;
    require(amount <= outstanding, || {
        Refusal::invalid_with(
            "amount",
            "payment_above_outstanding",
            [("outstanding", outstanding.to_string())],
        )
    })?;

    let mut left = amount;
    let mut payments = Vec::new();
    let mut entry = Entry::default();
    for debit in listed {
        let paid = debit.outstanding().min(left);
        if !paid.is_positive() {
            continue;
        }
        left -= paid;
        payments.push(DebitPayment {
            debit: debit.id,
            amount: paid,
        });
        entry = match creditor {
            None => entry.post(
                Account::of_tenant(AccountKind::Treasury, CurrencyCode::USD),
                Account::usd(AccountKind::Debits, debit.debtor),
                paid,
                TransferCode::DebitPayment,
            ),
            Some(agency) => entry.post(
                Account::usd(AccountKind::AgencyMemo, agency),
                Account::usd(AccountKind::AgencyReceivable, debit.debtor),
                paid,
                TransferCode::AgencyDebitPayment,
            ),
        };
    }
    let from = single_debtor(&payments, ctx);
    let movement = Movement::new(
        id,
        MovementKind::Payment,
        caller.id,
        amount,
        CurrencyCode::USD,
        ctx.books,
    );
    Movement {
        from,
        to: creditor,
        payments,
        entry,
        ..movement
    }
    .decide(payment.note.as_deref(), ctx)
}

/// The debits named, each once, oldest first, all owed to the creditor.
fn listed_debits(payment: &PayDebits, creditor: Option<PartyId>, ctx: &Context<'_>) -> Result<Vec<Debit>, Refusal> {
    require(!payment.debits.is_empty(), || Refusal::invalid("debitIds", "required"))?;
    require(payment.debits.len() <= MAX_DEBITS, || {
        Refusal::invalid_with("debitIds", "too_many", [("max", MAX_DEBITS.to_string())])
    })?;
    let mut listed = Vec::with_capacity(payment.debits.len());
    for (index, id) in payment.debits.iter().enumerate() {
        let debit = ctx
            .books
            .debit(*id)
            .filter(|debit| debit.creditor == creditor)
            .ok_or_else(|| Refusal::invalid(format!("debitIds[{index}]"), "debit_unknown"))?;
        require(!payment.debits[..index].contains(id), || {
            Refusal::invalid(format!("debitIds[{index}]"), "duplicate")
        })?;
        require(!debit.void, || Refusal::conflict("debit_void"))?;
        listed.push(debit.clone());
    }
    listed.sort_by_key(|debit| (debit.opened_at, debit.id));
    Ok(listed)
}

fn single_debtor(payments: &[DebitPayment], ctx: &Context<'_>) -> Option<PartyId> {
    let mut debtors = payments
        .iter()
        .filter_map(|payment| ctx.books.debit(payment.debit).map(|debit| debit.debtor));
    let first = debtors.next()?;
    debtors.all(|debtor| debtor == first).then_some(first)
}
