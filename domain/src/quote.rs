//! Commissions, terms and quotes: the price and payout of a remittance.

use crate::{
    ids::PaymentGroupId,
    money::{Amount, CurrencyCode, Rate},
    refusal::Refusal,
};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Unit of a commission's utility below the minimal amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UtilityType {
    /// A fixed amount in USD.
    #[default]
    Fixed,
    /// A percentage of the amount.
    Percentage,
}

/// A commission on an amount in USD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Commission {
    /// Percentage of the amount, -100 to 100; negative for a discount.
    pub rate: Rate,
    /// Unit of `utility_value`.
    #[serde(default)]
    pub utility_type: UtilityType,
    /// Below this amount in USD the utility replaces the rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimal_amount: Option<Amount>,
    /// In USD when fixed, otherwise a percentage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility_value: Option<Rate>,
}

impl Commission {
    /// A commission without a utility.
    #[must_use]
    pub fn percentage(rate: Rate) -> Self {
        Self {
            rate,
            ..Self::default()
        }
    }

    /// The commission on an amount in USD, rounded once to the cent; `None` on overflow of 64 bits.
    #[must_use]
    pub fn on(&self, amount: Amount) -> Option<Amount> {
        match (self.minimal_amount, self.utility_value) {
            (Some(minimum), Some(utility)) if amount < minimum => match self.utility_type {
                UtilityType::Fixed => utility.times(Amount::from_minor(crate::money::MINOR_UNITS)),
                UtilityType::Percentage => utility.percent_of(amount),
            },
            _ => self.rate.percent_of(amount),
        }
    }

    /// Validates a commission; `field` prefixes the field names.
    ///
    /// # Errors
    /// A rate beyond ±100, a minimal amount that is negative or beyond the largest, a fixed utility of more than two
    /// decimals or beyond the largest amount, a percentage beyond ±100.
    pub fn validate(&self, field: &str) -> Result<(), Refusal> {
        let hundred = Decimal::ONE_HUNDRED;
        let percentage = |rate: Rate| rate.decimal().abs() <= hundred;
        if !percentage(self.rate) {
            return Err(Refusal::invalid(format!("{field}.rate"), "percentage_out_of_range"));
        }
        let minimum = self.minimal_amount.unwrap_or_default();
        if minimum < Amount::ZERO {
            return Err(Refusal::invalid(format!("{field}.minimalAmount"), "amount_negative"));
        }
        if minimum > Amount::LARGEST {
            return Err(Refusal::invalid(format!("{field}.minimalAmount"), "amount_too_large"));
        }
        let Some(utility) = self.utility_value else {
            return Ok(());
        };
        match self.utility_type {
            UtilityType::Percentage if !percentage(utility) => Err(Refusal::invalid(
                format!("{field}.utilityValue"),
                "percentage_out_of_range",
            )),
            UtilityType::Fixed if utility.decimal().normalize().scale() > 2 => Err(Refusal::invalid(
                format!("{field}.utilityValue"),
                "amount_too_many_decimals",
            )),
            _ => Ok(()),
        }
    }
}

/// A party's terms for one payment group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Terms {
    pub group: PaymentGroupId,
    /// Units of the group's currency paid out per USD.
    pub exchange_rate: Rate,
    pub commission: Commission,
    /// The party's own name for the group; `None` uses the catalogue's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the party may sell it.
    pub is_active: bool,
    /// How far below 0 the party's balance may go, in the group's currency.
    #[serde(default)]
    pub credit_limit: Amount,
}

/// Terms of a sale, frozen in its event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrozenTerms {
    /// Units of the currency paid out per USD.
    pub exchange_rate: Rate,
    pub manager_commission: Commission,
    /// Set when an agency takes part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency_commission: Option<Commission>,
    /// Set when an external agent sells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Commission>,
}

