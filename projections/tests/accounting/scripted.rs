//! Cases that random business does not cover: ends of days, scopes, and attention items.

use super::{
    business::{Street, TestClock},
    json, minor, row_of,
};
use crate::common::{CUP, amount};
use caudal_domain::{
    Command,
    closure::ClosePeriod,
    ids::{ClosureId, ObligationId, PartyId, RemittanceId},
    movement::{DepositTo, ExpectedParty, Funds},
    remittance::{CreateRemittance, DeliveryChoice, RemittanceCommand},
};
use caudal_journal::Clock as _;
use caudal_projections::{
    ListQuery, ReadError,
    accounting::{self, DashboardQuery, Per, PeriodQuery, PreviewQuery, Sellers},
    attention::{self, AttentionCounts, AttentionKind},
};
use chrono::{Duration, NaiveDate};
use std::sync::Arc;

async fn opened(now: &str) -> (Street, Arc<TestClock>) {
    let clock = TestClock::at(now);
    let street = Street::open(clock.clone(), 0).await;
    street.office.fund().await;
    (street, clock)
}

fn days(first: &str, last: &str) -> PeriodQuery {
    PeriodQuery {
        init_date: Some(first.into()),
        final_date: Some(last.into()),
        range_selector: None,
    }
}

fn local(day: &str) -> NaiveDate {
    NaiveDate::parse_from_str(day, "%Y%m%d").unwrap()
}

fn spanning(first: &str, last: &str) -> ListQuery {
    ListQuery::all().filter("initDate", first).filter("finalDate", last)
}

/// Sells and delivers at each time, and requires the expected counts for each day in every figure.
async fn cut(moments: &[&str], expected: &[(&str, i64)]) {
    let (street, clock) = opened("2026-02-01T12:00:00Z").await;
    let office = &street.office;
    for moment in moments {
        clock.set(moment);
        let id = office.sell(office.agency, "10.00", DeliveryChoice::Home).await;
        office.assign(id, None).await;
        office.complete(office.dealer, id).await;
    }
    clock.pass(Duration::days(40));
    let now = clock.now();
    let scope = office.scope(office.manager).await;
    let mut transaction = office.begin().await;
    let (first, last) = (expected[0].0, expected[expected.len() - 1].0);
    let chart = DashboardQuery {
        period: days(first, last),
        ..DashboardQuery::default()
    };
    let chart = accounting::statistics(&mut transaction, &scope, &chart, Per::Day, now)
        .await
        .unwrap();
    let counted: Vec<(&str, i64)> = chart.results.iter().map(|day| (day.date.as_str(), day.total)).collect();
    assert_eq!(counted, expected);
    for (day, count) in expected {
        let asked = PreviewQuery {
            party: Some(office.agency),
            first: Some(local(day)),
            last: Some(local(day)),
            ..PreviewQuery::default()
        };
        let all = ListQuery::all();
        let preview = accounting::previews(&mut transaction, &scope, Sellers::Agencies, &asked, &all, now);
        assert_eq!(preview.await.unwrap().data[0].figures.remittances, *count, "{day}");
        let sales = accounting::sales(&mut transaction, &scope, &spanning(day, day), now)
            .await
            .unwrap();
        let sold: i64 = sales.totals.iter().map(|total| total.remittances).sum();
        assert_eq!(sold, *count, "{day}");
        let credit = ListQuery::all().filter("dateTime", day);
        let credit = accounting::daily_credit(&mut transaction, &scope, &credit, now)
            .await
            .unwrap();
        let cash = json(
            &credit
                .data
                .iter()
                .find(|row| row.dealer.id == office.dealer.0)
                .unwrap()
                .currencies,
        );
        let row = row_of(&cash, CUP).unwrap();
        assert_eq!(row["deliveries"], *count, "{day}");
        assert_eq!(minor(row, "delivered"), count * 318_500, "{day}");
        assert_eq!(minor(row, "distribution_fees"), count * 2_00, "{day}");
    }
}

#[tokio::test]
async fn the_day_on_which_havana_has_no_midnight_begins_at_one() {
    let moments = [
        "2026-03-07T05:00:00Z",
        "2026-03-08T04:59:59.999999Z",
        "2026-03-08T05:00:00Z",
        "2026-03-09T03:59:59.999999Z",
        "2026-03-09T04:00:00Z",
    ];
    cut(&moments, &[("20260307", 2), ("20260308", 2), ("20260309", 1)]).await;
}

