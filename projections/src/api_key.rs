//! API keys. The time of the last use is stored beside the log, coarse.

use crate::{
    batch::{Batch, actor, existing},
    error::{ProjectError, ReadError},
    list::{self, List, filter, number, text, time},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Printing, Words, name, word},
    read_transaction::{ReadTransaction, only},
    refs::Ref,
    rows::ApiKeyRow,
    scalar::UserType,
    scope::Scope,
    table::{Json, Row as _, get, select_list},
};
use caudal_domain::{api_key::ApiKeyEvent, ids::ApiKeyId, party::Role};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &ApiKeyEvent) -> Result<(), ProjectError> {
    match event {
        ApiKeyEvent::ApiKeyIssued(issued) => batch.api_keys.put(ApiKeyRow {
            id: issued.id.0,
            position: recorded.position,
            party: issued.party.0,
            name: issued.personal.get().map(|details| details.name.clone()),
            start: issued.secret.start.clone(),
            scopes: Json(issued.scopes.iter().map(ToString::to_string).collect()),
            networks: Json(issued.networks.iter().map(ToString::to_string).collect()),
            requests_per_minute: i32::try_from(issued.requests_per_minute).unwrap_or(i32::MAX),
            expires_at: issued.expires_at,
            created_at: recorded.recorded_at,
            created_by: actor(recorded),
            rotated_at: None,
            previous_until: None,
            revoked_at: None,
            revoked_by: None,
        }),
        ApiKeyEvent::ApiKeyRotated(rotated) => {
            let row = existing(&mut batch.api_keys, recorded, rotated.id)?;
            row.start = rotated.secret.start.clone();
            row.expires_at = rotated.expires_at;
            row.rotated_at = Some(recorded.recorded_at);
            row.previous_until = Some(rotated.previous_until);
        }
        ApiKeyEvent::ApiKeyRevoked { id, .. } => {
            let row = existing(&mut batch.api_keys, recorded, *id)?;
            row.revoked_at = Some(recorded.recorded_at);
            row.revoked_by = actor(recorded);
        }
    }
    Ok(())
}

/// An API key, without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    /// UUID.
    pub id: Uuid,
    /// What the key is for; null after the erasure of its party.
    #[schema(example = "Online shop")]
    pub name: Option<String>,
    /// Party as which the key acts.
    pub party: Ref,
    /// Role of the party.
    pub user_type: UserType,
    /// First characters of the current secret.
    #[schema(example = "caudal_live_9f3c20ab")]
    pub start: String,
    /// `active`, `expired` or `revoked`.
    #[schema(example = "active")]
    pub status: String,
    /// Scopes: the groups of calls that the key may make.
    #[schema(example = json!(["customer:write", "remittances:write"]))]
    pub scopes: Vec<String>,
    /// Networks from which the key may be used, in CIDR notation; empty for all.
    #[schema(example = json!(["203.0.113.0/24"]))]
    pub networks: Vec<String>,
    /// Rate limit, per node of the installation.
    #[schema(example = 600)]
    pub requests_per_minute: i32,
    /// Time from which the key is refused, RFC 3339 in UTC.
    pub expires_at: DateTime<Utc>,
    /// Time of the last use, up to ten minutes old; null before the first.
    pub last_used: Option<DateTime<Utc>>,
    /// Time of the issue, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Party that issued it.
    pub created_by: Option<Ref>,
    /// Time of the last rotation; null before the first.
    pub rotated_at: Option<DateTime<Utc>>,
    /// Time until which the secret before the last rotation is accepted too; null before the first rotation.
    pub previous_until: Option<DateTime<Utc>>,
    /// Time of the revocation; null while not revoked.
    pub revoked_at: Option<DateTime<Utc>>,
    /// Party that revoked it.
    pub revoked_by: Option<Ref>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

impl ApiKey {
    /// Whether it is revoked, and whether it is expired.
    #[must_use]
    pub fn state(&self) -> (bool, bool) {
        (self.revoked_at.is_some(), self.status == EXPIRED)
    }
}

const ACTIVE: &str = "active";
const EXPIRED: &str = "expired";
const REVOKED: &str = "revoked";

fn status(status: &str, printing: &Printing) -> String {
    let words = match status {
        ACTIVE => word::VALID,
        EXPIRED => word::EXPIRED,
        _ => word::REVOKED,
    };
    printing.say(words).to_owned()
}

