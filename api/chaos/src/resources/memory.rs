//! Memory: little more than a node needs, and then less.

use super::{
    LASTS, TENANT,
    probing::{ANSWERED_WITHIN, judged},
};
use crate::{
    client::Client,
    dice::Dice,
    fleet::{Fleet, MANAGER},
    surroundings::Group,
    worker::Worker,
};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How much more memory a node may have than it was seen to need, in percent: how much the most of one half-minute differs
/// from that of another, and less than would make up for memory that is not given back.
const MEMORY_TO_SPARE_PERCENT: u64 = 30;

/// By how many bytes its limit is lowered as long as the kernel does not kill it, and how often.
const TIGHTER: u64 = 1 << 20;
const TIGHTER_EVERY: Duration = Duration::from_millis(500);

/// By how many bytes its limit is raised after it was killed: enough to start, and to serve for a while.
const LOOSER: u64 = 4 << 20;

/// How many log in at once, now and then: each hashing of a password takes 19 MB, which are given back.
const LOGINS_AT_ONCE: usize = 8;

/// How long they wait between: for as long others work.
const BETWEEN_LOGINS: Duration = Duration::from_secs(3);

/// How often it is looked how much a node needs: several times while a password is hashed.
const LOOKS_EVERY: Duration = Duration::from_millis(2);

/// Sees what a node needs under load, gives it little more, and then less.
pub(super) fn limit(fleet: &Fleet, group: &Group, prober: &mut Worker, node: &Client) {
    judged(fleet, prober, node, LASTS / 4);
    let most = needed(fleet, group, prober, node);
    tighten(fleet, group, most);
    while_others_log_in(fleet, || judged(fleet, prober, node, LASTS / 2));
    exhaust(fleet, group, most, prober, node);
}

/// Does something while some log in at once every few seconds.
fn while_others_log_in(fleet: &Fleet, work: impl FnOnce()) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for number in 0..LOGINS_AT_ONCE {
            let (stop, address) = (&stop, fleet.addresses());
            scope.spawn(move || {
                let client = Client::new(address, TENANT, fleet.tally.clone());
                let mut dice = Dice::new(number as u64, 2_000);
                while !stop.load(Ordering::Acquire) {
                    thread::sleep(BETWEEN_LOGINS);
                    client.log_in(&mut dice, MANAGER);
                }
            });
        }
        work();
        stop.store(true, Ordering::Release);
    });
}

/// The most memory that a node has under load, in bytes.
fn needed(fleet: &Fleet, group: &Group, prober: &mut Worker, node: &Client) -> u64 {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let looks = scope.spawn(|| {
            let mut most = 0;
            while !stop.load(Ordering::Acquire) {
                let used = group.figure("memory.stat", "total_rss ");
                most = most.max(used.expect("the kernel counts memory"));
                thread::sleep(LOOKS_EVERY);
            }
            most
        });
        while_others_log_in(fleet, || judged(fleet, prober, node, LASTS / 2));
        stop.store(true, Ordering::Release);
        looks.join().expect("the kernel counts memory")
    })
}

/// Gives a node's group little more memory than it needed.
fn tighten(fleet: &Fleet, group: &Group, most: u64) {
    let limit = most + most / 100 * MEMORY_TO_SPARE_PERCENT;
    fleet.tally.add("megabytes of memory under load, at most", most >> 20);
    fleet.tally.add("megabytes that it may have at first", limit >> 20);
    limit_memory(group, limit).expect("the kernel limits memory");
}

/// Gives a node less and less memory, until the kernel kills it whenever it has come to the limit, for a minute. It is started
/// again, as where a container's limit is too small. In the end it may have what it needs.
fn exhaust(fleet: &Fleet, group: &Group, most: u64, prober: &mut Worker, node: &Client) {
    let tally = &fleet.tally;
    let post = &fleet.posts[0];
    let killed = || {
        group
            .figure("memory.oom_control", "oom_kill ")
            .expect("the kernel counts kills")
    };
    let before = killed();
    if before > 0 {
        tally.find("the kernel killed a node that had memory to spare");
    }
    post.node.may_be_killed(true);
    while_others_log_in(fleet, || {
        let started = Instant::now();
        let (mut limit, mut kills, mut changed) = (most, before, started);
        while started.elapsed() < LASTS {
            let now = killed();
            let wanted = match now > kills {
                true => Some(limit + LOOSER),
                false if changed.elapsed() > TIGHTER_EVERY => Some(limit - TIGHTER),
                false => None,
            };
            if let Some(wanted) = wanted {
                (kills, changed) = (now, Instant::now());
                // No limit may be less than what is in use: it is tried again the next time.
                if limit_memory(group, wanted).is_ok() {
                    limit = wanted;
                }
            }
            // A killed node does not answer; a running one answers in time.
            let probe = prober.probe(node);
            tally.count("probes under the kernel's kills");
            if probe.is_done() {
                tally.count("probes under the kernel's kills that were done");
            }
            if probe.took > ANSWERED_WITHIN {
                tally.find(format!("an answer after {:?}: {:?}", probe.took, probe.attempt));
            }
            thread::sleep(Duration::from_millis(50));
        }
        tally.add("megabytes that it might have in the end", limit >> 20);
    });
    group
        .set("memory.limit_in_bytes", "-1")
        .expect("the kernel lifts limits");
    // Whoever was killed last is seen to have ended.
    thread::sleep(Duration::from_secs(1));
    post.node.may_be_killed(false);
    let (kills, ends) = (killed() - before, post.node.killed());
    tally.add("times that the kernel killed the node for its memory", kills);
    if kills == 0 || kills != ends {
        tally.find(format!(
            "the kernel killed {kills} times, and a node ended so {ends} times"
        ));
    }
    if tally.counted("probes under the kernel's kills that were done") == 0 {
        tally.find("nothing was done between the kernel's kills");
    }
}

/// Bytes of memory for a group. No swap either, which would only put the end off.
fn limit_memory(group: &Group, limit: u64) -> std::io::Result<()> {
    group.set("memory.swappiness", "0")?;
    group.set("memory.limit_in_bytes", &limit.to_string())
}
