//! Editing the amount or the group: quoted anew at the terms of this moment.

use super::{
    Asked, Delivery, Remittance, RemittanceAmountEdited, RemittanceEvent, Sale, Status, posting, quote,
    require_card_pays,
};
use crate::{
    books::entry::Entry,
    decision::{Context, Decision},
    ids::PaymentGroupId,
    money::Amount,
    refusal::Refusal,
};

/// Changes what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditAmount {
    /// What is sent from now on, in USD.
    pub amount: Amount,
    /// The group from now on.
    pub group: PaymentGroupId,
}

pub(super) fn decide(
    own: &Remittance,
    edit: &EditAmount,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let seller_id = own.sale.agent.unwrap_or(own.sale.seller);
    let seller = ctx
        .books
        .party(seller_id)
        .ok_or_else(|| Refusal::conflict("seller_unknown"))?;
    let (terms, new_quote) = quote(ctx.books, seller, edit.group, Asked::Amount(edit.amount))?;
    if let Delivery::Card { brand, .. } = own.delivery {
        require_card_pays(brand, new_quote.currency_to)?;
    }
    let sale = Sale {
        group: edit.group,
        terms,
        quote: new_quote,
        ..own.sale.clone()
    };
    let entry = posting::sold(posting::unsold(Entry::default(), own), &sale);
    ctx.books.check(&entry)?;
    let edited = RemittanceAmountEdited {
        id: own.id,
        previous_group: own.sale.group,
        previous_quote: own.sale.quote,
        sale,
        entry,
    };
    Ok(
        Decision::of(RemittanceEvent::RemittanceAmountEdited(edited), own.id).answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(Status::Pending.number());
            answer.quote = Some(new_quote);
        }),
    )
}
