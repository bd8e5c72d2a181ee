//! Lists in the database: their entries in chunks, each list under a digest of them. A row has a MAC, so that a list that was
//! written without the key file is not used.

use caudal_domain::ids::TenantId;
use caudal_journal::Keyring;
use caudal_postgres::{Database, DatabaseError, Transaction};
use caudal_screening::Entry;
use chrono::{DateTime, TimeDelta, Utc};
use futures::TryStreamExt as _;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Purpose of the key of the MACs.
const KEY_PURPOSE: &str = "screening lists";
/// Scope of lists for all tenants.
pub const EVERYBODY: &str = "*";
/// Under this name the rows of the installation are.
const DIRECTORY: &str = "*";
/// Entries of a chunk: about half a megabyte of JSON, so that no statement is large.
pub const CHUNK_ENTRIES: usize = 2_000;
/// Names of all lists together: about a quarter of a gigabyte of memory on each node that screens.
pub const MAX_NAMES: usize = 1_000_000;
/// Names of a tenant's own lists together, with the versions that wait for an approval and those of the last hour.
pub const MAX_OWN_NAMES: usize = 200_000;
/// How long a stored version of an own list is spared that the log does not name. A version is stored before the command that
/// names it: another load at the same time must not take it away. No request lasts that long.
const OWN_SPARED: TimeDelta = TimeDelta::hours(1);
/// Digits of a version, of the digest's 64: as people compare it.
const VERSION_DIGITS: usize = 12;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Query(#[from] sqlx::Error),
    #[error("the entries can't be written or read")]
    Json(#[from] serde_json::Error),
    #[error(
        "the list {0} was written without this installation's key file or was changed, and is not used: load it again"
    )]
    NotAuthentic(String),
    #[error("the lists would have {found} names together; this installation takes {MAX_NAMES}")]
    TooManyNames { found: usize },
    #[error("the tenant's own lists would have {found} names together; {MAX_OWN_NAMES} are allowed")]
    TooManyOwnNames { found: usize },
}

/// A list's entries, in order.
const CHUNKS: &str = "SELECT content FROM journal.screening_chunks WHERE tenant = $1 AND digest = $2 ORDER BY number";

/// Name under which a version of a tenant's own list is stored: no list can have it. The log says which version is used.
pub fn stored_name(name: &str, version: &str) -> String {
    format!("{name}@{version}")
}

fn is_own_version(stored: &str) -> bool {
    stored.contains('@')
}

/// A list in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// A tenant's name, or [`EVERYBODY`].
    pub scope: String,
    pub name: String,
    pub digest: Vec<u8>,
    pub format: String,
    pub entries: i32,
    pub names: i32,
    /// Date of publication, as the file has it.
    pub published: Option<String>,
    pub loaded_at: DateTime<Utc>,
    mac: Vec<u8>,
}

impl Listed {
    /// The start of the digest, by which people tell versions apart.
    pub fn version(&self) -> String {
        version(&self.digest)
    }

    fn read(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            scope: row.try_get("scope")?,
            name: row.try_get("name")?,
            digest: row.try_get("digest")?,
            format: row.try_get("format")?,
            entries: row.try_get("entries")?,
            names: row.try_get("names")?,
            published: row.try_get("published")?,
            loaded_at: row.try_get("loaded_at")?,
            mac: row.try_get("mac")?,
        })
    }
}

/// A version by its digest.
pub fn version(digest: &[u8]) -> String {
    let mut text = hex::encode(digest);
    text.truncate(VERSION_DIGITS);
    text
}

/// Entries as they are stored, with the digest over all.
#[derive(Debug)]
pub struct Packed {
    chunks: Vec<String>,
    digest: Vec<u8>,
    entries: usize,
    names: usize,
}

impl Packed {
    /// SHA-256 of the entries, in hexadecimal.
    pub fn version(&self) -> String {
        hex::encode(&self.digest)
    }

    pub const fn entries(&self) -> usize {
        self.entries
    }

