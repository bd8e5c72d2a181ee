//! Report of deliveries received by an authorised representative.

use super::{
    AGENCY_ID, AGENT_ID, CODE, COMPLETED_FROM, COMPLETED_THROUGH, CURRENCY, DEALER_ID, DELIVERY_MAN_ID, DISTRIBUTION,
    MUNICIPALITY_ID, PAYS_IN, POSITION, PROVINCE_ID, RECIPIENT_ID, REMITTANCE, SEARCH, SOLD, and_visible,
};
use crate::{
    codes::status,
    print::word,
    report::definition::{Column, Kind, Report},
};

/// Deliveries to representatives, with the representative currently named by the recipient.
pub static ATTORNEY: Report = Report {
    name: "attorney",
    about: "Deliveries received by an authorised representative.",
    title: word::DELIVERIES_TO_REPRESENTATIVES,
    roles: DISTRIBUTION,
    columns: &[
        POSITION,
        REMITTANCE,
        CODE,
        Column::new("completed", word::DELIVERED, Kind::Time, "r.completed_at"),
        Column::new("recipient", word::RECIPIENT, Kind::Text, "q.name"),
        Column::new("identification", word::ID, Kind::Text, "q.identification"),
        Column::new(
            "representative",
            word::REPRESENTATIVE,
            Kind::Text,
            "nullif(concat_ws(' ', q.details ->> 'alternativeName', q.details ->> 'alternativeLastName'), '')",
        ),
        Column::new(
            "representativeIdentification",
            word::REPRESENTATIVE_ID,
            Kind::Text,
            "q.details ->> 'alternativePersonalIdentificationNumber'",
        ),
        Column::new(
            "representativePhone",
            word::REPRESENTATIVE_PHONE,
            Kind::Text,
            "q.details ->> 'alternativePhoneNumber'",
        ),
        Column::new("province", word::PROVINCE, Kind::Text, "p.name"),
        Column::new("municipality", word::MUNICIPALITY, Kind::Text, "m.name"),
        Column::new("deliveredBy", word::DELIVERED_BY, Kind::Text, "w.name"),
        Column::new("payout", word::PAID_OUT, Kind::Money, "r.payout").total(),
        PAYS_IN,
    ],
    tables: SOLD,
    names: "LEFT JOIN customers AS q ON q.tenant = r.tenant AND q.id = r.recipient
        LEFT JOIN provinces AS p ON p.tenant = r.tenant AND p.id = r.province
        LEFT JOIN municipalities AS m ON m.tenant = r.tenant AND m.id = r.municipality
        LEFT JOIN parties AS w ON w.tenant = r.tenant AND w.id = r.delivered_by",
    alias: "r",
    only: concat!(status!("r.status" is completed), " AND r.to_representative"),
    unless: None,
    scope: and_visible,
    group: None,
    filters: &[
        COMPLETED_FROM,
        COMPLETED_THROUGH,
        CURRENCY,
        AGENCY_ID,
        AGENT_ID,
        DEALER_ID,
        DELIVERY_MAN_ID,
        RECIPIENT_ID,
        PROVINCE_ID,
        MUNICIPALITY_ID,
    ],
    search: Some(&SEARCH),
    default_sort: "-completed",
    tie: &["position"],
    pages: None,
};
