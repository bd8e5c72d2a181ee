//! A tenant's move to another cell while it works.
//!
//! | Step | In the cell that it leaves | In the new cell |
//! |---|---|---|
//! | [`Relocation::begin`] | `copying` | `arriving`: only the move writes |
//! | [`Relocation::copy`], several times | | events, each with its hash checked, and the rows beside the log |
//! | [`Relocation::snapshot`], after the first copy | | the state as of the copied log |
//! | [`Relocation::announce`] | `closing`: nodes keep new writes waiting | |
//! | [`Relocation::hold`] | `held`: the database refuses writes, for a time | |
//! | [`Relocation::copy`], [`Relocation::compare`] | | the rest; both are equal |
//! | [`Relocation::leave`] | `left`, unless the hold has run out: the tenant has moved | |
//! | [`Relocation::open`] | | `here` |
//! | [`Relocation::discard`] | people's keys, sessions, passwords and read models go | |
//!
//! A move that ends early is begun again or undone. Before `left` the first cell serves on, at the latest when its hold runs
//! out; after it only `open` is missing, which every node does that sees it.

use super::{
    CellName, Placement, PlacementState,
    own_lists::OwnLists,
    tables::{COMPARED_HOURS, DISCARDED, EQUAL, GROWING, Growing, compared, sum},
};
use crate::{
    archive::insert_events,
    error::JournalError,
    history::{Divergence, DivergenceKind, LogPoint},
    journal::Journal,
    log::{chain, postgres::PostgresLog, stored, tenant_log::TenantLog as _},
    proof::verify::{self, LogEnd},
    writer::{
        snapshot::StateSnapshot,
        state::{Reading, State},
    },
};
use caudal_domain::ids::TenantId;
use caudal_postgres::Transaction;
use chrono::{DateTime, Utc};
use sqlx::{Executor as _, PgConnection, Row as _};
use std::time::Duration;
use uuid::Uuid;

/// Events per transaction.
const PAGE: i64 = 2_000;

/// Why a tenant was not moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the tenant {0} does not live in this cell")]
    Elsewhere(TenantId),
    #[error("the tenant {0} is being moved to {1}: end that move first, or undo it")]
    UnderWay(TenantId, CellName),
    #[error("the tenant {0} is in quarantine: decide about its log first")]
    Quarantined(TenantId),
    #[error("position {position}: the log of the new cell is not a beginning of the tenant's log")]
    OtherLog { position: i64 },
    #[error("position {position}: the event does not chain to the one before it; run `caudal verify`")]
    Broken { position: i64 },
    #[error("journal.{0} differs between the cells")]
    Differs(&'static str),
    #[error(
        "the placement was changed by somebody else, or the hold ran out: the tenant stays, and the move can be begun again"
    )]
    Overtaken,
}

impl From<sqlx::Error> for MoveError {
    fn from(error: sqlx::Error) -> Self {
        Self::Journal(error.into())
    }
}

impl From<caudal_postgres::DatabaseError> for MoveError {
    fn from(error: caudal_postgres::DatabaseError) -> Self {
        Self::Journal(error.into())
    }
}

/// Result of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// End of the copied log.
    pub position: i64,
    pub events: i64,
    /// Rows beside the log that were written or deleted.
    pub rows: u64,
}

/// A move under way.
pub struct Relocation {
    from: Journal,
    to: Journal,
    tenant: TenantId,
    /// The row in the cell that is left.
    here: Placement,
    /// The row in the new cell.
    there: Placement,
    /// The oldest transaction under way at the last pass.
    since: Option<String>,
}

