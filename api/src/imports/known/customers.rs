//! Customers by the keys of what rows tell of them, and their cards.

use super::{
    Known,
    keys::{PersonKeys, is_part},
};
use caudal_domain::{
    customer::CustomerKind,
    ids::{CardId, CustomerId},
};
use uuid::Uuid;

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundCustomer {
    None,
    One(CustomerId),
    Several,
}

/// Customers who have a key.
#[derive(Debug)]
pub(super) enum Holders {
    One(CustomerId),
    Several(Vec<CustomerId>),
}

impl Holders {
    fn add(&mut self, id: CustomerId) {
        match self {
            Self::One(known) if *known == id => {}
            Self::One(known) => *self = Self::Several(vec![*known, id]),
            Self::Several(known) if known.contains(&id) => {}
            Self::Several(known) => known.push(id),
        }
    }

    fn iter(&self) -> impl Iterator<Item = CustomerId> {
        let known = match self {
            Self::One(known) => std::slice::from_ref(known),
            Self::Several(known) => known,
        };
        known.iter().copied()
    }

    /// Takes a customer out. Returns whether nobody is left.
    pub(super) fn remove(&mut self, id: Uuid) -> bool {
        match self {
            Self::One(known) => known.0 == id,
            Self::Several(known) => {
                known.retain(|known| known.0 != id);
                if let [last] = known.as_slice() {
                    *self = Self::One(*last);
                }
                false
            }
        }
    }
}

impl Known {
    fn key(&self, kind: CustomerKind, within: Uuid, key: &str) -> u128 {
        self.hash((kind == CustomerKind::Issuer, within, key))
    }

    pub(super) fn card_key(&self, customer: CustomerId, digits: &str) -> u128 {
        self.hash((customer.0, digits))
    }

    /// The customer whom a row means, within an owner or an issuer.
    pub fn find(&mut self, kind: CustomerKind, within: Uuid, keys: &PersonKeys) -> FoundCustomer {
        for key in keys.wanted() {
            let Some(holders) = self.by_key.get(&self.key(kind, within, &key)) else {
                continue;
            };
            let found = match &keys.name {
                Some(name) if key.starts_with(['p', 'P']) => self.named_like(name, holders),
                _ => holders.iter().collect(),
            };
            self.leans |= found.iter().any(|id| self.undecided.contains(&id.0));
            match found.as_slice() {
                [] => {}
                [id] => return FoundCustomer::One(*id),
                _ => return FoundCustomer::Several,
            }
        }
        FoundCustomer::None
    }

    /// Those of some customers who may have a name: exactly it, or else one that has all words of the other.
    fn named_like(&self, name: &str, holders: &Holders) -> Vec<CustomerId> {
        let name_of = |id: &CustomerId| self.names.get(&id.0).map_or("", |name| name);
        let exactly: Vec<_> = holders.iter().filter(|id| name_of(id) == name).collect();
        if !exactly.is_empty() {
            return exactly;
        }
        let likely = holders
            .iter()
            .filter(|id| is_part(name_of(id), name) || is_part(name, name_of(id)));
        likely.collect()
    }

    pub(super) fn keep(&mut self, kind: CustomerKind, within: Uuid, keys: &PersonKeys, id: CustomerId) -> Vec<u128> {
        if let (Some(name), Some(_)) = (&keys.name, &keys.phone) {
            self.names.insert(id.0, name.as_str().into());
        }
        let keys: Vec<u128> = keys.kept().iter().map(|key| self.key(kind, within, key)).collect();
        for key in &keys {
            self.by_key
                .entry(*key)
                .and_modify(|holders| holders.add(id))
                .or_insert(Holders::One(id));
        }
        keys
    }

    /// Adds a customer whom a row of this pass registers.
    pub fn add(&mut self, kind: CustomerKind, within: Uuid, keys: &PersonKeys, id: CustomerId) {
        let keys = self.keep(kind, within, keys, id);
        self.open(id.0, keys);
    }

    pub fn card(&mut self, customer: CustomerId, digits: &str) -> Option<CardId> {
        let card = self.cards.get(&self.card_key(customer, digits)).copied();
        self.leans |= card.is_some_and(|card| self.undecided.contains(&card.0));
        card
    }

