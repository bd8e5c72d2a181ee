//! Parties by name and e-mail address, and opening balances by account.

use super::Known;
use crate::imports::values;
use caudal_domain::{
    ids::{MovementId, PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    party::PartyDetails,
};
use uuid::Uuid;

/// Result of a search for a party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundParty {
    None,
    One(PartyId),
    Several,
}

fn found(parties: impl Iterator<Item = PartyId>) -> FoundParty {
    parties.fold(FoundParty::None, |found, party| match found {
        FoundParty::None => FoundParty::One(party),
        FoundParty::One(known) if known == party => found,
        _ => FoundParty::Several,
    })
}

/// An account that opens: its party, none for the treasury; its payment group, none for cash; its currency.
pub type OpenedAccount = (Option<PartyId>, Option<PaymentGroupId>, CurrencyCode);

/// An opening balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its movement.
    pub id: MovementId,
    pub amount: Amount,
}

impl Known {
    /// The opening balance of an account that stands.
    #[must_use]
    pub fn opening(&self, account: OpenedAccount) -> Option<Opening> {
        self.openings.get(&account).copied()
    }

    /// Currency and amount of an opening balance that stands, by its movement.
    #[must_use]
    pub fn opening_by_id(&self, id: Uuid) -> Option<(CurrencyCode, Amount)> {
        let mut openings = self.openings.iter();
        let found = openings.find(|(_, opening)| opening.id.0 == id);
        found.map(|((.., currency), opening)| (*currency, opening.amount))
    }

    pub(super) fn add_party(&mut self, id: PartyId, name: &str, email: &str) {
        self.by_name.entry(values::folded(name)).or_default().push(id);
        self.by_email
            .entry(PartyDetails::normal_email(email))
            .or_default()
            .push(id);
    }

    /// The party that a row names by name or e-mail address.
    #[must_use]
    pub fn party(&self, text: &str) -> FoundParty {
        let named = self.by_name.get(&values::folded(text)).into_iter().flatten();
        let named = named.copied().filter(|_| !text.trim().is_empty());
        found(named.chain(self.addressed(text)))
    }

    /// The party that has an e-mail address.
    #[must_use]
    pub fn party_of_address(&self, email: &str) -> FoundParty {
        found(self.addressed(email))
    }

    fn addressed(&self, email: &str) -> impl Iterator<Item = PartyId> {
        let known = self.by_email.get(&PartyDetails::normal_email(email));
        known
            .filter(|_| !email.trim().is_empty())
            .into_iter()
            .flatten()
            .copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_compared_with_their_punctuation_and_names_are_folded() {
        let mut known = Known::default();
        let [dotted, dashed] = [1, 2].map(|id| PartyId(Uuid::from_u128(id)));
        known.add_party(dotted, "Ana Pérez", "Ana.Perez@example.test");
        known.add_party(dashed, "Eva", "eva@example.test");
        assert_eq!(
            known.party_of_address(" ana.perez@EXAMPLE.test "),
            FoundParty::One(dotted)
        );
        for other in [
            "ana-perez@example.test",
            "ana_perez@example.test",
            "ana+perez@example.test",
            "",
        ] {
            assert_eq!(known.party_of_address(other), FoundParty::None, "{other}");
            assert_eq!(known.party(other), FoundParty::None, "{other}");
        }
        assert_eq!(known.party("ANA PEREZ"), FoundParty::One(dotted));
        assert_eq!(known.party("eva@example.test"), FoundParty::One(dashed));
        known.add_party(dashed, "Ana.Perez@example.test", "other@example.test");
        assert_eq!(
            known.party("ana.perez@example.test"),
            FoundParty::Several,
            "whose name is another's address"
        );
        assert_eq!(
            known.party_of_address("ana.perez@example.test"),
            FoundParty::One(dotted)
        );
    }
}
