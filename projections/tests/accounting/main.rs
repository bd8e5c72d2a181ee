//! Figures of periods, checked against random business: each figure equals an independent computation, and totals
//! equal their parts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where it cannot go on"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/journals.rs"]
mod journals;

mod business;
mod days;
mod oracle;
mod scripted;

use business::{Street, TestClock};
use caudal_domain::{
    Account, AccountKind, Books, Event,
    ids::{PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    remittance::Status,
};
use caudal_journal::Recorded;
use caudal_projections::{
    ListQuery, Scope, Snapshot,
    accounting::{
        self, ClosurePreview, DailyCount, DashboardQuery, DealerClosing, Per, PeriodQuery, PreviewQuery, Sellers,
    },
    closure::{self, ClosureFigures},
    ledger::{self, NormalSide},
    party::profile,
    remittance,
    report::{self, PENDING_DISTRIBUTOR},
    verify,
};
use chrono::{DateTime, Duration, NaiveDate, SecondsFormat, Utc};
use common::{CUP, MLC, USD, amount};
use oracle::{Fact, Oracle};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// Number of events at which past states are compared.
const LOOKS_BACK: usize = 8;
/// Figures of a dealer's cash that increase it, and those that decrease it.
const IN: [&str; 4] = ["received", "handed_back", "transferred_in", "exchanged_in"];
const HELD_IN: [&str; 4] = ["assigned", "handed_back", "transferred_in", "exchanged_in"];
const HELD_OUT: [&str; 8] = [
    "given",
    "handed_back_to_dealer",
    "transferred_out",
    "exchanged_out",
    "spent",
    "distribution_fees",
    "expenses",
    "returned_to_manager",
];
const OUT: [&str; 8] = [
    "transferred_out",
    "exchanged_out",
    "handed_to_delivery_men",
    "handed_back_to_dealer",
    "delivered",
    "distribution_fees",
    "expenses",
    "returned_to_manager",
];

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

fn json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

/// An amount of an answer, in hundredths.
fn minor(row: &Value, name: &str) -> i64 {
    let text = row[camel(name)].as_str().unwrap_or_else(|| panic!("{name} in {row}"));
    amount(text).minor()
}

/// The sum of a row's figures, in hundredths.
fn sum_of(row: &Value, names: &[&str]) -> i64 {
    names.iter().map(|name| minor(row, name)).sum()
}

fn row_of(rows: &Value, currency: CurrencyCode) -> Option<&Value> {
    let rows = rows.as_array().unwrap();
    rows.iter().find(|row| row["currency"] == currency.as_str())
}

/// A range of local days with optional ends.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: Option<NaiveDate>,
    last: Option<NaiveDate>,
}

impl Span {
    fn query(self) -> PeriodQuery {
        let written = |day: NaiveDate| day.format("%Y%m%d").to_string();
        PeriodQuery {
            init_date: self.first.map(written),
            final_date: self.last.map(written),
            range_selector: None,
        }
    }

    fn list(self) -> ListQuery {
        let query = self.query();
        let mut list = ListQuery::all();
        for (name, value) in [("initDate", query.init_date), ("finalDate", query.final_date)] {
            if let Some(value) = value {
                list = list.filter(name, value);
            }
        }
        list
    }

    fn begins(self) -> Option<DateTime<Utc>> {
        self.first.map(days::begins)
    }

    fn ends(self) -> Option<DateTime<Utc>> {
        self.last.map(|day| days::begins(day.succ_opt().unwrap()))
    }

    fn contains(self, day: NaiveDate) -> bool {
        self.first.is_none_or(|first| first <= day) && self.last.is_none_or(|last| day <= last)
    }
}

async fn charted(
    snapshot: &mut Snapshot,
    scope: &Scope,
    now: DateTime<Utc>,
    asked: &DashboardQuery,
    per: Per,
) -> Vec<DailyCount> {
    let chart = accounting::statistics(snapshot, scope, asked, per, now).await;
    chart.unwrap().results
}

struct Checks<'a> {
    street: &'a Street,
    events: Vec<Recorded>,
    oracle: Oracle,
    books: Books,
    snapshot: Snapshot,
    manager: Scope,
    now: DateTime<Utc>,
    names: HashMap<PartyId, &'static str>,
}

