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
use nix::sys::signal::Signal;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How much more memory a node may have than it needed, in percent: less than a busy hour makes it grow by.
const MEMORY_TO_SPARE_PERCENT: u64 = 10;

/// How much memory a node may have of what it needs above the least, in percent, when it is too little: enough to start, to
/// serve and to hash one password, but not two.
const TOO_LITTLE_MEMORY_PERCENT: u64 = 70;

/// How many log in at once, now and then: each hashing of a password takes 19 MB, which are given back.
const LOGINS_AT_ONCE: usize = 8;

/// How long they wait between: for as long others work.
const BETWEEN_LOGINS: Duration = Duration::from_secs(3);

/// How often it is looked how much a node needs: several times while a password is hashed.
const LOOKS_EVERY: Duration = Duration::from_millis(2);

/// How long the kernel may take until it has back what a killed node had.
const FREED_WITHIN: Duration = Duration::from_secs(10);

/// Sees what a node needs under load, gives it little more, and then less.
pub(super) fn limit(fleet: &Fleet, group: &Group, prober: &mut Worker, node: &Client) {
    judged(fleet, prober, node, LASTS / 4);
    let need = needed(fleet, group, prober, node);
    tighten(fleet, group, &need);
    while_others_log_in(fleet, || judged(fleet, prober, node, LASTS / 2));
    exhaust(fleet, group, &need, prober, node);
}

/// What a node had under load, in bytes.
struct Need {
    least: u64,
    most: u64,
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

/// How much memory a node has under load.
fn needed(fleet: &Fleet, group: &Group, prober: &mut Worker, node: &Client) -> Need {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let looks = scope.spawn(|| {
            let mut need = Need {
                least: u64::MAX,
                most: 0,
            };
            while !stop.load(Ordering::Acquire) {
                let used = group.figure("memory.stat", "total_rss ");
                let used = used.expect("the kernel counts memory");
                need.least = need.least.min(used);
                need.most = need.most.max(used);
                thread::sleep(LOOKS_EVERY);
            }
            need
        });
        while_others_log_in(fleet, || judged(fleet, prober, node, LASTS / 2));
        stop.store(true, Ordering::Release);
        looks.join().expect("the kernel counts memory")
    })
}

/// Gives a node's group little more memory than it needed.
fn tighten(fleet: &Fleet, group: &Group, need: &Need) {
    let limit = need.most + need.most / 100 * MEMORY_TO_SPARE_PERCENT;
    fleet
        .tally
        .add("megabytes of memory under load, at least", need.least >> 20);
    fleet
        .tally
        .add("megabytes of memory under load, at most", need.most >> 20);
    fleet.tally.add("megabytes that it may have at first", limit >> 20);
    limit_memory(group, &limit.to_string()).expect("the kernel limits memory");
}

/// Gives a node less memory than it needs for a minute: the kernel kills it whenever it has come to the limit, and it
/// is started again, as where a container's limit is too small. In the end it may have what it needs.
fn exhaust(fleet: &Fleet, group: &Group, need: &Need, prober: &mut Worker, node: &Client) {
    let tally = &fleet.tally;
    let post = &fleet.posts[0];
    let limit = need.least + (need.most - need.least) / 100 * TOO_LITTLE_MEMORY_PERCENT;
    tally.add("megabytes that it may have then", limit >> 20);
    let killed = || {
        group
            .figure("memory.oom_control", "oom_kill ")
            .expect("the kernel counts kills")
    };
    let before = killed();
    if before > 0 {
        tally.find("the kernel killed a node that had memory to spare");
    }
    // No limit may be less than what is in use, so that the node begins anew under this one.
    post.node.may_be_killed(true);
    post.node.signal(Signal::SIGKILL);
    let asked = Instant::now();
    while let Err(error) = limit_memory(group, &limit.to_string()) {
        assert!(asked.elapsed() < FREED_WITHIN, "the kernel limits memory: {error}");
        thread::sleep(Duration::from_millis(5));
    }
    while_others_log_in(fleet, || {
        let started = Instant::now();
        while started.elapsed() < LASTS {
            // A node that was killed answers nobody; one that lives answers in time.
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
    });
    limit_memory(group, "-1").expect("the kernel lifts limits");
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

/// Bytes of memory for a group, or `-1` for no limit. No swap either, which would only put the end off.
fn limit_memory(group: &Group, limit: &str) -> std::io::Result<()> {
    group.set("memory.swappiness", "0")?;
    group.set("memory.limit_in_bytes", limit)
}
