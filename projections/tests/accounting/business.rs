//! Random business on a real journal: every party uses every command, day after day. Refused commands have no effect.

use crate::common::{CUP, MLC, Office, USD, home, person, rate, terms};
use caudal_domain::{
    Actor, Command,
    closure::ClosePeriod,
    customer::{CustomerCommand, CustomerKind, Place, RegisterCustomer},
    ids::{ClosureId, CustomerId, MovementId, ObligationId, PartyId, PaymentGroupId, RemittanceId},
    money::{Amount, CurrencyCode},
    movement::{
        Deposit, DepositTo, Exchange, ExpectedParty, Expense, Funds, MovementCommand, OpenBalance, Opened, PayDebits,
        TransferCash, TransferTo,
    },
    party::{Registration, Territory},
    remittance::{AssignDealer, CompleteRemittance, CreateRemittance, EditAmount, RemittanceCommand},
};
use caudal_journal::Clock;
use caudal_postgres_testing::TestDatabase;
use chrono::{DateTime, Duration, NaiveDate, Utc};
use chrono_tz::America::Havana;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

/// A clock set by the test.
pub struct TestClock(Mutex<DateTime<Utc>>);

impl TestClock {
    pub fn at(now: &str) -> Arc<Self> {
        Arc::new(Self(Mutex::new(now.parse().unwrap())))
    }

    pub fn set(&self, now: &str) {
        *self.0.lock().unwrap() = now.parse().unwrap();
    }

    pub fn pass(&self, time: Duration) {
        *self.0.lock().unwrap() += time;
    }

    pub fn today(&self) -> NaiveDate {
        self.now().with_timezone(&Havana).date_naive()
    }
}

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

/// A seeded generator (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        let length = u64::try_from(of.len()).unwrap();
        (length > 0).then(|| of[usize::try_from(self.below(length)).unwrap()])
    }

    fn minor(&mut self, limit: u64) -> Amount {
        let magnitude = [limit / 100, limit / 10, limit][usize::try_from(self.below(3)).unwrap()].max(1);
        Amount::from_minor(i64::try_from(1 + self.below(magnitude)).unwrap())
    }
}

/// The office with an independent agent, another agency, another dealer and another delivery man.
pub struct Street {
    pub office: Office,
    pub clock: Arc<TestClock>,
    pub free_agent: PartyId,
    pub other_agency: PartyId,
    pub other_dealer: PartyId,
    pub other_courier: PartyId,
    pub dice: Dice,
    customers: BTreeMap<PartyId, (CustomerId, CustomerId)>,
    remittances: Vec<RemittanceId>,
    movements: Vec<MovementId>,
    openings: Vec<MovementId>,
    debits: Vec<ObligationId>,
    /// Number of accepted commands by kind.
    pub accepted: BTreeMap<&'static str, usize>,
}

impl Street {
    pub async fn open(clock: Arc<TestClock>, seed: u64) -> Self {
        let office = Office::open_by("worked", TestDatabase::new().await, clock.clone()).await;
        let mut street = Self {
            clock,
            free_agent: PartyId::generate(),
            other_agency: PartyId::generate(),
            other_dealer: PartyId::generate(),
            other_courier: PartyId::generate(),
            dice: Dice::seeded(seed),
            customers: BTreeMap::new(),
            remittances: Vec::new(),
            movements: Vec::new(),
            openings: Vec::new(),
            debits: Vec::new(),
            accepted: BTreeMap::new(),
            office,
        };
        street.furnish().await;
        street
    }

