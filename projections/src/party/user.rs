//! Users: the tenant's logins of all roles. The time of the last access is stored beside the log, with the credential.

use super::agency::{DELETED, IS_ACTIVE, detail, rows, without_deleted};
use crate::{
    error::ReadError,
    list::{BY_NAME, List, filter, flag, text, time, values},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{joined, word, words},
    read_transaction::{ReadTransaction, only},
    rows::PartyRow,
    scalar::{AgentType, UserType},
    scope::Scope,
    sql::Sql,
};
use caudal_domain::{
    ids::PartyId,
    party::{PartyDetails, Role},
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::Row as _;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A login of the tenant: a party of any role.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// UUID.
    pub id: Uuid,
    /// Name; empty after erasure.
    pub name: String,
    /// E-mail address of the login; unique in the tenant.
    pub email: String,
    /// Telephone number in E.164, such as `+5352345678`.
    pub phone: Option<String>,
    /// Role of the party.
    pub user_type: UserType,
    /// Kind of an agent; null for other roles.
    pub agent_type: Option<AgentType>,
    /// Agency of an agent, or dealer of a delivery man; null for others.
    pub owner_id: Option<Uuid>,
    /// Name of the owner.
    pub owner_name: Option<String>,
    /// URL path of the profile picture; null when there is none.
    pub profile_picture: Option<String>,
    /// Whether it can log in and be named by new commands.
    pub is_active: bool,
    /// Permission set of a member of the office: the name of a template, or the id of one of the tenant's sets. Null for a
    /// full manager, and for other roles.
    #[schema(example = "auditor")]
    pub permission_set: Option<String>,
    /// End of the access of a member of the office; null for no end.
    pub access_expires_at: Option<DateTime<Utc>>,
    /// Time of the last login or session renewal; null before the first.
    pub last_access: Option<DateTime<Utc>>,
    /// Time of creation, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Time of the last change, RFC 3339 in UTC.
    pub updated: DateTime<Utc>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

pub const USERS: List<User> = List {
    title: word::USERS,
    columns: &[
        text("name", word::NAME, |u: &User, _| Some(u.name.clone())).sort("p.search"),
        text("userType", word::TYPE, |u: &User, p| {
            let kinds = [Some(words::user(u.user_type)), u.agent_type.map(words::agent)];
            joined(kinds.map(|kind| kind.map(|kind| p.say(kind))), ", ")
        })
        .sort("p.role"),
        text("ownerName", word::BELONGS_TO, |u: &User, _| u.owner_name.clone()).sort(
            "(SELECT o.search FROM parties AS o WHERE o.tenant = p.tenant
                AND o.id = CASE WHEN p.role = 'delivery_man' THEN p.dealer ELSE p.agency END)",
        ),
        text("email", word::EMAIL, |u: &User, _| Some(u.email.clone())).sort(detail!("email")),
        text("phone", word::PHONE, |u: &User, _| u.phone.clone()).sort(detail!("phone")),
        flag("isActive", word::ACTIVE, |u: &User| u.is_active).sort("p.is_active"),
        time("lastAccess", word::LAST_ACCESS, |u: &User| u.last_access)
            .sort("(SELECT k.last_access FROM journal.credentials AS k WHERE k.tenant = p.tenant AND k.party = p.id)"),
        time("created", word::CREATED, |u: &User| Some(u.created)).sort("p.created_at"),
    ],
    filters: &[
        filter::one_of(
            "userType",
            word::TYPE,
            "Of this role.",
            values::USER_TYPE,
            &[
                ("2", "p.role = 'dealer'"),
                ("3", "p.role IN ('internal_agent', 'external_agent')"),
                ("4", "p.role = 'agency'"),
                ("5", "p.role = 'manager'"),
                ("6", "p.role = 'delivery_man'"),
            ],
        ),
        IS_ACTIVE.about("Whether they may log in."),
        DELETED,
    ],
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

/// Users: all for a manager; the caller and its subordinates for others.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<User>, ReadError> {
    let from = without_deleted(visible(transaction, scope), query);
    let keys = USERS.keys::<Uuid>(transaction, query, from, "p.id").await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One user.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: PartyId) -> Result<User, ReadError> {
    require_visible(transaction, scope, id).await?;
    only(views(transaction, &[id.0]).await?, "party_not_found")
}

/// All personal data of a user, as the basis of a partial change.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn details(transaction: &mut ReadTransaction, scope: &Scope, id: PartyId) -> Result<PartyDetails, ReadError> {
    require_visible(transaction, scope, id).await?;
    let row: PartyRow = only(rows(transaction, &[id.0]).await?, "party_not_found")?;
    Ok(row.details())
}

async fn require_visible(transaction: &mut ReadTransaction, scope: &Scope, id: PartyId) -> Result<(), ReadError> {
    let mut from = visible(transaction, scope).after("SELECT p.id");
    from.push(" AND p.id = ").bind(id.0);
    only(transaction.fetch(&from).await?, "party_not_found")?;
    Ok(())
}

fn visible(transaction: &ReadTransaction, scope: &Scope) -> Sql {
    let mut from = transaction.rows("parties", "p");
    scope.and_party(&mut from, transaction.tenant(), &["p.id"]);
    from
}

async fn views(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<User>, ReadError> {
    let users = rows(transaction, ids).await?;
    let owners: Vec<Uuid> = users.iter().filter_map(owner).collect();
    let owners = rows(transaction, &owners).await?;
    let names: HashMap<Uuid, Option<String>> = owners.into_iter().map(|row| (row.id, row.name)).collect();
    let accesses = last_accesses(transaction, ids).await?;
    let view = |row: PartyRow| {
        let (owner_id, details) = (owner(&row), row.details());
        User {
            id: row.id,
            name: details.name,
            email: details.email,
            phone: details.phone,
            user_type: row.role.into(),
            agent_type: AgentType::of(row.role),
            owner_id,
            owner_name: owner_id.and_then(|id| names.get(&id).cloned().flatten()),
            profile_picture: details.profile_picture.as_deref().map(crate::file_address),
            is_active: row.is_active,
            permission_set: row.permission_set,
            access_expires_at: row.access_expires_at,
            last_access: accesses.get(&row.id).copied(),
            created: row.created_at,
            updated: row.updated_at,
            actions: Vec::new(),
        }
    };
    Ok(users.into_iter().map(view).collect())
}

fn owner(row: &PartyRow) -> Option<Uuid> {
    match row.role {
        Role::DeliveryMan => row.dealer,
        _ => row.agency,
    }
}

async fn last_accesses(
    transaction: &mut ReadTransaction,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, DateTime<Utc>>, ReadError> {
    let mut sql = Sql::new("SELECT k.party, k.last_access FROM journal.credentials AS k WHERE k.tenant = ");
    sql.bind(transaction.tenant());
    sql.push(" AND k.last_access IS NOT NULL AND k.party = ANY (")
        .bind(ids.to_vec())
        .push(")");
    let rows = transaction.fetch(&sql).await?;
    let read = |row: &sqlx::postgres::PgRow| Ok((row.try_get("party")?, row.try_get("last_access")?));
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}
