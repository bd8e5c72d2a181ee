//! Reports and figures of periods exported as files.

use super::files::*;
use crate::common::Office;
use caudal_domain::{ids::PartyId, party::Registration};
use caudal_export::{Format, Language};
use caudal_projections::{ListQuery, accounting, export, lists, print, remittance, report};

#[tokio::test]
async fn figures_of_periods_are_exported_line_by_line_with_the_teams_counted_once() {
    let office = Office::open().await;
    office.day().await;
    let (o, m, now) = (&office, office.manager, chrono::Utc::now());
    let all = ListQuery::default;
    assert_eq!(
        holds!(o, m, all(), &lists::SALES, |s, c, q| accounting::sales(s, c, q, now)),
        3
    );
    assert_eq!(
        holds!(o, m, all(), &lists::SELLER_REMITTANCES, |s, c, q| accounting::sellers(
            s, c, q, now
        )),
        1
    );
    assert_eq!(
        holds!(o, m, all(), &lists::REAL_BALANCES, |s, _, q| accounting::real_balances(
            s, q
        )),
        3
    );
    let parties = holds!(
        o,
        m,
        all(),
        &lists::PARTY_BALANCES,
        accounting::party_balances,
        lists::holding_lines
    );
    assert!(parties >= 4, "{parties}");
    holds!(
        o,
        m,
        all(),
        &lists::DEALER_SALES,
        |s, c, q| accounting::dealer_sales(s, c, q, now),
        lists::delivery_lines
    );
    let asked = asked(o, m, all(), Language::English).await;
    let export = export::list(
        asked,
        Format::Csv,
        &lists::DEALER_CLOSINGS,
        move |s, c, q| Box::pin(accounting::dealer_closing(s, c, q, now)),
        lists::cash_lines,
    );
    let (header, rows) = csv(&bytes(export.await.unwrap()).await);
    let column = |name: &str| header.iter().position(|known| known == name).unwrap();
    let added = |name: &str, currency: &str| -> f64 {
        let rows = rows.iter().filter(|row| row[column("Currency")] == currency);
        rows.filter_map(|row| row[column(name)].parse::<f64>().ok()).sum()
    };
    let scope = o.scope(m).await;
    let page = accounting::dealer_closing(&mut o.begin().await, &scope, &all(), now).await;
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
async fn every_report_exports_all_rows_in_scope_in_every_format() {
    let office = Office::open().await;
    office.day().await;
    for report in report::ALL {
        for who in [office.manager, office.dealer, office.agent] {
            let scope = office.scope(who).await;
            if !report.roles.contains(&scope.role) {
                continue;
            }
            let page = report
                .page(&mut office.begin().await, &scope, &ListQuery::all())
                .await
                .unwrap();
            for format in Format::ALL {
                let asked = asked(&office, who, ListQuery::default(), Language::Spanish).await;
                let file = bytes(report::export(report, asked, format).await.unwrap()).await;
                let expected = page.page.data.len();
                match format {
                    Format::Csv => assert_eq!(csv(&file).1.len(), expected, "{}", report.name),
                    Format::Xlsx => assert_eq!(xlsx(file).len(), expected, "{}", report.name),
                    Format::Parquet => assert_eq!(parquet(file).0, expected, "{}", report.name),
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
async fn filters_are_described_without_names_outside_the_callers_scope() {
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
            let export = export::list(
                asked,
                Format::Pdf,
                &lists::REMITTANCES,
                |s, c, q| Box::pin(remittance::list(s, c, q)),
                print::one_line,
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
