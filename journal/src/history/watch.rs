//! The watch: several times a second a node compares the logs with what it has seen, reads other nodes' reports, and
//! checks the database server's identity.
//!
//! | Step | What | Round trips |
//! |---|---|---|
//! | 1 | [`Signs`] of the server and of `journal.events`; a change raises a suspicion | 1 |
//! | 2 | reports of other nodes: adopts quarantines and decisions | 1 |
//! | 3 | each known tenant's head with its MAC, and its hash at the last seen point | 1 per [`MAX_TENANTS`] tenants |
//! | 4 | on a suspicion, the chains of all tenants from event 1, one after the other | several per tenant |
//!
//! A writer checks what it is about to use by itself; the watch covers idle tenants, so that every node notices within
//! a second.
//!
//! A suspicion holds for a tenant until its chain was verified, whether or not this process has opened the tenant: a state
//! snapshot hides a changed event from the writer that opens it. A start is a suspicion too, unless the evidence folder
//! remembers that all chains were verified under the present signs; then the last [`TAIL_AT_START`] events are verified.

use super::{
    Divergence, DivergenceKind, LogPoint,
    quarantine::Quarantine,
    reports::{self, Decision, StoredReport},
    settled::later_decisions,
};
use crate::{
    beside::authenticity::RowMacs,
    error::JournalError,
    journal::{Journal, Shared},
    keys::proofs,
    log::{chain::Hash, head, stored},
    proof::verify,
};
use caudal_domain::ids::TenantId;
use caudal_postgres::Timestamp;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{Row as _, postgres::PgRow};
use std::{
    collections::{BTreeSet, HashMap},
    io,
    sync::Arc,
    time::Duration,
};
use tokio::{sync::watch, task::JoinHandle};

/// Check interval: two checks per second at least.
pub(crate) const INTERVAL: Duration = Duration::from_millis(300);
/// Timeout of a check.
const PATIENCE: Duration = Duration::from_secs(10);
/// Timeout of one connection attempt before a check. The pool's own back-off grows up to a second; a separate attempt
/// starts with short waits again.
const REACH_PATIENCE: Duration = Duration::from_millis(200);
/// Tenants compared per check; more take turns.
const MAX_TENANTS: usize = 1_000;
/// Events per tenant verified when a node starts and all chains were verified under the present signs: about a tenth of a second.
const TAIL_AT_START: i64 = 20_000;
/// How long ended reports are read. A node that was down longer ends its own quarantine by the tenant's rows.
const ENDED_FOR: TimeDelta = TimeDelta::days(7);

/// Signs whose change raises a suspicion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Signs {
    /// Rows of `journal.events` updated or deleted since the statistics began; the log is append-only. Statistics that are
    /// reset make it smaller.
    changed_events: i64,
    /// File of `journal.events`. TRUNCATE, which no count of rows shows, CLUSTER and VACUUM FULL give the table another one; so has
    /// another table of this name.
    events_file: i64,
    /// Start time of the server, in microseconds.
    started_at: i64,
}

/// Result of checking one tenant.
struct TenantCheck {
    head: LogPoint,
    head_at: DateTime<Utc>,
    end: Option<(Hash, DateTime<Utc>)>,
    known: Option<Hash>,
    /// Whether the head's MAC is valid.
    is_vouched_for: bool,
}

