//! What changed late, compared with the log: each event about an earlier day is listed, and no other.

use super::{
    Checks,
    business::{Street, TestClock},
    days,
};
use crate::common::{Office, rate};
use caudal_domain::{
    Command, Event,
    closure::ClosureEvent,
    ids::{PartyId, RateChangeId, RemittanceId},
    movement::MovementEvent,
    rates::{RateTarget, RatesCommand, RatesEvent, WantedRate},
    remittance::{
        AttemptReason, CompleteRemittance, DeliveryChoice, EditDetails, RecordAttempt, RemittanceCommand,
        RemittanceEvent,
    },
};
use caudal_journal::{Clock as _, Recorded};
use caudal_projections::{
    ListQuery,
    late::{self, LateChange},
    scalar::LateKind,
    verify,
};
use chrono::{DateTime, Duration, Utc};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// What the log says of a late event.
#[derive(Clone, Debug, PartialEq)]
struct Late {
    kind: LateKind,
    at: DateTime<Utc>,
    concerned: DateTime<Utc>,
    days: i64,
    actor: Option<Uuid>,
    record: Uuid,
    closure: Option<Uuid>,
}

/// A closed period.
struct Closed {
    id: Uuid,
    party: PartyId,
    from: Option<DateTime<Utc>>,
    cut: DateTime<Utc>,
}

/// The late events of a log, by position.
fn late_in(events: &[Recorded]) -> BTreeMap<i64, Late> {
    let mut late = BTreeMap::new();
    // When each record came to be, and whose closures it is in.
    let mut began: HashMap<Uuid, (DateTime<Utc>, Vec<PartyId>)> = HashMap::new();
    let mut debtors = HashMap::new();
    let mut closed: Vec<Closed> = Vec::new();
    for recorded in events {
        let (id, at) = (recorded.stream.id, recorded.recorded_at);
        let mut of = Vec::new();
        let found = match &recorded.event {
            Event::Remittance(event) => {
                if let RemittanceEvent::RemittanceCreated(created) = event {
                    let sale = &created.sale;
                    let sellers = [Some(sale.seller), sale.agency, sale.agent];
                    began.insert(id, (at, sellers.into_iter().flatten().collect()));
                }
                let (sold, sellers) = began[&id].clone();
                let of_the_sale = |kind| (Some((kind, sold)), sellers);
                let of_a_delivery = |kind, time: Option<DateTime<Utc>>| (time.map(|time| (kind, time)), Vec::new());
                let (found, parties) = match event {
                    RemittanceEvent::RemittanceAmountEdited(_) => of_the_sale(LateKind::AmountEdited),
                    RemittanceEvent::RemittanceDetailsEdited(_) => of_the_sale(LateKind::DetailsEdited),
                    RemittanceEvent::RemittanceCanceled(_) => of_the_sale(LateKind::Canceled),
                    RemittanceEvent::RemittanceCompleted(own) => of_a_delivery(LateKind::Delivered, own.delivered_at),
                    RemittanceEvent::DeliveryAttempted(own) => of_a_delivery(LateKind::Attempted, own.attempted_at),
                    RemittanceEvent::DeliveryDisputed(own) => of_a_delivery(LateKind::Disputed, own.delivered_at),
                    _ => (None, Vec::new()),
                };
                of = parties;
                found
            }
            Event::Movement(MovementEvent::MovementPosted(posted)) => {
                let movement = &posted.movement;
                debtors.extend(movement.debit.iter().map(|debit| (debit.id, debit.debtor)));
                let paid = movement.payments.iter().map(|payment| debtors[&payment.debit]);
                let own = movement.debit.iter().map(|debit| debit.debtor);
                let parties = movement.from.into_iter().chain(movement.to).chain(own).chain(paid);
                began.insert(id, (at, parties.collect()));
                None
            }
            Event::Movement(MovementEvent::MovementReversed(_)) => {
                let (posted, parties) = began[&id].clone();
                of = parties;
                Some((LateKind::Reversed, posted))
            }
            Event::Closure(ClosureEvent::PeriodClosed(own)) => {
                let opened = [&own.debit, &own.agency_debit];
                debtors.extend(opened.into_iter().flatten().map(|debit| (debit.id, debit.debtor)));
                closed.push(Closed {
                    id: own.id.0,
                    party: own.party,
                    from: own.from,
                    cut: own.cut,
                });
                None
            }
            Event::Rates(RatesEvent::RatesChanged(_)) => {
                began.insert(id, (at, Vec::new()));
                None
            }
            Event::Rates(RatesEvent::RatesUndone(_)) => Some((LateKind::RatesUndone, began[&id].0)),
            _ => None,
        };
        let Some((kind, concerned)) = found else { continue };
        let days = (days::day(at) - days::day(concerned)).num_days();
        if days < 1 {
            continue;
        }
        let frozen = closed.iter().rev().find(|closed| {
            of.contains(&closed.party) && closed.from.is_none_or(|from| from <= concerned) && concerned < closed.cut
        });
        let actor = Uuid::parse_str(&recorded.metadata.actor).ok();
        late.insert(
            recorded.position,
            Late {
                kind,
                at,
                concerned,
                days,
                actor,
                record: id,
                closure: frozen.map(|closed| closed.id),
            },
        );
    }
    late
}

