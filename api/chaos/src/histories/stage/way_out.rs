//! How the operator puts it right, and how business goes on.

use super::{Changed, OTHER, Stage, TENANT, milliseconds};
use crate::histories::{
    database,
    desk::{Acknowledged, number_of},
    notice,
    variants::{Change, Variant, WayOut},
};
use std::{
    collections::BTreeSet,
    path::Path,
    time::{Duration, Instant},
};

/// What the operator gives as a reason.
const REASON: &str = "the standby lagged";
/// How long nodes may take to see that a quarantine has ended.
const RELEASED_WITHIN: Duration = Duration::from_secs(1);

impl Stage {
    /// The operator's way out, until every node has taken it over.
    pub(super) fn put_right(&mut self, variant: &Variant, changed: &Changed, lost: &[Acknowledged], right: &Path) {
        let end = ["quarantine", "end", TENANT, "--reason", REASON];
        let accept = [&end[..], &["--accept-loss"]].concat();
        if variant.change == Change::Swapped {
            let refused = self.operate(&accept);
            if refused.is_success || !refused.text.contains("damaged") {
                self.find(variant, format!("a damaged log is accepted: {refused:?}"));
            }
        } else if !lost.is_empty() {
            let refused = self.operate(&end);
            if refused.is_success || !refused.text.contains("--accept-loss") {
                self.find(variant, format!("a loss is accepted without a word: {refused:?}"));
            }
        }
        let is_right_copy = variant.way_out == WayOut::RightCopy;
        if is_right_copy {
            if variant.change == Change::Swapped {
                database::edit(&self.fleet, TENANT, &database::swap(TENANT, changed.kept));
            } else {
                database::stop(&mut self.fleet, variant.by_crash);
                database::start_on(&mut self.fleet, right);
            }
            for number in 0..self.desks.len() {
                self.until_reached(number);
            }
            self.refused_everywhere(variant, "with what was right put back");
        }
        let ended = if is_right_copy || lost.is_empty() {
            self.operate(&end)
        } else {
            self.operate(&accept)
        };
        let at = Instant::now();
        if !ended.is_success {
            self.find(variant, format!("the quarantine does not end: {ended:?}"));
            return;
        }
        for (number, sight) in notice::watch(&self.fleet, TENANT, false)(&self.fleet)
            .iter()
            .enumerate()
        {
            for seen in [sight.header, sight.readiness] {
                let took = seen.map(|seen| seen.saturating_duration_since(at));
                match took {
                    Some(took) => {
                        self.released.push(milliseconds(took));
                        if took > self.noticed_within.max(RELEASED_WITHIN) + sight.waited {
                            let waited = sight.waited;
                            self.find(
                                variant,
                                format!("node {number}: released after {took:?}; {waited:?} without a processor"),
                            );
                        }
                    }
                    None => self.find(variant, format!("node {number}: never released")),
                }
            }
        }
        if !is_right_copy {
            let lost: BTreeSet<_> = lost.iter().map(|one| (one.position, one.id.clone())).collect();
            self.kept.retain(|one| !lost.contains(&(one.position, one.id.clone())));
        }
    }

    /// Business goes on at every node, and all that counts is in the log.
    pub(super) fn go_on(&mut self, variant: &Variant, lost: &[Acknowledged]) {
        let is_right_copy = variant.way_out == WayOut::RightCopy;
        if let Some(one) = lost.last() {
            // Whoever repeats a lost command has it done, once.
            let number = self.dice.index(self.desks.len());
            match self.desks[number].repeat(one) {
                Some(again) if is_right_copy => {
                    if !again.replayed || again.text("id") != one.id || number_of(&again) != one.number {
                        self.find(variant, format!("{one:?} was repeated and answered {again:?}"));
                    }
                }
                Some(again) if again.is_done() && !again.replayed => self.acknowledged(Acknowledged {
                    number: number_of(&again),
                    position: again.position.unwrap_or_default(),
                    id: again.text("id"),
                    ..one.clone()
                }),
                again => self.find(variant, format!("{one:?} was repeated and answered {again:?}")),
            }
        }
        for number in 0..self.desks.len() {
            self.business(number, 2);
        }
        let events = database::events(&self.fleet, TENANT);
        for one in &self.kept {
            if !events.contains(&(one.position, one.id.clone())) {
                self.find(variant, format!("acknowledged and not in the log: {one:?}"));
            }
        }
        for tenant in [TENANT, OTHER] {
            let verified = self.operate(&["verify", tenant]);
            if !verified.is_success {
                self.find(variant, format!("verify {tenant}: {verified:?}"));
            }
        }
        // A fresh node has done its part; its folder goes with the run.
        while self.fleet.posts.len() > self.base() {
            self.fleet.posts.pop();
            self.desks.pop();
        }
    }

    fn base(&self) -> usize {
        let fresh = self.desks.iter().filter(|desk| desk.is_fresh()).count();
        self.desks.len() - fresh
    }
}
