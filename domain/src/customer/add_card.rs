//! Adding a bank card to a recipient. The brand is stored as chosen, not derived from the number.

use super::{
    CardAdded, Customer, CustomerEvent,
    card::{Brand, CardNumber},
};
use crate::{
    decision::Decision,
    ids::CardId,
    personal::Personal,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct AddCard {
    /// A new id, or that of the card with this number: decisions know ids and no numbers.
    pub card: CardId,
    pub brand: Brand,
    /// As typed; blanks and hyphens are allowed.
    pub number: String,
}

crate::personal::untold!(AddCard);

pub(super) fn decide(own: &Customer, add: &AddCard) -> Result<Decision<CustomerEvent>, Refusal> {
    require(!own.cards.contains_key(&add.card), || {
        Refusal::conflict("card_exists").at("cardNumber")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Invalid, NotFound},
        customer::{CustomerCommand, MAX_CARDS},
        ids::CustomerId,
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn add(business: &Business, caller: impl Caller, to: CustomerId, brand: Brand, number: &str) -> Tried<Customer> {
        let add = AddCard {
            card: CardId::generate(),
            brand,
            number: number.into(),
        };
        business
            .world
            .given::<Customer>(to)
            .when(business.world.by(caller, CustomerCommand::AddCard(add)))
    }

    #[test]
    fn a_card_keeps_the_brand_chosen_and_its_digits() {
        let business = Business::new();
        for brand in Brand::ALL {
            let digits = format!("{}1234567890", brand.prefix());
            let typed = format!(
                "{} {}-{} {}",
                &digits[..4],
                &digits[4..8],
                &digits[8..12],
                &digits[12..]
            );
            let event = add(&business, business.clerk, business.carla, *brand, &typed).then_event();
            let CustomerEvent::CardAdded(added) = event else {
                panic!("{event:?}")
            };
            assert_eq!((added.brand, added.customer), (*brand, business.carla));
            assert_eq!(
                added.personal,
                Personal::clear(business.carla, CardNumber { card_number: digits })
            );
        }
    }

    #[test]
    fn a_number_has_sixteen_digits_and_its_brands_prefix() {
        let business = Business::new();
        for (number, rule) in [
            ("922512000000001", "card_number_not_16_digits"),
            ("92251200000000012", "card_number_not_16_digits"),
            ("92251200000000x1", "card_number_not_16_digits"),
            ("９２２５１２0000000001", "card_number_not_16_digits"),
            ("", "card_number_not_16_digits"),
            ("9225060000000001", "card_number_of_another_brand"),
        ] {
            add(&business, business.agency, business.berta, Brand::BpaMlc, number)
                .then_refused(Invalid, &format!("invalid cardNumber:{rule}"));
        }
    }

    #[test]
    fn a_card_that_the_recipient_has_is_refused_at_its_number() {
        let mut business = Business::new();
        let (agency, carla) = (business.agency, business.carla);
        let card = business.world.card(agency.actor(), carla, Brand::BmMlc);
        let add = AddCard {
            card,
            brand: Brand::BmMlc,
            number: "9225950000000001".into(),
        };
        business
            .world
            .given::<Customer>(carla)
            .when(business.world.by(agency, CustomerCommand::AddCard(add)))
            .then_refused(Conflict, "card_exists cardNumber:card_exists");
    }

    #[test]
    fn only_recipients_in_the_callers_scope_have_cards() {
        let business = Business::new();
        let number = "9225120000000001";
        add(&business, business.agency, business.ana, Brand::BpaMlc, number)
            .then_refused(Conflict, "cards_are_for_recipients");
        add(&business, business.agency, business.elisa, Brand::BpaMlc, number)
            .then_refused(NotFound, "customer_not_found");
    }

    #[test]
    fn a_recipient_has_a_bounded_number_of_cards() {
        let mut business = Business::new();
        let (agency, carla) = (business.agency, business.carla);
        for _ in 0..MAX_CARDS {
            business.world.card(agency.actor(), carla, Brand::BmMlc);
        }
        add(&business, agency, carla, Brand::BmMlc, "9225950000000001").then_refused(Conflict, "too_many_cards");
    }
}