async fn listed(office: &Office, query: &ListQuery) -> Vec<LateChange> {
    let mut transaction = office.begin().await;
    let page = late::list(&mut transaction, query).await.unwrap();
    assert_eq!(usize::try_from(page.total_records).unwrap(), page.data.len());
    page.data
}

/// Compares the list under a filter with the late events that a condition picks.
async fn agrees(office: &Office, late: &BTreeMap<i64, Late>, filters: &[(&str, &str)], picks: impl Fn(&Late) -> bool) {
    let query = filters
        .iter()
        .fold(ListQuery::all(), |query, (name, value)| query.filter(*name, value));
    let rows = listed(office, &query).await;
    let told: BTreeMap<i64, Late> = rows
        .iter()
        .map(|row| {
            let told = Late {
                kind: row.kind,
                at: row.at,
                concerned: row.concerned,
                days: i64::from(row.days_late),
                actor: row.actor.id,
                record: row.record_id,
                closure: row.closure.as_ref().map(|closure| closure.id),
            };
            (row.position, told)
        })
        .collect();
    let wanted: BTreeMap<i64, Late> = late
        .iter()
        .filter(|(_, late)| picks(late))
        .map(|(position, late)| (*position, late.clone()))
        .collect();
    assert_eq!(told, wanted, "{filters:?}");
}

/// What random business lacks: acts of telephones without a network, edits of details, and rates that are undone.
async fn offline(street: &Street, clock: &TestClock, to: &str) {
    let office = &street.office;
    let hash = || Some("a".repeat(64));
    let at = clock.now();
    let [delivered, attempted, disputed] = [
        office.sell(office.agency, "1.00", DeliveryChoice::Home).await,
        office.sell(office.agency, "1.00", DeliveryChoice::Home).await,
        office.sell(office.agency, "1.00", DeliveryChoice::Home).await,
    ];
    for id in [delivered, attempted, disputed] {
        office.assign(id, None).await;
    }
    let wanted = WantedRate {
        target: RateTarget::Catalogue { group: office.group },
        from: None,
        to: rate(to),
    };
    let change = RateChangeId::generate();
    let rates = RatesCommand::Change {
        rates: vec![wanted],
        at: None,
    };
    office.manage(Command::Rates(change, rates)).await;
    clock.pass(Duration::hours(30));
    let complete = |or_dispute| {
        RemittanceCommand::Complete(CompleteRemittance {
            identification: hash(),
            signature: hash(),
            delivered_at: Some(at + Duration::hours(1)),
            or_dispute,
            ..CompleteRemittance::default()
        })
    };
    office.remit(office.dealer, delivered, complete(false)).await;
    let attempt = RemittanceCommand::Attempt(RecordAttempt {
        reason: AttemptReason::NobodyHome,
        attempted_at: Some(at + Duration::hours(1)),
        carried_since: None,
    });
    office.remit(office.dealer, attempted, attempt).await;
    let edit = EditDetails {
        notes: Some("Otra puerta".into()),
        ..EditDetails::new(office.recipient)
    };
    office
        .remit(office.manager, attempted, RemittanceCommand::EditDetails(edit))
        .await;
    let cancel = RemittanceCommand::MarkError {
        reason: "No estaba".into(),
    };
    office.remit(office.dealer, disputed, cancel).await;
    office.remit(office.dealer, disputed, complete(true)).await;
    let undo = RatesCommand::Undo {
        targets: vec![RateTarget::Catalogue { group: office.group }],
    };
    office.manage(Command::Rates(change, undo)).await;
}

