//! Followers: each tenant is projected as its log grows, by the node that writes it: that node has the events in memory. Other
//! nodes project it when its read models have stood still between two sweeps. A query that needs a position projects it
//! anywhere.

use super::{BATCH_PATIENCE, Progress, Projector, Tenant};
use crate::error::{ProjectError, ReadError};
use caudal_domain::ids::TenantId;
use caudal_journal::{JournalError, WithCauses};
use sqlx::Row as _;
use std::{
    collections::HashMap,
    io,
    sync::{Arc, PoisonError, atomic::Ordering},
    time::Duration,
};
use tokio::{sync::watch, task::JoinSet, time::Instant};

/// Poll interval of the tenant directory for other nodes' writes. This node's writes wake their tenant at once.
const SWEEP: Duration = Duration::from_millis(500);
/// Time for which a follower gathers events before it projects them: nobody waits for it, since a query that needs them
/// projects them itself. Fewer, larger batches leave the cores and the disk to the writers.
const GATHER: Duration = Duration::from_millis(50);
/// Where the database is busy, a follower gathers this many times as long as the last batch took, its turn included, and so
/// leaves most of the time to the writers.
const GATHER_OF_LAST: u32 = 4;
/// Maximum gathering time: what is read without a position is older by at most this.
const MAX_GATHER: Duration = Duration::from_millis(250);
/// Maximum back-off after an error.
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// Maximum tenants per sweep.
const MAX_LAGGING: i64 = 10_000;
/// Tenants projected concurrently; each uses a connection of the pool.
const MAX_CONCURRENT: usize = 4;
/// Lag in events above which writes are refused; some seconds to catch up.
pub const MAX_LAG: i64 = 20_000;

/// Lag of a tenant's read models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    /// Last position of the log.
    pub head: i64,
    /// Position of the read models.
    pub projected: i64,
}

impl Lag {
    #[must_use]
    pub const fn events(&self) -> i64 {
        self.head.saturating_sub(self.projected)
    }

    /// Whether writes must be refused until the read models have caught up.
    #[must_use]
    pub const fn is_too_far(&self) -> bool {
        self.events() > MAX_LAG
    }
}

/// A tenant whose read models lag.
struct Lagging {
    tenant: TenantId,
    lag: Lag,
}

/// Projection status of a tenant, as known to this node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantStatus {
    pub tenant: TenantId,
    /// Known position of the read models.
    pub projected: i64,
    /// Known position of the log.
    pub committed: i64,
    /// Error that stopped the projection; `None` while it runs.
    pub halted: Option<String>,
}

/// Projection status of this node over all tenants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectorState {
    /// All tenants keep up.
    KeepsUp,
    /// A tenant lags too far; catching up.
    Behind,
    /// A tenant's projection is stopped; an operator must act.
    Halted,
}

