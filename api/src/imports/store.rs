//! Tables of imports. What is personal in a file is encrypted, and erased after its retention; that a row was imported stays.

use super::{
    kinds::ImportKind,
    mapping::Mapping,
    reader::{Notice, RawRow, Table},
};
use caudal_domain::{FieldError, ids::TenantId};
use caudal_journal::{KeyError, Keyring, Sealing, SubmitError};
use caudal_postgres::{Database, DatabaseError};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

/// Time after which a file's content is erased: long enough to mend and finish it, and to ask about its report.
pub const RETENTION: TimeDelta = TimeDelta::days(30);
/// Rows of a piece: what is held in memory at a time.
pub const CHUNK: i32 = 250;
/// Time that a node holds an import after its last sign of life.
pub const HOLD: Duration = Duration::from_secs(10);
/// Files that a node holds in memory at a time, while they are read or written.
const READ_AT_ONCE: usize = 1;
/// Maximum files whose content an owner keeps at a time.
pub const MAX_KEPT: i64 = 100;
/// Imports of the history.
pub const MAX_LISTED: i64 = 100;

/// Purpose strings of the keys.
const SEALING: &str = "caudal.imports.content.1";
const HEADERS: &str = "caudal.imports.headers.1";

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
    #[error("the tenant's log")]
    Journal(#[from] SubmitError),
}

/// Where an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportState {
    /// Uploaded: its columns are to be confirmed, and a preview made.
    Mapping,
    Previewing,
    Previewed,
    Running,
    Paused,
    Done,
    Canceled,
}

impl ImportState {
    const ALL: &'static [Self] = &[
        Self::Mapping,
        Self::Previewing,
        Self::Previewed,
        Self::Running,
        Self::Paused,
        Self::Done,
        Self::Canceled,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mapping => "mapping",
            Self::Previewing => "previewing",
            Self::Previewed => "previewed",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Canceled => "canceled",
        }
    }

    fn of(name: &str) -> Result<Self, StoreError> {
        let found = Self::ALL.iter().copied().find(|state| state.as_str() == name);
        found.ok_or(StoreError::Changed)
    }
}

/// What is encrypted of an import beside its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    pub name: String,
    pub headers: Vec<String>,
    pub notices: Vec<Notice>,
    pub mapping: Mapping,
}

/// An import.
#[derive(Clone, Debug)]
pub struct Import {
    pub id: Uuid,
    pub owner: Uuid,
    pub maker: Uuid,
    pub kind: ImportKind,
    /// `None` once the content is erased.
    pub details: Option<Details>,
    pub rows: i32,
    pub state: ImportState,
    pub next_row: i32,
    pub failure: Option<String>,
    /// Money of the latest preview.
    pub summary: Option<Summary>,
    /// Rows by result when a pass ended.
    pub counts: Option<PassCounts>,
    pub created_at: DateTime<Utc>,
    pub changed_at: DateTime<Utc>,
    pub erase_at: DateTime<Utc>,
}

/// Money that the rows of a preview move: sums of the rows that would be added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The seller's balances before the first row and after the last one.
    pub balances: Vec<ImportBalance>,
    /// What is charged and what is paid out, by currency.
    pub sums: Vec<ImportSum>,
}

/// A seller's balance around a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportBalance {
    #[schema(example = "CUP")]
    pub currency: String,
    /// Before the first row, as a decimal string.
    #[schema(example = "2000.00")]
    pub begins: String,
    /// After the last row, as a decimal string.
    #[schema(example = "150.00")]
    pub ends: String,
}

/// Money of a preview in a currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSum {
    #[schema(example = "USD")]
    pub currency: String,
    /// Charged to senders or owed by the seller, as a decimal string.
    #[schema(example = "1050.00")]
    pub charged: String,
    /// Paid out to recipients, as a decimal string.
    #[schema(example = "0.00")]
    pub paid_out: String,
}

/// What becomes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportRowResult)]
pub enum RowResult {
    /// Added, or would be.
    Added,
    /// What it says is there already.
    There,
    /// Waits for an approval, or would.
    Waiting,
    Refused,
    /// A person left it out.
    LeftOut,
}

impl RowResult {
    pub const ALL: &'static [Self] = &[Self::Added, Self::There, Self::Waiting, Self::Refused, Self::LeftOut];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::There => "there",
            Self::Waiting => "waiting",
            Self::Refused => "refused",
            Self::LeftOut => "leftOut",
        }
    }

    fn of(name: &str) -> Result<Self, StoreError> {
        let found = Self::ALL.iter().copied().find(|result| result.as_str() == name);
        found.ok_or(StoreError::Changed)
    }
}

