//! The reports over a day with known figures, in every scope.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use crate::common::{Office, person};
use caudal_domain::{
    Command, DEFAULT_ZONE,
    customer::IdentificationType,
    ids::{CustomerId, PartyId, RemittanceId},
    remittance::{CompleteRemittance, CreateRemittance, DeliveryChoice, RemittanceCommand},
};
use caudal_journal::Clock;
use caudal_postgres_testing::TestDatabase;
use caudal_projections::{
    ListQuery, ReadError,
    lists::Takes,
    report::{self, Report, ReportPage},
};
use chrono::{DateTime, TimeDelta, TimeZone as _, Utc};
use serde_json::{Value, json};
use sqlx::Connection as _;
use std::sync::{Arc, Mutex};

async fn page(office: &Office, who: PartyId, report: &'static Report, query: &ListQuery) -> ReportPage {
    let scope = office.scope(who).await;
    report.page(&mut office.begin().await, &scope, query).await.unwrap()
}

async fn asked(office: &Office, who: PartyId, report: &'static Report, query: &ListQuery) -> Value {
    serde_json::to_value(page(office, who, report, query).await).unwrap()
}

/// Some fields of all rows.
fn picked(answer: &Value, fields: &[&str]) -> Vec<Value> {
    let row = |row: &Value| fields.iter().map(|field| row[*field].clone()).collect();
    answer["data"].as_array().unwrap().iter().map(row).collect()
}

async fn refused(office: &Office, report: &'static Report, query: &ListQuery) -> (String, String) {
    let scope = office.scope(office.manager).await;
    let refused = report.page(&mut office.begin().await, &scope, query).await;
    let Err(ReadError::Refused(refusal)) = refused else {
        panic!("{refused:?}")
    };
    (refusal.errors[0].field.to_string(), refusal.errors[0].code.to_owned())
}

#[tokio::test]
async fn the_report_by_recipient_counts_uncanceled_remittances_per_currency() {
    let office = Office::open().await;
    office.day().await;
    let all = asked(&office, office.manager, &report::ADDRESSEE, &ListQuery::default()).await;
    assert_eq!(
        picked(
            &all,
            &[
                "recipient",
                "currency",
                "remittances",
                "delivered",
                "amount",
                "payout",
                "codes"
            ]
        ),
        [
            json!([
                "María Pérez",
                "CUP",
                3,
                1,
                "162.00",
                "51597.00",
                "R-000005, R-000003, R-000001"
            ]),
            json!(["María Pérez", "MLC", 1, 0, "30.00", "30.00", "R-000004"]),
        ]
    );
    assert_eq!(
        all["totals"],
        json!([
            {"currency": "CUP", "records": 1, "remittances": 3, "delivered": 1, "amount": "162.00", "payout": "51597.00"},
            {"currency": "MLC", "records": 1, "remittances": 1, "delivered": 0, "amount": "30.00", "payout": "30.00"},
        ])
    );
    assert_eq!((&all["totalRecords"], &all["totalPages"]), (&json!(2), &json!(1)));
    let canceled = asked(
        &office,
        office.manager,
        &report::ADDRESSEE,
        &ListQuery::default().filter("status", 1),
    )
    .await;
    assert_eq!(
        picked(&canceled, &["remittances", "amount"]),
        [json!([1, "20.00"])],
        "what was taken back is there where it is asked for"
    );
}

