//! Rebuild: the read models of all tenants are built beside the serving ones and swapped in.
//!
//! Readers see the old or the new tables, never a mix: every read transaction begins at the positions' table, whose
//! lock the swap takes first, and the new tables were committed before. Readers that waited for the lock see the new
//! tables as of that commit.

use super::{
    Difference, Shadow,
    catalog::{self, SHADOW, Table},
    compare,
    fill::BATCH,
    replay::{Growth, ReplayConnections, Replays, analyze},
    views,
};
use crate::{error::ProjectError, projector};
use caudal_domain::ids::TenantId;
use caudal_journal::{Journal, JournalError};
use caudal_postgres::Database;
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// Lock timeout of the swap; all other readers queue behind it meanwhile.
const SWAP_PATIENCE: &str = "2s";
/// Attempts to swap.
const SWAP_ATTEMPTS: u32 = 60;
/// Pause between two attempts.
const SWAP_PAUSE: Duration = Duration::from_secs(1);
/// Statement timeout, for indexes of large tables, and the memory for building them.
pub(super) const PATIENT: &str = "SET statement_timeout TO '1h'; SET maintenance_work_mem TO '256MB'";
/// Advisory lock of the rebuild: "rebuild" in ASCII.
const LOCK: i64 = 0x0072_6562_7569_6c64;
/// Schema name of the old read models within the swap's transaction.
const RETIRED: &str = "read_retired";
/// SQLSTATEs of a lock timeout and a deadlock; both are retried.
const TRY_AGAIN: &[&str] = &["55P03", "40P01"];

/// Progress of a rebuild.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Replaying a tenant's log.
    Replaying {
        tenant: TenantId,
        /// Position reached.
        position: i64,
        /// Target position, as far as known.
        of: i64,
    },
    /// Building indexes.
    Indexing {
        /// Indexes built.
        made: usize,
        /// Number of indexes.
        of: usize,
    },
    /// Comparing a tenant's rows, table by table.
    Comparing {
        tenant: TenantId,
        /// Tables compared.
        compared: usize,
        /// Number of tables.
        of: usize,
    },
    /// Waiting for active readers before the swap.
    Swapping,
}

/// Result for one tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    pub tenant: TenantId,
    /// Position of the comparison.
    pub position: i64,
    /// Differences of the old tables; `None` when they had another version and were not compared.
    pub differences: Option<Vec<Difference>>,
}

#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    #[error("the database failed; the read models are the old ones")]
    Database(#[from] sqlx::Error),
    #[error("the log could not be replayed; the read models are the old ones")]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("another rebuild is under way")]
    Busy,
    #[error("readers under way did not end in time; the read models are the old ones")]
    Readers,
    #[error("whether the swap was completed is not known; either way the read models are whole")]
    OutcomeUnknown(#[source] sqlx::Error),
}

/// A running rebuild.
pub struct Rebuild<'a> {
    /// Connection as the read models' owner.
    owner: PgConnection,
    /// Second owner connection: two indexes are built concurrently.
    second: PgConnection,
    /// Two tenants are replayed at once.
    lanes: [ReplayConnections; 2],
    database: &'a Database,
    journal: &'a Journal,
    tables: Vec<Table>,
    /// Events per transaction.
    batch: i64,
    growth: Growth,
}

