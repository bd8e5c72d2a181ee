//! Lists exported as files.

use super::files::*;
use crate::common::{Office, person};
use calamine::{Data, Reader, Xlsx};
use caudal_export::{ExportError, Format, Language};
use caudal_projections::{
    ListQuery, Page, ReadError, ReadTransaction, Scope, closure, customer, debit,
    export::{self, ExportFailure},
    ledger, lists, movement, party, print, reference_data, remittance, report,
    scalar::CustomerType,
};
use futures::future::BoxFuture;
use std::io::Cursor;

#[tokio::test]
async fn every_list_is_exported_row_by_row_in_every_format() {
    let office = Office::open().await;
    office.day().await;
    let (o, m) = (&office, office.manager);
    let all = ListQuery::default;
    assert_eq!(holds!(o, m, all(), &lists::REMITTANCES, remittance::list), 5);
    assert_eq!(holds!(o, m, all(), &lists::MOVEMENTS, movement::list), 13);
    holds!(o, m, all(), &lists::DEBITS, debit::list);
    assert_eq!(holds!(o, m, all(), &lists::CLOSURES, closure::list), 1);
    assert!(holds!(o, m, all(), &lists::BALANCES, ledger::balances) > 10);
    assert!(holds!(o, m, all(), &lists::ENTRIES, ledger::entries, lists::entry_lines) > 20);
    assert_eq!(
        holds!(o, m, all(), &lists::CURRENCIES, reference_data::currency::list),
        3
    );
    assert_eq!(
        holds!(o, m, all(), &lists::PAYMENT_GROUPS, reference_data::payment_group::list),
        2
    );
    assert_eq!(holds!(o, m, all(), &lists::AGENCIES, party::agency::list), 1);
    assert_eq!(holds!(o, m, all(), &lists::AGENTS, party::agent::list), 2);
    assert_eq!(holds!(o, m, all(), &lists::DEALERS, party::dealer::list), 2);
    assert_eq!(holds!(o, m, all(), &lists::DEALER_LIST_REPORT, party::dealer::list), 2);
    assert_eq!(
        holds!(o, m, all(), &lists::DEALER_DIRECTORY, party::dealer::directory),
        1
    );
    assert_eq!(
        holds(o, m, all(), &lists::RECIPIENTS, recipients, print::one_line).await,
        1
    );
}

#[tokio::test]
async fn filters_search_and_scope_apply_to_exports() {
    let office = Office::open().await;
    office.day().await;
    let o = &office;
    let query = |name: &str, value: &str| ListQuery::default().filter(name, value);
    assert_eq!(
        holds!(
            o,
            o.manager,
            query("status", "1"),
            &lists::REMITTANCES,
            remittance::list
        ),
        1
    );
    assert_eq!(
        holds!(
            o,
            o.manager,
            query("currency", "MLC"),
            &lists::REMITTANCES,
            remittance::list
        ),
        1
    );
    assert_eq!(
        holds!(o, o.agent, ListQuery::default(), &lists::REMITTANCES, remittance::list),
        2
    );
    assert_eq!(
        holds!(o, o.dealer, ListQuery::default(), &lists::REMITTANCES, remittance::list),
        3
    );
    assert_eq!(
        holds!(
            o,
            o.delivery_man,
            ListQuery::default(),
            &lists::REMITTANCES,
            remittance::list
        ),
        1
    );
    assert_eq!(
        holds!(
            o,
            o.manager,
            query("kind", "expense"),
            &lists::MOVEMENTS,
            movement::list
        ),
        1
    );
    let searched = ListQuery {
        query: Some("victor".into()),
        ..ListQuery::default()
    };
    assert_eq!(holds!(o, o.manager, searched, &lists::DEALERS, party::dealer::list), 1);
}

/// Customer lists take their kind as an extra parameter.
fn recipients<'a>(
    read_transaction: &'a mut ReadTransaction,
    scope: &'a Scope,
    query: &'a ListQuery,
) -> BoxFuture<'a, Result<Page<customer::Customer>, ReadError>> {
    Box::pin(customer::list(read_transaction, scope, CustomerType::Recipient, query))
}

fn movements<'a>(
    read_transaction: &'a mut ReadTransaction,
    scope: &'a Scope,
    query: &'a ListQuery,
) -> BoxFuture<'a, Result<Page<movement::Movement>, ReadError>> {
    Box::pin(movement::list(read_transaction, scope, query))
}

#[tokio::test]
async fn a_movement_side_outside_the_business_is_empty() {
    let office = Office::open().await;
    office.day().await;
    let sides = async |kind: &str| {
        let query = ListQuery::default().filter("kind", kind);
        let asked = asked(&office, office.manager, query, Language::English).await;
        let export = export::list(asked, Format::Csv, &lists::MOVEMENTS, movements, print::one_line).await;
        let (header, rows) = csv(&bytes(export.unwrap()).await);
        let column = |name: &str| header.iter().position(|title| title == name).unwrap();
        let (from, to) = (column("From"), column("To"));
        rows.into_iter()
            .map(|row| (row[from].clone(), row[to].clone()))
            .collect::<Vec<_>>()
    };
    let dealer = "Dora Dealer".to_owned();
    assert_eq!(sides("expense").await, [(dealer, String::new())]);
    let (nobody, treasury) = (String::new(), "Treasury".to_owned());
    let deposits = sides("managerDeposit").await;
    assert!(
        !deposits.is_empty()
            && deposits
                .iter()
                .all(|sides| *sides == (nobody.clone(), treasury.clone()))
    );
    assert!(
        sides("balanceAssignment")
            .await
            .iter()
            .any(|(from, _)| *from == treasury)
    );
}