/// An error of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowError {
    /// Column in which it is shown; none for the whole row.
    pub column: Option<usize>,
    pub field: String,
    pub code: String,
    pub params: BTreeMap<String, String>,
}

impl RowError {
    pub fn of(error: FieldError, column: Option<usize>) -> Self {
        Self {
            column,
            field: error.field.into_owned(),
            code: error.code.to_owned(),
            params: error
                .params
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        }
    }
}

/// Outcome of a row in a preview or a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    pub result: RowResult,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<RowError>,
    /// Record that the row adds or means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Uuid>,
    /// Code of a remittance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The seller's balance after the row, with its currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<(String, String)>,
}

/// A row for the screen.
#[derive(Clone, Debug)]
pub struct ShownRow {
    pub row: i32,
    pub line: i32,
    pub cells: Option<Vec<String>>,
    pub preview: Option<Outcome>,
    pub result: Option<Outcome>,
    pub left_out: bool,
}

/// Numbers of rows by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportCounts)]
pub struct Counts {
    /// Added, or would be.
    pub added: i64,
    /// What they say is there already.
    pub there: i64,
    /// Wait for an approval, or would.
    pub waiting: i64,
    /// Refused, or would be.
    pub refused: i64,
    /// Left out by a person.
    pub left_out: i64,
}

impl Counts {
    fn add(&mut self, result: RowResult, rows: i64) {
        let count = match result {
            RowResult::Added => &mut self.added,
            RowResult::There => &mut self.there,
            RowResult::Waiting => &mut self.waiting,
            RowResult::Refused => &mut self.refused,
            RowResult::LeftOut => &mut self.left_out,
        };
        *count += rows;
    }

    /// Rows of a result; all rows with one for `None`.
    #[must_use]
    pub const fn of(&self, result: Option<RowResult>) -> i64 {
        match result {
            Some(RowResult::Added) => self.added,
            Some(RowResult::There) => self.there,
            Some(RowResult::Waiting) => self.waiting,
            Some(RowResult::Refused) => self.refused,
            Some(RowResult::LeftOut) => self.left_out,
            None => self.added + self.there + self.waiting + self.refused + self.left_out,
        }
    }
}

/// Rows by result in the latest preview and in the run, and by what each row shows: its result, or else its preview.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PassCounts {
    pub preview: Counts,
    pub run: Counts,
    pub shown: Counts,
}

/// A change of a row by a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowChange {
    /// Texts by column.
    Cells(BTreeMap<usize, String>),
    LeaveOut(bool),
}

/// An import that a node works on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Due {
    pub tenant: TenantId,
    pub id: Uuid,
}

/// The tables.
#[derive(Clone, Debug)]
pub struct Imports {
    database: Database,
    sealing: Sealing,
    headers: Sealing,
    header_key: [u8; 32],
    node: Uuid,
    reading: Arc<Semaphore>,
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
            sealing: keyring.sealing(SEALING),
            headers: keyring.sealing(HEADERS),
            header_key: *keyring.derive(HEADERS),
            node: Uuid::now_v7(),
            reading: Arc::new(Semaphore::new(READ_AT_ONCE)),
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

    fn seal<T: Serialize>(&self, place: &str, value: &T) -> Result<Vec<u8>, StoreError> {
        Ok(self.sealing.seal(place.as_bytes(), &serde_json::to_vec(value)?)?)
    }

