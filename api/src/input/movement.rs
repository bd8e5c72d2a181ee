//! Deposits, transfers, expenses, payments and closures as requests give them.

use super::{
    expected::{ExpectedInput, given},
    field::{Faults, Field},
};
use crate::extract::{MoneyInput, RateInput};
use caudal_domain::{
    Expected, Refusal,
    closure::ClosePeriod,
    ids::{ClosureId, DebitId, PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode, Rate},
    movement::{Deposit, DepositTo, Exchange, Expense, Funds, PayDebits, TransferCash, TransferTo},
};
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;

/// An assignment of money: of a currency (dealers, treasury) or of a group (sellers).
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DepositInput {
    /// How much.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// The currency of cash.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// The group of a balance.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    payment_group_id: Field<PaymentGroupId>,
    /// Whether a seller owes it rather than having paid; false where absent.
    #[serde(default)]
    #[schema(value_type = bool)]
    on_credit: Field<bool>,
    /// A note.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    note: Field<String>,
    /// The figures that the person confirmed; nothing is done at others.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

/// What a receiver of deposits takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Cash of a currency: the treasury, a dealer, a delivery man.
    Cash,
    /// Balance of a payment group: a seller.
    Balance,
}

impl DepositInput {
    /// The figures that the person confirmed; [`Self::command`] refuses what is no such thing.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// The command: cash of a currency, or balance of a group, as its receiver takes.
    ///
    /// # Errors
    /// All fields at fault.
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
                debit: DebitId::generate(),
            })
        })
    }
}

/// Cash moved by a dealer, in one currency or (manager) two.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DealerTransferInput {
    /// Who gives.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    from: Field<PartyId>,
    /// The currency given.
    #[serde(default)]
    #[schema(value_type = String, required, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// How much of it.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// Who receives.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    to: Field<PartyId>,
    /// Whether the manager receives, in place of `to`.
    #[serde(default)]
    #[schema(value_type = bool)]
    to_manager: Field<bool>,
    /// The currency received, where it is another.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    to_currency: Field<CurrencyCode>,
    /// Units of `toCurrency` for one of `currency`.
    #[serde(default)]
    #[schema(value_type = RateInput)]
    rate: Field<Rate>,
    /// A note.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    note: Field<String>,
    /// The figures that the person confirmed; nothing is done at others.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

impl DealerTransferInput {
    /// The figures that the person confirmed; [`Self::command`] refuses what is no such thing.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// The command.
    ///
    /// # Errors
    /// All fields at fault.
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

/// Cash spent by a dealer or delivery man.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExpenseInput {
    /// The currency.
    #[serde(default)]
    #[schema(value_type = String, required, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// How much.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// What for.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1)]
    concept: Field<String>,
}

impl ExpenseInput {
    /// The command.
    ///
    /// # Errors
    /// All fields at fault.
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

/// Pays the debits, oldest first; without amount, all of them.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayDebitsInput {
    /// Which, each once; at most 200.
    #[serde(default)]
    #[schema(value_type = Vec<uuid::Uuid>, required, min_items = 1, max_items = 200)]
    debit_ids: Field<Vec<DebitId>>,
    /// How much of them, in USD.
    #[serde(default)]
    #[schema(value_type = MoneyInput)]
    amount: Field<Amount>,
    /// A note.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    note: Field<String>,
    /// The figures that the person confirmed; nothing is done at others.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

impl PayDebitsInput {
    /// The figures that the person confirmed; [`Self::command`] refuses what is no such thing.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// The command.
    ///
    /// # Errors
    /// All fields at fault.
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

/// Whose period to close, and until which day (YYYYMMDD, inclusive; now when absent).
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ClosureInput {
    /// The seller.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    party_id: Field<PartyId>,
    /// The last day, in the tenant's time zone.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[0-9]{8}$")]
    to: Field<NaiveDate>,
}

impl ClosureInput {
    /// The command.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn command(self, id: ClosureId) -> Result<ClosePeriod, Refusal> {
        let mut faults = Faults::default();
        let party = faults.required("partyId", self.party_id);
        let to = faults.optional("to", self.to);
        faults.finish(|| {
            Some(ClosePeriod {
                id,
                party: party?,
                to,
                debit: DebitId::generate(),
                agency_debit: DebitId::generate(),
            })
        })
    }
}
