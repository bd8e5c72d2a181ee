//! How single values look in the API: amounts and rates as decimal strings, enumerations as the specification's numbers.

mod debit;
mod late;
mod remittance;

pub use debit::{DebitSource, DebitStatus};
pub use late::LateKind;
pub use remittance::{AttemptReason, DeliveryMethod, DisputeStatus, RemittanceChange};

use caudal_domain::{
    UtilityType as DomainUtilityType,
    customer::{CustomerKind, IdentificationType as DomainIdentificationType, card::Brand},
    money::{Amount, Rate},
    party::Role,
    remittance::Status,
};
use chrono::NaiveDate;
use serde::{Serialize, Serializer};
use std::{borrow::Cow, num::IntErrorKind};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, schema::Schema, schema::Type},
};

/// The day that `YYYYMMDD` says; none where a text is not eight digits, or there is no such day.
#[must_use]
pub fn day(text: &str) -> Option<NaiveDate> {
    let shaped = text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit());
    shaped.then(|| NaiveDate::parse_from_str(text, "%Y%m%d").ok()).flatten()
}

/// A whole number of 0 or more.
///
/// # Errors
/// The code of the violated rule.
pub fn whole(text: &str) -> Result<i64, &'static str> {
    match text.parse::<i64>() {
        Ok(number) if number >= 0 => Ok(number),
        Ok(_) => Err("number_negative"),
        Err(error) => Err(match error.kind() {
            IntErrorKind::NegOverflow => "number_negative",
            IntErrorKind::PosOverflow => "number_out_of_range",
            _ => "number_not_whole",
        }),
    }
}

/// Gives a type a schema of its own in the OpenAPI document.
macro_rules! scalar_schema {
    ($name:ident, $build:expr) => {
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ($build)(ObjectBuilder::new()).into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }
        }
    };
}

/// Whether somebody sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomerSide {
    /// Sends money.
    Sender,
    /// Is paid.
    Recipient,
}

/// Length of a rolling window in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum RollingDays {
    /// One day.
    #[serde(rename = "1")]
    One,
    /// A week.
    #[serde(rename = "7")]
    Seven,
    /// 30 days.
    #[serde(rename = "30")]
    Thirty,
    /// 365 days.
    #[serde(rename = "365")]
    Year,
}

/// A decimal amount with two decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(pub Amount);

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl From<Amount> for Money {
    fn from(amount: Amount) -> Self {
        Self(amount)
    }
}

scalar_schema!(Money, |builder: ObjectBuilder| builder
    .schema_type(Type::String)
    .pattern(Some(r"^-?\d+\.\d{2}$"))
    .description(Some("A decimal amount with two decimals. Never a binary float."))
    .examples(["1234.50"]));

/// An exact decimal without a fixed scale: a rate or a percentage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(pub Rate);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl From<Rate> for Decimal {
    fn from(rate: Rate) -> Self {
        Self(rate)
    }
}

scalar_schema!(Decimal, |builder: ObjectBuilder| builder
    .schema_type(Type::String)
    .pattern(Some(r"^-?\d+(\.\d+)?$"))
    .description(Some("An exact decimal without a fixed scale: a rate or a percentage."))
    .examples(["318.5"]));

/// The code of an entry of the currency nomenclator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CurrencyCode(pub caudal_domain::money::CurrencyCode);

impl Serialize for CurrencyCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl From<caudal_domain::money::CurrencyCode> for CurrencyCode {
    fn from(code: caudal_domain::money::CurrencyCode) -> Self {
        Self(code)
    }
}

scalar_schema!(CurrencyCode, |builder: ObjectBuilder| builder
    .schema_type(Type::String)
    .pattern(Some("^[A-Z]{3}$"))
    .description(Some("The code of an entry of the currency nomenclator."))
    .examples(["CUP"]));

macro_rules! text_enums {
    ($($(#[$meta:meta])* $name:ident($inner:ty) = $text:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.as_str())
            }
        }

        impl From<$inner> for $name {
            fn from(inner: $inner) -> Self {
                Self(inner)
            }
        }

        scalar_schema!($name, |builder: ObjectBuilder| builder
            .schema_type(Type::String)
            .description(Some($text))
            .enum_values(Some(<$inner>::ALL.iter().map(|value| value.as_str()))));
    )*};
}

text_enums! {
    /// What an account is for.
    AccountKind(caudal_domain::AccountKind) = "What an account is for.";
    /// Bank and currency of a card.
    CardBrand(Brand) = "Bank and currency of a card, recognised by its first six digits.";
    /// A sort of thing in the ledger.
    StreamKind(caudal_domain::StreamKind) = "A sort of thing that changes.";
}

macro_rules! number_enums {
    ($($(#[$meta:meta])* $name:ident = $text:literal { $($(#[$vmeta:meta])* $variant:ident = $number:literal),* $(,)? })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant = $number),* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its number in the API.
            #[must_use]
            pub const fn number(self) -> u8 {
                self as u8
            }

            /// By its number in the API.
            #[must_use]
            pub fn numbered(number: u8) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.number() == number)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.number())
            }
        }

        scalar_schema!($name, |builder: ObjectBuilder| builder
            .schema_type(Type::Integer)
            .description(Some($text))
            .enum_values(Some([$($number),*])));
    )*};
}

