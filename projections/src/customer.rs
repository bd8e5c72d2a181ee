//! Customers: issuers and recipients, and recipients' cards.

use crate::{
    error::{ProjectError, ReadError},
    list::{self, Common, Filter, ListSpec, Sample, SearchSpec},
    page::{ListQuery, Page},
    projector::batch::{Batch, existing},
    scalar::{CardBrand, CurrencyCode, CustomerType, IdentificationType},
    scope::Scope,
    search,
    snapshot::{Snapshot, only},
    sql::Sql,
    table::{Json, Row as _, row, select_list},
    tally::{Change, Counted, Narrows, Tallies, TallySpec},
};
use caudal_domain::{
    Personal,
    customer::{CustomerDetails, CustomerEvent, Place, card::Brand},
    ids::CustomerId,
    money::CurrencyCode as Code,
    party::Role,
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

row! {
    /// A customer.
    CustomerRow in "customers" key (id: Uuid) {
        id: Uuid,
        kind: i16,
        owner: Uuid,
        sender: Option<Uuid>,
        is_active: bool,
        deleted: bool,
        province: Option<Uuid>,
        municipality: Option<Uuid>,
        name: Option<String>,
        phone: Option<String>,
        identification: Option<String>,
        details: Option<Json<CustomerDetails>>,
        created_at: DateTime<Utc>,
        updated_at: DateTime<Utc>,
        search: Option<String>,
        /// Where it was registered.
        position: i64,
    }
}

row! {
    /// A card.
    CardRow in "cards" key (id: Uuid) {
        id: Uuid,
        customer: Uuid,
        brand: Brand,
        number: Option<String>,
        added_at: DateTime<Utc>,
    }
}

impl CustomerRow {
    fn set_place(&mut self, place: Place) {
        self.province = place.province.map(Uuid::from);
        self.municipality = place.municipality.map(Uuid::from);
    }

    fn erase(&mut self) {
        (self.name, self.phone, self.identification) = (None, None, None);
        (self.search, self.details) = (None, None);
    }

    fn set_personal(&mut self, personal: &Personal<CustomerDetails>) {
        let details = personal.get();
        self.name = details.map(full_name);
        self.phone = details.and_then(|details| details.phone_number.clone());
        self.identification = details.and_then(|details| details.personal_identification_number.clone());
        self.search = details.map(|details| {
            search::folded([
                Some(full_name(details).as_str()),
                details.phone_number.as_deref(),
                details.personal_identification_number.as_deref(),
                details.email.as_deref(),
            ])
        });
        self.details = details.cloned().map(Json);
    }
}

/// Name, surname and second surname.
fn full_name(details: &CustomerDetails) -> String {
    let parts = [
        Some(&details.name),
        details.last_name.as_ref(),
        details.second_surname.as_ref(),
    ];
    let present: Vec<&str> = parts
        .into_iter()
        .flatten()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect();
    present.join(" ")
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &CustomerEvent) -> Result<(), ProjectError> {
    match event {
        CustomerEvent::CustomerRegistered(registered) => {
            let customer = &registered.customer;
            let mut row = CustomerRow {
                id: customer.id.0,
                kind: CustomerType::from(customer.kind).number().into(),
                owner: customer.owner.0,
                sender: customer.sender.map(Uuid::from),
                is_active: customer.is_active,
                deleted: customer.deleted,
                province: None,
                municipality: None,
                name: None,
                phone: None,
                identification: None,
                details: None,
                created_at: recorded.recorded_at,
                updated_at: recorded.recorded_at,
                search: None,
                position: recorded.position,
            };
            row.set_place(customer.place);
            row.set_personal(&registered.personal);
            batch.customers.put(row);
        }
        CustomerEvent::CustomerChanged(changed) => {
            let row = existing(&mut batch.customers, recorded, changed.id)?;
            row.is_active = changed.is_active;
            row.set_place(changed.place);
            row.set_personal(&changed.personal);
            row.updated_at = recorded.recorded_at;
        }
        CustomerEvent::CardAdded(added) => {
            existing(&mut batch.customers, recorded, added.customer)?.updated_at = recorded.recorded_at;
            batch.cards.push(CardRow {
                id: added.card.0,
                customer: added.customer.0,
                brand: added.brand,
                number: added.personal.get().map(|number| number.card_number.clone()),
                added_at: recorded.recorded_at,
            });
        }
        CustomerEvent::CustomerDeleted { id } => {
            let row = existing(&mut batch.customers, recorded, *id)?;
            row.deleted = true;
            row.updated_at = recorded.recorded_at;
        }
        CustomerEvent::PersonForgotten { id, .. } => {
            let row = existing(&mut batch.customers, recorded, *id)?;
            row.is_active = false;
            row.deleted = true;
            row.erase();
            row.updated_at = recorded.recorded_at;
            batch.forgotten_customers.push(id.0);
        }
    }
    Ok(())
}

/// A recipient's bank card.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    /// Its id.
    pub id: Uuid,
    /// The recipient.
    pub customer_id: Uuid,
    /// Its number, masked except to who pays to it; null when the person was erased.
    pub card_number: Option<String>,
    /// Its brand, as chosen.
    pub brand: CardBrand,
    /// Always MLC, as specified.
    pub currency: CurrencyCode,
    /// Always false, as specified.
    pub is_default: bool,
}

