//! The load: one worker gives mixed commands one after the other, and keeps what they must have done.
//!
//! | File | Content |
//! |---|---|
//! | this one | the worker, how it sends a command, and what it keeps of it |
//! | [`money`] | movements of money, their reversals, and debits |
//! | [`remittances`] | issuers, and remittances from the sale to the delivery |

mod money;
mod remittances;

use crate::{
    business::{Business, Office},
    client::{Answer, Attempt, Call, Client},
    dice::Dice,
    fleet::MANAGER,
    model::{Account, Model, Posting, post},
};
use serde_json::json;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How many open remittances a worker has before it only works on those.
const MAX_OPEN: usize = 30;
/// How many commands of each hundred are sent again after they were answered.
const REPEATED_PERCENT: u64 = 15;

/// After how many commands of each hundred readers hang up, and how many of them.
const HUNG_UP_PERCENT: u64 = 30;
const HANGING_UP: usize = 4;

/// A command that was acknowledged.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    /// Its idempotency key.
    pub key: String,
    /// Where the log stood with it.
    pub position: i64,
    /// The stream that it wrote: what it made or changed.
    pub id: String,
    /// When its answer came.
    pub at: Instant,
}

/// Where a remittance stands; the numbers are those of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Sold.
    Pending = 0,
    /// Taken back.
    Canceled = 1,
    /// With the dealer.
    Shipping = 2,
    /// Delivered.
    Completed = 3,
    Error = 4,
}

/// A remittance as the worker knows it.
#[derive(Clone, Debug)]
pub struct Held {
    pub id: String,
    /// Where it stands.
    pub status: Status,
    dollars: i64,
}

#[derive(Debug)]
pub struct Worker {
    client: Client,
    business: Business,
    group: String,
    dice: Dice,
    number: usize,
    commands: u64,
    /// What the acknowledged commands amount to.
    pub model: Model,
    /// The acknowledged commands.
    pub acknowledged: Vec<Acknowledged>,
    /// The keys of refused commands: nothing of them may be stored.
    pub refused: Vec<String>,
    /// The remittances that are over.
    pub closed: Vec<Held>,
    /// Those that are not.
    pub open: Vec<Held>,
    movements: Vec<(String, Vec<Posting>)>,
    debits: Vec<(String, i64)>,
    unbilled: i64,
    /// Probes that have no answer yet.
    pending: Vec<(String, Call)>,
}

/// What came of one try.
#[derive(Debug)]
pub struct Probe {
    /// How long the answer took.
    pub took: Duration,
    /// The answer.
    pub attempt: Attempt,
}

impl Probe {
    pub const fn is_done(&self) -> bool {
        matches!(&self.attempt, Attempt::Definite(answer) if answer.is_done())
    }
}