#[tokio::test]
async fn the_day_on_which_havana_has_midnight_twice_begins_at_the_first_and_has_25_hours() {
    let moments = [
        "2026-11-01T03:59:59.999999Z",
        "2026-11-01T04:00:00Z",
        "2026-11-01T05:00:00Z",
        "2026-11-02T04:59:59.999999Z",
        "2026-11-02T05:00:00Z",
    ];
    cut(&moments, &[("20261031", 1), ("20261101", 3), ("20261102", 1)]).await;
}

#[tokio::test]
async fn a_later_cancellation_leaves_the_dashboards_day_but_not_the_ledgers() {
    let (street, clock) = opened("2026-05-04T15:00:00Z").await;
    let office = &street.office;
    let id = office.sell(office.agency, "100.00", DeliveryChoice::Home).await;
    clock.set("2026-05-05T15:00:00Z");
    let reason = "Se arrepintió".to_owned();
    office
        .remit(office.agency, id, RemittanceCommand::Cancel { reason })
        .await;
    let scope = office.scope(office.agency).await;
    let mut transaction = office.begin().await;
    let now = clock.now();
    for (day, sold) in [("20260504", 1), ("20260505", -1)] {
        let sales = accounting::sales(&mut transaction, &scope, &spanning(day, day), now)
            .await
            .unwrap();
        let rows: Vec<_> = sales
            .page
            .data
            .iter()
            .map(|row| (row.sales.remittances, row.sales.payout.0))
            .collect();
        let payout = if sold > 0 { amount("31850") } else { amount("-31850") };
        assert_eq!(rows, [(sold, payout)], "{day}");
        let totals = DashboardQuery {
            currency: Some("CUP".into()),
            period: days(day, day),
            ..DashboardQuery::default()
        };
        let totals = accounting::totals(&mut transaction, &scope, &totals, now)
            .await
            .unwrap();
        assert_eq!((totals.total_remittances, totals.report.len()), (0, 1), "{day}");
        assert_eq!((totals.report[0].amount.0, totals.change), (amount("0"), None));
    }
}

#[tokio::test]
async fn a_seller_sees_its_own_figures_and_a_dealer_its_own_cash() {
    let (street, clock) = opened("2026-05-04T15:00:00Z").await;
    let office = &street.office;
    for by in [office.clerk, office.agency, office.agent] {
        office.sell(by, "10.00", DeliveryChoice::Home).await;
    }
    let now = clock.now();
    let mut transaction = office.begin().await;
    let today = spanning("20260504", "20260504");
    for (caller, sellers, counted) in [
        (office.manager, 2, 3),
        (office.agency, 2, 3),
        (office.clerk, 2, 3),
        (office.agent, 1, 1),
        (street.free_agent, 0, 0),
        (street.other_agency, 0, 0),
        (office.dealer, 0, 0),
    ] {
        let scope = office.scope(caller).await;
        let sales = accounting::sales(&mut transaction, &scope, &today, now).await.unwrap();
        assert_eq!(sales.page.total_records, sellers, "{:?}", scope.role);
        let asked = DashboardQuery::default();
        let totals = accounting::totals(&mut transaction, &scope, &asked, now).await.unwrap();
        assert_eq!(totals.total_remittances, counted, "{:?}", scope.role);
        let chart = accounting::statistics(&mut transaction, &scope, &asked, Per::Day, now)
            .await
            .unwrap();
        assert_eq!((chart.results.len(), chart.results[29].total), (30, counted));
    }
    for (caller, agencies, agents) in [
        (office.manager, 2, 2),
        (office.agency, 1, 1),
        (office.agent, 0, 1),
        (office.clerk, 0, 0),
        (street.free_agent, 0, 1),
        (office.dealer, 0, 0),
    ] {
        let scope = office.scope(caller).await;
        for (sellers, seen) in [(Sellers::Agencies, agencies), (Sellers::Agents, agents)] {
            let (asked, all) = (PreviewQuery::default(), ListQuery::all());
            let previews = accounting::previews(&mut transaction, &scope, sellers, &asked, &all, now);
            assert_eq!(previews.await.unwrap().total_records, seen, "{:?}", scope.role);
        }
    }
    let all = ListQuery::all();
    for (caller, dealers, balances) in [
        (office.manager, 2, 8),
        (office.dealer, 1, 2),
        (street.other_dealer, 1, 2),
        (office.delivery_man, 0, 1),
        (office.agency, 0, 2),
        (office.agent, 0, 1),
    ] {
        let scope = office.scope(caller).await;
        let credit = accounting::daily_credit(&mut transaction, &scope, &all, now)
            .await
            .unwrap();
        assert_eq!(credit.total_records, dealers, "{:?}", scope.role);
        let seen = accounting::party_balances(&mut transaction, &scope, &all)
            .await
            .unwrap();
        assert_eq!(seen.total_records, balances, "{:?}", scope.role);
    }
    // Another party's closure can't be previewed, and a filter does not extend the scope.
    let scope = office.scope(street.other_agency).await;
    let foreign = PreviewQuery {
        party: Some(office.agency),
        ..PreviewQuery::default()
    };
    let refused = accounting::previews(&mut transaction, &scope, Sellers::Agencies, &foreign, &all, now).await;
    assert!(matches!(refused, Err(ReadError::Refused(refusal)) if refusal.code == "party_not_found"));
    let foreign = DashboardQuery {
        agency: Some(office.agency),
        ..DashboardQuery::default()
    };
    let totals = accounting::totals(&mut transaction, &scope, &foreign, now)
        .await
        .unwrap();
    assert_eq!(totals.total_remittances, 0);
}