#[tokio::test]
async fn the_agencies_report_has_the_amount_due_per_sale_and_a_seller_sees_only_its_own() {
    let office = Office::open().await;
    office.day().await;
    let fields = [
        "code",
        "agent",
        "status",
        "amount",
        "assignedPercent",
        "toPay",
        "totalToPay",
        "payout",
    ];
    let all = asked(&office, office.manager, &report::AGENCY, &ListQuery::default()).await;
    assert_eq!(
        picked(&all, &fields),
        [
            json!(["R-000005", "Ernesto Agent", 0, "12.00", "2", "0.24", "12.96", "3822.00"]),
            json!(["R-000004", null, 2, "30.00", "2", "0.60", "31.50", "30.00"]),
            json!(["R-000003", null, 4, "50.00", "2", "1.00", "52.50", "15925.00"]),
            json!([
                "R-000001",
                "Clara Clerk",
                3,
                "100.00",
                "2",
                "2.00",
                "105.00",
                "31850.00"
            ]),
        ]
    );
    assert_eq!(
        all["totals"],
        json!([
            {"currency": "CUP", "records": 3, "amount": "162.00", "toPay": "3.24", "totalToPay": "170.46", "payout": "51597.00"},
            {"currency": "MLC", "records": 1, "amount": "30.00", "toPay": "0.60", "totalToPay": "31.50", "payout": "30.00"},
        ])
    );
    let own = asked(&office, office.agent, &report::AGENCY, &ListQuery::default()).await;
    assert_eq!(picked(&own, &["code"]), [json!(["R-000005"])]);
    assert_eq!(own["totals"][0]["records"], 1, "{own}");
    let dealers = asked(&office, office.dealer, &report::AGENCY, &ListQuery::default()).await;
    assert_eq!(
        picked(&dealers, &["code"]),
        [json!(["R-000004"]), json!(["R-000003"]), json!(["R-000001"])]
    );
    let canceled = asked(
        &office,
        office.agency,
        &report::AGENCY,
        &ListQuery::default().filter("status", 1),
    )
    .await;
    assert_eq!(picked(&canceled, &["amount", "toPay"]), [json!(["20.00", "0.00"])]);
}

#[tokio::test]
async fn the_history_has_every_status_change_and_nothing_else() {
    let office = Office::open().await;
    office.day().await;
    let query = ListQuery::all();
    let all = asked(&office, office.manager, &report::HISTORY, &query).await;
    // Newest first; the edit of an amount is no status change.
    assert_eq!(
        picked(&all, &["code", "change", "fromStatus", "toStatus", "reason"]),
        [
            json!(["R-000005", "created", null, 0, null]),
            json!(["R-000004", "assigned", 0, 2, null]),
            json!(["R-000004", "created", null, 0, null]),
            json!(["R-000003", "error", 2, 4, "No estaba"]),
            json!(["R-000003", "assigned", 0, 2, null]),
            json!(["R-000003", "created", null, 0, null]),
            json!(["R-000002", "canceled", 0, 1, "Se arrepintió"]),
            json!(["R-000002", "created", null, 0, null]),
            json!(["R-000001", "completed", 2, 3, null]),
            json!(["R-000001", "assigned", 0, 2, null]),
            json!(["R-000001", "created", null, 0, null]),
        ]
    );
    let delivered = asked(
        &office,
        office.dealer,
        &report::HISTORY,
        &ListQuery::all().filter("toStatus", 3),
    )
    .await;
    assert_eq!(
        picked(&delivered, &["code", "actor", "deliveryMan", "payout"]),
        [json!(["R-000001", "Víctor Vélez", "Víctor Vélez", "31850.00"])]
    );
    assert_eq!(delivered["totals"][0]["payout"], "31850.00");
}

#[tokio::test]
async fn deliveries_to_representatives_name_them_with_document_and_phone() {
    let office = Office::open().await;
    office.day().await;
    let mut details = person("María", "Pérez", "+53 5 123 4567");
    details.alternative_name = Some("Ramón".into());
    details.alternative_last_name = Some("Güell".into());
    details.alternative_personal_identification_number = Some("70010112345".into());
    details.alternative_phone_number = Some("+53 7 765 4321".into());
    office.rename_customer(office.recipient, details).await;
    let id = office.sell(office.agency, "40.00", DeliveryChoice::Home).await;
    office.assign(id, None).await;
    let hash = "b".repeat(64);
    let complete = CompleteRemittance {
        identification: Some(hash.clone()),
        signature: Some(hash),
        to_representative: true,
        ..CompleteRemittance::default()
    };
    office
        .remit(office.dealer, id, RemittanceCommand::Complete(complete))
        .await;
    let all = asked(&office, office.dealer, &report::ATTORNEY, &ListQuery::default()).await;
    let fields = [
        "code",
        "recipient",
        "representative",
        "representativeIdentification",
        "representativePhone",
        "deliveredBy",
        "payout",
        "currency",
    ];
    assert_eq!(
        picked(&all, &fields),
        [json!([
            "R-000006",
            "María Pérez",
            "Ramón Güell",
            "70010112345",
            "+5377654321",
            "Dora Dealer",
            "12740.00",
            "CUP"
        ])]
    );
}

