//! What happens, day by day: a queue of things to do, each at its time, some of which lead to others.

use super::{
    DemoError,
    cast::{Cast, Dealer, Group, Issuer, Recipient, Seller, rate, units},
    people,
    teller::Teller,
};
use crate::files::{Files, Owner};
use actix_web::web::Bytes;
use caudal_domain::{
    Account, AccountKind, Command, Refusal,
    closure::ClosePeriod,
    ids::{CardId, ClosureId, DebitId, MovementId, PartyId, RemittanceId, TenantId},
    money::{Amount, CurrencyCode},
    movement::{
        Deposit, DepositTo, Exchange, ExpectedParty, Expense, Funds, MovementCommand, PayDebits, TransferCash,
        TransferTo,
    },
    remittance::{AssignDealer, CompleteRemittance, CreateRemittance, DeliveryChoice, EditAmount, RemittanceCommand},
};
use chrono::{DateTime, Days, Duration, NaiveDate, TimeZone as _, Utc};
use chrono_tz::America::Havana;
use std::{cmp::Reverse, collections::BinaryHeap};

const CUP: CurrencyCode = CurrencyCode::CUP;
const USD: CurrencyCode = CurrencyCode::USD;
const EUR: CurrencyCode = CurrencyCode::EUR;
const MLC: CurrencyCode = CurrencyCode::MLC;

/// Sales of a day.
const SALES: (i64, i64) = (9, 15);
/// What the manager puts in at the beginning, in whole units.
const CAPITAL: [(CurrencyCode, i64); 4] = [(CUP, 9_000_000), (USD, 45_000), (EUR, 14_000), (MLC, 20_000)];
/// The manager's deposits when something is short, in whole units.
const TOP_UP: [(CurrencyCode, i64); 4] = [(CUP, 2_500_000), (USD, 15_000), (EUR, 5_000), (MLC, 6_000)];
/// Cash that a dealer is given at a time, in whole units.
const DEALER_CASH: [(CurrencyCode, i64); 4] = [(CUP, 420_000), (USD, 1_800), (EUR, 700), (MLC, 1_500)];

/// The images that stand for identifications and signatures.
pub struct Images {
    identification: String,
    signature: String,
}

const IDENTIFICATION: &[u8] = include_bytes!("identification.png");
const SIGNATURE: &[u8] = include_bytes!("signature.png");

impl Images {
    pub async fn keep(files: &Files, tenant: &TenantId, at: DateTime<Utc>) -> Result<Self, DemoError> {
        let keep = async |content: &'static [u8]| {
            let kept = files.keep(tenant, "file", Bytes::from_static(content), &[], at).await;
            kept.map(|kept| kept.hash).map_err(DemoError::Files)
        };
        Ok(Self {
            identification: keep(IDENTIFICATION).await?,
            signature: keep(SIGNATURE).await?,
        })
    }

    /// Makes them the proofs of what was delivered.
    pub async fn give(
        &self,
        files: &Files,
        tenant: &TenantId,
        delivered: &[RemittanceId],
        at: DateTime<Utc>,
    ) -> Result<(), DemoError> {
        let owners: Vec<_> = delivered.iter().map(|id| Owner::Remittance(*id)).collect();
        for content in [IDENTIFICATION, SIGNATURE] {
            files
                .keep(tenant, "file", Bytes::from_static(content), &owners, at)
                .await
                .map_err(DemoError::Files)?;
        }
        Ok(())
    }
}

/// Something to do. Places are indices into the cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Deed {
    Capital,
    FundDealer(usize),
    Sell,
    EditAmount { sold: usize },
    Assign { sold: usize },
    Fail { sold: usize },
    Cancel { sold: usize },
    Deliver { sold: usize },
    Spend(usize),
    HandOver,
    BringBack(usize),
    Exchange,
    Credit(usize),
    PayDebits { part: bool },
    Close,
}

/// A remittance of the month.
#[derive(Clone, Copy, Debug)]
struct Sold {
    id: RemittanceId,
    by: PartyId,
    group: Group,
    amount: Amount,
    to: Recipient,
    dealer: usize,
    man: Option<PartyId>,
    attempts: u8,
}