impl Journal {
    /// Runs until `stop` turns true.
    pub async fn watch(self, mut stop: watch::Receiver<bool>) {
        let mut signs: Option<Signs> = None;
        let mut suspicion = Suspicion::default();
        let mut server = self.shared.database.server();
        server.mark_unchanged();
        let mut turn = 0_usize;
        let mut proven = Vec::new();
        loop {
            if server.has_changed().unwrap_or(false) {
                server.mark_unchanged();
                self.shared.histories.distrust_caches();
            }
            let looked = async {
                self.reach().await?;
                self.look(&mut turn).await
            };
            match tokio::time::timeout(PATIENCE, looked).await {
                Ok(Ok(found)) => {
                    match signs.replace(found) {
                        None if self.shared.histories.verified_under() == Some(found) => {
                            suspicion.add(TAIL_AT_START, found);
                        }
                        None => suspicion.add(i64::MAX, found),
                        Some(before) if found != before => {
                            tracing::warn!("the database server was started again, or rows of the log were changed");
                            self.shared.histories.distrust_caches();
                            suspicion.add(i64::MAX, found);
                        }
                        Some(_) => {}
                    }
                    suspicion.follow(&self).await;
                }
                Ok(Err(error @ (JournalError::Database(_) | JournalError::Begin(_)))) => {
                    tracing::debug!(%error, "the logs could not be watched");
                }
                Ok(Err(error)) => tracing::error!(%error, "the logs could not be watched"),
                Err(_) => tracing::warn!("the database took too long to be watched"),
            }
            self.prove_session_keys(&mut proven).await;
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }

    /// Compares session keys that a rotation brought with those of other nodes.
    async fn prove_session_keys(&self, proven: &mut Vec<(String, [u8; 32])>) {
        let found = self.shared.keyring.session_proofs();
        if found == *proven {
            return;
        }
        match proofs::check_sessions(&self.shared.database, &found).await {
            Ok(()) => *proven = found,
            Err(JournalError::Keys(error)) => {
                tracing::error!(%error, "this node's access tokens are refused by others");
                *proven = found;
            }
            Err(error) => tracing::debug!(%error, "the session keys could not be compared"),
        }
    }

    /// Checks quickly whether the database is reachable, unless all connections are in use.
    async fn reach(&self) -> Result<(), JournalError> {
        let pool = self.shared.database.pool();
        match tokio::time::timeout(REACH_PATIENCE, pool.acquire()).await {
            Ok(acquired) => acquired?,
            Err(_) if pool.size() >= pool.options().get_max_connections() => pool.acquire().await?,
            Err(_) => return Err(sqlx::Error::PoolTimedOut.into()),
        };
        Ok(())
    }

    /// Runs one complete check. For tests, and for one-shot commands.
    pub async fn look_once(&self) -> Result<(), JournalError> {
        self.look(&mut 0).await.map(drop)
    }

    async fn look(&self, turn: &mut usize) -> Result<Signs, JournalError> {
        let shared = &self.shared;
        let mut failovers = shared.database.failovers();
        failovers.mark_unchanged();
        shared.exchange_reports().await?;
        let mut known = shared.histories.known_points();
        if known.len() > MAX_TENANTS {
            known.sort_by(|(one, ..), (other, ..)| one.cmp(other));
            *turn = (*turn + MAX_TENANTS) % known.len();
            known.rotate_left(*turn);
            known.truncate(MAX_TENANTS);
        }
        if !known.is_empty() {
            let found = shared.look_at(&known).await?;
            // A result read from the previous primary is void: it may lack what the new primary has, or show what was
            // never replicated.
            if failovers.has_changed().unwrap_or(false) {
                return Err(sqlx::Error::Io(io::ErrorKind::ConnectionAborted.into()).into());
            }
            for (tenant, point, generation) in known {
                let divergence = match found.get(&tenant) {
                    Some(Some(found)) => found.contradicts(point),
                    // Values that no node writes: each is this tenant's alone.
                    Some(None) => Some(Divergence {
                        kind: DivergenceKind::HeadChanged,
                        known: point,
                        found: None,
                    }),
                    // The tenant's row is missing, with everything seen of it.
                    None => Some(Divergence {
                        kind: DivergenceKind::Shortened,
                        known: point,
                        found: None,
                    }),
                };
                match (divergence, found.get(&tenant)) {
                    (Some(divergence), _) => shared.diverged(&tenant, divergence, Some(generation)),
                    (None, Some(Some(found))) => {
                        shared
                            .histories
                            .saw(&tenant, found.head, None, shared.clock.now(), Vec::new())
                    }
                    (None, _) => {}
                }
            }
        }
        // Last, so that changes before the check are part of its signs.
        shared.signs().await
    }

    /// Verifies chains, and remembers the signs once all were verified from event 1. Returns what is left: the logs that could not
    /// be read.
    async fn verify_chains(&self, wanted: Wanted) -> Option<Wanted> {
        let tenants = match &wanted.tenants {
            Some(tenants) => tenants.clone(),
            None => match self.tenant_names().await {
                Ok(names) => {
                    let known = self
                        .shared
                        .histories
                        .known_points()
                        .into_iter()
                        .map(|(tenant, ..)| tenant);
                    // Nothing opens a tenant of an impossible name.
                    known.chain(names.iter().filter_map(|name| name.parse().ok())).collect()
                }
                Err(error) => {
                    tracing::warn!(%error, "the tenants whose chains are to be verified could not be listed");
                    return Some(wanted);
                }
            },
        };
        let mut left = BTreeSet::new();
        for tenant in tenants {
            match self.shared.verify_chain_of(&tenant, wanted.events).await {
                // The check of the heads notices a known tenant that is missing.
                Ok(true) | Err(JournalError::UnknownTenant(_)) => {}
                Ok(false) => {
                    left.insert(tenant);
                }
                Err(error) => {
                    tracing::warn!(%tenant, %error, "a chain could not be verified");
                    left.insert(tenant);
                }
            }
        }
        if !left.is_empty() {
            let tenants = Some(left);
            return Some(Wanted { tenants, ..wanted });
        }
        if wanted.events == i64::MAX {
            self.shared.histories.remember_verified(wanted.signs);
        }
        None
    }
}

/// Chains to verify.
#[derive(Clone, Debug)]
struct Wanted {
    /// Number of last events of each log; `i64::MAX` for all.
    events: i64,
    /// `None` for all tenants of the database.
    tenants: Option<BTreeSet<TenantId>>,
    /// The signs before the verification.
    signs: Signs,
}

/// Verifications that suspicious signs ask for. They run beside the checks, which stay within their interval however long the
/// logs are.
#[derive(Default)]
struct Suspicion {
    wanted: Option<Wanted>,
    under_way: Option<(Wanted, JoinHandle<Option<Wanted>>)>,
}

impl Suspicion {
    /// Wants the last events of all logs, or more where more are wanted already.
    fn add(&mut self, events: i64, signs: Signs) {
        let events = self.wanted.take().map_or(events, |wanted| wanted.events.max(events));
        self.wanted = Some(Wanted {
            events,
            tenants: None,
            signs,
        });
    }