    /// Adds a card that a row of this pass adds.
    pub fn add_card(&mut self, customer: CustomerId, digits: &str, card: CardId) {
        let key = self.card_key(customer, digits);
        self.cards.insert(key, card);
        self.open(card.0, vec![key]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: Uuid = Uuid::from_u128(7);
    const ANA: CustomerId = CustomerId(Uuid::from_u128(1));
    const EVA: CustomerId = CustomerId(Uuid::from_u128(2));

    fn find(known: &mut Known, document: Option<&str>, phone: Option<&str>, name: &str) -> FoundCustomer {
        known.find(
            CustomerKind::Issuer,
            OWNER,
            &PersonKeys::new(document, phone, Some(name)),
        )
    }

    #[test]
    fn a_person_is_found_by_document_then_by_telephone_then_by_name() {
        let mut known = Known::default();
        let ana = PersonKeys::new(Some("A-123456"), Some("+1 305 555 0100"), Some("Ana Pérez"));
        known.add(CustomerKind::Issuer, OWNER, &ana, ANA);
        assert_eq!(find(&mut known, Some("a123456"), None, "Otra"), FoundCustomer::One(ANA));
        assert_eq!(
            find(&mut known, None, Some("13055550100"), "Ana"),
            FoundCustomer::One(ANA)
        );
        assert_eq!(find(&mut known, None, None, "ANA PEREZ"), FoundCustomer::One(ANA));
        assert_eq!(
            find(&mut known, Some("B1"), Some("13055550100"), "Eva"),
            FoundCustomer::None,
            "a shared telephone"
        );
        assert_eq!(
            find(&mut known, None, Some("5350000000"), "Ana Pérez"),
            FoundCustomer::None,
            "a namesake"
        );
    }

    #[test]
    fn people_who_share_a_telephone_are_told_apart_by_their_names() {
        let mut known = Known::default();
        let marta = PersonKeys::new(None, Some("+53 5200 0000"), Some("Marta Luna Soto"));
        known.add(CustomerKind::Issuer, OWNER, &marta, ANA);
        let mut of = |name| find(&mut known, None, Some("5352000000"), name);
        assert_eq!(of("Pedro Luna"), FoundCustomer::None);
        assert_eq!(of("marta lúna"), FoundCustomer::One(ANA), "without the second surname");
        assert_eq!(
            of("Marta Elena Luna Soto"),
            FoundCustomer::One(ANA),
            "with a second name"
        );
        let daughter = PersonKeys::new(None, Some("5352000000"), Some("Marta Luna"));
        known.add(CustomerKind::Issuer, OWNER, &daughter, EVA);
        let mut of = |name| find(&mut known, None, Some("5352000000"), name);
        assert_eq!(
            (of("Marta Luna"), of("Marta Luna Soto")),
            (FoundCustomer::One(EVA), FoundCustomer::One(ANA))
        );
        assert_eq!(of("Marta"), FoundCustomer::Several);
        known.forget(&[EVA.0]);
        assert_eq!(
            find(&mut known, None, Some("5352000000"), "Marta"),
            FoundCustomer::One(ANA)
        );
    }

    #[test]
    fn one_number_of_two_countries_is_of_two_people() {
        let passport = |country| PersonKeys::new(Some("X123456"), None, None).of_country(country);
        let mut known = Known::default();
        known.add(CustomerKind::Issuer, OWNER, &passport(Some("ES")), ANA);
        let of = |known: &mut Known, country| known.find(CustomerKind::Issuer, OWNER, &passport(country));
        assert_eq!(of(&mut known, Some("es")), FoundCustomer::One(ANA));
        assert_eq!(of(&mut known, Some("IT")), FoundCustomer::None);
        assert_eq!(
            of(&mut known, None),
            FoundCustomer::One(ANA),
            "a row that says no country"
        );
        known.add(CustomerKind::Issuer, OWNER, &passport(None), EVA);
        assert_eq!(
            of(&mut known, Some("IT")),
            FoundCustomer::One(EVA),
            "who was registered without one"
        );
        assert_eq!(of(&mut known, Some("ES")), FoundCustomer::One(ANA));
        assert_eq!(of(&mut known, None), FoundCustomer::Several);
        assert_ne!(passport(Some("ES")).identity(), passport(Some("IT")).identity());
        assert_eq!(
            passport(None).identity(),
            PersonKeys::new(Some("x 123456"), None, None).identity()
        );
    }

    #[test]
    fn namesakes_without_a_telephone_are_told_apart_by_nobody() {
        let mut known = Known::default();
        let ana = PersonKeys::new(None, None, Some("Ana"));
        known.add(CustomerKind::Issuer, OWNER, &ana, ANA);
        known.add(CustomerKind::Issuer, OWNER, &ana, EVA);
        assert_eq!(find(&mut known, None, None, "Ana"), FoundCustomer::Several);
        known.forget(&[EVA.0]);
        assert_eq!(find(&mut known, None, None, "Ana"), FoundCustomer::One(ANA));
        known.forget(&[ANA.0]);
        assert_eq!(find(&mut known, None, None, "Ana"), FoundCustomer::None);
    }
}