struct Month<'a> {
    teller: &'a mut Teller,
    cast: Cast,
    images: &'a Images,
    queue: BinaryHeap<Reverse<(DateTime<Utc>, u32, Deed)>>,
    queued: u32,
    sold: Vec<Sold>,
    delivered: Vec<RemittanceId>,
}

/// Tells the month from its beginning until now. Gives back what was delivered.
pub async fn tell(
    teller: &mut Teller,
    cast: Cast,
    images: &Images,
    begin: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<Vec<RemittanceId>, DemoError> {
    let mut month = Month {
        teller,
        cast,
        images,
        queue: BinaryHeap::new(),
        queued: 0,
        sold: Vec::new(),
        delivered: Vec::new(),
    };
    month.plan(begin, now);
    while let Some(Reverse((at, _, deed))) = month.queue.pop() {
        if at >= now {
            break;
        }
        month.teller.move_to(at);
        month.act(at, deed).await?;
    }
    month.teller.move_to(now);
    Ok(month.delivered)
}

impl Month<'_> {
    fn plan(&mut self, begin: DateTime<Utc>, now: DateTime<Utc>) {
        self.at(begin + Duration::minutes(10), Deed::Capital);
        let dealers = self.cast.dealers.len();
        let first = begin.with_timezone(&Havana).date_naive();
        let last = now.with_timezone(&Havana).date_naive();
        for (day, date) in first.iter_days().take_while(|date| *date <= last).enumerate() {
            for dealer in 0..dealers {
                if (day + dealer) % 3 == 0 {
                    self.on(date, 8, 20, Deed::FundDealer(dealer));
                }
                if (day + dealer) % 4 == 1 {
                    self.on(date, 17, 45, Deed::Spend(dealer));
                }
                if (day + dealer) % 9 == 7 {
                    self.on(date, 18, 40, Deed::BringBack(dealer));
                }
            }
            let sales = if date.format("%u").to_string() == "7" {
                (3, 6)
            } else {
                SALES
            };
            for _ in 0..self.cast.chance.between(sales.0, sales.1) {
                let (hour, minute) = (self.cast.chance.between(9, 19), self.cast.chance.between(0, 59));
                self.on(date, hour, minute, Deed::Sell);
            }
            match day % 7 {
                2 => self.on(date, 10, 5, Deed::Credit(day % 3)),
                4 => self.on(date, 16, 30, Deed::HandOver),
                5 => self.on(date, 11, 15, Deed::Exchange),
                6 => self.on(date, 12, 30, Deed::PayDebits { part: day % 2 == 0 }),
                _ => {}
            }
            if day == 15 {
                self.on(date, 20, 30, Deed::Close);
            }
        }
    }

    /// At a time of a day in Cuba; on the night when clocks go forward, a little later.
    fn on(&mut self, date: NaiveDate, hour: i64, minute: i64, deed: Deed) {
        let time = u32::try_from(hour).ok().zip(u32::try_from(minute).ok());
        let local = time.and_then(|(hour, minute)| date.and_hms_opt(hour, minute, 0));
        if let Some(at) = local.and_then(|local| Havana.from_local_datetime(&local).earliest()) {
            self.at(at.to_utc(), deed);
        }
    }

    fn at(&mut self, at: DateTime<Utc>, deed: Deed) {
        self.queued += 1;
        self.queue.push(Reverse((at, self.queued, deed)));
    }

    /// Some hours after a time, within working hours.
    fn later(&mut self, at: DateTime<Utc>, hours: (i64, i64), deed: Deed) {
        let minutes = self.cast.chance.between(hours.0 * 60, hours.1 * 60);
        let local = (at + Duration::minutes(minutes)).with_timezone(&Havana);
        let hour: i64 = local.format("%H").to_string().parse().unwrap_or(12);
        if (8..20).contains(&hour) {
            return self.at(local.to_utc(), deed);
        }
        let day = if hour < 8 {
            Some(local.date_naive())
        } else {
            local.date_naive().checked_add_days(Days::new(1))
        };
        let (hour, minute) = (self.cast.chance.between(8, 12), self.cast.chance.between(0, 59));
        self.on(day.unwrap_or(local.date_naive()), hour, minute, deed);
    }

    async fn act(&mut self, at: DateTime<Utc>, deed: Deed) -> Result<(), DemoError> {
        match deed {
            Deed::Capital => {
                for (currency, amount) in CAPITAL {
                    self.deposit_to_treasury(currency, units(amount)).await?;
                }
                for dealer in 0..self.cast.dealers.len() {
                    self.fund_dealer(dealer).await?;
                }
                Ok(())
            }
            Deed::FundDealer(dealer) => self.fund_dealer(dealer).await,
            Deed::Sell => self.sell(at).await,
            Deed::EditAmount { sold } => self.edit_amount(sold).await,
            Deed::Assign { sold } => self.assign(at, sold).await,
            Deed::Fail { sold } => self.fail(at, sold).await,
            Deed::Cancel { sold } => self.cancel(sold).await,
            Deed::Deliver { sold } => self.deliver(sold).await,
            Deed::Spend(dealer) => self.spend(dealer).await,
            Deed::HandOver => self.hand_over().await,
            Deed::BringBack(dealer) => self.bring_back(dealer).await,
            Deed::Exchange => self.exchange().await,
            Deed::Credit(seller) => self.credit(seller).await,
            Deed::PayDebits { part } => self.pay_debits(part).await,
            Deed::Close => self.close(at).await,
        }
    }

    async fn sell(&mut self, at: DateTime<Utc>) -> Result<(), DemoError> {
        let chance = &mut self.cast.chance;
        let Some(seller) = chance.pick(&self.cast.sellers).cloned() else {
            return Ok(());
        };
        let Some(group) = pick_group(&seller, chance.between(1, 100)) else {
            return Ok(());
        };
        let issuer = chance
            .pick(&seller.issuers)
            .and_then(|index| self.cast.issuers.get(*index));
        let Some((issuer, to)) = issuer.and_then(|issuer| recipient(issuer, group, chance)) else {
            return Ok(());
        };
        let amount = match group.currency {
            USD | EUR => units(chance.between(4, 30) * 10),
            _ => units(chance.between(5, 60) * 5),
        };
        let home = || {
            self.cast
                .dealers
                .iter()
                .position(|dealer| dealer.province == to.province)
        };
        let dealer = match (group.currency, to.mlc_card) {
            (MLC, Some(_)) => self.cast.dealers.iter().position(|dealer| dealer.handles_mlc),
            _ => home(),
        };
        let create = CreateRemittance {
            id: RemittanceId::generate(),
            seller: None,
            sender: issuer,
            recipient: to.id,
            group: group.id,
            amount,
            delivery: card(group, to).map_or(DeliveryChoice::Home, DeliveryChoice::Card),
            reference: None,
            notes: chance.percent(15).then(|| chance.word(people::NOTES).to_owned()),
        };
        let roll = (chance.between(1, 100), chance.percent(4));
        let id = create.id;
        let command = Command::Remittance(id, RemittanceCommand::Create(create));
        let answer = match self.teller.try_tell(seller.id, command.clone()).await? {
            Ok(answer) => answer,
            Err(refusal) if refusal.code == "balance_insufficient" => {
                self.fund_seller(&seller, group).await?;
                self.teller.tell(seller.id, command).await?
            }
            Err(refusal) => return Err(refused("sell", refusal)),
        };
        self.sold.push(Sold {
            id: RemittanceId(answer.id),
            by: seller.id,
            group,
            amount,
            to,
            dealer: dealer.unwrap_or_default(),
            man: None,
            attempts: 0,
        });
        let sold = self.sold.len() - 1;
        if roll.1 {
            self.later(at, (0, 1), Deed::EditAmount { sold });
        }
        match roll.0 {
            1..=4 => self.later(at, (1, 5), Deed::Cancel { sold }),
            _ => self.later(at, (1, 14), Deed::Assign { sold }),
        }
        Ok(())
    }

    async fn edit_amount(&mut self, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let edit = EditAmount {
            amount: of.amount - units(5),
            group: of.group.id,
        };
        self.unless_moved_on(of.by, of.id, RemittanceCommand::EditAmount(edit))
            .await
    }

    async fn assign(&mut self, at: DateTime<Utc>, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let Some(dealer) = self.cast.dealers.get(of.dealer).cloned() else {
            return Ok(());
        };
        let by_man = of.group.currency != MLC && self.cast.chance.percent(65);
        let man = if by_man {
            self.cast.chance.pick(&dealer.delivery_men).copied()
        } else {
            None
        };
        let assign = AssignDealer {
            dealer: dealer.id,
            delivery_man: None,
        };
        let command = Command::Remittance(of.id, RemittanceCommand::Assign(assign));
        self.teller.tell(self.teller.manager, command).await?;
        if man.is_some() {
            let assign = AssignDealer {
                dealer: dealer.id,
                delivery_man: man,
            };
            self.teller
                .tell(dealer.id, Command::Remittance(of.id, RemittanceCommand::Assign(assign)))
                .await?;
        }
        if let Some(of) = self.sold.get_mut(sold) {
            of.man = man;
            of.attempts += 1;
        }
        if of.attempts == 0 && self.cast.chance.percent(8) {
            self.later(at, (3, 20), Deed::Fail { sold });
        } else {
            self.later(at, (3, 44), Deed::Deliver { sold });
        }
        Ok(())
    }

    async fn fail(&mut self, at: DateTime<Utc>, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let reason = self.cast.chance.word(people::ERRORS).to_owned();
        let command = Command::Remittance(of.id, RemittanceCommand::MarkError { reason });
        self.teller.tell(self.deliverer(&of), command).await?;
        match self.cast.chance.between(1, 10) {
            1..=3 => self.later(at, (8, 40), Deed::Cancel { sold }),
            _ => self.later(at, (12, 60), Deed::Assign { sold }),
        }
        Ok(())
    }

    async fn cancel(&mut self, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let reason = self.cast.chance.word(people::CANCELLATIONS).to_owned();
        self.unless_moved_on(of.by, of.id, RemittanceCommand::Cancel { reason })
            .await
    }

    async fn deliver(&mut self, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let complete = CompleteRemittance {
            identification: Some(self.images.identification.clone()),
            signature: card(of.group, of.to).is_none().then(|| self.images.signature.clone()),
            to_representative: false,
        };
        let command = Command::Remittance(of.id, RemittanceCommand::Complete(complete));
        self.teller.tell(self.deliverer(&of), command).await?;
        self.delivered.push(of.id);
        Ok(())
    }

    fn deliverer(&self, of: &Sold) -> PartyId {
        let dealer = self.cast.dealers.get(of.dealer).map(|dealer| dealer.id);
        of.man.or(dealer).unwrap_or(self.teller.manager)
    }

    /// A command that comes too late where somebody else was quicker.
    async fn unless_moved_on(
        &mut self,
        by: PartyId,
        id: RemittanceId,
        command: RemittanceCommand,
    ) -> Result<(), DemoError> {
        match self.teller.try_tell(by, Command::Remittance(id, command)).await? {
            Ok(_) => Ok(()),
            Err(refusal) if refusal.code.starts_with("remittance_is_") => Ok(()),
            Err(refusal) if refusal.code == "only_manager_in_this_status" => Ok(()),
            Err(refusal) => Err(refused("remittance", refusal)),
        }
    }

    async fn fund_dealer(&mut self, index: usize) -> Result<(), DemoError> {
        let Some(dealer) = self.cast.dealers.get(index).cloned() else {
            return Ok(());
        };
        for (currency, amount) in DEALER_CASH {
            if currency == MLC && !dealer.handles_mlc {
                continue;
            }
            self.bring_up_to(dealer.id, ExpectedParty::Dealer, currency, units(amount))
                .await?;
            for man in &dealer.delivery_men {
                if currency != MLC {
                    self.hand_down(&dealer, *man, currency, Amount::from_minor(units(amount).minor() / 3))
                        .await?;
                }
            }
        }
        Ok(())
    }

    /// The manager brings a dealer's cash up to an amount, in round figures.
    async fn bring_up_to(
        &mut self,
        to: PartyId,
        expected: ExpectedParty,
        currency: CurrencyCode,
        wanted: Amount,
    ) -> Result<(), DemoError> {
        let cash = self.cash(to, currency).await?;
        if cash.minor() * 2 > wanted.minor() {
            return Ok(());
        }
        let missing = round_up(wanted - cash, units(100));
        let deposit = deposit(DepositTo::Party(to, expected), Funds::Currency(currency), missing);
        self.from_treasury(currency, deposit).await
    }

    async fn hand_down(
        &mut self,
        dealer: &Dealer,
        man: PartyId,
        currency: CurrencyCode,
        wanted: Amount,
    ) -> Result<(), DemoError> {
        let cash = self.cash(man, currency).await?;
        if cash.minor() * 2 > wanted.minor() {
            return Ok(());
        }
        let to = DepositTo::Party(man, ExpectedParty::DeliveryMan);
        let deposit = deposit(to, Funds::Currency(currency), round_up(wanted - cash, units(10)));
        self.if_enough(dealer.id, movement(MovementCommand::Deposit(deposit)))
            .await
    }

    /// Funds a seller's balance of a group, and before it its agency's where the balance comes from there.
    async fn fund_seller(&mut self, seller: &Seller, group: Group) -> Result<(), DemoError> {
        let amount = units(match group.currency {
            CUP => 350_000,
            _ => 1_500,
        });
        let to = DepositTo::Party(seller.funded_by, ExpectedParty::Any);
        let own = Deposit {
            note: Some("Recarga de saldo".to_owned()),
            ..deposit(to, Funds::Group(group.id), amount)
        };
        if seller.under_manager {
            return self.from_treasury(USD, own).await;
        }
        let books = self.teller.books().await?;
        let agency = books.party(seller.funded_by).and_then(|party| party.agency);
        let Some(agency) = agency else { return Ok(()) };
        let own = Deposit {
            amount: Amount::from_minor(amount.minor() / 2),
            on_credit: true,
            ..own
        };
        let command = movement(MovementCommand::Deposit(own));
        if let Err(refusal) = self.teller.try_tell(agency, command.clone()).await? {
            if refusal.code != "balance_insufficient" {
                return Err(refused("fund an agent", refusal));
            }
            let to = DepositTo::Party(agency, ExpectedParty::Agency);
            self.from_treasury(USD, deposit(to, Funds::Group(group.id), amount))
                .await?;
            self.teller.tell(agency, command).await?;
        }
        Ok(())
    }

    /// A deposit of the manager's, topping the treasury up first where it is short.
    async fn from_treasury(&mut self, currency: CurrencyCode, deposit: Deposit) -> Result<(), DemoError> {
        let command = movement(MovementCommand::Deposit(deposit));
        let manager = self.teller.manager;
        match self.teller.try_tell(manager, command.clone()).await? {
            Ok(_) => Ok(()),
            Err(refusal) if refusal.code == "treasury_insufficient" => {
                let amount = TOP_UP
                    .iter()
                    .find(|(code, _)| *code == currency)
                    .map_or(10_000, |(_, amount)| *amount);
                self.deposit_to_treasury(currency, units(amount)).await?;
                self.teller.tell(manager, command).await.map(drop)
            }
            Err(refusal) => Err(refused("deposit", refusal)),
        }
    }

    async fn deposit_to_treasury(&mut self, currency: CurrencyCode, amount: Amount) -> Result<(), DemoError> {
        let deposit = Deposit {
            note: Some("Aporte de capital".to_owned()),
            ..deposit(DepositTo::Treasury, Funds::Currency(currency), amount)
        };
        let command = movement(MovementCommand::Deposit(deposit));
        self.teller.tell(self.teller.manager, command).await.map(drop)
    }

    async fn spend(&mut self, index: usize) -> Result<(), DemoError> {
        let Some(dealer) = self.cast.dealers.get(index).cloned() else {
            return Ok(());
        };
        let man = self.cast.chance.pick(&dealer.delivery_men).copied();
        let party = man.filter(|_| self.cast.chance.percent(40)).unwrap_or(dealer.id);
        let expense = Expense {
            party,
            amount: units(self.cast.chance.between(6, 40) * 100),
            currency: CUP,
            concept: self.cast.chance.word(people::EXPENSES).to_owned(),
        };
        self.if_enough(party, movement(MovementCommand::Expense(expense))).await
    }

    /// One dealer helps another out.
    async fn hand_over(&mut self) -> Result<(), DemoError> {
        let dealers = self.cast.dealers.clone();
        let from = self.cast.chance.pick(&dealers).map(|dealer| dealer.id);
        let to = self.cast.chance.pick(&dealers).map(|dealer| dealer.id);
        let Some((from, to)) = from.zip(to).filter(|(from, to)| from != to) else {
            return Ok(());
        };
        let transfer = TransferCash {
            from,
            to: TransferTo::Party(to),
            amount: units(self.cast.chance.between(10, 60) * 1_000),
            currency: CUP,
            exchange: None,
            note: Some("Préstamo entre provincias".to_owned()),
        };
        self.if_enough(from, movement(MovementCommand::Transfer(transfer)))
            .await
    }

    async fn bring_back(&mut self, index: usize) -> Result<(), DemoError> {
        let Some(dealer) = self.cast.dealers.get(index).map(|dealer| dealer.id) else {
            return Ok(());
        };
        let transfer = TransferCash {
            from: dealer,
            to: TransferTo::Manager,
            amount: units(self.cast.chance.between(1, 6) * 50),
            currency: if self.cast.chance.percent(50) { USD } else { EUR },
            exchange: None,
            note: None,
        };
        self.if_enough(dealer, movement(MovementCommand::Transfer(transfer)))
            .await
    }

    /// The manager changes a dealer's dollars into pesos.
    async fn exchange(&mut self) -> Result<(), DemoError> {
        let dealers = self.cast.dealers.clone();
        let Some(dealer) = self.cast.chance.pick(&dealers).map(|dealer| dealer.id) else {
            return Ok(());
        };
        let transfer = TransferCash {
            from: dealer,
            to: TransferTo::Party(dealer),
            amount: units(self.cast.chance.between(2, 8) * 50),
            currency: USD,
            exchange: Some(Exchange {
                currency: CUP,
                rate: rate("321.5")?,
            }),
            note: None,
        };
        self.if_enough(self.teller.manager, movement(MovementCommand::Transfer(transfer)))
            .await
    }

    /// An agency gets balance on credit.
    async fn credit(&mut self, index: usize) -> Result<(), DemoError> {
        let agencies: Vec<_> = self
            .cast
            .sellers
            .iter()
            .filter(|seller| seller.groups.len() > 2)
            .cloned()
            .collect();
        let Some((agency, group)) = agencies
            .get(index)
            .and_then(|one| Some((one, one.groups.get(index % 2)?)))
        else {
            return Ok(());
        };
        let amount = units(if group.currency == CUP { 160_000 } else { 800 });
        let deposit = Deposit {
            on_credit: true,
            note: Some("A crédito hasta el cierre".to_owned()),
            ..deposit(
                DepositTo::Party(agency.funded_by, ExpectedParty::Agency),
                Funds::Group(group.id),
                amount,
            )
        };
        self.from_treasury(USD, deposit).await
    }

    /// The oldest debits owed to the manager, and those owed to an agency, are paid; sometimes in part.
    async fn pay_debits(&mut self, part: bool) -> Result<(), DemoError> {
        let books = self.teller.books().await?;
        let mut open: Vec<_> = books
            .debits()
            .filter(|debit| debit.outstanding().is_positive())
            .collect();
        open.sort_by_key(|debit| (debit.opened_at, debit.id));
        for creditor in open
            .iter()
            .map(|debit| debit.creditor)
            .collect::<std::collections::BTreeSet<_>>()
        {
            let Some(debit) = open.iter().find(|debit| debit.creditor == creditor) else {
                continue;
            };
            let half = Amount::from_minor(debit.outstanding().minor() / 2);
            let pay = PayDebits {
                debits: vec![debit.id],
                amount: Some(half).filter(|half| part && half.is_positive()),
                note: None,
            };
            let by = creditor.unwrap_or(self.teller.manager);
            self.teller.tell(by, movement(MovementCommand::PayDebits(pay))).await?;
        }
        Ok(())
    }

    /// The first half of the month is closed, for every agency and for the agents of one of them.
    async fn close(&mut self, at: DateTime<Utc>) -> Result<(), DemoError> {
        let yesterday = at.with_timezone(&Havana).date_naive().checked_sub_days(Days::new(1));
        let parties: Vec<_> = self
            .cast
            .sellers
            .iter()
            .filter(|seller| seller.id == seller.funded_by)
            .cloned()
            .collect();
        for seller in parties {
            let closure = ClosePeriod {
                id: ClosureId::generate(),
                party: seller.id,
                to: yesterday,
                debit: DebitId::generate(),
                agency_debit: DebitId::generate(),
            };
            self.teller.tell(self.teller.manager, Command::Closure(closure)).await?;
        }
        Ok(())
    }

    /// A command that whoever gives it thinks better of where the cash is not there.
    async fn if_enough(&mut self, by: PartyId, command: Command) -> Result<(), DemoError> {
        match self.teller.try_tell(by, command).await? {
            Ok(_) => Ok(()),
            Err(refusal) if refusal.code == "cash_insufficient" => Ok(()),
            Err(refusal) => Err(refused("cash", refusal)),
        }
    }

    async fn cash(&self, of: PartyId, currency: CurrencyCode) -> Result<Amount, DemoError> {
        let books = self.teller.books().await?;
        Ok(books.balance(Account::of(AccountKind::FieldCash, of, currency)))
    }
}