/// Price and payout of a remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Quote {
    /// A: amount sent, in USD.
    pub amount: Amount,
    /// P: amount paid out, in `currency_to`.
    pub payout: Amount,
    pub currency_to: CurrencyCode,
    /// The seller's rate: units of `currency_to` per USD.
    pub exchange_rate: Rate,
    /// Fm: the manager's commission, in USD.
    pub manager_fee: Amount,
    /// Fa: the agency's commission, in USD.
    pub agency_fee: Amount,
    /// Fg: the agent's commission, in USD.
    pub agent_fee: Amount,
    /// Fm + Fa + Fg, in USD.
    pub total_fee: Amount,
    /// A + all fees, in USD.
    pub total_to_pay: Amount,
}

impl FrozenTerms {
    /// Quote for an amount in USD.
    ///
    /// # Errors
    /// An amount that is not positive or too large; a payout or a total that is not positive.
    pub fn quote(&self, amount: Amount, currency_to: CurrencyCode) -> Result<Quote, Refusal> {
        validate_amount("amount", amount)?;
        let too_large = || Refusal::invalid("amount", "amount_too_large");
        let fee = |commission: Option<&Commission>| {
            commission
                .map_or(Some(Amount::ZERO), |commission| commission.on(amount))
                .ok_or_else(too_large)
        };
        let payout = self.exchange_rate.times(amount).ok_or_else(too_large)?;
        let manager_fee = fee(Some(&self.manager_commission))?;
        let agency_fee = fee(self.agency_commission.as_ref())?;
        let agent_fee = fee(self.agent_commission.as_ref())?;
        let total_fee = manager_fee + agency_fee + agent_fee;
        let total_to_pay = amount + total_fee;
        if payout > Amount::LARGEST || total_to_pay > Amount::LARGEST {
            return Err(too_large());
        }
        if !payout.is_positive() {
            return Err(Refusal::invalid("amount", "payout_not_positive"));
        }
        if !total_to_pay.is_positive() {
            return Err(Refusal::invalid("amount", "total_not_positive"));
        }
        Ok(Quote {
            amount,
            payout,
            currency_to,
            exchange_rate: self.exchange_rate,
            manager_fee,
            agency_fee,
            agent_fee,
            total_fee,
            total_to_pay,
        })
    }

    /// Quote for the smallest amount in USD, to the cent, that pays out at least `payout`.
    ///
    /// # Errors
    /// As [`FrozenTerms::quote`], at the field `payout`.
    pub fn quote_for_payout(&self, payout: Amount, currency_to: CurrencyCode) -> Result<Quote, Refusal> {
        validate_amount("payout", payout)?;
        let amount = self
            .exchange_rate
            .smallest_reaching(payout)
            .filter(|amount| *amount <= Amount::LARGEST)
            .ok_or_else(|| Refusal::invalid("payout", "amount_too_large"))?;
        self.quote(amount, currency_to).map_err(|mut refusal| {
            for error in &mut refusal.errors {
                error.field = "payout".into();
            }
            refusal
        })
    }
}