#[tokio::test]
async fn the_matrix_of_agencies_and_dealers_counts_by_status() {
    let office = Office::open().await;
    office.day().await;
    let all = asked(
        &office,
        office.manager,
        &report::DISTRIBUTION_AGENCY,
        &ListQuery::default(),
    )
    .await;
    let fields = [
        "seller",
        "dealer",
        "currency",
        "shipping",
        "shippingPayout",
        "delivered",
        "deliveredPayout",
        "error",
        "errorPayout",
        "distributionFee",
    ];
    assert_eq!(
        picked(&all, &fields),
        [
            json!([
                "Águila Envíos",
                "Dora Dealer",
                "CUP",
                0,
                "0.00",
                1,
                "31850.00",
                1,
                "15925.00",
                "2.00"
            ]),
            json!([
                "Águila Envíos",
                "Dora Dealer",
                "MLC",
                1,
                "30.00",
                0,
                "0.00",
                0,
                "0.00",
                "0.00"
            ]),
        ]
    );
}

#[tokio::test]
async fn the_dealers_report_counts_by_state_and_currency() {
    let office = Office::open().await;
    office.day().await;
    let query = ListQuery {
        sort: Some("status".into()),
        ..ListQuery::default()
    };
    let all = asked(&office, office.dealer, &report::DISTRIBUTOR, &query).await;
    assert_eq!(
        picked(
            &all,
            &[
                "dealer",
                "status",
                "currency",
                "remittances",
                "payout",
                "distributionFee"
            ]
        ),
        [
            json!(["Dora Dealer", 2, "MLC", 1, "30.00", "0.00"]),
            json!(["Dora Dealer", 3, "CUP", 1, "31850.00", "2.00"]),
            json!(["Dora Dealer", 4, "CUP", 1, "15925.00", "0.00"]),
        ]
    );
    assert_eq!(
        all["totals"],
        json!([
            {"currency": "CUP", "records": 2, "remittances": 2, "amount": "150.00", "payout": "47775.00", "distributionFee": "2.00"},
            {"currency": "MLC", "records": 1, "remittances": 1, "amount": "30.00", "payout": "30.00", "distributionFee": "0.00"},
        ])
    );
}

#[tokio::test]
async fn the_dispatch_sheet_shows_complete_card_numbers_to_the_paying_party_only() {
    let office = Office::open().await;
    office.day().await;
    let home = office.sell(office.agency, "1.00", DeliveryChoice::Home).await;
    office.assign(home, Some(office.delivery_man)).await;
    let fields = ["code", "deliveryMan", "address", "card", "cardBrand", "payout"];
    let card = |number: &str| json!(["R-000004", null, null, number, "bandec_mlc", "30.00"]);
    let to_the_door = json!(["R-000006", "Víctor Vélez", "Calle 23 no. 456", null, null, "318.50"]);
    for (who, number) in [
        (office.manager, "************7890"),
        (office.dealer, "9225061234567890"),
    ] {
        let all = asked(&office, who, &report::DISTRIBUTOR_SHIPPING, &ListQuery::default()).await;
        assert_eq!(picked(&all, &fields), [to_the_door.clone(), card(number)]);
    }
}

#[tokio::test]
async fn the_pending_report_lists_places_with_their_dealers() {
    let office = Office::open().await;
    office.day().await;
    let all = asked(
        &office,
        office.manager,
        &report::PENDING_DISTRIBUTOR,
        &ListQuery::default(),
    )
    .await;
    let fields = [
        "province",
        "deliveryMethod",
        "currency",
        "unassigned",
        "shipping",
        "error",
        "payout",
        "dealers",
    ];
    assert_eq!(
        picked(&all, &fields),
        [
            json!(["La Habana", "home", "CUP", 1, 0, 1, "19747.00", "Dora Dealer"]),
            json!([null, "card", "MLC", 0, 1, 0, "30.00", "Dora Dealer"]),
        ]
    );
    let own = asked(
        &office,
        office.dealer,
        &report::PENDING_DISTRIBUTOR,
        &ListQuery::default(),
    )
    .await;
    assert_eq!(
        picked(&own, &["currency", "unassigned", "shipping", "error"]),
        [json!(["CUP", 0, 0, 1]), json!(["MLC", 0, 1, 0])],
        "a dealer sees what is with it"
    );
}

