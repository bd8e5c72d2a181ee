//! Audit of reading: who opened which person's data, files and dossiers (docs/decisions/audit-of-reading.md).
//!
//! | What | Recorded |
//! |---|---|
//! | files, dossiers, the begin of seeing as another | before the answer goes out; without the record there is no answer |
//! | all rows of a list at once | the same, once in ten minutes |
//! | opened records, pages seen as another | in a bounded list in memory, written every second |
//!
//! The policy table says which calls are recorded.

use crate::problem::ApiError;
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{Journal, ReadingRow, RowMacs, WithCauses};
use caudal_postgres::{Database, Transaction};
use caudal_projections::reading::ReadingKind;
use chrono::{DateTime, TimeDelta, Utc};
use moka::sync::Cache;
use std::{
    collections::BTreeMap,
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::watch;
use uuid::Uuid;

/// Retention: a year, and a month to look at it.
pub const RETENTION: TimeDelta = TimeDelta::days(400);

/// Reads of one record in one session within this are one: screens read again at every change.
const ONE_READ: Duration = Duration::from_secs(600);
/// Remembered reads; the least used are forgotten, and recorded again.
const MAX_REMEMBERED: u64 = 50_000;
/// Waiting reads: some ten thousand are written within a second. Beyond it reads are lost, counted and logged.
const MAX_WAITING: usize = 10_000;
/// Interval between two writes.
const ROUND: Duration = Duration::from_secs(1);
/// Rows of a statement.
const BATCH: usize = 500;
/// Interval between two deletions of old rows.
const DELETION: Duration = Duration::from_secs(3_600);
/// Rows deleted per transaction, which take some milliseconds.
const DELETED_AT_ONCE: i64 = 1_000;

/// Who reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    pub tenant: TenantId,
    pub party: PartyId,
    /// The party as which the reader sees.
    pub viewed_as: Option<PartyId>,
    pub session: Uuid,
}

/// A read by a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    tenant: TenantId,
    row: ReadingRow,
    kind: ReadingKind,
    is_once_in_a_while: bool,
}

impl Read {
    pub fn new(
        reader: Reader,
        kind: ReadingKind,
        subject: Option<Uuid>,
        call: &str,
        format: Option<String>,
        now: DateTime<Utc>,
    ) -> Self {
        let row = ReadingRow {
            id: Uuid::now_v7(),
            read_at: now,
            party: reader.party,
            viewed_as: reader.viewed_as,
            session: reader.session,
            kind: kind.as_str().to_owned(),
            subject,
            call: call.to_owned(),
            format,
        };
        Self {
            tenant: reader.tenant,
            row,
            kind,
            is_once_in_a_while: false,
        }
    }

    /// The same read, recorded once in ten minutes although it is a file.
    #[must_use]
    pub fn once_in_a_while(self) -> Self {
        Self {
            is_once_in_a_while: true,
            ..self
        }
    }

    fn same(&self) -> Same {
        (
            self.tenant.clone(),
            self.row.session,
            self.row.subject,
            self.row.call.clone(),
            self.kind.as_str(),
        )
    }

    /// Whether it must be recorded before it is answered.
    const fn is_recorded_first(&self) -> bool {
        matches!(
            self.kind,
            ReadingKind::File | ReadingKind::Dossier | ReadingKind::Viewing
        )
    }
}