#[tokio::test]
async fn what_changed_late_is_every_event_about_an_earlier_day_and_no_other() {
    for (from, seed) in [("2026-03-05T14:00:00Z", 21), ("2026-10-29T14:00:00Z", 22)] {
        let clock = TestClock::at(from);
        let mut street = Street::open(clock.clone(), seed).await;
        street.office.fund().await;
        for to in ["319.5", "320", "320.5"] {
            street.trade(120).await;
            offline(&street, &clock, to).await;
        }
        let office = &street.office;
        let events = Checks::of(&street).await.events;
        let late = late_in(&events);
        for kind in LateKind::ALL {
            assert!(late.values().any(|late| late.kind == kind), "{kind:?} in seed {seed}");
        }
        assert!(
            late.values().any(|late| late.closure.is_some()),
            "a closed day in seed {seed}"
        );
        agrees(office, &late, &[], |_| true).await;
        for kind in LateKind::ALL {
            agrees(office, &late, &[("kind", kind.as_str())], |late| late.kind == kind).await;
        }
        for days in [1, 2, 4, 40] {
            let least = days.to_string();
            agrees(office, &late, &[("daysLate", &least)], |late| late.days >= days).await;
        }
        agrees(office, &late, &[("afterClosure", "true")], |late| {
            late.closure.is_some()
        })
        .await;
        agrees(office, &late, &[("afterClosure", "false")], |late| {
            late.closure.is_none()
        })
        .await;
        let dealer = office.dealer.0;
        let of_dealer = dealer.to_string();
        agrees(office, &late, &[("actorId", &of_dealer)], |late| {
            late.actor == Some(dealer)
        })
        .await;
        let record = late.values().next().unwrap().record;
        let of_record = record.to_string();
        agrees(office, &late, &[("recordId", &of_record)], |late| late.record == record).await;
        let day = days::day(events[events.len() / 2].recorded_at);
        let period = day.format("%Y%m%d").to_string();
        agrees(office, &late, &[("from", &period), ("to", &period)], |late| {
            days::day(late.at) == day
        })
        .await;
        let replayed = verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {});
        assert_eq!(replayed.await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_change_is_late_from_the_first_second_of_the_next_day_on_and_says_both_amounts() {
    let clock = TestClock::at("2026-02-01T12:00:00Z");
    let street = Street::open(clock.clone(), 0).await;
    let office = &street.office;
    office.fund().await;
    let sold = [
        office.sell(office.agency, "10.00", DeliveryChoice::Home).await,
        office.sell(office.agency, "20.00", DeliveryChoice::Home).await,
    ];
    let cancel = async |id: RemittanceId| {
        let reason = "Se arrepintió".into();
        office
            .remit(office.manager, id, RemittanceCommand::Cancel { reason })
            .await;
    };
    // Havana's midnight.
    clock.set("2026-02-02T04:59:59Z");
    cancel(sold[0]).await;
    assert_eq!(listed(office, &ListQuery::all()).await, []);
    clock.set("2026-02-02T05:00:00Z");
    cancel(sold[1]).await;
    let rows = listed(office, &ListQuery::all()).await;
    let [row] = &rows[..] else { panic!("{rows:?}") };
    let told = serde_json::to_value(row).unwrap();
    assert_eq!(told["kind"], "canceled");
    assert_eq!(told["daysLate"], 1);
    assert_eq!(told["recordType"], "remittance");
    assert_eq!(told["recordName"], "R-000002");
    assert_eq!(
        [&told["amount"], &told["amountAfter"], &told["currency"]],
        ["20.00", "0.00", "USD"]
    );
    assert_eq!(told["actor"]["name"], "Marta Manager");
    assert_eq!(told["closure"], serde_json::Value::Null);
}