/// Whether a card's number is shown whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digits {
    /// To who pays to it.
    All,
    /// To everybody else: the last four.
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

/// A number's last four digits behind stars.
pub(crate) fn masked(number: &str) -> String {
    const SHOWN: usize = 4;
    let hidden = number.chars().count().saturating_sub(SHOWN);
    number
        .chars()
        .enumerate()
        .map(|(index, digit)| if index < hidden { '*' } else { digit })
        .collect()
}

/// Where a customer lives.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerAddress {
    /// Postal code.
    pub zipcode: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// The address.
    pub line1: Option<String>,
    /// State or province.
    pub state_or_province: Option<String>,
    /// City or municipality.
    pub city_or_municipality: Option<String>,
}

/// An identity document.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdentityDocument {
    /// Its number.
    pub document_number: Option<String>,
    /// Its sort.
    pub document_type_option: Option<IdentificationType>,
}

/// An issuer or a recipient.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Customer {
    /// Its id.
    pub id: Uuid,
    /// Sender or recipient.
    pub customer_type: CustomerType,
    /// First name; null, as all that is personal, when the person was erased.
    pub name: Option<String>,
    /// Surname.
    pub last_name: Option<String>,
    /// Second surname.
    pub second_surname: Option<String>,
    /// Identity document's number.
    pub personal_identification_number: Option<String>,
    /// Identity document's sort.
    pub personal_identification_type: Option<IdentificationType>,
    /// When the document expires, `YYYY-MM-DD`.
    pub personal_identification_expiration_date: Option<String>,
    /// When the document was issued, `YYYY-MM-DD`.
    pub personal_identification_issue_date: Option<String>,
    /// Telephone.
    pub phone_number: Option<String>,
    /// Address.
    pub address_line: Option<String>,
    /// Neighbourhood.
    pub repart: Option<String>,
    /// ISO 3166 code of an issuer's country.
    pub country: Option<String>,
    /// Free text for an issuer; the name of `provinceId` for a recipient.
    pub province: Option<String>,
    /// Free text for an issuer; the name of `municipalityId` for a recipient.
    pub municipality: Option<String>,
    /// A recipient's province.
    pub province_id: Option<Uuid>,
    /// A recipient's municipality.
    pub municipality_id: Option<Uuid>,
    /// Name of the authorised representative.
    pub alternative_name: Option<String>,
    /// Surname of the authorised representative.
    pub alternative_last_name: Option<String>,
    /// Identity document of the authorised representative.
    pub alternative_personal_identification_number: Option<String>,
    /// Telephone of the authorised representative.
    pub alternative_phone_number: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Postal code.
    pub zip_code: Option<String>,
    /// Another name that it goes by.
    pub alias: Option<String>,
    /// name, lastName and secondSurname joined.
    pub full_name: Option<String>,
    /// A recipient's issuer.
    pub sender_id: Option<Uuid>,
    /// The agency whose customer it is; null where it is an agent's with no agency.
    pub agency_id: Option<Uuid>,
    /// Whether it may be used in new remittances.
    pub is_active: bool,
    /// How many recipients an issuer has.
    pub total_receivers: i64,
    /// A recipient's cards, masked.
    pub card: Vec<Card>,
    /// Where it lives.
    pub address: CustomerAddress,
    /// Its identity document.
    pub identity_document: IdentityDocument,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub updated: DateTime<Utc>,
}