impl<'a> Checks<'a> {
    async fn of(street: &'a Street) -> Self {
        let office = &street.office;
        let mut events = Vec::new();
        loop {
            let more = office
                .journal
                .events_after(&office.tenant, i64::try_from(events.len()).unwrap(), 5_000)
                .await
                .unwrap();
            if more.is_empty() {
                break;
            }
            events.extend(more);
        }
        let dealers = HashMap::from([
            (office.delivery_man, office.dealer),
            (street.other_courier, street.other_dealer),
        ]);
        let names = HashMap::from([
            (office.agency, "agency"),
            (office.agent, "agent"),
            (street.free_agent, "free agent"),
            (street.other_agency, "other agency"),
            (office.dealer, "dealer"),
            (office.delivery_man, "delivery man"),
            (street.other_dealer, "other dealer"),
            (street.other_courier, "other courier"),
        ]);
        Self {
            street,
            oracle: Oracle::of(&events, dealers),
            events,
            books: office.books().await,
            snapshot: office.snapshot().await,
            manager: office.scope(office.manager).await,
            now: caudal_journal::Clock::now(&*street.clock),
            names,
        }
    }

    /// Every day, some longer spans, and spans with open ends.
    fn spans(&self, first: NaiveDate, last: NaiveDate) -> Vec<Span> {
        let days: Vec<NaiveDate> = first.iter_days().take_while(|day| *day <= last).collect();
        let mut spans: Vec<Span> = days
            .iter()
            .map(|day| Span {
                first: Some(*day),
                last: Some(*day),
            })
            .collect();
        for (from, length) in [(0, 2), (1, 3), (2, 5), (0, days.len() - 1)] {
            let to = days[(from + length).min(days.len() - 1)];
            spans.push(Span {
                first: Some(days[from]),
                last: Some(to),
            });
        }
        let middle = Some(days[days.len() / 2]);
        spans.push(Span {
            first: None,
            last: middle,
        });
        spans.push(Span {
            first: middle,
            last: None,
        });
        spans
    }

    async fn dealers_cash(&mut self, span: Span) {
        let page = accounting::dealer_closing(&mut self.snapshot, &self.manager, &span.list(), self.now)
            .await
            .unwrap();
        assert_eq!(page.total_records, 2);
        for (dealer, closing) in self.street.dealers().into_iter().map(|dealer| {
            let closing = page.data.iter().find(|closing| closing.dealer.id == dealer.0);
            (dealer, closing.unwrap())
        }) {
            self.check_dealer(dealer, closing, span);
        }
    }

    fn cash_at(&self, party: PartyId, currency: CurrencyCode, ends: Option<DateTime<Utc>>) -> i64 {
        let of = |fact: &Fact, names: &[&str]| {
            fact.party == party && fact.currency == currency && fact.group.is_none() && names.contains(&fact.what)
        };
        let came = self.oracle.sum(|fact| of(fact, &IN), None, ends).0;
        came - self.oracle.sum(|fact| of(fact, &OUT), None, ends).0
    }

    fn check_dealer(&self, dealer: PartyId, closing: &DealerClosing, span: Span) {
        let team: Vec<PartyId> = closing.parties.iter().map(|cash| PartyId(cash.party.id)).collect();
        let field = self.street.field();
        let at = field.iter().position(|party| *party == dealer).unwrap();
        assert_eq!(team, field[at..at + 2], "the dealer, then the delivery man");
        for currency in [CUP, MLC, USD] {
            let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
            let mut closings = 0;
            for (party, cash) in team.iter().zip(&closing.parties) {
                let rows = json(&cash.currencies);
                let Some(row) = row_of(&rows, currency) else {
                    assert_eq!(self.cash_at(*party, currency, span.ends()), 0);
                    continue;
                };
                let context = format!("{} {currency} in {span:?}: {row}", self.names[party]);
                let mut balance = minor(row, "opening");
                let begun = span
                    .begins()
                    .map_or(0, |_| self.cash_at(*party, currency, span.begins()));
                assert_eq!(balance, begun, "opening of {context}");
                for (names, sign) in [(&IN[..], 1), (&OUT[..], -1)] {
                    for name in names {
                        let what = |fact: &Fact| {
                            fact.party == *party
                                && fact.currency == currency
                                && fact.group.is_none()
                                && fact.what == *name
                        };
                        let (expected, times) = self.oracle.sum(what, span.begins(), span.ends());
                        assert_eq!(minor(row, name), expected, "{name} of {context}");
                        if *name == "delivered" {
                            assert_eq!(row["deliveries"], times, "{context}");
                        }
                        balance += sign * expected;
                        *sums.entry(name).or_default() += expected;
                    }
                }
                assert_eq!(minor(row, "closing"), balance, "closing of {context}");
                assert_eq!(balance, self.cash_at(*party, currency, span.ends()), "{context}");
                if span.last.is_none() {
                    let account = Account::of(AccountKind::FieldCash, *party, currency);
                    assert_eq!(balance, self.books.balance(account).minor(), "{context}");
                }
                closings += balance;
            }
            let rows = json(&closing.currencies);
            let Some(row) = row_of(&rows, currency) else {
                assert_eq!(closings, 0);
                continue;
            };
            for (name, sum) in sums {
                assert_eq!(minor(row, name), sum, "{name} of the {} team", self.names[&dealer]);
            }
            assert_eq!(minor(row, "closing"), closings);
            assert_eq!(minor(row, "credit"), closings - minor(row, "shipping"));
            if span.last.is_none() {
                let shipping = Account::of(AccountKind::RemittancesShipping, dealer, currency);
                assert_eq!(minor(row, "shipping"), -self.books.balance(shipping).minor());
            }
        }
    }

