//! Adding a bank card to a recipient. The brand is kept as chosen.

use super::{
    CardAdded, Customer, CustomerEvent, CustomerKind, MAX_CARDS,
    card::{Brand, CardNumber},
};
use crate::{
    decision::Decision,
    ids::CardId,
    personal::Personal,
    refusal::{Refusal, require},
};

/// Adds a card.
#[derive(Clone, Debug, PartialEq)]
pub struct AddCard {
    /// Its new id.
    pub card: CardId,
    /// Its brand.
    pub brand: Brand,
    /// Its number as typed.
    pub number: String,
}

pub(super) fn decide(own: &Customer, add: &AddCard) -> Result<Decision<CustomerEvent>, Refusal> {
    require(own.kind == CustomerKind::Recipient, || {
        Refusal::conflict("cards_are_for_recipients")
    })?;
    require(own.cards.len() < MAX_CARDS, || {
        Refusal::conflict("too_many_cards").with("max", MAX_CARDS)
    })?;
    require(!own.cards.contains_key(&add.card), || {
        Refusal::conflict("already_exists")
    })?;
    let number = CardNumber::parse(&add.number, add.brand)?;
    let added = CardAdded {
        customer: own.id,
        card: add.card,
        brand: add.brand,
        personal: Personal::clear(own.id, number),
    };
    Ok(Decision::of(CustomerEvent::CardAdded(added), add.card))
}
