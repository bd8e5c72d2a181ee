//! Lists, reports and documents as files: exactly the rows that the filters leave in the caller's scope, in every
//! format, however many they are.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use calamine::{Data, Reader, Xlsx};
use caudal_domain::{
    ids::{ClosureId, PartyId},
    party::{Registration, Territory},
    remittance::DeliveryChoice,
};
use caudal_export::{Export, ExportError, Format, Language};
use caudal_projections::{
    ListQuery, Page, ReadError, Scope, Snapshot, accounting, closure, customer, debit, document, ledger, movement,
    nomenclator, party,
    print::{self, Asked, ExportFailure, Paged, Printing, Turn, tables},
    remittance, report,
    scalar::CustomerType,
};
use common::{Office, home, person};
use futures::{TryStreamExt as _, future::BoxFuture};
use std::io::Cursor;

async fn asked(office: &Office, who: PartyId, query: ListQuery, language: Language) -> Asked {
    let mut snapshot = office.snapshot().await;
    let printing = Printing::of(&mut snapshot, language, chrono::Utc::now()).await.unwrap();
    Asked {
        snapshot,
        scope: office.scope(who).await,
        query,
        about: Vec::new(),
        printing,
        turn: Turn::take().await.unwrap(),
    }
}

async fn bytes(export: Export) -> Vec<u8> {
    let chunks: Vec<_> = export.body.try_collect().await.unwrap();
    chunks.concat()
}

/// The header and the rows of a CSV file.
fn csv(file: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let text = file.strip_prefix("\u{feff}".as_bytes()).expect("a byte order mark");
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect());
    (header, rows.collect())
}

/// The rows of a spreadsheet under its header, its texts as they are; above the totals, which an empty row sets apart.
fn xlsx(file: Vec<u8>) -> Vec<Vec<Data>> {
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(file)).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    let rows = range.rows().skip(1);
    rows.take_while(|row| row.iter().any(|cell| *cell != Data::Empty))
        .map(<[Data]>::to_vec)
        .collect()
}

/// The text of every page without its spaces.
fn pdf(file: &[u8]) -> Vec<String> {
    let pdf = lopdf::Document::load_mem(file).unwrap();
    let text = |page: &u32| pdf.extract_text(&[*page]).unwrap().split_whitespace().collect();
    pdf.get_pages().keys().map(text).collect()
}

fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Exports a list in every format and holds the files against the list itself.
async fn holds<P, L, F>(
    office: &Office,
    who: PartyId,
    query: ListQuery,
    table: &'static print::Table<L>,
    list: F,
    lines: fn(P::Row) -> Vec<L>,
) -> usize
where
    P: Paged,
    L: Send + Sync + 'static,
    F: for<'a> Fn(&'a mut Snapshot, &'a Scope, &'a ListQuery) -> BoxFuture<'a, Result<P, ReadError>>
        + Copy
        + Send
        + Sync
        + 'static,
{
    let scope = office.scope(who).await;
    let all = ListQuery {
        records_per_page: 0,
        ..query.clone()
    };
    let page = list(&mut office.snapshot().await, &scope, &all).await.unwrap();
    let expected = page.into_rows().into_iter().flat_map(lines).count();
    let mut files = Vec::new();
    for format in Format::ALL {
        let asked = asked(office, who, query.clone(), Language::Spanish).await;
        let export = print::list(asked, format, table, list, lines).await.unwrap();
        assert!(export.file_name.ends_with(format.extension()));
        files.push(bytes(export).await);
    }
    let [in_csv, in_xlsx, in_pdf] = files.try_into().unwrap();
    let (header, rows) = csv(&in_csv);
    assert_eq!(header.len(), table.columns.len());
    assert_eq!(rows.len(), expected, "{}", table.title.in_language(Language::Spanish));
    let sheet = xlsx(in_xlsx);
    assert_eq!(sheet.len(), expected, "{sheet:?}");
    let pages = pdf(&in_pdf).concat();
    for (row, cells) in rows.iter().zip(&sheet) {
        for (text, cell) in row.iter().zip(cells) {
            match cell {
                Data::String(cell) => assert_eq!(text.trim_start_matches('\''), cell),
                Data::Float(number) => assert_eq!(text.parse::<f64>().unwrap(), *number),
                Data::Empty => assert_eq!(text, ""),
                _ => {}
            }
        }
        assert!(
            pages.contains(&bare(&row[0])) || row[0].contains('-'),
            "{} is not in {pages}",
            row[0]
        );
    }
    rows.len()
}

