//! Customers as shown to callers.

use super::{
    card::{Card, cards_of},
    list::require_visible,
};
use crate::{
    codes::{customer_kind, status},
    error::ReadError,
    list,
    offer::RowAction,
    read_transaction::{ReadTransaction, only},
    refs::ReviewFile,
    rows::CustomerRow,
    scalar::{CustomerType, IdentificationType},
    scope::Scope,
    table::{Json, Row as _, get as column, select_list},
};
use caudal_domain::{
    Refusal,
    customer::{CustomerKind, Facts},
    ids::{CustomerId, PartyId},
    party::Role,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Address of a customer.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerAddress {
    /// Postal code, as text.
    pub zipcode: Option<String>,
    /// E-mail address of the customer.
    pub email: Option<String>,
    /// Street and number.
    pub line1: Option<String>,
    /// State or province, as text.
    pub state_or_province: Option<String>,
    /// City or municipality.
    pub city_or_municipality: Option<String>,
}

/// An identity document.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdentityDocument {
    /// Number of the document.
    pub document_number: Option<String>,
    /// Type of the document.
    pub document_type_option: Option<IdentificationType>,
}

/// An issuer or a recipient. All personal fields are null after erasure.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Customer {
    /// UUID.
    pub id: Uuid,
    /// Sender or recipient.
    pub customer_type: CustomerType,
    /// First name; null after erasure, like all personal fields.
    pub name: Option<String>,
    /// First surname.
    pub last_name: Option<String>,
    /// Second surname, as usual in Spanish names.
    pub second_surname: Option<String>,
    /// Number of the identity document, normalised.
    pub personal_identification_number: Option<String>,
    /// Type of the identity document.
    pub personal_identification_type: Option<IdentificationType>,
    /// Expiry date of the document, `YYYY-MM-DD`.
    pub personal_identification_expiration_date: Option<String>,
    /// Issue date of the document, `YYYY-MM-DD`.
    pub personal_identification_issue_date: Option<String>,
    /// Country that issued the document as an ISO 3166-1 alpha-2 code; null where its type implies it, and where nobody said it.
    pub personal_identification_country: Option<String>,
    /// Telephone number in E.164, such as `+5352345678`.
    pub phone_number: Option<String>,
    /// Street and number.
    pub address_line: Option<String>,
    /// Neighbourhood (reparto), of a recipient.
    pub repart: Option<String>,
    /// Country of an issuer as an ISO 3166-1 alpha-2 code, such as `US`.
    pub country: Option<String>,
    /// Free text for an issuer; name of `provinceId` for a recipient.
    pub province: Option<String>,
    /// Free text for an issuer; name of `municipalityId` for a recipient.
    pub municipality: Option<String>,
    /// Province of a recipient, from Cuba's catalogue.
    pub province_id: Option<Uuid>,
    /// Municipality of a recipient, from Cuba's catalogue.
    pub municipality_id: Option<Uuid>,
    /// First name of the recipient's authorised representative, who may receive a delivery.
    pub alternative_name: Option<String>,
    /// Surname of the authorised representative.
    pub alternative_last_name: Option<String>,
    /// Document number of the authorised representative.
    pub alternative_personal_identification_number: Option<String>,
    /// Telephone of the authorised representative in E.164.
    pub alternative_phone_number: Option<String>,
    /// E-mail address of the customer.
    pub email: Option<String>,
    /// Postal code, as text.
    pub zip_code: Option<String>,
    /// Name by which the customer is commonly known.
    pub alias: Option<String>,
    /// `name`, `lastName` and `secondSurname` joined by blanks.
    pub full_name: Option<String>,
    /// Issuer (sender) of a recipient; null for an issuer.
    pub sender_id: Option<Uuid>,
    /// Owning agency; null for a customer of an agent without agency.
    pub agency_id: Option<Uuid>,
    /// Whether new remittances may name the customer.
    pub is_active: bool,
    /// Number of recipients of an issuer; 0 for a recipient.
    pub total_receivers: i64,
    /// Cards of a recipient, masked.
    pub card: Vec<Card>,
    /// The same address as in the flat fields, as an object.
    pub address: CustomerAddress,
    /// The same identity document as in the flat fields, as an object.
    pub identity_document: IdentityDocument,
    /// Time of creation, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Time of the last change, RFC 3339 in UTC.
    pub updated: DateTime<Utc>,
    /// Names of fields whose stored telephone or document number today's validation rejects (recorded before these
    /// rules, or imported). Changing such a field requires a valid value.
    pub to_correct: Vec<String>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
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
            personal_identification_country: details.personal_identification_country,
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