pub const API_KEYS: List<ApiKey> = List {
    title: word::API_KEYS,
    columns: &[
        text("name", word::NAME, |k: &ApiKey, _| k.name.clone()).sort("lower(k.name)"),
        text("party", word::WHOSE, |k: &ApiKey, p| name(Some(&k.party), p))
            .sort("(SELECT p.search FROM parties AS p WHERE p.tenant = k.tenant AND p.id = k.party)"),
        text("start", word::SECRET, |k: &ApiKey, _| Some(k.start.clone())).sort("k.start"),
        text("status", word::STATUS, |k: &ApiKey, p| Some(status(&k.status, p))),
        text("scopes", word::SCOPES, |k: &ApiKey, _| Some(k.scopes.join(", "))),
        text("networks", word::NETWORKS, |k: &ApiKey, _| Some(k.networks.join(", "))),
        number("requestsPerMinute", word::REQUESTS_PER_MINUTE, |k: &ApiKey| {
            i64::from(k.requests_per_minute)
        })
        .sort("k.requests_per_minute"),
        time("expiresAt", word::EXPIRES, |k: &ApiKey| Some(k.expires_at)).sort("k.expires_at"),
        time("lastUsed", word::LAST_USED, |k: &ApiKey| k.last_used)
            .sort("(SELECT u.used_at FROM journal.api_key_uses AS u WHERE u.tenant = k.tenant AND u.key = k.id)"),
        time("created", Words::new("Creada", "Created"), |k: &ApiKey| Some(k.created)).in_order("k.position"),
        time("rotatedAt", word::ROTATED, |k: &ApiKey| k.rotated_at).sort("k.rotated_at"),
        time("revokedAt", word::REVOKED, |k: &ApiKey| k.revoked_at).sort("k.revoked_at"),
    ],
    filters: &[
        filter::id("partyId", word::USER, "Of this party.", "k.party"),
        filter::flagged(
            "live",
            word::VALID,
            "Whether they are neither revoked nor expired.",
            &[
                ("true", "k.revoked_at IS NULL AND k.expires_at > now()"),
                ("false", "k.revoked_at IS NOT NULL OR k.expires_at <= now()"),
            ],
        ),
    ],
    search: None,
    default_sort: "-created",
    tie: "k.id",
    counted: None,
    hides_prices: false,
};

/// Keys: all for a manager; the caller's own for others.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<ApiKey>, ReadError> {
    let mut from = transaction.rows("api_keys", "k");
    if scope.role != Role::Manager {
        from.push(" AND k.party = ").bind(scope.party.0);
    }
    let keys = API_KEYS.keys::<Uuid>(transaction, query, from, "k.id").await?;
    let rows = views(transaction, scope, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One key.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get_key(transaction: &mut ReadTransaction, scope: &Scope, id: ApiKeyId) -> Result<ApiKey, ReadError> {
    only(views(transaction, scope, &[id.0]).await?, "api_key_not_found")
}

async fn views(transaction: &mut ReadTransaction, scope: &Scope, ids: &[Uuid]) -> Result<Vec<ApiKey>, ReadError> {
    let tables = "api_keys AS k
        JOIN parties AS p ON p.tenant = k.tenant AND p.id = k.party
        LEFT JOIN parties AS c ON c.tenant = k.tenant AND c.id = k.created_by
        LEFT JOIN parties AS v ON v.tenant = k.tenant AND v.id = k.revoked_by
        LEFT JOIN journal.api_key_uses AS u ON u.tenant = k.tenant AND u.key = k.id";
    let mut sql = transaction.joined(tables, "k").after(&format!(
        "SELECT {}, p.name AS party_name, p.role AS party_role, c.name AS created_by_name, v.name AS revoked_by_name,
                u.used_at, k.expires_at <= now() AS is_expired",
        select_list::<ApiKeyRow>("k", "")
    ));
    sql.push(" AND k.id = ANY (").bind(ids.to_vec()).push(")");
    if scope.role != Role::Manager {
        sql.push(" AND k.party = ").bind(scope.party.0);
    }
    let found = transaction.fetch(&sql).await?;
    let views: Vec<ApiKey> = found.iter().map(view).collect::<Result<_, sqlx::Error>>()?;
    Ok(list::in_order(ids, views, |view: &ApiKey| view.id))
}

fn view(row: &PgRow) -> Result<ApiKey, sqlx::Error> {
    let key = ApiKeyRow::read(row, "")?;
    let is_expired: bool = row.try_get("is_expired")?;
    let role: Role = get(row, "party_role")?;
    let status = match (key.revoked_at, is_expired) {
        (Some(_), _) => REVOKED,
        (None, true) => EXPIRED,
        (None, false) => ACTIVE,
    };
    Ok(ApiKey {
        id: key.id,
        name: key.name,
        party: Ref::named(key.party, row, "party_name")?,
        user_type: role.into(),
        start: key.start,
        status: status.to_owned(),
        scopes: key.scopes.0,
        networks: key.networks.0,
        requests_per_minute: key.requests_per_minute,
        expires_at: key.expires_at,
        last_used: row.try_get("used_at")?,
        created: key.created_at,
        created_by: Ref::maybe(key.created_by, row, "created_by_name")?,
        rotated_at: key.rotated_at,
        previous_until: key.previous_until,
        revoked_at: key.revoked_at,
        revoked_by: Ref::maybe(key.revoked_by, row, "revoked_by_name")?,
        actions: Vec::new(),
    })
}
