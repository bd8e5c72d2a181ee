//! What must hold after a schedule: the set equality of acknowledged and stored, and the log's own rules.

use super::{model::ServerLog, world::RequestKind};
use crate::{
    history::LogPoint,
    log::{
        chain,
        head::Head,
        read::{self, Metadata},
    },
    submission::Committed,
};
use caudal_domain::{Account, AccountKind, TenantState, ids::TenantId, money::CurrencyCode};
use std::collections::{BTreeMap, HashMap};
use tokio::time::Instant;
use uuid::Uuid;

/// What a client was told.
#[derive(Debug)]
pub(super) enum Outcome {
    Done(Box<Committed>),
    /// The business rules refuse it.
    Refused(&'static str),
    /// Nothing was written.
    Nothing,
    Unknown,
    /// What no client may be told.
    Broken(String),
}

/// One command sent once.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) tenant: usize,
    pub(super) request: Uuid,
    /// The node that ran it.
    pub(super) node: usize,
    pub(super) request_kind: RequestKind,
    pub(super) began: Instant,
    /// When that node answered: another node may have passed it on later.
    pub(super) answered: Instant,
    pub(super) ended: Instant,
    pub(super) outcome: Outcome,
}

/// What a client was shown of the state.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) tenant: usize,
    pub(super) began: Instant,
    pub(super) point: LogPoint,
    /// The cents in the treasury.
    pub(super) treasury: i64,
}

/// What a node shows after the schedule.
pub(super) struct View {
    pub(super) state: (TenantState, Head),
    pub(super) is_quarantined: bool,
    pub(super) known: Option<LogPoint>,
}

/// The log as it is after the schedule.
struct Log {
    /// The requests of the events, by position.
    requests: Vec<Uuid>,
    state: TenantState,
    /// The cents in the treasury after each position.
    treasury: Vec<i64>,
}

pub(super) fn check(
    tenant: &TenantId,
    attempts: &[&Attempt],
    reads: &[&Read],
    server: &ServerLog,
    views: &[View],
) -> Result<(), String> {
    let log = chained(tenant, server)?;
    answers(attempts, server, &log)?;
    refusals(attempts, server, &log)?;
    states(attempts, reads, server, &log)?;
    nodes(attempts, server, views, &log)
}

/// The chain, the positions, the sequences and the times of the log.
fn chained(tenant: &TenantId, server: &ServerLog) -> Result<Log, String> {
    let stored = &server.stored;
    let mut last = chain::genesis(tenant.as_str());
    let mut sequences: HashMap<(&str, &str), i64> = HashMap::new();
    let mut log = Log {
        requests: Vec::new(),
        state: TenantState::default(),
        treasury: Vec::new(),
    };
    let treasury = Account::of_tenant(AccountKind::Treasury, CurrencyCode::USD);
    let mut time = None;
    for (expected, event) in (1..).zip(&stored.events) {
        if event.position != expected {
            return Err(format!("position {expected} is {}", event.position));
        }
        if event.hash.is_none() || event.expected_hash(tenant, &last) != event.hash {
            return Err(format!("the chain is broken at {expected}"));
        }
        if time > event.recorded_at {
            return Err(format!("time goes back at {expected}"));
        }
        time = event.recorded_at;
        last = event.hash.unwrap_or_default();
        let sequence = sequences
            .entry((&event.aggregate_type, &event.aggregate_id))
            .or_default();
        *sequence += 1;
        if event.sequence != *sequence {
            return Err(format!("a stream has a gap at {expected}"));
        }
        let recorded = read::decoded(tenant, &event.row()).map_err(|error| format!("{expected}: {error}"))?;
        log.state.apply(&recorded.event, recorded.recorded_at);
        log.treasury.push(log.state.balance(treasury).minor());
        let metadata: &Metadata = &recorded.metadata;
        log.requests.push(metadata.request.parse().unwrap_or_default());
    }
    let count = i64::try_from(stored.events.len()).unwrap_or(i64::MAX);
    if (stored.head.position, stored.head.hash) != (count, last) {
        return Err(format!(
            "the head is not the end: {} and {count} events",
            stored.head.position
        ));
    }
    Ok(log)
}

/// Acknowledged = stored, each once; what was refused left nothing; answers and numbers are each client's own.
fn answers(attempts: &[&Attempt], server: &ServerLog, log: &Log) -> Result<(), String> {
    let mut stored: HashMap<Uuid, usize> = HashMap::new();
    for request in &log.requests {
        *stored.entry(*request).or_default() += 1;
    }
    let mut by_request: BTreeMap<Uuid, Vec<&Attempt>> = BTreeMap::new();
    for attempt in attempts {
        by_request.entry(attempt.request).or_default().push(attempt);
    }
    let mut numbers: HashMap<String, Uuid> = HashMap::new();
    let mut emails: HashMap<u64, Uuid> = HashMap::new();
    for (request, attempts) in by_request {
        let count = stored.get(&request).copied().unwrap_or_default();
        let mut kept: Vec<&Committed> = Vec::new();
        let (mut done, mut unknown) = (false, false);
        for attempt in &attempts {
            match &attempt.outcome {
                Outcome::Done(committed) => {
                    done = true;
                    if is_lost(server, attempt, committed) {
                        continue;
                    }
                    if request_at(log, committed.position) == Some(request) {
                        kept.push(committed);
                        if let Some(number) = &committed.answer.number
                            && numbers
                                .insert(number.clone(), request)
                                .is_some_and(|other| other != request)
                        {
                            return Err(format!("the number {number} was given twice"));
                        }
                        if let RequestKind::Register(email) = attempt.request_kind
                            && emails.insert(email, request).is_some_and(|other| other != request)
                        {
                            return Err("a unique value was given twice".to_owned());
                        }
                    } else {
                        return Err(format!("acknowledged and not stored: {attempt:?}"));
                    }
                }
                Outcome::Unknown => unknown = true,
                Outcome::Broken(what) => return Err(format!("{what}: {attempt:?}")),
                Outcome::Refused(_) | Outcome::Nothing => {}
            }
        }
        if count > 1 {
            return Err(format!("stored {count} times: {attempts:?}"));
        }
        if count == 1 && !done && !unknown {
            return Err(format!("refused and stored: {attempts:?}"));
        }
        if kept.windows(2).any(|pair| pair[0].answer != pair[1].answer) {
            return Err(format!("two answers to one request: {attempts:?}"));
        }
        if server.failovers.is_empty() && kept.iter().filter(|committed| !committed.replayed).count() > 1 {
            return Err(format!("done twice: {attempts:?}"));
        }
    }
    Ok(())
}

