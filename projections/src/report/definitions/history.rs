//! Report of all status changes of remittances.

use super::{
    AGENCY_ID, AGENT_ID, CHANGED_FROM, CHANGED_THROUGH, CODE, DEALER_ID, DELIVERY, DELIVERY_MAN_ID, DISTRIBUTION,
    REMITTANCE, SEARCH, and_visible,
};
use crate::{
    codes::status,
    list::{filter, values},
    print::word,
    report::definition::{Column, Kind, Report},
    scalar::RemittanceChange,
};
use utoipa::PartialSchema as _;

const CHANGE: Kind = Kind::Named(values::REMITTANCE_CHANGE, RemittanceChange::schema);

/// Status changes of remittances, with the amounts at that time.
pub static HISTORY: Report = Report {
    name: "history",
    about: "All status changes of remittances.",
    title: word::HISTORY_OF_THE_REMITTANCES,
    roles: DISTRIBUTION,
    columns: &[
        Column::hidden("position", Kind::Count, "h.position"),
        Column::hidden("sold", Kind::Count, "r.position"),
        REMITTANCE,
        Column::new("at", word::DATE, Kind::Time, "h.at").always(),
        CODE.sorted_by("sold"),
        Column::new("change", word::CHANGE, CHANGE, "h.change"),
        DELIVERY,
        Column::new("fromStatus", word::STATUS_BEFORE, Kind::Status, "h.from_status"),
        Column::new("toStatus", word::STATUS, Kind::Status, "h.to_status"),
        Column::new("actor", word::WHO, Kind::Text, "c.name"),
        Column::new("dealer", word::DEALER, Kind::Text, "d.name"),
        Column::new("deliveryMan", word::DELIVERY_MAN, Kind::Text, "v.name"),
        Column::new("recipient", word::RECIPIENT, Kind::Text, "q.name"),
        Column::new("reason", word::REASON, Kind::Text, "h.reason").unsorted(),
        Column::new("amount", word::SENT_USD, Kind::Money, "h.amount").total(),
        Column::new("payout", word::PAYOUT, Kind::Money, "h.payout").total(),
        Column::new("currency", word::CURRENCY, Kind::Currency, "h.currency"),
    ],
    tables: "remittance_history AS h
        LEFT JOIN remittances AS r ON r.tenant = h.tenant AND r.id = h.remittance",
    names: "LEFT JOIN customers AS q ON q.tenant = r.tenant AND q.id = r.recipient
        LEFT JOIN parties AS c ON c.tenant = h.tenant AND c.id = h.actor
        LEFT JOIN parties AS d ON d.tenant = h.tenant AND d.id = h.dealer
        LEFT JOIN parties AS v ON v.tenant = h.tenant AND v.id = h.delivery_man",
    alias: "h",
    only: "h.from_status IS DISTINCT FROM h.to_status",
    unless: None,
    scope: and_visible,
    group: None,
    filters: &[
        filter::one_of(
            "fromStatus",
            word::STATUS_BEFORE,
            "Leaving this state.",
            values::REMITTANCE_STATUS,
            status!(each "h.from_status"),
        ),
        filter::one_of(
            "toStatus",
            word::STATUS,
            "Reaching this state.",
            values::REMITTANCE_STATUS,
            status!(each "h.to_status"),
        ),
        filter::id("remittanceId", word::REMITTANCE, "Of this remittance.", "h.remittance"),
        CHANGED_FROM,
        CHANGED_THROUGH,
        filter::in_currency("Paid out in this currency.", "h.currency"),
        AGENCY_ID,
        AGENT_ID,
        DEALER_ID,
        DELIVERY_MAN_ID,
    ],
    search: Some(&SEARCH),
    default_sort: "-at",
    tie: &["position"],
    pages: None,
};
