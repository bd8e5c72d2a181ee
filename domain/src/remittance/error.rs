//! Marking a remittance as in error.

use super::{MAX_NOTE_LENGTH, Remittance, RemittanceEvent, RemittanceFailed, RemittanceReason, Status, posting};
use crate::{
    books::{
        account::{Account, AccountKind},
        entry::TransferCode,
    },
    decision::{Context, Decision},
    personal::Personal,
    refusal::Refusal,
    text,
};

pub(super) fn decide(own: &Remittance, reason: &str, ctx: &Context<'_>) -> Result<Decision<RemittanceEvent>, Refusal> {
    text::required("reason", reason, MAX_NOTE_LENGTH)?;
    let error = Account::of_tenant(AccountKind::RemittancesError, own.sale.quote.currency_to);
    let entry = posting::moved(own, error, TransferCode::Failure);
    ctx.books.check(&entry)?;
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
