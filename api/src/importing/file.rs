//! The rehearsal of a file that is in no table: the same plans and decisions as a preview, and nothing is kept.

use super::{
    moneys::Moneys,
    planner::{Interrupted, Means, Planner, Proofs},
};
use crate::imports::{
    import::{Counts, Import, Outcome, RowResult, Summary},
    mapping::Mapping,
    proofs::Entry,
    reader::RawRow,
    store::CHUNK,
};
use caudal_domain::{
    ids::TenantId,
    money::{Amount, CurrencyCode},
};
use std::collections::BTreeMap;

/// What a preview of the file would say.
pub struct Rehearsed {
    /// Number of the row from 0, line of the file, and what would become of the row.
    pub outcomes: Vec<(i32, u32, Outcome)>,
    pub counts: Counts,
    pub summary: Summary,
    /// Opening balances of rows that are there already, by currency.
    pub opened_before: BTreeMap<CurrencyCode, Amount>,
}

/// Rehearses all rows of a file. The read models must show the tenant's head.
///
/// # Errors
/// Why the state can't be read, or the code by which the maker may not import.
pub async fn rehearse_file(
    means: Means<'_>,
    tenant: &TenantId,
    import: &Import,
    mapping: &Mapping,
    rows: &[RawRow],
    proofs: &[Entry],
) -> Result<Rehearsed, Interrupted> {
    let planner = Planner::new(means, tenant, import, mapping).await?;
    let mut planner = planner.map_err(Interrupted::Stopped)?;
    let mut rehearsal = means.journal.rehearse(tenant).await?;
    let (mut moneys, mut outcomes, mut counts) = (Moneys::default(), Vec::new(), Counts::default());
    let mut first = 0;
    for piece in rows.chunks(CHUNK as usize) {
        planner.look_up(piece).await?;
        for raw in piece {
            planner.examine(raw, &mut Proofs::Given(proofs), false).await?;
        }
        let numbered: Vec<(i32, RawRow)> = (first..).zip(piece.iter().cloned()).collect();
        let mut decided = planner.rehearse(&mut rehearsal, &mut moneys, &numbered).await?;
        for (.., outcome) in &mut decided {
            // A row that has a record before any run: the file's import has added it.
            if outcome.result == RowResult::Added && outcome.record.is_some() {
                outcome.result = RowResult::There;
            }
            counts.add(outcome.result, 1);
        }
        outcomes.extend(decided);
        first += CHUNK;
    }
    Ok(Rehearsed {
        outcomes,
        counts,
        summary: planner.summary(&moneys),
        opened_before: moneys.opened_before,
    })
}
