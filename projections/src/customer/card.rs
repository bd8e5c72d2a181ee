//! Recipients' cards.

use super::list::require_visible;
use crate::{
    error::ReadError,
    list::{self, List, text, unprinted},
    page::{ListQuery, Page},
    print::{word, words},
    read_transaction::ReadTransaction,
    rows::CardRow,
    scalar::{CardBrand, CurrencyCode},
    scope::Scope,
    table::{Row as _, select_list},
};
use caudal_domain::{ids::CustomerId, money::CurrencyCode as Code};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A recipient's bank card.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    /// UUID.
    pub id: Uuid,
    /// Id of the recipient.
    pub customer_id: Uuid,
    /// Number, masked except for the party that pays to it; null after erasure.
    pub card_number: Option<String>,
    /// Brand as chosen.
    pub brand: CardBrand,
    /// Always MLC, by specification.
    pub currency: CurrencyCode,
    /// Always false, by specification.
    pub is_default: bool,
}

/// Visibility of a card's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digits {
    /// All digits, for the party that pays to it.
    All,
    /// The last four digits, for everyone else.
    LastFour,
}

impl Card {
    pub(crate) fn new(row: CardRow, digits: Digits) -> Self {
        let number = row.number.map(|number| match digits {
            Digits::All => number,
            Digits::LastFour => masked(&number),
        });
        Self {
            id: row.id,
            customer_id: row.customer,
            card_number: number,
            brand: row.brand.into(),
            currency: Code::MLC.into(),
            is_default: false,
        }
    }
}

/// Masks all but the last four digits.
#[must_use]
pub fn masked(number: &str) -> String {
    const SHOWN: usize = 4;
    let hidden = number.chars().count().saturating_sub(SHOWN);
    number
        .chars()
        .enumerate()
        .map(|(index, digit)| if index < hidden { '*' } else { digit })
        .collect()
}

/// List of a recipient's cards.
pub const CARDS: List<Card> = List {
    title: word::CARDS,
    columns: &[
        // By the visible digits.
        text("cardNumber", word::CARD, |k: &Card, _| k.card_number.clone()).sort("right(k.number, 4)"),
        text("brand", word::BANK, |k: &Card, p| {
            Some(p.say(words::brand(k.brand.0)).to_owned())
        })
        .sort("k.brand"),
        // The brand's name ends with its currency after the last underscore.
        text("currency", word::CURRENCY, |k: &Card, _| Some(k.currency.0.to_string()))
            .sort("substring(k.brand FROM '[^_]*$')"),
        unprinted("created").sort("k.added_at"),
    ],
    filters: &[],
    search: None,
    default_sort: "created",
    tie: "k.id",
    counted: None,
    hides_prices: false,
};

/// A recipient's cards, masked.
///
/// # Errors
/// Not found in the caller's scope; undeclared sorts, filters and pages.
pub async fn cards(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: CustomerId,
    query: &ListQuery,
) -> Result<Page<Card>, ReadError> {
    require_visible(transaction, scope, id).await?;
    let mut from = transaction.rows("cards", "k");
    from.push(" AND k.customer = ").bind(id.0);
    let keys = CARDS.keys::<Uuid>(transaction, query, from, "k.id").await?;
    let mut cards = cards_of(transaction, &[id.0]).await?.remove(&id.0).unwrap_or_default();
    cards.retain(|card| keys.keys.contains(&card.id));
    let cards = list::in_order(&keys.keys, cards, |card: &Card| card.id);
    Ok(keys.page(cards))
}

/// Customers' cards, masked, by customer.
pub(super) async fn cards_of(
    transaction: &mut ReadTransaction,
    customers: &[Uuid],
) -> Result<HashMap<Uuid, Vec<Card>>, ReadError> {
    let mut sql = transaction
        .rows("cards", "k")
        .after(&format!("SELECT {}", select_list::<CardRow>("k", "")));
    sql.push(" AND k.customer = ANY (")
        .bind(customers.to_vec())
        .push(") ORDER BY k.added_at, k.id");
    let mut cards: HashMap<Uuid, Vec<Card>> = HashMap::new();
    for row in transaction.fetch_by_keys(&sql).await? {
        let card = CardRow::read(&row, "")?;
        cards
            .entry(card.customer)
            .or_default()
            .push(Card::new(card, Digits::LastFour));
    }
    Ok(cards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_number_shows_its_last_four_digits() {
        assert_eq!(masked("9225061234567890"), "************7890");
        assert_eq!(masked("123"), "123");
    }
}
