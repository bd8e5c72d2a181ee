//! The same figures computed from the events alone, without postings: the effect of each movement, sale and delivery
//! on each party, with its time.

use caudal_domain::{
    Event, Quote,
    closure::ClosureEvent,
    ids::{MovementId, ObligationId, PartyId, PaymentGroupId, RemittanceId},
    money::{Amount, CurrencyCode},
    movement::{Movement, MovementEvent, MovementKind},
    remittance::{RemittanceEvent, Sale},
};
use caudal_journal::Recorded;
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::America::Havana;
use std::collections::{BTreeMap, HashMap};

/// An effect on a party at a time.
#[derive(Clone, Debug)]
pub struct Fact {
    pub position: i64,
    pub at: DateTime<Utc>,
    pub party: PartyId,
    pub group: Option<PaymentGroupId>,
    pub currency: CurrencyCode,
    pub what: &'static str,
    pub amount: i64,
    pub times: i64,
}

/// Final state of a remittance.
#[derive(Clone, Debug)]
pub struct Sold {
    pub sale: Sale,
    pub created: NaiveDate,
    pub at: DateTime<Utc>,
    pub canceled: bool,
}

#[derive(Default)]
pub struct Oracle {
    pub facts: Vec<Fact>,
    pub remittances: BTreeMap<RemittanceId, Sold>,
    movements: HashMap<MovementId, Movement>,
    debits: HashMap<ObligationId, PartyId>,
    dealers: HashMap<PartyId, PartyId>,
}

/// Amount A less payout P at the tests' reference rate: 330 CUP, or 1 of another currency, per dollar.
fn margin(quote: &Quote) -> i64 {
    let rate = if quote.currency_to == CurrencyCode::CUP { 330 } else { 1 };
    let payout = quote.payout.minor();
    quote.amount.minor() - (2 * payout + rate) / (2 * rate)
}

impl Oracle {
    /// `dealers` maps each delivery man to his dealer.
    pub fn of(events: &[Recorded], dealers: HashMap<PartyId, PartyId>) -> Self {
        let mut oracle = Self {
            dealers,
            ..Self::default()
        };
        for recorded in events {
            oracle.hear(recorded);
        }
        oracle
    }

    fn hear(&mut self, recorded: &Recorded) {
        match &recorded.event {
            Event::Movement(MovementEvent::MovementPosted(posted) | MovementEvent::OpeningBalancePosted(posted)) => {
                self.movements.insert(posted.movement.id, posted.movement.clone());
                self.debits
                    .extend(posted.movement.debit.map(|debit| (debit.id, debit.debtor)));
                self.count_movement(recorded, &posted.movement, 1);
            }
            Event::Movement(MovementEvent::MovementReversed(reversed)) => {
                let movement = self.movements[&reversed.id].clone();
                self.count_movement(recorded, &movement, -1);
            }
            Event::Remittance(event) => self.count_remittance(recorded, event),
            Event::Closure(ClosureEvent::PeriodClosed(closure)) => {
                for debit in [closure.debit, closure.agency_debit].into_iter().flatten() {
                    self.debits.insert(debit.id, debit.debtor);
                }
            }
            _ => {}
        }
    }

    fn note(
        &mut self,
        recorded: &Recorded,
        (party, group): (PartyId, Option<PaymentGroupId>),
        currency: CurrencyCode,
        what: &'static str,
        (amount, times): (i64, i64),
    ) {
        self.facts.push(Fact {
            position: recorded.position,
            at: recorded.recorded_at,
            party,
            group,
            currency,
            what,
            amount,
            times,
        });
    }

    fn count_movement(&mut self, recorded: &Recorded, movement: &Movement, sign: i64) {
        const USD: CurrencyCode = CurrencyCode::USD;
        let amount = sign * movement.amount.minor();
        let currency = movement.currency;
        let mut note = |party: Option<PartyId>, what, currency, amount| {
            self.note(
                recorded,
                (party.unwrap(), movement.group),
                currency,
                what,
                (amount, sign),
            );
        };
        match movement.kind {
            MovementKind::Deposit => {}
            MovementKind::Opening => {
                if movement.to.is_some() {
                    note(movement.to, "opened", currency, amount);
                }
            }
            MovementKind::Assignment => {
                note(movement.to, "assigned", currency, amount);
                if movement.from.is_some() {
                    note(movement.from, "given", currency, amount);
                }
            }
            MovementKind::CashAssignment => {
                note(movement.to, "received", currency, amount);
                if movement.from.is_some() {
                    note(movement.from, "handed_to_delivery_men", currency, amount);
                }
            }
            MovementKind::Transfer => {
                let (from, to) = (movement.from.unwrap(), movement.to.unwrap());
                let (out, into) = if self.dealers.get(&to) == Some(&from) {
                    ("handed_to_delivery_men", "received")
                } else if self.dealers.get(&from) == Some(&to) {
                    ("handed_back_to_dealer", "handed_back")
                } else {
                    ("transferred_out", "transferred_in")
                };
                self.note(recorded, (from, None), currency, out, (amount, sign));
                self.note(recorded, (to, None), currency, into, (amount, sign));
                return;
            }
            MovementKind::Exchange => {
                let counter = movement.counter.unwrap();
                note(movement.from, "exchanged_out", currency, amount);
                note(
                    movement.to,
                    "exchanged_in",
                    counter.currency,
                    sign * counter.amount.minor(),
                );
            }
            MovementKind::Return => note(movement.from, "returned_to_manager", currency, amount),
            MovementKind::Expense => note(movement.from, "expenses", currency, amount),
            MovementKind::Payment => {}
        }
        if let Some(debit) = movement.debit {
            let amount = sign * debit.amount.minor();
            self.note(recorded, (debit.debtor, None), USD, "debits_opened", (amount, sign));
        }
        for payment in &movement.payments {
            let debtor = self.debits[&payment.debit];
            let amount = sign * payment.amount.minor();
            self.note(recorded, (debtor, None), USD, "debits_paid", (amount, sign));
        }
    }