/// Kinds of customers by id, without deleted ones.
pub(crate) async fn kinds(
    transaction: &mut ReadTransaction,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, CustomerType>, ReadError> {
    let mut sql = transaction.rows("customers", "c").after("SELECT c.id, c.kind");
    sql.push(" AND NOT c.deleted AND c.id = ANY (")
        .bind(ids.to_vec())
        .push(")");
    let mut kinds = HashMap::new();
    for row in transaction.fetch_by_keys(&sql).await? {
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
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: CustomerId) -> Result<Customer, ReadError> {
    require_visible(transaction, scope, id).await?;
    only(views(transaction, &[id.0]).await?, "customer_not_found")
}

/// Customers of an owner that are not deleted, as the read models have them: which they are, and who they are is the log's.
///
/// # Errors
/// When the database fails.
pub async fn ids_of_owner(transaction: &mut ReadTransaction, owner: PartyId) -> Result<Vec<CustomerId>, ReadError> {
    let mut sql = transaction.rows("customers", "c").after("SELECT c.id");
    sql.push(" AND NOT c.deleted AND c.owner = ").bind(owner.0);
    let ids = transaction.fetch_ids(&sql).await?;
    Ok(ids.into_iter().map(CustomerId).collect())
}

/// Pictures of a customer's present document.
///
/// # Errors
/// Not found in the caller's scope, and for callers who see no pictures of documents.
pub async fn document_pictures(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: CustomerId,
) -> Result<Vec<ReviewFile>, ReadError> {
    require_visible(transaction, scope, id).await?;
    if !scope.sees_document_pictures() {
        return Err(Refusal::not_found("file_not_found").into());
    }
    let mut sql = transaction
        .rows("customers", "c")
        .after("SELECT c.document_pictures::text AS document_pictures");
    sql.push(" AND c.id = ").bind(id.0);
    let row = only(transaction.fetch(&sql).await?, "customer_not_found")?;
    let hashes: Option<Json<Vec<String>>> = column(&row, "document_pictures")?;
    Ok(ReviewFile::all(hashes.map(|hashes| hashes.0).unwrap_or_default()))
}

/// Input of the permission rule for some customers.
pub async fn facts(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<HashMap<Uuid, Facts>, ReadError> {
    let mut sql = transaction.rows("customers", "c").after(concat!(
        "SELECT c.id, c.kind, c.owner, c.is_active, c.deleted, ",
        customer_kind!("c.kind" is sender),
        " AND EXISTS (SELECT 1 FROM remittances AS r WHERE r.tenant = c.tenant AND r.sender = c.id AND ",
        status!("r.status" in pending, shipping, error),
        ") AS sends,
                (SELECT count(*) FROM cards AS k WHERE k.tenant = c.tenant AND k.customer = c.id) AS cards",
    ));
    sql.push(" AND c.id = ANY (").bind(ids.to_vec()).push(")");
    let mut facts = HashMap::new();
    for row in transaction.fetch(&sql).await? {
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

pub(super) async fn views(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<Customer>, ReadError> {
    let mut cards = cards_of(transaction, ids).await?;
    let tables = "customers AS c
        LEFT JOIN parties AS o ON o.tenant = c.tenant AND o.id = c.owner
        LEFT JOIN provinces AS p ON p.tenant = c.tenant AND p.id = c.province
        LEFT JOIN municipalities AS m ON m.tenant = c.tenant AND m.id = c.municipality";
    let mut sql = transaction.joined(tables, "c").after(&format!(
        "SELECT o.role AS owner_role, p.name AS province_name, m.name AS municipality_name,
                (SELECT count(*) FROM customers AS r WHERE r.tenant = c.tenant AND r.sender = c.id AND NOT r.deleted) AS receivers,
                {}",
        select_list::<CustomerRow>("c", "")
    ));
    sql.push(" AND c.id = ANY (").bind(ids.to_vec()).push(")");
    let mut rows = Vec::new();
    for row in transaction.fetch_by_keys(&sql).await? {
        let card = cards.remove(&row.try_get("id")?).unwrap_or_default();
        rows.push(Customer::read(&row, card)?);
    }
    Ok(list::in_order(ids, rows, |customer: &Customer| customer.id))
}
