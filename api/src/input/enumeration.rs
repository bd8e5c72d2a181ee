//! Enumerations of requests: numbers, or names for the newer ones.

use super::field::{FromJson, fault};
use caudal_domain::{
    FieldError, UtilityType,
    customer::{CustomerKind, IdentificationType, card::Brand},
    remittance::AttemptReason,
};
use caudal_projections::scalar as view;
use chrono::{DateTime, Utc};
use serde_json::value::RawValue;

/// Parses a number that selects one of some values.
fn numbered<T: Copy>(raw: &RawValue, values: &[T]) -> Result<T, Vec<FieldError>> {
    let number: usize = serde_json::from_str(raw.get()).map_err(|_| fault("value_unknown"))?;
    values.get(number).copied().ok_or_else(|| fault("value_unknown"))
}

impl FromJson for UtilityType {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        numbered(raw, &[Self::Fixed, Self::Percentage])
    }
}

impl FromJson for CustomerKind {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        numbered(raw, &[Self::Issuer, Self::Recipient])
    }
}

impl FromJson for IdentificationType {
    const BLANK_IS_NULL: bool = true;

    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        numbered(
            raw,
            &[
                Self::Ci,
                Self::Passport,
                Self::SocialSecurity,
                Self::AlienCard,
                Self::PassportCardUs,
                Self::DriverLicense,
                Self::IdOfficial,
            ],
        )
    }
}

impl FromJson for AttemptReason {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        let named = view::AttemptReason::named(&String::from_json(raw)?);
        named.map(|reason| reason.0).ok_or_else(|| fault("value_unknown"))
    }
}

impl FromJson for DateTime<Utc> {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        DateTime::parse_from_rfc3339(&String::from_json(raw)?)
            .map(|moment| moment.to_utc())
            .map_err(|_| fault("time_invalid"))
    }
}

impl FromJson for Brand {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        String::from_json(raw)?.parse().map_err(|_| fault("value_unknown"))
    }
}

/// Whether an agent is an agency's employee or sells on its own terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentKind {
    /// 0.
    Internal,
    /// 1.
    External,
}

impl FromJson for AgentKind {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        numbered(raw, &[Self::Internal, Self::External])
    }
}

/// Owner of a payment group's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermsKind {
    /// 0.
    Catalogue,
    /// 1.
    Party,
}

impl FromJson for TermsKind {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        numbered(raw, &[Self::Catalogue, Self::Party])
    }
}

/// Delivery method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryMethod {
    /// `home`.
    Home,
    /// `card`.
    Card,
}

impl FromJson for DeliveryMethod {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        match String::from_json(raw)?.as_str() {
            "home" => Ok(Self::Home),
            "card" => Ok(Self::Card),
            _ => Err(fault("value_unknown")),
        }
    }
}
