//! Screening of customers against lists: outside of the decision, which sees whether a customer is in review.
//!
//! | When | What |
//! |---|---|
//! | at a sale, or another recipient of one | sender and recipient are screened before the command; what changed is recorded first |
//! | at a registration or change | the customer, after the command |
//! | a list, a threshold or a rule changed | everybody, by `screened::job` |
//!
//! A tenant without a rule pays a look at its own state.

mod indexes;
pub mod own;
pub mod store;

use crate::problem::ApiError;
use caudal_domain::{
    Books, Command,
    customer::{CustomerCommand, IdentificationType, ScreeningCandidate, ScreeningRule, screening::MAX_CANDIDATES},
    ids::{CustomerId, TenantId},
    remittance::RemittanceCommand,
};
use caudal_journal::{Keyring, SubmitError, WithCauses};
use caudal_postgres::Database;
use caudal_projections::{ReadError, scalar::CustomerType, screening::ScreeningSubject};
use caudal_screening::{Date, Document, Entry, Language as Spoken, Scratch, Settings, Subject};
use indexes::{Indexes, Loaded};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use store::{EVERYBODY, Listed, Store, StoreError, stored_name};
use uuid::Uuid;

/// Searches of a node at a time whose memory is kept: 2 MiB each with half a million names.
const MAX_SCRATCHES: usize = 4;
/// A new version of a list is used by every node after this at the latest.
const CATALOGUE_AGE: Duration = Duration::from_secs(5);
/// Rules of finding candidates: after another number everybody is screened again. 2: confirmed matches stay in review, and decided
/// pairs take no place among the candidates. 3: aliases, representatives without a surname, and countries.
const METHOD: u8 = 3;

#[derive(Debug, thiserror::Error)]
pub enum ScreeningError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Submit(#[from] SubmitError),
    #[error(transparent)]
    Journal(#[from] caudal_journal::JournalError),
    #[error("the screening was interrupted")]
    Interrupted,
    #[error("the customer is changed all the time")]
    Contention,
    #[error("the entries of the list {0} are not stored here, and it is chosen: load it again, or stop using it")]
    ListMissing(String),
}

impl From<ScreeningError> for ApiError {
    fn from(error: ScreeningError) -> Self {
        match error {
            ScreeningError::Read(error) => error.into(),
            ScreeningError::Submit(error) => error.into(),
            error => {
                tracing::warn!(error = %WithCauses(&error), "a screening failed; what needed it is refused");
                if matches!(error, ScreeningError::ListMissing(_)) {
                    Self::unavailable("screening_list_missing")
                } else {
                    Self::unavailable("unavailable")
                }
            }
        }
    }
}

/// A list that a tenant screens against.
#[derive(Clone)]
pub struct Searched {
    pub name: String,
    settings: Settings,
    loaded: Loaded,
    is_outdated: bool,
}

/// Which version of a list is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The one in the database. The first who needs it waits some seconds for its index.
    Newest,
    /// While its index is built the one before it: see [`Lists::is_outdated`].
    AtHand,
    /// As [`Self::AtHand`], to show entries: a list whose entries are not stored here is left out. Nothing is cleared by it.
    Shown,
}

/// What a tenant's log says of its lists.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub rule: ScreeningRule,
    /// Version of each own list that a manager loaded.
    own: BTreeMap<String, String>,
}

impl Chosen {
    pub fn of(books: &Books) -> Self {
        let own = books.own_lists().map(|list| (list.name.clone(), list.version.clone()));
        Self {
            rule: books.screening_rule().clone(),
            own: own.collect(),
        }
    }

    /// Names under which the versions in use are stored.
    pub fn stored(&self) -> Vec<String> {
        let own = self.own.iter();
        own.map(|(name, version)| stored_name(name, version)).collect()
    }

    /// Names of own lists.
    pub fn own(&self) -> impl Iterator<Item = &str> {
        self.own.keys().map(String::as_str)
    }

    pub fn is_own(&self, name: &str) -> bool {
        self.own.contains_key(name)
    }
}

