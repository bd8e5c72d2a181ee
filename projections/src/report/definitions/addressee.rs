//! Report by recipient: number and sum of remittances, and the remittances themselves.

use super::{
    AGENCY_ID, AGENT_ID, CURRENCY, DEALER_ID, METHOD, MUNICIPALITY_ID, NOT_CANCELED, PAYS_IN, PROVINCE_ID,
    RECIPIENT_ID, SALES, SEARCH, SENDER_ID, SOLD, SOLD_FROM, SOLD_THROUGH, STATUS, and_visible,
};
use crate::{
    codes::{customer_kind, status},
    print::word,
    report::definition::{Column, Group, Kind, Report, Whom},
};

/// Report by recipient.
pub static ADDRESSEE: Report = Report {
    name: "addressee",
    about: "By recipient: number and sum of remittances.",
    title: word::REPORT_BY_RECIPIENT,
    roles: SALES,
    columns: &[
        Column::hidden("recipientId", Kind::Id, "r.recipient"),
        Column::new("recipient", word::RECIPIENT, Kind::Text, "q.name")
            .beside()
            .folded("q.search"),
        Column::new("identification", word::ID, Kind::Text, "q.identification").beside(),
        Column::new("phone", word::PHONE, Kind::Text, "q.phone").beside(),
        Column::new("province", word::PROVINCE, Kind::Text, "p.name").beside(),
        Column::new("municipality", word::MUNICIPALITY, Kind::Text, "m.name").beside(),
        Column::new("remittances", word::REMITTANCES, Kind::Count, "count(*)").total(),
        Column::new(
            "delivered",
            word::DELIVERED_PLURAL,
            Kind::Count,
            concat!("count(*) FILTER (WHERE ", status!("r.status" is completed), ")"),
        )
        .total(),
        Column::new("amount", word::SENT_USD, Kind::Money, "sum(r.amount)").total(),
        Column::new("payout", word::PAYOUT, Kind::Money, "sum(r.payout)").total(),
        PAYS_IN,
        Column::new("last", word::LAST, Kind::Time, "max(r.created_at)"),
        // The latest twenty; the list of remittances shows all.
        Column::new(
            "codes",
            word::CODES,
            Kind::Text,
            r#"SELECT string_agg(z.code, ', ' ORDER BY z.position DESC) FROM (SELECT r.code, r.position"#,
        )
        .beside_rows(
            r#"AND r.recipient = line."recipientId" AND r.currency = line.currency
                ORDER BY r.position DESC LIMIT 20) AS z"#,
        )
        .unsorted(),
    ],
    tables: SOLD,
    names: "",
    alias: "r",
    only: "TRUE",
    unless: Some(NOT_CANCELED),
    scope: and_visible,
    group: Some(Group {
        by: "r.recipient, r.currency",
        whom: Some(Whom {
            table: "customers",
            alias: "q",
            only: customer_kind!("q.kind" is recipient),
            id: "recipientId",
            of_row: "r.recipient",
        }),
        names: "LEFT JOIN provinces AS p ON p.tenant = q.tenant AND p.id = q.province
            LEFT JOIN municipalities AS m ON m.tenant = q.tenant AND m.id = q.municipality",
    }),
    filters: &[
        STATUS,
        SOLD_FROM,
        SOLD_THROUGH,
        CURRENCY,
        AGENCY_ID,
        AGENT_ID,
        DEALER_ID,
        SENDER_ID,
        RECIPIENT_ID,
        PROVINCE_ID,
        MUNICIPALITY_ID,
        METHOD,
    ],
    search: Some(&SEARCH),
    default_sort: "recipient",
    tie: &["recipientId", "currency"],
    pages: None,
};