    fn count_quote(&mut self, recorded: &Recorded, sale: &Sale, sign: i64, count: i64) {
        let (seller, group, quote) = (sale.seller, Some(sale.group), &sale.quote);
        let currency = quote.currency_to;
        let mut note = |what, amount: Amount| {
            self.note(
                recorded,
                (seller, group),
                currency,
                what,
                (sign * amount.minor(), count),
            );
        };
        note("usd", quote.amount);
        note("payout", quote.payout);
        note("manager_fee", quote.manager_fee);
        note("agency_fee", quote.agency_fee);
        note("agent_fee", quote.agent_fee);
        note("margin", Amount::from_minor(margin(quote)));
        let (what, payout) = if sign > 0 {
            ("sold", quote.payout)
        } else {
            ("returned", quote.payout)
        };
        self.note(recorded, (seller, group), currency, what, (payout.minor(), count));
    }

    fn count_remittance(&mut self, recorded: &Recorded, event: &RemittanceEvent) {
        match event {
            RemittanceEvent::RemittanceCreated(created) => {
                self.count_quote(recorded, &created.sale, 1, 1);
                let sold = Sold {
                    sale: created.sale.clone(),
                    created: recorded.recorded_at.with_timezone(&Havana).date_naive(),
                    at: recorded.recorded_at,
                    canceled: false,
                };
                self.remittances.insert(created.id, sold);
            }
            RemittanceEvent::RemittanceAmountEdited(edited) => {
                let before = self.remittances[&edited.id].sale.clone();
                let moved = i64::from(before.group != edited.sale.group);
                self.count_quote(recorded, &before, -1, -moved);
                self.count_quote(recorded, &edited.sale, 1, moved);
                self.remittances.get_mut(&edited.id).unwrap().sale = edited.sale.clone();
            }
            RemittanceEvent::RemittanceCanceled(canceled) => {
                let sale = self.remittances[&canceled.id].sale.clone();
                self.count_quote(recorded, &sale, -1, -1);
                self.remittances.get_mut(&canceled.id).unwrap().canceled = true;
            }
            RemittanceEvent::RemittanceCompleted(completed) => {
                let quote = self.remittances[&completed.id].sale.quote;
                let (by, currency) = (completed.delivered_by, quote.currency_to);
                self.note(recorded, (by, None), currency, "delivered", (quote.payout.minor(), 1));
                let fee = completed.distribution_fee.minor();
                self.note(recorded, (by, None), currency, "distribution_fees", (fee, 1));
            }
            _ => {}
        }
    }

    /// What an account begins a period with by an opening balance, and what is taken back of one of an earlier period.
    pub fn opened(
        &self,
        (party, group): (PartyId, Option<PaymentGroupId>),
        currency: CurrencyCode,
        begins: Option<DateTime<Utc>>,
        ends: Option<DateTime<Utc>>,
    ) -> (i64, i64) {
        let of =
            |fact: &Fact| fact.what == "opened" && (fact.party, fact.group, fact.currency) == (party, group, currency);
        let opened = self.sum(of, begins, ends).0;
        (opened.max(0), opened.min(0))
    }

    /// Sum and count of the effects in a period, begin inclusive and end exclusive.
    pub fn sum(
        &self,
        wanted: impl Fn(&Fact) -> bool,
        begins: Option<DateTime<Utc>>,
        ends: Option<DateTime<Utc>>,
    ) -> (i64, i64) {
        let within = |fact: &&Fact| {
            begins.is_none_or(|begins| fact.at >= begins) && ends.is_none_or(|ends| fact.at < ends) && wanted(fact)
        };
        let facts = self.facts.iter().filter(within);
        facts.fold((0, 0), |(amount, times), fact| {
            (amount + fact.amount, times + fact.times)
        })
    }
}
