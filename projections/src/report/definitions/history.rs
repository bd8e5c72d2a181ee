//! Every change of every remittance's status.

use super::{
    AGENCY_ID, AGENT_ID, CHANGED_FROM, CHANGED_THROUGH, CODE, CURRENCY, DEALER_ID, DELIVERY, DELIVERY_MAN_ID,
    DISTRIBUTION, PAYS_IN, REMITTANCE, SEARCH, and_visible,
};
use crate::{
    list::{Filter, ListSpec},
    print::Words,
    report::definition::{Column, Kind, Report},
};

/// Every change of every remittance's status. The amounts are those of now.
pub static HISTORY: Report = Report {
    name: "history",
    title: Words::new("Historial de remesas", "History of the remittances"),
    roles: DISTRIBUTION,
    columns: &[
        Column::hidden("position", Kind::Count, "h.position"),
        Column::hidden("sold", Kind::Count, "r.position"),
        REMITTANCE,
        Column::new("at", "Fecha", "Date", Kind::Time, "h.at").sorted_by("position"),
        CODE.sorted_by("sold"),
        Column::new("change", "Cambio", "Change", Kind::Change, "h.change"),
        DELIVERY,
        Column::new(
            "fromStatus",
            "Estado anterior",
            "Status before",
            Kind::Status,
            "h.from_status",
        ),
        Column::new("toStatus", "Estado", "Status", Kind::Status, "h.to_status"),
        Column::new("actor", "Quién", "Who", Kind::Text, "c.name"),
        Column::new("dealer", "Distribuidor", "Dealer", Kind::Text, "d.name"),
        Column::new("deliveryMan", "Repartidor", "Delivery man", Kind::Text, "v.name"),
        Column::new("recipient", "Destinatario", "Recipient", Kind::Text, "q.name"),
        Column::new("reason", "Motivo", "Reason", Kind::Text, "h.reason").unsorted(),
        Column::new("amount", "Enviado USD", "Sent USD", Kind::Money, "r.amount").total(),
        Column::new("payout", "A entregar", "Payout", Kind::Money, "r.payout").total(),
        PAYS_IN,
    ],
    tables: "remittance_history AS h
        JOIN remittances AS r ON r.tenant = h.tenant AND r.id = h.remittance
        LEFT JOIN customers AS q ON q.tenant = r.tenant AND q.id = r.recipient
        LEFT JOIN parties AS c ON c.tenant = h.tenant AND c.id = h.actor
        LEFT JOIN parties AS d ON d.tenant = h.tenant AND d.id = h.dealer
        LEFT JOIN parties AS v ON v.tenant = h.tenant AND v.id = h.delivery_man",
    alias: "h",
    only: "h.from_status IS DISTINCT FROM h.to_status",
    unless: None,
    scope: and_visible,
    group: None,
    list: ListSpec {
        sorts: &[],
        default_sort: "-at",
        tie: "",
        filters: &[
            (
                "fromStatus",
                Filter::OneOf(&[
                    ("0", "h.from_status = 0"),
                    ("1", "h.from_status = 1"),
                    ("2", "h.from_status = 2"),
                    ("3", "h.from_status = 3"),
                    ("4", "h.from_status = 4"),
                ]),
            ),
            (
                "toStatus",
                Filter::OneOf(&[
                    ("0", "h.to_status = 0"),
                    ("1", "h.to_status = 1"),
                    ("2", "h.to_status = 2"),
                    ("3", "h.to_status = 3"),
                    ("4", "h.to_status = 4"),
                ]),
            ),
            ("remittanceId", Filter::Id("h.remittance")),
            CHANGED_FROM,
            CHANGED_THROUGH,
            CURRENCY,
            AGENCY_ID,
            AGENT_ID,
            DEALER_ID,
            DELIVERY_MAN_ID,
        ],
        search: Some(SEARCH),
    },
    tie: &["position"],
    pages: None,
};