macro_rules! holds {
    ($office:expr, $who:expr, $query:expr, $table:expr, $list:expr, $lines:expr) => {
        holds(
            $office,
            $who,
            $query,
            $table,
            move |s, c, q| Box::pin($list(s, c, q)),
            $lines,
        )
        .await
    };
    ($office:expr, $who:expr, $query:expr, $table:expr, $list:expr) => {
        holds!($office, $who, $query, $table, $list, tables::one_line)
    };
}

#[tokio::test]
async fn every_list_is_exported_row_by_row_in_every_format() {
    let office = Office::open().await;
    office.day().await;
    let (o, m) = (&office, office.manager);
    let all = ListQuery::default;
    assert_eq!(holds!(o, m, all(), &tables::REMITTANCES, remittance::list), 5);
    assert_eq!(holds!(o, m, all(), &tables::MOVEMENTS, movement::list), 13);
    holds!(o, m, all(), &tables::DEBITS, debit::list);
    assert_eq!(holds!(o, m, all(), &tables::CLOSURES, closure::list), 1);
    assert!(holds!(o, m, all(), &tables::BALANCES, ledger::balances) > 10);
    assert!(holds!(o, m, all(), &tables::ENTRIES, ledger::entries, tables::entry_lines) > 20);
    assert_eq!(holds!(o, m, all(), &tables::CURRENCIES, nomenclator::currency::list), 3);
    assert_eq!(
        holds!(o, m, all(), &tables::PAYMENT_GROUPS, nomenclator::payment_group::list),
        2
    );
    assert_eq!(holds!(o, m, all(), &tables::AGENCIES, party::agency::list), 1);
    assert_eq!(holds!(o, m, all(), &tables::AGENTS, party::agent::list), 2);
    assert_eq!(holds!(o, m, all(), &tables::DEALERS, party::dealer::list), 2);
    assert_eq!(holds!(o, m, all(), &tables::DEALER_LIST_REPORT, party::dealer::list), 2);
    assert_eq!(
        holds!(o, m, all(), &tables::DEALER_DIRECTORY, party::dealer::directory),
        1
    );
    assert_eq!(
        holds(o, m, all(), &tables::RECIPIENTS, recipients, tables::one_line).await,
        1
    );
}

