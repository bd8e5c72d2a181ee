//! Payments on obligations: recorded by the creditor, applied oldest first.

use super::{Movement, MovementEvent, MovementKind};
use crate::{
    decision::{Context, Decision},
    ids::{MovementId, ObligationId, PartyId},
    money::{Amount, CurrencyCode},
    party::{Caller, Role},
    quote::validate_amount,
    refusal::{Refusal, RefusalKind, require},
    tenant_state::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
        obligation::{Obligation, ObligationPayment},
    },
};

/// Maximum obligations settled by one payment; bounds the size of the event.
pub const MAX_DEBITS: usize = 200;

#[derive(Clone, PartialEq)]
pub struct PayDebits {
    pub debits: Vec<ObligationId>,
    /// In USD; `None` pays all of them in full.
    pub amount: Option<Amount>,
    pub note: Option<String>,
}

crate::personal::untold!(PayDebits);

/// The creditor for whom a caller may record payments: an agency for itself, a manager (`None`) for the business.
fn creditor(caller: Caller) -> Result<Option<PartyId>, Refusal> {
    match caller.role {
        Role::Manager => Ok(None),
        Role::Agency => Ok(Some(caller.id)),
        Role::ExternalAgent | Role::InternalAgent | Role::Dealer | Role::DeliveryMan => {
            Err(Refusal::forbidden("role_not_allowed"))
        }
    }
}

fn judge_obligation(caller: Caller, owed_to: Option<PartyId>, void: bool) -> Result<(), Refusal> {
    require(creditor(caller)? == owed_to, || Refusal::not_found("debit_unknown"))?;
    require(!void, || Refusal::conflict("debit_void"))
}

fn require_owed(outstanding: Amount) -> Result<(), Refusal> {
    require(outstanding.is_positive(), || {
        Refusal::conflict("debits_already_settled")
    })
}

/// Whether a caller may record a payment on an obligation.
///
/// # Errors
/// 403 when the role takes no payments, 404 when another creditor is owed, 409 when nothing is outstanding.
pub fn judge_payment(caller: Caller, owed_to: Option<PartyId>, void: bool, outstanding: Amount) -> Result<(), Refusal> {
    judge_obligation(caller, owed_to, void)?;
    require_owed(outstanding)
}