    pub const fn names(&self) -> usize {
        self.names
    }
}

/// What else a list's row says.
#[derive(Clone, Debug)]
pub struct About {
    pub scope: String,
    pub name: String,
    pub format: &'static str,
    pub published: Option<String>,
    pub now: DateTime<Utc>,
}

/// Collects entries into chunks.
#[derive(Debug, Default)]
pub struct Packer {
    waiting: Vec<Entry>,
    chunks: Vec<String>,
    entries: usize,
    names: usize,
    failure: Option<serde_json::Error>,
}

impl Packer {
    pub fn take(&mut self, entry: Entry) {
        self.entries += 1;
        self.names += entry.names.len();
        self.waiting.push(entry);
        if self.waiting.len() == CHUNK_ENTRIES {
            self.pack();
        }
    }

    fn pack(&mut self) {
        match serde_json::to_string(&self.waiting) {
            Ok(chunk) => self.chunks.push(chunk),
            Err(error) => self.failure = Some(error),
        }
        self.waiting.clear();
    }

    /// The packed list.
    ///
    /// # Errors
    /// When an entry could not be written.
    pub fn finish(mut self) -> Result<Packed, serde_json::Error> {
        if !self.waiting.is_empty() {
            self.pack();
        }
        if let Some(error) = self.failure {
            return Err(error);
        }
        let digest = digest_of(self.chunks.iter().map(String::as_str));
        Ok(Packed {
            chunks: self.chunks,
            digest,
            entries: self.entries,
            names: self.names,
        })
    }
}

fn digest_of<'a>(chunks: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut sha = Sha256::new();
    for chunk in chunks {
        add_chunk(&mut sha, chunk);
    }
    sha.finalize().to_vec()
}

fn add_chunk(sha: &mut Sha256, chunk: &str) {
    sha.update((chunk.len() as u64).to_be_bytes());
    sha.update(chunk);
}

/// The lists of an installation.
#[derive(Clone)]
pub struct Store {
    database: Database,
    key: Zeroizing<[u8; 32]>,
}

impl Store {
    pub fn new(database: Database, keyring: &Keyring) -> Self {
        Self {
            database,
            key: keyring.derive(KEY_PURPOSE),
        }
    }

    fn mac(&self, list: &Listed) -> Hmac<Sha256> {
        // A key of any length is accepted.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key[..]).unwrap_or_else(|_| Hmac::new(&Default::default()));
        let counts = [list.entries.to_be_bytes(), list.names.to_be_bytes()].concat();
        for part in [
            list.scope.as_bytes(),
            list.name.as_bytes(),
            &list.digest,
            list.format.as_bytes(),
            &counts,
        ] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }

    /// All lists, without their entries.
    pub async fn catalogue(&self) -> Result<Vec<Listed>, StoreError> {
        let mut transaction = self.database.begin_directory().await?;
        let rows = sqlx::query("SELECT * FROM journal.screening_lists WHERE tenant = $1 ORDER BY scope, name")
            .bind(DIRECTORY)
            .fetch_all(&mut *transaction)
            .await?;
        Ok(rows.iter().map(Listed::read).collect::<Result<_, _>>()?)
    }

