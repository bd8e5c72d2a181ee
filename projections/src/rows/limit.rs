//! Rows of limit rules.

use crate::table::{Ids, row};
use caudal_domain::money::Amount;
use uuid::Uuid;

row! {
    /// A limit rule as it was set last, also after its removal.
    LimitRuleRow in "limit_rules" key (id: Uuid) {
        id: Uuid,
        /// `sender` or `recipient`.
        side: String,
        /// The rule's window.
        span: String,
        amount: Option<Amount>,
        count: Option<i32>,
        /// Payment groups; empty for all.
        groups: Ids,
    }
}
