//! Other things' ids with their names, as they are called now.

use crate::{scalar::UserType, table::role_named};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

/// Something by its id and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ref {
    /// Its id.
    pub id: Uuid,
    /// Its name; null when the person was erased.
    pub name: Option<String>,
}

impl Ref {
    pub(crate) fn named(id: Uuid, row: &PgRow, column: &str) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id,
            name: row.try_get(column)?,
        })
    }

    /// With the name in a column, where there is an id.
    pub(crate) fn maybe(id: Option<Uuid>, row: &PgRow, column: &str) -> Result<Option<Self>, sqlx::Error> {
        id.map(|id| Self::named(id, row, column)).transpose()
    }
}

/// Who did something; all null for the system itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryActor {
    /// The party.
    pub id: Option<Uuid>,
    /// Its name; null when the person was erased.
    pub name: Option<String>,
    /// The role that it had then.
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
