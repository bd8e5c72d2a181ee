//! Currencies: their reference rate, their distribution rate, and whether they are in use.

use crate::{
    decision::{Context, Decision},
    ids::CurrencyId,
    money::{Amount, CurrencyCode, Rate},
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};

/// In characters; the symbol precedes every amount.
pub const MAX_SYMBOL_LENGTH: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Currency {
    pub id: CurrencyId,
    /// Immutable: accounts are keyed by it.
    pub code: CurrencyCode,
    pub symbol: String,
    /// Reference rate: units per USD.
    pub exchange_rate: Rate,
    /// Default delivery fee, in this currency.
    pub distribution_rate: Amount,
    /// Whether consolidated totals include it.
    pub accounted: bool,
    pub enabled: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CurrencyCommand {
    Add(Currency),
    /// Changes everything but the code.
    Change(Currency),
    /// Removes an unused currency.
    Remove,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum CurrencyEvent {
    CurrencyAdded(Currency),
    CurrencyChanged(Currency),
    /// Removed while nothing used it.
    CurrencyRemoved {
        id: CurrencyId,
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
            Ok(Decision::of(
                CurrencyEvent::CurrencyAdded(currency.clone()),
                currency.id,
            ))
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
            let unchanged = changed == *own;
            Ok(Decision::of(CurrencyEvent::CurrencyChanged(changed), own.id).unless(unchanged))
        }
        (CurrencyCommand::Remove, Some(own)) => {
            require(!ctx.state.uses_currency(own.code), || {
                Refusal::conflict("currency_in_use")
            })?;
            Ok(Decision::of(
                CurrencyEvent::CurrencyRemoved {
                    id: own.id,
                    code: own.code,
                },
                own.id,
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        testing::{
            Business, amount,
            given::{Caller, Then, Tried},
            rate,
        },
    };

    fn pounds() -> Currency {
        Currency {
            id: CurrencyId::generate(),
            code: "GBP".parse().unwrap(),
            symbol: "£".into(),
            exchange_rate: rate("0.8"),
            distribution_rate: amount("3"),
            accounted: true,
            enabled: true,
        }
    }

    fn act(business: &Business, caller: impl Caller, id: CurrencyId, command: CurrencyCommand) -> Tried<Currency> {
        business
            .world
            .given::<Currency>(id)
            .when(business.world.by(caller, command))
    }

    fn known(business: &Business, code: CurrencyCode) -> Currency {
        business.world.tenant_state.currency(code).unwrap().clone()
    }

    #[test]
    fn the_manager_adds_currencies() {
        let business = Business::new();
        let gbp = pounds();
        act(&business, business.manager, gbp.id, CurrencyCommand::Add(gbp.clone()))
            .then_expect_events(vec![CurrencyEvent::CurrencyAdded(gbp.clone())]);
        for caller in [business.agency, business.dealer] {
            act(&business, caller, gbp.id, CurrencyCommand::Add(gbp.clone()))
                .then_refused(Forbidden, "role_not_allowed");
        }
    }

    #[test]
    fn a_code_is_of_one_currency_until_that_is_removed() {
        let mut business = Business::new();
        let mut run = |currency: &Currency, command| {
            let done = business
                .world
                .run(business.manager, Command::Currency(currency.id, command));
            done.map(|_| ()).map_err(|refusal| refusal.code)
        };
        let (first, second) = (pounds(), pounds());
        assert_eq!(run(&first, CurrencyCommand::Add(first.clone())), Ok(()));
        assert_eq!(
            run(&second, CurrencyCommand::Add(second.clone())),
            Err("currency_code_taken")
        );
        assert_eq!(run(&first, CurrencyCommand::Remove), Ok(()));
        assert_eq!(run(&second, CurrencyCommand::Add(second.clone())), Ok(()));
    }

    #[test]
    fn a_change_keeps_the_code_and_the_id() {
        let business = Business::new();
        let cup = known(&business, CurrencyCode::CUP);
        let changed = Currency {
            exchange_rate: rate("340"),
            ..cup.clone()
        };
        let of_another_id = Currency {
            id: CurrencyId::generate(),
            ..changed.clone()
        };
        act(
            &business,
            business.manager,
            cup.id,
            CurrencyCommand::Change(of_another_id),
        )
        .then_expect_events(vec![CurrencyEvent::CurrencyChanged(changed)]);
        act(&business, business.manager, cup.id, CurrencyCommand::Change(pounds()))
            .then_refused(Invalid, "invalid code:code_is_fixed");
        let gbp = pounds();
        act(&business, business.manager, gbp.id, CurrencyCommand::Change(gbp))
            .then_refused(NotFound, "currency_not_found");
    }

    #[test]
    fn a_currency_in_use_is_not_removed() {
        let business = Business::new();
        for code in [CurrencyCode::USD, CurrencyCode::CUP] {
            act(
                &business,
                business.manager,
                known(&business, code).id,
                CurrencyCommand::Remove,
            )
            .then_refused(Conflict, "currency_in_use");
        }
        let eur = known(&business, CurrencyCode::EUR);
        act(&business, business.manager, eur.id, CurrencyCommand::Remove).then_expect_events(vec![
            CurrencyEvent::CurrencyRemoved {
                id: eur.id,
                code: eur.code,
            },
        ]);
    }

    #[test]
    fn cash_or_a_municipalitys_fee_in_a_currency_is_use_of_it() {
        use crate::{
            movement::{DepositTo, Funds},
            reference_data::place::{DistributionFee, PlaceCommand, PlaceSettings},
        };
        let mut with_cash = Business::new();
        let (manager, eur) = (with_cash.manager, known(&with_cash, CurrencyCode::EUR));
        with_cash
            .world
            .deposit(manager, DepositTo::Treasury, Funds::Currency(eur.code), 1_00, false)
            .unwrap();
        let mut with_fee = Business::new();
        let fee = DistributionFee {
            amount: amount("1"),
            currency: CurrencyCode::EUR,
        };
        let settings = PlaceSettings {
            distribution_fee: Some(fee),
            enabled: true,
        };
        let set = PlaceCommand::ChangeMunicipality(with_fee.playa.municipality.unwrap(), settings);
        with_fee.world.run(with_fee.manager, Command::Place(set)).unwrap();
        for business in [with_cash, with_fee] {
            let eur = known(&business, CurrencyCode::EUR).id;
            act(&business, business.manager, eur, CurrencyCommand::Remove).then_refused(Conflict, "currency_in_use");
        }
    }

    #[test]
    fn the_dollar_is_the_reference_and_stays() {
        let business = Business::new();
        let usd = known(&business, CurrencyCode::USD);
        for (changed, rule) in [
            (
                Currency {
                    enabled: false,
                    ..usd.clone()
                },
                "enabled:usd_must_stay_enabled",
            ),
            (
                Currency {
                    exchange_rate: rate("1.1"),
                    ..usd.clone()
                },
                "exchangeRate:usd_rate_is_one",
            ),
        ] {
            act(&business, business.manager, usd.id, CurrencyCommand::Change(changed))
                .then_refused(Invalid, &format!("invalid {rule}"));
        }
    }

    #[test]
    fn rates_are_above_zero_fees_not_below_and_symbols_short_and_printable() {
        let business = Business::new();
        for (currency, rule) in [
            (
                Currency {
                    exchange_rate: rate("0"),
                    ..pounds()
                },
                "exchangeRate:rate_not_positive",
            ),
            (
                Currency {
                    distribution_rate: amount("-0.01"),
                    ..pounds()
                },
                "distributionRate:amount_negative",
            ),
            (
                Currency {
                    distribution_rate: amount("1000000000000.01"),
                    ..pounds()
                },
                "distributionRate:amount_too_large",
            ),
            (
                Currency {
                    symbol: "".into(),
                    ..pounds()
                },
                "symbol:required",
            ),
            (
                Currency {
                    symbol: "pounds".into(),
                    ..pounds()
                },
                "symbol:text_too_long",
            ),
            (
                Currency {
                    symbol: "\u{0}".into(),
                    ..pounds()
                },
                "symbol:text_has_control_characters",
            ),
        ] {
            act(
                &business,
                business.manager,
                currency.id,
                CurrencyCommand::Add(currency.clone()),
            )
            .then_refused(Invalid, &format!("invalid {rule}"));
        }
    }

    #[test]
    fn a_change_to_what_a_currency_is_writes_no_event() {
        let business = Business::new();
        let cup = business.world.tenant_state.currency(CurrencyCode::CUP).unwrap().clone();
        act(
            &business,
            business.manager,
            cup.id,
            CurrencyCommand::Change(cup.clone()),
        )
        .then_expect_events(vec![]);
        let dearer = Currency {
            exchange_rate: rate("999"),
            ..cup.clone()
        };
        act(&business, business.manager, cup.id, CurrencyCommand::Change(dearer)).then_event();
    }
}
