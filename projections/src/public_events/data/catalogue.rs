//! Payloads about reference data: currencies, places, payment groups and changes of rates.

use crate::scalar::{CurrencyCode, Decimal, Money};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A currency of the reference data was added or changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencySetV1 {
    /// UUID.
    pub id: Uuid,
    /// Currency code.
    pub code: CurrencyCode,
    /// Symbol, such as `$`.
    pub symbol: String,
    /// Reference rate: units per USD.
    pub exchange_rate: Decimal,
    /// Whether it may be used.
    pub enabled: bool,
}

/// A currency was removed while nothing used it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyRemovedV1 {
    /// Currency.
    pub id: Uuid,
    /// Currency code.
    pub code: CurrencyCode,
}

/// A province was opened or closed for deliveries.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceProvinceChangedV1 {
    /// Province.
    pub id: Uuid,
    /// Whether remittances may be delivered there.
    pub enabled: bool,
}

/// Settings of a municipality were changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceMunicipalityChangedV1 {
    /// Municipality.
    pub id: Uuid,
    /// Whether remittances may be delivered there.
    pub enabled: bool,
    /// Delivery fee; null for the currency's own.
    pub distribution_fee: Option<Money>,
    /// Currency of `distributionFee`.
    pub distribution_fee_currency: Option<CurrencyCode>,
}

/// A payment group was created or changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentGroupSetV1 {
    /// UUID.
    pub id: Uuid,
    /// Name of the group.
    pub name: String,
    /// Currency paid out.
    pub currency_to: CurrencyCode,
    /// Units of `currencyTo` per USD.
    pub exchange_rate: Decimal,
    /// Whether it is sold.
    pub is_active: bool,
}

/// A payment group was withdrawn from sale permanently.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentGroupRemovedV1 {
    /// Payment group.
    pub id: Uuid,
}

/// A change of exchange rates was scheduled, took effect, was canceled or was undone.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RatesV1 {
    /// Change of rates, as in `GET /api/rates/changes/{id}`.
    pub id: Uuid,
}
