//! Scalar values: texts, numbers, ids, days. Numbers are parsed from digits.

use super::{
    decimal,
    field::{FromJson, fault, fault_with},
};
use caudal_domain::{
    FieldError,
    ids::{
        CardId, CurrencyId, CustomerId, MunicipalityId, ObligationId, PartyId, PaymentGroupId, ProvinceId, RemittanceId,
    },
    money::{Amount, CurrencyCode, Rate},
};
use caudal_projections::scalar;
use chrono::NaiveDate;
use serde_json::value::RawValue;

impl FromJson for String {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        serde_json::from_str(raw.get()).map_err(|_| fault("text_expected"))
    }
}

impl FromJson for bool {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        match raw.get() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(fault("boolean_expected")),
        }
    }
}

/// Text of a JSON string, or digits of a JSON number.
fn digits(raw: &RawValue) -> Option<String> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'"') => serde_json::from_str(text).ok(),
        Some(b'-' | b'0'..=b'9') => Some(text.to_owned()),
        _ => None,
    }
}

/// Parses an amount.
///
/// # Errors
/// Not a plain decimal, more than two decimals, or beyond the largest amount.
pub fn money(text: &str) -> Result<Amount, Vec<FieldError>> {
    decimal::amount(text).map_err(|code| match code {
        "amount_too_large" => fault_with(code, [("max", Amount::LARGEST.to_string())]),
        code => fault(code),
    })
}

/// Parses a day, `YYYYMMDD`.
///
/// # Errors
/// Not eight digits, or not a date.
pub fn day(text: &str) -> Result<NaiveDate, Vec<FieldError>> {
    scalar::day(text).ok_or_else(|| fault("date_invalid"))
}

impl FromJson for Amount {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        money(&digits(raw).ok_or_else(|| fault("number_invalid"))?)
    }
}

impl FromJson for Rate {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        let digits = digits(raw).ok_or_else(|| fault("number_invalid"))?;
        decimal::rate(&digits).map_err(fault)
    }
}

/// A whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole(pub(super) u32);

impl FromJson for Whole {
    const BLANK_IS_NULL: bool = true;

    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        let number = scalar::whole(raw.get().trim_matches('"')).map_err(fault)?;
        let number = number.try_into().map_err(|_| fault("number_out_of_range"))?;
        Ok(Self(number))
    }
}

impl FromJson for CurrencyCode {
    const BLANK_IS_NULL: bool = true;

    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        String::from_json(raw)?
            .parse()
            .map_err(|_| fault("currency_code_invalid"))
    }
}

impl FromJson for NaiveDate {
    const BLANK_IS_NULL: bool = true;

    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        day(&String::from_json(raw)?)
    }
}

macro_rules! ids {
    ($($id:ty),* $(,)?) => {$(
        impl FromJson for $id {
            const BLANK_IS_NULL: bool = true;

            fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
                String::from_json(raw)?.parse().map_err(|_| fault("id_invalid"))
            }
        }
    )*};
}

ids!(
    CardId,
    CurrencyId,
    CustomerId,
    ObligationId,
    MunicipalityId,
    PartyId,
    PaymentGroupId,
    ProvinceId,
    RemittanceId
);