/// What one read is: tenant, session, record, call and kind: a page of a list is no file of it.
type Same = (TenantId, Uuid, Option<Uuid>, String, &'static str);

/// Reads of a node. Clones share it.
#[derive(Clone)]
pub struct Readings {
    database: Database,
    macs: RowMacs,
    waiting: Arc<Mutex<Vec<Read>>>,
    seen: Cache<Same, ()>,
}

impl Readings {
    #[must_use]
    pub fn new(database: Database, macs: RowMacs) -> Self {
        Self {
            database,
            macs,
            waiting: Arc::default(),
            seen: Cache::builder()
                .max_capacity(MAX_REMEMBERED)
                .time_to_live(ONE_READ)
                .build(),
        }
    }

    /// Records that a party begins to see as another.
    ///
    /// # Errors
    /// When it can't be recorded.
    pub async fn note_viewing(
        &self,
        reader: Reader,
        seen: PartyId,
        call: &str,
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        let read = Read::new(reader, ReadingKind::Viewing, Some(seen.0), call, None, now);
        self.write(&[read]).await
    }

    /// Records a read, at once or within a second.
    ///
    /// # Errors
    /// When what must be recorded first can't be.
    pub async fn note(&self, read: Read) -> Result<(), ApiError> {
        let same = read.same();
        if read.is_recorded_first() {
            if read.is_once_in_a_while && self.seen.contains_key(&same) {
                return Ok(());
            }
            let is_once_in_a_while = read.is_once_in_a_while;
            self.write(&[read]).await?;
            if is_once_in_a_while {
                self.seen.insert(same, ());
            }
            return Ok(());
        }
        if !self.seen.entry(same).or_insert(()).is_fresh() {
            return Ok(());
        }
        self.wait_on([read]);
        Ok(())
    }

    /// Writes what waits. What can't be written waits on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn flush(&self) -> Result<(), ApiError> {
        let waiting = mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        let mut of_tenants = BTreeMap::<TenantId, Vec<Read>>::new();
        for read in waiting {
            of_tenants.entry(read.tenant.clone()).or_default().push(read);
        }
        let mut outcome = Ok(());
        let mut is_reachable = true;
        for (tenant, reads) in of_tenants {
            // A tenant that is on its way to another cell keeps no others waiting, and a database that does not answer is asked once.
            let mut is_taken = is_reachable;
            for batch in reads.chunks(BATCH) {
                if is_taken {
                    let begun = self.database.begin_write(tenant.as_str()).await;
                    is_reachable = begun.is_ok();
                    let written = match begun {
                        Ok(transaction) => self.write_in(transaction, &tenant, batch).await,
                        Err(error) => Err(error.into()),
                    };
                    is_taken = written.is_ok();
                    outcome = outcome.and(written);
                }
                if !is_taken {
                    self.wait_on(batch.iter().cloned());
                }
            }
        }
        outcome
    }

    /// Keeps reads until they are written, as far as there is room.
    fn wait_on(&self, reads: impl IntoIterator<Item = Read>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for read in reads {
            if waiting.len() < MAX_WAITING {
                waiting.push(read);
            } else {
                metrics::counter!("caudal_readings_lost_total").increment(1);
                tracing::error!(tenant = %read.tenant, party = %read.row.party, "a read of personal data is not recorded: too many wait");
            }
        }
    }

    /// Hands the reads that wait for a tenant of another cell to the node of that cell: this one refuses them.
    pub fn hand_over(&self, to: impl Fn(&TenantId) -> Option<Self>) {
        let mut moved = Vec::new();
        {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            for read in mem::take(&mut *waiting) {
                match to(&read.tenant) {
                    Some(other) => moved.push((other, read)),
                    None => waiting.push(read),
                }
            }
        }
        for (other, read) in moved {
            other.wait_on([read]);
        }
    }

    /// Writes reads of one tenant.
    async fn write(&self, reads: &[Read]) -> Result<(), ApiError> {
        let Some(first) = reads.first() else { return Ok(()) };
        let tenant = &first.tenant;
        let transaction = self.database.begin_write(tenant.as_str()).await?;
        self.write_in(transaction, tenant, reads).await
    }

    async fn write_in(&self, mut transaction: Transaction, tenant: &TenantId, reads: &[Read]) -> Result<(), ApiError> {
        let rows = || reads.iter().map(|read| &read.row);
        let macs: Vec<Vec<u8>> = rows()
            .map(|row| row.mac(&self.macs, tenant).finish().to_vec())
            .collect();
        sqlx::query(
            "INSERT INTO journal.readings
                    (tenant, id, read_at, party, viewed_as, session, kind, subject, call, format, mac)
             SELECT $1, * FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[],
                                      $8::uuid[], $9::text[], $10::text[], $11::bytea[])
                 ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(rows().map(|row| row.id).collect::<Vec<_>>())
        .bind(rows().map(|row| row.read_at).collect::<Vec<_>>())
        .bind(rows().map(|row| row.party.0).collect::<Vec<_>>())
        .bind(rows().map(|row| row.viewed_as.map(|party| party.0)).collect::<Vec<_>>())
        .bind(rows().map(|row| row.session).collect::<Vec<_>>())
        .bind(rows().map(|row| row.kind.clone()).collect::<Vec<_>>())
        .bind(rows().map(|row| row.subject).collect::<Vec<_>>())
        .bind(rows().map(|row| row.call.clone()).collect::<Vec<_>>())
        .bind(rows().map(|row| row.format.clone()).collect::<Vec<_>>())
        .bind(macs)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes a tenant's reads that are older than [`RETENTION`], and returns their number. Age is measured at the time of
    /// the tenant's last event: a fast clock deletes nothing early.
    ///
    /// # Errors
    /// When the database fails; the next run continues.
    pub async fn delete_old(&self, tenant: &TenantId) -> Result<u64, ApiError> {
        let mut deleted = 0;
        loop {
            let mut transaction = self.database.begin_write(tenant.as_str()).await?;
            let batch = sqlx::query(
                "DELETE FROM journal.readings AS v USING (
                     SELECT o.id FROM journal.readings AS o
                      WHERE o.tenant = $1
                        AND o.read_at < (SELECT h.recorded_at FROM journal.heads AS h WHERE h.tenant = $1) - $2::interval
                      ORDER BY o.read_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS old
                  WHERE v.tenant = $1 AND v.id = old.id",
            )
            .bind(tenant.as_str())
            .bind(RETENTION)
            .bind(DELETED_AT_ONCE)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
            transaction.commit().await?;
            deleted += batch;
            if batch == 0 {
                return Ok(deleted);
            }
        }
    }
}

/// Writes reads every second, and deletes old ones every hour, until `stop` turns true. Then it writes what waits.
pub async fn run(readings: Readings, journal: Journal, mut stop: watch::Receiver<bool>) {
    let writes = async {
        loop {
            tokio::time::sleep(ROUND).await;
            if let Err(error) = readings.flush().await {
                tracing::warn!(error = %WithCauses(&error), "reads of personal data are not recorded yet; they are again in a second");
            }
        }
    };
    let deletions = async {
        loop {
            delete_old_of_all(&readings, &journal).await;
            tokio::time::sleep(DELETION).await;
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = writes => {}
        () = deletions => {}
    }
    if let Err(error) = readings.flush().await {
        tracing::error!(error = %WithCauses(&error), "the last reads of personal data are not recorded");
    }
}

async fn delete_old_of_all(readings: &Readings, journal: &Journal) {
    let Ok(tenants) = journal.tenants().await else { return };
    // In quarantine everything is kept.
    for tenant in tenants.iter().filter(|tenant| journal.quarantined(tenant).is_none()) {
        match readings.delete_old(tenant).await {
            Ok(deleted) => metrics::counter!("caudal_records_deleted_total", "table" => "readings").increment(deleted),
            Err(error) => {
                tracing::warn!(%tenant, error = %WithCauses(&error), "old reads are not deleted; the next attempt is in an hour");
            }
        }
    }
}
