//! Decimals of a request: a string or a JSON number, parsed digit by digit.

use super::coded;
use caudal_domain::money::{Amount, AmountError, Rate, RateError};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, SchemaType, Type},
    },
};

/// An amount: at most two decimals, at most 10^12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoneyInput(pub Amount);

/// An exact decimal: a rate or a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateInput(pub Rate);

/// Digits of a string or number, as sent.
fn digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)
        .map_err(|_| coded::<D::Error>("number_invalid"))?
        .get();
    if raw.starts_with('"') {
        return serde_json::from_str(raw).map_err(|_| coded("number_invalid"));
    }
    Ok(raw.to_owned())
}

pub(crate) fn amount(text: &str) -> Result<Amount, &'static str> {
    let amount: Amount = text.parse().map_err(|error| match error {
        AmountError::NotANumber => "number_invalid",
        AmountError::TooManyDecimals => "amount_too_many_decimals",
        AmountError::TooLarge => "amount_too_large",
    })?;
    if amount.abs() > Amount::LARGEST {
        return Err("amount_too_large");
    }
    Ok(amount)
}

pub(crate) fn rate(text: &str) -> Result<Rate, &'static str> {
    text.parse().map_err(|error: RateError| match error {
        RateError::NotANumber => "number_invalid",
        _ => "rate_out_of_range",
    })
}

impl<'de> Deserialize<'de> for MoneyInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        amount(&digits(deserializer)?).map(Self).map_err(coded)
    }
}

impl<'de> Deserialize<'de> for RateInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        rate(&digits(deserializer)?).map(Self).map_err(coded)
    }
}

fn schema(description: &str, example: &str) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Number]))
        .description(Some(description))
        .examples([serde_json::Value::from(example)])
        .build()
        .into()
}

impl PartialSchema for MoneyInput {
    fn schema() -> RefOr<Schema> {
        schema(
            "A decimal amount, at most two decimals, as a string or a JSON number.",
            "1234.50",
        )
    }
}

impl ToSchema for MoneyInput {
    fn name() -> std::borrow::Cow<'static, str> {
        "MoneyInput".into()
    }
}

impl PartialSchema for RateInput {
    fn schema() -> RefOr<Schema> {
        schema("An exact decimal, as a string or a JSON number.", "318.5")
    }
}

impl ToSchema for RateInput {
    fn name() -> std::borrow::Cow<'static, str> {
        "DecimalInput".into()
    }
}
