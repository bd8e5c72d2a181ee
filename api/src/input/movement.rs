//! Request bodies of deposits, transfers, expenses, payments and closures.

use super::{
    decimal::{MoneyInput, RateInput},
    expected::{ExpectedInput, given},
    field::{Faults, Field},
};
use caudal_domain::{
    Expected, Refusal,
    closure::ClosePeriod,
    ids::{ClosureId, ObligationId, PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode, Rate},
    movement::{Deposit, DepositTo, Exchange, Expense, Funds, PayDebits, TransferCash, TransferTo},
};
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;

/// An assignment: cash of a currency (treasury, dealers, delivery men) or balance of a payment group (sellers).
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DepositInput {
    /// Amount, above 0, as a decimal string such as `100.00`.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// Currency of the cash, such as `CUP`; required for cash.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// Payment group of the balance; required for a seller.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    payment_group_id: Field<PaymentGroupId>,
    /// Whether the seller owes the value instead of paying it now; false by default.
    #[serde(default)]
    #[schema(value_type = bool)]
    on_credit: Field<bool>,
    /// Note, at most 300 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    note: Field<String>,
    /// Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

/// What a receiver of deposits accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Cash: treasury, dealer, delivery man.
    Cash,
    /// Balance of a payment group: seller.
    Balance,
}

impl DepositInput {
    /// Confirmed figures; [`Self::command`] rejects invalid ones.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// Converts to a command for the receiver.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, to: DepositTo, takes: Takes) -> Result<Deposit, Refusal> {
        let mut faults = Faults::default();
        let amount = faults.required("amount", self.amount);
        let funds = match takes {
            Takes::Cash => {
                if faults.optional("paymentGroupId", self.payment_group_id).is_some() {
                    faults.add("paymentGroupId", "not_for_cash");
                }
                faults.required("currency", self.currency).map(Funds::Currency)
            }
            Takes::Balance => {
                if faults.optional("currency", self.currency).is_some() {
                    faults.add("currency", "not_for_balance");
                }
                faults
                    .required("paymentGroupId", self.payment_group_id)
                    .map(Funds::Group)
            }
        };
        let on_credit = faults.optional("onCredit", self.on_credit).unwrap_or_default();
        faults.optional("expected", self.expected);
        let note = faults.note("note", self.note);
        faults.finish(|| {
            Some(Deposit {
                to,
                funds: funds?,
                amount: amount?,
                on_credit,
                note,
                debit: ObligationId::generate(),
            })
        })
    }
}

/// A cash transfer of a dealer, in one currency or (manager only) between two.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DealerTransferInput {
    /// Id of the giving party.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    from: Field<PartyId>,
    /// Currency given, such as `USD`.
    #[serde(default)]
    #[schema(value_type = String, required, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// Amount given, as a decimal string such as `100.00`.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// Id of the receiving party; absent with `toManager`.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    to: Field<PartyId>,
    /// Whether the manager receives, in place of `to`.
    #[serde(default)]
    #[schema(value_type = bool)]
    to_manager: Field<bool>,
    /// Currency received, for an exchange.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    to_currency: Field<CurrencyCode>,
    /// Exchange rate: units of `toCurrency` per unit of `currency`.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    rate: Field<Rate>,
    /// Note, at most 300 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    note: Field<String>,
    /// Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

impl DealerTransferInput {
    /// Confirmed figures; [`Self::command`] rejects invalid ones.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// Converts to a command.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self) -> Result<TransferCash, Refusal> {
        let mut faults = Faults::default();
        let from = faults.required("from", self.from);
        let currency = faults.required("currency", self.currency);
        let amount = faults.required("amount", self.amount);
        let named = faults.optional("to", self.to);
        let to_manager = faults.optional("toManager", self.to_manager).unwrap_or_default();
        let to = match (named, to_manager) {
            (Some(to), false) => Some(TransferTo::Party(to)),
            (None, true) => Some(TransferTo::Manager),
            (Some(_), true) => {
                faults.add("toManager", "to_or_to_manager");
                None
            }
            (None, false) => {
                if faults.is_clear_of("to") {
                    faults.add("to", "required");
                }
                None
            }
        };
        let (to_currency_given, rate_given) = (self.to_currency.is_present(), self.rate.is_present());
        let to_currency = faults.optional("toCurrency", self.to_currency);
        let rate = faults.optional("rate", self.rate);
        if to_currency.is_some() && !rate_given {
            faults.add("rate", "required");
        }
        if rate.is_some() && !to_currency_given {
            faults.add("toCurrency", "required");
        }
        faults.optional("expected", self.expected);
        let note = faults.note("note", self.note);
        faults.finish(|| {
            Some(TransferCash {
                from: from?,
                to: to?,
                amount: amount?,
                currency: currency?,
                exchange: to_currency
                    .zip(rate)
                    .map(|(currency, rate)| Exchange { currency, rate }),
                note,
            })
        })
    }
}

/// An expense of a dealer or delivery man.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExpenseInput {
    /// Currency code, such as `CUP`.
    #[serde(default)]
    #[schema(value_type = String, required, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// Amount, above 0, as a decimal string such as `100.00`.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// Purpose of the expense, at most 300 characters.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1)]
    concept: Field<String>,
}

impl ExpenseInput {
    /// Converts to a command.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, party: PartyId) -> Result<Expense, Refusal> {
        let mut faults = Faults::default();
        let currency = faults.required("currency", self.currency);
        let amount = faults.required("amount", self.amount);
        let concept = faults.required_note("concept", self.concept);
        faults.finish(|| {
            Some(Expense {
                party,
                amount: amount?,
                currency: currency?,
                concept: concept?,
            })
        })
    }
}

/// A payment on debits, oldest first.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayDebitsInput {
    /// Ids of the debits, each once; at most 200.
    #[serde(default)]
    #[schema(value_type = Vec<uuid::Uuid>, required, min_items = 1, max_items = 200)]
    debit_ids: Field<Vec<ObligationId>>,
    /// Amount paid, in USD; absent pays all of them in full.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    amount: Field<Amount>,
    /// Note, at most 300 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    note: Field<String>,
    /// Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

impl PayDebitsInput {
    /// Confirmed figures; [`Self::command`] rejects invalid ones.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// Converts to a command.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self) -> Result<PayDebits, Refusal> {
        let mut faults = Faults::default();
        let debits = faults.required("debitIds", self.debit_ids);
        let amount = faults.optional("amount", self.amount);
        faults.optional("expected", self.expected);
        let note = faults.note("note", self.note);
        faults.finish(|| {
            Some(PayDebits {
                debits: debits?,
                amount,
                note,
            })
        })
    }
}

/// A closure of a seller's period.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ClosureInput {
    /// Id of the seller.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    party_id: Field<PartyId>,
    /// Last day of the period, `YYYYMMDD`, inclusive, in the tenant's time zone; absent for until now.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[0-9]{8}$")]
    to: Field<NaiveDate>,
}

impl ClosureInput {
    /// Converts to a command.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, id: ClosureId) -> Result<ClosePeriod, Refusal> {
        let mut faults = Faults::default();
        let party = faults.required("partyId", self.party_id);
        let to = faults.optional("to", self.to);
        faults.finish(|| {
            Some(ClosePeriod {
                id,
                party: party?,
                to,
                debit: ObligationId::generate(),
                agency_debit: ObligationId::generate(),
            })
        })
    }
}
