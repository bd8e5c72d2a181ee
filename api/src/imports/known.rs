//! Customers that rows may mean: those of the owner, and those that earlier rows registered.
//!
//! A person is found by the document, of whichever country where the row or the known person says none; without a match by
//! the telephone, if the names do not contradict each other and one of the two has no document; by the name alone only if
//! nothing else distinguishes the two. A telephone alone is no person: a household shares one.

use super::{store::StoreError, values};
use caudal_domain::{
    customer::CustomerKind,
    ids::{CardId, CustomerId, MovementId, MunicipalityId, PartyId, PaymentGroupId, TenantId},
    money::{Amount, CurrencyCode},
    party::PartyDetails,
};
use caudal_postgres::Database;
use futures::TryStreamExt as _;
use sqlx::Row as _;
use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher as _, Hash, RandomState},
};
use uuid::Uuid;

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    None,
    One(CustomerId),
    Several,
}

/// Whether all words of a name are in another.
fn is_part(name: &str, of: &str) -> bool {
    let words: Vec<&str> = of.split(' ').collect();
    name.split(' ').all(|word| words.contains(&word))
}

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

/// What a row tells of a person, in comparable form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonKeys {
    document: Option<String>,
    /// The document with its country; none where nobody said it.
    of_country: Option<String>,
    phone: Option<String>,
    name: Option<String>,
}

impl PersonKeys {
    pub fn new(document: Option<&str>, phone: Option<&str>, name: Option<&str>) -> Self {
        let document = document.map(|text| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>());
        let phone = phone.map(|text| text.chars().filter(char::is_ascii_digit).collect::<String>());
        let used = |text: &String| !text.is_empty();
        Self {
            document: document.map(|text| text.to_uppercase()).filter(used),
            of_country: None,
            phone: phone.filter(used),
            name: name.map(values::folded).filter(used),
        }
    }

    /// The same with the country of the document.
    #[must_use]
    pub fn of_country(mut self, country: Option<&str>) -> Self {
        let country = country
            .map(|text| text.trim().to_uppercase())
            .filter(|text| !text.is_empty());
        let document = self.document.as_ref().zip(country);
        self.of_country = document.map(|(document, country)| format!("{document}@{country}"));
        self
    }

    /// What distinguishes the person from others: all that the row tells.
    pub fn identity(&self) -> String {
        match (self.of_country.as_ref().or(self.document.as_ref()), &self.phone) {
            (Some(document), _) => format!("d{document}"),
            (None, Some(phone)) => format!("p{phone} {}", self.name.as_deref().unwrap_or_default()),
            (None, None) => format!("n{}", self.name.as_deref().unwrap_or_default()),
        }
    }

    /// Keys under which such a person is kept. Lower-case ones hold all persons, upper-case ones those without what is surer.
    fn kept(&self) -> Vec<String> {
        let mut keys = Vec::with_capacity(6);
        if let Some(document) = &self.document {
            keys.push(format!("d{document}"));
            match &self.of_country {
                Some(document) => keys.push(format!("c{document}")),
                None => keys.push(format!("D{document}")),
            }
        }
        if let Some(phone) = &self.phone {
            keys.push(format!("p{phone}"));
            if self.document.is_none() {
                keys.push(format!("P{phone}"));
            }
        }
        if let Some(name) = &self.name {
            keys.push(format!("n{name}"));
            if self.document.is_none() && self.phone.is_none() {
                keys.push(format!("N{name}"));
            }
        }
        keys
    }

    /// Keys to look for, the surest first.
    fn wanted(&self) -> Vec<String> {
        let is_sure = self.document.is_some();
        let mut keys = Vec::with_capacity(4);
        if let Some(document) = &self.document {
            match &self.of_country {
                // Whose document has no country may be the same.
                Some(of_country) => keys.extend([format!("c{of_country}"), format!("D{document}")]),
                None => keys.push(format!("d{document}")),
            }
        }
        if let Some(phone) = &self.phone {
            keys.push(format!("{}{phone}", if is_sure { 'P' } else { 'p' }));
        }
        if let Some(name) = &self.name {
            let mark = if is_sure || self.phone.is_some() { 'N' } else { 'n' };
            keys.push(format!("{mark}{name}"));
        }
        keys
    }
}