    /// Stores a list, or replaces its version. Returns whether anything changed. A version of an own list that is stored
    /// already is spared from now on ([`OWN_SPARED`]).
    pub async fn put(&self, about: About, packed: Packed) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let others = self.others(&mut transaction, &about).await?;
        let found = others + packed.names;
        if found > MAX_NAMES {
            return Err(StoreError::TooManyNames { found });
        }
        let mut list = Listed {
            scope: about.scope,
            name: about.name,
            digest: packed.digest,
            format: about.format.to_owned(),
            entries: i32::try_from(packed.entries).unwrap_or(i32::MAX),
            names: i32::try_from(packed.names).unwrap_or(i32::MAX),
            published: about.published,
            loaded_at: about.now,
            mac: Vec::new(),
        };
        list.mac = self.mac(&list).finalize().into_bytes().to_vec();
        let known = sqlx::query("SELECT * FROM journal.screening_lists WHERE tenant = $1 AND scope = $2 AND name = $3")
            .bind(DIRECTORY)
            .bind(&list.scope)
            .bind(&list.name)
            .fetch_optional(&mut *transaction)
            .await?;
        let known = known.as_ref().map(Listed::read).transpose()?;
        if known.is_some_and(|known| (known.digest, known.mac) == (list.digest.clone(), list.mac.clone())) {
            if is_own_version(&list.name) {
                // Spared from now on: a command is about to name it.
                sqlx::query(
                    "UPDATE journal.screening_lists SET loaded_at = $4 WHERE tenant = $1 AND scope = $2 AND name = $3",
                )
                .bind(DIRECTORY)
                .bind(&list.scope)
                .bind(&list.name)
                .bind(list.loaded_at)
                .execute(&mut *transaction)
                .await?;
                transaction.commit().await?;
            }
            return Ok(false);
        }
        for (number, chunk) in packed.chunks.iter().enumerate() {
            sqlx::query(
                "INSERT INTO journal.screening_chunks (tenant, digest, number, content) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (tenant, digest, number) DO UPDATE SET content = excluded.content",
            )
            .bind(DIRECTORY)
            .bind(&list.digest)
            .bind(i32::try_from(number).unwrap_or(i32::MAX))
            .bind(chunk)
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query(
            "INSERT INTO journal.screening_lists
                    (tenant, scope, name, digest, format, entries, names, published, loaded_at, mac)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (tenant, scope, name) DO UPDATE SET digest = excluded.digest, format = excluded.format,
                    entries = excluded.entries, names = excluded.names, published = excluded.published,
                    loaded_at = excluded.loaded_at, mac = excluded.mac",
        )
        .bind(DIRECTORY)
        .bind(&list.scope)
        .bind(&list.name)
        .bind(&list.digest)
        .bind(&list.format)
        .bind(list.entries)
        .bind(list.names)
        .bind(&list.published)
        .bind(list.loaded_at)
        .bind(&list.mac)
        .execute(&mut *transaction)
        .await?;
        delete_unused(&mut transaction).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Stores a version of a tenant's own list, before the log says that it is used. Versions are deleted that `keep` does not
    /// have and that are not of the last hour: `None` keeps all, as one may wait for an approval.
    pub async fn put_own(&self, about: About, packed: Packed, keep: Option<&[String]>) -> Result<(), StoreError> {
        if let Some(keep) = keep {
            self.keep_own(&about.scope, keep, about.now - OWN_SPARED).await?;
        }
        let known: i64 = {
            let mut transaction = self.database.begin_directory().await?;
            sqlx::query_scalar(
                "SELECT coalesce(sum(names), 0)::bigint FROM journal.screening_lists
                  WHERE tenant = $1 AND scope = $2 AND name <> $3 AND position('@' IN name) > 0",
            )
            .bind(DIRECTORY)
            .bind(&about.scope)
            .bind(&about.name)
            .fetch_one(&mut *transaction)
            .await?
        };
        let found = usize::try_from(known)
            .unwrap_or(usize::MAX)
            .saturating_add(packed.names);
        if found > MAX_OWN_NAMES {
            return Err(StoreError::TooManyOwnNames { found });
        }
        self.put(about, packed).await?;
        Ok(())
    }

    /// Deletes the versions of a tenant's own lists but those that are kept, by their stored names, and those stored since.
    pub async fn keep_own(&self, scope: &str, keep: &[String], since: DateTime<Utc>) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(
            "DELETE FROM journal.screening_lists
              WHERE tenant = $1 AND scope = $2 AND position('@' IN name) > 0 AND name <> ALL ($3) AND loaded_at < $4",
        )
        .bind(DIRECTORY)
        .bind(scope)
        .bind(keep)
        .bind(since)
        .execute(&mut *transaction)
        .await?;
        delete_unused(&mut transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Removes a list. Returns whether there was one.
    pub async fn remove(&self, scope: &str, name: &str) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let removed = sqlx::query("DELETE FROM journal.screening_lists WHERE tenant = $1 AND scope = $2 AND name = $3")
            .bind(DIRECTORY)
            .bind(scope)
            .bind(name)
            .execute(&mut *transaction)
            .await?;
        delete_unused(&mut transaction).await?;
        transaction.commit().await?;
        Ok(removed.rows_affected() > 0)
    }

    /// Number of lists that a tenant's customers may be screened against, those of everybody among them, and the names of those whose
    /// row or content was changed in the database.
    pub async fn check(&self, tenant: &TenantId) -> Result<(u64, Vec<String>), StoreError> {
        let (mut count, mut changed) = (0, Vec::new());
        for list in self.catalogue().await? {
            if list.scope != EVERYBODY && list.scope != tenant.as_str() {
                continue;
            }
            count += 1;
            let is_authentic = self.mac(&list).verify_slice(&list.mac).is_ok();
            if !is_authentic || self.stored_digest(&list).await? != list.digest {
                changed.push(format!("{}, {}", list.scope, list.name));
            }
        }
        Ok((count, changed))
    }

    /// Digest of the entries that are stored of a list, read piece by piece: a list may have half a million names.
    async fn stored_digest(&self, list: &Listed) -> Result<Vec<u8>, StoreError> {
        let mut transaction = self.database.begin_directory().await?;
        let mut chunks = sqlx::query_scalar(CHUNKS)
            .bind(DIRECTORY)
            .bind(&list.digest)
            .fetch(&mut *transaction);
        let mut sha = Sha256::new();
        while let Some(chunk) = chunks.try_next().await? {
            let chunk: String = chunk;
            add_chunk(&mut sha, &chunk);
        }
        Ok(sha.finalize().to_vec())
    }

    /// What is stored of a list, whose row is checked.
    pub async fn content(&self, list: &Listed) -> Result<Content, StoreError> {
        let refused = || StoreError::NotAuthentic(list.name.clone());
        self.mac(list).verify_slice(&list.mac).map_err(|_| refused())?;
        let mut transaction = self.database.begin_directory().await?;
        let chunks: Vec<String> = sqlx::query_scalar(CHUNKS)
            .bind(DIRECTORY)
            .bind(&list.digest)
            .fetch_all(&mut *transaction)
            .await?;
        Ok(Content {
            list: list.clone(),
            chunks,
        })
    }

    /// One operator at a time changes lists, and whole versions are written together.
    async fn begin(&self) -> Result<Transaction, StoreError> {
        let mut transaction = self.database.begin_directory_write().await?;
        sqlx::query("SELECT pg_advisory_xact_lock(hashtext('caudal screening lists'))")
            .execute(&mut *transaction)
            .await?;
        Ok(transaction)
    }

    async fn others(&self, transaction: &mut Transaction, about: &About) -> Result<usize, StoreError> {
        let names: i64 = sqlx::query_scalar(
            "SELECT coalesce(sum(names), 0)::bigint FROM journal.screening_lists
              WHERE tenant = $1 AND NOT (scope = $2 AND name = $3)",
        )
        .bind(DIRECTORY)
        .bind(&about.scope)
        .bind(&about.name)
        .fetch_one(&mut **transaction)
        .await?;
        Ok(usize::try_from(names).unwrap_or(usize::MAX))
    }
}

/// What is stored of a list.
pub struct Content {
    list: Listed,
    chunks: Vec<String>,
}

impl Content {
    /// The entries, checked: a second of work with half a million names.
    pub fn entries(self) -> Result<Vec<Entry>, StoreError> {
        if digest_of(self.chunks.iter().map(String::as_str)) != self.list.digest {
            return Err(StoreError::NotAuthentic(self.list.name));
        }
        let mut entries = Vec::with_capacity(usize::try_from(self.list.entries).unwrap_or_default());
        for chunk in self.chunks {
            entries.append(&mut serde_json::from_str::<Vec<Entry>>(&chunk)?);
        }
        Ok(entries)
    }
}

async fn delete_unused(transaction: &mut Transaction) -> Result<(), sqlx::Error> {
    sqlx::query(
        "DELETE FROM journal.screening_chunks AS c WHERE c.tenant = $1 AND NOT EXISTS
                (SELECT FROM journal.screening_lists AS l WHERE l.tenant = $1 AND l.digest = c.digest)",
    )
    .bind(DIRECTORY)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// How far the screening of all customers of a tenant is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub after: Option<Uuid>,
    pub screened: i32,
    pub total: i32,
    pub found: i32,
    pub started_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
}

impl Run {
    fn read(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            after: row.try_get("after")?,
            screened: row.try_get("screened")?,
            total: row.try_get("total")?,
            found: row.try_get("found")?,
            started_at: row.try_get("started_at")?,
            finished_at: row.try_get("finished_at")?,
        })
    }
}

