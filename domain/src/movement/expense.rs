//! Expenses of dealers and delivery men, from their cash.

use super::{MAX_NOTE_LENGTH, Movement, MovementEvent, MovementKind, require_currency};
use crate::{
    books::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
    decision::{Context, Decision},
    ids::{MovementId, PartyId},
    money::{Amount, CurrencyCode},
    party::Role,
    quote::validate_amount,
    refusal::{Refusal, require},
    text,
};

/// Records an expense.
#[derive(Clone, Debug, PartialEq)]
pub struct Expense {
    /// Whose cash it came from.
    pub party: PartyId,
    /// How much, in `currency`.
    pub amount: Amount,
    /// The currency.
    pub currency: CurrencyCode,
    /// What for.
    pub concept: String,
}

pub(super) fn decide(id: MovementId, expense: &Expense, ctx: &Context<'_>) -> Result<Decision<MovementEvent>, Refusal> {
    let caller = ctx.caller()?;
    require(caller.role == Role::Manager || caller.role.holds_cash(), || {
        Refusal::forbidden("role_not_allowed")
    })?;
    let party = ctx
        .books
        .party(expense.party)
        .filter(|party| party.role.holds_cash() && caller.oversees(party))
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    require_currency("currency", expense.currency, ctx)?;
    validate_amount("amount", expense.amount)?;
    text::required("concept", &expense.concept, MAX_NOTE_LENGTH)?;
    let entry = Entry::default().post(
        Account::of(AccountKind::DealerExpenses, party.id, expense.currency),
        Account::of(AccountKind::FieldCash, party.id, expense.currency),
        expense.amount,
        TransferCode::Expense,
    );
    let movement = Movement::new(
        id,
        MovementKind::Expense,
        caller.id,
        expense.amount,
        expense.currency,
        ctx.books,
    );
    Movement {
        from: Some(party.id),
        entry,
        ..movement
    }
    .decide(Some(&expense.concept), ctx)
}