impl Customer {
    fn read(row: &PgRow, card: Vec<Card>) -> Result<Self, sqlx::Error> {
        let customer = CustomerRow::read(row, "")?;
        let details = customer.details.map(|details| details.0);
        let erased = details.is_none();
        let details = details.unwrap_or_default();
        let province = row.try_get::<Option<String>, _>("province_name")?.or(details.province);
        let municipality = row
            .try_get::<Option<String>, _>("municipality_name")?
            .or(details.municipality);
        let document = details.personal_identification_type.map(IdentificationType::from);
        let owner_role: Option<&str> = row.try_get("owner_role")?;
        let recipient = customer.kind == i16::from(CustomerType::Recipient.number());
        Ok(Self {
            id: customer.id,
            customer_type: if recipient {
                CustomerType::Recipient
            } else {
                CustomerType::Sender
            },
            name: Some(details.name).filter(|_| !erased),
            last_name: details.last_name,
            second_surname: details.second_surname,
            personal_identification_number: details.personal_identification_number.clone(),
            personal_identification_type: document,
            personal_identification_expiration_date: details.personal_identification_expiration_date,
            personal_identification_issue_date: details.personal_identification_issue_date,
            phone_number: details.phone_number,
            address_line: details.address_line.clone(),
            repart: details.repart,
            country: details.country,
            province: province.clone(),
            municipality: municipality.clone(),
            province_id: customer.province,
            municipality_id: customer.municipality,
            alternative_name: details.alternative_name,
            alternative_last_name: details.alternative_last_name,
            alternative_personal_identification_number: details.alternative_personal_identification_number,
            alternative_phone_number: details.alternative_phone_number,
            email: details.email.clone(),
            zip_code: details.zip_code.clone(),
            alias: details.alias,
            full_name: customer.name,
            sender_id: customer.sender,
            agency_id: Some(customer.owner).filter(|_| owner_role == Some(Role::Agency.as_str())),
            is_active: customer.is_active,
            total_receivers: row.try_get("receivers")?,
            card,
            address: CustomerAddress {
                zipcode: details.zip_code,
                email: details.email,
                line1: details.address_line,
                state_or_province: province,
                city_or_municipality: municipality,
            },
            identity_document: IdentityDocument {
                document_number: details.personal_identification_number,
                document_type_option: document,
            },
            created: customer.created_at,
            updated: customer.updated_at,
        })
    }
}

const SORTS: &[(&str, &str)] = &[("name", "c.search"), ("created", "c.position")];
/// The newest customers of a kind, as searches look at them.
const fn sample(only: &'static str) -> Sample {
    Sample {
        table: "customers",
        alias: "c",
        only,
        position: "c.position",
        text: "c.search",
    }
}

/// The newest senders.
pub(crate) const SENDERS_SAMPLE: Sample = sample("c.kind = 0 AND NOT c.deleted");
/// The newest recipients.
pub(crate) const RECIPIENTS_SAMPLE: Sample = sample("c.kind = 1 AND NOT c.deleted");

const SEARCH: SearchSpec = SearchSpec {
    parameter: "name",
    function: Some(("search_customers", "c.id")),
    texts: &["c.search"],
    common: Some(Common {
        samples: &[SENDERS_SAMPLE, RECIPIENTS_SAMPLE],
        position: "c.position",
    }),
};
const IS_ACTIVE: (&str, Filter) = (
    "isActive",
    Filter::OneOf(&[("true", "c.is_active"), ("false", "NOT c.is_active")]),
);

/// The names of the two lists in the tallies.
const fn counted_as(kind: i16) -> &'static str {
    if kind == CustomerType::Recipient.number() as i16 {
        "recipients"
    } else {
        "senders"
    }
}

/// Counts a row of the lists.
pub(crate) fn tally(tallies: &mut Tallies, change: Change, row: &CustomerRow) {
    if row.deleted {
        return;
    }
    let counted = Counted {
        list: counted_as(row.kind),
        position: row.position,
        part: row.is_active.into(),
        currency: "",
        amount: 0,
        values: vec![("owner", row.owner.to_string())],
    };
    tallies.count(change, counted);
}

/// How the lists are counted.
fn counted(kind: CustomerType) -> TallySpec {
    TallySpec {
        list: counted_as(kind.number().into()),
        position: "c.position",
        time: "c.created_at",
        has_index_of_time: false,
        filters: &[
            ("agencyId", Narrows::Id("owner")),
            (
                "isActive",
                Narrows::Part(|value| match value {
                    "true" => Some(1),
                    "false" => Some(0),
                    _ => None,
                }),
            ),
        ],
    }
}

const SENDERS: ListSpec = ListSpec {
    sorts: SORTS,
    default_sort: "-created",
    tie: "c.position",
    indexed: &["c.search"],
    filters: &[
        IS_ACTIVE,
        ("senderId", Filter::Id("c.id")),
        ("agencyId", Filter::Id("c.owner")),
    ],
    search: Some(SEARCH),
};

const RECIPIENTS: ListSpec = ListSpec {
    filters: &[
        IS_ACTIVE,
        ("senderId", Filter::Id("c.sender")),
        ("agencyId", Filter::Id("c.owner")),
    ],
    ..SENDERS
};

