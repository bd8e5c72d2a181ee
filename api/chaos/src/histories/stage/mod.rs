//! The nodes, what they have acknowledged, and the phases of a variant.

mod changes;
mod judging;
mod way_out;

use super::{
    Size, database,
    desk::{Acknowledged, Desk},
    notice::Sight,
    variants::Variant,
};
use crate::{
    client::{Answer, Client},
    dice::Dice,
    fleet::{Fleet, Place, Sharing},
    operator,
    tally::Tally,
};
use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The tenant whose history is changed.
const TENANT: &str = "disputed";
/// A tenant with no business since the copies: its history is never in dispute.
const OTHER: &str = "undisputed";
/// Busy desks at work.
type Busy = Vec<JoinHandle<(Vec<Acknowledged>, Vec<Answer>)>>;

/// What a change did.
struct Changed {
    /// From when on nothing may be acknowledged.
    at: Instant,
    /// The last position that is still what it was.
    kept: i64,
    /// The events that the database has instead of the lost ones, by a node that knew nothing.
    instead: usize,
    sights: Vec<Sight>,
}

pub struct Stage {
    fleet: Fleet,
    tally: Arc<Tally>,
    desks: Vec<Desk>,
    other: Desk,
    dice: Dice,
    noticed_within: Duration,
    /// Numbers with what they were given out for.
    given: BTreeMap<String, String>,
    /// What was acknowledged and has to be in the log.
    kept: Vec<Acknowledged>,
    /// Milliseconds until nodes noticed a change, until they took over its end, and until they refused a write meanwhile.
    noticed: Vec<u64>,
    released: Vec<u64>,
    refused: Vec<u64>,
    round: u64,
}

impl Stage {
    /// Starts the nodes, and opens the business of both tenants.
    pub fn set(program: &Path, size: &Size, tally: Arc<Tally>) -> Self {
        let place = Place {
            sharing: Sharing::Keys,
            ..Place::temporary(Vec::new())
        };
        let fleet = Fleet::at(place, program, size.nodes, &[TENANT, OTHER], tally.clone());
        let client = Client::new(fleet.addresses(), TENANT, tally.clone());
        let first = Desk::open(&client, size.seed);
        let desks = fleet.addresses();
        let desks = desks.iter().enumerate();
        let desks =
            desks.map(|(number, address)| first.at(address, format!("node{number}"), size.seed + number as u64));
        let desks = desks.collect();
        let other = Desk::open(&Client::new(fleet.addresses(), OTHER, tally.clone()), size.seed);
        Self {
            fleet,
            tally,
            desks,
            other,
            dice: Dice::new(size.seed, 41),
            noticed_within: size.noticed_within,
            given: BTreeMap::new(),
            kept: Vec::new(),
            noticed: Vec::new(),
            released: Vec::new(),
            refused: Vec::new(),
            round: 0,
        }
    }

    /// Plays a variant, and returns after how many milliseconds each node noticed.
    pub fn play(&mut self, variant: &Variant) -> Vec<u64> {
        self.round += 1;
        self.tally.count("variants");
        for number in 0..self.desks.len() {
            self.business(number, 1);
        }
        let stale = self.fleet.beside("stale-copy");
        let right = self.fleet.beside("right-copy");
        if Self::copies(variant) {
            self.copy_aside(variant, &stale);
        }
        let before = database::head(&self.fleet, TENANT);
        for _ in 0..variant.lag {
            let number = self.dice.index(self.desks.len());
            self.business(number, 1);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let busy = if variant.is_busy {
            self.set_to_work(&stop)
        } else {
            Vec::new()
        };
        let changed = self.change(variant, before, &stale, &right);
        stop.store(true, Ordering::Release);
        let noticed = self.judge(variant, &changed, busy);
        self.refused_everywhere(variant, "as found");
        self.restart();
        self.refused_everywhere(variant, "after a restart of all nodes");
        let lost = self.lost(variant, &changed);
        self.shown(variant, &lost);
        self.put_right(variant, &changed, &lost, &right);
        self.go_on(variant, &lost);
        noticed
    }

    /// The end of a run: the nodes' logs are looked through, and the times added up.
    pub fn clear(&self) {
        for post in &self.fleet.posts {
            for line in post.node.panics() {
                self.tally.find(line);
            }
        }
        for line in self.fleet.misused_connections() {
            self.tally.find(line);
        }
        let times = [
            ("noticed", &self.noticed),
            ("released", &self.released),
            ("a write was refused", &self.refused),
        ];
        for (what, times) in times {
            let mut times = times.clone();
            times.sort_unstable();
            if let (Some(median), Some(most)) = (times.get(times.len() / 2), times.last()) {
                self.tally.add(&format!("milliseconds until {what}, median"), *median);
                self.tally.add(&format!("milliseconds until {what}, at most"), *most);
            }
        }
        self.tally.add("numbers given out, each once", self.given.len() as u64);
    }

    fn find(&self, variant: &Variant, finding: impl std::fmt::Display) {
        self.tally.find(format!("{variant}: {finding}"));
    }

    /// So many commands at a node, all acknowledged.
    fn business(&mut self, number: usize, commands: usize) {
        for _ in 0..commands {
            match self.desks[number].act_until_done() {
                Some(done) => self.acknowledged(done),
                None => self.tally.find(format!("node {number} acknowledges nothing")),
            }
        }
    }

    fn acknowledged(&mut self, done: Acknowledged) {
        self.tally.count("commands acknowledged");
        if let Some(first) = self.given.insert(done.number.clone(), done.id.clone()) {
            self.tally.find(format!(
                "{} was given out twice: to {first} and {}",
                done.number, done.id
            ));
        }
        self.kept.push(done);
    }

    fn restart(&self) {
        self.fleet.posts.iter().for_each(|post| post.node.hold());
        self.fleet.posts.iter().for_each(|post| post.node.release());
        while !self.fleet.posts.iter().all(|post| post.node.is_serving()) {
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// A command of the operator in the folder of one of the nodes that know most.
    fn operate(&mut self, arguments: &[&str]) -> operator::CommandOutput {
        let number = self.dice.index(self.fleet.posts.len());
        operator::run(self.fleet.posts[number].node.launch(), arguments)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
