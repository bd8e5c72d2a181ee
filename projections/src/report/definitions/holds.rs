//! Report of holds by their reason and rule: how they were decided, and how long it took.
//!
//! Every hold is one of four: released, still open, or ended with the remittance, which was canceled, or delivered although it
//! was held. Those that a review kept are counted beside these.

use crate::{
    codes::status,
    limit::PublicLimitWindow,
    list::{Filter, filter, values},
    print::{Words, word},
    remittance::PublicHoldReason,
    report::definition::{Column, Group, Kind, Report},
    scalar::CustomerSide,
    scope::Scope,
    sql::Sql,
};
use caudal_domain::party::Role;
use utoipa::PartialSchema as _;

const HELD_FROM: Filter = filter::first_day("initDate", "Held on this day or later.", "x.at");
const HELD_THROUGH: Filter = filter::last_day("finalDate", "Held on this day or before.", "x.at");

const REASON: Filter = filter::one_of(
    "reason",
    word::REASON,
    "Held for this reason.",
    values::HOLD_REASON,
    &[
        ("limit_rule", "x.reason = 'limit_rule'"),
        ("screening", "x.reason = 'screening'"),
        ("manual", "x.reason = 'manual'"),
    ],
);

/// Report of holds by rule, for managers.
pub static HOLDS: Report = Report {
    name: "holds",
    about: "By reason and rule: holds, how they were decided, and how long it took.",
    title: word::REVIEWS_BY_RULE,
    roles: &[Role::Manager],
    columns: &[
        Column::new(
            "reason",
            word::REASON,
            Kind::Named(values::HOLD_REASON, PublicHoldReason::schema),
            "x.reason",
        ),
        Column::hidden(
            "ruleId",
            Kind::Id,
            "CASE WHEN x.reason = 'limit_rule' THEN x.reference END",
        ),
        Column::new(
            "side",
            word::WHOSE,
            Kind::Named(values::CUSTOMER_SIDE, CustomerSide::schema),
            "l.side",
        )
        .beside(),
        Column::new(
            "window",
            word::WINDOW,
            Kind::Named(values::LIMIT_WINDOW, PublicLimitWindow::schema),
            "l.span",
        )
        .beside(),
        Column::new("limitAmount", word::UP_TO_USD, Kind::Money, "l.amount").beside(),
        Column::new("limitCount", word::UP_TO_REMITTANCES, Kind::Count, "l.count").beside(),
        Column::new(
            "paymentGroups",
            word::PAYMENT_GROUPS,
            Kind::Text,
            "(SELECT string_agg(g.name, ', ' ORDER BY g.name) FROM payment_groups AS g
               WHERE g.tenant = l.tenant AND g.id = ANY (l.groups))",
        )
        .beside(),
        Column::new("lists", word::LISTS, Kind::Text, "replace(btrim(s.lists), ' ', ', ')"),
        Column::new("held", word::PUT_IN_REVIEW_PLURAL, Kind::Count, "count(*)").total(),
        Column::new("released", word::RELEASED_PLURAL, Kind::Count, "count(x.released_at)").total(),
        Column::new(
            "kept",
            word::KEPT_IN_REVIEW,
            Kind::Count,
            "count(*) FILTER (WHERE x.reviewed_at IS NOT NULL AND x.released_at IS NULL)",
        )
        .total(),
        Column::new(
            "canceled",
            word::CANCELED_PLURAL,
            Kind::Count,
            concat!(
                "count(*) FILTER (WHERE x.ended_at IS NOT NULL AND ",
                status!("r.status" is canceled),
                ")"
            ),
        )
        .total(),
        Column::new(
            "deliveredWhileHeld",
            word::DELIVERED_WHILE_IN_REVIEW_PLURAL,
            Kind::Count,
            concat!(
                "count(*) FILTER (WHERE x.ended_at IS NOT NULL AND ",
                status!("r.status" is completed),
                ")"
            ),
        )
        .total(),
        Column::new(
            "open",
            word::STILL_IN_REVIEW,
            Kind::Count,
            "count(*) FILTER (WHERE x.released_at IS NULL AND x.ended_at IS NULL)",
        )
        .total(),
        Column::new(
            "hours",
            word::HOURS_UNTIL_DECIDED,
            Kind::Rate,
            "round((avg(extract(epoch FROM x.reviewed_at - x.at)) / 3600)::numeric, 1)",
        ),
        Column::new("amount", word::SENT_USD, Kind::Money, "sum(r.amount)").total(),
        Column::new("currency", word::CURRENCY, Kind::Currency, "'USD'::text"),
    ],
    tables: "remittance_holds AS x
        JOIN remittances AS r ON r.tenant = x.tenant AND r.id = x.remittance
        LEFT JOIN screening_cases AS s ON s.tenant = x.tenant AND x.reason = 'screening' AND s.id = x.reference",
    names: "",
    alias: "x",
    only: "TRUE",
    unless: None,
    scope: managers,
    group: Some(Group {
        by: "x.reason, CASE WHEN x.reason = 'limit_rule' THEN x.reference END, s.lists",
        whom: None,
        names: r#"LEFT JOIN limit_rules AS l ON l.tenant = line.tenant AND l.id = line."ruleId""#,
    }),
    filters: &[
        REASON,
        filter::id(
            "ruleId",
            Words::new("Regla", "Rule"),
            "Held by this limit rule.",
            "x.reference",
        ),
        HELD_FROM,
        HELD_THROUGH,
        filter::first_day("releasedFrom", "Released on this day or later.", "x.released_at"),
        filter::last_day("releasedTo", "Released on this day or before.", "x.released_at"),
    ],
    search: None,
    default_sort: "-held",
    tie: &["reason", "ruleId", "lists"],
    pages: None,
};

/// Holds are the managers' to know.
fn managers(sql: &mut Sql, scope: &Scope) {
    if !scope.sees_all() {
        sql.push(" AND FALSE");
    }
}