/// The group that a roll of a hundred falls on.
fn pick_group(seller: &Seller, roll: i64) -> Option<Group> {
    let total: i64 = seller.groups.iter().map(|group| group.share).sum();
    let mut left = roll * total / 100;
    for group in &seller.groups {
        left -= group.share;
        if left <= 0 {
            return Some(*group);
        }
    }
    seller.groups.last().copied()
}

/// A recipient of an issuer whom the group can pay.
fn recipient(
    issuer: &Issuer,
    group: Group,
    chance: &mut super::chance::Chance,
) -> Option<(caudal_domain::ids::CustomerId, Recipient)> {
    let payable: Vec<_> = issuer
        .recipients
        .iter()
        .filter(|to| group.currency != MLC || to.mlc_card.is_some())
        .copied()
        .collect();
    chance.pick(&payable).map(|to| (issuer.id, *to))
}

fn card(group: Group, to: Recipient) -> Option<CardId> {
    to.mlc_card.filter(|_| group.currency == MLC)
}

fn deposit(to: DepositTo, funds: Funds, amount: Amount) -> Deposit {
    Deposit {
        to,
        funds,
        amount,
        on_credit: false,
        note: None,
        debit: DebitId::generate(),
    }
}

fn movement(command: MovementCommand) -> Command {
    Command::Movement(MovementId::generate(), command)
}

/// Up to the next whole multiple of a step.
const fn round_up(amount: Amount, step: Amount) -> Amount {
    let (amount, step) = (amount.minor(), step.minor());
    Amount::from_minor((amount + step - 1) / step * step)
}

fn refused(step: &str, refusal: Refusal) -> DemoError {
    DemoError::Refused {
        step: step.to_owned(),
        refusal,
    }
}
