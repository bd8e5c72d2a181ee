//! Per-party advisory locks: row locks do not exclude concurrent inserts.

use caudal_domain::ids::{PartyId, TenantId};
use sqlx::PgConnection;

/// Locks `what` of the party until the end of the transaction.
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