#[tokio::test]
async fn a_preview_equals_the_figures_of_the_closure() {
    let (street, clock) = opened("2026-05-04T15:00:00Z").await;
    let office = &street.office;
    let now = || clock.now();
    let asked = |party| PreviewQuery {
        party: Some(party),
        ..PreviewQuery::default()
    };
    let scope = office.scope(office.manager).await;
    for (seller, sellers) in [
        (office.agency, Sellers::Agencies),
        (office.agent, Sellers::Agents),
        (office.agent, Sellers::Agents),
    ] {
        clock.pass(Duration::seconds(1));
        office.sell(seller, "70.00", DeliveryChoice::Home).await;
        let mut transaction = office.begin().await;
        let all = ListQuery::all();
        let preview = accounting::previews(&mut transaction, &scope, sellers, &asked(seller), &all, now())
            .await
            .unwrap();
        drop(transaction);
        let close = ClosePeriod {
            id: ClosureId::generate(),
            party: seller,
            to: None,
            debit: ObligationId::generate(),
            agency_debit: ObligationId::generate(),
        };
        let id = close.id;
        // At the same time: events before the closure are included, later ones are not.
        office.manage(Command::Closure(close)).await;
        office.sell(seller, "5.00", DeliveryChoice::Home).await;
        let mut transaction = office.begin().await;
        let closure = caudal_projections::closure::get(&mut transaction, &scope, id)
            .await
            .unwrap();
        assert_eq!(preview.data[0].figures, closure.figures);
        let next = accounting::previews(&mut transaction, &scope, sellers, &asked(seller), &all, now())
            .await
            .unwrap();
        assert_eq!(
            (next.data[0].figures.remittances, next.data[0].from),
            (1, Some(closure.to))
        );
        let billed = closure.figures.debits_outstanding.0
            + closure.figures.commission_accrued.0
            + preview.data[0].agency_fee_accrued.0;
        assert_eq!(next.data[0].debits_opening.0, billed);
    }
}

#[tokio::test]
async fn attention_items_respect_the_callers_scope() {
    let (street, clock) = opened("2026-05-04T15:00:00Z").await;
    let office = &street.office;
    let late = office.sell(office.agency, "100.00", DeliveryChoice::Home).await;
    office.assign(late, None).await;
    let failed = office.sell(office.agent, "100.00", DeliveryChoice::Home).await;
    office.assign(failed, Some(office.delivery_man)).await;
    let reason = "No estaba".to_owned();
    office
        .remit(office.delivery_man, failed, RemittanceCommand::MarkError { reason })
        .await;
    // 199 of 200 MLC are sold: the remaining balance is less than a tenth of an average week.
    let other = DepositTo::Party(street.other_agency, ExpectedParty::Agency);
    let mlc = Funds::Group(office.mlc_group);
    office.deposit(office.manager, other, mlc, "200.00", false).await;
    sell_elsewhere(&street, street.other_agency, "199.00").await;
    clock.pass(Duration::days(3));
    let on_time = office.sell(office.agency, "10.00", DeliveryChoice::Home).await;
    office.assign(on_time, None).await;
    clock.pass(Duration::seconds(1));
    let now = clock.now();
    let mut transaction = office.begin().await;
    // The agency and its agent each got balance on credit.
    for (caller, error, shipping, low, debits) in [
        (office.manager, 1, 1, 1, 2),
        (office.agency, 1, 1, 0, 2),
        (office.clerk, 1, 1, 0, 0),
        (office.agent, 1, 0, 0, 1),
        (street.other_agency, 0, 0, 1, 0),
        (office.dealer, 1, 1, 0, 0),
        (office.delivery_man, 1, 0, 0, 0),
        (street.other_dealer, 0, 0, 0, 0),
    ] {
        let scope = office.scope(caller).await;
        let attention = attention::attention(&mut transaction, &scope, now).await.unwrap();
        let counts = AttentionCounts {
            delivery_disputed: 0,
            delivered_while_held: 0,
            remittance_error: error,
            shipping_too_long: shipping,
            low_balance: low,
            open_obligation: debits,
        };
        assert_eq!(attention.counts, counts, "{:?}", scope.role);
        for item in attention.results {
            match item.kind {
                AttentionKind::RemittanceError => assert_eq!(item.id, failed.0),
                AttentionKind::ShippingTooLong => assert_eq!(item.id, late.0),
                AttentionKind::LowBalance => {
                    assert_eq!((item.id, item.amount.unwrap().0), (street.other_agency.0, amount("1")));
                }
                AttentionKind::OpenDebit => assert!(item.amount.unwrap().0.is_positive()),
                AttentionKind::DeliveryDisputed => panic!("nothing was disputed: {item:?}"),
                AttentionKind::DeliveredWhileHeld => panic!("nothing was held: {item:?}"),
            }
        }
    }
}

