//! Rows of provinces and municipalities.

use crate::table::row;
use caudal_domain::money::{Amount, CurrencyCode};
use uuid::Uuid;

row! {
    ProvinceRow in "provinces" key (id: Uuid) {
        id: Uuid,
        code: String,
        iso: String,
        name: String,
        enabled: bool,
    }
}

row! {
    MunicipalityRow in "municipalities" key (id: Uuid) {
        id: Uuid,
        province: Uuid,
        code: String,
        name: String,
        fee: Option<Amount>,
        fee_currency: Option<CurrencyCode>,
        enabled: bool,
    }
}