fn request_at(log: &Log, position: i64) -> Option<Uuid> {
    let index = usize::try_from(position.checked_sub(1)?).ok()?;
    log.requests.get(index).copied()
}

/// Whether a failover has lost what was acknowledged before it.
fn is_lost(server: &ServerLog, attempt: &Attempt, committed: &Committed) -> bool {
    let lost = |(at, position): &(Instant, i64)| attempt.answered <= *at && committed.position > *position;
    server.failovers.iter().any(lost)
}

/// A refusal was true at a moment between question and answer.
fn refusals(attempts: &[&Attempt], server: &ServerLog, log: &Log) -> Result<(), String> {
    if !server.failovers.is_empty() {
        return Ok(());
    }
    for attempt in attempts {
        let Outcome::Refused(code) = attempt.outcome else {
            continue;
        };
        let is_true = match attempt.request_kind {
            RequestKind::CashOut(cents) => (1..).zip(&log.treasury).any(|(position, treasury)| {
                let from = server.committed_at.get(&position);
                let to = server.committed_at.get(&(position + 1));
                *treasury < cents
                    && from.is_none_or(|from| *from <= attempt.ended)
                    && to.is_none_or(|to| *to >= attempt.began)
            }),
            RequestKind::Register(email) => attempts
                .iter()
                .any(|other| other.request != attempt.request && other.request_kind == RequestKind::Register(email)),
            RequestKind::Deposit | RequestKind::Change => false,
        };
        if !is_true {
            return Err(format!("refused with {code} for no reason: {attempt:?}"));
        }
    }
    Ok(())
}

/// A read shows the state at a place in the log, which is not before what was acknowledged when it began.
fn states(attempts: &[&Attempt], reads: &[&Read], server: &ServerLog, log: &Log) -> Result<(), String> {
    if !server.failovers.is_empty() {
        return Ok(());
    }
    for read in reads {
        let at = usize::try_from(read.point.position - 1).ok();
        let stored = at.and_then(|at| Some((server.stored.events.get(at)?.hash?, *log.treasury.get(at)?)));
        if stored != Some((read.point.hash, read.treasury)) {
            return Err(format!("a read shows what the log does not: {read:?}"));
        }
        let is_before = |attempt: &&&Attempt| match &attempt.outcome {
            Outcome::Done(committed) => attempt.ended < read.began && committed.position > read.point.position,
            _ => false,
        };
        if let Some(attempt) = attempts.iter().find(is_before) {
            return Err(format!(
                "a read does not show what was acknowledged: {read:?}, {attempt:?}"
            ));
        }
    }
    Ok(())
}

/// Nodes show the log as it is, or are in quarantine for what they had seen.
fn nodes(attempts: &[&Attempt], server: &ServerLog, views: &[View], log: &Log) -> Result<(), String> {
    for (node, view) in views.iter().enumerate() {
        let is_in_log = view.known.is_none_or(|known| {
            let event = usize::try_from(known.position - 1)
                .ok()
                .and_then(|at| server.stored.events.get(at));
            known.position == 0 || event.is_some_and(|event| event.hash == Some(known.hash))
        });
        if view.is_quarantined && server.failovers.is_empty() {
            return Err(format!("node {node} is in quarantine without a loss"));
        }
        if !view.is_quarantined && !is_in_log {
            return Err(format!(
                "node {node} has seen what is not in the log, and is not in quarantine"
            ));
        }
        let (state, head) = &view.state;
        if !view.is_quarantined && (head.point() != server.stored.head.point() || *state != log.state) {
            return Err(format!("node {node} shows another state than the log's"));
        }
        let of_node = || attempts.iter().filter(|attempt| attempt.node == node);
        let lost = of_node().filter_map(|attempt| match &attempt.outcome {
            Outcome::Done(committed) => {
                let (at, _) = server
                    .failovers
                    .iter()
                    .find(|(at, position)| attempt.answered <= *at && committed.position > *position)?;
                Some(*at)
            }
            _ => None,
        });
        if let Some(lost_at) = lost.min()
            && of_node().any(|attempt| matches!(attempt.outcome, Outcome::Done(_)) && attempt.answered > lost_at)
        {
            return Err(format!("node {node} goes on after what it acknowledged was lost"));
        }
    }
    Ok(())
}
