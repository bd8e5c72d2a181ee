//! Tables of imports. What is personal in a file is encrypted, and erased after its retention; that a row was imported stays.

mod believed;
mod passes;
mod proofs;
mod rows;
mod waiting;

use super::{
    import::{Details, Import, ImportState, PassCounts},
    kinds::ImportKind,
    mapping::Mapping,
    reader::{RawRow, Table},
};
use crate::auth::mac::KeyedHash;
use believed::Word;
use caudal_domain::ids::TenantId;
use caudal_journal::{EncryptionKey, KeyError, Keyring, SubmitError};
use caudal_postgres::{Database, DatabaseError, Timestamp};
use chrono::{DateTime, TimeDelta, Utc};
use moka::sync::Cache;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;
pub use waiting::EXPIRY_MARGIN;

/// Time after which a file's content is erased: long enough to mend and finish it, and to ask about its report.
pub const RETENTION: TimeDelta = TimeDelta::days(30);
/// Rows of a piece: what is held in memory at a time.
pub const CHUNK: i32 = 250;
/// Files that a node holds in memory at a time, while they are read or written.
const READ_AT_ONCE: usize = 1;
/// Maximum imports of an owner that are neither done nor canceled. Nobody works on more.
pub const MAX_OPEN: i64 = 100;
/// Maximum files whose content an owner keeps at a time, done and canceled ones too: a file may take 20 MB of the database, a usual
/// one some kilobytes.
pub const MAX_KEPT: i64 = 1_000;
/// Time that a node repeats the counts of a pass under way: a count reads every row, and a screen asks for them all the while.
const COUNTS_REPEATED: Duration = Duration::from_secs(1);
/// Passes whose counts a node repeats.
const MAX_COUNTED: u64 = 1_000;
/// Imports of the history.
pub const MAX_LISTED: i64 = 100;

/// Purpose strings of the keys.
const ENCRYPTION: &str = "caudal.imports.content.1";
const HEADERS: &str = "caudal.imports.headers.1";
const PASSES: &str = "caudal.imports.passes.1";

/// Why an import can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("JSON")]
    Json(#[from] serde_json::Error),
    #[error("what is stored of an import does not open, or is not understood")]
    Changed,
    /// Somebody changed, in the database, what a person confirmed; or an earlier version previewed it.
    #[error("the import is not as it was previewed")]
    NotAsPreviewed,
    #[error("the tenant's log")]
    Journal(#[from] SubmitError),
}

impl StoreError {
    /// Whether the next try would find the same.
    #[must_use]
    pub const fn is_lasting(&self) -> bool {
        matches!(self, Self::Changed | Self::NotAsPreviewed | Self::Json(_))
    }
}

/// Numbers of files whose content an owner keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredImports {
    /// Neither done nor canceled.
    pub open: i64,
    pub all: i64,
}

/// Outcome of starting a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// The run begins, or has begun before.
    Begun,
    /// The totals of the preview are not the expected ones.
    TotalsDiffer,
    /// The kind needs expected totals, and the mapping of the preview has none.
    TotalsMissing,
    /// The totals or rows are not those of the preview: it is needed again.
    NotAsPreviewed,
    NotInState,
}

/// The tables.
#[derive(Clone, Debug)]
pub struct Imports {
    database: Database,
    encryption_key: EncryptionKey,
    headers: EncryptionKey,
    header_key: [u8; 32],
    macs: KeyedHash,
    node: Uuid,
    reading: Arc<Semaphore>,
    counted: Cache<(TenantId, Uuid), PassCounts>,
}

/// Id of a file's import: one per owner, kind and content.
pub fn id_of(tenant: &TenantId, owner: Uuid, kind: ImportKind, content: &[u8]) -> Uuid {
    let digest = Sha256::digest(content);
    let name = [
        tenant.as_str().as_bytes(),
        b"/",
        kind.as_str().as_bytes(),
        b"/",
        &digest,
    ]
    .concat();
    Uuid::new_v5(&owner, &name)
}

impl Imports {
    pub fn new(database: Database, keyring: &Keyring) -> Self {
        Self {
            database,
            encryption_key: keyring.encryption_key(ENCRYPTION),
            headers: keyring.encryption_key(HEADERS),
            header_key: *keyring.derive(HEADERS),
            macs: KeyedHash::new(&keyring.derive(PASSES)),
            node: Uuid::now_v7(),
            reading: Arc::new(Semaphore::new(READ_AT_ONCE)),
            counted: Cache::builder()
                .max_capacity(MAX_COUNTED)
                .time_to_live(COUNTS_REPEATED)
                .build(),
        }
    }

