//! Canceling a remittance: the sale is undone at the amounts that it was made at.

use super::{MAX_NOTE_LENGTH, Remittance, RemittanceCanceled, RemittanceEvent, RemittanceReason, Status, posting};
use crate::{
    books::entry::Entry,
    decision::{Context, Decision},
    personal::Personal,
    refusal::Refusal,
    text,
};

pub(super) fn decide(own: &Remittance, reason: &str, ctx: &Context<'_>) -> Result<Decision<RemittanceEvent>, Refusal> {
    text::required("reason", reason, MAX_NOTE_LENGTH)?;
    let entry = posting::unsold(Entry::default(), own);
    ctx.books.check(&entry)?;
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
