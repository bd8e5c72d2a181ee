//! MACs of what a run believes: that somebody ordered it, which totals its preview had, and what that showed of each row.
//!
//! A MAC is of one preview, with the cells, the mapping and the proofs that it was made of: what an earlier one had, put back in the
//! database, does not fit a later one.

use super::{Imports, StoreError};
use crate::imports::{
    import::{Import, Outcome, Summary},
    reader::RawRow,
};
use caudal_domain::ids::TenantId;
use serde::Serialize;
use uuid::Uuid;

/// Verified fields of a stored row.
#[derive(Serialize)]
pub(super) struct Believed<'a> {
    /// Number of the preview.
    pub pass: i32,
    pub left_out: bool,
    /// Makes the row's keys and ids.
    pub ended_approvals: u32,
    pub cells: &'a RawRow,
    pub preview: &'a Outcome,
}

/// Verified fields of a stored import.
#[derive(Serialize)]
pub(super) enum Word<'a> {
    /// The totals of its preview.
    Previewed(&'a Summary),
    /// Somebody ordered the run.
    Ordered,
}

impl Imports {
    pub(super) fn row_mac(
        &self,
        tenant: &TenantId,
        id: Uuid,
        row: i32,
        believed: &Believed<'_>,
    ) -> Result<[u8; 32], StoreError> {
        Ok(self.macs.of(&[&of_row(tenant, id, row, believed)?]))
    }

    /// Whether a row's MAC is of its content. A wrong one is logged and counted; a missing one is of an earlier version.
    pub(super) fn checks_row(
        &self,
        tenant: &TenantId,
        id: Uuid,
        row: i32,
        believed: &Believed<'_>,
        mac: Option<&[u8]>,
    ) -> Result<bool, StoreError> {
        let Some(mac) = mac else { return Ok(false) };
        let is_authentic = self.macs.is_of(&[&of_row(tenant, id, row, believed)?], mac);
        if !is_authentic {
            report(tenant, "import_rows", &format!("{id}, {row}"));
        }
        Ok(is_authentic)
    }

    pub(super) fn import_mac(
        &self,
        tenant: &TenantId,
        import: &Import,
        word: &Word<'_>,
    ) -> Result<[u8; 32], StoreError> {
        Ok(self.macs.of(&[&of_import(tenant, import, word)?]))
    }

    /// Whether an import's MAC is of what is believed. A wrong one is logged and counted; a missing one is of an earlier version.
    pub(super) fn checks_import(
        &self,
        tenant: &TenantId,
        import: &Import,
        word: &Word<'_>,
        mac: Option<&[u8]>,
    ) -> Result<bool, StoreError> {
        let Some(mac) = mac else { return Ok(false) };
        let is_authentic = self.macs.is_of(&[&of_import(tenant, import, word)?], mac);
        if !is_authentic {
            report(tenant, "imports", &import.id.to_string());
        }
        Ok(is_authentic)
    }
}

fn of_row(tenant: &TenantId, id: Uuid, row: i32, believed: &Believed<'_>) -> Result<Vec<u8>, StoreError> {
    Ok(serde_json::to_vec(&(tenant.as_str(), id, row, believed))?)
}

fn of_import(tenant: &TenantId, import: &Import, word: &Word<'_>) -> Result<Vec<u8>, StoreError> {
    let Import {
        id,
        owner,
        maker,
        kind,
        pass,
        details,
        proofs,
        ..
    } = import;
    let mapping = details.as_ref().map(|details| &details.mapping);
    Ok(serde_json::to_vec(&(
        tenant.as_str(),
        id,
        owner,
        maker,
        kind.as_str(),
        pass,
        mapping,
        proofs,
        word,
    ))?)
}

fn report(tenant: &TenantId, table: &'static str, row: &str) {
    tracing::error!(table, %tenant, row, "its MAC does not fit its content; it is not used");
    metrics::counter!("caudal_unauthentic_rows_total", "table" => table).increment(1);
}