#[tokio::test]
async fn days_are_in_the_tenants_zone_and_both_ends_are_inclusive() {
    let office = Office::open().await;
    office.day().await;
    let today = office
        .journal
        .head(&office.tenant)
        .await
        .unwrap()
        .recorded_at
        .with_timezone(&caudal_domain::DEFAULT_ZONE)
        .date_naive();
    let day = |days: i64| (today + chrono::TimeDelta::days(days)).format("%Y%m%d").to_string();
    for (from, to, rows) in [(0, 0, 4), (-1, 1, 4), (1, 2, 0), (-2, -1, 0)] {
        let query = ListQuery::default()
            .filter("initDate", day(from))
            .filter("finalDate", day(to));
        let all = page(&office, office.manager, &report::AGENCY, &query).await;
        assert_eq!(all.page.total_records, rows, "{from} to {to}");
        assert_eq!(all.totals.is_empty(), rows == 0);
    }
}

#[tokio::test]
async fn every_report_sorts_by_each_column_in_both_directions_and_pages_without_overlap() {
    let office = Office::open().await;
    office.day().await;
    for report in report::ALL {
        let all = page(&office, office.manager, report, &ListQuery::all()).await;
        for sort in report.sorts() {
            for sort in [sort.to_owned(), format!("-{sort}")] {
                let mut rows = Vec::new();
                for current_page in 1..=all.page.total_records {
                    let query = ListQuery {
                        sort: Some(sort.clone()),
                        records_per_page: 1,
                        current_page,
                        ..ListQuery::default()
                    };
                    let one = page(&office, office.manager, report, &query).await;
                    assert_eq!(one.totals, all.totals, "totals are of all rows");
                    rows.extend(one.page.data);
                }
                assert_eq!(rows.len(), all.page.data.len(), "{} by {sort}", report.name);
                for row in &all.page.data {
                    assert!(rows.contains(row), "{} by {sort}", report.name);
                }
            }
        }
    }
}

#[tokio::test]
async fn every_report_is_searched_by_name_and_code_and_filtered_by_every_field() {
    let office = Office::open().await;
    office.day().await;
    for report in report::ALL {
        let found = |text: &str| ListQuery {
            query: Some(text.into()),
            ..ListQuery::default()
        };
        let searches: &[(&str, bool)] = match report.declared().search {
            Some(_) => &[("maria perez", true), ("R-00000", true), ("nadie", false), ("%", false)],
            None => &[],
        };
        for &(text, any) in searches {
            let all = page(&office, office.manager, report, &found(text)).await;
            // Nothing was delivered to a representative.
            let any = any && report.name != "attorney";
            assert_eq!(all.page.total_records > 0, any, "{} {text}", report.name);
        }
        for filter in report.declared().filters {
            let values = match filter.takes {
                Takes::Id => vec![office.agency.0.to_string()],
                Takes::Known(known) if known.schema == "DeliveryMethod" => vec!["home".to_owned(), "card".to_owned()],
                Takes::Known(known) if known.schema == "CustomerSide" => {
                    vec!["sender".to_owned(), "recipient".to_owned()]
                }
                Takes::Known(known) if known.schema == "RollingDays" => {
                    ["1", "7", "30", "365"].map(str::to_owned).to_vec()
                }
                Takes::Known(known) if known.schema == "PublicHoldReason" => {
                    ["limit_rule", "screening", "manual"].map(str::to_owned).to_vec()
                }
                Takes::Amount => vec!["100.50".to_owned()],
                Takes::Number => vec!["2".to_owned()],
                Takes::Known(_) => (0..5).map(|status| status.to_string()).collect(),
                Takes::Currency => vec!["CUP".to_owned()],
                Takes::Day => vec!["20260101".to_owned()],
                taken => panic!("{}: no value for {taken:?}", filter.name),
            };
            for value in values {
                page(
                    &office,
                    office.manager,
                    report,
                    &ListQuery::default().filter(filter.name, value),
                )
                .await;
            }
        }
    }
}