    fn open<T: for<'de> Deserialize<'de>>(&self, place: &str, sealed: &[u8]) -> Result<T, StoreError> {
        let clear = self.sealing.open(place.as_bytes(), sealed).ok_or(StoreError::Changed)?;
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
        let details = self.seal(&place(tenant, import.id), &import.details)?;
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
        let content = self.seal(&format!("{}/{chunk}", place(tenant, id)), &rows)?;
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
        let sealed: Option<&[u8]> = row.try_get("details")?;
        let details: Option<Option<Details>> =
            sealed.map(|sealed| self.open(&place(tenant, id), sealed)).transpose()?;
        Ok(Import {
            id,
            owner: row.try_get("owner")?,
            maker: row.try_get("maker")?,
            kind: ImportKind::of(row.try_get("kind")?).ok_or(StoreError::Changed)?,
            details: details.flatten(),
            rows: row.try_get("rows")?,
            state: ImportState::of(row.try_get("state")?)?,
            next_row: row.try_get("next_row")?,
            failure: row.try_get("failure")?,
            summary: json_of(row, "summary")?,
            counts: json_of(row, "counts")?,
            created_at: row.try_get("created_at")?,
            changed_at: row.try_get("changed_at")?,
            erase_at: row.try_get("erase_at")?,
        })
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
    pub async fn kept(&self, tenant: &TenantId, owner: Uuid) -> Result<i64, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let kept = sqlx::query_scalar(
            "SELECT count(*) FROM journal.imports WHERE tenant = $1 AND owner = $2 AND details IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(owner)
        .fetch_one(&mut *transaction)
        .await?;
        Ok(kept)
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

    /// Rows by result.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn counts(&self, tenant: &TenantId, id: Uuid) -> Result<PassCounts, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT preview->>'result' AS preview, result, left_out, count(*) AS rows FROM journal.import_rows
              WHERE tenant = $1 AND import = $2 GROUP BY 1, 2, 3",
        )
        .bind(tenant.as_str())
        .bind(id)
        .fetch_all(&mut *transaction)
        .await?;
        let mut counts = PassCounts::default();
        for row in &rows {
            let number: i64 = row.try_get("rows")?;
            let named = |name| row.try_get::<Option<&str>, _>(name);
            let preview = named("preview")?.map(RowResult::of).transpose()?;
            let result = named("result")?.map(RowResult::of).transpose()?;
            let left_out = row.try_get::<bool, _>("left_out")?.then_some(RowResult::LeftOut);
            for (of, shown) in [
                (&mut counts.preview, preview),
                (&mut counts.run, result),
                (&mut counts.shown, left_out.or(result).or(preview)),
            ] {
                if let Some(shown) = shown {
                    of.add(shown, number);
                }
            }
        }
        Ok(counts)
    }