    async fn furnish(&mut self) {
        let office = &self.office;
        let own = |limit: &str| vec![terms(office.group, Some(limit)), terms(office.mlc_group, None)];
        let free = Registration::ExternalAgent {
            agency: None,
            terms: own("1000.00"),
        };
        office.register(self.free_agent, free, "Fidel Suelto").await;
        let agency = Registration::Agency { terms: own("500.00") };
        office.register(self.other_agency, agency, "Otra Agencia").await;
        let territory = Territory {
            province: home().province,
            zones: home().municipality.into_iter().collect(),
            handle_mlc: true,
        };
        office
            .register(self.other_dealer, Registration::Dealer { territory }, "Zoila Dealer")
            .await;
        let courier = Registration::DeliveryMan {
            dealer: Some(self.other_dealer),
            handle_mlc: true,
        };
        office.register(self.other_courier, courier, "Yoel Mensajero").await;
        let known = (office.issuer, office.recipient);
        let mut customers = BTreeMap::from([(office.agency, known), (office.clerk, known), (office.agent, known)]);
        for owner in [self.free_agent, self.other_agency] {
            let issuer = self.customer(owner, None).await;
            customers.insert(owner, (issuer, self.customer(owner, Some(issuer)).await));
        }
        self.customers = customers;
    }

    async fn customer(&self, owner: PartyId, sender: Option<CustomerId>) -> CustomerId {
        let id = CustomerId::generate();
        let customer = RegisterCustomer {
            id,
            kind: sender.map_or(CustomerKind::Issuer, |_| CustomerKind::Recipient),
            details: person("Cliente", "De Otros", "+53 5 765 4321"),
            is_active: true,
            owner: sender.is_none().then_some(owner),
            sender,
            place: sender.map_or(Place::default(), |_| home()),
        };
        let command = Command::Customer(id, CustomerCommand::Register(customer));
        self.office.manage(command).await;
        id
    }

    /// A seller's issuer and recipient.
    pub fn customers_of(&self, seller: PartyId) -> (CustomerId, CustomerId) {
        self.customers[&seller]
    }

    pub fn sellers(&self) -> [PartyId; 4] {
        [
            self.office.agency,
            self.office.agent,
            self.free_agent,
            self.other_agency,
        ]
    }

    pub fn dealers(&self) -> [PartyId; 2] {
        [self.office.dealer, self.other_dealer]
    }

    pub fn field(&self) -> [PartyId; 4] {
        [
            self.office.dealer,
            self.office.delivery_man,
            self.other_dealer,
            self.other_courier,
        ]
    }

    fn courier_of(&self, dealer: PartyId) -> PartyId {
        if dealer == self.office.dealer {
            self.office.delivery_man
        } else {
            self.other_courier
        }
    }

    /// Opens about half of the accounts with a balance of another system.
    pub async fn open_accounts(&mut self) {
        let currencies = [CUP, MLC, USD];
        let mut accounts: Vec<Opened> = currencies.map(Opened::Treasury).into();
        accounts.extend(
            self.field()
                .into_iter()
                .flat_map(|party| currencies.map(|currency| Opened::Cash(party, currency))),
        );
        let groups = [self.office.group, self.office.mlc_group];
        accounts.extend(
            self.sellers()
                .into_iter()
                .flat_map(|party| groups.map(|group| Opened::Balance(party, group))),
        );
        for of in accounts {
            if self.dice.chance(50) {
                let amount = self.dice.minor(2_000_000);
                let manager = self.office.manager;
                self.movement("opening", manager, MovementCommand::Open(OpenBalance { of, amount }))
                    .await;
            }
        }
        self.openings.clone_from(&self.movements);
    }

    /// Runs random commands, with up to 45 minutes between them.
    pub async fn trade(&mut self, commands: usize) {
        for _ in 0..commands {
            let minutes = i64::try_from(self.dice.below(45)).unwrap();
            self.clock.pass(Duration::seconds(minutes * 60 + 1));
            self.step().await;
        }
    }

    async fn attempt(&mut self, sort: &'static str, by: PartyId, command: Command) -> Option<caudal_domain::Answer> {
        let committed = self.office.submit(Actor::Party(by), command).await.ok()?;
        *self.accepted.entry(sort).or_default() += 1;
        Some(committed.answer)
    }

    async fn movement(&mut self, sort: &'static str, by: PartyId, command: MovementCommand) {
        let id = MovementId::generate();
        if let Some(answer) = self.attempt(sort, by, Command::Movement(id, command)).await {
            self.movements.push(id);
            self.debits.extend(answer.debit_id.map(ObligationId));
        }
    }