/// Customers who have a key.
#[derive(Debug)]
enum Holders {
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
    fn remove(&mut self, id: Uuid) -> bool {
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

/// Where a person lives, as far as somebody said it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Home {
    pub province: Option<Uuid>,
    pub municipality: Option<Uuid>,
    pub address: Option<String>,
}

/// A known recipient's home, with the hashes of the address and of the address with its neighbourhood.
#[derive(Clone, Copy, Debug, Default)]
struct KnownHome {
    province: Option<Uuid>,
    municipality: Option<Uuid>,
    addresses: [Option<u128>; 2],
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

/// Customers of an owner, by what rows tell of them. Keys are hashed: a file may tell of a hundred thousand persons.
#[derive(Debug, Default)]
pub struct Known {
    hashers: [RandomState; 2],
    by_key: HashMap<u128, Holders>,
    /// Names of those who have a telephone, folded.
    names: HashMap<Uuid, Box<str>>,
    /// Homes of recipients.
    homes: HashMap<Uuid, KnownHome>,
    cards: HashMap<u128, CardId>,
    /// What rows of this pass register, with its keys.
    opened: HashMap<Uuid, Vec<u128>>,
    /// Parties by name, folded.
    by_name: HashMap<String, Vec<PartyId>>,
    /// Parties by e-mail address, as the log compares them.
    by_email: HashMap<String, Vec<PartyId>>,
    /// Opening balances that stand: in the log, and not reversed.
    openings: HashMap<OpenedAccount, Opening>,
    /// Rows of municipalities.
    places: HashMap<MunicipalityId, u32>,
    /// Rows of accounts.
    accounts: HashMap<OpenedAccount, u32>,
    /// What the row under way registers.
    row: Vec<Uuid>,
    /// Registrations of earlier rows that are not decided yet.
    undecided: HashSet<Uuid>,
    /// Whether the row under way means one of them.
    leans: bool,
}

impl Known {
    /// Reads an owner's customers from the read models.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load(database: &Database, tenant: &TenantId, owner: PartyId) -> Result<Self, StoreError> {
        let mut known = Self::default();
        let mut transaction = database.begin_read(tenant.as_str()).await?;
        let mut rows = sqlx::query(
            "SELECT id, kind, sender, identification, phone, name, province, municipality,
                    details ->> 'personalIdentificationCountry' AS country,
                    details ->> 'addressLine' AS address, details ->> 'repart' AS repart FROM customers
              WHERE tenant = $1 AND owner = $2 AND NOT deleted AND name IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(owner.0)
        .fetch(&mut *transaction);
        while let Some(row) = rows.try_next().await? {
            let kind = match row.try_get::<i16, _>("kind")? {
                0 => CustomerKind::Issuer,
                _ => CustomerKind::Recipient,
            };
            let sender: Option<Uuid> = row.try_get("sender")?;
            let keys = PersonKeys::new(
                row.try_get("identification")?,
                row.try_get("phone")?,
                row.try_get("name")?,
            )
            .of_country(row.try_get("country")?);
            let id = CustomerId(row.try_get("id")?);
            known.keep(kind, sender.unwrap_or(owner.0), &keys, id);
            if kind == CustomerKind::Recipient {
                let home = Home {
                    province: row.try_get("province")?,
                    municipality: row.try_get("municipality")?,
                    address: row.try_get("address")?,
                };
                known.keep_home(id, &home, row.try_get("repart")?);
            }
        }
        drop(rows);
        let mut rows = sqlx::query(
            "SELECT c.id, c.customer, c.number FROM cards AS c
               JOIN customers AS o ON o.tenant = c.tenant AND o.id = c.customer
              WHERE c.tenant = $1 AND o.owner = $2 AND NOT o.deleted AND c.number IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(owner.0)
        .fetch(&mut *transaction);
        while let Some(row) = rows.try_next().await? {
            let number: String = row.try_get("number")?;
            let digits: String = number.chars().filter(char::is_ascii_digit).collect();
            let key = known.card_key(CustomerId(row.try_get("customer")?), &digits);
            known.cards.insert(key, CardId(row.try_get("id")?));
        }
        drop(rows);
        transaction.commit().await?;
        Ok(known)
    }

    /// Reads a tenant's parties and its opening balances from the read models.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load_parties(&mut self, database: &Database, tenant: &TenantId) -> Result<(), StoreError> {
        let mut transaction = database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT id, name, details->>'email' AS email FROM parties
              WHERE tenant = $1 AND NOT deleted AND name IS NOT NULL",
        )
        .bind(tenant.as_str())
        .fetch_all(&mut *transaction)
        .await?;
        for row in &rows {
            let email: Option<&str> = row.try_get("email")?;
            self.add_party(
                PartyId(row.try_get("id")?),
                row.try_get("name")?,
                email.unwrap_or_default(),
            );
        }
        let rows = sqlx::query(
            "SELECT id, to_party, group_id, currency, amount FROM movements
              WHERE tenant = $1 AND kind = 'opening' AND reversed_at IS NULL",
        )
        .bind(tenant.as_str())
        .fetch_all(&mut *transaction)
        .await?;
        for row in &rows {
            let currency: &str = row.try_get("currency")?;
            let account = (
                row.try_get::<Option<Uuid>, _>("to_party")?.map(PartyId),
                row.try_get::<Option<Uuid>, _>("group_id")?.map(PaymentGroupId),
                currency.parse().map_err(|_| StoreError::Changed)?,
            );
            let opening = Opening {
                id: MovementId(row.try_get("id")?),
                amount: Amount::from_minor(row.try_get("amount")?),
            };
            self.openings.insert(account, opening);
        }
        Ok(())
    }

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