#[tokio::test]
async fn a_name_that_looks_like_a_formula_is_text_in_csv() {
    let office = Office::open().await;
    let formula = "=HYPERLINK(\"http://evil.test\",\"x\")";
    office
        .customer(Some(office.issuer), person(formula, "Pérez", "+53 5 999 0000"))
        .await;
    let asked = asked(&office, office.agency, ListQuery::default(), Language::English).await;
    let export = export::list(asked, Format::Csv, &lists::RECIPIENTS, recipients, print::one_line).await;
    let (header, rows) = csv(&bytes(export.unwrap()).await);
    assert_eq!(header[0], "Name");
    let names: Vec<_> = rows.iter().map(|row| row[0].as_str()).collect();
    assert!(
        names.contains(&"'=HYPERLINK(\"http://evil.test\",\"x\") Pérez"),
        "{names:?}"
    );
    assert!(
        rows.iter().any(|row| row.iter().any(|cell| cell == "'+5359990000")),
        "{rows:?}"
    );
}

/// Inserts copies of a remittance directly into the read model.
async fn multiply(office: &Office, copies: u64) {
    // Waits until the original is projected.
    drop(office.begin().await);
    let mut transaction = office.node.begin_write(office.tenant.as_str()).await.unwrap();
    let copied = sqlx::query(
        "INSERT INTO remittances SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(),
            'position', 1000000 + n, 'code', 'R-' || lpad((1000 + n)::text, 6, '0'), 'amount', 100 * (1 + n % 7)))).*
           FROM remittances AS r CROSS JOIN generate_series(1, $1) AS n WHERE r.code = 'R-000001'",
    )
    .bind(i64::try_from(copies).unwrap())
    .execute(&mut *transaction)
    .await
    .unwrap();
    assert_eq!(copied.rows_affected(), copies);
    transaction.commit().await.unwrap();
}

#[tokio::test]
async fn rows_of_many_batches_come_once_each_in_order_and_as_of_one_snapshot() {
    let office = Office::open().await;
    office.day().await;
    multiply(&office, 2_300).await;
    let query = ListQuery {
        sort: Some("-amount".into()),
        ..ListQuery::default()
    };
    let asked = asked(&office, office.manager, query, Language::Spanish).await;
    let export = export::list(
        asked,
        Format::Csv,
        &lists::REMITTANCES,
        |s, c, q| Box::pin(remittance::list(s, c, q)),
        print::one_line,
    )
    .await
    .unwrap();
    // Changes after the first row was read are not in the file.
    take_copies_away(&office).await;
    let (header, rows) = csv(&bytes(export).await);
    assert_eq!(rows.len(), 2_305);
    let amount = header.iter().position(|name| name == "Enviado USD").unwrap();
    let amounts: Vec<f64> = rows.iter().map(|row| row[amount].parse().unwrap()).collect();
    assert!(amounts.is_sorted_by(|a, b| a >= b));
    let mut codes: Vec<_> = rows.iter().map(|row| row[0].clone()).collect();
    codes.sort();
    codes.dedup();
    assert_eq!(codes.len(), 2_305);
}

async fn take_copies_away(office: &Office) {
    let mut transaction = office.node.begin_write(office.tenant.as_str()).await.unwrap();
    sqlx::query("DELETE FROM remittances WHERE code > 'R-001000'")
        .execute(&mut *transaction)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

#[tokio::test]
async fn totals_are_below_the_rows_by_currency() {
    let office = Office::open().await;
    office.day().await;
    for format in [Format::Xlsx, Format::Pdf] {
        let asked = asked(&office, office.manager, ListQuery::default(), Language::Spanish).await;
        let export = report::export(&report::AGENCY, asked, format).await.unwrap();
        let file = bytes(export).await;
        if format == Format::Pdf {
            let text = pdf(&file).concat();
            assert!(text.contains("TotalCUP162,003,24170,4651.597,00"), "{text}");
            assert!(text.contains("Sinlascanceladas"), "{text}");
            continue;
        }
        let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(file)).unwrap();
        let range = book.worksheet_range_at(0).unwrap().unwrap();
        let total = |label: &str| {
            let row = range.rows().find(|row| row[0] == Data::String(label.to_owned()));
            row.unwrap_or_else(|| panic!("no {label}")).to_vec()
        };
        let cup = total("Total CUP");
        assert!(
            cup.contains(&Data::Float(51597.0)) && cup.contains(&Data::Float(3.24)),
            "{cup:?}"
        );
        assert!(total("Total MLC").contains(&Data::Float(30.0)));
    }
}

#[tokio::test]
async fn invalid_exports_are_refused_before_a_file_begins() {
    let office = Office::open().await;
    office.day().await;
    let unknown = ListQuery::default().filter("colour", "red");
    let refused = export::list(
        asked(&office, office.manager, unknown, Language::Spanish).await,
        Format::Csv,
        &lists::REMITTANCES,
        |s, c, q| Box::pin(remittance::list(s, c, q)),
        print::one_line,
    )
    .await;
    assert!(
        matches!(&refused, Err(ExportFailure::Read(ReadError::Refused(refusal))) if refusal.errors[0].code == "filter_unknown"),
        "{refused:?}"
    );
    multiply(&office, 10_001).await;
    for report in [&report::AGENCY, &report::HISTORY] {
        let asked = asked(&office, office.manager, ListQuery::default(), Language::Spanish).await;
        let made = report::export(report, asked, Format::Pdf).await;
        let too_many = matches!(&made, Err(ExportFailure::Export(ExportError::TooManyRows { .. })));
        assert_eq!(too_many, report.name == "agency", "{made:?}");
    }
}