number_enums! {
    /// A party's role.
    UserType = "A party's role: dealer 2, agent 3, agency 4, manager 5, delivery man 6" {
        /// A dealer.
        Dealer = 2,
        /// An internal or external agent.
        Agent = 3,
        /// An agency.
        Agency = 4,
        /// A manager.
        Manager = 5,
        /// A delivery man.
        DeliveryMan = 6,
    }
    /// A kind of agent.
    AgentType = "A kind of agent: internal 0, external 1" {
        /// Employee of an agency.
        Internal = 0,
        /// Independent seller.
        External = 1,
    }
    /// A kind of distributor.
    DealerType = "A kind of distributor: dealer 0, delivery man 1" {
        /// A dealer.
        Dealer = 0,
        /// A delivery man.
        DeliveryMan = 1,
    }
    /// A side of a remittance.
    CustomerType = "A side of a remittance: sender 0, recipient 1" {
        /// Sends money.
        Sender = 0,
        /// Is paid.
        Recipient = 1,
    }
    /// An identity document.
    IdentificationType = "An identity document: CI 0, passport 1, social security 2, alien card 3, US passport card 4, driver licence 5, official id 6" {
        /// Cuban identity card.
        Ci = 0,
        /// Passport.
        Passport = 1,
        /// Social security number.
        SocialSecurity = 2,
        /// Alien card.
        AlienCard = 3,
        /// United States passport card.
        PassportCardUs = 4,
        /// Driving licence.
        DriverLicense = 5,
        /// Another official document.
        IdOfficial = 6,
    }
    /// A remittance's state.
    RemittanceStatus = "A remittance's state: pending 0, canceled 1, shipping 2, completed 3, error 4" {
        /// Sold, with nobody.
        Pending = 0,
        /// Taken back.
        Canceled = 1,
        /// With a dealer.
        Shipping = 2,
        /// In the recipient's hands.
        Completed = 3,
        /// Could not be delivered.
        Error = 4,
    }
    /// How a commission's utility value is read.
    UtilityType = "How a commission's utilityValue is read: fixed 0, percentage 1" {
        /// An amount of USD.
        Fixed = 0,
        /// A percentage of the amount.
        Percentage = 1,
    }
    /// A span of the calendar around today.
    RangeSelector = "The current day 0, week (from Monday) 1, month 2, year 3, in the tenant's time zone" {
        /// Today.
        Daily = 0,
        /// This week, from Monday.
        Weekly = 1,
        /// This month.
        Monthly = 2,
        /// This year.
        Yearly = 3,
    }
    /// Whose terms these are.
    PaymentGroupType = "Whose terms these are: the catalogue's 0, a party's own 1" {
        /// The catalogue's.
        Catalogue = 0,
        /// A party's own.
        Own = 1,
    }
}

impl From<Role> for UserType {
    fn from(role: Role) -> Self {
        match role {
            Role::Manager => Self::Manager,
            Role::Agency => Self::Agency,
            Role::ExternalAgent | Role::InternalAgent => Self::Agent,
            Role::Dealer => Self::Dealer,
            Role::DeliveryMan => Self::DeliveryMan,
        }
    }
}

impl AgentType {
    /// An agent's kind; none for other roles.
    #[must_use]
    pub const fn of(role: Role) -> Option<Self> {
        match role {
            Role::InternalAgent => Some(Self::Internal),
            Role::ExternalAgent => Some(Self::External),
            _ => None,
        }
    }

    pub(crate) const fn role(self) -> Role {
        match self {
            Self::Internal => Role::InternalAgent,
            Self::External => Role::ExternalAgent,
        }
    }
}

impl DealerType {
    pub(crate) const fn role(self) -> Role {
        match self {
            Self::Dealer => Role::Dealer,
            Self::DeliveryMan => Role::DeliveryMan,
        }
    }
}

impl From<CustomerKind> for CustomerType {
    fn from(kind: CustomerKind) -> Self {
        match kind {
            CustomerKind::Issuer => Self::Sender,
            CustomerKind::Recipient => Self::Recipient,
        }
    }
}

impl From<DomainIdentificationType> for IdentificationType {
    fn from(kind: DomainIdentificationType) -> Self {
        match kind {
            DomainIdentificationType::Ci => Self::Ci,
            DomainIdentificationType::Passport => Self::Passport,
            DomainIdentificationType::SocialSecurity => Self::SocialSecurity,
            DomainIdentificationType::AlienCard => Self::AlienCard,
            DomainIdentificationType::PassportCardUs => Self::PassportCardUs,
            DomainIdentificationType::DriverLicense => Self::DriverLicense,
            DomainIdentificationType::IdOfficial => Self::IdOfficial,
        }
    }
}

impl From<Status> for RemittanceStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::Canceled => Self::Canceled,
            Status::Shipping => Self::Shipping,
            Status::Completed => Self::Completed,
            Status::Error => Self::Error,
        }
    }
}

impl From<DomainUtilityType> for UtilityType {
    fn from(kind: DomainUtilityType) -> Self {
        match kind {
            DomainUtilityType::Fixed => Self::Fixed,
            DomainUtilityType::Percentage => Self::Percentage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_whole_number_is_refused_by_what_is_wrong_with_it() {
        for (text, expected) in [
            ("0", Ok(0)),
            ("9223372036854775807", Ok(i64::MAX)),
            ("-1", Err("number_negative")),
            ("-9223372036854775809", Err("number_negative")),
            ("9223372036854775808", Err("number_out_of_range")),
            ("1.5", Err("number_not_whole")),
            ("x", Err("number_not_whole")),
            ("", Err("number_not_whole")),
        ] {
            assert_eq!(whole(text), expected, "{text:?}");
        }
    }
}
