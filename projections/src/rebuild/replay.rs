//! Replay of all tenants into the shadow: two at once, the longest logs first.

use super::{
    RebuildError, Shadow, Step,
    catalog::{SHADOW, Table},
    fill::{GROWTH, Pipeline},
    swap::PATIENT,
};
use crate::{error::ProjectError, projector};
use caudal_domain::ids::TenantId;
use caudal_journal::Journal;
use caudal_postgres::Database;
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use std::sync::{Mutex, PoisonError};

/// Maximum lag of the shadow before the projector, or everyone, is paused.
const NEAR: i64 = 500;

/// Connections of a replay, with the nodes' role: one reads, the other writes.
pub(super) struct ReplayConnections {
    pub(super) node: PgConnection,
    pipeline: Pipeline,
}

impl ReplayConnections {
    pub(super) async fn open(database: &Database) -> Result<Self, RebuildError> {
        let mut node = database.pool().acquire().await?.detach();
        node.execute(PATIENT).await?;
        let mut writer = database.pool().acquire().await?.detach();
        writer.execute(PATIENT).await?;
        Ok(Self {
            node,
            pipeline: Pipeline::Idle(writer),
        })
    }

    pub(super) async fn close(self) -> Result<(), RebuildError> {
        self.pipeline.close().await?;
        Ok(self.node.close().await?)
    }
}

/// Events replayed over all tenants, and their number at the last ANALYZE.
#[derive(Clone, Copy)]
pub(super) struct Growth {
    replayed: i64,
    analyzed: i64,
}

impl Default for Growth {
    fn default() -> Self {
        Self {
            replayed: 0,
            analyzed: NEAR,
        }
    }
}

impl Growth {
    /// Counts events; whether an ANALYZE is due.
    const fn counts(&mut self, events: i64) -> bool {
        self.replayed += events;
        let is_due = self.replayed >= self.analyzed.saturating_mul(GROWTH);
        if is_due {
            self.analyzed = self.replayed;
        }
        is_due
    }
}

/// The replays of a rebuild.
pub(super) struct Replays<'r> {
    pub(super) journal: &'r Journal,
    pub(super) database: &'r Database,
    pub(super) tables: &'r [Table],
    /// Events per transaction.
    pub(super) batch: i64,
}

/// What the replays that go on at once share.
struct Shared<'r, T> {
    waiting: Mutex<std::vec::IntoIter<TenantId>>,
    /// The owner's connection, for ANALYZE.
    growth: tokio::sync::Mutex<(&'r mut PgConnection, &'r mut Growth)>,
    told: Mutex<T>,
}

impl Replays<'_> {
    /// Replays tenants up to near the serving read models' positions.
    pub(super) async fn of(
        &self,
        tenants: Vec<TenantId>,
        [one, two]: &mut [ReplayConnections; 2],
        growth: (&mut PgConnection, &mut Growth),
        told: impl FnMut(Step) + Send,
    ) -> Result<(), RebuildError> {
        let mut sized = Vec::with_capacity(tenants.len());
        for tenant in tenants {
            sized.push((target(self.database, &tenant).await?, tenant));
        }
        sized.sort_unstable_by(|one, other| other.cmp(one));
        let tenants: Vec<TenantId> = sized.into_iter().map(|(_, tenant)| tenant).collect();
        let shared = Shared {
            waiting: Mutex::new(tenants.into_iter()),
            growth: tokio::sync::Mutex::new(growth),
            told: Mutex::new(told),
        };
        tokio::try_join!(self.on(one, &shared), self.on(two, &shared))?;
        Ok(())
    }

    /// Replays tenants that wait, until none does.
    async fn on<T: FnMut(Step) + Send>(
        &self,
        lane: &mut ReplayConnections,
        shared: &Shared<'_, T>,
    ) -> Result<(), RebuildError> {
        loop {
            let next = shared.waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(tenant) = next else { return Ok(()) };
            self.replay(&tenant, lane, shared).await?;
        }
    }

    async fn replay<T: FnMut(Step) + Send>(
        &self,
        tenant: &TenantId,
        lane: &mut ReplayConnections,
        shared: &Shared<'_, T>,
    ) -> Result<(), RebuildError> {
        let mut shadow = Shadow::new(self.journal, tenant, SHADOW).in_batches_of(self.batch);
        let mut at = shadow.position(&mut lane.node).await?;
        loop {
            let of = target(self.database, tenant).await?;
            (shared.told.lock().unwrap_or_else(PoisonError::into_inner))(Step::Replaying {
                tenant: tenant.clone(),
                position: at.position,
                of,
            });
            if of - at.position <= NEAR {
                break;
            }
            let reached = shadow.step(&mut lane.node, Some(&mut lane.pipeline), at, of).await?;
            if reached == at {
                break;
            }
            let mut growth = shared.growth.lock().await;
            if growth.1.counts(reached.position - at.position) {
                analyze(growth.0, self.tables).await?;
            }
            at = reached;
        }
        Ok(shadow.settle(&mut lane.node, Some(&mut lane.pipeline), at).await?)
    }
}

/// Collects the shadow's statistics.
pub(super) async fn analyze(owner: &mut PgConnection, tables: &[Table]) -> Result<(), sqlx::Error> {
    for table in tables {
        let analyze = format!("ANALYZE {SHADOW}.\"{}\"", table.name);
        owner.execute(analyze.as_str()).await?;
    }
    Ok(())
}

/// Target of the shadow: the serving tables' position, or the log's end when those have another version.
async fn target(database: &Database, tenant: &TenantId) -> Result<i64, RebuildError> {
    let begun = database.begin_read(tenant.as_str()).await;
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