impl Worker {
    /// A worker with a business of its own.
    pub fn new(client: Client, office: &Office, number: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed, 1_000 + number as u64);
        let business = Business::open(&client, &mut dice, office, number);
        Self {
            client,
            business,
            group: office.group.clone(),
            dice,
            number,
            commands: 0,
            model: Model::default(),
            acknowledged: Vec::new(),
            refused: Vec::new(),
            closed: Vec::new(),
            open: Vec::new(),
            movements: Vec::new(),
            debits: Vec::new(),
            unbilled: 0,
            pending: Vec::new(),
        }
    }

    /// Deposits one peso, once, through a client of one's choice. What has no answer is brought to one by
    /// [`Self::settle`].
    pub fn probe(&mut self, client: &Client) -> Probe {
        self.commands += 1;
        let key = format!("w{}-{}", self.number, self.commands);
        let body = json!({"currency": "CUP", "amount": "1.00"});
        let call = Call::new("POST", "/api/sources/deposit/manager").key(&key).json(&body);
        let token = self.client.token(&mut self.dice, MANAGER, Instant::now());
        let mut started = Instant::now();
        let mut attempt = client.attempt(&mut self.dice, Some(&token), &call);
        if matches!(&attempt, Attempt::Definite(answer) if answer.status == 401) {
            // The token has had its time, by the node's clock.
            self.client.forget(MANAGER);
            let token = self.client.token(&mut self.dice, MANAGER, Instant::now());
            started = Instant::now();
            attempt = client.attempt(&mut self.dice, Some(&token), &call);
        }
        let took = started.elapsed();
        match &attempt {
            Attempt::Definite(answer) => self.probed(key, answer),
            Attempt::NotNow { .. } | Attempt::Unknown { .. } => self.pending.push((key, call)),
        }
        Probe { took, attempt }
    }

    /// Repeats the probes without an answer until they have one.
    pub fn settle(&mut self) {
        for (key, call) in std::mem::take(&mut self.pending) {
            let answer = self.client.ask(&mut self.dice, MANAGER, &call);
            self.probed(key, &answer);
        }
    }

    fn probed(&mut self, key: String, answer: &Answer) {
        match answer.position {
            Some(position) if answer.is_done() => {
                self.model
                    .add(&[post(tenants("treasury", "CUP"), tenants("capital", "CUP"), 100)]);
                let id = answer.text("id");
                let at = Instant::now();
                self.acknowledged.push(Acknowledged { key, position, id, at });
            }
            _ => self.client.tally.find(format!("a deposit of one peso: {answer:?}")),
        }
    }

    /// Works until it is told to stop; the last command is brought to its answer.
    pub fn work(&mut self, stop: &AtomicBool) {
        while !stop.load(Ordering::Acquire) {
            self.next();
        }
    }

    fn next(&mut self) {
        let is_full = self.open.len() >= MAX_OPEN;
        match self.dice.below(100) {
            0..10 => self.deposit(),
            10..18 => self.hand_out(),
            18..26 => self.fund(),
            26..32 => self.spend(),
            32..36 => self.hand_back(),
            36..40 => self.take_back(),
            40..43 => self.close(),
            43..47 => self.pay(),
            47..51 => self.register(),
            51..73 if !is_full => self.sell(),
            73..78 => self.look(),
            _ => self.advance(),
        }
    }

    /// Sends a command under a new key. `None` where it is refused.
    fn command(&mut self, email: &str, call: Call, id: Option<&str>) -> Option<Answer> {
        self.commands += 1;
        let key = format!("w{}-{}", self.number, self.commands);
        let call = call.key(&key);
        let answer = self.client.ask(&mut self.dice, email, &call);
        let at = Instant::now();
        let tally = &self.client.tally;
        if !answer.is_done() {
            // The rules refuse what others were faster with; nothing else may be refused.
            if answer.status != 409 {
                tally.find(format!("{call:?} is refused: {} {}", answer.status, answer.body));
            }
            tally.count("commands refused by the rules");
            self.refused.push(key);
            return None;
        }
        tally.count("commands acknowledged");
        if answer.replayed {
            tally.count("commands whose first answer was lost");
        }
        let Some(position) = answer.position else {
            tally.find(format!("{call:?} has no position"));
            return None;
        };
        let id = id.map_or_else(|| answer.text("id"), str::to_owned);
        if self.dice.percent(REPEATED_PERCENT) {
            let again = self.client.ask(&mut self.dice, email, &call);
            let is_same = again.is_done() && again.replayed && again.position == Some(position);
            if !is_same || again.text("id") != answer.text("id") {
                self.client
                    .tally
                    .find(format!("{key} was answered {answer:?} and then {again:?}"));
            }
            self.client.tally.count("commands repeated after their answer");
        }
        self.acknowledged.push(Acknowledged { key, position, id, at });
        if self.dice.percent(HUNG_UP_PERCENT) {
            self.hang_up(position);
        }
        Some(answer)
    }

    /// Asks for what is there and for what is not there yet, and goes away meanwhile.
    fn hang_up(&mut self, position: i64) {
        for number in 0..HANGING_UP {
            let at = position + i64::from(number % 2 == 1);
            let call = Call::new("GET", "/api/remittances").at_least(at);
            self.client.ask_and_hang_up(&mut self.dice, MANAGER, &call);
        }
    }

    /// Reads back, from any node, what was acknowledged last.
    fn look(&mut self) {
        let (Some(held), Some(last)) = (self.open.last(), self.acknowledged.last()) else {
            return;
        };
        let call = Call::new("GET", format!("/api/remittances/{}", held.id)).at_least(last.position);
        let answer = self.client.ask(&mut self.dice, MANAGER, &call);
        let tally = &self.client.tally;
        tally.count("reads of what was just acknowledged");
        if !answer.is_done() || answer.body["status"].as_u64() != Some(held.status as u64) {
            tally.find(format!("{held:?} reads {} {}", answer.status, answer.body["status"]));
        }
        if answer.position < Some(last.position) {
            tally.find(format!(
                "asked for position {}, read at {:?}",
                last.position, answer.position
            ));
        }
    }

    fn agencys(&self, kind: &'static str, currency: &'static str) -> Account {
        (kind, self.business.agency.clone(), currency)
    }

    fn dealers(&self, kind: &'static str) -> Account {
        (kind, self.business.dealer.clone(), "CUP")
    }
}

const fn tenants(kind: &'static str, currency: &'static str) -> Account {
    (kind, String::new(), currency)
}
