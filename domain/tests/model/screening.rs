//! Screening in the model: what it finds holds, a decided pair releases or keeps, and a delivery that was made without a
//! network while it was held is booked until somebody settles it.

use super::{
    ops::Op,
    oracle::{Money, State, dec},
    run::{CUSTOMERS, Run},
};
use crate::common::delivered;
use caudal_domain::{
    Actor, Command, StreamId, StreamKind,
    customer::{CustomerCommand, DecidePair, PairOutcome, RecordScreening, ScreeningCandidate},
    ids::RemittanceId,
    remittance::{CompleteRemittance, HoldReason, HoldRemittance, Remittance, RemittanceCommand, Status},
};
use std::collections::BTreeSet;

/// Entries of the only list.
pub const ENTRIES: usize = 3;
const LIST: &str = "ofac-sdn";

fn entry(number: usize) -> String {
    number.to_string()
}

impl Run {
    /// Records what a screening found of a customer: the entries of a set of bits.
    pub fn screen(&mut self, customer: usize, found: usize) -> (bool, bool) {
        let name = CUSTOMERS[customer];
        let entries: BTreeSet<usize> = (0..ENTRIES).filter(|entry| found & (1 << entry) != 0).collect();
        let entries = self.oracle.screen(name, &entries);
        let candidates = entries.iter().map(|number| ScreeningCandidate {
            list: LIST.into(),
            entry: entry(*number),
            name: "PÉREZ, Ana".into(),
            score: 97,
        });
        let record = RecordScreening {
            lists: [(LIST.to_owned(), "0a1b2c".to_owned())].into(),
            candidates: candidates.collect(),
            is_confirmed: !self.oracle.customers[name].same.is_empty(),
        };
        let command = Command::Customer(self.customer(name), CustomerCommand::RecordScreening(record));
        (self.give(Actor::System, command).is_some(), true)
    }

    /// Holds what was sold before something was found, as a node does each few seconds.
    pub fn hold_found(&mut self) -> (bool, bool) {
        for index in 0..self.remittances.len() {
            let sold = &self.oracle.remittances[index];
            for name in [sold.sender, sold.recipient] {
                if !self.oracle.customers[name].is_in_review() {
                    continue;
                }
                let hold = HoldRemittance {
                    reason: HoldReason::Screening,
                    reference: Some(self.customer(name).0),
                    note: String::new(),
                };
                let real = self.act(Actor::System, self.remittances[index], RemittanceCommand::Hold(hold));
                assert_eq!(
                    real,
                    self.oracle.hold_found(index, name),
                    "a hold of {index} for {name}"
                );
            }
        }
        (true, true)
    }

    /// Decides one of a customer's pairs, by the entry's number. Like the API, nothing is decided of an entry that is no pair any
    /// more.
    pub fn decide_pair(&mut self, customer: usize, number: usize, same: bool) -> Option<(bool, bool)> {
        let name = CUSTOMERS[customer];
        if number == ENTRIES {
            return None;
        }
        let pairs = self.oracle.customers[name].pairs();
        if !pairs.contains(&number) {
            self.give_up();
            return Some((false, false));
        }
        let pair = DecidePair {
            list: LIST.into(),
            entry: entry(number),
            outcome: if same {
                PairOutcome::Same
            } else {
                PairOutcome::Different
            },
            reason: "comparada".into(),
            files: Vec::new(),
            others_remain: pairs.len() > 1,
            listed: None,
        };
        let command = Command::Customer(self.customer(name), CustomerCommand::DecidePair(pair));
        let real = self.give(self.business.manager, command).is_some();
        if same {
            self.oracle.same_person(name, number);
        } else {
            self.oracle.somebody_else(name, number);
        }
        Some((real, true))
    }

    /// With the last pair that is decided to be somebody else, everything that is held for the customer is released, which may
    /// need an approval.
    pub fn release_after(&mut self, op: &Op) {
        let Op::Pair {
            customer, same: false, ..
        } = op
        else {
            return;
        };
        let name = CUSTOMERS[*customer];
        if self.oracle.customers[name].is_in_review() {
            return;
        }
        for (index, hold) in self.oracle.held_for(name) {
            let release = Op::Release {
                pick: index,
                hold: hold - 1,
            };
            let (real, oracle) = self.step(&release).unwrap();
            assert!(real && oracle, "the release of {index} for {name}");
        }
    }

