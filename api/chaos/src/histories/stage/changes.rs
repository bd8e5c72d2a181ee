//! What is done to the database, and when the nodes notice.

use super::{Busy, Changed, Stage, TENANT};
use crate::histories::{
    database,
    desk::{Desk, FRESH},
    notice,
    variants::{Change, Variant, WayOut},
};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How long busy desks work before the change.
const BUSY: Duration = Duration::from_millis(400);
/// How long a node may take to answer reads again.
const REACHED_WITHIN: Duration = Duration::from_secs(120);

impl Stage {
    /// Does what the variant does to the database, and looks at when the nodes notice.
    pub(super) fn change(&mut self, variant: &Variant, before: i64, stale: &Path, right: &Path) -> Changed {
        match variant.change {
            Change::Stale | Change::StaleBesideFresh => self.go_back(variant, before, stale, right),
            Change::StaleUnderFresh => self.write_on(variant, before, stale),
            _ => self.edit(variant, before),
        }
    }

    /// Whether a variant needs a copy of the files from before the lag.
    pub(super) fn copies(variant: &Variant) -> bool {
        matches!(
            variant.change,
            Change::Stale | Change::StaleBesideFresh | Change::StaleUnderFresh
        )
    }

    pub(super) fn copy_aside(&mut self, variant: &Variant, to: &Path) {
        database::stop(&mut self.fleet, variant.by_crash);
        database::copy(&self.fleet, to);
        self.fleet.server.resume().expect("PostgreSQL starts");
    }

    fn go_back(&mut self, variant: &Variant, before: i64, stale: &Path, right: &Path) -> Changed {
        database::stop(&mut self.fleet, variant.by_crash);
        if variant.restarts {
            self.fleet.posts.iter().for_each(|post| post.node.hold());
        }
        if variant.way_out == WayOut::RightCopy {
            database::copy(&self.fleet, right);
        }
        let (stop, mut fresh) = (Arc::new(AtomicBool::new(false)), None);
        if variant.change == Change::StaleBesideFresh {
            let desk = self.add_fresh_node();
            let (mut desk, stop) = (desk, stop.clone());
            fresh = Some(thread::spawn(move || desk.work(&stop)));
        }
        database::start_on(&mut self.fleet, stale);
        let at = Instant::now();
        let watching = notice::watch(&self.fleet, TENANT, true);
        self.fleet.posts.iter().for_each(|post| post.node.release());
        let sights = watching(&self.fleet);
        stop.store(true, Ordering::Release);
        if let Some(fresh) = fresh {
            let (done, _) = fresh.join().expect("a desk ends");
            for one in done {
                self.find(
                    variant,
                    format!("a fresh node acknowledged {one:?} beside nodes that knew more"),
                );
            }
        }
        Changed {
            at,
            kept: before,
            instead: 0,
            sights,
        }
    }

    /// A fresh node writes on the stale copy before any node that knows more runs again.
    fn write_on(&mut self, variant: &Variant, before: i64, stale: &Path) -> Changed {
        database::stop(&mut self.fleet, variant.by_crash);
        self.fleet.posts.iter().for_each(|post| post.node.hold());
        let mut desk = self.add_fresh_node();
        database::start_on(&mut self.fleet, stale);
        for _ in 0..variant.lag {
            let Some(done) = desk.act_until_done() else {
                self.find(variant, "a fresh node, alone, acknowledges nothing");
                continue;
            };
            // It can't know better: nothing but the database tells it what was.
            if self.given.insert(done.number.clone(), done.id.clone()).is_some() {
                self.tally
                    .count("numbers given out again by a fresh node that was alone");
            }
            self.kept.push(done);
        }
        let at = Instant::now();
        let watching = notice::watch(&self.fleet, TENANT, true);
        self.fleet.posts.iter().for_each(|post| post.node.release());
        Changed {
            at,
            kept: before,
            instead: variant.lag,
            sights: watching(&self.fleet),
        }
    }

    /// Starts a node with the keys and nothing else, and a desk at it.
    fn add_fresh_node(&mut self) -> Desk {
        let launch = self.fleet.posts[0].node.launch().clone();
        self.fleet.add_node(launch);
        let address = self.fleet.addresses().pop().expect("there are nodes");
        let name = format!("{FRESH}{}", self.round);
        let desk = self.desks[0].at(&address, name, self.round);
        self.desks.push(desk.clone());
        desk
    }

    /// The owner's statements, under running nodes.
    fn edit(&self, variant: &Variant, before: i64) -> Changed {
        let change = |change: &str| database::change_head(TENANT, change);
        let (statements, kept) = match variant.change {
            Change::Cut => (database::cut(TENANT, before), before),
            Change::Swapped => (database::swap(TENANT, before), before),
            Change::HeadPosition => (change("position = position + 5"), i64::MAX),
            Change::HeadHash => (change("hash = sha256(hash)"), i64::MAX),
            _ => (change("recorded_at = '2099-01-01'"), i64::MAX),
        };
        // Nodes that have just started read the end of the log once: what is measured is a node that has been looking.
        thread::sleep(BUSY);
        database::edit(&self.fleet, TENANT, &statements);
        let at = Instant::now();
        Changed {
            at,
            kept,
            instead: 0,
            sights: notice::watch(&self.fleet, TENANT, true)(&self.fleet),
        }
    }

    /// Waits until a node answers reads again.
    pub(super) fn until_reached(&mut self, number: usize) {
        let deadline = Instant::now() + REACHED_WITHIN;
        while self.desks[number].read("/api/remittances").is_none() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub(super) fn set_to_work(&mut self, stop: &Arc<AtomicBool>) -> Busy {
        let busy = self.desks.iter().enumerate().map(|(number, desk)| {
            let address = &self.fleet.addresses()[number];
            let name = format!("busy{number}-{}", self.round);
            let mut desk = desk.at(address, name, self.dice.between(0, u64::from(u32::MAX)));
            let stop = stop.clone();
            thread::spawn(move || desk.work(&stop))
        });
        let busy = busy.collect();
        thread::sleep(BUSY);
        busy
    }
}
