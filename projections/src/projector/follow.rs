//! Following: every tenant of the database is projected as its log grows, whichever node wrote it.

use super::{BATCH_PATIENCE, Progress, Projector};
use crate::error::{ProjectError, ReadError};
use caudal_domain::ids::TenantId;
use caudal_journal::{JournalError, WithCauses};
use sqlx::Row as _;
use std::{collections::HashMap, io, sync::PoisonError, time::Duration};
use tokio::{sync::watch, task::JoinSet};

/// How often the directory of tenants is looked through for those that other nodes have written to. A write through
/// this node wakes its tenant at once.
const SWEEP: Duration = Duration::from_millis(500);
/// The longest pause after an error.
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// How many tenants one sweep picks up.
const MAX_LAGGING: i64 = 10_000;
/// How many tenants are projected at a time: each takes one connection of the pool.
const MAX_CONCURRENT: usize = 4;
/// How far the read models may be behind the log before writes are refused: some seconds' work to catch up with.
pub const MAX_LAG: i64 = 20_000;

/// How far a tenant's read models are behind its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    /// Where the log ends.
    pub head: i64,
    /// Where the read models stand.
    pub projected: i64,
}

impl Lag {
    /// In events.
    #[must_use]
    pub const fn events(&self) -> i64 {
        self.head.saturating_sub(self.projected)
    }

    /// Whether writes should be refused until they have caught up.
    #[must_use]
    pub const fn is_too_far(&self) -> bool {
        self.events() > MAX_LAG
    }
}

/// What this node knows of a tenant's read models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantStatus {
    /// The tenant.
    pub tenant: TenantId,
    /// How far they have got, as far as this node knows.
    pub projected: i64,
    /// How far the log has got, as far as this node knows.
    pub committed: i64,
    /// Why they don't move on.
    pub halted: Option<String>,
}

/// How this node's projections go, all tenants together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectorState {
    /// Every tenant keeps up.
    KeepsUp,
    /// A tenant is too far behind; it is being worked on.
    Behind,
    /// A tenant does not move on: somebody has to look.
    Halted,
}