    /// A carrier's delivery, sent when there is a network again, or at once.
    pub fn deliver_offline(&mut self, pick: usize, held: bool, carrier: usize, at_once: bool) -> Option<(bool, bool)> {
        let wanted = |index: &usize| {
            let remittance = &self.oracle.remittances[*index];
            !held || (remittance.state == State::Shipping && !remittance.holds.is_empty())
        };
        let index = picked(pick, (0..self.remittances.len()).filter(wanted))?;
        let carriers = &self.oracle.remittances[index].carriers;
        let carrier = *carriers.get(carrier % carriers.len().max(1))?;
        let delivery = CompleteRemittance {
            or_dispute: true,
            at_once,
            ..delivered()
        };
        let by = Actor::Party(self.party(carrier));
        let real = self.act(by, self.remittances[index], RemittanceCommand::Complete(delivery));
        let fee = self.fee(index);
        Some((real, self.oracle.deliver_offline(index, carrier, at_once, fee)))
    }

    /// Settles a delivery of what was held, or tries it with any remittance.
    pub fn settle(&mut self, pick: usize, breached: bool) -> Option<(bool, bool)> {
        let wanted = |index: &usize| !breached || self.oracle.remittances[*index].breach.is_some();
        let index = picked(pick, (0..self.remittances.len()).filter(wanted))?;
        let command = RemittanceCommand::SettleHoldBreach {
            reason: "pagó antes de saberlo".into(),
        };
        let real = self.act(self.business.manager, self.remittances[index], command);
        Some((real, self.oracle.settle(index)))
    }

    /// Fee of a remittance's delivery.
    pub fn fee(&self, index: usize) -> Money {
        let remittance = &self.oracle.remittances[index];
        dec(match (remittance.group, remittance.fee_place) {
            ("CUP", "cardenas") => "200.00",
            ("CUP", _) => "150.00",
            _ => "2.00",
        })
    }

    /// The held remittances, before a command.
    pub fn held(&self) -> Vec<(RemittanceId, Remittance)> {
        let remittances = self.business.world.remittances();
        let held = remittances.filter(|remittance| remittance.is_held());
        held.map(|remittance| (remittance.id, remittance.clone())).collect()
    }

    /// A held remittance neither moves nor changes: it can be canceled or marked as in error, and a delivery of it is booked
    /// with the breach.
    pub fn check_held(&self, held: &[(RemittanceId, Remittance)], op: &Op) {
        for (id, before) in held {
            let after = self.business.world.remittance(*id);
            let stays = match after.status {
                Status::Canceled | Status::Error => true,
                Status::Completed => after.breach.is_some(),
                status => status == before.status,
            };
            let carried = (after.dealer, after.delivery_man) == (before.dealer, before.delivery_man);
            assert!(
                stays && carried && after.sale == before.sale,
                "{op:?} moved what is held"
            );
        }
    }

    /// The books and the oracle hold the same remittances, for the same breaches, and know the same customers in review.
    pub fn check_holds(&self, op: &Op) {
        for (id, expected) in self.remittances.iter().zip(&self.oracle.remittances) {
            let real = self.business.world.remittance(*id);
            assert_eq!(
                real.is_held(),
                expected.is_held(),
                "whether {id:?} is held after {op:?}"
            );
            let breach = real.breach.map(|breach| breach.settled);
            assert_eq!(breach, expected.breach, "the breach of {id:?} after {op:?}");
        }
        for name in CUSTOMERS {
            let stream = StreamId::new(StreamKind::Customer, self.customer(name));
            let real = self.business.world.state(stream).customer().unwrap().in_review;
            assert_eq!(real, self.oracle.customers[name].is_in_review(), "{name} after {op:?}");
        }
    }
}

fn picked(pick: usize, of: impl Iterator<Item = usize>) -> Option<usize> {
    let of: Vec<usize> = of.collect();
    of.get(pick % of.len().max(1)).copied()
}