impl Projector {
    /// Projects all tenants until `stop` turns true.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let _lines = self.open_lines();
        let mut followers = JoinSet::new();
        let mut wakes: HashMap<TenantId, watch::Sender<i64>> = HashMap::new();
        let turns = Arc::new(tokio::sync::Semaphore::new(MAX_CONCURRENT));
        let mut failures = 0_u32;
        let mut before: HashMap<TenantId, i64> = HashMap::new();
        loop {
            self.shared.lines.hang_up_idle();
            let lagging = tokio::time::timeout(BATCH_PATIENCE, self.lagging())
                .await
                .unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()).into()));
            match lagging {
                Ok(lagging) => {
                    failures = 0;
                    // Restarts followers that panicked.
                    wakes.retain(|_, wake| !wake.is_closed());
                    let mut now = HashMap::with_capacity(lagging.len());
                    for Lagging { tenant, lag } in lagging {
                        let stands_still = before.get(&tenant) == Some(&lag.projected);
                        now.insert(tenant.clone(), lag.projected);
                        let wake = wakes.entry(tenant.clone()).or_insert_with(|| {
                            let (wake, woken) = watch::channel(0);
                            followers.spawn(self.clone().follow(tenant, woken, turns.clone()));
                            wake
                        });
                        // Otherwise its writer's node is at it.
                        if stands_still {
                            wake.send_replace(lag.head);
                        }
                    }
                    before = now;
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
        // An aborted batch is rolled back and repeated by the next node.
        followers.shutdown().await;
    }

    /// Projects one tenant after each commit of this node, and when the sweep wakes it.
    async fn follow(self, tenant: TenantId, mut woken: watch::Receiver<i64>, turns: Arc<tokio::sync::Semaphore>) {
        let mut committed = self.tenant(&tenant).committed.clone();
        let mut failures = 0_u32;
        loop {
            committed.mark_unchanged();
            woken.mark_unchanged();
            let begun = Instant::now();
            let Ok(turn) = turns.acquire().await else { return };
            let progress = self.project(&tenant).await;
            drop(turn);
            let took = begun.elapsed();
            match progress {
                Ok(Progress::Advanced(_)) => failures = 0,
                // The active projector continues until nothing is left; the next sweep finds the rest.
                Ok(Progress::CaughtUp(_) | Progress::StandsAside(_) | Progress::OtherVersion(_) | Progress::Busy) => {
                    failures = 0;
                    tokio::select! {
                        Ok(()) = committed.changed() => {}
                        changed = woken.changed() => if changed.is_err() { return },
                    }
                    tokio::time::sleep((took * GATHER_OF_LAST).clamp(GATHER, MAX_GATHER)).await;
                }
                Err(_) => {
                    failures = failures.saturating_add(1);
                    tokio::time::sleep((SWEEP * 2_u32.saturating_pow(failures)).min(MAX_PAUSE)).await;
                }
            }
        }
    }

    /// Tenants whose read models lag; includes tenants never projected. What other nodes have projected becomes known here.
    async fn lagging(&self) -> Result<Vec<Lagging>, ProjectError> {
        let outdated = self.outdated();
        let mut transaction = self.shared.database.begin_directory().await?;
        let rows = sqlx::query(
            "SELECT h.tenant, h.position, coalesce(c.position, 0) AS projected
               FROM journal.heads AS h LEFT JOIN read.checkpoints AS c ON c.tenant = h.tenant
              WHERE h.position > coalesce(c.position, 0)
                AND NOT EXISTS (SELECT FROM journal.placements AS p
                                 WHERE p.tenant = h.tenant AND p.state IN ('left', 'arriving'))
              ORDER BY h.tenant LIMIT $1",
        )
        .bind(MAX_LAGGING)
        .fetch_all(&mut *transaction)
        .await?;
        let names: Vec<&str> = outdated.iter().map(|(tenant, ..)| tenant.as_str()).collect();
        let reached: Vec<(String, i64)> = match names.is_empty() {
            true => Vec::new(),
            false => {
                sqlx::query_as("SELECT tenant, position FROM read.checkpoints WHERE tenant = ANY($1)")
                    .bind(names)
                    .fetch_all(&mut *transaction)
                    .await?
            }
        };
        transaction.commit().await?;
        for (tenant, known, generation) in outdated {
            let found = reached.iter().find(|(name, _)| name == tenant.as_str());
            if let Some((_, position)) = found
                && self.shared.journal.history_generation(&tenant) == generation
            {
                known.reached(*position);
            }
        }
        let mut lagging = Vec::new();
        for row in rows {
            let name: &str = row.try_get("tenant")?;
            let unknown = || JournalError::Unexpected(format!("a tenant named {name:?}"));
            lagging.push(Lagging {
                tenant: name.parse().map_err(|_| unknown())?,
                lag: Lag {
                    head: row.try_get("position")?,
                    projected: row.try_get("projected")?,
                },
            });
        }
        Ok(lagging)
    }

    /// Tenants of whose log this node knows more than of their read models, with the generation of their history.
    fn outdated(&self) -> Vec<(TenantId, Arc<Tenant>, u64)> {
        let tenants = self.shared.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        let known = tenants.iter().map(|(id, tenant)| {
            let generation = self.shared.journal.history_generation(id);
            (id.clone(), tenant.clone(), generation)
        });
        known
            .filter(|(_, tenant, generation)| {
                let is_behind = *tenant.committed.borrow() > *tenant.projected.borrow();
                is_behind && tenant.generation.load(Ordering::Acquire) == *generation
            })
            .collect()
    }

    /// Lag of a tenant, from the database.
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

    /// Lag of a tenant as known to this node, without a query; checked by every write.
    #[must_use]
    pub fn known_lag(&self, tenant: &TenantId) -> Lag {
        let known = self.tenant(tenant);
        let (committed, projected) = (*known.committed.borrow(), *known.projected.borrow());
        let is_unknown = projected == 0 || committed == known.outlived.load(Ordering::Acquire);
        Lag {
            head: if is_unknown { projected } else { committed },
            projected,
        }
    }

    /// Known position of a tenant's read models, without a query; 0 when unknown.
    #[must_use]
    pub fn known_position(&self, tenant: &TenantId) -> i64 {
        *self.tenant(tenant).projected.borrow()
    }

    /// Projection status of this node.
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

    /// Status of the tenants that this node has projected.
    #[must_use]
    pub fn status(&self) -> Vec<TenantStatus> {
        let tenants = self.shared.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        // An error met before this node learned of a quarantine is part of the quarantine: the node still accepts work.
        let halted = |id: &TenantId, tenant: &Tenant| {
            let halted = tenant.halted.lock().unwrap_or_else(PoisonError::into_inner).clone();
            halted.filter(|_| self.shared.journal.quarantined(id).is_none())
        };
        let status = |(id, tenant): (&TenantId, &Arc<Tenant>)| TenantStatus {
            tenant: id.clone(),
            projected: *tenant.projected.borrow(),
            committed: *tenant.committed.borrow(),
            halted: halted(id, tenant),
        };
        tenants.iter().map(status).collect()
    }
}
