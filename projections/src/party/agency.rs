//! Agencies.

use super::{ProfilePaymentGroup, terms};
use crate::{
    error::ReadError,
    list::{self, BY_NAME, Filter, List, filter, flag, text, time},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Words, address, word},
    read_transaction::{ReadTransaction, only},
    rows::PartyRow,
    scope::Scope,
    sql::Sql,
    table::{Row as _, select_list},
};
use caudal_domain::{ids::PartyId, party::Role};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An agency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Agency {
    /// UUID.
    pub id: Uuid,
    /// Name; empty after erasure.
    pub name: String,
    /// E-mail address of its login; unique in the tenant.
    pub email: String,
    /// Telephone number in E.164, such as `+5352345678`.
    pub phone: Option<String>,
    /// Address, first of three lines.
    pub address_line1: Option<String>,
    /// Address, second of three lines.
    pub address_line2: Option<String>,
    /// Address, third of three lines.
    pub address_line3: Option<String>,
    /// Country as an ISO 3166-1 alpha-2 code, such as `US`.
    pub country: Option<String>,
    /// State or province, as text.
    pub province: Option<String>,
    /// City, as text.
    pub city: Option<String>,
    /// Postal code, as text.
    pub zip: Option<String>,
    /// URL path of the profile picture; null when there is none.
    pub profile_picture: Option<String>,
    /// Whether it can log in and be named by new commands.
    pub is_active: bool,
    /// Time of creation, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Time of the last change, RFC 3339 in UTC.
    pub updated: DateTime<Utc>,
    /// Names of fields whose stored telephone or document number today's validation rejects (recorded before these
    /// rules, or imported). Changing such a field requires a valid value.
    pub to_correct: Vec<String>,
    /// Terms and balances per payment group.
    pub payment_groups: Vec<ProfilePaymentGroup>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

impl Agency {
    fn new(row: PartyRow, payment_groups: Vec<ProfilePaymentGroup>) -> Self {
        let details = row.details();
        let to_correct = row.to_correct();
        Self {
            id: row.id,
            name: details.name,
            email: details.email,
            phone: details.phone,
            address_line1: details.address_line1,
            address_line2: details.address_line2,
            address_line3: details.address_line3,
            country: details.country,
            province: details.province,
            city: details.city,
            zip: details.zip,
            profile_picture: details.profile_picture.as_deref().map(crate::file_address),
            is_active: row.is_active,
            created: row.created_at,
            updated: row.updated_at,
            to_correct,
            payment_groups,
            actions: Vec::new(),
        }
    }
}

/// Filter by activity.
pub(super) const IS_ACTIVE: Filter = filter::flagged(
    "isActive",
    word::ACTIVE,
    "Whether they may be used.",
    &[("true", "p.is_active"), ("false", "NOT p.is_active")],
);

/// Filter by deletion; deleted parties are excluded by default.
pub(super) const DELETED: Filter = filter::flagged(
    "deleted",
    filter::DELETED,
    "The deleted alone, or all others, as where absent.",
    &[("true", "p.deleted"), ("false", "NOT p.deleted")],
);

/// Excludes deleted parties unless requested.
pub(super) fn without_deleted(mut from: Sql, query: &ListQuery) -> Sql {
    if query.get(DELETED.name).is_none() {
        from.push(" AND NOT p.deleted");
    }
    from
}

/// Folded text of a party's detail.
macro_rules! detail {
    ($name:literal) => {
        concat!("lower(p.details ->> '", $name, "')")
    };
}
pub(super) use detail;

/// List of agencies. Balances are per group: not sortable by them.
pub const AGENCIES: List<Agency> = List {
    title: word::AGENCIES,
    columns: &[
        // The search text begins with the name, without case and accents.
        text("name", word::NAME, |a: &Agency, _| Some(a.name.clone())).sort("p.search"),
        text("email", word::EMAIL, |a: &Agency, _| Some(a.email.clone())).sort(detail!("email")),
        text("phone", word::PHONE, |a: &Agency, _| a.phone.clone()).sort(detail!("phone")),
        text("addressLine1", word::ADDRESS, |a: &Agency, _| {
            address([&a.address_line1, &a.address_line2, &a.address_line3])
        })
        .sort(detail!("addressLine1")),
        text("city", word::CITY, |a: &Agency, _| a.city.clone()).sort(detail!("city")),
        text("province", word::PROVINCE, |a: &Agency, _| a.province.clone()).sort(detail!("province")),
        text("country", word::COUNTRY, |a: &Agency, _| a.country.clone()).sort(detail!("country")),
        flag("isActive", Words::new("Activa", "Active"), |a: &Agency| a.is_active).sort("p.is_active"),
        text("balances", word::BALANCES, |a: &Agency, p| {
            terms::balances(&a.payment_groups, p)
        }),
        time("created", Words::new("Creada", "Created"), |a: &Agency| Some(a.created)).sort("p.created_at"),
    ],
    filters: &[IS_ACTIVE, DELETED],
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

/// Agencies: all for a manager, the own one for an agency and its agents.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Agency>, ReadError> {
    let from = without_deleted(visible(transaction, scope), query);
    let keys = AGENCIES.keys::<Uuid>(transaction, query, from, "p.id").await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One agency.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: PartyId) -> Result<Agency, ReadError> {
    let mut from = visible(transaction, scope).after("SELECT p.id");
    from.push(" AND p.id = ").bind(id.0);
    only(transaction.fetch(&from).await?, "party_not_found")?;
    only(views(transaction, &[id.0]).await?, "party_not_found")
}

fn visible(transaction: &ReadTransaction, scope: &Scope) -> Sql {
    let mut from = transaction.rows("parties", "p");
    from.push(" AND p.role = ").bind(Role::Agency.as_str());
    if !scope.sees_all() {
        let own: Vec<Uuid> = [Some(scope.party), scope.agency]
            .into_iter()
            .flatten()
            .map(Uuid::from)
            .collect();
        from.push(" AND p.id = ANY (").bind(own).push(")");
    }
    from
}

/// Rows of parties, ordered by id.
pub(super) async fn rows(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<PartyRow>, ReadError> {
    let mut sql = transaction
        .rows("parties", "p")
        .after(&format!("SELECT {}", select_list::<PartyRow>("p", "")));
    sql.push(" AND p.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch(&sql).await?;
    let rows = found
        .iter()
        .map(|row| PartyRow::read(row, ""))
        .collect::<Result<_, _>>()?;
    Ok(list::in_order(ids, rows, |row: &PartyRow| row.id))
}

async fn views(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<Agency>, ReadError> {
    let rows = rows(transaction, ids).await?;
    let mut groups = terms::of_sellers(transaction, ids.to_vec()).await?;
    let view = |row: PartyRow| {
        let groups = groups.remove(&row.id).unwrap_or_default();
        Agency::new(row, groups)
    };
    Ok(rows.into_iter().map(view).collect())
}
