//! Rows of movements.

use crate::table::row;
use caudal_domain::{
    money::{Amount, CurrencyCode, Rate},
    movement::MovementKind,
};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    MovementRow in "movements" key (id: Uuid) {
        id: Uuid,
        position: i64,
        number: String,
        kind: MovementKind,
        actor: Uuid,
        role: String,
        from_party: Option<Uuid>,
        to_party: Option<Uuid>,
        group_id: Option<Uuid>,
        amount: Amount,
        currency: CurrencyCode,
        counter_amount: Option<Amount>,
        counter_currency: Option<CurrencyCode>,
        counter_rate: Option<Rate>,
        on_credit: bool,
        debit: Option<Uuid>,
        note: Option<String>,
        created_at: DateTime<Utc>,
        reversed_at: Option<DateTime<Utc>>,
        reversed_by: Option<Uuid>,
        reverse_reason: Option<String>,
        approver: Option<Uuid>,
    }
}
