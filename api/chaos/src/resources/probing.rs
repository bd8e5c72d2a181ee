//! Probes: one command after the other, and what its answer has to be while something is missing.

use super::LASTS;
use crate::{
    client::{Attempt, Client},
    fleet::{Fleet, RECOVERY},
    worker::{Probe, Worker},
};
use std::{
    thread,
    time::{Duration, Instant},
};

/// The longest that a command may wait for its answer while the database says nothing: one statement, and finding out
/// what became of it.
pub(super) const ANSWERED_WITHIN: Duration = Duration::from_secs(75);

/// How long `/readyz` may take to see what is wrong.
pub(super) const SEEN_WITHIN: Duration = Duration::from_secs(8);

/// Tries are done or told 503 in time.
pub(super) fn judged(fleet: &Fleet, prober: &mut Worker, node: &Client, lasts: Duration) {
    let started = Instant::now();
    let mut slowest = Duration::ZERO;
    while started.elapsed() < lasts {
        let probe = prober.probe(node);
        judge(fleet, &probe, ANSWERED_WITHIN);
        slowest = slowest.max(probe.took);
        if probe.is_done() {
            fleet.tally.count("probes that were done");
        }
        thread::sleep(Duration::from_millis(50));
    }
    fleet.tally.add(
        "milliseconds of the slowest answers, added up",
        slowest.as_millis() as u64,
    );
}

/// During exhaustion, every request and `/readyz` are answered in time with an error.
pub(super) fn unavailable(fleet: &Fleet, prober: &mut Worker, node: &Client, lasts: Duration, within: Duration) {
    let started = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| watch(fleet, node, started, lasts));
        while started.elapsed() < lasts {
            let began = started.elapsed();
            let probe = prober.probe(node);
            judge(fleet, &probe, within);
            // What began before the fault, or ended after it, may have been done.
            let inside = began > Duration::from_secs(1) && started.elapsed() < lasts;
            if inside && probe.is_done() {
                fleet.tally.find(format!("done without a database: {probe:?}"));
            }
            thread::sleep(Duration::from_millis(200));
        }
    });
}

/// Asks `/readyz` all along.
fn watch(fleet: &Fleet, node: &Client, started: Instant, lasts: Duration) {
    while started.elapsed() < lasts {
        let asked = started.elapsed();
        let state = node.readiness();
        if asked > SEEN_WITHIN && started.elapsed() < lasts {
            fleet.tally.count("looks at /readyz during the fault");
            if !matches!(&state, Some((false, body)) if body["database"] != "ok") {
                fleet.tally.find(format!("/readyz says {state:?} without a database"));
            }
        }
        thread::sleep(Duration::from_millis(500));
    }
}

/// While there is little left of something, tries are done or told 503 in time; at least one is told so.
pub(super) fn told(fleet: &Fleet, prober: &mut Worker, node: &Client) {
    let started = Instant::now();
    let mut told = 0;
    // A database that has room in its own files, or a connection yet, goes on for a while.
    while started.elapsed() < LASTS || (told == 0 && started.elapsed() < LASTS * 4) {
        let probe = prober.probe(node);
        judge(fleet, &probe, ANSWERED_WITHIN);
        if !probe.is_done() {
            told += 1;
        }
        thread::sleep(Duration::from_millis(50));
    }
    fleet.tally.add("probes that were told to come again", told);
    if told == 0 {
        fleet.tally.find("nobody was told of it");
    }
}

/// An answer, or a 503 that says when to come again, in time.
fn judge(fleet: &Fleet, probe: &Probe, within: Duration) {
    fleet.tally.count("probes");
    if probe.took > within {
        fleet
            .tally
            .find(format!("an answer after {:?}: {:?}", probe.took, probe.attempt));
    }
    if let Attempt::Unknown { error } = &probe.attempt {
        fleet
            .tally
            .find(format!("no answer at all, after {:?}: {error}", probe.took));
    }
}

/// Tries until something is done.
pub(super) fn until_done(fleet: &Fleet, prober: &mut Worker, node: &Client, within: Duration) {
    let started = Instant::now();
    loop {
        let probe = prober.probe(node);
        if probe.is_done() {
            let took = started.elapsed();
            fleet
                .tally
                .add("milliseconds until something was done again", took.as_millis() as u64);
            if took > within {
                fleet.tally.find(format!("nothing was done for {took:?}"));
            }
            return;
        }
        if started.elapsed() > within * 2 {
            fleet.tally.find(format!("nothing is done: {probe:?}"));
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
}

pub(super) fn until_ready(fleet: &Fleet, node: &Client) {
    let started = Instant::now();
    loop {
        let state = node.readiness();
        if matches!(state, Some((true, _))) {
            return;
        }
        if started.elapsed() > RECOVERY {
            fleet.tally.find(format!("not ready: {state:?}"));
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
}