impl Projector {
    /// Projects every tenant until `stop` turns true.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let _lines = self.open_lines();
        let mut followers = JoinSet::new();
        let mut wakes: HashMap<TenantId, watch::Sender<i64>> = HashMap::new();
        let turns = std::sync::Arc::new(tokio::sync::Semaphore::new(MAX_CONCURRENT));
        let mut failures = 0_u32;
        loop {
            self.shared.lines.hang_up_idle();
            let lagging = tokio::time::timeout(BATCH_PATIENCE, self.lagging())
                .await
                .unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()).into()));
            match lagging {
                Ok(lagging) => {
                    failures = 0;
                    // A follower that ended by a panic is started anew.
                    wakes.retain(|_, wake| !wake.is_closed());
                    for (tenant, head) in lagging {
                        let wake = wakes.entry(tenant.clone()).or_insert_with(|| {
                            let (wake, woken) = watch::channel(0);
                            followers.spawn(self.clone().follow(tenant, woken, turns.clone()));
                            wake
                        });
                        wake.send_replace(head);
                    }
                }
                Err(error) => {
                    failures = failures.saturating_add(1);
                    tracing::warn!(reason = %WithCauses(&error), "could not look for tenants that are behind");
                }
            }
            let pause = (SWEEP * 2_u32.saturating_pow(failures)).min(MAX_PAUSE);
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                () = tokio::time::sleep(pause) => {}
            }
        }
        // A batch cut off is rolled back, and done again by who comes next.
        followers.shutdown().await;
    }

    /// Projects one tenant whenever it is woken: by this node's own writes, or by the sweep.
    async fn follow(
        self,
        tenant: TenantId,
        mut woken: watch::Receiver<i64>,
        turns: std::sync::Arc<tokio::sync::Semaphore>,
    ) {
        let mut committed = self.tenant(&tenant).committed.clone();
        let mut failures = 0_u32;
        loop {
            committed.mark_unchanged();
            woken.mark_unchanged();
            let Ok(turn) = turns.acquire().await else { return };
            let progress = self.project(&tenant).await;
            drop(turn);
            match progress {
                Ok(Progress::Advanced(_)) => failures = 0,
                // Whoever is at it goes on until nothing is left, or the next sweep finds the rest.
                Ok(Progress::CaughtUp(_) | Progress::StandsAside(_) | Progress::Busy) => {
                    failures = 0;
                    tokio::select! {
                        Ok(()) = committed.changed() => {}
                        changed = woken.changed() => if changed.is_err() { return },
                    }
                }
                Err(_) => {
                    failures = failures.saturating_add(1);
                    tokio::time::sleep((SWEEP * 2_u32.saturating_pow(failures)).min(MAX_PAUSE)).await;
                }
            }
        }
    }

    /// The tenants whose read models are behind, with where their logs end; and all that were never projected.
    async fn lagging(&self) -> Result<Vec<(TenantId, i64)>, ProjectError> {
        let mut transaction = self.shared.database.begin_directory().await?;
        let rows = sqlx::query(
            "SELECT h.tenant, h.position FROM journal.heads AS h LEFT JOIN read.checkpoints AS c ON c.tenant = h.tenant
              WHERE h.position > coalesce(c.position, 0) ORDER BY h.tenant LIMIT $1",
        )
        .bind(MAX_LAGGING)
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        let mut lagging = Vec::new();
        for row in rows {
            let name: &str = row.try_get("tenant")?;
            let unknown = || JournalError::Unexpected(format!("a tenant named {name:?}"));
            lagging.push((name.parse().map_err(|_| unknown())?, row.try_get("position")?));
        }
        Ok(lagging)
    }

    /// How far a tenant's read models are behind its log.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn lag(&self, tenant: &TenantId) -> Result<Lag, ReadError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(
            "SELECT coalesce((SELECT position FROM journal.heads WHERE tenant = $1), 0) AS head,
                    coalesce((SELECT position FROM checkpoints WHERE tenant = $1), 0) AS projected",
        )
        .bind(tenant.as_str())
        .fetch_one(&mut *transaction)
        .await?;
        Ok(Lag {
            head: row.try_get("head")?,
            projected: row.try_get("projected")?,
        })
    }

    /// How far a tenant is behind as far as this node knows, without asking the database: what every write looks at.
    #[must_use]
    pub fn known_lag(&self, tenant: &TenantId) -> Lag {
        let known = self.tenant(tenant);
        let (head, projected) = (*known.committed.borrow(), *known.projected.borrow());
        Lag {
            head,
            projected: if projected == 0 { head } else { projected },
        }
    }

    /// The position that a tenant's read models are known to have, without asking the database; 0 where nothing is known.
    #[must_use]
    pub fn known_position(&self, tenant: &TenantId) -> i64 {
        *self.tenant(tenant).projected.borrow()
    }

    /// How this node's projections go.
    #[must_use]
    pub fn state(&self) -> ProjectorState {
        let status = self.status();
        if status.iter().any(|tenant| tenant.halted.is_some()) {
            return ProjectorState::Halted;
        }
        let behind = status.iter().any(|tenant| self.known_lag(&tenant.tenant).is_too_far());
        if behind {
            ProjectorState::Behind
        } else {
            ProjectorState::KeepsUp
        }
    }

    /// The tenants that this node has projected, and whether they move on.
    #[must_use]
    pub fn status(&self) -> Vec<TenantStatus> {
        let tenants = self.shared.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        // What the projector met before it heard of a quarantine is part of that: the node is to be given work.
        let halted = |id: &TenantId, tenant: &super::Tenant| {
            let halted = tenant.halted.lock().unwrap_or_else(PoisonError::into_inner).clone();
            halted.filter(|_| self.shared.journal.quarantined(id).is_none())
        };
        let status = |(id, tenant): (&TenantId, &std::sync::Arc<super::Tenant>)| TenantStatus {
            tenant: id.clone(),
            projected: *tenant.projected.borrow(),
            committed: *tenant.committed.borrow(),
            halted: halted(id, tenant),
        };
        tenants.iter().map(status).collect()
    }
}