impl Relocation {
    /// Begins a move, or goes on with one to the same cell that ended early.
    ///
    /// # Errors
    /// When the tenant lives elsewhere, is moving to another cell or in quarantine, or a database fails.
    pub async fn begin(
        (from, from_cell): (&Journal, &CellName),
        (to, to_cell): (&Journal, &CellName),
        tenant: &TenantId,
    ) -> Result<Self, MoveError> {
        if from.quarantined(tenant).is_some() {
            return Err(MoveError::Quarantined(tenant.clone()));
        }
        let mut known = from.shared.database.begin_read(tenant.as_str()).await?;
        let (end, is_vouched_for) = verify::signed_end(&mut known, &from.shared.macs, tenant).await?;
        known.commit().await?;
        if !is_vouched_for {
            return Err(unsigned(tenant, &end));
        }
        let before = from.placement(tenant).await?;
        let here = match &before {
            Some(row) if row.state == PlacementState::Left && row.peer == *to_cell => row.clone(),
            Some(row) if !row.state.is_residence() => return Err(MoveError::Elsewhere(tenant.clone())),
            Some(row) if row.state != PlacementState::Here && row.peer != *to_cell => {
                return Err(MoveError::UnderWay(tenant.clone(), row.peer.clone()));
            }
            Some(row) if row.state != PlacementState::Here => Placement {
                state: PlacementState::Copying,
                has_lapsed: false,
                ..row.clone()
            },
            row => Placement {
                state: PlacementState::Copying,
                epoch: row.as_ref().map_or(0, |row| row.epoch),
                peer: to_cell.clone(),
                moved_by: Uuid::now_v7(),
                has_lapsed: false,
            },
        };
        let there = Placement {
            state: PlacementState::Arriving,
            epoch: here.epoch + 1,
            peer: from_cell.clone(),
            moved_by: here.moved_by,
            has_lapsed: false,
        };
        let target = to.placement(tenant).await?;
        match &target {
            Some(row) if row.state == PlacementState::Here && row.moved_by == here.moved_by => {}
            Some(row) if row.state.is_residence() => return Err(MoveError::Elsewhere(tenant.clone())),
            // It has left for there, and from there since.
            row if here.state == PlacementState::Left && row.as_ref() != Some(&there) => {
                return Err(MoveError::Elsewhere(tenant.clone()));
            }
            row => {
                // A head without a row would be another tenant of this name that lives there.
                if row.is_none() && to_has_log(to, tenant).await? {
                    return Err(MoveError::Elsewhere(tenant.clone()));
                }
                placed(to.place(tenant, row.as_ref(), &there, None).await?)?;
            }
        }
        if here.state == PlacementState::Copying {
            placed(from.place(tenant, before.as_ref(), &here, None).await?)?;
        }
        Ok(Self {
            from: from.clone(),
            to: to.clone(),
            tenant: tenant.clone(),
            here,
            there,
            since: None,
        })
    }

