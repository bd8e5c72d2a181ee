//! Report by sale: amount sent by each agency or agent, its percentage, and the commission due.

use super::{
    AGENCY_ID, AGENT_ID, CODE, CURRENCY, DELIVERY, METHOD, NAMES, NOT_CANCELED, PAYMENT_GROUP_ID, PAYS_IN, POSITION,
    RECIPIENT_ID, REMITTANCE, SALES, SEARCH, SENDER_ID, SOLD, SOLD_FROM, SOLD_THROUGH, STATUS, and_visible,
};
use crate::{
    codes::status,
    print::word,
    report::definition::{Column, Kind, Report},
};

/// Report by sale. The percentage is the manager's commission for the seller; the amount due is the commission that a
/// closure bills.
pub static AGENCY: Report = Report {
    name: "agency",
    about: "By sale: amount sent by each agency or agent, percentage, and commission due.",
    title: word::REPORT_OF_THE_AGENCIES,
    roles: SALES,
    columns: &[
        POSITION,
        REMITTANCE,
        CODE,
        Column::new("created", word::DATE, Kind::Time, "r.created_at").sorted_by("position"),
        Column::new("agency", word::AGENCY, Kind::Text, "a.name"),
        Column::new("agent", word::AGENT, Kind::Text, "x.name"),
        Column::new("sender", word::SENDER, Kind::Text, "s.name"),
        Column::new("recipient", word::RECIPIENT, Kind::Text, "q.name"),
        DELIVERY,
        Column::new("status", word::STATUS, Kind::Status, "r.status"),
        Column::new("amount", word::SENT_USD, Kind::Money, "r.amount").total(),
        Column::new(
            "assignedPercent",
            word::ASSIGNED_PERCENT,
            Kind::Rate,
            "(r.terms #>> '{managerCommission,rate}')::numeric",
        ),
        // Nothing is due for a canceled remittance.
        Column::new(
            "toPay",
            word::TO_PAY_USD,
            Kind::Money,
            concat!(
                "CASE WHEN ",
                status!("r.status" is canceled),
                " THEN 0 ELSE r.manager_fee END"
            ),
        )
        .total(),
        Column::new("totalToPay", word::CHARGED_USD, Kind::Money, "r.total_to_pay").total(),
        Column::new("payout", word::PAYOUT, Kind::Money, "r.payout").total(),
        PAYS_IN,
    ],
    tables: SOLD,
    names: NAMES,
    alias: "r",
    only: "TRUE",
    unless: Some(NOT_CANCELED),
    scope: and_visible,
    group: None,
    filters: &[
        STATUS,
        SOLD_FROM,
        SOLD_THROUGH,
        CURRENCY,
        AGENCY_ID,
        AGENT_ID,
        SENDER_ID,
        RECIPIENT_ID,
        PAYMENT_GROUP_ID,
        METHOD,
    ],
    search: Some(&SEARCH),
    default_sort: "-created",
    tie: &["position"],
    pages: None,
};