    async fn preview(&mut self, span: Span) -> Vec<ClosurePreview> {
        let mut previews = Vec::new();
        for sellers in [Sellers::Agencies, Sellers::Agents] {
            let asked = PreviewQuery {
                first: span.first,
                last: span.last,
                ..PreviewQuery::default()
            };
            let all = ListQuery::all();
            let page = accounting::previews(&mut self.snapshot, &self.manager, sellers, &asked, &all, self.now)
                .await
                .unwrap();
            previews.extend(page.data);
        }
        assert_eq!(previews.len(), 4);
        previews
    }

    /// A closure of any span has the figures of that span, and opening plus changes equals closing.
    async fn closures_of(&mut self, span: Span) {
        for preview in self.preview(span).await {
            let seller = PartyId(preview.party.id);
            let figures = json(&preview.figures);
            let context = format!("{} in {span:?}: {figures}", self.names[&seller]);
            let (begins, ends) = (span.begins(), span.ends());
            for row in figures["groups"].as_array().unwrap() {
                let group: Uuid = row["paymentGroupId"].as_str().unwrap().parse().unwrap();
                let group = Some(PaymentGroupId(group));
                let sum = |what: &str, begins, ends| {
                    let of = |fact: &Fact| fact.party == seller && fact.group == group && fact.what == what;
                    self.oracle.sum(of, begins, ends)
                };
                let net = |begins, ends| {
                    let amount = |what| sum(what, begins, ends).0;
                    amount("assigned") - amount("given") - amount("sold") + amount("returned")
                };
                let opening = begins.map_or(0, |_| net(None, begins));
                assert_eq!(minor(row, "opening"), opening, "{context}");
                for what in ["assigned", "given", "sold", "returned"] {
                    assert_eq!(minor(row, what), sum(what, begins, ends).0, "{what} of {context}");
                }
                assert_eq!(minor(row, "closing"), opening + net(begins, ends), "{context}");
                let (usd, count) = sum("usd", begins, ends);
                assert_eq!(
                    (minor(row, "amount"), &row["remittances"]),
                    (usd, &count.into()),
                    "{context}"
                );
            }
            let of = |what: &'static str| {
                let wanted = move |fact: &Fact| fact.party == seller && fact.what == what;
                self.oracle.sum(wanted, begins, ends)
            };
            for (name, what) in [
                ("amount", "usd"),
                ("manager_commission", "manager_fee"),
                ("agency_commission", "agency_fee"),
                ("agent_commission", "agent_fee"),
                ("debits_opened", "debits_opened"),
                ("debits_paid", "debits_paid"),
            ] {
                assert_eq!(minor(&figures, name), of(what).0, "{name} of {context}");
            }
            let whole = json(&preview);
            let outstanding =
                minor(&whole, "debits_opening") + minor(&figures, "debits_opened") + minor(&whole, "debits_billed")
                    - minor(&figures, "debits_paid");
            assert_eq!(minor(&figures, "debits_outstanding"), outstanding, "{context}");
        }
    }

    /// A preview without days equals the closure that the domain would decide now.
    async fn closures_now(&mut self) {
        let none = Span {
            first: None,
            last: None,
        };
        let names = HashMap::from([
            (self.street.office.group.0, "CUP a domicilio".to_owned()),
            (self.street.office.mlc_group.0, "MLC".to_owned()),
        ]);
        for preview in self.preview(none).await {
            let seller = PartyId(preview.party.id);
            let party = self.books.party(seller).unwrap();
            let (groups, totals) = self.books.figures(party, NaiveDate::MAX);
            let expected = ClosureFigures::new(&groups, &totals, &names);
            assert_eq!(preview.figures, expected, "{}", self.names[&seller]);
            assert_eq!(preview.agency_fee_accrued.0, totals.agency_fee_accrued);
            assert_eq!(preview.from, self.books.last_closure(seller).map(|last| last.cut));
        }
    }

    /// A closure that was cut at ends of days has the figures of its days.
    async fn closures_made(&mut self) -> usize {
        let made = closure::list(&mut self.snapshot, &self.manager, &ListQuery::all())
            .await
            .unwrap()
            .data;
        let midnight = |moment: DateTime<Utc>| {
            let day = days::day(moment);
            (days::begins(day) == moment).then_some(day)
        };
        let mut seen = 0;
        for closure in made {
            let long_ago = NaiveDate::from_ymd_opt(2000, 1, 1);
            let first = closure.from.map_or(long_ago, midnight);
            let (Some(first), Some(next)) = (first, midnight(closure.to)) else {
                continue;
            };
            let span = Span {
                first: Some(first),
                last: next.pred_opt(),
            };
            let previews = self.preview(span).await;
            let preview = previews.iter().find(|preview| preview.party.id == closure.party.id);
            assert_eq!(preview.unwrap().figures, closure.figures, "{}", closure.number);
            seen += 1;
        }
        seen
    }

    async fn sales(&mut self, span: Span) {
        let sales = accounting::sales(&mut self.snapshot, &self.manager, &span.list(), self.now)
            .await
            .unwrap();
        let rows = json(&sales.page.data);
        for seller in self.street.sellers() {
            for currency in [CUP, MLC] {
                let of = |what: &'static str| {
                    let wanted = move |fact: &Fact| {
                        fact.party == seller && fact.currency == currency && fact.group.is_some() && fact.what == what
                    };
                    self.oracle.sum(wanted, span.begins(), span.ends())
                };
                let mut rows = rows.as_array().unwrap().iter();
                let row =
                    rows.find(|row| row["seller"]["id"] == seller.to_string() && row["currency"] == currency.as_str());
                let Some(row) = row else {
                    assert_eq!((of("usd"), of("payout").0), ((0, 0), 0));
                    continue;
                };
                let context = format!("{} {currency} in {span:?}: {row}", self.names[&seller]);
                assert_eq!(row["remittances"], of("usd").1, "{context}");
                for (name, what) in [
                    ("amount", "usd"),
                    ("payout", "payout"),
                    ("manager_fee", "manager_fee"),
                    ("agency_fee", "agency_fee"),
                    ("agent_fee", "agent_fee"),
                    ("margin", "margin"),
                ] {
                    assert_eq!(minor(row, name), of(what).0, "{name} of {context}");
                }
                assert_eq!(
                    of("payout").0,
                    of("sold").0 - of("returned").0,
                    "sales agree with the ledger"
                );
            }
        }
        for total in json(&sales.totals).as_array().unwrap() {
            let rows = rows.as_array().unwrap().iter();
            let rows = rows.filter(|row| row["currency"] == total["currency"]);
            let (mut amount, mut margin) = (0, 0);
            for row in rows {
                amount += minor(row, "amount");
                margin += minor(row, "margin");
            }
            assert_eq!((minor(total, "amount"), minor(total, "margin")), (amount, margin));
        }
    }

    async fn deliveries(&mut self, span: Span) {
        let page = accounting::dealer_sales(&mut self.snapshot, &self.manager, &span.list(), self.now)
            .await
            .unwrap();
        for sales in page.data {
            let team: Vec<PartyId> = sales.parties.iter().map(|row| PartyId(row.party.id)).collect();
            for currency in [CUP, MLC] {
                let of = |what: &'static str| {
                    let wanted =
                        |fact: &Fact| team.contains(&fact.party) && fact.currency == currency && fact.what == what;
                    self.oracle.sum(wanted, span.begins(), span.ends())
                };
                let (delivered, deliveries) = of("delivered");
                let rows = json(&sales.currencies);
                match row_of(&rows, currency) {
                    None => assert_eq!((deliveries, delivered), (0, 0)),
                    Some(row) => {
                        assert_eq!(
                            (minor(row, "delivered"), &row["deliveries"]),
                            (delivered, &deliveries.into())
                        );
                        assert_eq!(minor(row, "distribution_fees"), of("distribution_fees").0);
                    }
                }
            }
        }
    }

    /// The dashboard counts remittances created in the span and not canceled.
    async fn dashboard(&mut self, span: Span) {
        let asked = DashboardQuery {
            period: span.query(),
            ..DashboardQuery::default()
        };
        let stands = |currency: Option<CurrencyCode>, span: Span| {
            let sold = self.oracle.remittances.values().filter(move |sold| {
                !sold.canceled
                    && span.contains(sold.created)
                    && currency.is_none_or(|currency| currency == sold.sale.quote.currency_to)
            });
            sold.fold((0_i64, 0_i64, 0_i64), |(count, payout, usd), sold| {
                let quote = &sold.sale.quote;
                (count + 1, payout + quote.payout.minor(), usd + quote.amount.minor())
            })
        };
        let totals = accounting::totals(&mut self.snapshot, &self.manager, &asked, self.now)
            .await
            .unwrap();
        assert_eq!(totals.total_remittances, stands(None, span).0, "{span:?}");
        let report = json(&totals.report);
        for currency in [CUP, MLC] {
            let (count, payout, usd) = stands(Some(currency), span);
            match row_of(&report, currency) {
                None => assert_eq!(count, 0),
                Some(row) => {
                    assert_eq!(row["totalRemittances"], count, "{span:?} {row}");
                    assert_eq!((minor(row, "amount"), minor(row, "amount_usd")), (payout, usd));
                }
            }
        }
        let Some((first, last)) = span.first.zip(span.last) else {
            return;
        };
        let chart = charted(&mut self.snapshot, &self.manager, self.now, &asked, Per::Day).await;
        let expected: Vec<(String, i64)> = first
            .iter_days()
            .take_while(|day| *day <= last)
            .map(|day| {
                let one = Span {
                    first: Some(day),
                    last: Some(day),
                };
                (day.format("%Y%m%d").to_string(), stands(None, one).0)
            })
            .collect();
        let counts: Vec<(String, i64)> = chart.into_iter().map(|day| (day.date, day.total)).collect();
        assert_eq!(counts, expected);
        let of_months = charted(&mut self.snapshot, &self.manager, self.now, &asked, Per::Month).await;
        assert_eq!(
            of_months.iter().map(|month| month.total).sum::<i64>(),
            totals.total_remittances
        );
        assert!(of_months.iter().all(|month| month.date.ends_with("01")));
        if first == last {
            let of_hours = charted(&mut self.snapshot, &self.manager, self.now, &asked, Per::Hour).await;
            for row in of_hours {
                let sold =
                    self.oracle.remittances.values().filter(|sold| {
                        !sold.canceled && sold.created == first && Some(days::hour(sold.at)) == row.hour
                    });
                assert_eq!(row.total, sold.count() as i64, "hour {:?} of {first}", row.hour);
            }
        }
        // The comparison period covers the same elapsed time: on its last day only what was created before the
        // present hour.
        let today = days::day(self.now);
        let length = last - first;
        let begins = first - length - Duration::days(1);
        let ends = if first <= today && today <= last {
            days::begins(begins + (today - first)) + (self.now - days::begins(today))
        } else {
            days::begins(first)
        };
        let before = self
            .oracle
            .remittances
            .values()
            .filter(|sold| !sold.canceled && sold.at >= days::begins(begins) && sold.at < ends);
        assert_eq!(totals.previous_total_remittances, before.count() as i64, "{span:?}");
        self.sellers_table(span).await;
    }

    async fn sellers_table(&mut self, span: Span) {
        let office = &self.street.office;
        for caller in [office.manager, office.agency] {
            let scope = office.scope(caller).await;
            let table = accounting::sellers(&mut self.snapshot, &scope, &span.list(), self.now)
                .await
                .unwrap();
            let rows: Vec<Uuid> = table.data.iter().map(|row| row.id).collect();
            let mut expected = if caller == office.manager {
                vec![office.agency.0, self.street.free_agent.0, self.street.other_agency.0]
            } else {
                vec![office.clerk.0, office.agent.0]
            };
            expected.sort_unstable();
            let mut sorted = rows.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, expected);
            for row in &table.data {
                let sold = self.oracle.remittances.values().filter(|sold| {
                    let who = if caller == office.manager {
                        sold.sale.agency.unwrap_or(sold.sale.seller)
                    } else {
                        sold.sale.agent.unwrap_or(sold.sale.seller)
                    };
                    !sold.canceled && span.contains(sold.created) && who.0 == row.id
                });
                let (count, usd) = sold.fold((0, 0), |(count, usd), sold| {
                    (count + 1, usd + sold.sale.quote.amount.minor())
                });
                assert_eq!((row.total_remittance, row.amount.0.minor()), (count, usd), "{row:?}");
                for balance in &row.balance {
                    let groups = self
                        .books
                        .groups()
                        .filter(|group| group.currency_to == balance.currency.0);
                    let expected: Amount = groups.map(|group| self.books.prepaid(PartyId(row.id), group.id)).sum();
                    assert_eq!(balance.amount.0, expected);
                }
            }
        }
    }

    /// Past states by position, and by time where no other event has that time: accounts, holdings, obligations and
    /// closures equal those of a replay up to the event.
    async fn as_of_events(&mut self) {
        let events = std::mem::take(&mut self.events);
        let mut books = Books::default();
        let mut closures = 0;
        for (index, recorded) in events.iter().enumerate() {
            books.apply(&recorded.event, recorded.recorded_at);
            closures += i64::from(matches!(recorded.event, Event::Closure(_)));
            if index % (events.len() / LOOKS_BACK) != 0 {
                continue;
            }
            let mut queries = vec![ListQuery::all().filter("position", recorded.position)];
            if events
                .get(index + 1)
                .is_none_or(|next| next.recorded_at > recorded.recorded_at)
            {
                let at = recorded.recorded_at.to_rfc3339_opts(SecondsFormat::Micros, true);
                queries.push(ListQuery::all().filter("at", at));
            }
            for query in queries {
                self.accounts(&books, &query).await;
                self.balances(&books, &query, recorded.position).await;
                let made = closure::list(&mut self.snapshot, &self.manager, &query).await.unwrap();
                assert_eq!(made.total_records, closures, "{query:?}");
            }
        }
        assert!(closures > 0);
        assert_eq!(books, self.books);
    }

    /// Every account's balance equals the books'.
    async fn accounts(&mut self, books: &Books, query: &ListQuery) {
        let told = ledger::balances(&mut self.snapshot, &self.manager, query)
            .await
            .unwrap();
        let told: BTreeMap<_, _> = told
            .page
            .data
            .into_iter()
            .map(|row| (row.account, row.closing.0))
            .collect();
        let expected: BTreeMap<_, _> = books
            .accounts()
            .map(|(account, balance)| (account.to_string(), balance))
            .collect();
        assert_eq!(told, expected, "{query:?}");
    }

    /// Every party's holdings, obligations and remainder equal the books'.
    async fn balances(&mut self, books: &Books, query: &ListQuery, through: i64) {
        let page = accounting::party_balances(&mut self.snapshot, &self.manager, query)
            .await
            .unwrap();
        assert_eq!(page.total_records, 8);
        for row in page.data {
            let party = PartyId(row.party.id);
            let usd = |kind| books.balance(Account::usd(kind, party));
            assert_eq!(row.debits_outstanding.0, usd(AccountKind::Debits));
            assert_eq!(row.commission_owed.0, usd(AccountKind::CommissionReceivable));
            let owed: Amount = books
                .debits()
                .filter(|debit| debit.debtor == party && debit.creditor.is_some())
                .map(|debit| debit.outstanding())
                .sum();
            assert_eq!(row.agency_debits_outstanding.0, owed, "{row:?}");
            assert_eq!(row.agency_fee_owed.0, usd(AccountKind::AgencyReceivable) - owed);
            for holding in row.balances {
                let expected = match holding.payment_group_id {
                    Some(group) => books.prepaid(party, PaymentGroupId(group)),
                    None => books.balance(Account::of(AccountKind::FieldCash, party, holding.currency.0)),
                };
                assert_eq!(holding.balance.0, expected);
                let told = json(&holding);
                assert_eq!(
                    sum_of(&told, &HELD_IN) - sum_of(&told, &HELD_OUT),
                    expected.minor(),
                    "{told}"
                );
                self.flowed(party, &told, holding.payment_group_id, through);
            }
        }
        let real = accounting::real_balances(&mut self.snapshot, query).await.unwrap();
        let usd: Amount = real.page.data.iter().filter_map(|row| row.usd).map(|usd| usd.0).sum();
        assert_eq!(real.total_usd.0, usd);
        for row in real.page.data {
            let told = json(&row);
            let rows_sum = sum_of(&told, &["treasury", "field_cash", "debits"])
                - sum_of(&told, &["pending", "shipping", "error", "prepaid"]);
            assert_eq!(minor(&told, "real"), rows_sum, "{told}");
            use AccountKind::{
                Balance, Debits, FieldCash, RemittancesError, RemittancesPending, RemittancesShipping, Treasury,
            };
            let counted = [
                Treasury,
                FieldCash,
                RemittancesPending,
                RemittancesShipping,
                RemittancesError,
                Balance,
                Debits,
            ];
            let accounts = books
                .accounts()
                .filter(|(account, _)| account.currency == row.currency.0 && counted.contains(&account.kind));
            let expected: Amount = accounts.map(|(_, balance)| balance).sum();
            assert_eq!(row.real.0, expected, "{row:?}");
        }
    }

    /// Counts of open remittances in tabs and rounds, and the figures of the top bar, equal the books'.
    async fn standing(&mut self) {
        use AccountKind::{FieldCash, RemittancesError, RemittancesPending, RemittancesShipping};
        let summary = remittance::summary(&mut self.snapshot, &self.manager, &ListQuery::default())
            .await
            .unwrap();
        let counted: i64 = summary.statuses.iter().map(|status| status.remittances).sum();
        assert_eq!(summary.total, counted);
        for (status, kind) in [
            (Status::Pending, RemittancesPending),
            (Status::Shipping, RemittancesShipping),
            (Status::Error, RemittancesError),
        ] {
            let shown = summary.statuses.iter().find(|one| one.status == status.into()).unwrap();
            let shown = shown.payouts.iter().map(|one| (one.currency.0, one.payout.0));
            assert_eq!(shown.collect::<BTreeMap<_, _>>(), self.owed(kind), "{status:?}");
        }
        let books = &self.books;
        for party in self.names.keys() {
            let scope = Scope::from(books.party(*party).unwrap());
            let profile = profile::get(&mut self.snapshot, &scope).await.unwrap();
            assert!(!profile.payment_groups.is_empty(), "{}", self.names[party]);
            for shown in profile.payment_groups {
                let expected = match shown.payment_group_id {
                    Some(group) => books.prepaid(scope.principal(), PaymentGroupId(group)),
                    None => books.balance(Account::of(FieldCash, *party, shown.currency_to.0)),
                };
                assert_eq!(shown.amount.0, expected, "{} {shown:?}", self.names[party]);
            }
        }
    }

    /// Obligations to recipients on accounts of a kind, by currency.
    fn owed(&self, kind: AccountKind) -> BTreeMap<CurrencyCode, Amount> {
        let mut owed = BTreeMap::new();
        for (account, balance) in self.books.accounts().filter(|(account, _)| account.kind == kind) {
            // Credits are negative in the books.
            *owed.entry(account.currency).or_insert(Amount::ZERO) -= balance;
        }
        owed.retain(|_, amount| *amount != Amount::ZERO);
        owed
    }

    /// Every report's totals equal the sums of its rows, and amounts pending by place equal the books'.
    async fn reports(&mut self) {
        for report in report::ALL {
            let page = report.page(&mut self.snapshot, &self.manager, &ListQuery::all()).await;
            let page = json(page.unwrap());
            let (rows, totals) = (page["data"].as_array().unwrap(), page["totals"].as_array().unwrap());
            assert_eq!(rows.is_empty(), totals.is_empty(), "{}", report.name);
            for total in totals {
                let own = || rows.iter().filter(|row| row["currency"] == total["currency"]);
                for (field, shown) in total.as_object().unwrap() {
                    let summed = match shown {
                        _ if field == "records" => Value::from(own().count()),
                        Value::Number(_) => Value::from(own().filter_map(|row| row[field].as_i64()).sum::<i64>()),
                        Value::String(_) if field != "currency" => {
                            let sum: Amount = own().filter_map(|row| row[field].as_str()).map(amount).sum();
                            Value::from(sum.to_string())
                        }
                        _ => shown.clone(),
                    };
                    assert_eq!(*shown, summed, "{field} of {}: {total}", report.name);
                }
            }
        }
        let all = ListQuery::all();
        let page = PENDING_DISTRIBUTOR.page(&mut self.snapshot, &self.manager, &all).await;
        let totals = json(page.unwrap().totals);
        use AccountKind::{RemittancesError, RemittancesPending, RemittancesShipping};
        let mut owed = BTreeMap::new();
        for kind in [RemittancesPending, RemittancesShipping, RemittancesError] {
            for (currency, part) in self.owed(kind) {
                *owed.entry(currency).or_insert(Amount::ZERO) += part;
            }
        }
        assert!(!owed.is_empty());
        for (currency, expected) in owed {
            let shown = row_of(&totals, currency).unwrap();
            assert_eq!(minor(shown, "payout"), expected.minor(), "{shown}");
        }
    }

    /// The breakdown of a balance through a position equals the events.
    fn flowed(&self, party: PartyId, told: &Value, group: Option<Uuid>, through: i64) {
        let of = |what: &str| {
            let wanted = |fact: &Fact| {
                fact.party == party
                    && fact.position <= through
                    && fact.group.map(|group| group.0) == group
                    && told["currency"] == fact.currency.as_str()
                    && fact.what == what
            };
            self.oracle.sum(wanted, None, None).0
        };
        if group.is_some() {
            assert_eq!(minor(told, "assigned"), of("assigned"), "{told}");
            assert_eq!(minor(told, "given"), of("given"), "{told}");
            assert_eq!(minor(told, "spent"), of("sold") - of("returned"), "{told}");
            return;
        }
        for name in IN.into_iter().chain(OUT) {
            let shown = match name {
                "received" => "assigned",
                "handed_to_delivery_men" => "given",
                "delivered" => "spent",
                other => other,
            };
            assert_eq!(minor(told, shown), of(name), "{name} of {} {told}", self.names[&party]);
        }
    }

    /// In the trial balance of a span, opening plus debits minus credits equals closing, for every account and in
    /// total.
    async fn trial_balance(&mut self, span: Span) {
        let mut query = ListQuery::all();
        for (name, day) in [("from", span.first), ("to", span.last)] {
            if let Some(day) = day {
                query = query.filter(name, day.format("%Y%m%d"));
            }
        }
        let page = ledger::balances(&mut self.snapshot, &self.manager, &query)
            .await
            .unwrap();
        let mut sums: BTreeMap<CurrencyCode, [i64; 4]> = BTreeMap::new();
        let told = page.totals.iter().map(|total| {
            let figures = [total.opening, total.debits, total.credits, total.closing];
            (total.currency.0, figures.map(|figure| figure.0.minor()))
        });
        let told: BTreeMap<CurrencyCode, [i64; 4]> = told.collect();
        let mut sides: BTreeMap<(CurrencyCode, &str), [i64; 4]> = BTreeMap::new();
        for total in &page.totals {
            for (name, side) in [("debit", total.debit_side), ("credit", total.credit_side)] {
                let figures = [side.opening, side.debits, side.credits, side.closing];
                sides.insert((total.currency.0, name), figures.map(|figure| figure.0.minor()));
            }
            // The whole ledger: assets equal liabilities.
            assert_eq!(total.debit_side.closing, total.credit_side.closing);
            assert_eq!(total.debit_side.opening, total.credit_side.opening);
        }
        for row in page.page.data {
            let (side, name) = (
                row.normal_side,
                if row.normal_side == NormalSide::Debit {
                    "debit"
                } else {
                    "credit"
                },
            );
            let shown = [side.told(row.opening), row.debits, row.credits, side.told(row.closing)];
            let rest = sides.get_mut(&(row.currency.0, name)).unwrap();
            for (rest, figure) in rest.iter_mut().zip(shown) {
                *rest -= figure.0.minor();
            }
            let figures = [row.opening, row.debits, row.credits, row.closing].map(|figure| figure.0.minor());
            assert_eq!(figures[0] + figures[1] - figures[2], figures[3], "{row:?}");
            let sums = sums.entry(row.currency.0).or_default();
            for (sum, figure) in sums.iter_mut().zip(figures) {
                *sum += figure;
            }
            if json(row.kind) == AccountKind::FieldCash.as_str() {
                let owner = PartyId(row.owner.unwrap().id);
                assert_eq!(figures[3], self.cash_at(owner, row.currency.0, span.ends()));
            }
        }
        assert!(
            sides.values().flatten().all(|rest| *rest == 0),
            "rows add up to their sides"
        );
        assert_eq!(told, sums);
        for [opening, debits, credits, closing] in sums.into_values() {
            assert_eq!((opening, closing, debits), (0, 0, credits));
        }
    }
}

