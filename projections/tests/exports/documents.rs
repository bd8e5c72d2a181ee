//! Documents: dispatch sheets, receipts and statements.

use super::files::*;
use crate::common::{Office, home};
use caudal_domain::{
    ids::{ClosureId, PartyId},
    party::{Registration, Territory},
    remittance::DeliveryChoice,
};
use caudal_export::{Format, Language};
use caudal_projections::{ListQuery, closure, document, movement, print::Printing, remittance, report};

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
async fn receipts_and_statements_equal_their_records() {
    let office = Office::open().await;
    let [completed, ..] = office.day().await;
    let mut transaction = office.begin().await;
    let printing = Printing::of(&mut transaction, Language::Spanish, chrono::Utc::now())
        .await
        .unwrap();
    let scope = office.scope(office.manager).await;
    let text = |document| async move {
        let export = caudal_export::document(document).await.unwrap();
        pdf(&bytes(export).await).concat()
    };
    let remittance = remittance::get(&mut transaction, &scope, completed).await.unwrap();
    let seller = remittance::seller_contact(&mut transaction, &remittance).await.unwrap();
    let printed = text(document::remittance_receipt(&remittance, seller.as_ref(), &printing)).await;
    let seller = seller.unwrap();
    assert_eq!(seller.name.as_deref(), Some("Águila Envíos"));
    // A seller without a telephone has no empty line for it.
    let unknown = remittance::SellerContact {
        phone_number: None,
        ..seller
    };
    let without = text(document::remittance_receipt(&remittance, Some(&unknown), &printing)).await;
    assert!(
        printed.contains("Teléfonodelaagencia") && !without.contains("Teléfonodelaagencia"),
        "{without}"
    );
    for part in [
        "+5375550100",
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
    let delivery_man = office.scope(office.delivery_man).await;
    let remittance = remittance::get(&mut transaction, &delivery_man, completed)
        .await
        .unwrap();
    let printed = text(document::remittance_receipt(&remittance, None, &printing)).await;
    assert!(
        printed.contains("31.850,00") && printed.contains("JoséIbáñezNúñez"),
        "{printed}"
    );
    for part in ["105,00", "Comisiones", "Tasadecambio", "+13055550101"] {
        assert!(!printed.contains(part), "{part} is in {printed}");
    }
    let movements = movement::list(&mut transaction, &scope, &ListQuery::default())
        .await
        .unwrap();
    let expense = ListQuery::default().filter("kind", "expense");
    let expense = movement::list(&mut transaction, &scope, &expense)
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
    // An expense has no counterparty in the business.
    assert!(!printed.contains("Caja"), "{printed}");
    assert!(movements.total_records > 10);
    let closures = closure::list(&mut transaction, &scope, &ListQuery::default())
        .await
        .unwrap();
    let id = ClosureId(closures.data[0].id);
    let closure = closure::get(&mut transaction, &scope, id).await.unwrap();
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
