//! The rebuild: the read models of all tenants, built beside those that serve and put in their place.
//!
//! Readers see the old ones or the new ones, never a part: every reader's snapshot begins at the checkpoints, whose lock
//! the swap takes first, and what the new ones hold was committed before it. Readers that had to wait for the lock see
//! the new ones as of their last commit before.

use super::{
    Difference, Shadow,
    catalog::{self, SHADOW, Table},
    compare,
    fill::GROWTH,
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

/// How near the shadow comes before the projector, or everybody, is made to wait.
const NEAR: i64 = 500;
/// How long the swap waits for readers under way, with all others waiting behind it.
const SWAP_PATIENCE: &str = "2s";
/// How often it tries.
const SWAP_ATTEMPTS: u32 = 60;
/// How long it lets others go on between two tries.
const SWAP_PAUSE: Duration = Duration::from_secs(1);
/// How long a statement may run: making an index of a large table takes long. And how much memory that may take.
const PATIENT: &str = "SET statement_timeout TO '1h'; SET maintenance_work_mem TO '256MB'";
/// One rebuild at a time: the advisory lock's number, "rebuild" in ASCII.
const LOCK: i64 = 0x0072_6562_7569_6c64;
/// The old read models' schema within the swap's transaction.
const RETIRED: &str = "read_retired";
/// PostgreSQL's codes for a lock that did not come in time, and for a deadlock: both are tried again.
const TRY_AGAIN: &[&str] = &["55P03", "40P01"];

/// What a rebuild is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Replaying a tenant's log.
    Replaying {
        tenant: TenantId,
        /// The position reached.
        position: i64,
        /// The position wanted, as far as it is known.
        of: i64,
    },
    /// Making indexes.
    Indexing {
        /// How many are made.
        made: usize,
        /// How many there are.
        of: usize,
    },
    /// Comparing a tenant's rows, table by table.
    Comparing {
        tenant: TenantId,
        /// How many tables are compared.
        compared: usize,
        /// How many there are.
        of: usize,
    },
    /// Waiting for readers under way, to swap.
    Swapping,
}

/// What a rebuild found in one tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    pub tenant: TenantId,
    /// The position at which the old and the new were compared.
    pub position: i64,
    /// What the old ones had differently; none where they are of another version, which is not compared.
    pub differences: Option<Vec<Difference>>,
}

/// Why the read models are still the old ones.
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

/// A rebuild under way.
pub struct Rebuild<'a> {
    /// As whoever owns the read models.
    owner: PgConnection,
    /// The same once more: two indexes are made at a time.
    second: PgConnection,
    /// As the role that nodes work as.
    node: PgConnection,
    database: &'a Database,
    journal: &'a Journal,
    tables: Vec<Table>,
    /// How many events of all tenants were replayed, and how many when the planner last looked at the tables.
    replayed: i64,
    analyzed: i64,
}

