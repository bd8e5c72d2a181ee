//! A customer as callers see it.

use super::{
    CustomerRow,
    card::{Card, cards_of},
    list::require_visible,
};
use crate::{
    codes::{customer_kind, status},
    error::ReadError,
    list,
    offer::RowAction,
    scalar::{CustomerType, IdentificationType},
    scope::Scope,
    snapshot::{Snapshot, only},
    table::{PersonalJson, Row as _, get as column, select_list},
};
use caudal_domain::{
    customer::{CustomerDetails, CustomerKind, Facts},
    ids::{CustomerId, PartyId},
    party::Role,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

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
    /// The numbers kept before today's rules, or taken over from elsewhere, that these rules refuse: a field that is
    /// changed must be corrected.
    pub to_correct: Vec<String>,
    /// What the caller may do with it now, and why not the rest.
    pub actions: Vec<RowAction>,
}

impl Customer {
    fn read(row: &PgRow, card: Vec<Card>) -> Result<Self, sqlx::Error> {
        let customer = CustomerRow::read(row, "")?;
        let details = customer.details.map(|details| details.0);
        let erased = details.is_none();
        let details = details.unwrap_or_default();
        let recipient = customer.kind == i16::from(CustomerType::Recipient.number());
        let kind = if recipient {
            CustomerKind::Recipient
        } else {
            CustomerKind::Issuer
        };
        let to_correct = details.to_correct(kind, customer.updated_at.date_naive());
        let province = row.try_get::<Option<String>, _>("province_name")?.or(details.province);
        let municipality = row
            .try_get::<Option<String>, _>("municipality_name")?
            .or(details.municipality);
        let document = details.personal_identification_type.map(IdentificationType::from);
        let owner_role: Option<&str> = row.try_get("owner_role")?;
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
            to_correct,
            actions: Vec::new(),
        })
    }
}

/// Which of some customers are issuers and which are recipients; those that were deleted are left out.
pub(crate) async fn kinds(snapshot: &mut Snapshot, ids: &[Uuid]) -> Result<HashMap<Uuid, CustomerType>, ReadError> {
    let mut sql = snapshot.rows("customers", "c").after("SELECT c.id, c.kind");
    sql.push(" AND NOT c.deleted AND c.id = ANY (")
        .bind(ids.to_vec())
        .push(")");
    let mut kinds = HashMap::new();
    for row in snapshot.fetch_by_keys(&sql).await? {
        let kind: i16 = row.try_get("kind")?;
        if let Some(kind) = u8::try_from(kind).ok().and_then(CustomerType::numbered) {
            kinds.insert(row.try_get("id")?, kind);
        }
    }
    Ok(kinds)
}

/// One sender or recipient.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(snapshot: &mut Snapshot, scope: &Scope, id: CustomerId) -> Result<Customer, ReadError> {
    require_visible(snapshot, scope, id).await?;
    only(views(snapshot, &[id.0]).await?, "customer_not_found")
}

/// All that is personal about a customer, for a change of it; nothing where the person was erased.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn details(
    snapshot: &mut Snapshot,
    scope: &Scope,
    id: CustomerId,
) -> Result<Option<CustomerDetails>, ReadError> {
    require_visible(snapshot, scope, id).await?;
    let mut sql = snapshot
        .rows("customers", "c")
        .after("SELECT c.details::text AS details");
    sql.push(" AND c.id = ").bind(id.0);
    let row = only(snapshot.fetch(&sql).await?, "customer_not_found")?;
    let details: Option<PersonalJson<CustomerDetails>> = column(&row, "details")?;
    Ok(details.map(|details| details.0))
}

/// How some customers stand for the rule of what may be done with them.
pub async fn facts(snapshot: &mut Snapshot, ids: &[Uuid]) -> Result<HashMap<Uuid, Facts>, ReadError> {
    let mut sql = snapshot.rows("customers", "c").after(concat!(
        "SELECT c.id, c.kind, c.owner, c.is_active, c.deleted, ",
        customer_kind!("c.kind" is sender),
        " AND EXISTS (SELECT 1 FROM remittances AS r WHERE r.tenant = c.tenant AND r.sender = c.id AND ",
        status!("r.status" in pending, shipping, error),
        ") AS sends,
                (SELECT count(*) FROM cards AS k WHERE k.tenant = c.tenant AND k.customer = c.id) AS cards",
    ));
    sql.push(" AND c.id = ANY (").bind(ids.to_vec()).push(")");
    let mut facts = HashMap::new();
    for row in snapshot.fetch(&sql).await? {
        let is_sender = row.try_get::<i16, _>("kind")? == i16::from(CustomerType::Sender.number());
        let kind = if is_sender {
            CustomerKind::Issuer
        } else {
            CustomerKind::Recipient
        };
        let of = Facts {
            kind,
            owner: PartyId(row.try_get("owner")?),
            is_active: row.try_get("is_active")?,
            deleted: row.try_get("deleted")?,
            sends: row.try_get("sends")?,
            cards: usize::try_from(row.try_get::<i64, _>("cards")?).unwrap_or(usize::MAX),
        };
        facts.insert(row.try_get("id")?, of);
    }
    Ok(facts)
}

pub(super) async fn views(snapshot: &mut Snapshot, ids: &[Uuid]) -> Result<Vec<Customer>, ReadError> {
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
