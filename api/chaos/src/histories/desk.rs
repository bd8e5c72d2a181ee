//! Business at one node, command by command: movements (M-) and sales (R-), each with its number kept.

use crate::{
    business::{Business, Office, RATE},
    client::{Answer, Attempt, Call, Client},
    dice::Dice,
    fleet::MANAGER,
    model::units,
};
use serde_json::json;
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// What the agency may sell from the start, in dollars: far more than all variants sell.
const FUNDS: i64 = 1_000_000;
/// How long a command may take to be acknowledged where nothing stands in its way.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long one attempt may take. Far longer than any answer takes, even on a machine that compiles meanwhile: what is
/// looked at is which answer comes, and how long answers took is counted.
const ATTEMPT: Duration = Duration::from_secs(60);
/// The pace of a busy desk, in milliseconds: what is lost stays below what `quarantine show` names.
const PACE: (u64, u64) = (15, 45);

/// What the names of desks at nodes begin with that were added for one variant.
pub const FRESH: &str = "fresh-";

/// A command that was acknowledged.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    /// What was given out: `M-000012`, `R-000003`.
    pub number: String,
    /// Its event's position.
    pub position: i64,
    /// What was made.
    pub id: String,
    /// When it was sent.
    pub sent: Instant,
    /// As whom, and what.
    pub email: String,
    pub call: Call,
}

/// What came of a command.
#[derive(Debug)]
pub enum Outcome {
    Done(Acknowledged),
    /// 503 `log_diverged`; whether the answer is marked.
    Diverged {
        is_marked: bool,
    },
    /// Refused by the rules, which nothing here should be.
    Refused(Answer),
    /// 401: its code. The next one logs in.
    LoggedOut(String),
    /// Another answer, or none: which.
    Undecided(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LoggedOut(code) => write!(f, "401 {code}"),
            Self::Undecided(answer) => f.write_str(answer),
            outcome => write!(f, "{outcome:?}"),
        }
    }
}

/// Somebody who works at one node.
#[derive(Clone, Debug)]
pub struct Desk {
    client: Client,
    business: Business,
    group: String,
    dice: Dice,
    name: String,
    commands: u64,
}

impl Desk {
    /// Opens the business of a tenant, with funds, and the first desk in it.
    pub fn open(client: &Client, seed: u64) -> Self {
        let client = &client.patient(ATTEMPT);
        let mut dice = Dice::new(seed, 31);
        let office = Office::open(client, &mut dice);
        let business = Business::open(client, &mut dice, &office, 0);
        let body = json!({"paymentGroupId": office.group, "amount": units(FUNDS * RATE * 100), "onCredit": true});
        let call = Call::new("POST", format!("/api/sources/deposit/agency/{}", business.agency));
        let answer = client.ask(&mut dice, MANAGER, &call.key("funds").json(&body));
        assert!(answer.is_done(), "funds: {} {}", answer.status, answer.body);
        Self {
            client: client.clone(),
            business,
            group: office.group,
            dice,
            name: "first".to_owned(),
            commands: 0,
        }
    }

    /// A desk of the same business at another node, whose keys bear this name.
    pub fn at(&self, address: &str, name: String, seed: u64) -> Self {
        Self {
            client: self.client.at(address),
            dice: Dice::new(seed, 37),
            name,
            commands: 0,
            ..self.clone()
        }
    }

    /// Whether it is at a node that was added for one variant.
    pub fn is_fresh(&self) -> bool {
        self.name.starts_with(FRESH)
    }

    /// Where it asks.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Sends the next command once.
    pub fn act(&mut self) -> Outcome {
        self.commands += 1;
        let (email, call) = self.next_call();
        self.send(&email, call)
    }

