//! Report of large and repeated sums: people whose remittances within some days reach a sum or a number.
//!
//! A person is everybody with one document, by type, country and number; without a document, the customer. Each remittance has the
//! number and the sum of its person's remittances in the days of the tenant's time zone that end with its own; a line shows their
//! maximum. Documents and days are those of limits.

use super::{SEARCH, SOLD_FROM, SOLD_THROUGH};
use crate::{
    codes::status,
    list::{
        Filter, Takes,
        filter::{self, Narrow},
        values,
    },
    print::{Words, word},
    report::definition::{Column, Group, Kind, Report, Unless},
    scalar::CustomerSide,
    scope::Scope,
    sql::Sql,
};
use caudal_domain::party::Role;
use utoipa::PartialSchema as _;

const DAYS: Filter = filter::one_of(
    "days",
    word::WINDOW,
    "Length of the rolling window in days; 30 where absent.",
    values::ROLLING_DAYS,
    &[
        ("1", "w.days = 1"),
        ("7", "w.days = 7"),
        ("30", "w.days = 30"),
        ("365", "w.days = 365"),
    ],
);
const SIDE: Filter = filter::one_of(
    "side",
    word::KIND,
    "Sent, or received.",
    values::CUSTOMER_SIDE,
    &[("sender", "r.side = 'sender'"), ("recipient", "r.side = 'recipient'")],
);
const AMOUNT: Filter = Filter::new(
    "amountFrom",
    Words::new("Suma desde USD", "Sum from USD"),
    "People whose remittances within the window reach this sum of amounts sent, in USD.",
    Takes::Amount,
    Narrow::Within("r.reached >= (", ")"),
);
const COUNT: Filter = Filter::new(
    "remittancesFrom",
    Words::new("Remesas desde", "Remittances from"),
    "People with at least so many remittances within the window.",
    Takes::Number,
    Narrow::Within("r.repeated >= (", ")"),
);

/// Report of large and repeated sums, for managers.
pub static LARGE_SUMS: Report = Report {
    name: "large_sums",
    about: "By person: the largest sum and number of remittances within a rolling window.",
    title: word::LARGE_AND_REPEATED_SUMS,
    roles: &[Role::Manager],
    columns: &[
        Column::hidden(
            "customerId",
            Kind::Id,
            "(array_agg(r.customer ORDER BY r.position DESC))[1]",
        ),
        Column::new("person", word::NAME, Kind::Text, "q.name")
            .beside()
            .folded("q.search"),
        Column::new(
            "side",
            word::KIND,
            Kind::Named(values::CUSTOMER_SIDE, CustomerSide::schema),
            "r.side",
        ),
        Column::new("identification", word::ID, Kind::Text, "q.identification").beside(),
        Column::new("phone", word::PHONE, Kind::Text, "q.phone").beside(),
        Column::new("remittances", word::MOST_REMITTANCES, Kind::Count, "max(r.repeated)"),
        Column::new("amount", word::LARGEST_SUM_USD, Kind::Money, "max(r.reached)"),
        Column::new("currency", word::CURRENCY, Kind::Currency, "'USD'::text"),
        Column::new("last", word::LAST, Kind::Time, "max(r.created_at)"),
    ],
    tables: concat!(
        "(VALUES (1), (7), (30), (365)) AS w (days) CROSS JOIN LATERAL (
            SELECT s.*, count(*) OVER own AS repeated, sum(s.amount) OVER own AS reached
              FROM (SELECT r.tenant, r.id, r.position, r.created_at, r.amount, r.search, p.side, p.customer,
                           coalesce(c.document, c.id::text) AS person,
                           (r.created_at AT TIME ZONE t.time_zone)::date AS sold_on
                      FROM remittances AS r
                      JOIN tenants AS t ON t.tenant = r.tenant
                     CROSS JOIN LATERAL (VALUES ('sender', r.sender), ('recipient', r.recipient)) AS p (side, customer)
                      JOIN customers AS c ON c.tenant = r.tenant AND c.id = p.customer
                     WHERE ",
        status!("r.status" is not canceled),
        ") AS s
            WINDOW own AS (PARTITION BY s.tenant, s.side, s.person ORDER BY s.sold_on
                           RANGE BETWEEN make_interval(days => w.days - 1) PRECEDING AND CURRENT ROW)) AS r"
    ),
    names: "",
    alias: "r",
    only: "TRUE",
    unless: Some(Unless {
        filter: "days",
        condition: "w.days = 30",
        words: Words::new(
            "En 30 días seguidos, sin las canceladas",
            "Within 30 days, without those canceled",
        ),
    }),
    scope: managers,
    group: Some(Group {
        by: "r.side, r.person",
        whom: None,
        names: r#"LEFT JOIN customers AS q ON q.tenant = line.tenant AND q.id = line."customerId""#,
    }),
    filters: &[DAYS, AMOUNT, COUNT, SIDE, SOLD_FROM, SOLD_THROUGH],
    search: Some(&SEARCH),
    default_sort: "-amount",
    tie: &["customerId", "side"],
    pages: None,
};

/// A seller sees a part of a person's remittances: a sum of these would mislead.
fn managers(sql: &mut Sql, scope: &Scope) {
    if !scope.sees_all() {
        sql.push(" AND FALSE");
    }
}