/// Lists that a tenant screens against, ready to be searched.
#[derive(Clone, Default)]
pub struct Lists(Vec<Searched>);

#[derive(Default)]
struct Catalogue {
    lists: Arc<Vec<Listed>>,
    read_at: Option<Instant>,
}

/// The lists of the installation in the memory of a node.
pub struct Screening {
    pub store: Store,
    /// This process, as a holder of runs.
    pub node: Uuid,
    catalogue: Mutex<Catalogue>,
    indexes: Arc<Indexes>,
    pub scratches: Arc<ScratchPool>,
}

impl Screening {
    pub fn new(database: Database, keyring: &Keyring) -> Self {
        let store = Store::new(database, keyring);
        Self {
            indexes: Arc::new(Indexes::new(store.clone())),
            store,
            node: Uuid::now_v7(),
            catalogue: Mutex::default(),
            scratches: Arc::default(),
        }
    }

    /// Looks at the database the next time that lists are needed.
    pub fn forget_catalogue(&self) {
        self.catalogue.lock().unwrap_or_else(PoisonError::into_inner).read_at = None;
    }

    /// All lists; at most some seconds old.
    pub async fn catalogue(&self) -> Result<Arc<Vec<Listed>>, StoreError> {
        {
            let known = self.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
            if known.read_at.is_some_and(|at| at.elapsed() < CATALOGUE_AGE) {
                return Ok(known.lists.clone());
            }
        }
        let lists = Arc::new(self.store.catalogue().await?);
        {
            let mut known = self.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
            known.lists = lists.clone();
            known.read_at = Some(Instant::now());
        }
        self.indexes.retain(&lists);
        Ok(lists)
    }

    /// The lists of a tenant's rule.
    ///
    /// # Errors
    /// [`ScreeningError::ListMissing`] for a chosen list whose entries are not stored here, own or of the operator: a search
    /// without it would clear customers in silence.
    pub async fn lists(&self, tenant: &TenantId, chosen: &Chosen, wanted: Wanted) -> Result<Lists, ScreeningError> {
        let mut catalogue = self.catalogue().await?;
        let lists = &chosen.rule.lists;
        let lacks = |catalogue: &[Listed]| {
            let mut names = lists.keys();
            names.any(|name| named(catalogue, tenant, chosen, name).is_none())
        };
        // The log may be ahead of what was read of the lists: another node has just stored the version.
        if lacks(&catalogue) {
            self.forget_catalogue();
            catalogue = self.catalogue().await?;
        }
        let mut lists = Vec::with_capacity(chosen.rule.lists.len());
        for (name, threshold) in &chosen.rule.lists {
            let Some(list) = named(&catalogue, tenant, chosen, name) else {
                if wanted != Wanted::Shown {
                    return Err(ScreeningError::ListMissing(name.clone()));
                }
                continue;
            };
            let loaded = match wanted {
                Wanted::Newest => self.indexes.get(list).await?,
                Wanted::AtHand | Wanted::Shown => self.indexes.at_hand(list).await?,
            };
            lists.push(Searched {
                name: name.clone(),
                settings: Settings {
                    threshold: *threshold,
                    candidates: MAX_CANDIDATES,
                    ..Settings::default()
                },
                is_outdated: loaded.digest != list.digest,
                loaded,
            });
        }
        Ok(Lists(lists))
    }
}

/// A list by its name. An own list that a manager loaded is its version in use and no other; one of the operator for the
/// tenant comes before one of the installation with the same name.
pub fn named<'a>(catalogue: &'a [Listed], tenant: &TenantId, chosen: &Chosen, name: &str) -> Option<&'a Listed> {
    let of = |scope: &str, name: &str| catalogue.iter().find(|list| list.scope == scope && list.name == name);
    match chosen.own.get(name) {
        Some(version) => of(tenant.as_str(), &stored_name(name, version)),
        None => of(tenant.as_str(), name).or_else(|| of(EVERYBODY, name)),
    }
}