    /// The first row of an account in this pass.
    pub fn row_of_account(&mut self, account: OpenedAccount, row: u32) -> u32 {
        *self.accounts.entry(account).or_insert(row)
    }

    fn add_party(&mut self, id: PartyId, name: &str, email: &str) {
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

    fn hash(&self, of: impl Hash) -> u128 {
        let [one, other] = &self.hashers;
        (u128::from(one.hash_one(&of)) << 64) | u128::from(other.hash_one(&of))
    }

    fn key(&self, kind: CustomerKind, within: Uuid, key: &str) -> u128 {
        self.hash((kind == CustomerKind::Issuer, within, key))
    }

    fn card_key(&self, customer: CustomerId, digits: &str) -> u128 {
        self.hash((customer.0, digits))
    }

    /// The customer whom a row means, within an owner or an issuer.
    pub fn find(&mut self, kind: CustomerKind, within: Uuid, keys: &PersonKeys) -> Found {
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
                [id] => return Found::One(*id),
                _ => return Found::Several,
            }
        }
        Found::None
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

    fn keep(&mut self, kind: CustomerKind, within: Uuid, keys: &PersonKeys, id: CustomerId) -> Vec<u128> {
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

    fn address_key(&self, address: &str) -> Option<u128> {
        let address = values::folded(address);
        (!address.is_empty()).then(|| self.hash(address.as_str()))
    }

    /// Keeps where a recipient lives.
    pub fn keep_home(&mut self, id: CustomerId, home: &Home, neighbourhood: Option<&str>) {
        let address = home.address.as_deref().unwrap_or_default();
        let whole = neighbourhood.map(|neighbourhood| format!("{address} {neighbourhood}"));
        let known = KnownHome {
            province: home.province,
            municipality: home.municipality,
            addresses: [
                self.address_key(address),
                whole.and_then(|whole| self.address_key(&whole)),
            ],
        };
        self.homes.insert(id.0, known);
    }

    /// The field by which a row's home is another than that of the recipient whom the row means. What the row does not say is the
    /// recipient's.
    #[must_use]
    pub fn elsewhere(&self, id: CustomerId, home: &Home) -> Option<&'static str> {
        let known = self.homes.get(&id.0).copied().unwrap_or_default();
        if home.municipality.is_some() && home.municipality != known.municipality {
            return Some("municipality");
        }
        if home.province.is_some() && home.province != known.province {
            return Some("province");
        }
        let address = home.address.as_deref().and_then(|address| self.address_key(address));
        (address.is_some() && !known.addresses.contains(&address)).then_some("addressLine")
    }

    /// Adds a customer whom a row of this pass registers.
    pub fn add(&mut self, kind: CustomerKind, within: Uuid, keys: &PersonKeys, id: CustomerId) {
        let keys = self.keep(kind, within, keys, id);
        self.open(id.0, keys);
    }

    /// Notes that a row of this pass adds a customer or a card that is there already: by this import, before it was
    /// interrupted.
    pub fn add_again(&mut self, id: Uuid) {
        self.open(id, Vec::new());
    }

    fn open(&mut self, id: Uuid, keys: Vec<u128>) {
        self.opened.insert(id, keys);
        self.row.push(id);
    }

    /// The first row of a municipality in this pass.
    pub fn row_of_place(&mut self, place: MunicipalityId, row: u32) -> u32 {
        *self.places.entry(place).or_insert(row)
    }

    /// Begins with a row.
    pub fn begin_row(&mut self) {
        self.row.clear();
        self.leans = false;
    }

    /// Whether the row means a customer or card whose registration is not decided yet: the plan is a guess.
    pub const fn leans(&self) -> bool {
        self.leans
    }

    /// Notes registrations that are to be decided.
    pub fn begin_deciding(&mut self, opened: &[Uuid]) {
        self.undecided.extend(opened);
    }

    /// Notes that all of them are decided; those that were refused are forgotten by [`Self::forget`].
    pub fn end_deciding(&mut self) {
        self.undecided.clear();
    }

