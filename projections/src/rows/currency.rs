//! Rows of currencies.

use crate::table::row;
use caudal_domain::money::{Amount, CurrencyCode, Rate};
use uuid::Uuid;

row! {
    CurrencyRow in "currencies" key (id: Uuid) {
        id: Uuid,
        code: CurrencyCode,
        symbol: String,
        exchange_rate: Rate,
        distribution_rate: Amount,
        accounted: bool,
        enabled: bool,
        removed: bool,
        search: String,
    }
}
