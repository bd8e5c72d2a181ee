//! By recipient: how often and how much each was sent, and by which remittances.

use super::{
    AGENCY_ID, AGENT_ID, CURRENCY, DEALER_ID, METHOD, MUNICIPALITY_ID, NOT_CANCELED, PAYS_IN, PROVINCE_ID,
    RECIPIENT_ID, SALES, SEARCH, SENDER_ID, SOLD_FROM, SOLD_THROUGH, STATUS, TABLES, and_visible,
};
use crate::{
    list::ListSpec,
    print::Words,
    report::definition::{Column, Kind, Report},
};

/// By recipient.
pub static ADDRESSEE: Report = Report {
    name: "addressee",
    title: Words::new("Reporte por destinatario", "Report by recipient"),
    roles: SALES,
    columns: &[
        Column::hidden("recipientId", Kind::Id, "r.recipient"),
        Column::new("recipient", "Destinatario", "Recipient", Kind::Text, "q.name"),
        Column::new("identification", "CI", "ID", Kind::Text, "q.identification"),
        Column::new("phone", "Teléfono", "Phone", Kind::Text, "q.phone"),
        Column::new(
            "province",
            "Provincia",
            "Province",
            Kind::Text,
            "(SELECT z.name FROM provinces AS z WHERE z.tenant = r.tenant AND z.id = q.province)",
        ),
        Column::new(
            "municipality",
            "Municipio",
            "Municipality",
            Kind::Text,
            "(SELECT z.name FROM municipalities AS z WHERE z.tenant = r.tenant AND z.id = q.municipality)",
        ),
        Column::new("remittances", "Remesas", "Remittances", Kind::Count, "count(*)").total(),
        Column::new(
            "delivered",
            "Entregadas",
            "Delivered",
            Kind::Count,
            "count(*) FILTER (WHERE r.status = 3)",
        )
        .total(),
        Column::new("amount", "Enviado USD", "Sent USD", Kind::Money, "sum(r.amount)").total(),
        Column::new("payout", "A entregar", "Payout", Kind::Money, "sum(r.payout)").total(),
        PAYS_IN,
        Column::new("last", "Última", "Last", Kind::Time, "max(r.created_at)"),
        // The latest twenty: a recipient may have thousands, which the list of remittances shows.
        Column::new(
            "codes",
            "Códigos",
            "Codes",
            Kind::Text,
            "array_to_string((array_agg(r.code ORDER BY r.position DESC))[1:20], ', ')",
        )
        .unsorted(),
    ],
    tables: TABLES,
    alias: "r",
    only: "TRUE",
    unless: Some(NOT_CANCELED),
    scope: and_visible,
    group: Some("r.tenant, r.recipient, r.currency, q.name, q.identification, q.phone, q.province, q.municipality"),
    list: ListSpec {
        sorts: &[],
        default_sort: "recipient",
        tie: "",
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
        search: Some(SEARCH),
    },
    tie: &["recipientId", "currency"],
    pages: None,
};
