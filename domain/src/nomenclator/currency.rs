//! Currencies: their reference rate, their distribution rate, and whether they are in use.

use crate::{
    decision::{Claim, ClaimKind, Context, Decision},
    ids::CurrencyId,
    money::{Amount, CurrencyCode, Rate},
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};

/// The longest currency symbol, in characters: it stands before every amount.
pub const MAX_SYMBOL_LENGTH: usize = 5;

/// A currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Currency {
    /// Its id.
    pub id: CurrencyId,
    /// Its code; fixed once made, since accounts bear it.
    pub code: CurrencyCode,
    /// Its symbol.
    pub symbol: String,
    /// Reference units of it per USD.
    pub exchange_rate: Rate,
    /// The fee for a delivery in it.
    pub distribution_rate: Amount,
    /// Whether it counts in consolidated totals.
    pub accounted: bool,
    /// Whether it may be used.
    pub enabled: bool,
}

/// What may be asked of a currency.
#[derive(Clone, Debug, PartialEq)]
pub enum CurrencyCommand {
    /// Makes a currency.
    Add(Currency),
    /// Changes all but its code.
    Change(Currency),
    /// Takes it out, where nothing uses it.
    Remove,
}

/// What happened to a currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum CurrencyEvent {
    /// It was made.
    CurrencyAdded(Currency),
    /// It was changed.
    CurrencyChanged(Currency),
    /// It was taken out.
    CurrencyRemoved {
        /// Its id.
        id: CurrencyId,
        /// Its code.
        code: CurrencyCode,
    },
}

impl Currency {
    pub(crate) fn fold(_state: Option<Self>, event: &CurrencyEvent) -> Option<Self> {
        match event {
            CurrencyEvent::CurrencyAdded(currency) | CurrencyEvent::CurrencyChanged(currency) => Some(currency.clone()),
            CurrencyEvent::CurrencyRemoved { .. } => None,
        }
    }

    fn validate(&self) -> Result<(), Refusal> {
        crate::text::required("symbol", &self.symbol, MAX_SYMBOL_LENGTH)?;
        require(self.exchange_rate.is_positive(), || {
            Refusal::invalid("exchangeRate", "rate_not_positive")
        })?;
        require(self.distribution_rate >= Amount::ZERO, || {
            Refusal::invalid("distributionRate", "amount_negative")
        })?;
        require(self.distribution_rate <= Amount::LARGEST, || {
            Refusal::invalid("distributionRate", "amount_too_large")
        })?;
        require(self.code != CurrencyCode::USD || self.enabled, || {
            Refusal::invalid("enabled", "usd_must_stay_enabled")
        })?;
        require(
            self.code != CurrencyCode::USD || self.exchange_rate == Rate::ONE,
            || Refusal::invalid("exchangeRate", "usd_rate_is_one"),
        )
    }
}

pub(crate) fn decide(
    own: Option<&Currency>,
    command: &CurrencyCommand,
    ctx: &Context<'_>,
) -> Result<Decision<CurrencyEvent>, Refusal> {
    ctx.require_manager()?;
    match (command, own) {
        (CurrencyCommand::Add(currency), None) => {
            currency.validate()?;
            let claim = Claim::take(ClaimKind::CurrencyCode, currency.id.0, currency.code.to_string());
            Ok(Decision::of(CurrencyEvent::CurrencyAdded(currency.clone()), currency.id).claiming(claim))
        }
        (CurrencyCommand::Add(_), Some(_)) => Err(Refusal::conflict("already_exists")),
        (CurrencyCommand::Change(_) | CurrencyCommand::Remove, None) => Err(Refusal::not_found("currency_not_found")),
        (CurrencyCommand::Change(currency), Some(own)) => {
            currency.validate()?;
            require(currency.code == own.code, || Refusal::invalid("code", "code_is_fixed"))?;
            let changed = Currency {
                id: own.id,
                ..currency.clone()
            };
            Ok(Decision::of(CurrencyEvent::CurrencyChanged(changed), own.id))
        }
        (CurrencyCommand::Remove, Some(own)) => {
            require(!ctx.books.uses_currency(own.code), || {
                Refusal::conflict("currency_in_use")
            })?;
            let release = Claim::release(ClaimKind::CurrencyCode, own.id.0);
            Ok(Decision::of(
                CurrencyEvent::CurrencyRemoved {
                    id: own.id,
                    code: own.code,
                },
                own.id,
            )
            .claiming(release))
        }
    }
}