impl<'a> Rebuild<'a> {
    /// Makes the shadow; `owner_url` is the database as its owner reaches it.
    ///
    /// # Errors
    /// Where another rebuild is under way, or the database fails.
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
        let mut node = database.pool().acquire().await?.detach();
        node.execute(PATIENT).await?;
        let tables = catalog::read(&mut owner).await?;
        catalog::create(&mut owner, &tables).await?;
        Ok(Self {
            owner,
            second,
            node,
            database,
            journal,
            tables,
            replayed: 0,
            analyzed: NEAR,
        })
    }

    /// Builds, compares and swaps.
    ///
    /// # Errors
    /// Whatever went wrong: the read models are then the old ones.
    pub async fn run(mut self, mut told: impl FnMut(Step) + Send) -> Result<Vec<Rebuilt>, RebuildError> {
        let tenants = self.journal.tenants().await?;
        for tenant in &tenants {
            self.replay(tenant, &mut told).await?;
        }
        self.index(&mut told).await?;
        let mut rebuilt = Vec::with_capacity(tenants.len());
        for tenant in &tenants {
            rebuilt.push(self.compare(tenant, &mut told).await?);
        }
        told(Step::Swapping);
        self.swap().await?;
        self.node.close().await?;
        self.second.close().await?;
        self.owner.close().await?;
        Ok(rebuilt)
    }

    /// Comes near the read models that serve.
    async fn replay(&mut self, tenant: &TenantId, told: &mut (impl FnMut(Step) + Send)) -> Result<(), RebuildError> {
        let mut shadow = shadow(self.journal, tenant);
        let mut at = shadow.position(&mut self.node).await?;
        loop {
            let of = self.target(tenant).await?;
            told(Step::Replaying {
                tenant: tenant.clone(),
                position: at.position,
                of,
            });
            if of - at.position <= NEAR {
                break;
            }
            let reached = shadow.step(&mut self.node, at, of).await?;
            if reached == at {
                break;
            }
            self.replayed += reached.position - at.position;
            at = reached;
            if self.replayed >= self.analyzed.saturating_mul(GROWTH) {
                self.analyzed = self.replayed;
                self.analyze().await?;
            }
        }
        Ok(shadow.settle(&mut self.node, at).await?)
    }

    async fn analyze(&mut self) -> Result<(), sqlx::Error> {
        for table in &self.tables {
            let analyze = format!("ANALYZE {SHADOW}.\"{}\"", table.name);
            self.owner.execute(analyze.as_str()).await?;
        }
        Ok(())
    }

    async fn index(&mut self, told: &mut (impl FnMut(Step) + Send)) -> Result<(), sqlx::Error> {
        // Rows that were written several times first: no index needs to know of them, and readers may rely on the rest.
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
        self.analyze().await
    }

    /// Compares a tenant's rows as of one position, for which the tenant's projector waits a moment.
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
        shadow(self.journal, tenant).fill(&mut self.node, position).await?;
        let mut transaction = self
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

    /// Where the shadow has to come to: where the live ones stand, or, where they are another version's, to the end.
    async fn target(&self, tenant: &TenantId) -> Result<i64, RebuildError> {
        let begun = self.database.begin_read(tenant.as_str()).await;
        let mut transaction = begun.map_err(ProjectError::from)?;
        let row = sqlx::query(
            "SELECT h.position AS head, c.position, c.version
               FROM journal.heads AS h LEFT JOIN checkpoints AS c ON c.tenant = h.tenant WHERE h.tenant = $1",
        )
        .bind(tenant.as_str())
        .fetch_one(&mut *transaction)
        .await?;
        let version: Option<i32> = row.try_get("version")?;
        let position = if version == Some(projector::READ_MODELS_VERSION) {
            row.try_get("position")?
        } else {
            row.try_get("head")?
        };
        Ok(position)
    }

    /// Puts the shadow in the place of the read models.
    async fn swap(&mut self) -> Result<(), RebuildError> {
        for _ in 0..SWAP_ATTEMPTS {
            match self.try_swap().await {
                Err(RebuildError::Database(error)) if is_try_again(&error) => {}
                outcome => return outcome,
            }
            tokio::time::sleep(SWAP_PAUSE).await;
            // What came in meanwhile is done while nobody waits.
            for tenant in self.journal.tenants().await? {
                self.replay(&tenant, &mut |_| {}).await?;
            }
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
        // From here on nobody reads or projects. What is missing is committed on the other connection, so that readers
        // whose snapshot is of now see whole read models.
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
            shadow(self.journal, tenant).fill(&mut self.node, through).await?;
        }
        transaction.execute(format!("CREATE SCHEMA {RETIRED}").as_str()).await?;
        for Table { name, .. } in &self.tables {
            let exchange = format!(
                "ALTER TABLE read.\"{name}\" SET SCHEMA {RETIRED};
                 ALTER TABLE {SHADOW}.\"{name}\" SET SCHEMA read;
                 DROP TABLE {RETIRED}.\"{name}\""
            );
            transaction.execute(exchange.as_str()).await?;
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