/// Seconds without progress after which another node takes a run over.
const HELD_SECONDS: f64 = 60.0;

impl Store {
    /// The latest run of a tenant.
    pub async fn run(&self, tenant: &TenantId) -> Result<Option<Run>, StoreError> {
        let mut transaction = self.database.begin_read_by_keys(tenant.as_str()).await?;
        let row = sqlx::query("SELECT * FROM journal.screening_runs WHERE tenant = $1")
            .bind(tenant.as_str())
            .fetch_optional(&mut *transaction)
            .await?;
        Ok(row.as_ref().map(Run::read).transpose()?)
    }

    /// Begins the run against these lists, or takes it over from a silent node. `None` when it is done, or another node has
    /// it.
    pub async fn hold(
        &self,
        tenant: &TenantId,
        lists: &[u8],
        node: Uuid,
        total: i32,
    ) -> Result<Option<Run>, StoreError> {
        let mut transaction = self.database.begin_write_by_keys(tenant.as_str()).await?;
        let row = sqlx::query(
            "INSERT INTO journal.screening_runs AS r
                    (tenant, lists, after, screened, total, found, started_at, finished_at, holder, held_until)
             VALUES ($1, $2, NULL, 0, $4, 0, now(), NULL, $3, now() + make_interval(secs => $5))
             ON CONFLICT (tenant) DO UPDATE SET
                    lists = $2,
                    after = CASE WHEN r.lists = $2 THEN r.after END,
                    screened = CASE WHEN r.lists = $2 THEN r.screened ELSE 0 END,
                    found = CASE WHEN r.lists = $2 THEN r.found ELSE 0 END,
                    started_at = CASE WHEN r.lists = $2 THEN r.started_at ELSE now() END,
                    total = $4,
                    finished_at = NULL,
                    holder = $3,
                    held_until = now() + make_interval(secs => $5)
              WHERE (r.lists <> $2 OR r.finished_at IS NULL) AND (r.holder = $3 OR r.held_until < now())
             RETURNING *",
        )
        .bind(tenant.as_str())
        .bind(lists)
        .bind(node)
        .bind(total)
        .bind(HELD_SECONDS)
        .fetch_optional(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(row.as_ref().map(Run::read).transpose()?)
    }

    /// Moves a run on, and ends it where `is_over`. Returns whether this node still had it.
    pub async fn advance(
        &self,
        tenant: &TenantId,
        lists: &[u8],
        node: Uuid,
        run: &Run,
        is_over: bool,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write_by_keys(tenant.as_str()).await?;
        let moved = sqlx::query(
            "UPDATE journal.screening_runs
                SET after = $4, screened = $5, found = $6, finished_at = CASE WHEN $7 THEN now() END,
                    held_until = CASE WHEN $7 THEN now() ELSE now() + make_interval(secs => $8) END
              WHERE tenant = $1 AND lists = $2 AND holder = $3",
        )
        .bind(tenant.as_str())
        .bind(lists)
        .bind(node)
        .bind(run.after)
        .bind(run.screened)
        .bind(run.found)
        .bind(is_over)
        .bind(HELD_SECONDS)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(moved.rows_affected() == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_postgres_testing::TestDatabase;
    use caudal_screening::ListedName;
    use sqlx::{Connection as _, Executor as _};

    fn packed(name: &str) -> Packed {
        let mut packer = Packer::default();
        packer.take(Entry {
            id: "1".to_owned(),
            names: vec![ListedName::strong(name)],
            ..Entry::default()
        });
        packer.finish().unwrap()
    }

    #[tokio::test]
    async fn own_versions_that_the_log_does_not_name_are_deleted_an_hour_after_they_were_last_stored() {
        let database = TestDatabase::new().await;
        let store = Store::new(database.connect().await, &Keyring::generate().unwrap());
        let began = Utc::now();
        let put = async |name: &str, minutes: i64, keep: Option<&[String]>| {
            let packed = packed(name);
            let about = About {
                scope: "acme".to_owned(),
                name: stored_name(name, &packed.version()),
                format: "csv",
                published: None,
                now: began + TimeDelta::minutes(minutes),
            };
            store.put_own(about, packed, keep).await.unwrap();
            let lists = store.catalogue().await.unwrap().into_iter();
            let names = lists.map(|list| list.name.split('@').next().unwrap_or_default().to_owned());
            names.collect::<Vec<_>>()
        };
        let used = [stored_name("used", &packed("used").version())];
        put("used", 0, Some(&[])).await;
        put("again", 0, Some(&used)).await;
        assert_eq!(put("new", 30, Some(&used)).await, ["again", "new", "used"]);
        // It is stored again: another command is about to name it.
        put("again", 50, Some(&used)).await;
        assert_eq!(
            put("other", 100, None).await,
            ["again", "new", "other", "used"],
            "one waits"
        );
        assert_eq!(put("last", 100, Some(&used)).await, ["again", "last", "other", "used"]);
        assert_eq!(put("last", 161, Some(&used)).await, ["last", "used"]);
    }

    #[tokio::test]
    async fn a_list_changed_in_the_database_is_found_by_its_row_and_by_its_content() {
        let database = TestDatabase::new().await;
        let store = Store::new(database.connect().await, &Keyring::generate().unwrap());
        for (scope, name) in [(EVERYBODY, "OFAC"), ("acme", "own"), ("other", "theirs")] {
            let about = About {
                scope: scope.to_owned(),
                name: name.to_owned(),
                format: "csv",
                published: None,
                now: Utc::now(),
            };
            store.put(about, packed(name)).await.unwrap();
        }
        let tenant: TenantId = "acme".parse().unwrap();
        assert_eq!(store.check(&tenant).await.unwrap(), (2, Vec::new()));
        let mut owner = sqlx::PgConnection::connect(database.url()).await.unwrap();
        for (there, back, changed) in [
            (
                "UPDATE journal.screening_lists SET entries = entries + 1 WHERE name <> 'OFAC'",
                "UPDATE journal.screening_lists SET entries = entries - 1 WHERE name <> 'OFAC'",
                "acme, own",
            ),
            (
                "UPDATE journal.screening_chunks SET content = replace(content, 'OFAC', 'Oofac')",
                "UPDATE journal.screening_chunks SET content = replace(content, 'Oofac', 'OFAC')",
                "*, OFAC",
            ),
        ] {
            owner.execute("SET caudal.tenant = '*'").await.unwrap();
            owner.execute(there).await.unwrap();
            assert_eq!(
                store.check(&tenant).await.unwrap(),
                (2, vec![changed.to_owned()]),
                "{there}"
            );
            owner.execute(back).await.unwrap();
        }
        assert_eq!(store.check(&tenant).await.unwrap(), (2, Vec::new()));
    }
}
