//! Writing a log's file. The chain is verified on the way: what is not whole is not handed on as if it were.

use super::{People, lines};
use crate::{
    error::JournalError,
    journal::Journal,
    log::stored,
    proof::verify::{self, Fault, LogEnd, PAGE, Verifier},
};
use caudal_domain::ids::TenantId;
use std::io::Write;

/// What was written.
#[derive(Debug)]
pub struct Exported {
    pub end: LogEnd,
    /// The keys and passwords of its people as of the same moment.
    pub people: People,
}

/// Why a log was not exported as a whole. Whatever was written until then lacks the last line.
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
    /// Writes a tenant's log as of one moment, line by line. `progress` is told the position reached and the last one.
    ///
    /// # Errors
    /// Where the log is not whole, the database fails, or the file can't be written: the file is then none.
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