#[tokio::test]
async fn figures_of_periods_are_exported_line_by_line_with_the_teams_counted_once() {
    let office = Office::open().await;
    office.day().await;
    let (o, m, now) = (&office, office.manager, chrono::Utc::now());
    let all = ListQuery::default;
    assert_eq!(
        holds!(o, m, all(), &tables::SALES, |s, c, q| accounting::sales(s, c, q, now)),
        3
    );
    assert_eq!(
        holds!(o, m, all(), &tables::SELLER_REMITTANCES, |s, c, q| accounting::sellers(
            s, c, q, now
        )),
        1
    );
    assert_eq!(
        holds!(
            o,
            m,
            all(),
            &tables::REAL_BALANCES,
            |s, _, q| accounting::real_balances(s, q)
        ),
        3
    );
    let parties = holds!(
        o,
        m,
        all(),
        &tables::PARTY_BALANCES,
        accounting::party_balances,
        tables::holding_lines
    );
    assert!(parties >= 4, "{parties}");
    holds!(
        o,
        m,
        all(),
        &tables::DEALER_SALES,
        |s, c, q| accounting::dealer_sales(s, c, q, now),
        tables::delivery_lines
    );
    let asked = asked(o, m, all(), Language::English).await;
    let export = print::list(
        asked,
        Format::Csv,
        &tables::DEALER_CLOSINGS,
        move |s, c, q| Box::pin(accounting::dealer_closing(s, c, q, now)),
        tables::cash_lines,
    );
    let (header, rows) = csv(&bytes(export.await.unwrap()).await);
    let column = |name: &str| header.iter().position(|known| known == name).unwrap();
    let added = |name: &str, currency: &str| -> f64 {
        let rows = rows.iter().filter(|row| row[column("Currency")] == currency);
        rows.filter_map(|row| row[column(name)].parse::<f64>().ok()).sum()
    };
    let scope = o.scope(m).await;
    let page = accounting::dealer_closing(&mut o.snapshot().await, &scope, &all(), now).await;
    for cash in &page.unwrap().data[0].currencies {
        let currency = cash.currency.0.to_string();
        let minor = |amount: f64| (amount * 100.0).round() as i64;
        assert_eq!(
            minor(added("Closing", &currency)),
            cash.cash.closing.0.minor(),
            "{rows:?}"
        );
        assert_eq!(minor(added("Shipping", &currency)), cash.shipping.0.minor(), "{rows:?}");
        assert_eq!(minor(added("Credit", &currency)), cash.credit.0.minor(), "{rows:?}");
    }
}

#[tokio::test]
async fn filters_search_and_scope_hold_for_the_files_too() {
    let office = Office::open().await;
    office.day().await;
    let o = &office;
    let query = |name: &str, value: &str| ListQuery::default().filter(name, value);
    assert_eq!(
        holds!(
            o,
            o.manager,
            query("status", "1"),
            &tables::REMITTANCES,
            remittance::list
        ),
        1
    );
    assert_eq!(
        holds!(
            o,
            o.manager,
            query("currency", "MLC"),
            &tables::REMITTANCES,
            remittance::list
        ),
        1
    );
    assert_eq!(
        holds!(o, o.agent, ListQuery::default(), &tables::REMITTANCES, remittance::list),
        2
    );
    assert_eq!(
        holds!(
            o,
            o.dealer,
            ListQuery::default(),
            &tables::REMITTANCES,
            remittance::list
        ),
        3
    );
    assert_eq!(
        holds!(
            o,
            o.delivery_man,
            ListQuery::default(),
            &tables::REMITTANCES,
            remittance::list
        ),
        1
    );
    assert_eq!(
        holds!(
            o,
            o.manager,
            query("kind", "expense"),
            &tables::MOVEMENTS,
            movement::list
        ),
        1
    );
    let searched = ListQuery {
        query: Some("victor".into()),
        ..ListQuery::default()
    };
    assert_eq!(holds!(o, o.manager, searched, &tables::DEALERS, party::dealer::list), 1);
}

/// The customers' lists take their kind besides.
fn recipients<'a>(
    snapshot: &'a mut Snapshot,
    scope: &'a Scope,
    query: &'a ListQuery,
) -> BoxFuture<'a, Result<Page<customer::Customer>, ReadError>> {
    Box::pin(customer::list(snapshot, scope, CustomerType::Recipient, query))
}

#[tokio::test]
async fn a_name_that_begins_like_a_formula_is_a_text_in_csv() {
    let office = Office::open().await;
    let formula = "=HYPERLINK(\"http://evil.test\",\"x\")";
    office
        .customer(Some(office.issuer), person(formula, "Pérez", "+53 5 999"))
        .await;
    let asked = asked(&office, office.agency, ListQuery::default(), Language::English).await;
    let export = print::list(asked, Format::Csv, &tables::RECIPIENTS, recipients, tables::one_line).await;
    let (header, rows) = csv(&bytes(export.unwrap()).await);
    assert_eq!(header[0], "Name");
    let names: Vec<_> = rows.iter().map(|row| row[0].as_str()).collect();
    assert!(
        names.contains(&"'=HYPERLINK(\"http://evil.test\",\"x\") Pérez"),
        "{names:?}"
    );
    assert!(rows.iter().any(|row| row[2] == "'+53 5 999"), "{rows:?}");
}

