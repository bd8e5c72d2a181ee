//! Entries: lists of transfers, each moving one positive amount between two accounts of one currency. An entry that
//! doesn't balance can't be written down.

use super::account::Account;
use crate::money::Amount;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why a transfer is made: what reports and closures group by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransferCode {
    /// Cash put in by the manager.
    Deposit,
    /// Balance assigned to a seller from above.
    Assignment,
    /// What a seller paid, or owes, for an assignment in another currency.
    AssignmentValue,
    /// Balance given by an agency to its agent.
    Given,
    /// What an agent owes its agency for a balance given on credit.
    GivenOnCredit,
    /// Cash handed to a dealer, or to a delivery man by the manager.
    CashOut,
    /// Cash handed by a dealer to its delivery man.
    HandOver,
    /// Cash handed back by a delivery man to its dealer.
    HandBack,
    /// Cash from one field party to another.
    FieldTransfer,
    /// Cash back to the manager.
    CashReturn,
    /// Cash exchanged out of one currency.
    ExchangeOut,
    /// Cash exchanged into another currency.
    ExchangeIn,
    /// An expense of a dealer or delivery man.
    Expense,
    /// A payment on a debit owed to the manager.
    DebitPayment,
    /// A payment on a debit owed to an agency.
    AgencyDebitPayment,
    /// A remittance's payout taken from the seller's balance.
    Sale,
    /// The manager's commission on a remittance, accrued.
    Commission,
    /// The agency's fee on its external agent's sale, accrued.
    AgencyFee,
    /// A remittance assigned to a dealer.
    Assign,
    /// A remittance marked as in error.
    Failure,
    /// A remittance in error back among the pending.
    Reopen,
    /// A remittance paid out.
    Delivery,
    /// The fee for a delivery.
    DistributionFee,
    /// The commission earned by a delivery.
    CommissionEarned,
    /// A payout returned to the seller's balance.
    SaleReturn,
    /// An accrued commission undone.
    CommissionReturn,
    /// An accrued agency fee undone.
    AgencyFeeReturn,
    /// A period's commission billed as a debit.
    Billing,
}

/// One positive amount from one account to another of the same currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    /// The account debited.
    pub debit: Account,
    /// The account credited.
    pub credit: Account,
    /// How much, above 0, in the accounts' currency.
    pub amount: Amount,
    /// Why.
    pub code: TransferCode,
}

/// What one event does to the books.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its transfers, in order.
    pub transfers: Vec<Transfer>,
    /// Whether it takes an earlier entry back: its transfers are that one's, swapped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reversal: bool,
}

impl Entry {
    /// Adds "Dr a / Cr b X". Nothing where X is 0; a negative X swaps the sides.
    #[must_use]
    pub fn post(mut self, debit: Account, credit: Account, amount: Amount, code: TransferCode) -> Self {
        debug_assert_eq!(debit.currency, credit.currency, "a transfer has one currency");
        if amount.is_positive() {
            self.transfers.push(Transfer {
                debit,
                credit,
                amount,
                code,
            });
        } else if !amount.is_zero() {
            self.transfers.push(Transfer {
                debit: credit,
                credit: debit,
                amount: -amount,
                code,
            });
        }
        self
    }

    /// Whether it moves nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.transfers.is_empty()
    }

    /// The entry that takes this one back.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let transfers = self
            .transfers
            .iter()
            .rev()
            .map(|transfer| Transfer {
                debit: transfer.credit,
                credit: transfer.debit,
                ..*transfer
            })
            .collect();
        Self {
            transfers,
            reversal: !self.reversal,
        }
    }

    /// The net effect on each account touched: debits less credits, in minor units.
    #[must_use]
    pub fn net(&self) -> BTreeMap<Account, i128> {
        let mut net = BTreeMap::new();
        for transfer in &self.transfers {
            let minor = i128::from(transfer.amount.minor());
            *net.entry(transfer.debit).or_insert(0) += minor;
            *net.entry(transfer.credit).or_insert(0) -= minor;
        }
        net
    }
}