#[tokio::test]
async fn unknown_report_parameters_are_refused_by_field_and_rule() {
    let office = Office::open().await;
    let query = ListQuery::default;
    let cases = [
        (query().filter("status", 9), "status", "value_unknown"),
        (query().filter("agencyId", "1"), "agencyId", "id_invalid"),
        (query().filter("currency", "XXX"), "currency", "currency_unknown"),
        (query().filter("initDate", "2026-01-01"), "initDate", "date_invalid"),
        (query().filter("colour", "red"), "colour", "filter_unknown"),
        (
            ListQuery {
                sort: Some("secret; DROP TABLE".into()),
                ..query()
            },
            "sort",
            "sort_unknown",
        ),
        (
            ListQuery {
                sort: Some("codes".into()),
                ..query()
            },
            "sort",
            "sort_unknown",
        ),
    ];
    for (query, field, code) in cases {
        let found = refused(&office, &report::ADDRESSEE, &query).await;
        assert_eq!(found, (field.to_owned(), code.to_owned()));
    }
}

#[tokio::test]
async fn the_first_pages_of_a_large_report_sorted_by_name_equal_those_of_the_full_sort() {
    /// Enough that the first three pages of a report are found by walking through the people.
    const PEOPLE: i64 = 320;
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let mut owner = sqlx::PgConnection::connect(office.database.url()).await.unwrap();
    for statement in [
        "SELECT set_config('caudal.tenant', $1, false), $2::bigint",
        "INSERT INTO read.customers
                (tenant, id, position, kind, owner, is_active, deleted, name, search, created_at, updated_at)
         SELECT $1, gen_random_uuid(), 1000000 + n, 1, gen_random_uuid(), true, n % 7 = 0, 'Nadie ' || n,
                CASE WHEN n % 5 > 0 THEN ', nadie ' || n || ' ,' END, now(), now()
           FROM generate_series(1, $2) AS n",
        "INSERT INTO read.remittances
         SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'recipient', c.id,
                                                             'position', c.position))).*
           FROM read.remittances AS r, read.customers AS c
          WHERE r.tenant = $1 AND r.code = 'R-000001' AND c.position > 1000000 AND $2 > 0",
    ] {
        let run = sqlx::query(statement).bind(office.tenant.as_str()).bind(PEOPLE);
        run.execute(&mut owner).await.unwrap();
    }
    let of = |page: i64, size: i64| ListQuery {
        current_page: page,
        records_per_page: size,
        ..ListQuery::default()
    };
    let all = asked(&office, office.manager, &report::ADDRESSEE, &of(1, 100)).await;
    assert_eq!(all["totalRecords"], PEOPLE + 2);
    for page in 1..=4 {
        let one = asked(&office, office.manager, &report::ADDRESSEE, &of(page, 1)).await;
        let place = usize::try_from(page - 1).unwrap();
        assert_eq!(one["data"], json!([all["data"][place]]), "page {page}");
        assert_eq!(one["totals"], all["totals"]);
    }
}

/// A clock that stands still between two steps.
struct Stepping(Mutex<DateTime<Utc>>);

impl Stepping {
    fn pass(&self, days: i64) {
        *self.0.lock().unwrap() += TimeDelta::days(days);
    }

    fn pass_hours(&self, hours: i64) {
        *self.0.lock().unwrap() += TimeDelta::hours(hours);
    }
}