    /// Rows by number from an offset, with their outcomes; those that show one result if asked.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rows(
        &self,
        tenant: &TenantId,
        import: &Import,
        offset: i64,
        limit: i64,
        result: Option<RowResult>,
    ) -> Result<Vec<ShownRow>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT row, line, preview, result, errors, record, code, left_out FROM journal.import_rows
              WHERE tenant = $1 AND import = $2
                AND ($5::text IS NULL
                     OR CASE WHEN left_out THEN 'leftOut' ELSE coalesce(result, preview->>'result') END = $5)
              ORDER BY row OFFSET $3 LIMIT $4",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(offset)
        .bind(limit)
        .bind(result.map(RowResult::as_str))
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        self.shown(tenant, import, &rows).await
    }

    /// A row with its outcomes.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn row(&self, tenant: &TenantId, import: &Import, row: i32) -> Result<Option<ShownRow>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT row, line, preview, result, errors, record, code, left_out FROM journal.import_rows
              WHERE tenant = $1 AND import = $2 AND row = $3",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(row)
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(self.shown(tenant, import, &rows).await?.pop())
    }

    /// Rows that a preview or a person noted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn noted(&self, tenant: &TenantId, id: Uuid) -> Result<i64, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let noted = sqlx::query_scalar("SELECT count(*) FROM journal.import_rows WHERE tenant = $1 AND import = $2")
            .bind(tenant.as_str())
            .bind(id)
            .fetch_one(&mut *transaction)
            .await?;
        Ok(noted)
    }

    async fn shown(&self, tenant: &TenantId, import: &Import, rows: &[PgRow]) -> Result<Vec<ShownRow>, StoreError> {
        let mut shown = Vec::with_capacity(rows.len());
        let mut chunk: Option<(i32, Vec<RawRow>)> = None;
        for row in rows {
            let at: i32 = row.try_get("row")?;
            let number = at / CHUNK;
            if import.details.is_some() && chunk.as_ref().is_none_or(|(loaded, _)| *loaded != number) {
                chunk = Some((number, self.chunk(tenant, import.id, number).await?));
            }
            let place = usize::try_from(at % CHUNK).unwrap_or_default();
            let cells = chunk
                .as_ref()
                .and_then(|(_, rows)| rows.get(place))
                .map(|row| row.cells.clone());
            let preview: Option<serde_json::Value> = row.try_get("preview")?;
            shown.push(ShownRow {
                row: at,
                line: row.try_get("line")?,
                cells,
                preview: preview.map(serde_json::from_value).transpose()?,
                result: result_of(row)?,
                left_out: row.try_get("left_out")?,
            });
        }
        Ok(shown)
    }

    /// Rows of a piece that a run has ended, not to be repeated, and those that a person left out.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settled(&self, tenant: &TenantId, id: Uuid, chunk: i32) -> Result<Settled, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT row, left_out FROM journal.import_rows WHERE tenant = $1 AND import = $2 AND row >= $3 AND row < $4
                AND (left_out OR result IN ('added', 'there', 'waiting'))",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(chunk * CHUNK)
        .bind((chunk + 1) * CHUNK)
        .fetch_all(&mut *transaction)
        .await?;
        let mut settled = Settled::default();
        for row in &rows {
            let of = if row.try_get("left_out")? {
                &mut settled.left_out
            } else {
                &mut settled.ended
            };
            of.insert(row.try_get("row")?);
        }
        Ok(settled)
    }

    /// Changes an import's state from one of some. Returns whether it was in one of them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn change(
        &self,
        tenant: &TenantId,
        id: Uuid,
        from: &[ImportState],
        to: ImportState,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let names: Vec<&str> = from.iter().map(|state| state.as_str()).collect();
        let starts_again = matches!(to, ImportState::Previewing);
        let changed = sqlx::query(
            "UPDATE journal.imports
                SET state = $4, changed_at = $5, failure = NULL,
                    next_row = CASE WHEN $6 OR (state <> 'paused' AND $4 = 'running') THEN 0 ELSE next_row END
              WHERE tenant = $1 AND id = $2 AND state = ANY ($3)",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(names)
        .bind(to.as_str())
        .bind(now)
        .bind(starts_again)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(changed.rows_affected() == 1)
    }

    /// Replaces the mapping, and keeps it for files with the same headers. The preview is made anew.
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
                AND details IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(self.seal(&place(tenant, import.id), &Some(details))?)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        if changed.rows_affected() == 0 {
            return Ok(false);
        }
        let mapping_place = format!("{tenant}/profile/{}/{}", import.owner, import.kind.as_str());
        let mapping = serde_json::to_vec(&details.mapping)?;
        sqlx::query(
            "INSERT INTO journal.import_profiles (tenant, owner, kind, headers, mapping, used_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (tenant, owner, kind, headers) DO UPDATE SET mapping = EXCLUDED.mapping, used_at = EXCLUDED.used_at",
        )
        .bind(tenant.as_str())
        .bind(import.owner)
        .bind(import.kind.as_str())
        .bind(self.header_hash(&details.headers).as_slice())
        .bind(self.headers.seal(mapping_place.as_bytes(), &mapping)?)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Changes a row: its preview, and that of the import, are to be made anew. Returns whether it may be changed: an import
    /// at work stays as it is, and so does a row that was added, or that may have been added by a run that was interrupted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn mend(
        &self,
        tenant: &TenantId,
        import: &Import,
        row: i32,
        change: RowChange,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let may = sqlx::query(
            "UPDATE journal.imports AS i SET state = 'mapping', changed_at = $4, next_row = 0, summary = NULL
              WHERE i.tenant = $1 AND i.id = $2 AND i.details IS NOT NULL
                AND i.state IN ('mapping', 'previewed', 'paused', 'done')
                AND (i.state = 'done'
                     OR NOT EXISTS (SELECT 1 FROM journal.import_rows AS r
                                     WHERE r.tenant = $1 AND r.import = $2 AND r.result IS NOT NULL)
                     OR EXISTS (SELECT 1 FROM journal.import_rows AS r
                                 WHERE r.tenant = $1 AND r.import = $2 AND r.row = $3 AND r.result IN ('refused', 'leftOut')))
                AND NOT EXISTS (SELECT 1 FROM journal.import_rows AS r
                                 WHERE r.tenant = $1 AND r.import = $2 AND r.row = $3
                                   AND r.result IN ('added', 'there', 'waiting'))",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(row)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        let chunk = row / CHUNK;
        let sealed: Option<Vec<u8>> = sqlx::query_scalar(
            "SELECT content FROM journal.import_chunks WHERE tenant = $1 AND import = $2 AND chunk = $3",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(chunk)
        .fetch_optional(&mut *transaction)
        .await?;
        let (1, Some(sealed)) = (may.rows_affected(), sealed) else {
            return Ok(false);
        };
        let mut rows: Vec<RawRow> = self.open(&format!("{}/{chunk}", place(tenant, import.id)), &sealed)?;
        let Some(place) = usize::try_from(row % CHUNK).ok().and_then(|place| rows.get_mut(place)) else {
            return Ok(false);
        };
        let line = i32::try_from(place.number).unwrap_or(i32::MAX);
        let leaves_out = match change {
            RowChange::Cells(cells) => {
                for (column, text) in cells {
                    if place.cells.len() <= column {
                        place.cells.resize(column + 1, String::new());
                    }
                    if let Some(cell) = place.cells.get_mut(column) {
                        *cell = text;
                    }
                }
                self.put_chunk(&mut transaction, tenant, import.id, chunk, &rows)
                    .await?;
                false
            }
            RowChange::LeaveOut(leaves_out) => leaves_out,
        };
        sqlx::query(
            "INSERT INTO journal.import_rows (tenant, import, row, line, left_out) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant, import, row) DO UPDATE
                SET left_out = EXCLUDED.left_out, preview = NULL, result = NULL, errors = NULL",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(row)
        .bind(line)
        .bind(leaves_out)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Imports that wait for a node, of all tenants.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn due(&self, limit: i64) -> Result<Vec<Due>, StoreError> {
        let mut transaction = self.database.begin_directory().await?;
        let rows = sqlx::query(
            "SELECT tenant, id FROM journal.imports WHERE state IN ('previewing', 'running')
                AND (held_until IS NULL OR held_until <= now()) ORDER BY changed_at LIMIT $1",
        )
        .bind(limit)
        .fetch_all(&mut *transaction)
        .await?;
        let mut due = Vec::with_capacity(rows.len());
        for row in rows {
            let name: String = row.try_get("tenant")?;
            let Ok(tenant) = name.parse() else { continue };
            due.push(Due {
                tenant,
                id: row.try_get("id")?,
            });
        }
        Ok(due)
    }

    /// Takes an import for this node. `None` while another node has it, or it does not wait any more.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hold(&self, due: &Due) -> Result<Option<Import>, StoreError> {
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        // A preview begins anew: what it has decided so far was in the memory of the node that is gone.
        let row = sqlx::query(
            "UPDATE journal.imports
                SET holder = $3, held_until = now() + make_interval(secs => $4),
                    next_row = CASE WHEN state = 'previewing' THEN 0 ELSE next_row END
              WHERE tenant = $1 AND id = $2 AND state IN ('previewing', 'running')
                AND (held_until IS NULL OR held_until <= now())
             RETURNING *",
        )
        .bind(due.tenant.as_str())
        .bind(due.id)
        .bind(self.node)
        .bind(HOLD.as_secs_f64())
        .fetch_optional(&mut *transaction)
        .await?;
        transaction.commit().await?;
        row.map(|row| self.import(&due.tenant, &row)).transpose()
    }

    /// Notes outcomes of rows, and prolongs the hold. `false` when the import is no longer held here in this state.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note(
        &self,
        due: &Due,
        state: ImportState,
        next_row: i32,
        outcomes: &[(i32, u32, Outcome)],
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        let held = sqlx::query(
            "UPDATE journal.imports SET next_row = $5, held_until = now() + make_interval(secs => $6)
              WHERE tenant = $1 AND id = $2 AND holder = $3 AND state = $4",
        )
        .bind(due.tenant.as_str())
        .bind(due.id)
        .bind(self.node)
        .bind(state.as_str())
        .bind(next_row)
        .bind(HOLD.as_secs_f64())
        .execute(&mut *transaction)
        .await?;
        let is_run = state == ImportState::Running;
        // What a run has committed is noted even if it was paused meanwhile.
        if held.rows_affected() == 1 || is_run {
            let rows: Vec<i32> = outcomes.iter().map(|(row, ..)| *row).collect();
            let lines: Vec<i32> = outcomes
                .iter()
                .map(|(_, line, _)| i32::try_from(*line).unwrap_or(i32::MAX))
                .collect();
            let mut values = Vec::with_capacity(outcomes.len());
            for (.., outcome) in outcomes {
                values.push(serde_json::to_value(outcome)?);
            }
            let statement = if is_run {
                "INSERT INTO journal.import_rows AS r (tenant, import, row, line, result, errors, record, code)
                 SELECT $1, $2, o.row, o.line, o.value->>'result', o.value->'errors', (o.value->>'record')::uuid,
                        o.value->>'code'
                   FROM unnest($3::int[], $4::int[], $5::jsonb[]) AS o (row, line, value)
                 ON CONFLICT (tenant, import, row) DO UPDATE
                    SET result = EXCLUDED.result, errors = EXCLUDED.errors, record = EXCLUDED.record, code = EXCLUDED.code"
            } else {
                "INSERT INTO journal.import_rows AS r (tenant, import, row, line, preview)
                 SELECT $1, $2, o.row, o.line, o.value
                   FROM unnest($3::int[], $4::int[], $5::jsonb[]) AS o (row, line, value)
                 ON CONFLICT (tenant, import, row) DO UPDATE SET preview = EXCLUDED.preview"
            };
            sqlx::query(statement)
                .bind(due.tenant.as_str())
                .bind(due.id)
                .bind(rows)
                .bind(lines)
                .bind(values)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(held.rows_affected() == 1)
    }

    /// Ends a pass, or interrupts it with a reason.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release(
        &self,
        due: &Due,
        from: ImportState,
        to: ImportState,
        failure: Option<&str>,
        summary: Option<Summary>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let counts = serde_json::to_value(self.counts(&due.tenant, due.id).await?)?;
        let summary = summary.map(serde_json::to_value).transpose()?;
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.imports
                SET state = CASE WHEN state = $4 THEN $5 ELSE state END, failure = $6,
                    summary = coalesce($7, summary), changed_at = $8, holder = NULL, held_until = NULL, counts = $9
              WHERE tenant = $1 AND id = $2 AND holder = $3",
        )
        .bind(due.tenant.as_str())
        .bind(due.id)
        .bind(self.node)
        .bind(from.as_str())
        .bind(to.as_str())
        .bind(failure)
        .bind(summary)
        .bind(now)
        .bind(counts)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Erases the content of all files of a tenant, whatever their state: a person who is forgotten may be in any of them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_all(&self, tenant: &TenantId, now: DateTime<Utc>) -> Result<(), StoreError> {
        self.erase_old(tenant, now + RETENTION + TimeDelta::days(1)).await
    }

    /// Erases the content of a tenant's files whose retention has ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_old(&self, tenant: &TenantId, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "WITH old AS (
                UPDATE journal.imports SET details = NULL, summary = NULL,
                       state = CASE WHEN state = 'done' THEN state ELSE 'canceled' END
                 WHERE tenant = $1 AND erase_at <= $2 AND details IS NOT NULL RETURNING id),
             rows AS (UPDATE journal.import_rows SET preview = NULL, errors = NULL
                       WHERE tenant = $1 AND import IN (SELECT id FROM old)),
             profiles AS (DELETE FROM journal.import_profiles WHERE tenant = $1 AND used_at <= $3)
             DELETE FROM journal.import_chunks WHERE tenant = $1 AND import IN (SELECT id FROM old)",
        )
        .bind(tenant.as_str())
        .bind(now)
        .bind(now - PROFILE_RETENTION)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Rows of a piece that no pass works on.
#[derive(Debug, Default)]
pub struct Settled {
    /// A run has ended them.
    pub ended: HashSet<i32>,
    /// A person left them out.
    pub left_out: HashSet<i32>,
}

/// A JSON column.
fn json_of<T: for<'de> Deserialize<'de>>(row: &PgRow, column: &str) -> Result<Option<T>, StoreError> {
    let value: Option<serde_json::Value> = row.try_get(column)?;
    Ok(value.map(serde_json::from_value).transpose()?)
}

/// Time that a mapping is kept after its last use.
const PROFILE_RETENTION: TimeDelta = TimeDelta::days(400);

fn place(tenant: &TenantId, id: Uuid) -> String {
    format!("{tenant}/{id}")
}

fn result_of(row: &PgRow) -> Result<Option<Outcome>, StoreError> {
    let Some(result) = row.try_get::<Option<&str>, _>("result")? else {
        return Ok(None);
    };
    let errors: Option<serde_json::Value> = row.try_get("errors")?;
    Ok(Some(Outcome {
        result: RowResult::of(result)?,
        errors: errors.map(serde_json::from_value).transpose()?.unwrap_or_default(),
        record: row.try_get("record")?,
        code: row.try_get("code")?,
        balance: None,
    }))
}
