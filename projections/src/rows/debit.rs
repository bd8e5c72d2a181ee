//! Rows of obligations and their payments.

use crate::table::row;
use caudal_domain::{money::Amount, tenant_state::obligation::ObligationOrigin};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    DebitRow in "debits" key (id: Uuid) {
        id: Uuid,
        position: i64,
        debtor: Uuid,
        creditor: Option<Uuid>,
        amount: Amount,
        paid: Amount,
        void: bool,
        origin: ObligationOrigin,
        origin_id: Uuid,
        opened_at: DateTime<Utc>,
        settled_at: Option<DateTime<Utc>>,
    }
}

row! {
    PaymentRow in "debit_payments" key (movement: Uuid, debit: Uuid) {
        movement: Uuid,
        debit: Uuid,
        amount: Amount,
        paid_at: DateTime<Utc>,
        undone_at: Option<DateTime<Utc>>,
    }
}