/// The senders, or the recipients, of the caller's agency; all for a manager.
///
/// # Errors
/// Sorts, filters and pages that the list does not have.
pub async fn list(
    snapshot: &mut Snapshot,
    scope: &Scope,
    kind: CustomerType,
    query: &ListQuery,
) -> Result<Page<Customer>, ReadError> {
    let mut from = visible(snapshot, scope);
    from.push(&format!(" AND c.kind = {}", kind.number()));
    let spec = if kind == CustomerType::Sender {
        &SENDERS
    } else {
        &RECIPIENTS
    };
    let owned = match scope.role {
        Role::Manager => None,
        _ => Some(("owner", scope.customer_owner().to_string())),
    };
    let counted = counted(kind);
    let keys = list::counted_keys::<Uuid>(snapshot, spec, &counted, owned, query, from, "c.id").await?;
    let rows = views(snapshot, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One sender or recipient.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(snapshot: &mut Snapshot, scope: &Scope, id: CustomerId) -> Result<Customer, ReadError> {
    require_visible(snapshot, scope, id).await?;
    only(views(snapshot, &[id.0]).await?, "customer_not_found")
}

const CARDS: ListSpec = ListSpec {
    sorts: &[("created", "k.added_at")],
    default_sort: "created",
    tie: "k.id",
    indexed: &[],
    filters: &[],
    search: None,
};

/// A recipient's cards, masked.
///
/// # Errors
/// Not found in the caller's scope; sorts, filters and pages that the list does not have.
pub async fn cards(
    snapshot: &mut Snapshot,
    scope: &Scope,
    id: CustomerId,
    query: &ListQuery,
) -> Result<Page<Card>, ReadError> {
    require_visible(snapshot, scope, id).await?;
    let mut from = snapshot.rows("cards", "k");
    from.push(" AND k.customer = ").bind(id.0);
    let keys = list::keys::<Uuid>(snapshot, &CARDS, query, from, "k.id").await?;
    let mut cards = cards_of(snapshot, &[id.0]).await?.remove(&id.0).unwrap_or_default();
    cards.retain(|card| keys.keys.contains(&card.id));
    let cards = list::in_order(&keys.keys, cards, |card: &Card| card.id);
    Ok(keys.page(cards))
}

fn visible(snapshot: &Snapshot, scope: &Scope) -> Sql {
    let mut from = snapshot.rows("customers", "c");
    from.push(" AND NOT c.deleted");
    and_visible(&mut from, scope);
    from
}

/// Adds that the customer `c` is in the caller's scope.
pub(crate) fn and_visible(from: &mut Sql, scope: &Scope) {
    match scope.role {
        Role::Manager => {}
        Role::Agency | Role::ExternalAgent | Role::InternalAgent => {
            from.push(" AND c.owner = ").bind(scope.customer_owner().0);
        }
        Role::Dealer | Role::DeliveryMan => {
            from.push(" AND FALSE");
        }
    }
}

async fn require_visible(snapshot: &mut Snapshot, scope: &Scope, id: CustomerId) -> Result<(), ReadError> {
    let mut from = visible(snapshot, scope).after("SELECT c.id");
    from.push(" AND c.id = ").bind(id.0);
    only(snapshot.fetch(&from).await?, "customer_not_found").map(|_| ())
}

async fn views(snapshot: &mut Snapshot, ids: &[Uuid]) -> Result<Vec<Customer>, ReadError> {
    let mut cards = cards_of(snapshot, ids).await?;
    let tables = "customers AS c
        LEFT JOIN parties AS o ON o.tenant = c.tenant AND o.id = c.owner
        LEFT JOIN provinces AS p ON p.tenant = c.tenant AND p.id = c.province
        LEFT JOIN municipalities AS m ON m.tenant = c.tenant AND m.id = c.municipality";
    let mut sql = snapshot.joined(tables, "c").after(&format!(
        "SELECT o.role AS owner_role, p.name AS province_name, m.name AS municipality_name,
                (SELECT count(*) FROM customers AS r WHERE r.tenant = c.tenant AND r.sender = c.id AND NOT r.deleted) AS receivers,
                {}",
        select_list::<CustomerRow>("c", "")
    ));
    sql.push(" AND c.id = ANY (").bind(ids.to_vec()).push(")");
    let mut rows = Vec::new();
    for row in snapshot.fetch_by_keys(&sql).await? {
        let card = cards.remove(&row.try_get("id")?).unwrap_or_default();
        rows.push(Customer::read(&row, card)?);
    }
    Ok(list::in_order(ids, rows, |customer: &Customer| customer.id))
}

/// Customers' cards, masked, by customer.
async fn cards_of(snapshot: &mut Snapshot, customers: &[Uuid]) -> Result<HashMap<Uuid, Vec<Card>>, ReadError> {
    let mut sql = snapshot
        .rows("cards", "k")
        .after(&format!("SELECT {}", select_list::<CardRow>("k", "")));
    sql.push(" AND k.customer = ANY (")
        .bind(customers.to_vec())
        .push(") ORDER BY k.added_at, k.id");
    let mut cards: HashMap<Uuid, Vec<Card>> = HashMap::new();
    for row in snapshot.fetch_by_keys(&sql).await? {
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
