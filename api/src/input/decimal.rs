//! Decimals of a request: a string or a JSON number, parsed digit by digit.

use caudal_domain::money::{Amount, AmountError, Rate, RateError};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, SchemaType, Type},
    },
};

/// Schema of an amount: at most two decimals, at most 10^12.
pub struct MoneyInput;

/// Schema of an exact decimal: a rate or a percentage.
pub struct RateInput;

pub(super) fn amount(text: &str) -> Result<Amount, &'static str> {
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

pub(super) fn rate(text: &str) -> Result<Rate, &'static str> {
    text.parse().map_err(|error: RateError| match error {
        RateError::NotANumber => "number_invalid",
        _ => "rate_out_of_range",
    })
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