    /// Starts what is wanted once nothing is under way. What a verification could not read is repeated, and all of one that
    /// panicked.
    async fn follow(&mut self, journal: &Journal) {
        if let Some((begun, ended)) = self.under_way.take_if(|(_, task)| task.is_finished())
            && let Some(left) = ended.await.unwrap_or(Some(begun))
        {
            match &mut self.wanted {
                // A later suspicion is one of all tenants.
                Some(wanted) => wanted.events = wanted.events.max(left.events),
                None => self.wanted = Some(left),
            }
        }
        if self.under_way.is_none()
            && let Some(wanted) = self.wanted.take()
        {
            let (journal, begun) = (journal.clone(), wanted.clone());
            let task = tokio::spawn(async move { journal.verify_chains(begun).await });
            self.under_way = Some((wanted, task));
        }
    }
}

impl Drop for Suspicion {
    fn drop(&mut self) {
        if let Some((_, task)) = &self.under_way {
            task.abort();
        }
    }
}

impl TenantCheck {
    /// `None` for values that no node writes.
    fn from_row(row: &PgRow, macs: &RowMacs, tenant: &TenantId) -> Option<Self> {
        let end_hash: Option<Hash> = row.try_get("end_hash").ok()?;
        let end_at = Timestamp::of(row, "end_recorded_at").ok()?;
        let head = LogPoint {
            position: row.try_get("head_position").ok()?,
            hash: row.try_get("head_hash").ok()?,
        };
        let head_at = Timestamp::of(row, "head_recorded_at")
            .ok()?
            .unwrap_or(DateTime::<Utc>::MIN_UTC);
        let mac = head::stored_mac(row).ok()?;
        Some(Self {
            head,
            head_at,
            end: end_hash.zip(end_at),
            known: row.try_get("known_hash").ok()?,
            is_vouched_for: macs.vouches(tenant, head, head_at, mac.as_ref()),
        })
    }

