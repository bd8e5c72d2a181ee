//! Taking a movement back: once, by the manager, and only where the guards allow it.

use super::{MAX_NOTE_LENGTH, Movement, MovementEvent, MovementNote, MovementReversed};
use crate::{
    decision::{Context, Decision},
    personal::Personal,
    refusal::{Refusal, require},
    text,
};

pub(super) fn decide(
    own: Option<&Movement>,
    reason: &str,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    ctx.require_manager()?;
    let caller = ctx.caller()?;
    let own = own.ok_or_else(|| Refusal::not_found("movement_not_found"))?;
    text::required("reason", reason, MAX_NOTE_LENGTH)?;
    require(!own.reversed, || Refusal::conflict("movement_already_reversed"))?;
    let debit = own.debit.and_then(|opened| ctx.books.debit(opened.id));
    require(debit.is_none_or(|debit| debit.paid.is_zero()), || {
        Refusal::conflict("debit_has_payments")
    })?;
    let entry = own.entry.reversed();
    ctx.books.check(&entry)?;
    let reversed = MovementReversed {
        id: own.id,
        by: caller.id,
        voided_debit: own.debit.map(|debit| debit.id),
        undone_payments: own.payments.clone(),
        entry,
        personal: Personal::clear(
            own.subject(),
            MovementNote {
                note: Some(reason.trim().to_owned()),
            },
        ),
    };
    Ok(Decision::of(MovementEvent::MovementReversed(reversed), own.id)
        .answering(|answer| answer.number = Some(own.number.clone())))
}
