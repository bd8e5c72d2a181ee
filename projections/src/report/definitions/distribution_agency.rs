//! What each dealer handles of each agency's sales.

use super::{
    AGENCY_ID, AGENT_ID, CURRENCY, DEALER_ID, DISTRIBUTION, HANDLED_FROM, HANDLED_THROUGH, METHOD, PAYS_IN,
    PROVINCE_ID, SEARCH, SOLD, and_visible,
};
use crate::{
    print::Words,
    report::definition::{Column, Group, Kind, Report},
};

/// Agencies, and agents with none, by dealers: one row a field of the matrix and currency. Its days are those of the
/// delivery, of the assignment where it is not delivered.
pub static DISTRIBUTION_AGENCY: Report = Report {
    name: "distribution_agency",
    title: Words::new("Distribución por agencia", "Distribution by agency"),
    roles: DISTRIBUTION,
    columns: &[
        Column::hidden("sellerId", Kind::Id, "coalesce(r.agency, r.seller)"),
        Column::new("seller", "Agencia", "Agency", Kind::Text, "s.name")
            .beside()
            .folded("s.search"),
        Column::hidden("dealerId", Kind::Id, "r.dealer"),
        Column::new("dealer", "Distribuidor", "Dealer", Kind::Text, "d.name")
            .beside()
            .folded("d.search"),
        Column::new(
            "shipping",
            "En distribución",
            "Shipping",
            Kind::Count,
            "count(*) FILTER (WHERE r.status = 2)",
        )
        .total(),
        Column::new(
            "shippingPayout",
            "Importe en distribución",
            "Amount shipping",
            Kind::Money,
            "coalesce(sum(r.payout) FILTER (WHERE r.status = 2), 0)",
        )
        .total(),
        Column::new(
            "delivered",
            "Entregadas",
            "Delivered",
            Kind::Count,
            "count(*) FILTER (WHERE r.status = 3)",
        )
        .total(),
        Column::new(
            "deliveredPayout",
            "Importe entregado",
            "Amount delivered",
            Kind::Money,
            "coalesce(sum(r.payout) FILTER (WHERE r.status = 3), 0)",
        )
        .total(),
        Column::new(
            "error",
            "Con error",
            "In error",
            Kind::Count,
            "count(*) FILTER (WHERE r.status = 4)",
        )
        .total(),
        Column::new(
            "errorPayout",
            "Importe con error",
            "Amount in error",
            Kind::Money,
            "coalesce(sum(r.payout) FILTER (WHERE r.status = 4), 0)",
        )
        .total(),
        Column::new(
            "distributionFee",
            "Costo de distribución",
            "Distribution fee",
            Kind::Money,
            "coalesce(sum(r.distribution_fee), 0)",
        )
        .total(),
        PAYS_IN,
    ],
    tables: SOLD,
    names: "",
    alias: "r",
    only: "r.dealer IS NOT NULL AND r.status IN (2, 3, 4)",
    unless: None,
    scope: and_visible,
    group: Some(Group {
        by: "coalesce(r.agency, r.seller), r.dealer, r.currency",
        whom: None,
        names: r#"LEFT JOIN parties AS s ON s.tenant = line.tenant AND s.id = line."sellerId"
            LEFT JOIN parties AS d ON d.tenant = line.tenant AND d.id = line."dealerId""#,
    }),
    filters: &[
        HANDLED_FROM,
        HANDLED_THROUGH,
        CURRENCY,
        AGENCY_ID,
        AGENT_ID,
        DEALER_ID,
        PROVINCE_ID,
        METHOD,
    ],
    search: Some(&SEARCH),
    default_sort: "seller",
    tie: &["sellerId", "dealerId", "currency"],
    pages: None,
};
