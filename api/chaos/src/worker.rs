//! The load: one worker gives mixed commands one after the other, and keeps what they must have done.

use crate::{
    business::{Business, COMMISSION_PERCENT, Office, RATE},
    client::{Answer, Attempt, Call, Client},
    dice::Dice,
    fleet::MANAGER,
    model::{Account, Model, Posting, post, reversed, units},
};
use serde_json::{Value, json};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How many movements are remembered to be taken back.
const MAX_MOVEMENTS: usize = 50;
/// How many open remittances a worker has before it only works on those.
const MAX_OPEN: usize = 30;
/// How many commands of each hundred are sent again after they were answered.
const REPEATED_PERCENT: u64 = 15;

/// After how many commands of each hundred readers hang up, and how many of them.
const HUNG_UP_PERCENT: u64 = 30;
const HANGING_UP: usize = 4;

/// A picture, as proof of deliveries.
const PICTURE: &[u8] = include_bytes!("../../tests/worked_day/id.png");

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

    /// Sends a movement and books it.
    fn movement(&mut self, path: String, body: &Value, postings: Vec<Posting>) -> Option<Answer> {
        let answer = self.command(MANAGER, Call::new("POST", path).json(body), None)?;
        self.model.add(&postings);
        if self.movements.len() < MAX_MOVEMENTS {
            self.movements.push((answer.text("id"), postings));
        }
        Some(answer)
    }

    fn amount(&mut self) -> i64 {
        i64::try_from(self.dice.between(100, 200_000)).expect("it is small")
    }

    fn deposit(&mut self) {
        let minor = self.amount();
        let body = json!({"currency": "CUP", "amount": units(minor)});
        let postings = vec![post(tenants("treasury", "CUP"), tenants("capital", "CUP"), minor)];
        self.movement("/api/sources/deposit/manager".to_owned(), &body, postings);
    }

    fn hand_out(&mut self) {
        let minor = self.amount();
        let body = json!({"currency": "CUP", "amount": units(minor)});
        let postings = vec![post(self.dealers("field_cash"), tenants("treasury", "CUP"), minor)];
        let path = format!("/api/sources/deposit/dealer/{}", self.business.dealer);
        self.movement(path, &body, postings);
    }

    fn fund(&mut self) {
        // Whole dollars, so that nothing is rounded.
        let dollars = i64::try_from(self.dice.between(20, 400)).expect("it is small");
        let on_credit = self.dice.percent(40);
        let body = json!({"paymentGroupId": self.group, "amount": units(dollars * RATE * 100), "onCredit": on_credit});
        let pays = if on_credit {
            self.agencys("debits", "USD")
        } else {
            tenants("treasury", "USD")
        };
        let postings = vec![
            post(pays, tenants("fx_position", "USD"), dollars * 100),
            post(
                tenants("fx_position", "CUP"),
                self.agencys("balance", "CUP"),
                dollars * RATE * 100,
            ),
        ];
        let path = format!("/api/sources/deposit/agency/{}", self.business.agency);
        if on_credit {
            // Taking it back would void its debit, which may be paid by then.
            let Some(answer) = self.command(MANAGER, Call::new("POST", path).json(&body), None) else {
                return;
            };
            self.model.add(&postings);
            self.debits.push((answer.text("debitId"), dollars * 100));
        } else {
            self.movement(path, &body, postings);
        }
    }

    fn spend(&mut self) {
        let minor = self.amount() / 10 + 1;
        let body = json!({"currency": "CUP", "amount": units(minor), "concept": "gasolina"});
        let postings = vec![post(self.dealers("dealer_expenses"), self.dealers("field_cash"), minor)];
        let path = format!("/api/dealer/expenses/{}", self.business.dealer);
        self.movement(path, &body, postings);
    }

    fn hand_back(&mut self) {
        let minor = self.amount() / 5 + 1;
        let body = json!({"from": self.business.dealer, "currency": "CUP", "amount": units(minor), "toManager": true});
        let postings = vec![post(tenants("treasury", "CUP"), self.dealers("field_cash"), minor)];
        self.movement("/api/dealer/transfer".to_owned(), &body, postings);
    }

    /// Reverses a movement.
    fn take_back(&mut self) {
        if self.movements.is_empty() {
            return;
        }
        let (id, postings) = self.movements.swap_remove(self.dice.index(self.movements.len()));
        let call = Call::new("POST", format!("/api/sources/movements/{id}/reverse"));
        if self
            .command(MANAGER, call.json(&json!({"reason": "duplicado"})), Some(&id))
            .is_some()
        {
            self.model.add(&reversed(&postings));
        }
    }

    fn close(&mut self) {
        let body = json!({"partyId": self.business.agency});
        let call = Call::new("POST", "/api/accounting/closures").json(&body);
        let Some(answer) = self.command(MANAGER, call, None) else {
            return;
        };
        if self.unbilled > 0 {
            let bill = post(
                self.agencys("debits", "USD"),
                self.agencys("commission_receivable", "USD"),
                self.unbilled,
            );
            self.model.add(&[bill]);
            self.debits.push((answer.text("debitId"), self.unbilled));
            self.unbilled = 0;
        }
    }

    fn pay(&mut self) {
        let Some((id, minor)) = self.debits.pop() else { return };
        let call = Call::new("POST", "/api/sources/pay_debits").json(&json!({"debitIds": [id]}));
        if self.command(MANAGER, call, None).is_some() {
            let paid = post(tenants("treasury", "USD"), self.agencys("debits", "USD"), minor);
            self.model.add(&[paid]);
        }
    }

    /// A new issuer: personal data under a new key, and nothing in the books.
    fn register(&mut self) {
        let email = self.business.agency_email.clone();
        let body =
            json!({"name": format!("Issuer {}", self.commands), "customerType": 0, "phoneNumber": "+5350000000"});
        self.command(&email, Call::new("POST", "/api/customer").json(&body), None);
    }

    fn sell(&mut self) {
        let dollars = i64::try_from(self.dice.between(1, 40)).expect("it is small");
        let body = json!({"senderId": self.business.sender, "recipientId": self.business.recipient,
                          "paymentGroupId": self.group, "amount": units(dollars * 100), "deliveryMethod": "home"});
        let email = self.business.agency_email.clone();
        let call = Call::new("POST", "/api/remittances").json(&body);
        let Some(answer) = self.command(&email, call, None) else {
            return;
        };
        let sold = self.sold(dollars);
        self.model.add(&sold);
        self.unbilled += fee(dollars);
        self.open.push(Held {
            id: answer.text("id"),
            status: Status::Pending,
            dollars,
        });
    }

    /// Does the next thing with one of the open remittances.
    fn advance(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let index = self.dice.index(self.open.len());
        let held = self.open.swap_remove(index);
        let chance = self.dice.below(10);
        let held = match held.status {
            Status::Shipping if chance == 0 => self.cancel(held),
            Status::Shipping if chance <= 2 => self.fail(held),
            Status::Shipping => self.complete(held),
            _ if chance <= 1 => self.cancel(held),
            _ if chance <= 3 => self.edit(held),
            _ => self.assign(held),
        };
        match held.status {
            Status::Canceled | Status::Completed => self.closed.push(held),
            _ => self.open.push(held),
        }
    }

    fn cancel(&mut self, held: Held) -> Held {
        // What is on its way the manager alone cancels.
        let email = match held.status {
            Status::Shipping => MANAGER.to_owned(),
            _ => self.business.agency_email.clone(),
        };
        let call = Call::new("POST", format!("/api/remittances/{}/cancel", held.id));
        let call = call.json(&json!({"reason": "a petición del emisor"}));
        if self.command(&email, call, Some(&held.id)).is_none() {
            return held;
        }
        let unsold = self.unsold(&held);
        self.model.add(&unsold);
        self.unbilled -= fee(held.dollars);
        Held {
            status: Status::Canceled,
            ..held
        }
    }

    fn edit(&mut self, held: Held) -> Held {
        // Another amount: a change that changes nothing writes no event, and the audit counts one for each command.
        let dollars = match i64::try_from(self.dice.between(1, 40)).expect("it is small") {
            dollars if dollars == held.dollars => dollars + 1,
            dollars => dollars,
        };
        let body = json!({"amount": units(dollars * 100), "paymentGroupId": self.group});
        let email = self.business.agency_email.clone();
        let call = Call::new("PUT", format!("/api/remittances/{}", held.id)).json(&body);
        if self.command(&email, call, Some(&held.id)).is_none() {
            return held;
        }
        let (unsold, sold) = (self.unsold(&held), self.sold(dollars));
        self.model.add(&unsold);
        self.model.add(&sold);
        self.unbilled += fee(dollars) - fee(held.dollars);
        Held {
            status: Status::Pending,
            dollars,
            ..held
        }
    }

    fn assign(&mut self, held: Held) -> Held {
        let body = json!({"dealerId": self.business.dealer});
        let call = Call::new("PUT", format!("/api/remittances/{}/assign/dealer", held.id)).json(&body);
        self.moved(held, call, Status::Shipping)
    }

    fn fail(&mut self, held: Held) -> Held {
        let body = json!({"reason": "no había nadie"});
        let call = Call::new("PUT", format!("/api/remittances/{}/error", held.id)).json(&body);
        self.moved(held, call, Status::Error)
    }

    fn moved(&mut self, held: Held, call: Call, status: Status) -> Held {
        if self.command(MANAGER, call, Some(&held.id)).is_none() {
            return held;
        }
        let (from, payout) = (self.stands_at(held.status), payout(held.dollars));
        let to = self.stands_at(status);
        self.model.add(&[post(from, to, payout)]);
        Held { status, ..held }
    }

    fn complete(&mut self, held: Held) -> Held {
        let files = [("identificationDocument", PICTURE), ("firmPicture", PICTURE)];
        let call = Call::new("POST", format!("/api/remittances/{}/complete", held.id)).files(&files);
        if self.command(MANAGER, call, Some(&held.id)).is_none() {
            return held;
        }
        let delivered = [
            post(
                self.stands_at(held.status),
                self.dealers("field_cash"),
                payout(held.dollars),
            ),
            post(
                tenants("deferred_commission", "USD"),
                tenants("commission_income", "USD"),
                fee(held.dollars),
            ),
        ];
        self.model.add(&delivered);
        Held {
            status: Status::Completed,
            ..held
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

    fn sold(&self, dollars: i64) -> Vec<Posting> {
        vec![
            post(
                self.agencys("balance", "CUP"),
                tenants("remittances_pending", "CUP"),
                payout(dollars),
            ),
            post(
                self.agencys("commission_receivable", "USD"),
                tenants("deferred_commission", "USD"),
                fee(dollars),
            ),
        ]
    }

    fn unsold(&self, held: &Held) -> Vec<Posting> {
        vec![
            post(
                self.stands_at(held.status),
                self.agencys("balance", "CUP"),
                payout(held.dollars),
            ),
            post(
                tenants("deferred_commission", "USD"),
                self.agencys("commission_receivable", "USD"),
                fee(held.dollars),
            ),
        ]
    }

    /// The account where an open remittance's payout stands.
    fn stands_at(&self, status: Status) -> Account {
        match status {
            Status::Shipping => self.dealers("remittances_shipping"),
            Status::Error => tenants("remittances_error", "CUP"),
            _ => tenants("remittances_pending", "CUP"),
        }
    }

    fn agencys(&self, kind: &'static str, currency: &'static str) -> Account {
        (kind, self.business.agency.clone(), currency)
    }

    fn dealers(&self, kind: &'static str) -> Account {
        (kind, self.business.dealer.clone(), "CUP")
    }
}

const fn payout(dollars: i64) -> i64 {
    dollars * RATE * 100
}

const fn fee(dollars: i64) -> i64 {
    dollars * COMMISSION_PERCENT
}

const fn tenants(kind: &'static str, currency: &'static str) -> Account {
    (kind, String::new(), currency)
}