    async fn deposit(
        &mut self,
        sort: &'static str,
        by: PartyId,
        to: DepositTo,
        funds: Funds,
        amount: Amount,
        credit: bool,
    ) {
        let deposit = Deposit {
            to,
            funds,
            amount,
            on_credit: credit,
            note: None,
            debit: ObligationId::generate(),
        };
        self.movement(sort, by, MovementCommand::Deposit(deposit)).await;
    }

    fn currency(&mut self) -> CurrencyCode {
        self.dice.pick(&[CUP, CUP, MLC, USD]).unwrap()
    }

    fn group(&mut self) -> PaymentGroupId {
        let groups = [self.office.group, self.office.group, self.office.mlc_group];
        self.dice.pick(&groups).unwrap()
    }

    async fn step(&mut self) {
        let manager = self.office.manager;
        match self.dice.below(100) {
            0..4 => {
                let (currency, amount) = (self.currency(), self.dice.minor(90_000_000));
                let to = DepositTo::Treasury;
                self.deposit("treasury", manager, to, Funds::Currency(currency), amount, false)
                    .await;
            }
            4..14 => self.assign_balance().await,
            14..21 => self.hand_cash().await,
            21..28 => self.transfer().await,
            28..31 => self.exchange().await,
            31..34 => {
                let party = self.dice.pick(&self.field()).unwrap();
                let expense = Expense {
                    party,
                    amount: self.dice.minor(20_000),
                    currency: self.currency(),
                    concept: "Gasolina".into(),
                };
                self.movement("expense", party, MovementCommand::Expense(expense)).await;
            }
            34..41 => {
                let by = if self.dice.chance(70) {
                    manager
                } else {
                    self.office.agency
                };
                let debits: Vec<ObligationId> = self.dice.pick(&self.debits).into_iter().collect();
                let amount = self.dice.chance(50).then(|| self.dice.minor(10_000));
                let pay = PayDebits {
                    debits,
                    amount,
                    note: None,
                };
                self.movement("payment", by, MovementCommand::PayDebits(pay)).await;
            }
            41..44 => {
                let of = if self.dice.chance(30) {
                    &self.openings
                } else {
                    &self.movements
                };
                if let Some(id) = self.dice.pick(of) {
                    let reverse = MovementCommand::Reverse { reason: "Error".into() };
                    self.attempt("reversal", manager, Command::Movement(id, reverse)).await;
                }
            }
            44..62 => self.sell().await,
            62..68 => {
                let edit = EditAmount::new(self.dice.minor(30_000), self.group());
                self.on_remittance("edit", manager, RemittanceCommand::EditAmount(edit))
                    .await;
            }
            68..80 => {
                let dealer = self.dice.pick(&self.dealers()).unwrap();
                let assign = AssignDealer {
                    dealer,
                    delivery_man: self.dice.chance(60).then(|| self.courier_of(dealer)),
                };
                self.on_remittance("assign", manager, RemittanceCommand::Assign(assign))
                    .await;
            }
            80..84 => {
                let reason = "No estaba".into();
                self.on_remittance("failure", manager, RemittanceCommand::MarkError { reason })
                    .await;
            }
            84..88 => {
                let reason = "Se arrepintió".into();
                self.on_remittance("cancel", manager, RemittanceCommand::Cancel { reason })
                    .await;
            }
            88..97 => {
                let hash = "a".repeat(64);
                let complete = CompleteRemittance {
                    identification: Some(hash.clone()),
                    signature: Some(hash),
                    ..CompleteRemittance::default()
                };
                self.on_remittance("complete", manager, RemittanceCommand::Complete(complete))
                    .await;
            }
            _ => self.close().await,
        }
    }

    async fn on_remittance(&mut self, sort: &'static str, by: PartyId, command: RemittanceCommand) {
        // Mostly a recent remittance, which is still open.
        let recent = self.remittances.len().saturating_sub(12);
        let from = if self.dice.chance(80) { recent } else { 0 };
        if let Some(id) = self.dice.pick(&self.remittances[from..]) {
            self.attempt(sort, by, Command::Remittance(id, command)).await;
        }
    }

