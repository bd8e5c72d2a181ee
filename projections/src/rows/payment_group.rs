//! Rows of payment groups.

use crate::table::{Json, row};
use caudal_domain::{
    Commission,
    money::{CurrencyCode, Rate},
};
use uuid::Uuid;

row! {
    /// A payment group of the catalogue.
    PaymentGroupRow in "payment_groups" key (id: Uuid) {
        id: Uuid,
        name: String,
        currency: CurrencyCode,
        exchange_rate: Rate,
        manager_commission: Json<Commission>,
        agency_commission: Json<Commission>,
        agent_commission: Json<Commission>,
        is_active: bool,
        removed: bool,
        search: String,
    }
}
