//! Rows of accounts, entries, their lines, and flows between accounts.

use crate::table::row;
use caudal_domain::{
    AccountKind, StreamKind,
    money::{Amount, CurrencyCode},
};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    AccountRow in "accounts" key (account: String) {
        account: String,
        number: i32,
        code: i16,
        kind: AccountKind,
        owner: Option<Uuid>,
        group_id: Option<Uuid>,
        currency: CurrencyCode,
        balance: Amount,
        debits: Amount,
        credits: Amount,
        assigned: Amount,
        spent: Amount,
        last_at: DateTime<Utc>,
    }
}

row! {
    EntryRow in "entries" key (position: i64) {
        position: i64,
        at: DateTime<Utc>,
        event_type: String,
        cause_kind: StreamKind,
        cause: Uuid,
        actor: Option<Uuid>,
        role: String,
        reversal: bool,
    }
}

row! {
    /// One side of a transfer: the debit on a line with an even number, the credit on the one after it.
    PostingRow in "postings" key (position: i64, line: i16) {
        position: i64,
        /// Above 0.
        amount: Amount,
        balance_after: Amount,
        debits_after: Amount,
        account: i32,
        flow: i32,
        line: i16,
    }
}

row! {
    /// An account's transfers of one code on one side.
    FlowRow in "flows" key (account: i32, code: String, debited: bool) {
        account: i32,
        code: String,
        debited: bool,
        number: i32,
        total: Amount,
        times: i64,
        /// Last block of positions in which it has a posting.
        block: i32,
    }
}

row! {
    /// A flow's figures at the end of a block of positions in which it has a posting, but for the last one.
    FlowBlockRow in "flow_blocks" key (flow: i32, block: i32) {
        total: Amount,
        times: i64,
        flow: i32,
        block: i32,
    }
}
