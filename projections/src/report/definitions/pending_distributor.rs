//! Report of undelivered remittances by place: unassigned, in shipping, or in error; with the dealers that cover the
//! place.

use super::{
    AGENCY_ID, CURRENCY, DEALER_ID, DELIVERY, DISTRIBUTION, METHOD, MUNICIPALITY_ID, PAYS_IN, PROVINCE_ID, SEARCH,
    SOLD, SOLD_FROM, SOLD_THROUGH, STATUS, and_visible,
};
use crate::{
    codes::status,
    print::word,
    report::definition::{Column, Group, Kind, Report},
};

/// Undelivered remittances by province and municipality; card transfers have none. A dealer sees its own.
pub static PENDING_DISTRIBUTOR: Report = Report {
    name: "pending_distributor",
    about: "Undelivered remittances by place, with the dealers that cover it.",
    title: word::PENDING_DISTRIBUTION,
    roles: DISTRIBUTION,
    columns: &[
        Column::hidden("provinceId", Kind::Id, "r.province"),
        Column::new("province", word::PROVINCE, Kind::Text, "p.name").beside(),
        Column::hidden("municipalityId", Kind::Id, "r.municipality"),
        Column::new("municipality", word::MUNICIPALITY, Kind::Text, "m.name").beside(),
        DELIVERY,
        Column::new(
            "unassigned",
            word::UNASSIGNED,
            Kind::Count,
            concat!("count(*) FILTER (WHERE ", status!("r.status" is pending), ")"),
        )
        .total(),
        Column::new(
            "shipping",
            word::SHIPPING,
            Kind::Count,
            concat!("count(*) FILTER (WHERE ", status!("r.status" is shipping), ")"),
        )
        .total(),
        Column::new(
            "error",
            word::WITH_ERROR,
            Kind::Count,
            concat!("count(*) FILTER (WHERE ", status!("r.status" is error), ")"),
        )
        .total(),
        Column::new("remittances", word::REMITTANCES, Kind::Count, "count(*)").total(),
        Column::new("payout", word::PAYOUT, Kind::Money, "sum(r.payout)").total(),
        PAYS_IN,
        Column::new("oldest", word::OLDEST, Kind::Time, "min(r.created_at)"),
        Column::new(
            "dealers",
            word::DEALERS_WHO_COVER_IT,
            Kind::Text,
            r#"SELECT string_agg(z.name, ', ' ORDER BY z.search) FROM parties AS z
               WHERE z.tenant = line.tenant AND z.role = 'dealer' AND z.is_active
                 AND CASE WHEN line."deliveryMethod" = 'card' THEN z.handle_mlc
                          ELSE line."municipalityId" = ANY (z.zones) END"#,
        )
        .beside()
        .unsorted(),
    ],
    tables: SOLD,
    names: "",
    alias: "r",
    only: status!("r.status" in pending, shipping, error),
    unless: None,
    scope: and_visible,
    group: Some(Group {
        by: "r.province, r.municipality, r.method, r.currency",
        whom: None,
        names: r#"LEFT JOIN provinces AS p ON p.tenant = line.tenant AND p.id = line."provinceId"
            LEFT JOIN municipalities AS m ON m.tenant = line.tenant AND m.id = line."municipalityId""#,
    }),
    filters: &[
        STATUS,
        SOLD_FROM,
        SOLD_THROUGH,
        CURRENCY,
        AGENCY_ID,
        DEALER_ID,
        PROVINCE_ID,
        MUNICIPALITY_ID,
        METHOD,
    ],
    search: Some(&SEARCH),
    default_sort: "province",
    tie: &["municipalityId", "deliveryMethod", "currency"],
    pages: None,
};
