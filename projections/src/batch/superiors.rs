//! Superiors: the agency of an agent and the dealer of a delivery man. Immutable, so cached values stay valid; nothing
//! personal.

use caudal_domain::ids::TenantId;
use sqlx::{PgConnection, Row as _};
use std::collections::HashMap;
use uuid::Uuid;

/// Loaded superiors by party.
#[derive(Debug, Default)]
pub(crate) struct Superiors(HashMap<Uuid, [Option<Uuid>; 2]>);

impl Superiors {
    /// Loads the superiors of unknown parties.
    pub(crate) async fn load(
        &mut self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        parties: impl IntoIterator<Item = Uuid>,
    ) -> Result<(), sqlx::Error> {
        let unknown: Vec<Uuid> = parties.into_iter().filter(|id| !self.0.contains_key(id)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let rows = sqlx::query("SELECT id, agency, dealer FROM parties WHERE tenant = $1 AND id = ANY ($2)")
            .bind(tenant.as_str())
            .bind(unknown)
            .fetch_all(connection)
            .await?;
        for row in rows {
            self.note(row.try_get("id")?, row.try_get("agency")?, row.try_get("dealer")?);
        }
        Ok(())
    }

    /// Caches a party's superiors.
    pub(crate) fn note(&mut self, id: Uuid, agency: Option<Uuid>, dealer: Option<Uuid>) {
        self.0.insert(id, [agency, dealer]);
    }

    /// A party's superiors; empty when not loaded or without any.
    pub(crate) fn of(&self, id: Uuid) -> impl Iterator<Item = Uuid> {
        self.0.get(&id).into_iter().flatten().copied().flatten()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