    /// Whether the tenant has left already, so that only [`Self::open`] and [`Self::discard`] are missing.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.here.state == PlacementState::Left
    }

    /// Copies what is new since the last pass, from one snapshot. `progress` receives the position reached and the last one.
    ///
    /// # Errors
    /// When the new cell's log is another one, the chain is broken, or a database fails.
    pub async fn copy(&mut self, mut progress: impl FnMut(i64, i64) + Send) -> Result<Copied, MoveError> {
        let mut read = self.from.shared.database.begin_read(self.tenant.as_str()).await?;
        let now: String =
            sqlx::query_scalar("SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text")
                .fetch_one(&mut *read)
                .await?;
        let mut copied = self.copy_events(&mut read, &mut progress).await?;
        for table in &GROWING {
            table.open(&mut read, &self.tenant, self.since.as_deref()).await?;
            while let Some((rows, number)) = Growing::next(&mut read).await? {
                let mut write = self.writing().await?;
                table.write(&mut write, &rows).await?;
                write.commit().await?;
                copied.rows += number as u64;
            }
        }
        let mut tables = Vec::with_capacity(EQUAL.len());
        for table in &EQUAL {
            tables.push((table, table.read(&mut read, &self.tenant).await?));
        }
        read.commit().await?;
        let lists = OwnLists::read(&self.from.shared.database, &self.tenant).await?;
        lists.write(&self.to.shared.database, &self.tenant).await?;
        let mut write = self.writing().await?;
        for (table, rows) in tables.iter().rev() {
            copied.rows += table.delete(&mut write, &self.tenant, rows).await?;
        }
        for (table, rows) in &tables {
            copied.rows += table.insert(&mut write, &self.tenant, rows).await?;
        }
        write.commit().await?;
        self.since = Some(now);
        Ok(copied)
    }

    /// Folds the state of the copied log and keeps its snapshot in the new cell: otherwise the first command there would wait
    /// until all events are folded.
    ///
    /// # Errors
    /// When the copied log is not valid, or the database fails.
    pub async fn snapshot(&self) -> Result<(), MoveError> {
        let shared = &self.to.shared;
        let mut log = PostgresLog::new(shared.clone(), self.tenant.clone());
        let mut state = State::of_snapshot(&mut log, &self.tenant, Reading::Checked { extends: None }).await?;
        let kept = state.snapshot;
        // Read directly: `journal.head` refuses a tenant that does not live in the cell.
        let mut read = shared.database.begin_read(self.tenant.as_str()).await?;
        let head = verify::stored_end(&mut read, &self.tenant).await?;
        read.commit().await?;
        state.reach(&mut log, &shared.macs, &self.tenant, head).await?;
        if state.head.position > kept {
            log.write_snapshot(StateSnapshot::from(&state), shared.clock.now())
                .await?;
        }
        Ok(())
    }

    async fn copy_events(
        &self,
        read: &mut PgConnection,
        progress: &mut (impl FnMut(i64, i64) + Send),
    ) -> Result<Copied, MoveError> {
        let tenant = &self.tenant;
        let (end, is_vouched_for) = verify::signed_end(&mut *read, &self.from.shared.macs, tenant).await?;
        if !is_vouched_for {
            return Err(unsigned(tenant, &end));
        }
        let mut at = self.copied_head(end.recorded_at).await?;
        if hash_at(&mut *read, tenant, at.position).await? != Some(at.hash) {
            return Err(MoveError::OtherLog { position: at.position });
        }
        let first = at.position;
        while at.position < end.position {
            let page = stored::page(&mut *read, tenant, at.position, PAGE).await?;
            for event in &page {
                let expected = event.expected_hash(tenant, &at.hash);
                match expected.filter(|hash| event.hash == Some(*hash) && event.position == at.position + 1) {
                    Some(hash) => {
                        at = LogPoint {
                            position: event.position,
                            hash,
                        }
                    }
                    None => {
                        return Err(MoveError::Broken {
                            position: event.position,
                        });
                    }
                }
            }
            let Some(recorded_at) = page.last().and_then(|event| event.recorded_at) else {
                return Err(MoveError::Broken {
                    position: at.position + 1,
                });
            };
            let mut write = self.writing().await?;
            sqlx::query(
                "UPDATE journal.heads SET position = $2, hash = $3, recorded_at = $4, mac = $5 WHERE tenant = $1",
            )
            .bind(tenant.as_str())
            .bind(at.position)
            .bind(at.hash)
            .bind(recorded_at)
            .bind(self.to.shared.macs.head(tenant, at, recorded_at))
            .execute(&mut *write)
            .await?;
            insert_events(&mut write, tenant, &page).await?;
            write.commit().await?;
            progress(at.position, end.position);
        }
        Ok(Copied {
            position: at.position,
            events: at.position - first,
            rows: 0,
        })
    }

    /// The end of the new cell's copy, which is created when missing.
    async fn copied_head(&self, begun_at: DateTime<Utc>) -> Result<LogPoint, MoveError> {
        let mut write = self.writing().await?;
        sqlx::query(
            "INSERT INTO journal.heads (tenant, position, hash, recorded_at) VALUES ($1, 0, $2, $3)
             ON CONFLICT DO NOTHING",
        )
        .bind(self.tenant.as_str())
        .bind(chain::genesis(self.tenant.as_str()))
        .bind(begun_at)
        .execute(&mut *write)
        .await?;
        let end = verify::end(&mut write, &self.tenant).await?;
        write.commit().await?;
        Ok(LogPoint {
            position: end.position,
            hash: end.hash,
        })
    }

    /// Lets nodes keep new writes waiting. Those under way are carried out.
    pub async fn announce(&mut self) -> Result<(), MoveError> {
        self.step(PlacementState::Closing, None).await
    }

    /// Refuses writes in the cell that is left for a time, after those under way.
    pub async fn hold(&mut self, time: Duration) -> Result<(), MoveError> {
        self.step(PlacementState::Held, Some(time)).await
    }

    /// Compares the copy with the tenant: the ends of the logs, and all copied tables by the sums of their rows.
    ///
    /// # Errors
    /// [`MoveError::Differs`] for the first table that differs; [`MoveError::Overtaken`] where it is written to again, since the
    /// hold has run out.
    pub async fn compare(&self) -> Result<(), MoveError> {
        let Some(table) = self.difference().await? else {
            return Ok(());
        };
        let now = self.from.placement(&self.tenant).await?;
        let is_held = |row: &Placement| !row.takes_writes() && row.moved_by == self.here.moved_by;
        Err(match now.filter(is_held) {
            Some(_) => MoveError::Differs(table),
            None => MoveError::Overtaken,
        })
    }

    /// The first table that differs between the cells.
    async fn difference(&self) -> Result<Option<&'static str>, MoveError> {
        let tenant = &self.tenant;
        let mut here = self.from.shared.database.begin_read(tenant.as_str()).await?;
        let mut there = self.to.shared.database.begin_read(tenant.as_str()).await?;
        if verify::end(&mut here, tenant).await? != verify::end(&mut there, tenant).await? {
            return Ok(Some("heads"));
        }
        let oldest: DateTime<Utc> = sqlx::query_scalar("SELECT clock_timestamp() - make_interval(hours => $1)")
            .bind(COMPARED_HOURS)
            .fetch_one(&mut *here)
            .await?;
        for (table, dated) in compared() {
            let after = dated.map(|column| (column, oldest));
            let (one, other) = tokio::try_join!(
                sum(&mut here, tenant, table, after),
                sum(&mut there, tenant, table, after)
            )?;
            if one != other {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// Ends the residence: from here on the tenant lives in the new cell.
    ///
    /// # Errors
    /// [`MoveError::Overtaken`] when the hold has run out.
    pub async fn leave(&mut self) -> Result<(), MoveError> {
        self.step(PlacementState::Left, None).await
    }

    /// Opens the tenant in the new cell.
    pub async fn open(&mut self) -> Result<(), MoveError> {
        // A node may have done it.
        open(&self.to, &self.tenant, &self.there).await?;
        let now = self.to.placement(&self.tenant).await?;
        let is_open = |row: &Placement| row.state == PlacementState::Here && row.moved_by == self.there.moved_by;
        now.filter(is_open).map(|_| ()).ok_or(MoveError::Overtaken)
    }

    /// Makes the copy that was left unreadable: personal data, sessions and read models go, and the log's ciphertext stays.
    pub async fn discard(&self) -> Result<(), MoveError> {
        discard(&self.from, &self.tenant, &self.here).await
    }

    /// Gives the move up: the tenant stays, and the copy becomes unreadable.
    ///
    /// # Errors
    /// [`MoveError::Overtaken`] when the tenant has left.
    pub async fn undo(mut self) -> Result<(), MoveError> {
        if self.has_left() {
            return Err(MoveError::Overtaken);
        }
        self.step(PlacementState::Here, None).await?;
        discard(&self.to, &self.tenant, &self.there).await
    }

    async fn step(&mut self, state: PlacementState, time: Option<Duration>) -> Result<(), MoveError> {
        let next = Placement {
            state,
            ..self.here.clone()
        };
        let milliseconds = time.map(|time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        let stepped = self
            .from
            .place(&self.tenant, Some(&self.here), &next, milliseconds)
            .await;
        match stepped {
            Ok(done) => placed(done)?,
            // The answer was lost: the row tells.
            Err(error) => {
                let now = self.from.placement(&self.tenant).await.ok().flatten();
                if now.as_ref() != Some(&next) {
                    return Err(error.into());
                }
            }
        }
        self.here = next;
        Ok(())
    }

    async fn writing(&self) -> Result<Transaction, MoveError> {
        writing(&self.to, &self.tenant, self.there.moved_by).await
    }
}

/// A transaction that may write in a cell where the tenant does not live.
async fn writing(journal: &Journal, tenant: &TenantId, moved_by: Uuid) -> Result<Transaction, MoveError> {
    let mut transaction = journal.shared.database.begin_long_write(tenant.as_str()).await?;
    let named = format!("SET LOCAL caudal.move TO '{moved_by}'; SET LOCAL statement_timeout TO 0");
    transaction.execute(named.as_str()).await?;
    Ok(transaction)
}

/// Opens an arriving tenant. The raised epoch refuses appends of an earlier residence.
pub(super) async fn open(journal: &Journal, tenant: &TenantId, arriving: &Placement) -> Result<bool, JournalError> {
    let mut transaction = journal.shared.database.begin_write(tenant.as_str()).await?;
    let named = format!("SET LOCAL caudal.move TO '{}'", arriving.moved_by);
    transaction.execute(named.as_str()).await?;
    sqlx::query("UPDATE journal.heads SET epoch = epoch + 1 WHERE tenant = $1")
        .bind(tenant.as_str())
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    let here = Placement {
        state: PlacementState::Here,
        ..arriving.clone()
    };
    journal.place(tenant, Some(arriving), &here, None).await
}

async fn discard(journal: &Journal, tenant: &TenantId, row: &Placement) -> Result<(), MoveError> {
    let now = journal.placement(tenant).await?;
    let is_away = |now: &Placement| !now.state.is_residence() && now.moved_by == row.moved_by;
    if !now.is_some_and(|now| is_away(&now)) {
        return Err(MoveError::Overtaken);
    }
    let mut write = writing(journal, tenant, row.moved_by).await?;
    sqlx::query(
        "UPDATE journal.subject_keys
            SET master = NULL, wrapped = NULL, forgotten_at = coalesce(forgotten_at, clock_timestamp()), mac = NULL
          WHERE tenant = $1 AND wrapped IS NOT NULL",
    )
    .bind(tenant.as_str())
    .execute(&mut *write)
    .await?;
    for table in DISCARDED {
        let delete = format!("DELETE FROM journal.{table} WHERE tenant = $1");
        sqlx::query(&delete).bind(tenant.as_str()).execute(&mut *write).await?;
    }
    let read_models = sqlx::query("SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'read'")
        .fetch_all(&mut *write)
        .await?;
    for table in read_models {
        let delete = format!(
            "DELETE FROM read.{} WHERE tenant = $1",
            table.try_get::<&str, _>("name")?
        );
        sqlx::query(&delete).bind(tenant.as_str()).execute(&mut *write).await?;
    }
    write.commit().await?;
    OwnLists::discard(&journal.shared.database, tenant).await
}

async fn to_has_log(to: &Journal, tenant: &TenantId) -> Result<bool, MoveError> {
    match to.head(tenant).await {
        Ok(_) => Ok(true),
        Err(JournalError::UnknownTenant(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

async fn hash_at(
    connection: &mut PgConnection,
    tenant: &TenantId,
    position: i64,
) -> Result<Option<chain::Hash>, MoveError> {
    if position == 0 {
        return Ok(Some(chain::genesis(tenant.as_str())));
    }
    let hash = sqlx::query_scalar("SELECT hash FROM journal.events WHERE tenant = $1 AND position = $2")
        .bind(tenant.as_str())
        .bind(position)
        .fetch_optional(connection)
        .await?;
    Ok(hash)
}

/// The log that would be moved has events which no node wrote: the other cell would vouch for them.
fn unsigned(tenant: &TenantId, end: &LogEnd) -> MoveError {
    MoveError::Journal(JournalError::Diverged {
        tenant: tenant.clone(),
        divergence: Divergence {
            kind: DivergenceKind::HeadUnsigned,
            known: LogPoint::genesis(tenant.as_str()),
            found: Some(end.point()),
        },
    })
}

const fn placed(done: bool) -> Result<(), MoveError> {
    if done { Ok(()) } else { Err(MoveError::Overtaken) }
}