    /// How the log contradicts a seen point, if it does.
    fn contradicts(&self, known: LogPoint) -> Option<Divergence> {
        let diverged = |kind, found| {
            Some(Divergence {
                kind,
                known,
                found: Some(found),
            })
        };
        if self.head.position < known.position {
            return diverged(DivergenceKind::Shortened, self.head);
        }
        if known.position > 0 && self.known != Some(known.hash) {
            let found = self.known.map_or(self.head, |hash| LogPoint {
                position: known.position,
                hash,
            });
            return diverged(DivergenceKind::Rewritten, found);
        }
        if self.head.position > 0 && self.end != Some((self.head.hash, self.head_at)) {
            return diverged(DivergenceKind::HeadChanged, self.head);
        }
        if !self.is_vouched_for {
            return diverged(DivergenceKind::HeadUnsigned, self.head);
        }
        None
    }
}

impl Shared {
    /// Quarantines a tenant and informs the other nodes. Ignored when the comparison used an earlier generation of the
    /// history.
    pub(crate) fn diverged(self: &Arc<Self>, tenant: &TenantId, divergence: Divergence, generation: Option<u64>) {
        let entered = self
            .histories
            .diverged(tenant, divergence, generation, self.clock.now());
        if entered.is_some() {
            self.publish_reports(tenant);
        }
    }

    /// Publishes a tenant's report, or adopts the decision that precedes it. Failures are retried at the next check; a node that
    /// closes has told the others.
    pub(crate) fn publish_reports(self: &Arc<Self>, tenant: &TenantId) {
        let (shared, tenant) = (self.clone(), tenant.clone());
        let working = self.at_work();
        tokio::spawn(async move {
            let _working = working;
            if let Err(error) = shared.exchange_reports().await {
                tracing::warn!(%tenant, %error, "the other nodes could not be told of a quarantine");
            }
        });
    }

    /// Publishes this node's reports, adopts other nodes' reports and operators' decisions.
    pub(crate) async fn exchange_reports(&self) -> Result<(), JournalError> {
        let now = self.clock.now();
        let stored = reports::all(&self.database, &self.keyring, now - ENDED_FOR)
            .await?
            .stored;
        for other in stored.iter().filter(|stored| stored.decision.is_none()) {
            if !self.histories.is_ending(&other.report.tenant) {
                self.histories.adopt(&other.report, now);
            }
        }
        if self.histories.must_check_reports() {
            for tenant in reports::changed(&self.database, &self.keyring).await? {
                self.histories.reports_changed(&tenant, now);
            }
            self.histories.reports_are_checked();
        }
        for own in self.histories.quarantines() {
            self.settle(&stored, own, now).await?;
        }
        Ok(())
    }

    /// Adopts the decision about a report, or publishes the report. A decision that did not know all that the report knows makes
    /// it a new report.
    async fn settle(
        &self,
        stored: &[StoredReport],
        own: Arc<Quarantine>,
        now: DateTime<Utc>,
    ) -> Result<(), JournalError> {
        let mut decisions = self.decisions(stored, &own);
        let mut settled = self.settled(&own, &decisions).await?;
        let earlier;
        if settled.is_none() {
            // A node may have been down for long.
            earlier = self.reports_of(&own.tenant).await?;
            decisions = self.decisions(&earlier, &own);
            settled = self.settled(&own, &decisions).await?;
        }
        if self.histories.is_ending(&own.tenant) {
            return Ok(());
        }
        let published = stored.iter().find(|stored| stored.report.id == own.id);
        if let Some(decision) = settled {
            if published.is_none() {
                reports::publish_ended(&self.database, &self.keyring, &own, decision).await?;
            }
            self.histories
                .release(&own.tenant, own.id, decision.start(), decision.accepted, now);
            return Ok(());
        }
        let is_ended = published.is_some_and(|published| published.decision.is_some());
        let own = match decisions.first() {
            Some(newest) if is_ended || own.since <= newest.at => {
                let since = now.max(newest.at + TimeDelta::microseconds(1));
                self.histories.report_again(&own, since)
            }
            _ => Some(own).filter(|_| published.is_none()),
        };
        if let Some(own) = own {
            reports::publish(&self.database, &self.keyring, &own).await?;
        }
        Ok(())
    }

    /// All reports about a tenant.
    async fn reports_of(&self, tenant: &TenantId) -> Result<Vec<StoredReport>, JournalError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let stored = reports::of_tenant(&mut transaction, &self.keyring, tenant).await?;
        transaction.commit().await?;
        Ok(stored.stored)
    }