/// Why an entry is like a customer.
#[derive(Clone, Debug)]
pub struct Explained {
    pub entry: Entry,
    pub score: Option<u8>,
    pub words: String,
}

impl Lists {
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn versions(&self) -> BTreeMap<String, String> {
        let version = |list: &Searched| store::version(&list.loaded.digest);
        self.0.iter().map(|list| (list.name.clone(), version(list))).collect()
    }

    /// Whether a list is of an earlier version, because the index of the present one is being built. What it finds is used
    /// where it is what is known of the customer already: a new version's findings are never replaced by those of an
    /// earlier one.
    pub fn is_outdated(&self) -> bool {
        self.0.iter().any(|list| list.is_outdated)
    }

    /// Digest of rules, versions and thresholds: another one means that everybody is screened again.
    pub fn fingerprint(&self) -> Vec<u8> {
        let mut sha = Sha256::new();
        sha.update([METHOD]);
        for list in &self.0 {
            sha.update((list.name.len() as u64).to_be_bytes());
            sha.update(&list.name);
            sha.update(&list.loaded.digest);
            sha.update([list.settings.threshold]);
        }
        sha.finalize().to_vec()
    }

    /// Candidates of a customer but those that are decided; the best ones first, at most [`MAX_CANDIDATES`].
    pub fn screen(&self, subject: &ScreeningSubject, scratch: &mut Scratches) -> Vec<ScreeningCandidate> {
        let mut best: BTreeMap<(String, String), ScreeningCandidate> = BTreeMap::new();
        for (list, scratch) in self.0.iter().zip(scratch.of(self.0.len())) {
            let decided = subject.decided.iter().filter(|(name, _)| *name == list.name);
            let decided: BTreeSet<&str> = decided.map(|(_, entry)| entry.as_str()).collect();
            let is_decided = |entry: &Entry| decided.contains(entry.id.as_str());
            for person in people(subject) {
                let index = &list.loaded.index;
                for candidate in index.screen_but(&person, &list.settings, scratch, &is_decided) {
                    let pair = (list.name.clone(), candidate.entry.id.clone());
                    if best.get(&pair).is_some_and(|known| known.score >= candidate.score) {
                        continue;
                    }
                    let found = ScreeningCandidate {
                        list: list.name.clone(),
                        entry: candidate.entry.id.clone(),
                        name: candidate.name.to_owned(),
                        score: candidate.score,
                    };
                    best.insert(pair, found);
                }
            }
        }
        let mut found: Vec<_> = best.into_values().collect();
        found.sort_by_key(|one| std::cmp::Reverse(one.score));
        found.truncate(MAX_CANDIDATES);
        found
    }

    /// An entry of a list by its identifier.
    pub fn entry(&self, list: &str, entry: &str) -> Option<&Entry> {
        let list = self.0.iter().find(|known| known.name == list)?;
        let place = list.loaded.places.get(entry)?;
        list.loaded.index.entries().get(*place)
    }

    /// The listed entry and why the customer is like it; without a score where it is not any more.
    pub fn explain(&self, subject: &ScreeningSubject, list: &str, entry: &str, language: Spoken) -> Option<Explained> {
        let list = self.0.iter().find(|known| known.name == list)?;
        let place = list.loaded.places.get(entry)?;
        let listed = list.loaded.index.entries().get(*place)?;
        let mut scratch = Scratch::default();
        let is_other = |other: &Entry| other.id != entry;
        let mut best: Option<Explained> = None;
        for person in people(subject) {
            let index = &list.loaded.index;
            let found = index.screen_but(&person, &list.settings, &mut scratch, &is_other);
            let Some(candidate) = found.first() else { continue };
            if best.as_ref().is_some_and(|known| known.score >= Some(candidate.score)) {
                continue;
            }
            best = Some(Explained {
                entry: listed.clone(),
                score: Some(candidate.score),
                words: candidate.words(language),
            });
        }
        Some(best.unwrap_or_else(|| Explained {
            entry: listed.clone(),
            score: None,
            words: String::new(),
        }))
    }
}

