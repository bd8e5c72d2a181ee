//! Amounts, rates and their rounding. Integers and exact decimals only; binary floats are never used for money.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::{fmt, iter::Sum, str::FromStr};

/// Minor units per unit: all supported currencies have two decimals.
pub const MINOR_UNITS: i64 = 100;

/// An amount in minor units (hundredths). Its currency is kept beside it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Amount(i64);

/// Reasons why a text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    #[error("not a decimal number")]
    NotANumber,
    #[error("more than two decimals")]
    TooManyDecimals,
    /// Outside the range of 64-bit minor units. [`Amount::LARGEST`] is checked by the code that receives an amount from
    /// a caller.
    #[error("too large")]
    TooLarge,
}

impl Amount {
    pub const ZERO: Self = Self(0);
    /// Largest amount that a command may contain, 10^12 units; sums stay far below the limit of 64 bits.
    pub const LARGEST: Self = Self(1_000_000_000_000 * MINOR_UNITS);

    #[must_use]
    pub const fn from_minor(minor: i64) -> Self {
        Self(minor)
    }

    #[must_use]
    pub const fn minor(self) -> i64 {
        self.0
    }

    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// The sum; `None` on overflow of 64 bits.
    #[must_use]
    pub const fn plus(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(minor) => Some(Self(minor)),
            None => None,
        }
    }

    /// The difference; `None` on overflow of 64 bits.
    #[must_use]
    pub const fn minus(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(minor) => Some(Self(minor)),
            None => None,
        }
    }
}

/// Saturates on overflow. Inputs are bounded by [`Amount::LARGEST`], and the guard on every posting
/// ([`crate::state::TenantState::check`]) refuses far below saturation.
impl std::ops::Add for Amount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Amount {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Neg for Amount {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl std::ops::AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::ops::SubAssign for Amount {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, |sum, amount| sum + amount)
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    /// Parses `-?digits(.digits{1,2})?`: no `+`, exponent, grouping or blanks.
    fn from_str(text: &str) -> Result<Self, AmountError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (units, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !plain(units) || !plain(decimals) {
            return Err(AmountError::NotANumber);
        }
        let significant = decimals.trim_end_matches('0');
        if significant.len() > 2 {
            return Err(AmountError::TooManyDecimals);
        }
        let units: i64 = units.parse().map_err(|_| AmountError::TooLarge)?;
        let hundredths: i64 = format!("{significant:0<2}")
            .parse()
            .map_err(|_| AmountError::NotANumber)?;
        let minor = units
            .checked_mul(MINOR_UNITS)
            .and_then(|minor| minor.checked_add(hundredths))
            .ok_or(AmountError::TooLarge)?;
        Ok(Self(if negative { -minor } else { minor }))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let minor = self.0.unsigned_abs();
        let unit = MINOR_UNITS.unsigned_abs();
        write!(f, "{sign}{}.{:02}", minor / unit, minor % unit)
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl TryFrom<String> for Amount {
    type Error = AmountError;

    fn try_from(text: String) -> Result<Self, AmountError> {
        text.parse()
    }
}

impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        amount.to_string()
    }
}

/// Three upper-case letters: ISO 4217, and Cuba's MLC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CurrencyCode([u8; 3]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a currency code has three upper-case letters")]
pub struct InvalidCurrencyCode;

impl CurrencyCode {
    /// The currency of sales and obligations.
    pub const USD: Self = Self(*b"USD");
    pub const CUP: Self = Self(*b"CUP");
    pub const EUR: Self = Self(*b"EUR");
    /// Cuba's freely convertible currency; paid to cards only.
    pub const MLC: Self = Self(*b"MLC");

    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for CurrencyCode {
    type Err = InvalidCurrencyCode;

    fn from_str(text: &str) -> Result<Self, InvalidCurrencyCode> {
        let code: [u8; 3] = text.as_bytes().try_into().map_err(|_| InvalidCurrencyCode)?;
        if code.iter().all(u8::is_ascii_uppercase) {
            Ok(Self(code))
        } else {
            Err(InvalidCurrencyCode)
        }
    }
}

impl TryFrom<String> for CurrencyCode {
    type Error = InvalidCurrencyCode;

