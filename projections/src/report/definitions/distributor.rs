//! Report by dealer: pending, delivered and failed remittances.

use super::{
    AGENCY_ID, CURRENCY, DEALER_ID, DELIVERY_MAN_ID, DISTRIBUTION, HANDLED_FROM, HANDLED_THROUGH, METHOD,
    MUNICIPALITY_ID, PAYS_IN, PROVINCE_ID, SEARCH, SOLD, STATUS, and_visible,
};
use crate::{
    codes::status,
    print::word,
    report::definition::{Column, Group, Kind, Report},
};

/// Dealers with their delivery men, by status and currency. Days are those of the delivery, or of the assignment before
/// delivery.
pub static DISTRIBUTOR: Report = Report {
    name: "distributor",
    about: "Pending, delivered and failed remittances of each dealer.",
    title: word::REPORT_BY_DEALER,
    roles: DISTRIBUTION,
    columns: &[
        Column::hidden("dealerId", Kind::Id, "r.dealer"),
        Column::new("dealer", word::DEALER, Kind::Text, "d.name")
            .beside()
            .folded("d.search"),
        Column::new("status", word::STATUS, Kind::Status, "r.status"),
        Column::new("remittances", word::REMITTANCES, Kind::Count, "count(*)").total(),
        Column::new("amount", word::SENT_USD, Kind::Money, "sum(r.amount)").total(),
        Column::new("payout", word::PAYOUT, Kind::Money, "sum(r.payout)").total(),
        Column::new(
            "distributionFee",
            word::DISTRIBUTION_FEE,
            Kind::Money,
            "coalesce(sum(r.distribution_fee), 0)",
        )
        .total(),
        PAYS_IN,
        Column::new(
            "last",
            word::LAST,
            Kind::Time,
            "max(coalesce(r.completed_at, r.assigned_at))",
        ),
    ],
    tables: SOLD,
    names: "",
    alias: "r",
    only: concat!(
        "r.dealer IS NOT NULL AND ",
        status!("r.status" in shipping, completed, error)
    ),
    unless: None,
    scope: and_visible,
    group: Some(Group {
        by: "r.dealer, r.status, r.currency",
        whom: None,
        names: r#"LEFT JOIN parties AS d ON d.tenant = line.tenant AND d.id = line."dealerId""#,
    }),
    filters: &[
        STATUS,
        HANDLED_FROM,
        HANDLED_THROUGH,
        CURRENCY,
        AGENCY_ID,
        DEALER_ID,
        DELIVERY_MAN_ID,
        PROVINCE_ID,
        MUNICIPALITY_ID,
        METHOD,
    ],
    search: Some(&SEARCH),
    default_sort: "dealer",
    tie: &["dealerId", "status", "currency"],
    pages: None,
};