/// Memory of searches, one for each list: 4 bytes a name.
#[derive(Debug, Default)]
pub struct Scratches(Vec<Scratch>);

/// Memory of searches that are over, for the next ones.
#[derive(Debug, Default)]
pub struct ScratchPool(Mutex<Vec<Scratches>>);

impl ScratchPool {
    pub fn take(&self) -> Scratches {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.pop().unwrap_or_default()
    }

    pub fn give_back(&self, scratches: Scratches) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MAX_SCRATCHES {
            kept.push(scratches);
        }
    }
}

impl Scratches {
    fn of(&mut self, lists: usize) -> &mut [Scratch] {
        self.0.resize_with(lists.max(self.0.len()), Scratch::default);
        &mut self.0
    }
}

/// Who is compared for a customer: the customer, also by the name by which they are known, and a recipient's representative, who
/// may receive the money. One part of a name is enough, or a document.
fn people(subject: &ScreeningSubject) -> Vec<Subject> {
    let details = &subject.details;
    let mut own = person(
        [
            Some(details.name.as_str()),
            details.last_name.as_deref(),
            details.second_surname.as_deref(),
        ],
        details.personal_identification_number.as_deref(),
        details.personal_identification_type,
        details.personal_identification_country.as_deref(),
    );
    let country = details.country.as_deref().map(str::trim);
    own.residences
        .extend(country.filter(|country| !country.is_empty()).map(str::to_owned));
    let alias = details.alias.as_deref().map(str::trim);
    let alias = alias.filter(|alias| !alias.is_empty()).map(|alias| Subject {
        name: alias.to_owned(),
        // Compared under the own name.
        documents: Vec::new(),
        ..own.clone()
    });
    let representative = person(
        [
            details.alternative_name.as_deref(),
            details.alternative_last_name.as_deref(),
            None,
        ],
        details.alternative_personal_identification_number.as_deref(),
        None,
        None,
    );
    let has_representative = subject.customer_type == CustomerType::Recipient
        && !(representative.name.is_empty() && representative.documents.is_empty());
    let mut people = vec![own];
    people.extend(alias);
    people.extend(has_representative.then_some(representative));
    people
}

fn person(
    names: [Option<&str>; 3],
    number: Option<&str>,
    kind: Option<IdentificationType>,
    country: Option<&str>,
) -> Subject {
    /// Digits of a Cuban identity card.
    const CARD_DIGITS: usize = 11;
    let name: Vec<&str> = names
        .into_iter()
        .flatten()
        .filter(|part| !part.trim().is_empty())
        .collect();
    let number = number.map(str::trim).filter(|number| !number.is_empty());
    let digits = |number: &&str| number.len() == CARD_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_card = match kind {
        Some(kind) => kind == IdentificationType::Ci,
        None => number.as_ref().is_some_and(digits),
    };
    let implied = is_card
        .then_some("CU")
        .or_else(|| kind.and_then(IdentificationType::country));
    let issued_by = number.and(implied.or(country)).map(str::to_ascii_uppercase);
    // Other documents are issued to foreigners too.
    let is_of_nationals = is_card
        || matches!(
            kind,
            Some(IdentificationType::Passport | IdentificationType::PassportCardUs)
        );
    let (countries, residences): (Vec<String>, Vec<String>) =
        issued_by.clone().into_iter().partition(|_| is_of_nationals);
    Subject {
        name: name.join(" "),
        documents: number
            .map(|number| Document {
                kind: String::new(),
                number: number.to_owned(),
                country: issued_by,
            })
            .into_iter()
            .collect(),
        born: number.filter(|_| is_card).and_then(Date::of_cuban_identity),
        countries,
        residences,
    }
}

/// Customers that a command names to sell from or to: screened before it, as those of an edited amount are
/// ([`crate::limits::customers_of`]).
pub fn of_sale(command: &Command) -> Vec<CustomerId> {
    match command {
        Command::Remittance(_, RemittanceCommand::Create(sale)) => vec![sale.sender, sale.recipient],
        Command::Remittance(_, RemittanceCommand::EditDetails(edit)) => vec![edit.recipient],
        _ => Vec::new(),
    }
}

