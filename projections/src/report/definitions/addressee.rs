//! Report by recipient: number and sum of remittances, and the remittances themselves.

use super::{
    AGENCY_ID, AGENT_ID, CURRENCY, DEALER_ID, METHOD, MUNICIPALITY_ID, NOT_CANCELED, PAYS_IN, PROVINCE_ID,
    RECIPIENT_ID, SALES, SEARCH, SENDER_ID, SOLD, SOLD_FROM, SOLD_THROUGH, STATUS, and_visible,
};
use crate::{
    codes::{customer_kind, status},
    print::Words,
    report::definition::{Column, Group, Kind, Report, Whom},
};

/// Report by recipient.
pub static ADDRESSEE: Report = Report {
    name: "addressee",
    title: Words::new("Reporte por destinatario", "Report by recipient"),
    roles: SALES,
    columns: &[
        Column::hidden("recipientId", Kind::Id, "r.recipient"),
        Column::new("recipient", "Destinatario", "Recipient", Kind::Text, "q.name")
            .beside()
            .folded("q.search"),
        Column::new("identification", "CI", "ID", Kind::Text, "q.identification").beside(),
        Column::new("phone", "Teléfono", "Phone", Kind::Text, "q.phone").beside(),
        Column::new("province", "Provincia", "Province", Kind::Text, "p.name").beside(),
        Column::new("municipality", "Municipio", "Municipality", Kind::Text, "m.name").beside(),
        Column::new("remittances", "Remesas", "Remittances", Kind::Count, "count(*)").total(),
        Column::new(
            "delivered",
            "Entregadas",
            "Delivered",
            Kind::Count,
            concat!("count(*) FILTER (WHERE ", status!("r.status" is completed), ")"),
        )
        .total(),
        Column::new("amount", "Enviado USD", "Sent USD", Kind::Money, "sum(r.amount)").total(),
        Column::new("payout", "A entregar", "Payout", Kind::Money, "sum(r.payout)").total(),
        PAYS_IN,
        Column::new("last", "Última", "Last", Kind::Time, "max(r.created_at)"),
        // The latest twenty; the list of remittances shows all.
        Column::new(
            "codes",
            "Códigos",
            "Codes",
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
