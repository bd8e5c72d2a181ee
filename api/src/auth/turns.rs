//! What a party does one at a time: a lock on rows that are there holds up none that another transaction adds.

use caudal_domain::ids::{PartyId, TenantId};
use sqlx::PgConnection;

/// Waits until no other transaction does the same for the party, and keeps others waiting to the end of this one.
pub async fn one_at_a_time(
    transaction: &mut PgConnection,
    what: &str,
    tenant: &TenantId,
    party: PartyId,
) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('caudal.' || $1 || '.' || $2 || '.' || $3::text, 0))")
        .bind(what)
        .bind(tenant.as_str())
        .bind(party.0)
        .execute(transaction)
        .await?;
    Ok(())
}
