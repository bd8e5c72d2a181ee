//! The month's schedule: a queue of timed actions, some of which schedule others.

mod cash;
mod sales;

use super::{
    DemoError,
    cast::{Cast, Group, Recipient},
    images::Images,
    teller::Teller,
};
use caudal_domain::{
    Refusal,
    ids::{PartyId, RemittanceId},
    money::Amount,
};
use chrono::{DateTime, Days, Duration, NaiveDate, TimeZone as _, Utc};
use chrono_tz::America::Havana;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Minimum and maximum sales per day.
const SALES: (i64, i64) = (9, 15);

/// A scheduled action. Numbers are indices into the cast.
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
    payout: Amount,
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
    opens: DateTime<Utc>,
    sold: Vec<Sold>,
    /// Number of failed deliveries.
    failed: u32,
    delivered: Vec<RemittanceId>,
}

/// Generates the month until now. Returns the deliveries.
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
        opens: begin + Duration::minutes(10),
        sold: Vec::new(),
        failed: 0,
        delivered: Vec::new(),
    };
    month.plan(now);
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
    fn plan(&mut self, now: DateTime<Utc>) {
        self.at(self.opens, Deed::Capital);
        let dealers = self.cast.dealers.len();
        let first = self.opens.with_timezone(&Havana).date_naive();
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

    /// Schedules at a local time in Cuba; in the hour skipped by a clock change, a little later.
    fn on(&mut self, date: NaiveDate, hour: i64, minute: i64, deed: Deed) {
        let time = u32::try_from(hour).ok().zip(u32::try_from(minute).ok());
        let local = time.and_then(|(hour, minute)| date.and_hms_opt(hour, minute, 0));
        let at = local.and_then(|local| Havana.from_local_datetime(&local).earliest());
        // The first day starts with the month.
        if let Some(at) = at.map(|at| at.to_utc()).filter(|at| *at > self.opens) {
            self.at(at, deed);
        }
    }

    fn at(&mut self, at: DateTime<Utc>, deed: Deed) {
        self.queued += 1;
        self.queue.push(Reverse((at, self.queued, deed)));
    }

    /// Schedules some hours later, within working hours.
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
            Deed::Capital => self.put_capital_in().await,
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
}

fn refused(step: &str, refusal: Refusal) -> DemoError {
    DemoError::Refused {
        step: step.to_owned(),
        refusal,
    }
}
