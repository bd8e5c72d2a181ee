//! The watch: several times a second a node compares the logs with what it has seen, reads other nodes' reports, and
//! checks the database server's identity.
//!
//! | Step | What | Round trips |
//! |---|---|---|
//! | 1 | server identity and the count of changed rows of `journal.events`; a change raises a suspicion | 1 |
//! | 2 | reports of other nodes: adopts quarantines and decisions | 1 |
//! | 3 | each known tenant's head with its MAC, and its hash at the last seen point | 1 per [`MAX_TENANTS`] tenants |
//! | 4 | on a suspicion, the chains of the known tenants from event 1; at startup their last [`TAIL_AT_START`] events | several per tenant |
//!
//! A writer checks what it is about to use by itself; the watch covers idle tenants, so that every node notices within
//! a second.

use super::{
    Divergence, DivergenceKind, LogPoint,
    quarantine::Quarantine,
    reports::{self, Decision, StoredReport},
    settled::later_decisions,
};
use crate::{
    error::JournalError,
    journal::{Journal, Shared},
    keys::proofs,
    log::{chain::Hash, head, stored},
    proof::verify,
};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::Row as _;
use std::{collections::HashMap, io, sync::Arc, time::Duration};
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
/// Events per known tenant verified when a node starts: about a tenth of a second.
const TAIL_AT_START: i64 = 20_000;
/// How long ended reports are read. A node that was down longer ends its own quarantine by the tenant's rows.
const ENDED_FOR: TimeDelta = TimeDelta::days(7);

/// Signs that raise a suspicion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Signs {
    /// Rows of `journal.events` updated or deleted since the statistics began; the log is append-only. Statistics that are
    /// reset make it smaller.
    changed_events: i64,
    /// Start time of the server, in microseconds.
    started_at: i64,
}

impl Signs {
    const fn is_suspicious_after(self, before: Self) -> bool {
        self.changed_events != before.changed_events || self.started_at != before.started_at
    }
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
                        None => suspicion.add(TAIL_AT_START),
                        Some(before) if found.is_suspicious_after(before) => {
                            tracing::warn!("the database server was started again, or rows of the log were changed");
                            self.shared.histories.distrust_caches();
                            suspicion.add(i64::MAX);
                        }
                        Some(_) => {}
                    }
                    suspicion.follow(&self).await;
                }
                Ok(Err(error)) => tracing::debug!(%error, "the logs could not be watched"),
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
                    Some(found) => found.contradicts(point),
                    // The tenant's row is missing, with everything seen of it.
                    None => Some(Divergence {
                        kind: DivergenceKind::Shortened,
                        known: point,
                        found: None,
                    }),
                };
                match (divergence, found.get(&tenant)) {
                    (Some(divergence), _) => shared.diverged(&tenant, divergence, Some(generation)),
                    (None, Some(found)) => {
                        shared
                            .histories
                            .saw(&tenant, found.head, None, shared.clock.now(), Vec::new())
                    }
                    (None, None) => {}
                }
            }
        }
        // Last, so that changes before the check are part of its signs.
        shared.signs().await
    }

    /// Verifies the chains of all known tenants, completely or their last events. Returns whether all could be read.
    async fn verify_known(&self, events: i64) -> bool {
        let mut are_read = true;
        for (tenant, known, generation) in self.shared.histories.known_points() {
            match self.shared.verify_tail(&tenant, events).await {
                Ok(None) => {}
                Ok(Some(found)) => self.shared.diverged(
                    &tenant,
                    Divergence {
                        kind: DivergenceKind::Broken,
                        known,
                        found: Some(found),
                    },
                    Some(generation),
                ),
                Err(error) => {
                    tracing::warn!(%tenant, %error, "a chain could not be verified");
                    are_read = false;
                }
            }
        }
        are_read
    }
}

/// Verifications that suspicious signs ask for. They run beside the checks, which stay within their interval however long the
/// logs are.
#[derive(Default)]
struct Suspicion {
    /// Number of last events of each log to verify next.
    wanted: Option<i64>,
    under_way: Option<(i64, JoinHandle<bool>)>,
}

impl Suspicion {
    fn add(&mut self, events: i64) {
        self.wanted = self.wanted.max(Some(events));
    }

    /// Starts what is wanted once nothing is under way. A verification that could not read everything is repeated.
    async fn follow(&mut self, journal: &Journal) {
        if let Some((events, ended)) = self.under_way.take_if(|(_, task)| task.is_finished())
            && !ended.await.unwrap_or(false)
        {
            self.add(events);
        }
        if self.under_way.is_none()
            && let Some(events) = self.wanted.take()
        {
            let journal = journal.clone();
            let task = tokio::spawn(async move { journal.verify_known(events).await });
            self.under_way = Some((events, task));
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

    /// Heads of tenants with their hashes at seen points. One round trip.
    async fn look_at(
        &self,
        known: &[(TenantId, LogPoint, u64)],
    ) -> Result<HashMap<TenantId, TenantCheck>, JournalError> {
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
            let end_hash: Option<Hash> = row.try_get("end_hash")?;
            let end_at: Option<DateTime<Utc>> = row.try_get("end_recorded_at")?;
            let end = LogPoint {
                position: row.try_get("head_position")?,
                hash: row.try_get("head_hash")?,
            };
            let head_at = row.try_get("head_recorded_at")?;
            let mac = head::stored_mac(&row)?;
            let look = TenantCheck {
                head: end,
                head_at,
                end: end_hash.zip(end_at),
                known: row.try_get("known_hash")?,
                is_vouched_for: self.macs.vouches(tenant, end, head_at, mac.as_ref()),
            };
            found.insert(tenant.clone(), look);
        }
        Ok(found)
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
                    (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS started_at",
        )
        .fetch_one(self.database.pool())
        .await?;
        Ok(Signs {
            changed_events: row.try_get("changed")?,
            started_at: row.try_get("started_at")?,
        })
    }
}
