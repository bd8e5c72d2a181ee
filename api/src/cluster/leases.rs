//! The table of writer leases: `journal.writer_leases`, one row per tenant.
//!
//! A row has a MAC over tenant, node and address, so that tokens are never sent to an address injected into the
//! database. Nothing else depends on a lease.

use super::address::NodeAddress;
use crate::auth::mac::KeyedHash;
use caudal_domain::ids::TenantId;
use caudal_journal::{CurrentLeases, LEASE, Lease, LeaseTable};
use caudal_postgres::Database;
use std::time::Duration;
use uuid::Uuid;

/// A row: tenant, node, address, MAC, and remaining milliseconds.
type Row = (String, Uuid, String, Vec<u8>, i64);

/// Leases in PostgreSQL.
pub struct StoredLeases {
    database: Database,
    key: KeyedHash,
}

impl StoredLeases {
    pub fn new(database: Database, key: &[u8; 32]) -> Self {
        Self {
            database,
            key: KeyedHash::new(key),
        }
    }

    /// Parses a row; `None` when no node of this installation wrote it.
    fn lease(&self, row: Row) -> Option<(TenantId, Lease<NodeAddress>)> {
        let (tenant, node, address, mac, left) = row;
        if !self.key.is_of(&signed(&tenant, &node, &address), &mac) {
            tracing::error!(table = "writer_leases", %tenant, "a row was not written by this installation");
            return None;
        }
        let lease = Lease {
            node,
            address: address.parse().ok()?,
            left: Duration::from_millis(u64::try_from(left).unwrap_or_default()),
        };
        Some((tenant.parse().ok()?, lease))
    }
}

impl LeaseTable for StoredLeases {
    type Address = NodeAddress;
    type Error = sqlx::Error;

    async fn take(
        &self,
        tenant: &TenantId,
        node: Uuid,
        address: &NodeAddress,
    ) -> Result<Option<Lease<NodeAddress>>, sqlx::Error> {
        let row: Row = sqlx::query_as("SELECT * FROM journal.take_writer_lease($1, $2, $3, $4, $5)")
            .bind(tenant.as_str())
            .bind(node)
            .bind(address.as_str())
            .bind(self.key.of(&signed(tenant.as_str(), &node, address.as_str())))
            .bind(milliseconds(LEASE))
            .fetch_one(self.database.pool())
            .await?;
        Ok(self.lease(row).map(|(_, lease)| lease))
    }

    async fn renew(&self, node: Uuid, busy: Vec<TenantId>) -> Result<CurrentLeases<NodeAddress>, sqlx::Error> {
        let busy: Vec<String> = busy.iter().map(ToString::to_string).collect();
        let rows: Vec<Row> = sqlx::query_as("SELECT * FROM journal.renew_writer_leases($1, $2, $3)")
            .bind(node)
            .bind(busy)
            .bind(milliseconds(LEASE))
            .fetch_all(self.database.pool())
            .await?;
        Ok(rows.into_iter().filter_map(|row| self.lease(row)).collect())
    }

    async fn release(&self, node: Uuid) -> Result<(), sqlx::Error> {
        sqlx::query("SELECT journal.release_writer_leases($1)")
            .bind(node)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }
}

/// Message of a row's MAC.
fn signed<'a>(tenant: &'a str, node: &'a Uuid, address: &'a str) -> [&'a [u8]; 4] {
    [b"lease", tenant.as_bytes(), node.as_bytes(), address.as_bytes()]
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