    /// Sends commands, each under a key of its own, until one is acknowledged.
    pub fn act_until_done(&mut self) -> Option<Acknowledged> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Outcome::Done(done) = self.act() {
                return Some(done);
            }
            thread::sleep(Duration::from_millis(20));
        }
        None
    }

    /// Works until it is told to stop; what was acknowledged, and what was refused by the rules.
    pub fn work(&mut self, stop: &AtomicBool) -> (Vec<Acknowledged>, Vec<Answer>) {
        let (mut acknowledged, mut refused) = (Vec::new(), Vec::new());
        while !stop.load(Ordering::Acquire) {
            match self.act() {
                Outcome::Done(done) => acknowledged.push(done),
                Outcome::Refused(answer) => refused.push(answer),
                Outcome::Diverged { .. } | Outcome::LoggedOut(_) | Outcome::Undecided(_) => {}
            }
            thread::sleep(self.dice.millis(PACE.0, PACE.1));
        }
        (acknowledged, refused)
    }

    /// Repeats an acknowledged command under its key. None where there is no definite answer.
    pub fn repeat(&mut self, done: &Acknowledged) -> Option<Answer> {
        self.ask(&done.email, &done.call)
    }

    /// Reads as the manager. None where there is no definite answer.
    pub fn read(&mut self, path: &'static str) -> Option<Answer> {
        self.ask(MANAGER, &Call::new("GET", path))
    }

    /// Asks once; twice where the session is none of this database.
    fn ask(&mut self, email: &str, call: &Call) -> Option<Answer> {
        for _ in 0..2 {
            let token = self.client.token(&mut self.dice, email, Instant::now());
            match self.client.attempt(&mut self.dice, Some(&token), call) {
                Attempt::Definite(answer) if answer.status == 401 => self.client.forget(email),
                Attempt::Definite(answer) => return Some(answer),
                Attempt::NotNow { .. } | Attempt::Unknown { .. } => return None,
            }
        }
        None
    }

    fn next_call(&mut self) -> (String, Call) {
        let key = format!("{}-{}", self.name, self.commands);
        if self.commands.is_multiple_of(2) {
            let body = json!({"currency": "CUP", "amount": "1.00"});
            let call = Call::new("POST", "/api/sources/deposit/manager");
            return (MANAGER.to_owned(), call.key(&key).json(&body));
        }
        let body = json!({"senderId": self.business.sender, "recipientId": self.business.recipient,
                          "paymentGroupId": self.group, "amount": "1.00", "deliveryMethod": "home"});
        let call = Call::new("POST", "/api/remittances").key(&key).json(&body);
        (self.business.agency_email.clone(), call)
    }

    /// Sends a command; once more where the session is none of this database, or as old as a session may get: a whole run
    /// takes longer.
    fn send(&mut self, email: &str, call: Call) -> Outcome {
        match self.send_once(email, call.clone()) {
            Outcome::LoggedOut(_) => self.send_once(email, call),
            outcome => outcome,
        }
    }

    fn send_once(&mut self, email: &str, call: Call) -> Outcome {
        let token = self.client.token(&mut self.dice, email, Instant::now());
        let sent = Instant::now();
        match self.client.attempt(&mut self.dice, Some(&token), &call) {
            Attempt::Definite(answer) if answer.status == 401 => {
                self.client.forget(email);
                Outcome::LoggedOut(answer.text("code"))
            }
            Attempt::Definite(answer) if answer.is_done() => Outcome::Done(Acknowledged {
                number: number_of(&answer),
                position: answer.position.unwrap_or_default(),
                id: answer.text("id"),
                sent,
                email: email.to_owned(),
                call,
            }),
            Attempt::Definite(answer) => Outcome::Refused(answer),
            Attempt::NotNow { code, diverged, .. } if code == "log_diverged" => {
                Outcome::Diverged { is_marked: diverged }
            }
            Attempt::NotNow { status, body, .. } => Outcome::Undecided(format!("{status} {body}")),
            Attempt::Unknown { error } => Outcome::Undecided(format!("no answer after {:?}: {error}", sent.elapsed())),
        }
    }
}

/// The human number in an answer: a movement's number or a remittance's code.
pub fn number_of(answer: &Answer) -> String {
    let number = answer.text("number");
    if number.is_empty() { answer.text("code") } else { number }
}