/// Runs seeded random business around a clock change, and compares every figure of every day with the events.
async fn trades_and_agrees(from: &str, seed: u64) {
    let clock = TestClock::at(from);
    let mut street = Street::open(clock.clone(), seed).await;
    street.office.fund().await;
    let first = clock.today();
    for _ in 0..5 {
        street.trade(120).await;
        Checks::of(&street).await.closures_now().await;
    }
    clock.pass(Duration::seconds(1));
    let mut checks = Checks::of(&street).await;
    for span in checks.spans(first, clock.today()) {
        checks.dealers_cash(span).await;
        // A preview without a first day begins at the last closure.
        if span.first.is_some() {
            checks.closures_of(span).await;
        }
        checks.sales(span).await;
        checks.deliveries(span).await;
        checks.dashboard(span).await;
        checks.trial_balance(span).await;
    }
    let books = checks.books.clone();
    checks.balances(&books, &ListQuery::all(), i64::MAX).await;
    checks.standing().await;
    checks.reports().await;
    checks.as_of_events().await;
    assert!(checks.closures_made().await > 0, "some closure was cut at midnight");
    drop(checks);
    let accepted = &street.accepted;
    for sort in [
        "sale", "edit", "assign", "complete", "cancel", "failure", "reversal", "payment", "closure", "exchange",
    ] {
        assert!(
            accepted.get(sort).is_some_and(|count| *count > 0),
            "{sort}: {accepted:?}"
        );
    }
    let office = &street.office;
    let replayed = verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {})
        .await
        .unwrap();
    assert_eq!(replayed, []);
    assert!(journals::agree(office).await > 12);
}

#[tokio::test]
async fn figures_agree_with_the_events_around_the_day_without_midnight() {
    for seed in 1..=3 {
        trades_and_agrees("2026-03-05T14:00:00Z", seed).await;
    }
}

#[tokio::test]
async fn figures_agree_with_the_events_around_the_day_of_twenty_five_hours() {
    for seed in 11..=13 {
        trades_and_agrees("2026-10-29T14:00:00Z", seed).await;
    }
}
