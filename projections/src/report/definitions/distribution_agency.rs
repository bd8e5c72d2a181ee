//! Matrix of dealers by agency: remittances handled.

use super::{
    AGENCY_ID, AGENT_ID, CURRENCY, DEALER_ID, DISTRIBUTION, HANDLED_FROM, HANDLED_THROUGH, METHOD, PAYS_IN,
    PROVINCE_ID, SEARCH, SOLD, and_visible,
};
use crate::{
    codes::status,
    print::word,
    report::definition::{Column, Group, Kind, Report},
};

/// Agencies, and agents without one, by dealer: one row per matrix cell and currency. Days are those of the delivery,
/// or of the assignment before delivery.
pub static DISTRIBUTION_AGENCY: Report = Report {
    name: "distribution_agency",
    about: "Remittances handled by each dealer, by agency.",
    title: word::DISTRIBUTION_BY_AGENCY,
    roles: DISTRIBUTION,
    columns: &[
        Column::hidden("sellerId", Kind::Id, "coalesce(r.agency, r.seller)"),
        Column::new("seller", word::AGENCY, Kind::Text, "s.name")
            .beside()
            .folded("s.search"),
        Column::hidden("dealerId", Kind::Id, "r.dealer"),
        Column::new("dealer", word::DEALER, Kind::Text, "d.name")
            .beside()
            .folded("d.search"),
        Column::new(
            "shipping",
            word::SHIPPING,
            Kind::Count,
            concat!("count(*) FILTER (WHERE ", status!("r.status" is shipping), ")"),
        )
        .total(),
        Column::new(
            "shippingPayout",
            word::AMOUNT_SHIPPING,
            Kind::Money,
            concat!(
                "coalesce(sum(r.payout) FILTER (WHERE ",
                status!("r.status" is shipping),
                "), 0)"
            ),
        )
        .total(),
        Column::new(
            "delivered",
            word::DELIVERED_PLURAL,
            Kind::Count,
            concat!("count(*) FILTER (WHERE ", status!("r.status" is completed), ")"),
        )
        .total(),
        Column::new(
            "deliveredPayout",
            word::AMOUNT_DELIVERED,
            Kind::Money,
            concat!(
                "coalesce(sum(r.payout) FILTER (WHERE ",
                status!("r.status" is completed),
                "), 0)"
            ),
        )
        .total(),
        Column::new(
            "error",
            word::WITH_ERROR,
            Kind::Count,
            concat!("count(*) FILTER (WHERE ", status!("r.status" is error), ")"),
        )
        .total(),
        Column::new(
            "errorPayout",
            word::AMOUNT_IN_ERROR,
            Kind::Money,
            concat!(
                "coalesce(sum(r.payout) FILTER (WHERE ",
                status!("r.status" is error),
                "), 0)"
            ),
        )
        .total(),
        Column::new(
            "distributionFee",
            word::DISTRIBUTION_FEE,
            Kind::Money,
            "coalesce(sum(r.distribution_fee), 0)",
        )
        .total(),
        PAYS_IN,
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
