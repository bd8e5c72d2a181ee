//! Marking a remittance as in error.

use super::{Remittance, RemittanceEvent, RemittanceFailed, RemittanceReason, Status, posting};
use crate::{
    decision::{Context, Decision},
    personal::Personal,
    refusal::Refusal,
    tenant_state::{
        account::{Account, AccountKind},
        entry::TransferCode,
    },
    text,
};

pub(super) fn decide(own: &Remittance, reason: &str, ctx: &Context<'_>) -> Result<Decision<RemittanceEvent>, Refusal> {
    text::required_note("reason", reason, text::MAX_REASON_LENGTH)?;
    let error = Account::of_tenant(AccountKind::RemittancesError, own.sale.quote.currency_to);
    let entry = posting::moved(own, error, TransferCode::Failure);
    ctx.state.check(&entry)?;
    let personal = Personal::clear(
        own.sale.recipient,
        RemittanceReason {
            reason: reason.trim().to_owned(),
        },
    );
    let failed = RemittanceFailed {
        id: own.id,
        entry,
        personal,
    };
    Ok(
        Decision::of(RemittanceEvent::RemittanceFailed(failed), own.id).answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(Status::Error.number());
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Forbidden, Invalid},
        ids::RemittanceId,
        remittance::{AssignDealer, RemittanceCommand},
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn sold() -> (Business, RemittanceId) {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(business.agency, sale);
        (business, id)
    }

    fn fail(business: &Business, caller: impl Caller, id: RemittanceId, reason: &str) -> Tried<Remittance> {
        let command = RemittanceCommand::MarkError { reason: reason.into() };
        business
            .world
            .given::<Remittance>(id)
            .when(business.world.by(caller, command))
    }

    #[test]
    fn a_pending_payout_in_error_stands_among_the_errors() {
        let (business, id) = sold();
        fail(&business, business.manager, id, "falta el CI").then_posts(
            &business,
            &["Dr remittances_pending / Cr remittances_error 31850.00 CUP"],
        );
        fail(&business, business.agency, id, "falta el CI").then_refused(Forbidden, "role_not_allowed");
    }

    #[test]
    fn the_dealer_or_delivery_man_gives_it_back_with_a_reason() {
        let (mut business, id) = sold();
        let (dealer, courier) = (business.dealer, business.courier);
        let assign = AssignDealer {
            dealer,
            delivery_man: Some(courier),
        };
        business
            .act(business.manager, id, RemittanceCommand::Assign(assign))
            .unwrap();
        for caller in [dealer, courier] {
            fail(&business, caller, id, "nadie en casa").then_posts(
                &business,
                &["Dr remittances_shipping[dealer] / Cr remittances_error 31850.00 CUP"],
            );
        }
        fail(&business, courier, id, "  ").then_refused(Invalid, "invalid reason:required");
        fail(&business, courier, id, &"x".repeat(501)).then_refused(Invalid, "invalid reason:text_too_long");
        fail(&business, courier, id, "\u{0}").then_refused(Invalid, "invalid reason:text_has_control_characters");
    }

    #[test]
    fn the_reason_is_personal_and_trimmed() {
        let (business, id) = sold();
        let event = fail(&business, business.manager, id, " falta el CI ").then_event();
        let RemittanceEvent::RemittanceFailed(failed) = event else {
            panic!("{event:?}")
        };
        assert_eq!(
            failed.personal,
            Personal::clear(
                business.berta,
                RemittanceReason {
                    reason: "falta el CI".into()
                }
            )
        );
    }
}