/// Copies a remittance so many times, straight into the read model.
async fn multiply(office: &Office, copies: u64) {
    // The one to copy is there once it is projected.
    drop(office.snapshot().await);
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
async fn rows_of_many_batches_come_once_each_in_their_order_and_as_of_one_moment() {
    let office = Office::open().await;
    office.day().await;
    multiply(&office, 2_300).await;
    let query = ListQuery {
        sort: Some("-amount".into()),
        ..ListQuery::default()
    };
    let asked = asked(&office, office.manager, query, Language::Spanish).await;
    let export = print::list(
        asked,
        Format::Csv,
        &tables::REMITTANCES,
        |s, c, q| Box::pin(remittance::list(s, c, q)),
        tables::one_line,
    )
    .await
    .unwrap();
    // What happens after the first row was read is not in it.
    take_copies_away(&office).await;
    let (_, rows) = csv(&bytes(export).await);
    assert_eq!(rows.len(), 2_305);
    let amounts: Vec<f64> = rows.iter().map(|row| row[9].parse().unwrap()).collect();
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
async fn totals_stand_under_the_rows_by_currency() {
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
async fn every_report_is_exported_row_by_row_in_every_format_and_to_its_scope() {
    let office = Office::open().await;
    office.day().await;
    for report in report::ALL {
        for who in [office.manager, office.dealer, office.agent] {
            let scope = office.scope(who).await;
            if !report.roles.contains(&scope.role) {
                continue;
            }
            let page = report
                .page(&mut office.snapshot().await, &scope, &ListQuery::all())
                .await
                .unwrap();
            for format in Format::ALL {
                let asked = asked(&office, who, ListQuery::default(), Language::Spanish).await;
                let file = bytes(report::export(report, asked, format).await.unwrap()).await;
                let expected = page.page.data.len();
                match format {
                    Format::Csv => assert_eq!(csv(&file).1.len(), expected, "{}", report.name),
                    Format::Xlsx => assert_eq!(xlsx(file).len(), expected, "{}", report.name),
                    Format::Pdf => {
                        let text = pdf(&file).concat();
                        assert!(
                            text.contains(&bare(report.title.in_language(Language::Spanish))),
                            "{text}"
                        );
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn filters_are_told_in_words_and_name_nobody_whom_the_caller_does_not_know() {
    let office = Office::open().await;
    office.day().await;
    let other = PartyId::generate();
    office
        .register(other, Registration::Agency { terms: Vec::new() }, "Agencia Ajena")
        .await;
    let text = |who: PartyId, query: ListQuery| {
        let office = &office;
        async move {
            let asked = asked(office, who, query, Language::Spanish).await;
            let export = print::list(
                asked,
                Format::Pdf,
                &tables::REMITTANCES,
                |s, c, q| Box::pin(remittance::list(s, c, q)),
                tables::one_line,
            );
            pdf(&bytes(export.await.unwrap()).await).concat()
        }
    };
    let query = || {
        ListQuery::default()
            .filter("status", 0)
            .filter("initDate", "20260101")
            .filter("agencyId", other.0)
    };
    let managers = text(office.manager, query()).await;
    assert!(
        managers.contains("Agencia:AgenciaAjena·Desde:01/01/2026·Estado:Pendiente"),
        "{managers}"
    );
    assert!(managers.contains("Worked"), "whose it is: {managers}");
    assert!(managers.contains("Nohayfilas"), "{managers}");
    let sellers = text(office.agency, query()).await;
    assert!(!sellers.contains("Ajena"), "{sellers}");
    let own = text(office.agency, ListQuery::default().filter("agencyId", office.agency.0)).await;
    assert!(own.contains("Agencia:ÁguilaEnvíos"), "{own}");
}

#[tokio::test]
async fn what_can_not_be_exported_is_said_before_there_is_a_file() {
    let office = Office::open().await;
    office.day().await;
    let unknown = ListQuery::default().filter("colour", "red");
    let refused = print::list(
        asked(&office, office.manager, unknown, Language::Spanish).await,
        Format::Csv,
        &tables::REMITTANCES,
        |s, c, q| Box::pin(remittance::list(s, c, q)),
        tables::one_line,
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

#[tokio::test]
async fn the_dispatch_sheet_has_a_page_for_each_dealer() {
    let office = Office::open().await;
    office.day().await;
    let second = PartyId::generate();
    let territory = Territory {
        province: home().province,
        zones: home().municipality.into_iter().collect(),
        handle_mlc: false,
    };
    office
        .register(second, Registration::Dealer { territory }, "Ñico Segundo")
        .await;
    let id = office.sell(office.agency, "7.00", DeliveryChoice::Home).await;
    let assign = caudal_domain::remittance::AssignDealer {
        dealer: second,
        delivery_man: None,
    };
    office
        .remit(
            office.manager,
            id,
            caudal_domain::remittance::RemittanceCommand::Assign(assign),
        )
        .await;
    let asked = asked(&office, office.manager, ListQuery::default(), Language::Spanish).await;
    let export = report::export(&report::DISTRIBUTOR_SHIPPING, asked, Format::Pdf).await;
    let pages = pdf(&bytes(export.unwrap()).await);
    assert_eq!(pages.len(), 2, "{pages:#?}");
    for (page, dealer, code, total) in [
        (&pages[0], "DoraDealer", "R-000004", "TotalMLC"),
        (&pages[1], "ÑicoSegundo", "R-000006", "TotalCUP"),
    ] {
        assert!(page.contains("Hojadedespacho"), "{page}");
        assert!(
            page.contains(dealer) && page.contains(code) && page.contains(total),
            "{page}"
        );
    }
    assert!(
        !pages[0].contains("R-000006") && !pages[0].contains("9225061234567890"),
        "{}",
        pages[0]
    );
}

#[tokio::test]
async fn receipts_and_statements_say_what_their_records_say() {
    let office = Office::open().await;
    let [completed, ..] = office.day().await;
    let mut snapshot = office.snapshot().await;
    let printing = Printing::of(&mut snapshot, Language::Spanish, chrono::Utc::now())
        .await
        .unwrap();
    let scope = office.scope(office.manager).await;
    let text = |document| async move {
        let export = caudal_export::document(document).await.unwrap();
        pdf(&bytes(export).await).concat()
    };
    let remittance = remittance::get(&mut snapshot, &scope, completed).await.unwrap();
    let printed = text(document::remittance_receipt(&remittance, &printing)).await;
    for part in [
        "R-000001",
        "31.850,00",
        "CUP",
        "MaríaPérez",
        "JoséIbáñezNúñez",
        "105,00",
        "Entregada",
        "VíctorVélez",
    ] {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
    let movements = movement::list(&mut snapshot, &scope, &ListQuery::default())
        .await
        .unwrap();
    let expense = ListQuery::default().filter("kind", "expense");
    let expense = movement::list(&mut snapshot, &scope, &expense)
        .await
        .unwrap()
        .data
        .remove(0);
    let printed = text(document::movement_receipt(&expense, &printing)).await;
    for part in [
        expense.number.as_str(),
        "150,00",
        "Gasto",
        "DoraDealer",
        "Gasolina",
        "Revertido",
        "Doble",
    ] {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
    assert!(movements.total_records > 10);
    let closures = closure::list(&mut snapshot, &scope, &ListQuery::default())
        .await
        .unwrap();
    let id = ClosureId(closures.data[0].id);
    let closure = closure::get(&mut snapshot, &scope, id).await.unwrap();
    let printed = text(document::statement(&closure, &printing)).await;
    for part in [
        "C-000001",
        "ÁguilaEnvíos",
        "CUPadomicilio",
        "Comisiónacumulada",
        "Elprincipio",
    ] {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
}
