//! Request bodies of cards, alone or in the body of a recipient.

use super::super::field::{Faults, Field, FromObject};
use caudal_domain::{
    Refusal,
    customer::{
        AddCard,
        card::{Brand, CardNumber},
    },
    ids::{CardId, CustomerId},
    money::CurrencyCode,
};
use caudal_projections::scalar;
use serde::Deserialize;
use utoipa::ToSchema;

/// A card to add to a recipient.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CardInput {
    /// Id of an existing card.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    id: Field<CardId>,
    /// Accepted from clients that send whole recipients back; the card is of the recipient in whose body it is.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    customer_id: Field<CustomerId>,
    /// Number: sixteen digits, blanks and hyphens allowed.
    #[serde(default)]
    #[schema(value_type = String, required)]
    card_number: Field<String>,
    /// Brand (bank and currency), which must match the number's first six digits.
    #[serde(default)]
    #[schema(value_type = scalar::CardBrand, required)]
    brand: Field<Brand>,
    /// Accepted for compatibility; every card is stored as MLC.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// Accepted for compatibility; no card is the default.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_default: Field<bool>,
}

/// Whether two numbers of cards have the same digits.
#[must_use]
pub fn is_same_number(one: &str, other: &str) -> bool {
    let digits = |number: &str| number.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(one) == digits(other)
}

/// A card of a list: new or existing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewCard(pub(super) Option<AddCard>);

impl FromObject for NewCard {
    type Input = CardInput;

    fn from_object(input: CardInput, faults: &mut Faults) -> Option<Self> {
        // By specification every card is MLC and none is the default.
        faults.optional("customerId", input.customer_id);
        faults.optional("currency", input.currency);
        faults.optional("isDefault", input.is_default);
        if faults.optional("id", input.id).is_some() {
            return Some(Self(None));
        }
        card(input.card_number, input.brand, faults).map(|card| Self(Some(card)))
    }
}

/// A card with its recipient.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddCardInput {
    /// Id of the recipient.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    customer_id: Field<CustomerId>,
    /// Number: sixteen digits, blanks and hyphens allowed.
    #[serde(default)]
    #[schema(value_type = String, required)]
    card_number: Field<String>,
    /// Brand (bank and currency), which must match the number's first six digits.
    #[serde(default)]
    #[schema(value_type = scalar::CardBrand, required)]
    brand: Field<Brand>,
}

impl AddCardInput {
    /// Converts to the recipient and the command.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self) -> Result<(CustomerId, AddCard), Refusal> {
        let mut faults = Faults::default();
        let customer = faults.required("customerId", self.customer_id);
        let card = card(self.card_number, self.brand, &mut faults);
        faults.finish(|| Some((customer?, card?)))
    }
}

/// Validates a card here, so that a fault names its index in a list.
fn card(number: Field<String>, brand: Field<Brand>, faults: &mut Faults) -> Option<AddCard> {
    let number = faults.required_text("cardNumber", number);
    let brand = faults.required("brand", brand);
    let (number, brand) = (number?, brand?);
    if let Err(refusal) = CardNumber::parse(&number, brand) {
        faults.absorb(refusal);
        return None;
    }
    Some(AddCard {
        card: CardId::generate(),
        brand,
        number,
    })
}