    async fn assign_balance(&mut self) {
        let (group, amount) = (self.group(), self.dice.minor(9_000_000));
        let credit = self.dice.chance(40);
        if self.dice.chance(30) {
            let to = DepositTo::Party(self.office.agent, ExpectedParty::Agent);
            self.deposit("gift", self.office.agency, to, Funds::Group(group), amount, credit)
                .await;
            return;
        }
        let seller = self.dice.pick(&self.sellers()).unwrap();
        let to = if seller == self.office.agency || seller == self.other_agency {
            ExpectedParty::Agency
        } else {
            ExpectedParty::Agent
        };
        let (manager, to) = (self.office.manager, DepositTo::Party(seller, to));
        self.deposit("assignment", manager, to, Funds::Group(group), amount, credit)
            .await;
    }

    async fn hand_cash(&mut self) {
        let to = self.dice.pick(&self.field()).unwrap();
        let (currency, amount) = (self.currency(), self.dice.minor(5_000_000));
        let courier = to == self.office.delivery_man || to == self.other_courier;
        let (by, sort) = if courier && self.dice.chance(60) {
            let dealer = if to == self.other_courier {
                self.other_dealer
            } else {
                self.office.dealer
            };
            (dealer, "hand-over by deposit")
        } else {
            (self.office.manager, "cash")
        };
        let expected = if courier {
            ExpectedParty::DeliveryMan
        } else {
            ExpectedParty::Dealer
        };
        let to = DepositTo::Party(to, expected);
        self.deposit(sort, by, to, Funds::Currency(currency), amount, false)
            .await;
    }

    async fn transfer(&mut self) {
        let field = self.field();
        let from = self.dice.pick(&field).unwrap();
        let to = if self.dice.chance(25) {
            TransferTo::Manager
        } else {
            TransferTo::Party(self.dice.pick(&field).unwrap())
        };
        let transfer = TransferCash {
            from,
            to,
            amount: self.dice.minor(1_000_000),
            currency: self.currency(),
            exchange: None,
            note: None,
        };
        let by = if self.dice.chance(50) {
            from
        } else {
            self.office.manager
        };
        self.movement("transfer", by, MovementCommand::Transfer(transfer)).await;
    }

    async fn exchange(&mut self) {
        let field = self.field();
        let from = self.dice.pick(&field).unwrap();
        let (currency, into, by) = self
            .dice
            .pick(&[(CUP, MLC, "0.0025"), (MLC, CUP, "330"), (CUP, USD, "0.003")])
            .unwrap();
        let to = if self.dice.chance(60) {
            from
        } else {
            self.dice.pick(&field).unwrap()
        };
        let transfer = TransferCash {
            from,
            to: TransferTo::Party(to),
            amount: self.dice.minor(500_000),
            currency,
            exchange: Some(Exchange {
                currency: into,
                rate: rate(by),
            }),
            note: None,
        };
        let manager = self.office.manager;
        self.movement("exchange", manager, MovementCommand::Transfer(transfer))
            .await;
    }

    async fn sell(&mut self) {
        let [agency, agent, free_agent, other_agency] = self.sellers();
        let sellers = [agency, self.office.clerk, agent, free_agent, other_agency];
        let by = self.dice.pick(&sellers).unwrap();
        let (sender, recipient) = self.customers[&by];
        let id = RemittanceId::generate();
        let (group, amount) = (self.group(), self.dice.minor(40_000));
        let create = CreateRemittance::new(id, sender, recipient, group, amount);
        let command = Command::Remittance(id, RemittanceCommand::Create(create));
        if self.attempt("sale", by, command).await.is_some() {
            self.remittances.push(id);
        }
    }

    async fn close(&mut self) {
        let party = self.dice.pick(&self.sellers()).unwrap();
        let today = self.clock.today();
        let to = if self.dice.chance(70) { today.pred_opt() } else { None };
        let close = ClosePeriod {
            id: ClosureId::generate(),
            party,
            to,
            debit: ObligationId::generate(),
            agency_debit: ObligationId::generate(),
        };
        let manager = self.office.manager;
        if let Some(answer) = self.attempt("closure", manager, Command::Closure(close)).await {
            let opened = [answer.debit_id, answer.agency_debit_id];
            self.debits.extend(opened.into_iter().flatten().map(ObligationId));
        }
    }
}