    /// What the row under way registers.
    pub fn take_row(&mut self) -> Vec<Uuid> {
        std::mem::take(&mut self.row)
    }

    /// Forgets what the row under way registers: it has no commands.
    pub fn forget_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        self.forget(&row);
    }

    /// Whether an earlier row of this pass registers a customer or a card. One that is known and was not opened in this pass
    /// is another's, or was added by this import before it was interrupted.
    #[must_use]
    pub fn is_opened(&self, id: Uuid) -> bool {
        self.opened.contains_key(&id)
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

    /// Forgets customers and cards whose registration was refused, so that later rows register them themselves.
    pub fn forget(&mut self, refused: &[Uuid]) {
        for id in refused {
            let Some(keys) = self.opened.remove(id) else { continue };
            if !keys.is_empty() {
                self.names.remove(id);
                self.homes.remove(id);
            }
            for key in keys {
                if self.by_key.get_mut(&key).is_some_and(|holders| holders.remove(*id)) {
                    self.by_key.remove(&key);
                }
                if self.cards.get(&key).map(|own| own.0) == Some(*id) {
                    self.cards.remove(&key);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: Uuid = Uuid::from_u128(7);
    const ANA: CustomerId = CustomerId(Uuid::from_u128(1));
    const EVA: CustomerId = CustomerId(Uuid::from_u128(2));

    fn find(known: &mut Known, document: Option<&str>, phone: Option<&str>, name: &str) -> Found {
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
        assert_eq!(find(&mut known, Some("a123456"), None, "Otra"), Found::One(ANA));
        assert_eq!(find(&mut known, None, Some("13055550100"), "Ana"), Found::One(ANA));
        assert_eq!(find(&mut known, None, None, "ANA PEREZ"), Found::One(ANA));
        assert_eq!(
            find(&mut known, Some("B1"), Some("13055550100"), "Eva"),
            Found::None,
            "a shared telephone"
        );
        assert_eq!(
            find(&mut known, None, Some("5350000000"), "Ana Pérez"),
            Found::None,
            "a namesake"
        );
    }

    #[test]
    fn people_who_share_a_telephone_are_told_apart_by_their_names() {
        let mut known = Known::default();
        let marta = PersonKeys::new(None, Some("+53 5200 0000"), Some("Marta Luna Soto"));
        known.add(CustomerKind::Issuer, OWNER, &marta, ANA);
        let mut of = |name| find(&mut known, None, Some("5352000000"), name);
        assert_eq!(of("Pedro Luna"), Found::None);
        assert_eq!(of("marta lúna"), Found::One(ANA), "without the second surname");
        assert_eq!(of("Marta Elena Luna Soto"), Found::One(ANA), "with a second name");
        let daughter = PersonKeys::new(None, Some("5352000000"), Some("Marta Luna"));
        known.add(CustomerKind::Issuer, OWNER, &daughter, EVA);
        let mut of = |name| find(&mut known, None, Some("5352000000"), name);
        assert_eq!(
            (of("Marta Luna"), of("Marta Luna Soto")),
            (Found::One(EVA), Found::One(ANA))
        );
        assert_eq!(of("Marta"), Found::Several);
        known.forget(&[EVA.0]);
        assert_eq!(find(&mut known, None, Some("5352000000"), "Marta"), Found::One(ANA));
    }

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

    #[test]
    fn one_number_of_two_countries_is_of_two_people() {
        let passport = |country| PersonKeys::new(Some("X123456"), None, None).of_country(country);
        let mut known = Known::default();
        known.add(CustomerKind::Issuer, OWNER, &passport(Some("ES")), ANA);
        let of = |known: &mut Known, country| known.find(CustomerKind::Issuer, OWNER, &passport(country));
        assert_eq!(of(&mut known, Some("es")), Found::One(ANA));
        assert_eq!(of(&mut known, Some("IT")), Found::None);
        assert_eq!(of(&mut known, None), Found::One(ANA), "a row that says no country");
        known.add(CustomerKind::Issuer, OWNER, &passport(None), EVA);
        assert_eq!(
            of(&mut known, Some("IT")),
            Found::One(EVA),
            "who was registered without one"
        );
        assert_eq!(of(&mut known, Some("ES")), Found::One(ANA));
        assert_eq!(of(&mut known, None), Found::Several);
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
        assert_eq!(find(&mut known, None, None, "Ana"), Found::Several);
        known.forget(&[EVA.0]);
        assert_eq!(find(&mut known, None, None, "Ana"), Found::One(ANA));
        known.forget(&[ANA.0]);
        assert_eq!(find(&mut known, None, None, "Ana"), Found::None);
    }
}