    fn try_from(text: String) -> Result<Self, InvalidCurrencyCode> {
        text.parse()
    }
}

impl From<CurrencyCode> for String {
    fn from(code: CurrencyCode) -> Self {
        code.as_str().to_owned()
    }
}

impl fmt::Display for CurrencyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for CurrencyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An exact decimal factor: an exchange rate or a percentage.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate(Decimal);

/// Reasons why a text is not a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    #[error("not a decimal number")]
    NotANumber,
    /// More than [`Rate::MAX_DECIMALS`] decimals.
    #[error("more than 12 decimals")]
    TooManyDecimals,
    /// Beyond [`Rate::LARGEST`].
    #[error("too large")]
    TooLarge,
}

impl Rate {
    pub const ZERO: Self = Self(Decimal::ZERO);
    pub const ONE: Self = Self(Decimal::ONE);
    /// Products of an amount and a rate of this precision are exact within 128 bits.
    pub const MAX_DECIMALS: u32 = 12;
    /// 10^6; keeps products within 128 bits, with [`Rate::MAX_DECIMALS`].
    pub const LARGEST: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

    #[must_use]
    pub const fn decimal(self) -> Decimal {
        self.0
    }

    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 > Decimal::ZERO
    }

    fn fraction(self) -> (i128, i128) {
        (self.0.mantissa(), 10_i128.pow(self.0.scale()))
    }

    /// `round(amount × rate)`, half away from zero; `None` on overflow of 64 bits.
    #[must_use]
    pub fn times(self, amount: Amount) -> Option<Amount> {
        let (numerator, denominator) = self.fraction();
        divide_rounded(i128::from(amount.0).checked_mul(numerator)?, denominator)
    }

    /// `round(amount × rate / 100)`: the rate as a percentage.
    #[must_use]
    pub fn percent_of(self, amount: Amount) -> Option<Amount> {
        let (numerator, denominator) = self.fraction();
        divide_rounded(
            i128::from(amount.0).checked_mul(numerator)?,
            denominator.checked_mul(100)?,
        )
    }

    /// `round(amount / rate)`; `None` when the rate is not positive, or on overflow of 64 bits.
    #[must_use]
    pub fn divide(self, amount: Amount) -> Option<Amount> {
        let (numerator, denominator) = self.fraction();
        if numerator <= 0 {
            return None;
        }
        divide_rounded(i128::from(amount.0).checked_mul(denominator)?, numerator)
    }

    /// Smallest amount whose product with the rate rounds to at least `wanted`; `None` if none exists.
    #[must_use]
    pub fn smallest_reaching(self, wanted: Amount) -> Option<Amount> {
        let (numerator, denominator) = self.fraction();
        if numerator <= 0 || wanted.0 <= 0 {
            return None;
        }
        // round(x) >= w exactly when x >= w - 1/2, so the smallest x is ceil((2w - 1) / 2 / rate).
        let above = (2 * i128::from(wanted.0) - 1).checked_mul(denominator)?;
        let below = numerator.checked_mul(2)?;
        let smallest = above.checked_add(below - 1)? / below;
        i64::try_from(smallest).ok().map(Amount)
    }
}