impl Clock for Stepping {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

#[tokio::test]
async fn large_sums_are_of_everybody_with_one_document_within_a_rolling_window() {
    let clock = Arc::new(Stepping(Mutex::new(Utc::now())));
    let office = Office::open_by("worked", TestDatabase::new().await, clock.clone()).await;
    office.fund().await;
    let with_document = |name: &str, number: &str| {
        let mut details = person(name, "Soto", "5550000");
        details.personal_identification_type = Some(IdentificationType::Passport);
        details.personal_identification_number = Some(number.into());
        details
    };
    let sell = async |sender: CustomerId, recipient: CustomerId, sum: &str| {
        let id = RemittanceId::generate();
        let create = CreateRemittance {
            delivery: DeliveryChoice::Home,
            ..CreateRemittance::new(id, sender, recipient, office.group, sum.parse().unwrap())
        };
        let command = Command::Remittance(id, RemittanceCommand::Create(create));
        office.of(office.agency, command).await;
        id
    };
    // Rosa and Rosita are one person; Elena has another document, and the recipients have none.
    let mut people = Vec::new();
    for (name, number) in [("Rosa", "K1234567"), ("Rosita", "k-123 4567"), ("Elena", "K7654321")] {
        let sender = office.customer(None, with_document(name, number)).await;
        let recipient = office.customer(Some(sender), person("Tía", name, "5550001")).await;
        people.push((sender, recipient));
    }
    let [rosa, rosita, elena] = people[..] else {
        panic!("three")
    };
    sell(rosa.0, rosa.1, "100.00").await;
    clock.pass(5);
    sell(rosita.0, rosita.1, "60.00").await;
    sell(elena.0, elena.1, "90.00").await;
    let canceled = sell(elena.0, elena.1, "500.00").await;
    let cancel = RemittanceCommand::Cancel {
        reason: "Se arrepintió".to_owned(),
    };
    office.remit(office.agency, canceled, cancel).await;
    clock.pass(20);
    sell(rosa.0, rosa.1, "70.00").await;

    let of = |filters: &[(&'static str, &'static str)]| {
        let asked = ListQuery::default().filter("side", "sender");
        filters
            .iter()
            .fold(asked, |query, (name, value)| query.filter(*name, *value))
    };
    let fields = ["person", "remittances", "amount"];
    for (filters, rows) in [
        // 30 days where nothing is said.
        (
            of(&[]),
            vec![json!(["Rosa Soto", 3, "230.00"]), json!(["Elena Soto", 1, "90.00"])],
        ),
        (
            of(&[("days", "7")]),
            vec![json!(["Rosa Soto", 2, "160.00"]), json!(["Elena Soto", 1, "90.00"])],
        ),
        (
            of(&[("days", "1")]),
            vec![json!(["Rosa Soto", 1, "100.00"]), json!(["Elena Soto", 1, "90.00"])],
        ),
        (
            of(&[("days", "7"), ("amountFrom", "160")]),
            vec![json!(["Rosita Soto", 2, "160.00"])],
        ),
        (of(&[("days", "7"), ("amountFrom", "160.01")]), vec![]),
        (of(&[("remittancesFrom", "3")]), vec![json!(["Rosa Soto", 3, "230.00"])]),
        (of(&[("days", "365"), ("remittancesFrom", "4")]), vec![]),
    ] {
        let all = asked(&office, office.manager, &report::LARGE_SUMS, &filters).await;
        assert_eq!(picked(&all, &fields), rows, "{filters:?}");
    }
    let received = asked(
        &office,
        office.manager,
        &report::LARGE_SUMS,
        &ListQuery::default()
            .filter("side", "recipient")
            .filter("amountFrom", "100"),
    )
    .await;
    let received = picked(&received, &["person", "side", "remittances", "amount"]);
    assert_eq!(received, [json!(["Tía Rosa", "recipient", 2, "170.00"])]);
    for (name, value, code) in [
        ("amountFrom", "-1", "amount_negative"),
        ("amountFrom", "x", "number_invalid"),
        ("remittancesFrom", "1.5", "number_not_whole"),
        ("remittancesFrom", "-1", "number_negative"),
        ("remittancesFrom", "9223372036854775808", "number_out_of_range"),
    ] {
        let found = refused(&office, &report::LARGE_SUMS, &ListQuery::default().filter(name, value)).await;
        assert_eq!(found, (name.to_owned(), code.to_owned()));
    }
}

#[tokio::test]
async fn windows_of_large_sums_are_days_of_the_tenants_zone_as_those_of_limits() {
    let noon = DEFAULT_ZONE.with_ymd_and_hms(2026, 6, 10, 12, 0, 0).unwrap();
    let clock = Arc::new(Stepping(Mutex::new(noon.with_timezone(&Utc))));
    let office = Office::open_by("worked", TestDatabase::new().await, clock.clone()).await;
    office.fund().await;
    let sell = async || office.sell(office.agency, "10.00", DeliveryChoice::Home).await;
    // Two at noon and late in the evening of one day, which is another day in UTC; one at noon of the next.
    sell().await;
    clock.pass_hours(11);
    sell().await;
    clock.pass_hours(13);
    sell().await;
    clock.pass(6);
    sell().await;
    for (days, rows) in [
        ("1", [json!([2, "20.00"])]),
        ("7", [json!([3, "30.00"])]),
        ("30", [json!([4, "40.00"])]),
    ] {
        let query = ListQuery::default().filter("side", "sender").filter("days", days);
        let all = asked(&office, office.manager, &report::LARGE_SUMS, &query).await;
        assert_eq!(picked(&all, &["remittances", "amount"]), rows, "{days}");
    }
}
