//! Editing who is paid, where, and how. From error it brings the remittance back among the pending.

use super::{
    Delivery, DeliveryChoice, MAX_NOTE_LENGTH, Remittance, RemittanceDetails, RemittanceDetailsEdited, RemittanceEvent,
    Status, create, posting,
};
use crate::{
    books::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
    customer::{MAX_ADDRESS_LENGTH, Place},
    decision::{Context, Decision},
    ids::CustomerId,
    personal::Personal,
    refusal::{Refusal, require},
    text,
};

/// Changes the details of a remittance. What is `None` stays.
#[derive(Clone, Debug, PartialEq)]
pub struct EditDetails {
    /// The recipient that it is to have; the present one where that does not change.
    pub recipient: CustomerId,
    /// Another place for a delivery at the door.
    pub place: Option<Place>,
    /// Another delivery method or card.
    pub delivery: Option<DeliveryChoice>,
    /// The address to deliver at, as it is to stand from now on; the recipient's own where `None`.
    pub address: Option<String>,
    /// The seller's notes, as they are to stand from now on.
    pub notes: Option<String>,
}

pub(super) fn decide(
    own: &Remittance,
    edit: &EditDetails,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    text::optional("notes", edit.notes.as_deref().unwrap_or_default(), MAX_NOTE_LENGTH)?;
    text::optional(
        "address",
        edit.address.as_deref().unwrap_or_default(),
        MAX_ADDRESS_LENGTH,
    )?;
    let delivery = delivery(own, edit, ctx)?;
    require_dealer_handles(own, delivery, ctx)?;
    let reopened = own.status == Status::Error;
    let entry = if reopened {
        let pending = Account::of_tenant(AccountKind::RemittancesPending, own.sale.quote.currency_to);
        posting::moved(own, pending, TransferCode::Reopen)
    } else {
        Entry::default()
    };
    ctx.books.check(&entry)?;
    let details = RemittanceDetails {
        address: edit.address.clone(),
        notes: edit.notes.clone(),
    };
    let edited = RemittanceDetailsEdited {
        id: own.id,
        recipient: edit.recipient,
        delivery,
        reopened,
        entry,
        personal: Personal::clear(edit.recipient, details),
    };
    let status = if reopened { Status::Pending } else { own.status };
    Ok(
        Decision::of(RemittanceEvent::RemittanceDetailsEdited(edited), own.id).answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(status.number());
        }),
    )
}

/// The delivery from now on: another recipient, method or place is resolved anew; the rest stays.
fn delivery(own: &Remittance, edit: &EditDetails, ctx: &Context<'_>) -> Result<Delivery, Refusal> {
    let same_recipient = edit.recipient == own.sale.recipient;
    let recipient = if same_recipient {
        ctx.customer(edit.recipient)
            .ok_or_else(|| Refusal::invalid("recipientId", "recipient_unknown"))?
    } else {
        create::usable_recipient(edit.recipient, own.sale.sender, ctx)?
    };
    if let Some(place) = &edit.place {
        place.validate()?;
    }
    let choice = match (edit.delivery, own.delivery) {
        (Some(choice), _) => choice,
        (None, Delivery::Home { .. }) => DeliveryChoice::Home,
        (None, Delivery::Card { .. }) if same_recipient => return Ok(own.delivery),
        (None, Delivery::Card { .. }) => return Err(Refusal::invalid("cardId", "required")),
    };
    match (choice, edit.place, own.delivery) {
        (DeliveryChoice::Home, Some(place), _) => create::home(place, ctx),
        (DeliveryChoice::Home, None, Delivery::Home { .. }) if same_recipient => Ok(own.delivery),
        _ => create::resolve_delivery(choice, recipient, own.sale.quote.currency_to, ctx),
    }
}

/// A remittance with a dealer can't become a transfer that the dealer does not handle.
fn require_dealer_handles(own: &Remittance, delivery: Delivery, ctx: &Context<'_>) -> Result<(), Refusal> {
    let (Status::Shipping, Delivery::Card { .. }, Some(dealer)) = (own.status, delivery, own.dealer) else {
        return Ok(());
    };
    let handles = ctx
        .books
        .party(dealer)
        .is_some_and(|dealer| dealer.territory.handle_mlc);
    require(handles, || Refusal::conflict("dealer_does_not_handle_transfers"))
}