/// Checks an amount of a command: above 0 and at most [`Amount::LARGEST`].
///
/// # Errors
/// Names the field and the rule.
pub fn validate_amount(field: &'static str, amount: Amount) -> Result<(), Refusal> {
    if !amount.is_positive() {
        return Err(Refusal::invalid(field, "amount_not_positive"));
    }
    if amount > Amount::LARGEST {
        return Err(Refusal::invalid_with(
            field,
            "amount_too_large",
            [("max", Amount::LARGEST.to_string())],
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(rate: &str, manager: &str, agency: Option<Commission>) -> FrozenTerms {
        FrozenTerms {
            exchange_rate: rate.parse().unwrap(),
            manager_commission: Commission::percentage(manager.parse().unwrap()),
            agency_commission: agency,
            agent_commission: None,
        }
    }

    fn commission(rate: &str, utility_type: UtilityType, minimum: &str, utility: &str) -> Commission {
        Commission {
            rate: rate.parse().unwrap(),
            utility_type,
            minimal_amount: Some(minimum.parse().unwrap()),
            utility_value: Some(utility.parse().unwrap()),
        }
    }

    #[test]
    fn below_the_minimal_amount_the_fixed_utility_holds() {
        let terms = terms("318.5", "2", Some(commission("5", UtilityType::Fixed, "50", "4.00")));
        let quote = terms.quote("49.99".parse().unwrap(), CurrencyCode::CUP).unwrap();
        assert_eq!(quote.payout.to_string(), "15921.82");
        assert_eq!(
            (quote.manager_fee.to_string(), quote.agency_fee.to_string()),
            ("1.00".into(), "4.00".into())
        );
        assert_eq!(quote.total_to_pay.to_string(), "54.99");
        let at_the_minimum = terms.quote("50.00".parse().unwrap(), CurrencyCode::CUP).unwrap();
        assert_eq!(at_the_minimum.agency_fee.to_string(), "2.50");
    }

    #[test]
    fn below_the_minimal_amount_the_percentage_utility_holds() {
        let terms = terms("1", "-0.1", Some(commission("6", UtilityType::Percentage, "100", "8")));
        let quote = terms.quote("99.99".parse().unwrap(), CurrencyCode::USD).unwrap();
        assert_eq!(
            (quote.manager_fee.to_string(), quote.agency_fee.to_string()),
            ("-0.10".into(), "8.00".into())
        );
        assert_eq!(quote.total_to_pay.to_string(), "107.89");
    }

    #[test]
    fn a_quote_that_pays_or_costs_nothing_is_refused() {
        let nothing_paid = terms("0.004", "0", None)
            .quote("1.00".parse().unwrap(), CurrencyCode::EUR)
            .unwrap_err();
        assert_eq!(nothing_paid.errors[0].code, "payout_not_positive");
        let nothing_to_pay = terms("1", "-100", None)
            .quote("1.00".parse().unwrap(), CurrencyCode::EUR)
            .unwrap_err();
        assert_eq!(nothing_to_pay.errors[0].code, "total_not_positive");
    }

    #[test]
    fn a_payout_that_cannot_be_quoted_is_refused_at_the_payout() {
        for (rate, fee, payout, rule) in [
            ("1", "0", "0", "amount_not_positive"),
            ("0.000000000001", "0", "2", "amount_too_large"),
            ("1", "0", "1000000000000.01", "amount_too_large"),
            ("1", "100", "600000000000", "amount_too_large"),
            ("1", "-100", "5", "total_not_positive"),
        ] {
            let refused = terms(rate, fee, None).quote_for_payout(payout.parse().unwrap(), CurrencyCode::CUP);
            assert_eq!(refused.unwrap_err().to_string(), format!("invalid payout:{rule}"));
        }
        let quote = terms("318.5", "0", None).quote_for_payout("100".parse().unwrap(), CurrencyCode::CUP);
        assert_eq!(
            quote.unwrap().amount.to_string(),
            "0.32",
            "101.92 pesos; 0.31 would pay 98.74"
        );
    }

    fn thousandths(value: i64) -> Rate {
        Decimal::new(value, 3).to_string().parse().unwrap()
    }

    proptest! {
        #[test]
        fn the_total_is_the_amount_and_its_fees(minor in 100_i64..10_000_000_000, rate in 1_i64..1_000_000, fee in -9_000_i64..10_000) {
            let terms = FrozenTerms {
                exchange_rate: thousandths(rate),
                manager_commission: Commission::percentage(thousandths(fee * 10)),
                agency_commission: Some(Commission::percentage(thousandths(fee * 5))),
                agent_commission: None,
            };
            if let Ok(quote) = terms.quote(Amount::from_minor(minor), CurrencyCode::CUP) {
                prop_assert_eq!(quote.total_fee, quote.manager_fee + quote.agency_fee + quote.agent_fee);
                prop_assert_eq!(quote.total_to_pay, quote.amount + quote.total_fee);
                let back = terms.quote_for_payout(quote.payout, CurrencyCode::CUP).unwrap();
                prop_assert!(back.payout >= quote.payout && back.amount <= quote.amount);
            }
        }
    }
}
