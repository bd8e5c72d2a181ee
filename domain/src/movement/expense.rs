//! Expenses of dealers and delivery men, from their cash.

use super::{MAX_NOTE_LENGTH, Movement, MovementEvent, MovementKind, require_currency};
use crate::{
    decision::{Context, Decision},
    ids::{MovementId, PartyId},
    money::{Amount, CurrencyCode},
    party::{Action, permitted},
    quote::validate_amount,
    refusal::Refusal,
    tenant_state::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
    text,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct Expense {
    /// The party that paid from its cash.
    pub party: PartyId,
    /// In `currency`.
    pub amount: Amount,
    pub currency: CurrencyCode,
    pub concept: String,
}

crate::personal::untold!(Expense);

pub(super) fn decide(id: MovementId, expense: &Expense, ctx: &Context<'_>) -> Result<Decision<MovementEvent>, Refusal> {
    let caller = ctx.caller()?;
    let party = permitted(caller, ctx.state.party(expense.party), Action::RecordExpense)?;
    require_currency("currency", expense.currency, ctx)?;
    validate_amount("amount", expense.amount)?;
    text::required_note("concept", &expense.concept, MAX_NOTE_LENGTH)?;
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
        ctx.state,
    );
    Movement {
        from: Some(party.id),
        entry,
        ..movement
    }
    .decide(Some(&expense.concept), ctx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        movement::MovementCommand,
        testing::{
            Business, amount,
            given::{Caller, Then, Tried},
        },
    };

    fn spend(business: &Business, caller: impl Caller, party: PartyId, text: &str, concept: &str) -> Tried<Movement> {
        let expense = Expense {
            party,
            amount: amount(text),
            currency: CurrencyCode::CUP,
            concept: concept.into(),
        };
        business.moving(caller, MovementCommand::Expense(expense))
    }

    #[test]
    fn an_expense_reduces_the_spenders_cash() {
        let business = Business::funded();
        for caller in [business.manager, business.dealer.actor()] {
            spend(&business, caller, business.dealer, "1250.75", "combustible").then_posts(
                &business,
                &["Dr dealer_expenses[dealer] / Cr field_cash[dealer] 1250.75 CUP"],
            );
        }
    }

    #[test]
    fn an_expense_never_takes_cash_below_zero() {
        let business = Business::funded();
        spend(&business, business.dealer, business.dealer, "90000", "moto").then_event();
        spend(&business, business.dealer, business.dealer, "90000.01", "moto")
            .then_refused(Conflict, "cash_insufficient");
        spend(&business, business.courier, business.courier, "0.01", "moto")
            .then_refused(Conflict, "cash_insufficient");
    }

    #[test]
    fn an_expense_is_the_spenders_its_dealers_or_the_managers_to_record() {
        let business = Business::funded();
        spend(&business, business.dealer, business.courier, "1", "moto").then_refused(Conflict, "cash_insufficient");
        spend(&business, business.courier, business.dealer, "1", "moto").then_refused(NotFound, "party_not_found");
        spend(&business, business.other_dealer, business.dealer, "1", "moto").then_refused(NotFound, "party_not_found");
        spend(&business, business.manager, business.agency, "1", "moto").then_refused(NotFound, "party_not_found");
        spend(&business, business.agency, business.dealer, "1", "moto").then_refused(Forbidden, "role_not_allowed");
    }

    #[test]
    fn an_expense_says_what_for_and_how_much() {
        let business = Business::funded();
        spend(&business, business.dealer, business.dealer, "1", " ").then_refused(Invalid, "invalid concept:required");
        spend(&business, business.dealer, business.dealer, "0", "moto")
            .then_refused(Invalid, "invalid amount:amount_not_positive");
    }
}