pub(super) fn decide(
    id: MovementId,
    payment: &PayDebits,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    let caller = ctx.caller()?;
    let creditor = creditor(caller.into())?;
    let listed = listed_debits(payment, caller.into(), ctx)?;
    let outstanding: Amount = listed.iter().map(|debit| debit.outstanding()).sum();
    let amount = payment.amount.unwrap_or(outstanding);
    if payment.amount.is_some() {
        validate_amount("amount", amount)?;
    }
    require_owed(outstanding)?;
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
        payments.push(ObligationPayment {
            debit: debit.id,
            amount: paid,
        });
        entry = match creditor {
            None => entry.post(
                Account::of_tenant(AccountKind::Treasury, CurrencyCode::USD),
                Account::usd(AccountKind::Debits, debit.debtor),
                paid,
                TransferCode::ObligationPayment,
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
        ctx.state,
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

/// The obligations named, deduplicated, oldest first, all owed to the creditor.
fn listed_debits(payment: &PayDebits, caller: Caller, ctx: &Context<'_>) -> Result<Vec<Obligation>, Refusal> {
    require(!payment.debits.is_empty(), || Refusal::invalid("debitIds", "required"))?;
    require(payment.debits.len() <= MAX_DEBITS, || {
        Refusal::invalid_with("debitIds", "too_many", [("max", MAX_DEBITS.to_string())])
    })?;
    let mut listed = Vec::with_capacity(payment.debits.len());
    for (index, id) in payment.debits.iter().enumerate() {
        let unknown = || Refusal::invalid(format!("debitIds[{index}]"), "debit_unknown");
        let debit = ctx.state.obligation(*id).ok_or_else(unknown)?;
        let taken = judge_obligation(caller, debit.creditor, debit.void);
        if taken
            .as_ref()
            .is_err_and(|refusal| refusal.kind == RefusalKind::NotFound)
        {
            return Err(unknown());
        }
        require(!payment.debits[..index].contains(id), || {
            Refusal::invalid(format!("debitIds[{index}]"), "duplicate")
        })?;
        taken?;
        listed.push(debit.clone());
    }
    listed.sort_by_key(|debit| (debit.opened_at, debit.id));
    Ok(listed)
}

fn single_debtor(payments: &[ObligationPayment], ctx: &Context<'_>) -> Option<PartyId> {
    let mut debtors = payments
        .iter()
        .filter_map(|payment| ctx.state.obligation(payment.debit).map(|debit| debit.debtor));
    let first = debtors.next()?;
    debtors.all(|debtor| debtor == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Conflict, Forbidden, Invalid},
        movement::{Funds, MovementCommand},
        testing::{
            Business, amount, any,
            given::{Caller, Then, Tried},
        },
    };

    /// An agency that owes the manager 100 and 50, and an agent that owes the agency 100.
    fn owing() -> (Business, [ObligationId; 3]) {
        let mut business = Business::funded();
        let (manager, agency, agent) = (business.manager, business.agency, business.agent);
        let (usd, cup) = (Funds::Group(business.usd), Funds::Group(business.cup));
        let debits = [
            (manager, agency, usd, 100_00),
            (manager, agency, usd, 50_00),
            (agency.actor(), agent, cup, 31_500_00),
        ];
        let debits = debits.map(|(giver, to, funds, minor)| {
            let answer = business.world.deposit(giver, any(to), funds, minor, true).unwrap();
            ObligationId(answer.debit_id.unwrap())
        });
        (business, debits)
    }

    fn pay(
        business: &Business,
        caller: impl Caller,
        debits: &[ObligationId],
        amount: Option<Amount>,
    ) -> Tried<Movement> {
        let payment = PayDebits {
            debits: debits.to_vec(),
            amount,
            note: None,
        };
        business.moving(caller, MovementCommand::PayDebits(payment))
    }

    fn some(text: &str) -> Option<Amount> {
        Some(amount(text))
    }

    #[test]
    fn a_payment_without_an_amount_settles_all_that_is_listed() {
        let (business, [first, second, _]) = owing();
        pay(&business, business.manager, &[first, second], None).then_posts(
            &business,
            &[
                "Dr treasury / Cr debits[agency] 100.00 USD",
                "Dr treasury / Cr debits[agency] 50.00 USD",
            ],
        );
    }

    #[test]
    fn a_part_pays_the_oldest_first_in_whatever_order_they_are_listed() {
        let (business, [first, second, _]) = owing();
        let event = pay(&business, business.manager, &[second, first], some("120")).then_event();
        let MovementEvent::MovementPosted(posted) = event else {
            panic!("{event:?}")
        };
        let paid = [(first, "100"), (second, "20")].map(|(debit, text)| ObligationPayment {
            debit,
            amount: amount(text),
        });
        assert_eq!(posted.movement.payments, paid);
    }

    #[test]
    fn an_agencys_debits_are_paid_to_it_outside_the_managers_books() {
        let (business, [_, _, agents]) = owing();
        pay(&business, business.agency, &[agents], some("40")).then_posts(
            &business,
            &["Dr agency_memo[agency] / Cr agency_receivable[agent] 40.00 USD"],
        );
    }

    #[test]
    fn only_the_creditor_records_payments() {
        let (business, [managers, _, agents]) = owing();
        let unknown = "invalid debitIds[0]:debit_unknown";
        pay(&business, business.manager, &[agents], None).then_refused(Invalid, unknown);
        pay(&business, business.agency, &[managers], None).then_refused(Invalid, unknown);
        pay(&business, business.other_agency, &[agents], None).then_refused(Invalid, unknown);
        for caller in [business.agent, business.clerk, business.dealer] {
            pay(&business, caller, &[agents], None).then_refused(Forbidden, "role_not_allowed");
        }
    }

    #[test]
    fn payments_beyond_the_outstanding_amount_are_refused() {
        let (mut business, [first, second, _]) = owing();
        let manager = business.manager;
        pay(&business, manager, &[first, second], some("150")).then_event();
        pay(&business, manager, &[first, second], some("150.01"))
            .then_refused(Invalid, "invalid amount:payment_above_outstanding");
        pay(&business, manager, &[first], some("0")).then_refused(Invalid, "invalid amount:amount_not_positive");
        let settle = MovementCommand::PayDebits(PayDebits {
            debits: vec![first],
            amount: None,
            note: None,
        });
        business
            .world
            .run(manager, Command::Movement(MovementId::generate(), settle))
            .unwrap();
        pay(&business, manager, &[first], None).then_refused(Conflict, "debits_already_settled");
        pay(&business, manager, &[first, second], None)
            .then_posts(&business, &["Dr treasury / Cr debits[agency] 50.00 USD"]);
    }

    #[test]
    fn debits_are_listed_and_each_once() {
        let (business, [first, ..]) = owing();
        pay(&business, business.manager, &[], None).then_refused(Invalid, "invalid debitIds:required");
        pay(&business, business.manager, &[first, first], None).then_refused(Invalid, "invalid debitIds[1]:duplicate");
        pay(&business, business.manager, &[first; MAX_DEBITS + 1], None)
            .then_refused(Invalid, "invalid debitIds:too_many");
    }
}