    /// Decisions that this node may adopt for a report, newest first.
    fn decisions(&self, stored: &[StoredReport], own: &Quarantine) -> Vec<Decision> {
        let taken = self.histories.history(&own.tenant).and_then(|history| history.began_by);
        let mut later = later_decisions(stored, own);
        later.retain(|decision| taken != Some(decision.start()));
        later
    }

    /// Heads of tenants with their hashes at seen points; `None` for values that no node writes. One round trip.
    async fn look_at(
        &self,
        known: &[(TenantId, LogPoint, u64)],
    ) -> Result<HashMap<TenantId, Option<TenantCheck>>, JournalError> {
        let rows = sqlx::query("SELECT * FROM journal.look_signed($1, $2)")
            .bind(known.iter().map(|(tenant, ..)| tenant.as_str()).collect::<Vec<_>>())
            .bind(known.iter().map(|(_, point, _)| point.position).collect::<Vec<_>>())
            .fetch_all(self.database.pool())
            .await?;
        let mut found = HashMap::new();
        for row in rows {
            let name: &str = row.try_get("tenant")?;
            let Some((tenant, ..)) = known.iter().find(|(tenant, ..)| tenant.as_str() == name) else {
                continue;
            };
            found.insert(tenant.clone(), TenantCheck::from_row(&row, &self.macs, tenant));
        }
        Ok(found)
    }

    /// Verifies the chain of a tenant's last events; a fault quarantines the tenant. Returns `false` when the history was replaced
    /// meanwhile, to which a fault may belong.
    async fn verify_chain_of(self: &Arc<Self>, tenant: &TenantId, events: i64) -> Result<bool, JournalError> {
        let histories = &self.histories;
        if histories.quarantine(tenant).is_some() {
            return Ok(true);
        }
        let generation = histories.generation(tenant);
        let Some(found) = self.verify_tail(tenant, events).await? else {
            return Ok(true);
        };
        let history = histories.history(tenant);
        let divergence = Divergence {
            kind: DivergenceKind::Broken,
            known: history.map_or_else(|| LogPoint::genesis(tenant.as_str()), |history| history.point),
            found: Some(found),
        };
        self.diverged(tenant, divergence, Some(generation));
        Ok(histories.quarantine(tenant).is_some())
    }

    /// Recomputes the chain of a tenant's last events. Returns the last point before a break, or `None` when it is
    /// whole.
    async fn verify_tail(&self, tenant: &TenantId, events: i64) -> Result<Option<LogPoint>, JournalError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let end = verify::end(&mut transaction, tenant).await?;
        let first = end.position.saturating_sub(events).max(0);
        let mut at = LogPoint::genesis(tenant.as_str());
        if first > 0 {
            let base = stored::page(&mut transaction, tenant, first - 1, 1).await?;
            match base.first().and_then(|event| Some((event.position, event.hash?))) {
                Some((position, hash)) if position == first => at = LogPoint { position, hash },
                _ => {
                    return Ok(Some(LogPoint {
                        position: first - 1,
                        ..at
                    }));
                }
            }
        }
        while at.position < end.position {
            let page = stored::page(&mut transaction, tenant, at.position, verify::PAGE).await?;
            if page.is_empty() {
                return Ok(Some(at));
            }
            for event in &page {
                match event
                    .expected_hash(tenant, &at.hash)
                    .filter(|hash| event.hash == Some(*hash))
                {
                    Some(hash) if event.position == at.position + 1 => {
                        at = LogPoint {
                            position: event.position,
                            hash,
                        };
                    }
                    _ => return Ok(Some(at)),
                }
            }
        }
        Ok(None)
    }

    async fn signs(&self) -> Result<Signs, JournalError> {
        let row = sqlx::query(
            "SELECT coalesce((SELECT n_tup_upd + n_tup_del FROM pg_stat_all_tables
                               WHERE relid = 'journal.events'::regclass), 0) AS changed,
                    coalesce(pg_relation_filenode('journal.events'::regclass)::bigint, 0) AS file,
                    (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS started_at",
        )
        .fetch_one(self.database.pool())
        .await?;
        Ok(Signs {
            changed_events: row.try_get("changed")?,
            events_file: row.try_get("file")?,
            started_at: row.try_get("started_at")?,
        })
    }
}
