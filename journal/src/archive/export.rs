//! Export of a log to a file. The chain is verified while writing; a broken log is not exported.

use super::{People, lines};
use crate::{
    error::JournalError,
    journal::Journal,
    log::stored,
    proof::verify::{self, Fault, LogEnd, PAGE, Verifier},
};
use caudal_domain::ids::TenantId;
use std::io::Write;

/// Result of an export.
#[derive(Debug)]
pub struct Exported {
    pub end: LogEnd,
    /// Keys and passwords of the tenant's people, as of the same snapshot.
    pub people: People,
}

/// Export errors. The file written so far lacks its last line and is invalid.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the log is not whole: {0}")]
    Fault(#[from] Fault),
    #[error("the file can't be written")]
    Write(#[from] std::io::Error),
}

impl From<sqlx::Error> for ExportError {
    fn from(error: sqlx::Error) -> Self {
        Self::Journal(error.into())
    }
}

impl Journal {
    /// Writes a tenant's log from one snapshot, line by line. `progress` receives the position reached and the last
    /// position.
    ///
    /// # Errors
    /// When the log is broken, the database fails, or the file can't be written; the file is then invalid.
    pub async fn export(
        &self,
        tenant: &TenantId,
        out: &mut (impl Write + Send),
        mut progress: impl FnMut(i64, i64) + Send,
    ) -> Result<Exported, ExportError> {
        let json = |error: serde_json::Error| ExportError::Journal(error.into());
        let begun = self.shared.database.begin_read(tenant.as_str()).await;
        let mut transaction = begun.map_err(JournalError::from)?;
        let end = verify::end(&mut transaction, tenant).await?;
        writeln!(out, "{}", lines::write_first(tenant, &end).map_err(json)?)?;
        let mut verifier = Verifier::new(tenant, &[]);
        loop {
            let events = stored::page(&mut transaction, tenant, verifier.position(), PAGE).await?;
            for event in &events {
                verifier.take(event)?;
                writeln!(out, "{}", lines::write_event(event).map_err(json)?)?;
            }
            progress(verifier.position(), end.position);
            if events.is_empty() {
                break;
            }
        }
        if let Some(fault) = verifier.finish(&end).fault {
            return Err(fault.into());
        }
        let people = People::load(&mut transaction, &self.shared.keyring, &self.shared.macs, tenant).await?;
        writeln!(out, "{}", lines::write_last(&end).map_err(json)?)?;
        out.flush()?;
        Ok(Exported { end, people })
    }
}