async fn sell_elsewhere(street: &Street, by: PartyId, sum: &str) {
    let office = &street.office;
    let (sender, recipient) = street.customers_of(by);
    let id = RemittanceId::generate();
    let create = CreateRemittance::new(id, sender, recipient, office.mlc_group, amount(sum));
    office
        .of(by, Command::Remittance(id, RemittanceCommand::Create(create)))
        .await;
}

#[tokio::test]
async fn unknown_figure_parameters_are_refused_by_name() {
    let (street, clock) = opened("2026-05-04T15:00:00Z").await;
    let office = &street.office;
    let scope = office.scope(office.manager).await;
    let mut transaction = office.begin().await;
    let now = clock.now();
    let all = ListQuery::all();
    let refusal = |error: ReadError| match error {
        ReadError::Refused(refusal) => {
            let error = &refusal.errors[0];
            format!("{} {}", error.field, error.code)
        }
        other => panic!("{other:?}"),
    };
    for (query, expected) in [
        (all.clone().filter("colour", "red"), "colour filter_unknown"),
        (all.clone().filter("initDate", "20260231"), "initDate date_invalid"),
        (all.clone().filter("rangeSelector", "7"), "rangeSelector value_unknown"),
        (
            all.clone()
                .filter("finalDate", "20260101")
                .filter("initDate", "20260102"),
            "finalDate date_before_start",
        ),
    ] {
        let sales = accounting::sales(&mut transaction, &scope, &query, now)
            .await
            .unwrap_err();
        assert_eq!(refusal(sales), expected);
        let closing = accounting::dealer_closing(&mut transaction, &scope, &query, now)
            .await
            .unwrap_err();
        assert_eq!(refusal(closing), expected);
        let sellers = accounting::sellers(&mut transaction, &scope, &query, now)
            .await
            .unwrap_err();
        assert_eq!(refusal(sellers), expected);
    }
    let moment = all.clone().filter("at", "yesterday");
    let real = accounting::real_balances(&mut transaction, &moment).await.unwrap_err();
    assert_eq!(refusal(real), "at time_invalid");
    let day = all.clone().filter("dateTime", "2026-05-04");
    let credit = accounting::daily_credit(&mut transaction, &scope, &day, now)
        .await
        .unwrap_err();
    assert_eq!(refusal(credit), "dateTime date_invalid");
    for (first, last, fits) in [("20250504", "20260504", true), ("20250503", "20260504", false)] {
        let chart = DashboardQuery {
            period: days(first, last),
            ..DashboardQuery::default()
        };
        let chart = accounting::statistics(&mut transaction, &scope, &chart, Per::Day, now).await;
        match chart {
            Ok(chart) => assert!(fits && chart.results.len() == 366),
            Err(error) => assert_eq!((refusal(error).as_str(), fits), ("finalDate period_too_long", false)),
        }
    }
    let unknown = DashboardQuery {
        currency: Some("XXX".into()),
        ..DashboardQuery::default()
    };
    let totals = accounting::totals(&mut transaction, &scope, &unknown, now)
        .await
        .unwrap_err();
    assert_eq!(refusal(totals), "currency currency_unknown");
}
