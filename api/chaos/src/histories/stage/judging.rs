//! Whether nodes noticed in time, wrote nothing on lost history, and name all that is lost.

use super::{Busy, Changed, OTHER, Stage, TENANT, milliseconds};
use crate::{
    histories::{
        database,
        desk::{Acknowledged, Outcome},
        notice,
        variants::{Change, Variant, WayOut},
    },
    operator,
};
use std::{collections::BTreeSet, time::Instant};

/// Reads of different kinds: a list of the read models, balances, and the log's movements.
const READS: [&str; 3] = ["/api/remittances", "/api/accounting/balances", "/api/sources/movements"];

impl Stage {
    /// Whether every node noticed in time, and nothing was acknowledged meanwhile.
    pub(super) fn judge(&mut self, variant: &Variant, changed: &Changed, busy: Busy) -> Vec<u64> {
        let starts = variant.restarts || variant.change == Change::StaleUnderFresh;
        let mut noticed = Vec::new();
        for (number, sight) in changed.sights.iter().enumerate() {
            // A node that starts sees the database when it answers. A fresh node that was alone hears it from the first.
            let starts = starts || (variant.change == Change::StaleBesideFresh && number + 1 == self.desks.len());
            let seen_by = if variant.change == Change::StaleUnderFresh {
                &changed.sights[0]
            } else {
                sight
            };
            let from = seen_by.answered.filter(|answered| starts && *answered > changed.at);
            let from = from.unwrap_or(changed.at);
            for (what, seen) in [("the header", sight.header), ("/readyz", sight.readiness)] {
                let took = seen.map(|seen| seen.saturating_duration_since(from));
                match took {
                    Some(took) => {
                        noticed.push(milliseconds(took));
                        if took > self.noticed_within + sight.waited {
                            let waited = sight.waited;
                            self.find(
                                variant,
                                format!(
                                    "node {number}, {what}: noticed after {took:?}; {waited:?} without a processor"
                                ),
                            );
                        }
                    }
                    None => self.find(variant, format!("node {number}, {what}: never noticed")),
                }
            }
        }
        self.noticed.extend(&noticed);
        for desk in busy {
            let (done, refused) = desk.join().expect("a desk ends");
            for answer in refused {
                self.find(variant, format!("refused by the rules: {answer:?}"));
            }
            for one in done {
                // What is in the middle of the log was decided on long before: nodes notice it when they look.
                if one.sent > changed.at && variant.change != Change::Swapped {
                    self.find(variant, format!("acknowledged after the change: {one:?}"));
                }
                self.acknowledged(one);
            }
        }
        noticed
    }

    /// Writes are refused at every node, reads answer, and both are marked.
    pub(super) fn refused_everywhere(&mut self, variant: &Variant, when: &str) {
        for number in 0..self.desks.len() {
            for _ in 0..2 {
                let asked = Instant::now();
                let outcome = self.desks[number].act();
                self.refused.push(milliseconds(asked.elapsed()));
                match outcome {
                    Outcome::Diverged { is_marked: true } => self.tally.count("writes refused with log_diverged"),
                    outcome => self.find(variant, format!("{when}, a write at node {number}: {outcome}")),
                }
            }
            for path in READS {
                match self.desks[number].read(path) {
                    Some(answer) if answer.status == 200 && answer.diverged => {
                        self.tally.count("reads answered and marked");
                    }
                    answer => self.find(variant, format!("{when}, {path} at node {number}: {answer:?}")),
                }
            }
            let readiness = self.desks[number].client().readiness();
            match readiness {
                Some((_, body))
                    if notice::reads(&body) && notice::names(&body, TENANT) && !notice::names(&body, OTHER) => {}
                readiness => self.find(variant, format!("{when}, /readyz of node {number}: {readiness:?}")),
            }
        }
        // The other tenant's business goes on; what it writes now is on the copy that stays.
        if variant.way_out == WayOut::Accept && self.other.act_until_done().is_none() {
            self.find(variant, "the other tenant's business does not go on");
        }
    }

    /// What was acknowledged and is not in the log any more.
    pub(super) fn lost(&self, variant: &Variant, changed: &Changed) -> Vec<Acknowledged> {
        let events = database::events(&self.fleet, TENANT);
        let lost = self.kept.iter();
        let lost = lost.filter(|one| !events.contains(&(one.position, one.id.clone())));
        let lost: Vec<_> = lost.cloned().collect();
        for one in lost.iter().filter(|one| one.position <= changed.kept) {
            self.find(variant, format!("lost from before the change: {one:?}"));
        }
        if changed.kept < i64::MAX && variant.change != Change::Swapped {
            let written = events.iter().filter(|(position, _)| *position > changed.kept).count();
            if written != changed.instead {
                self.find(variant, format!("{written} events were written on lost history"));
            }
        }
        lost
    }

    /// Every way to look names what is lost, and nothing else.
    pub(super) fn shown(&mut self, variant: &Variant, lost: &[Acknowledged]) {
        let listed = self.operate(&["quarantine", "list"]);
        if !listed.is_success || !listed.text.contains(TENANT) || listed.text.contains(OTHER) {
            self.find(variant, format!("quarantine list: {listed:?}"));
        }
        let shown = self.operate(&["quarantine", "show", TENANT]);
        let named = operator::named(&shown.text);
        let wanted: BTreeSet<_> = lost
            .iter()
            .map(|one| (one.position, one.number.clone(), one.id.clone()))
            .collect();
        let unnamed: Vec<_> = wanted.difference(&named).collect();
        if !shown.is_success || !unnamed.is_empty() {
            self.find(variant, format!("not named: {unnamed:?} in {}", shown.text));
        }
        let events = database::events(&self.fleet, TENANT);
        let wrongly: Vec<_> = named
            .iter()
            .filter(|(position, _, id)| events.contains(&(*position, id.clone())))
            .collect();
        if !wrongly.is_empty() {
            self.find(variant, format!("named as lost and in the log: {wrongly:?}"));
        }
        self.tally.add("lost commands, each named", wanted.len() as u64);
        for number in 0..self.desks.len() {
            let Some(answer) = self.desks[number].read("/api/audit/quarantine") else {
                self.find(variant, format!("node {number} does not tell of the quarantine"));
                continue;
            };
            let answers = answer.body["losses"]["answers"].as_array().map(Vec::as_slice);
            let told: BTreeSet<_> = answers
                .unwrap_or_default()
                .iter()
                .filter_map(|one| Some((one["position"].as_i64()?, one["id"].as_str()?.to_owned())))
                .collect();
            let untold = wanted
                .iter()
                .filter(|(position, _, id)| !told.contains(&(*position, id.clone())));
            if untold.clone().count() > 0 {
                self.find(
                    variant,
                    format!("node {number} does not tell of {:?}", untold.collect::<Vec<_>>()),
                );
            }
        }
    }
}