/// The customer whose data a command changes: screened after it.
pub const fn of_change(command: &Command) -> Option<CustomerId> {
    match command {
        Command::Customer(id, CustomerCommand::Register(_) | CustomerCommand::Change(_)) => Some(*id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_domain::customer::CustomerDetails;

    #[test]
    fn a_document_is_compared_with_the_country_of_its_type_or_the_one_that_was_said() {
        let country = |kind, said| {
            let subject = person([Some("Ana"), None, None], Some("X123456"), kind, said);
            subject.documents.first().and_then(|document| document.country.clone())
        };
        assert_eq!(
            country(Some(IdentificationType::Passport), Some("es")).as_deref(),
            Some("ES")
        );
        assert_eq!(country(Some(IdentificationType::Passport), None), None);
        assert_eq!(
            country(Some(IdentificationType::SocialSecurity), None).as_deref(),
            Some("US")
        );
        assert_eq!(country(Some(IdentificationType::Ci), Some("CU")).as_deref(), Some("CU"));
    }

    #[test]
    fn a_document_of_nationals_tells_a_nationality_and_another_one_a_residence() {
        let told = |number, kind, said| {
            let subject = person([Some("Ana"), None, None], number, kind, said);
            (subject.countries.join(" "), subject.residences.join(" "))
        };
        let two = |countries: &str, residences: &str| (countries.to_owned(), residences.to_owned());
        let passport = Some(IdentificationType::Passport);
        assert_eq!(told(Some("X123456"), passport, Some("es")), two("ES", ""));
        assert_eq!(told(Some("84021312345"), None, None), two("CU", ""));
        let social_security = Some(IdentificationType::SocialSecurity);
        assert_eq!(told(Some("123456789"), social_security, None), two("", "US"));
        assert_eq!(told(None, passport, Some("ES")), two("", ""), "no document");
    }

    fn subject(customer_type: CustomerType, details: CustomerDetails) -> ScreeningSubject {
        ScreeningSubject {
            id: CustomerId::generate(),
            customer_type,
            details,
            candidates: BTreeSet::new(),
            decided: BTreeSet::new(),
            is_confirmed: false,
            in_review: false,
        }
    }

    #[test]
    fn an_alias_a_representative_with_any_part_of_a_name_or_a_document_and_the_country_of_residence_are_compared() {
        let some = |text: &str| Some(text.to_owned());
        let ana = CustomerDetails {
            name: "Ana".into(),
            last_name: some("Pérez"),
            country: some("US"),
            personal_identification_number: some("X123456"),
            ..CustomerDetails::default()
        };
        let known = CustomerDetails {
            alias: some(" Varo Zaldívar "),
            ..ana.clone()
        };
        let compared = people(&subject(CustomerType::Sender, known));
        let names: Vec<&str> = compared.iter().map(|person| person.name.as_str()).collect();
        assert_eq!(names, ["Ana Pérez", "Varo Zaldívar"]);
        assert!(compared.iter().all(|person| person.residences == ["US"]));
        let documents = |person: &Subject| person.documents.len();
        assert_eq!(compared.iter().map(documents).collect::<Vec<_>>(), [1, 0]);
        for representative in [
            CustomerDetails {
                alternative_name: some("Evaristo Zaldívar Quesada"),
                ..ana.clone()
            },
            CustomerDetails {
                alternative_last_name: some("Zaldívar"),
                ..ana.clone()
            },
            CustomerDetails {
                alternative_personal_identification_number: some("84021312345"),
                ..ana.clone()
            },
        ] {
            let compared = people(&subject(CustomerType::Recipient, representative.clone()));
            assert_eq!(compared.len(), 2);
            assert_eq!(people(&subject(CustomerType::Sender, representative)).len(), 1);
        }
        assert_eq!(people(&subject(CustomerType::Recipient, ana)).len(), 1);
    }
}