/// Divides and rounds half away from zero.
fn divide_rounded(numerator: i128, denominator: i128) -> Option<Amount> {
    let quotient = numerator / denominator;
    let remainder = numerator % denominator;
    let away = if remainder.abs().checked_mul(2)? >= denominator.abs() {
        if (numerator < 0) == (denominator < 0) { 1 } else { -1 }
    } else {
        0
    };
    i64::try_from(quotient + away).ok().map(Amount)
}

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (units, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !plain(units) || !plain(decimals) {
            return Err(RateError::NotANumber);
        }
        if decimals.trim_end_matches('0').len() > Self::MAX_DECIMALS as usize {
            return Err(RateError::TooManyDecimals);
        }
        if units.trim_start_matches('0').len() > 7 {
            return Err(RateError::TooLarge);
        }
        let kept = decimals.trim_end_matches('0');
        let sign = if digits.len() == text.len() { "" } else { "-" };
        let normal = if kept.is_empty() {
            format!("{sign}{units}")
        } else {
            format!("{sign}{units}.{kept}")
        };
        let decimal = Decimal::from_str_exact(&normal).map_err(|_| RateError::NotANumber)?;
        if decimal.abs() > Self::LARGEST {
            return Err(RateError::TooLarge);
        }
        Ok(Self(decimal.normalize()))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<String> for Rate {
    type Error = RateError;

    fn try_from(text: String) -> Result<Self, RateError> {
        text.parse()
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> Self {
        rate.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn amount(text: &str) -> Amount {
        text.parse().unwrap()
    }

    fn rate(text: &str) -> Rate {
        text.parse().unwrap()
    }

    #[test]
    fn an_amount_reads_and_writes_two_decimals() {
        for (text, written) in [
            ("0", "0.00"),
            ("1234.5", "1234.50"),
            ("-0.05", "-0.05"),
            ("7.100", "7.10"),
        ] {
            assert_eq!(amount(text).to_string(), written);
        }
    }

    #[test]
    fn a_text_that_is_no_plain_amount_is_refused() {
        for text in [
            "", "-", ".", "1.", ".5", "+1", "1e3", "1,5", " 1", "0x1", "NaN", "1.2.3", "١",
        ] {
            assert_eq!(text.parse::<Amount>(), Err(AmountError::NotANumber), "{text}");
        }
        assert_eq!("1.005".parse::<Amount>(), Err(AmountError::TooManyDecimals));
        assert_eq!("99999999999999999999".parse::<Amount>(), Err(AmountError::TooLarge));
    }

    #[test]
    fn halves_round_away_from_zero() {
        assert_eq!(rate("0.5").times(amount("0.01")), Some(amount("0.01")));
        assert_eq!(rate("0.5").times(amount("-0.01")), Some(amount("-0.01")));
        assert_eq!(rate("-0.1").percent_of(amount("99.99")), Some(amount("-0.10")));
        assert_eq!(rate("318.5").times(amount("49.99")), Some(amount("15921.82")));
        assert_eq!(rate("0.003030303").times(amount("33000.00")), Some(amount("100.00")));
    }

    #[test]
    fn a_rate_has_bounds() {
        assert_eq!("0.0000000000001".parse::<Rate>(), Err(RateError::TooManyDecimals));
        assert_eq!("1000000.1".parse::<Rate>(), Err(RateError::TooLarge));
        assert_eq!("1e3".parse::<Rate>(), Err(RateError::NotANumber));
        assert_eq!(rate("320.0"), rate("320"));
    }

    proptest! {
        #[test]
        fn an_amount_survives_its_text(minor in any::<i64>().prop_filter("has a positive twin", |m| *m != i64::MIN)) {
            prop_assert_eq!(Amount(minor).to_string().parse::<Amount>(), Ok(Amount(minor)));
        }

        #[test]
        fn a_product_is_the_nearest_cent(minor in 0_i64..100_000_000_000_000, mantissa in 1_i64..1_000_000_000, scale in 0_u32..9) {
            let by = Rate(Decimal::new(mantissa, scale));
            let exact = i128::from(minor) * i128::from(mantissa);
            let unit = 10_i128.pow(scale);
            if let Some(product) = by.times(Amount(minor)) {
                let off = exact - i128::from(product.0) * unit;
                prop_assert!(2 * off < unit && 2 * off >= -unit, "{off} of {unit}");
            }
        }

        #[test]
        fn the_backward_amount_is_the_smallest_that_reaches(wanted in 1_i64..1_000_000_000, mantissa in 1_i64..1_000_000_000, scale in 0_u32..9) {
            let by = Rate(Decimal::new(mantissa, scale));
            let found = by.smallest_reaching(Amount(wanted)).unwrap();
            prop_assert!(by.times(found).unwrap().0 >= wanted);
            if found.0 > 0 {
                prop_assert!(by.times(Amount(found.0 - 1)).unwrap().0 < wanted);
            }
        }
    }
}
