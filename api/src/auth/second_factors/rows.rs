//! Rows of second factors, each read and written with its MAC.

use super::SecondFactors;
use crate::{auth::refresh, problem::ApiError};
use caudal_domain::ids::{PartyId, SecondFactorId, TenantId};
use caudal_journal::SecondFactorRow;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};

impl SecondFactors {
    pub(super) async fn rows(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
        which: &'static str,
    ) -> Result<Vec<SecondFactorRow>, ApiError> {
        let rows = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.second_factors WHERE tenant = $1 AND party = $2 {which}",
            SecondFactorRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(party.0)
        .fetch_all(connection)
        .await?;
        rows.iter().map(|row| self.authentic(tenant, row)).collect()
    }

    fn authentic(&self, tenant: &TenantId, row: &PgRow) -> Result<SecondFactorRow, ApiError> {
        let found = SecondFactorRow::from_row(row)?;
        found.mac(&self.macs, tenant).check(row.try_get("mac")?)?;
        Ok(found)
    }

    pub(super) async fn insert(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        row: &SecondFactorRow,
    ) -> Result<(), ApiError> {
        sqlx::query(
            "INSERT INTO journal.second_factors (tenant, factor, party, salt, last_step, recovery, created_at, mac)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(tenant.as_str())
        .bind(row.factor.0)
        .bind(row.party.0)
        .bind(&row.salt)
        .bind(row.last_step)
        .bind(&row.recovery)
        .bind(row.created_at)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(connection)
        .await?;
        Ok(())
    }

    pub(super) async fn locked(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
    ) -> Result<Option<SecondFactorRow>, ApiError> {
        // Of two requests with one code the second waits here, and then sees the first's step.
        self.row(connection, tenant, party, factor, "FOR UPDATE").await
    }

    pub(super) async fn row(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
        lock: &'static str,
    ) -> Result<Option<SecondFactorRow>, ApiError> {
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.second_factors WHERE tenant = $1 AND party = $2 AND factor = $3 {lock}",
            SecondFactorRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(factor.0)
        .fetch_optional(connection)
        .await?;
        row.map(|row| self.authentic(tenant, &row)).transpose()
    }

    pub(super) async fn save(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        row: &SecondFactorRow,
    ) -> Result<(), ApiError> {
        sqlx::query(
            "UPDATE journal.second_factors SET last_step = $3, recovery = $4, mac = $5
              WHERE tenant = $1 AND factor = $2",
        )
        .bind(tenant.as_str())
        .bind(row.factor.0)
        .bind(row.last_step)
        .bind(&row.recovery)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(connection)
        .await?;
        Ok(())
    }
}

pub(super) fn new_row(factor: SecondFactorId, party: PartyId, now: DateTime<Utc>) -> Result<SecondFactorRow, ApiError> {
    Ok(SecondFactorRow {
        factor,
        party,
        salt: refresh::random()?.to_vec(),
        last_step: 0,
        recovery: Vec::new(),
        created_at: now,
    })
}
