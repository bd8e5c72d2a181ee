//! The reports.

use super::definition::{Column, Kind, Report, Unless};
use crate::{
    codes::status,
    list::{Filter, MatchedBy, SearchSpec, filter, values},
    print::{Words, word},
    remittance::{NAMES, SOLD, and_visible},
    scalar::DeliveryMethod,
};
use caudal_domain::party::Role;
use utoipa::PartialSchema as _;

/// Declares the modules with their reports.
macro_rules! reports {
    ($($module:ident $report:ident;)*) => {
        $(
            mod $module;
            pub use $module::$report;
        )*

        pub const ALL: &[&Report] = &[$(&$report),*];
    };
}

reports! {
    addressee ADDRESSEE;
    agency AGENCY;
    attorney ATTORNEY;
    distribution_agency DISTRIBUTION_AGENCY;
    distributor DISTRIBUTOR;
    distributor_shipping DISTRIBUTOR_SHIPPING;
    history HISTORY;
    holds HOLDS;
    large_sums LARGE_SUMS;
    pending_distributor PENDING_DISTRIBUTOR;
}

/// Roles of the distribution reports.
const DISTRIBUTION: &[Role] = &[Role::Manager, Role::Dealer];
/// Roles of the sales reports, which sellers may request for their own sales.
const SALES: &[Role] = &[Role::Manager, Role::Agency, Role::ExternalAgent, Role::Dealer];

/// Filter on a remittance's column.
macro_rules! ids {
    ($($constant:ident = $name:literal $label:ident $about:literal $column:literal;)*) => {$(
        const $constant: Filter = filter::id($name, word::$label, $about, $column);
    )*};
}

ids! {
    AGENCY_ID = "agencyId" AGENCY "Sold with this agency." "r.agency";
    AGENT_ID = "agentId" AGENT "Sold by this agent." "r.agent";
    DEALER_ID = "dealerId" DEALER "With this dealer." "r.dealer";
    DELIVERY_MAN_ID = "deliveryManId" DELIVERY_MAN "With this delivery man." "r.delivery_man";
    MUNICIPALITY_ID = "municipalityId" MUNICIPALITY "Brought to this municipality." "r.municipality";
    PAYMENT_GROUP_ID = "paymentGroupId" PAYMENT_GROUP "Of this payment group." "r.group_id";
    PROVINCE_ID = "provinceId" PROVINCE "Brought to this province." "r.province";
    RECIPIENT_ID = "recipientId" RECIPIENT "For this recipient." "r.recipient";
    SENDER_ID = "senderId" SENDER "Of this sender." "r.sender";
}

const CURRENCY: Filter = filter::in_currency("Paid out in this currency.", "r.currency");
const METHOD: Filter = filter::one_of(
    "deliveryMethod",
    word::DELIVERY,
    "Paid this way.",
    values::DELIVERY_METHOD,
    &[("home", "r.method = 'home'"), ("card", "r.method = 'card'")],
);
const STATUS: Filter = filter::one_of(
    "status",
    word::STATUS,
    "In this state.",
    values::REMITTANCE_STATUS,
    status!(each "r.status"),
);

/// First and last local day of a time.
macro_rules! days {
    ($from:ident, $through:ident: $time:literal) => {
        const $from: Filter = filter::first_day("initDate", "On this day or later.", $time);
        const $through: Filter = filter::last_day("finalDate", "On this day or before.", $time);
    };
}

days!(SOLD_FROM, SOLD_THROUGH: "r.created_at");
days!(COMPLETED_FROM, COMPLETED_THROUGH: "r.completed_at");
days!(CHANGED_FROM, CHANGED_THROUGH: "h.at");
// CASE instead of `coalesce`: behind a row-level security policy the planner treats `coalesce` as leaky and would not
// use an index.
days!(HANDLED_FROM, HANDLED_THROUGH: "CASE WHEN r.completed_at IS NULL THEN r.assigned_at ELSE r.completed_at END");
days!(ASSIGNED_FROM, ASSIGNED_THROUGH: "r.assigned_at");

/// Search over codes, references, names, telephones and documents, like the list of remittances.
const SEARCH: SearchSpec = SearchSpec {
    function: Some(("search_remittances", MatchedBy::Ids("r.id"))),
    ..SearchSpec::of(&["r.search"])
};

/// Excludes canceled remittances unless requested.
const NOT_CANCELED: Unless = Unless {
    filter: "status",
    condition: status!("r.status" is not canceled),
    words: Words::new("Sin las canceladas", "Without those canceled"),
};

/// Identifies remittances, in their order.
const POSITION: Column = Column::hidden("position", Kind::Count, "r.position");
const REMITTANCE: Column = Column::hidden("remittanceId", Kind::Id, "r.id");
const CODE: Column = Column::new("code", word::CODE, Kind::Text, "r.code").sorted_by("position");
const PAYS_IN: Column = Column::new("currency", word::CURRENCY, Kind::Currency, "r.currency");
const BY_METHOD: Kind = Kind::Named(values::DELIVERY_METHOD, DeliveryMethod::schema);
const DELIVERY: Column = Column::new("deliveryMethod", word::DELIVERY, BY_METHOD, "r.method");
