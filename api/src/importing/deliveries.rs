//! Remittances and proofs of the next rows of completions, looked up and examined before the rows are planned.

use super::worker::{Interrupted, Worker};
use crate::{
    files::Owner,
    imports::{deliveries::Proofs, import::ImportState, kinds::completions::code_of, reader::RawRow},
    problem::ApiError,
};
use actix_web::web::Bytes;
use caudal_domain::{
    ids::RemittanceId,
    remittance::{Action, Status},
};
use caudal_projections::{Scope, remittance};
use std::time::{Duration, Instant};

/// Interval in which the hold is prolonged while images are examined.
const ALIVE: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// Looks up the remittances of a piece, and notes which proofs belong to its rows.
    pub(super) async fn look_up(&mut self, rows: &[RawRow]) -> Result<(), Interrupted> {
        if !self.import.kind.rules().has_proofs() {
            return Ok(());
        }
        let mut codes = Vec::with_capacity(rows.len());
        for raw in rows {
            let Ok(values) = self.mapping.values(self.import.kind, raw) else {
                continue;
            };
            codes.push(code_of(&values));
            if let Ok(proofs) = self.deliveries.proofs_of(&values) {
                self.deliveries.use_up(proofs);
            }
        }
        let (_, head) = self.app.journal.books(self.tenant()).await?;
        self.app.until_projected(self.tenant(), head.position).await;
        let mut snapshot = self.app.reads.snapshot(self.tenant(), head.position).await?;
        let scope = Scope::of(&self.acting.maker, &self.books);
        let found = remittance::deliverables(&mut snapshot, &scope, codes).await?;
        self.deliveries.take(found);
        Ok(())
    }

    /// Examines the proofs of rows; a run stores them as files of their remittances. Those of a remittance that can't be
    /// completed are left. `false` when the import is no longer held here.
    pub(super) async fn examine(&mut self, rows: &[(i32, RawRow)], state: ImportState) -> Result<bool, Interrupted> {
        if !self.import.kind.rules().has_proofs() || !Action::Complete.roles().contains(&self.acting.maker.role) {
            return Ok(true);
        }
        let mut alive = Instant::now();
        for (row, raw) in rows {
            let Ok(values) = self.mapping.values(self.import.kind, raw) else {
                continue;
            };
            let found = self.deliveries.remittance(&code_of(&values));
            let Some(id) = found
                .filter(|found| found.status == Status::Shipping)
                .map(|found| found.id)
            else {
                continue;
            };
            let proofs = self.deliveries.proofs_of(&values).unwrap_or_default();
            self.examine_row(id, proofs, state).await?;
            if alive.elapsed() > ALIVE {
                if !self.app.imports.note(self.due, state, *row, &[]).await? {
                    return Ok(false);
                }
                alive = Instant::now();
            }
        }
        Ok(true)
    }

    async fn examine_row(&mut self, id: RemittanceId, proofs: Proofs, state: ImportState) -> Result<(), Interrupted> {
        let (files, maker) = (&self.app.files, self.acting.maker.id);
        let keeps = state == ImportState::Running;
        for (field, entry) in proofs.entries() {
            if !keeps && self.deliveries.is_examined(entry) {
                continue;
            }
            let content = self.app.imports.proof(self.tenant(), self.import.id, entry).await?;
            let content = Bytes::from(content);
            let examined = if keeps {
                let owners = [Owner::Remittance(id)];
                let kept = files.keep(self.tenant(), Some(maker), field, content, &owners, self.app.now());
                kept.await.map(|kept| kept.hash)
            } else {
                files.examine(field, content).await.map(|(kept, _)| kept.hash)
            };
            let examined = match examined {
                Ok(hash) => Ok(hash),
                Err(error) => Err(faults(error)?),
            };
            self.deliveries.note(entry, examined);
        }
        Ok(())
    }
}

/// What is wrong with an image. Quotas and failures end the pass.
fn faults(error: ApiError) -> Result<Vec<caudal_domain::FieldError>, Interrupted> {
    if !error.errors().is_empty() {
        return Ok(error.errors().to_vec());
    }
    Err(match error.code() {
        "storage_full" => Interrupted::Stopped("storage_full"),
        "too_many_uploads" => Interrupted::Stopped("too_many_uploads"),
        _ => Interrupted::Files(Box::new(error)),
    })
}
