//! Bank cards: their brands and the prefixes of their numbers.

use crate::{
    money::CurrencyCode,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Digits in a card number.
pub const CARD_DIGITS: usize = 16;

macro_rules! brands {
    ($($(#[$doc:meta])* $name:ident = $text:literal $prefix:literal $currency:ident),* $(,)?) => {
        /// Who issued a card, and for which currency.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Brand {
            $($(#[$doc])* $name,)*
        }

        impl Brand {
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Leading digits of the brand's card numbers.
            #[must_use]
            pub const fn prefix(self) -> &'static str {
                match self { $(Self::$name => $prefix,)* }
            }

            /// Currency that a payment group must pay out to use this card.
            #[must_use]
            pub const fn currency(self) -> CurrencyCode {
                match self { $(Self::$name => CurrencyCode::$currency,)* }
            }
        }
    };
}

brands! {
    /// Banco de Crédito y Comercio, MLC.
    BandecMlc = "bandec_mlc" "922506" MLC,
    /// Banco Metropolitano, MLC.
    BmMlc = "bm_mlc" "922595" MLC,
    /// Banco Popular de Ahorro, MLC.
    BpaMlc = "bpa_mlc" "922512" MLC,
    /// Banco de Crédito y Comercio, CUP.
    BandecCup = "bandec_cup" "920406" CUP,
    /// Banco Metropolitano, CUP.
    BmCup = "bm_cup" "922495" CUP,
    /// Banco Popular de Ahorro, CUP.
    BpaCup = "bpa_cup" "920212" CUP,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown card brand")]
pub struct UnknownBrand;

impl FromStr for Brand {
    type Err = UnknownBrand;

    fn from_str(text: &str) -> Result<Self, UnknownBrand> {
        Self::ALL
            .iter()
            .copied()
            .find(|brand| brand.as_str() == text)
            .ok_or(UnknownBrand)
    }
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct CardNumber {
    /// Sixteen digits, without separators.
    pub card_number: String,
}

crate::personal::personal_data!(CardNumber);

impl CardNumber {
    /// Parses a number with blanks and hyphens and checks its prefix against the brand.
    ///
    /// # Errors
    /// Not sixteen digits, or a prefix of another brand.
    pub fn parse(text: &str, brand: Brand) -> Result<Self, Refusal> {
        let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        let numeric = digits.len() == CARD_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
        require(numeric, || Refusal::invalid("cardNumber", "card_number_not_16_digits"))?;
        require(digits.starts_with(brand.prefix()), || {
            Refusal::invalid_with(
                "cardNumber",
                "card_number_of_another_brand",
                [("prefix", brand.prefix().into())],
            )
        })?;
        Ok(Self { card_number: digits })
    }
}
