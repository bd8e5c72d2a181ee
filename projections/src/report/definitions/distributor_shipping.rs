//! Dispatch sheet: pending deliveries of each dealer and delivery man, one page per dealer.

use super::{
    AGENCY_ID, ASSIGNED_FROM, ASSIGNED_THROUGH, CODE, CURRENCY, DEALER_ID, DELIVERY, DELIVERY_MAN_ID, DISTRIBUTION,
    METHOD, MUNICIPALITY_ID, NAMES, PAYS_IN, POSITION, PROVINCE_ID, REMITTANCE, SEARCH, SOLD, and_visible,
};
use crate::{
    codes::status,
    list::values,
    print::word,
    report::definition::{Column, Kind, Pages, Report},
    scalar::CardBrand,
};
use utoipa::PartialSchema as _;

const BRAND: Kind = Kind::Named(values::CARD_BRAND, CardBrand::schema);

/// Home deliveries with dealers.
pub static DISTRIBUTOR_SHIPPING: Report = Report {
    name: "distributor_shipping",
    about: "Dispatch sheet: pending deliveries of each dealer and delivery man; as PDF one page per dealer.",
    title: word::DISPATCH_SHEET,
    roles: DISTRIBUTION,
    columns: &[
        POSITION,
        REMITTANCE,
        Column::hidden("dealerId", Kind::Id, "r.dealer"),
        Column::new("dealer", word::DEALER, Kind::Text, "d.name"),
        Column::new("deliveryMan", word::DELIVERY_MAN, Kind::Text, "v.name"),
        CODE,
        Column::new("recipient", word::RECIPIENT, Kind::Text, "q.name"),
        Column::new("identification", word::ID, Kind::Text, "q.identification"),
        Column::new("phone", word::PHONE, Kind::Text, "q.phone"),
        DELIVERY,
        Column::new(
            "address",
            word::ADDRESS,
            Kind::Text,
            "CASE WHEN r.method = 'home' THEN coalesce(r.address, q.details ->> 'addressLine') END",
        )
        .unsorted(),
        Column::new("municipality", word::MUNICIPALITY, Kind::Text, "m.name"),
        Column::new("province", word::PROVINCE, Kind::Text, "p.name"),
        Column::new("cardBrand", word::BANK, BRAND, "r.brand"),
        Column::new("card", word::CARD, Kind::CardNumber, "k.number").unsorted(),
        Column::new("payout", word::PAYOUT, Kind::Money, "r.payout").total(),
        PAYS_IN,
        Column::new("assigned", word::REMITTANCE_ASSIGNED, Kind::Time, "r.assigned_at"),
        Column::new("notes", word::NOTES, Kind::Text, "r.notes").unsorted(),
    ],
    tables: SOLD,
    names: NAMES,
    alias: "r",
    only: status!("r.status" is shipping),
    unless: None,
    scope: and_visible,
    group: None,
    filters: &[
        ASSIGNED_FROM,
        ASSIGNED_THROUGH,
        CURRENCY,
        AGENCY_ID,
        DEALER_ID,
        DELIVERY_MAN_ID,
        PROVINCE_ID,
        MUNICIPALITY_ID,
        METHOD,
    ],
    search: Some(&SEARCH),
    default_sort: "deliveryMan",
    tie: &["position"],
    pages: Some(Pages {
        by: "dealerId",
        title: "dealer",
    }),
};
