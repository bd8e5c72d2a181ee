//! Cancellation of a remittance: the sale is reversed at its original amounts.

use super::{Remittance, RemittanceCanceled, RemittanceEvent, RemittanceReason, Status, posting};
use crate::{
    decision::{Context, Decision},
    personal::Personal,
    refusal::Refusal,
    tenant_state::entry::Entry,
    text,
};

pub(super) fn decide(own: &Remittance, reason: &str, ctx: &Context<'_>) -> Result<Decision<RemittanceEvent>, Refusal> {
    text::required_note("reason", reason, text::MAX_REASON_LENGTH)?;
    let entry = posting::unsold(Entry::default(), own);
    ctx.state.check(&entry)?;
    let personal = Personal::clear(
        own.sale.recipient,
        RemittanceReason {
            reason: reason.trim().to_owned(),
        },
    );
    let canceled = RemittanceCanceled {
        id: own.id,
        seller: own.sale.seller,
        group: own.sale.group,
        quote: own.sale.quote,
        entry,
        personal,
    };
    Ok(
        Decision::of(RemittanceEvent::RemittanceCanceled(canceled), own.id).answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(Status::Canceled.number());
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Forbidden, Invalid},
        ids::RemittanceId,
        remittance::{AssignDealer, RemittanceCommand},
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn sold_by_the_agent() -> (Business, RemittanceId) {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(business.agent, sale);
        (business, id)
    }

    fn cancel(business: &Business, caller: impl Caller, id: RemittanceId, reason: &str) -> Tried<Remittance> {
        let command = RemittanceCommand::Cancel { reason: reason.into() };
        business
            .world
            .given::<Remittance>(id)
            .when(business.world.by(caller, command))
    }

    #[test]
    fn a_canceled_sale_is_undone_at_the_amounts_that_it_was_made_at() {
        let (mut business, id) = sold_by_the_agent();
        let terms = crate::testing::terms(business.cup, "300", Default::default(), "0");
        let set = crate::party::PartyCommand::SetTerms(terms);
        business
            .world
            .run(business.manager, crate::Command::Party(business.agent, set))
            .unwrap();
        cancel(&business, business.agent, id, "se arrepintió").then_posts(
            &business,
            &[
                "Dr remittances_pending / Cr balance[agent CUP] 31500.00 CUP",
                "Dr deferred_commission / Cr commission_receivable[agent] 2.00 USD",
                "Dr agency_memo[agency] / Cr agency_receivable[agent] 5.00 USD",
            ],
        );
    }

    #[test]
    fn one_in_shipping_is_canceled_by_the_manager_alone_and_taken_from_the_dealer() {
        let (mut business, id) = sold_by_the_agent();
        let assign = AssignDealer {
            dealer: business.dealer,
            delivery_man: None,
        };
        business
            .act(business.manager, id, RemittanceCommand::Assign(assign))
            .unwrap();
        cancel(&business, business.agency, id, "tarde").then_refused(Forbidden, "only_manager_in_this_status");
        cancel(&business, business.dealer, id, "tarde").then_refused(Forbidden, "role_not_allowed");
        let event = cancel(&business, business.manager, id, "tarde").then_event();
        let RemittanceEvent::RemittanceCanceled(canceled) = event else {
            panic!("{event:?}")
        };
        assert_eq!(
            business.world.lines(&canceled.entry)[0],
            "Dr remittances_shipping[dealer] / Cr balance[agent CUP] 31500.00 CUP"
        );
    }

    #[test]
    fn one_in_error_is_canceled_from_there() {
        let (mut business, id) = sold_by_the_agent();
        let reason = "no aparece".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::MarkError { reason })
            .unwrap();
        let event = cancel(&business, business.clerk, id, "no aparece").then_event();
        let RemittanceEvent::RemittanceCanceled(canceled) = event else {
            panic!("{event:?}")
        };
        assert_eq!(
            business.world.lines(&canceled.entry)[0],
            "Dr remittances_error / Cr balance[agent CUP] 31500.00 CUP"
        );
    }

    #[test]
    fn a_cancel_needs_a_reason_and_happens_once() {
        let (mut business, id) = sold_by_the_agent();
        cancel(&business, business.agent, id, "").then_refused(Invalid, "invalid reason:required");
        let reason = "se arrepintió".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::Cancel { reason })
            .unwrap();
        cancel(&business, business.manager, id, "otra vez").then_refused(Conflict, "remittance_is_canceled");
    }
}