impl<'a> Rebuild<'a> {
    /// Creates the shadow; `owner_url` is the database's URL for its owner.
    ///
    /// # Errors
    /// When another rebuild is running, or the database fails.
    pub async fn begin(owner_url: &str, database: &'a Database, journal: &'a Journal) -> Result<Self, RebuildError> {
        let mut owner = caudal_postgres::connect(owner_url).await?;
        let is_alone: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)")
            .bind(LOCK)
            .fetch_one(&mut owner)
            .await?;
        if !is_alone {
            return Err(RebuildError::Busy);
        }
        owner.execute(PATIENT).await?;
        let mut second = caudal_postgres::connect(owner_url).await?;
        second.execute(PATIENT).await?;
        let lanes = [
            ReplayConnections::open(database).await?,
            ReplayConnections::open(database).await?,
        ];
        let tables = catalog::read(&mut owner).await?;
        catalog::create(&mut owner, &tables).await?;
        Ok(Self {
            owner,
            second,
            lanes,
            database,
            journal,
            tables,
            batch: BATCH,
            growth: Growth::default(),
        })
    }

    /// With another number of events per transaction.
    #[must_use]
    pub fn in_batches_of(self, batch: i64) -> Self {
        Self { batch, ..self }
    }

    /// Builds, compares and swaps.
    ///
    /// # Errors
    /// Any failure; the old read models then keep serving.
    pub async fn run(mut self, mut told: impl FnMut(Step) + Send) -> Result<Vec<Rebuilt>, RebuildError> {
        let tenants = self.journal.tenants().await?;
        self.replay(tenants.clone(), &mut told).await?;
        self.index(&mut told).await?;
        let mut rebuilt = Vec::with_capacity(tenants.len());
        for tenant in &tenants {
            rebuilt.push(self.compare(tenant, &mut told).await?);
        }
        told(Step::Swapping);
        self.swap().await?;
        for lane in self.lanes {
            lane.close().await?;
        }
        self.second.close().await?;
        self.owner.close().await?;
        Ok(rebuilt)
    }

    /// Replays tenants up to near the serving read models' positions.
    async fn replay(&mut self, tenants: Vec<TenantId>, told: impl FnMut(Step) + Send) -> Result<(), RebuildError> {
        let replays = Replays {
            journal: self.journal,
            database: self.database,
            tables: &self.tables,
            batch: self.batch,
        };
        replays
            .of(tenants, &mut self.lanes, (&mut self.owner, &mut self.growth), told)
            .await
    }

    async fn index(&mut self, told: &mut (impl FnMut(Step) + Send)) -> Result<(), sqlx::Error> {
        // Vacuum rows that were rewritten, so that new indexes omit dead ones and readers can use index-only scans.
        let vacuums = self
            .tables
            .iter()
            .map(|table| format!("VACUUM {SHADOW}.\"{}\"", table.name));
        let indexes = self.tables.iter().flat_map(|table| table.indexes.clone());
        let indexes: Vec<String> = vacuums.chain(indexes).collect();
        let of = indexes.len();
        told(Step::Indexing { made: 0, of });
        let waiting = Mutex::new((indexes.into_iter(), 0, told));
        let work = async |connection: &mut PgConnection| {
            loop {
                let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).0.next();
                let Some(index) = next else { return Ok(()) };
                connection.execute(index.as_str()).await?;
                let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                waiting.1 += 1;
                let made = waiting.1;
                (waiting.2)(Step::Indexing { made, of });
            }
        };
        let both: Result<_, sqlx::Error> = tokio::try_join!(work(&mut self.owner), work(&mut self.second));
        both?;
        for table in &self.tables {
            self.owner.execute(table.end.as_str()).await?;
        }
        analyze(&mut self.owner, &self.tables).await
    }

    /// Compares a tenant's rows at one position, for which the tenant's projector is paused briefly.
    async fn compare(
        &mut self,
        tenant: &TenantId,
        told: &mut (impl FnMut(Step) + Send),
    ) -> Result<Rebuilt, RebuildError> {
        let mut told = |compared, of| {
            told(Step::Comparing {
                tenant: tenant.clone(),
                compared,
                of,
            });
        };
        told(0, self.tables.len());
        let begun = self.database.begin_long_write(tenant.as_str()).await;
        let mut pause = begun.map_err(ProjectError::from)?;
        let row = sqlx::query("SELECT position, version FROM checkpoints WHERE tenant = $1 FOR UPDATE")
            .bind(tenant.as_str())
            .fetch_optional(&mut *pause)
            .await?;
        let live = row.map(|row| Ok::<_, sqlx::Error>((row.try_get("position")?, row.try_get("version")?)));
        let (position, version): (i64, i32) = live.transpose()?.unwrap_or((0, projector::READ_MODELS_VERSION));
        if version != projector::READ_MODELS_VERSION {
            return Ok(Rebuilt {
                tenant: tenant.clone(),
                position,
                differences: None,
            });
        }
        shadow(self.journal, tenant)
            .fill(&mut self.lanes[0].node, position)
            .await?;
        let mut transaction = self.lanes[0]
            .node
            .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .await?;
        sqlx::query("SELECT set_config('caudal.tenant', $1, true)")
            .bind(tenant.as_str())
            .execute(&mut *transaction)
            .await?;
        pause.rollback().await?;
        let names: Vec<_> = self.tables.iter().map(|table| table.name.clone()).collect();
        let differences = compare(&mut transaction, ["read", SHADOW], &names, tenant, position, told).await?;
        transaction.rollback().await?;
        Ok(Rebuilt {
            tenant: tenant.clone(),
            position,
            differences: Some(differences),
        })
    }

    /// Swaps the shadow in.
    async fn swap(&mut self) -> Result<(), RebuildError> {
        for _ in 0..SWAP_ATTEMPTS {
            match self.try_swap().await {
                Err(RebuildError::Database(error)) if is_try_again(&error) => {}
                outcome => return outcome,
            }
            tokio::time::sleep(SWAP_PAUSE).await;
            // New events are applied first, without pausing anyone.
            self.replay(self.journal.tenants().await?, |_| {}).await?;
        }
        Err(RebuildError::Readers)
    }

    async fn try_swap(&mut self) -> Result<(), RebuildError> {
        let tenants = self.journal.tenants().await?;
        let mut transaction = self.owner.begin().await?;
        transaction
            .execute(
                format!(
                    "SET LOCAL lock_timeout TO '{SWAP_PATIENCE}';
                     SET LOCAL caudal.tenant TO '*';
                     LOCK TABLE read.checkpoints IN ACCESS EXCLUSIVE MODE"
                )
                .as_str(),
            )
            .await?;
        // Readers and projectors are blocked from here on. Missing events are committed on the other connection, so
        // that readers with a snapshot of this moment see complete tables.
        let rows = sqlx::query("SELECT tenant, position, version FROM read.checkpoints")
            .fetch_all(&mut *transaction)
            .await?;
        let mut live = BTreeMap::new();
        for row in rows {
            let (tenant, position, version): (String, i64, i32) = (
                row.try_get("tenant")?,
                row.try_get("position")?,
                row.try_get("version")?,
            );
            if version == projector::READ_MODELS_VERSION {
                live.insert(tenant, position);
            }
        }
        for tenant in &tenants {
            let through = match live.get(tenant.as_str()) {
                Some(position) => *position,
                None => self.journal.head(tenant).await?.position,
            };
            shadow(self.journal, tenant)
                .fill(&mut self.lanes[0].node, through)
                .await?;
        }
        let views = views::over_read_models(&mut transaction).await?;
        transaction.execute(format!("CREATE SCHEMA {RETIRED}").as_str()).await?;
        for Table { name, .. } in &self.tables {
            let exchange = format!(
                "ALTER TABLE read.\"{name}\" SET SCHEMA {RETIRED};
                 ALTER TABLE {SHADOW}.\"{name}\" SET SCHEMA read"
            );
            transaction.execute(exchange.as_str()).await?;
        }
        for view in &views {
            transaction.execute(view.as_str()).await?;
        }
        for Table { name, .. } in &self.tables {
            transaction
                .execute(format!("DROP TABLE {RETIRED}.\"{name}\"").as_str())
                .await?;
        }
        transaction
            .execute(format!("DROP SCHEMA {RETIRED}; DROP SCHEMA {SHADOW}").as_str())
            .await?;
        transaction.commit().await.map_err(RebuildError::OutcomeUnknown)
    }
}

fn shadow<'s>(journal: &'s Journal, tenant: &'s TenantId) -> Shadow<'s> {
    Shadow::new(journal, tenant, SHADOW)
}

fn is_try_again(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| TRY_AGAIN.contains(&code.as_ref()))
}
