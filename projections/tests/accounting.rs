//! Figures of periods, checked against random business: each figure equals an independent computation, and totals
//! equal their parts.

mod balances;
mod business;
mod cash;
mod closures;
mod days;
mod late;
mod oracle;
mod sales;
mod scripted;

use crate::common::amount;
use crate::common::journals;
use business::{Street, TestClock};
use caudal_domain::{TenantState, ids::PartyId, money::CurrencyCode};
use caudal_journal::Recorded;
use caudal_projections::{ListQuery, ReadTransaction, Scope, accounting::PeriodQuery, verify};
use chrono::{DateTime, Duration, NaiveDate, Utc};
use oracle::Oracle;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;

/// The figures of a dealer's cash that come in, and those that go out.
const IN: [&str; 4] = ["received", "handed_back", "transferred_in", "exchanged_in"];
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

struct Checks<'a> {
    street: &'a Street,
    events: Vec<Recorded>,
    oracle: Oracle,
    state: TenantState,
    transaction: ReadTransaction,
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
            state: office.state().await,
            transaction: office.begin().await,
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
}

/// Runs seeded random business around a clock change, five times a number of commands, and compares every figure with the
/// events: of every day and of days together, or of one in `every` of these spans. Returns the last position.
async fn trades_and_agrees(from: &str, seed: u64, commands: usize, every: usize) -> i64 {
    let clock = TestClock::at(from);
    let mut street = Street::open(clock.clone(), seed).await;
    street.open_accounts().await;
    street.office.fund().await;
    let first = clock.today();
    for _ in 0..5 {
        street.trade(commands).await;
        Checks::of(&street).await.closures_now().await;
    }
    clock.pass(Duration::seconds(1));
    let mut checks = Checks::of(&street).await;
    for span in checks.spans(first, clock.today()).into_iter().step_by(every) {
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
    let state = checks.state.clone();
    checks.balances(&state, &ListQuery::all(), i64::MAX).await;
    checks.standing().await;
    checks.reports().await;
    checks.as_of_events().await;
    assert!(checks.closures_made().await > 0, "some closure was cut at midnight");
    drop(checks);
    let accepted = &street.accepted;
    for sort in [
        "opening", "sale", "edit", "assign", "complete", "cancel", "failure", "reversal", "payment", "closure",
        "exchange",
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
    office.journal.head(&office.tenant).await.unwrap().position
}

#[tokio::test]
async fn figures_agree_with_the_events_around_the_day_without_midnight() {
    for seed in 1..=3 {
        trades_and_agrees("2026-03-05T14:00:00Z", seed, 120, 1).await;
    }
}

#[tokio::test]
async fn figures_agree_with_the_events_around_the_day_of_twenty_five_hours() {
    for seed in 11..=13 {
        trades_and_agrees("2026-10-29T14:00:00Z", seed, 120, 1).await;
    }
}

#[tokio::test]
async fn figures_agree_with_the_events_beyond_two_blocks_of_positions() {
    /// A flow's total is kept at the end of each (docs/decisions/figures-of-periods.md).
    const BLOCK: i64 = 2048;
    let position = trades_and_agrees("2026-03-05T14:00:00Z", 21, 1_200, 7).await;
    assert!(position > 2 * BLOCK, "{position}");
}
