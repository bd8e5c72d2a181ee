//! Rows of figures by day: what was created, what was sold.

use crate::table::row;
use caudal_domain::money::{Amount, CurrencyCode};
use chrono::NaiveDate;
use uuid::Uuid;

row! {
    /// Remittances of a day and currency by seller: the agent, or the selling agency itself.
    DayRow in "remittance_days" key (day: NaiveDate, seller: Uuid, sold_by: Uuid, currency: CurrencyCode) {
        day: NaiveDate,
        seller: Uuid,
        sold_by: Uuid,
        currency: CurrencyCode,
        agency: Option<Uuid>,
        remittances: i64,
        amount: Amount,
        payout: Amount,
    }
}

row! {
    /// Running totals of a seller in a payment group.
    SalesRow in "sales" key (seller: Uuid, group_id: Uuid) {
        seller: Uuid,
        group_id: Uuid,
        currency: CurrencyCode,
        number: i32,
        sold: i64,
        canceled: i64,
        amount: Amount,
        returned: Amount,
        payout: Amount,
        manager_fee: Amount,
        agency_fee: Amount,
        agent_fee: Amount,
        margin: Amount,
    }
}

row! {
    /// Running totals after an event.
    SaleLineRow in "sale_lines" key (position: i64, line: i16) {
        position: i64,
        line: i16,
        sales: i32,
        sold: i64,
        canceled: i64,
        amount: Amount,
        returned: Amount,
        payout: Amount,
        manager_fee: Amount,
        agency_fee: Amount,
        agent_fee: Amount,
        margin: Amount,
    }
}
