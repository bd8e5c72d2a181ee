//! Entries: lists of transfers, each of one positive amount between two accounts of one currency. Debits equal credits
//! by construction.

use super::account::Account;
use crate::money::Amount;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Purpose of a transfer; reports and closures group by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransferCode {
    Deposit,
    /// The balance with which an account begins, from another system.
    Opening,
    /// Balance assigned to a seller from above.
    Assignment,
    /// What a seller paid or owes in another currency for an assignment.
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
    /// Cash moved between field parties.
    FieldTransfer,
    /// Cash returned to the manager.
    CashReturn,
    /// Cash exchanged out of one currency.
    ExchangeOut,
    /// Cash exchanged into another currency.
    ExchangeIn,
    Expense,
    /// A payment on a debit owed to the manager.
    ObligationPayment,
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
    /// An accrued commission reversed.
    CommissionReturn,
    /// An accrued agency fee reversed.
    AgencyFeeReturn,
    /// A period's commission billed as a debit.
    Billing,
}

/// One positive amount moved from one account to another of the same currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    pub debit: Account,
    pub credit: Account,
    /// Above 0, in the accounts' currency.
    pub amount: Amount,
    pub code: TransferCode,
}

/// The postings of one event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub transfers: Vec<Transfer>,
    /// Whether this entry reverses an earlier one: the same transfers with debit and credit swapped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reversal: bool,
}

impl Entry {
    /// Adds the posting "Dr `debit` / Cr `credit` `amount`". Zero adds nothing; a negative amount swaps the sides.
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

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.transfers.is_empty()
    }

    /// The reversing entry.
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

    /// Net effect per account: debits less credits, in minor units.
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
