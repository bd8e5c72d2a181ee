//! References to other records, with current names.

use crate::{error::ReadError, read_transaction::ReadTransaction, scalar::UserType, table::role_named};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A reference to a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ref {
    /// Id of the record.
    pub id: Uuid,
    /// Current name; null after erasure.
    pub name: Option<String>,
}

impl Ref {
    pub(crate) fn named(id: Uuid, row: &PgRow, column: &str) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id,
            name: row.try_get(column)?,
        })
    }

    /// A reference from a nullable id.
    pub(crate) fn maybe(id: Option<Uuid>, row: &PgRow, column: &str) -> Result<Option<Self>, sqlx::Error> {
        id.map(|id| Self::named(id, row, column)).transpose()
    }
}

/// Parties by id, with current names.
///
/// # Errors
/// A failed database.
pub async fn named(
    transaction: &mut ReadTransaction,
    parties: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, Ref>, ReadError> {
    let parties: Vec<Uuid> = parties.into_iter().collect();
    if parties.is_empty() {
        return Ok(HashMap::new());
    }
    let mut sql = transaction.rows("parties", "p").after("SELECT p.id, p.name");
    sql.push(" AND p.id = ANY (").bind(parties).push(")");
    let rows = transaction.fetch(&sql).await?;
    let read = |row: &PgRow| {
        let id = row.try_get("id")?;
        Ok((id, Ref::named(id, row, "name")?))
    };
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// A file that a reviewer attached to a decision, or a picture of a customer's document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewFile {
    /// Id: SHA-256 of the content, in hexadecimal.
    pub id: String,
    /// URL path of the file.
    pub url: String,
}

impl ReviewFile {
    pub(crate) fn all(hashes: Vec<String>) -> Vec<Self> {
        let file = |id: String| Self {
            url: crate::file_address(&id),
            id,
        };
        hashes.into_iter().map(file).collect()
    }
}

/// Actor of a change; all fields null for the system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryActor {
    /// Id of the party.
    pub id: Option<Uuid>,
    /// Current name; null after the person's erasure.
    pub name: Option<String>,
    /// Role of the party at that time.
    pub user_type: Option<UserType>,
}

impl HistoryActor {
    pub(crate) fn new(id: Option<Uuid>, role: &str, name: Option<String>) -> Self {
        Self {
            id,
            name,
            user_type: role_named(role).map(UserType::from),
        }
    }
}
