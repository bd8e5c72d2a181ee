//! How long nodes take to notice: polling what they say of a tenant.

use crate::{
    client::{Attempt, Call, Client},
    dice::Dice,
    fleet::Fleet,
};
use serde_json::Value;
use std::{
    thread,
    time::{Duration, Instant},
};

/// How often a node is asked.
const POLL: Duration = Duration::from_millis(5);
/// How long a node may take before the harness stops asking.
const PATIENCE: Duration = Duration::from_secs(30);

/// What one node said over time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sight {
    /// When it first answered at all.
    pub answered: Option<Instant>,
    /// When an answer of the API first bore `X-Log-State`, or none did any more.
    pub header: Option<Instant>,
    /// When `/readyz` first named the tenant, or did not any more.
    pub readiness: Option<Instant>,
    /// How long the threads of nodes and database waited for a processor meanwhile. Nodes can't be blamed for that: on a
    /// machine that has nothing else to do it is some milliseconds.
    pub waited: Duration,
}

/// Whether `/readyz` names a tenant.
pub fn names(readiness: &Value, tenant: &str) -> bool {
    let listed = readiness["quarantined"].as_array().map(Vec::as_slice);
    listed.unwrap_or_default().iter().any(|name| name == tenant)
}

/// Whether all is well with a node but its writes, which it takes for failing some seconds after PostgreSQL was away.
pub fn reads(readiness: &Value) -> bool {
    let parts = ["database", "clock", "projector", "server"];
    parts.iter().all(|part| readiness[*part] == "ok")
}

/// Starts to ask all nodes until each says that the tenant is in quarantine, or is not.
pub fn watch(fleet: &Fleet, tenant: &str, wanted: bool) -> impl FnOnce(&Fleet) -> Vec<Sight> + use<> {
    let before = fleet.waits();
    let watchers: Vec<_> = fleet
        .addresses()
        .into_iter()
        .map(|address| {
            let client = Client::new(vec![address], tenant, fleet.tally.clone());
            let other = client.clone();
            let name = tenant.to_owned();
            let header = thread::spawn(move || until(|| is_marked(&client), wanted));
            let readiness =
                thread::spawn(move || until(|| other.readiness().map(|(_, body)| names(&body, &name)), wanted));
            (header, readiness)
        })
        .collect();
    move |fleet| {
        let joined = watchers.into_iter().map(|(header, readiness)| {
            let (answered, header) = header.join().expect("polling ends");
            let (_, readiness) = readiness.join().expect("polling ends");
            (answered, header, readiness)
        });
        let joined: Vec<_> = joined.collect();
        let waits = fleet.waits().into_iter();
        let waited = waits.map(|(pid, waited)| waited.saturating_sub(before.get(&pid).copied().unwrap_or_default()));
        let waited = waited.sum();
        let sights = joined.into_iter().map(|(answered, header, readiness)| Sight {
            answered,
            header,
            readiness,
            waited,
        });
        sights.collect()
    }
}

/// Asks until the answer is the one that is wanted: when there was an answer at all, and when it was that one.
fn until(ask: impl Fn() -> Option<bool>, wanted: bool) -> (Option<Instant>, Option<Instant>) {
    let started = Instant::now();
    let mut answered = None;
    while started.elapsed() < PATIENCE {
        let answer = ask();
        let now = Instant::now();
        if answer.is_some() {
            answered = answered.or(Some(now));
        }
        if answer == Some(wanted) {
            return (answered, Some(now));
        }
        thread::sleep(POLL);
    }
    (answered, None)
}

/// Whether an answer bears the header. The route does not exist, so that the answer costs no round trip to the database.
fn is_marked(client: &Client) -> Option<bool> {
    match client.attempt(&mut Dice::new(0, 0), None, &Call::new("GET", "/api/no-such-route")) {
        Attempt::Definite(answer) => Some(answer.diverged),
        Attempt::NotNow { diverged, .. } => Some(diverged),
        Attempt::Unknown { .. } => None,
    }
}