    /// Waits for a turn to hold a file's rows in memory.
    pub async fn reading_turn(&self) -> Option<OwnedSemaphorePermit> {
        self.reading.clone().acquire_owned().await.ok()
    }

    fn header_hash(&self, headers: &[String]) -> [u8; 32] {
        let mut sha = Sha256::new();
        sha.update(self.header_key);
        for header in headers {
            let header = super::values::folded(header);
            sha.update((header.len() as u64).to_be_bytes());
            sha.update(header);
        }
        sha.finalize().into()
    }

    fn encrypt<T: Serialize>(&self, place: &str, value: &T) -> Result<Vec<u8>, StoreError> {
        Ok(self
            .encryption_key
            .encrypt(place.as_bytes(), &serde_json::to_vec(value)?)?)
    }

    fn open<T: for<'de> Deserialize<'de>>(&self, place: &str, sealed: &[u8]) -> Result<T, StoreError> {
        let clear = self
            .encryption_key
            .open(place.as_bytes(), sealed)
            .ok_or(StoreError::Changed)?;
        Ok(serde_json::from_slice(&clear)?)
    }

    /// The mapping that was last used for a file with these headers.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn profile(
        &self,
        tenant: &TenantId,
        owner: Uuid,
        kind: ImportKind,
        headers: &[String],
    ) -> Result<Option<Mapping>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(
            "SELECT mapping FROM journal.import_profiles WHERE tenant = $1 AND owner = $2 AND kind = $3 AND headers = $4",
        )
        .bind(tenant.as_str())
        .bind(owner)
        .bind(kind.as_str())
        .bind(self.header_hash(headers).as_slice())
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let place = format!("{tenant}/profile/{owner}/{}", kind.as_str());
        let clear = self.headers.open(place.as_bytes(), row.try_get("mapping")?);
        Ok(serde_json::from_slice(&clear.ok_or(StoreError::Changed)?)?)
    }

    /// Stores an uploaded file. A file that was uploaded before is its import of then; its erased content is stored again.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep(
        &self,
        tenant: &TenantId,
        import: &Import,
        table: &Table,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_long_write(tenant.as_str()).await?;
        let details = self.encrypt(&details_place(tenant, import), &import.details)?;
        let inserted = sqlx::query(
            "INSERT INTO journal.imports AS i
                    (tenant, id, owner, maker, kind, details, rows, state, created_at, changed_at, erase_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)
             ON CONFLICT (tenant, id) DO UPDATE
                SET details = EXCLUDED.details, erase_at = EXCLUDED.erase_at, changed_at = EXCLUDED.changed_at,
                    maker = EXCLUDED.maker, failure = NULL,
                    state = CASE WHEN i.state = 'done' THEN i.state ELSE 'mapping' END
              WHERE i.details IS NULL OR i.state = 'canceled'",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(import.owner)
        .bind(import.maker)
        .bind(import.kind.as_str())
        .bind(details)
        .bind(import.rows)
        .bind(ImportState::Mapping.as_str())
        .bind(now)
        .bind(import.erase_at)
        .execute(&mut *transaction)
        .await?;
        if inserted.rows_affected() == 0 {
            transaction.commit().await?;
            return Ok(false);
        }
        for (chunk, rows) in (0_i32..).zip(table.rows.chunks(CHUNK as usize)) {
            self.put_chunk(&mut transaction, tenant, import.id, chunk, rows).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    async fn put_chunk(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        id: Uuid,
        chunk: i32,
        rows: &[RawRow],
    ) -> Result<(), StoreError> {
        let content = self.encrypt(&format!("{}/{chunk}", place(tenant, id)), &rows)?;
        sqlx::query(
            "INSERT INTO journal.import_chunks (tenant, import, chunk, content) VALUES ($1, $2, $3, $4)
             ON CONFLICT (tenant, import, chunk) DO UPDATE SET content = EXCLUDED.content",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(chunk)
        .bind(content)
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Rows of a piece.
    ///
    /// # Errors
    /// When the database fails, or they are erased.
    pub async fn chunk(&self, tenant: &TenantId, id: Uuid, chunk: i32) -> Result<Vec<RawRow>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row =
            sqlx::query("SELECT content FROM journal.import_chunks WHERE tenant = $1 AND import = $2 AND chunk = $3")
                .bind(tenant.as_str())
                .bind(id)
                .bind(chunk)
                .fetch_optional(&mut *transaction)
                .await?;
        let row = row.ok_or(StoreError::Changed)?;
        self.open(&format!("{}/{chunk}", place(tenant, id)), row.try_get("content")?)
    }

    fn import(&self, tenant: &TenantId, row: &PgRow) -> Result<Import, StoreError> {
        let id: Uuid = row.try_get("id")?;
        let mut import = Import {
            id,
            owner: row.try_get("owner")?,
            maker: row.try_get("maker")?,
            kind: ImportKind::of(row.try_get("kind")?).ok_or(StoreError::Changed)?,
            details: None,
            proofs: self.proofs_file(tenant, id, row)?,
            rows: row.try_get("rows")?,
            state: ImportState::of(row.try_get("state")?).ok_or(StoreError::Changed)?,
            pass: row.try_get("pass")?,
            next_row: row.try_get("next_row")?,
            failure: row.try_get("failure")?,
            summary: json_of(row, "summary")?,
            counts: json_of(row, "counts")?,
            created_at: Timestamp::of(row, "created_at")?.ok_or(StoreError::Changed)?,
            changed_at: Timestamp::of(row, "changed_at")?.ok_or(StoreError::Changed)?,
            erase_at: Timestamp::of(row, "erase_at")?.ok_or(StoreError::Changed)?,
        };
        if let Some(sealed) = row.try_get::<Option<&[u8]>, _>("details")? {
            import.details = self.open::<Option<Details>>(&details_place(tenant, &import), sealed)?;
        }
        Ok(import)
    }

    /// An owner's import.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn get(&self, tenant: &TenantId, owner: Uuid, id: Uuid) -> Result<Option<Import>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query("SELECT * FROM journal.imports WHERE tenant = $1 AND owner = $2 AND id = $3")
            .bind(tenant.as_str())
            .bind(owner)
            .bind(id)
            .fetch_optional(&mut *transaction)
            .await?;
        row.map(|row| self.import(tenant, &row)).transpose()
    }

    /// Names of parties; those of erased ones are left out.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn names(&self, tenant: &TenantId, parties: &[Uuid]) -> Result<BTreeMap<Uuid, String>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query("SELECT id, name FROM parties WHERE tenant = $1 AND id = ANY ($2) AND name IS NOT NULL")
            .bind(tenant.as_str())
            .bind(parties)
            .fetch_all(&mut *transaction)
            .await?;
        let mut names = BTreeMap::new();
        for row in &rows {
            names.insert(row.try_get("id")?, row.try_get("name")?);
        }
        Ok(names)
    }

    /// Files whose content an owner keeps.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn kept(&self, tenant: &TenantId, owner: Uuid) -> Result<StoredImports, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(
            "SELECT count(*) AS kept, count(*) FILTER (WHERE state NOT IN ('done', 'canceled')) AS open
               FROM journal.imports WHERE tenant = $1 AND owner = $2 AND details IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(owner)
        .fetch_one(&mut *transaction)
        .await?;
        Ok(StoredImports {
            open: row.try_get("open")?,
            all: row.try_get("kept")?,
        })
    }

    /// An owner's newest imports.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(&self, tenant: &TenantId, owner: Uuid) -> Result<Vec<Import>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT * FROM journal.imports WHERE tenant = $1 AND owner = $2 ORDER BY created_at DESC, id LIMIT $3",
        )
        .bind(tenant.as_str())
        .bind(owner)
        .bind(MAX_LISTED)
        .fetch_all(&mut *transaction)
        .await?;
        rows.iter().map(|row| self.import(tenant, row)).collect()
    }

    /// Compare-and-set of the state: from one of `from`. Returns whether it was set. A preview takes the import from the node
    /// that still works on it: that pass has the earlier mapping.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn change(
        &self,
        tenant: &TenantId,
        import: &Import,
        from: &[ImportState],
        to: ImportState,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let names: Vec<&str> = from.iter().map(|state| state.as_str()).collect();
        let starts_again = matches!(to, ImportState::Previewing);
        let ordered = match to {
            ImportState::Running => Some(self.import_mac(tenant, import, &Word::Ordered)?),
            _ => None,
        };
        let changed = sqlx::query(
            "UPDATE journal.imports
                SET state = $4, changed_at = $5, failure = NULL, ordered = $7,
                    next_row = CASE WHEN $6 THEN 0 ELSE next_row END,
                    holder = CASE WHEN $6 THEN NULL ELSE holder END,
                    held_until = CASE WHEN $6 THEN NULL ELSE held_until END
              WHERE tenant = $1 AND id = $2 AND state = ANY ($3) AND ($7 IS NULL OR pass = $8)",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(names)
        .bind(to.as_str())
        .bind(now)
        .bind(starts_again)
        .bind(ordered)
        .bind(import.pass)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(changed.rows_affected() == 1)
    }

    /// Begins the run of a previewed import, if the totals of its preview are the expected ones. The import is locked from the
    /// comparison to the change of its state.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(&self, tenant: &TenantId, found: &Import, now: DateTime<Utc>) -> Result<Started, StoreError> {
        let id = found.id;
        // Before the lock: this takes a while for many rows.
        if found.state == ImportState::Previewed && !self.rows_are_as_previewed(tenant, found).await? {
            return Ok(Started::NotAsPreviewed);
        }
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let row = sqlx::query("SELECT * FROM journal.imports WHERE tenant = $1 AND id = $2 FOR UPDATE")
            .bind(tenant.as_str())
            .bind(id)
            .fetch_optional(&mut *transaction)
            .await?;
        let Some(row) = row else { return Ok(Started::NotInState) };
        let import = self.import(tenant, &row)?;
        match import.state {
            ImportState::Running => return Ok(Started::Begun),
            ImportState::Previewed if import.pass == found.pass => {}
            _ => return Ok(Started::NotInState),
        }
        let summary = import.summary.clone().unwrap_or_default();
        let previewed = Word::Previewed(&summary);
        if !self.checks_import(tenant, &import, &previewed, row.try_get("previewed")?)? {
            return Ok(Started::NotAsPreviewed);
        }
        if summary.expected.iter().any(|total| total.found != total.expected) {
            return Ok(Started::TotalsDiffer);
        }
        if import.kind.rules().needs_totals() && summary.expected.is_empty() {
            return Ok(Started::TotalsMissing);
        }
        // From now on a row without a result may have been submitted.
        sqlx::query(
            "UPDATE journal.import_rows SET errors = NULL
              WHERE tenant = $1 AND import = $2 AND result IS NULL AND errors IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(id)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "UPDATE journal.imports
                SET state = 'running', changed_at = $3, failure = NULL, next_row = 0, ordered = $4,
                    started_at = coalesce(started_at, $3)
              WHERE tenant = $1 AND id = $2",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(now)
        .bind(self.import_mac(tenant, &import, &Word::Ordered)?)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Started::Begun)
    }

    /// Replaces the mapping, and keeps it for files with the same headers. The import needs a new preview.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn map(
        &self,
        tenant: &TenantId,
        import: &Import,
        details: &Details,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let changed = sqlx::query(
            "UPDATE journal.imports
                SET details = $3, state = 'mapping', changed_at = $4, next_row = 0, summary = NULL, failure = NULL
              WHERE tenant = $1 AND id = $2 AND state IN ('mapping', 'previewed', 'paused', 'done')
                AND details IS NOT NULL AND maker = $5",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(self.encrypt(&details_place(tenant, import), &Some(details))?)
        .bind(now)
        .bind(import.maker)
        .execute(&mut *transaction)
        .await?;
        if changed.rows_affected() == 0 {
            return Ok(false);
        }
        let mapping_place = format!("{tenant}/profile/{}/{}", import.owner, import.kind.as_str());
        let mapping = serde_json::to_vec(&details.mapping.clone().kept())?;
        sqlx::query(
            "INSERT INTO journal.import_profiles (tenant, owner, kind, headers, mapping, used_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (tenant, owner, kind, headers) DO UPDATE SET mapping = EXCLUDED.mapping, used_at = EXCLUDED.used_at",
        )
        .bind(tenant.as_str())
        .bind(import.owner)
        .bind(import.kind.as_str())
        .bind(self.header_hash(&details.headers).as_slice())
        .bind(self.headers.encrypt(mapping_place.as_bytes(), &mapping)?)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// A JSON column.
fn json_of<T: for<'de> Deserialize<'de>>(row: &PgRow, column: &str) -> Result<Option<T>, StoreError> {
    let value: Option<serde_json::Value> = row.try_get(column)?;
    Ok(value.map(serde_json::from_value).transpose()?)
}

fn place(tenant: &TenantId, id: Uuid) -> String {
    format!("{tenant}/{id}")
}

/// Place of an import's details: they open for its maker alone, in whose name its rows are added.
fn details_place(tenant: &TenantId, import: &Import) -> String {
    let Import {
        id, owner, maker, kind, ..
    } = import;
    format!("{tenant}/{id}/of {owner}/by {maker}/{}", kind.as_str())
}
