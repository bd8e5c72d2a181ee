//! Money of a preview.

use crate::imports::import::{ImportBalance, ImportSum, ImportTotal, Summary};
use caudal_domain::{
    Account, AccountKind, Preview, PreviewedTransfer, TransferCode,
    ids::PartyId,
    money::{Amount, CurrencyCode},
};
use std::collections::BTreeMap;

/// Money of a preview: the seller's balances before the first row and after the last, and sums.
#[derive(Default)]
pub(super) struct Moneys {
    /// Of the seller's accounts, before the first row and after the last one so far.
    balances: BTreeMap<Account, (Amount, Amount)>,
    /// Charged and paid out.
    sums: BTreeMap<CurrencyCode, (Amount, Amount)>,
    opened: BTreeMap<CurrencyCode, Amount>,
    /// Opening balances of rows that are there already.
    pub(super) opened_before: BTreeMap<CurrencyCode, Amount>,
}

impl Moneys {
    /// Adds a row; the seller's balance after it, if the row moves it, or what the rows up to it open.
    pub(super) fn add(&mut self, previews: &[Preview], seller: PartyId) -> Option<(String, String)> {
        let mut last = None;
        for preview in previews {
            let opened = self.add_opening(preview);
            if let Some(figures) = preview.figures.as_ref().filter(|_| opened.is_none()) {
                self.sums.entry(figures.total_currency).or_default().0 += figures.total_to_pay;
                self.sums.entry(figures.payout_currency).or_default().1 += figures.payout;
            }
            for transfer in &preview.transfers {
                if transfer.code == TransferCode::Delivery {
                    let currency = transfer.credit.account.currency;
                    self.sums.entry(currency).or_default().1 += transfer.amount;
                }
            }
            last = opened.or(last);
            let transfers = preview.transfers.iter();
            for side in transfers.flat_map(|transfer| [transfer.debit, transfer.credit]) {
                let Some((before, after)) = side.balance.filter(|_| side.account.owner == Some(seller)) else {
                    continue;
                };
                // Told as what the party has: cash, or else credits less debits. What it is to deliver is neither.
                let (before, after) = match side.account.kind {
                    AccountKind::FieldCash => (before, after),
                    AccountKind::RemittancesShipping => continue,
                    _ => (-before, -after),
                };
                self.balances.entry(side.account).or_insert((before, after)).1 = after;
                // The balance by which rows are refused, not the commission that is owed besides.
                if is_own(side.account) || last.is_none() {
                    last = Some((after.to_string(), side.account.currency.to_string()));
                }
            }
        }
        last
    }

    /// Adds the opening balance of a row that would wait for an approval: the totals of another system have it too.
    pub(super) fn add_waiting(&mut self, preview: &Preview) -> Option<(String, String)> {
        self.add_opening(preview)
    }

    /// Adds an opening balance that is there already.
    pub(super) fn add_opened_before(&mut self, currency: CurrencyCode, amount: Amount) {
        *self.opened_before.entry(currency).or_default() += amount;
    }

    /// Adds an opening balance, and tells what the rows up to it open; `None` for another command.
    fn add_opening(&mut self, preview: &Preview) -> Option<(String, String)> {
        let mut sum = None;
        for transfer in preview.transfers.iter().filter(|transfer| opens(transfer)) {
            let currency = transfer.debit.account.currency;
            self.sums.entry(currency).or_default();
            let opened = self.opened.entry(currency).or_default();
            *opened += transfer.amount;
            sum = Some((opened.to_string(), currency.to_string()));
        }
        sum
    }

    pub(super) fn summary(&self, expected: &BTreeMap<String, String>) -> Summary {
        let balances = self
            .balances()
            .into_iter()
            .map(|(currency, (begins, ends))| ImportBalance {
                currency: currency.to_string(),
                begins: begins.to_string(),
                ends: ends.to_string(),
            });
        let sums = self.sums.iter().map(|(currency, (charged, paid_out))| ImportSum {
            currency: currency.to_string(),
            charged: charged.to_string(),
            paid_out: paid_out.to_string(),
            opened: self.opened.get(currency).copied().unwrap_or_default().to_string(),
        });
        Summary {
            balances: balances.collect(),
            sums: sums.collect(),
            expected: self.compared(expected),
            unused_proofs: Vec::new(),
        }
    }

    /// The seller's balances by currency: all payment groups together, and what is owed only where the rows move no balance of the
    /// currency.
    fn balances(&self) -> BTreeMap<CurrencyCode, (Amount, Amount)> {
        let mut by_currency: BTreeMap<CurrencyCode, (Amount, Amount)> = BTreeMap::new();
        let has_own = |currency| {
            self.balances
                .keys()
                .any(|account| account.currency == currency && is_own(*account))
        };
        for (account, (begins, ends)) in &self.balances {
            if is_own(*account) || !has_own(account.currency) {
                let sum = by_currency.entry(account.currency).or_default();
                sum.0 += *begins;
                sum.1 += *ends;
            }
        }
        by_currency
    }

    /// Totals of another system beside those of the rows. A currency of the rows that it does not name has none there.
    fn compared(&self, expected: &BTreeMap<String, String>) -> Vec<ImportTotal> {
        if expected.is_empty() {
            return Vec::new();
        }
        let mut totals: BTreeMap<String, (Amount, Amount)> = BTreeMap::new();
        for (currency, total) in expected {
            // Checked with the mapping.
            totals.entry(currency.clone()).or_default().0 = total.parse().unwrap_or_default();
        }
        for (currency, (_, paid_out)) in &self.sums {
            let found = *paid_out + self.opened.get(currency).copied().unwrap_or_default();
            if !found.is_zero() || totals.contains_key(currency.as_str()) {
                totals.entry(currency.to_string()).or_default().1 = found;
            }
        }
        let total = |(currency, (expected, found)): (String, (Amount, Amount))| ImportTotal {
            currency,
            expected: expected.to_string(),
            found: found.to_string(),
            difference: (found - expected).to_string(),
        };
        totals.into_iter().map(total).collect()
    }
}

/// Whether an account is a prepaid balance or cash.
const fn is_own(account: Account) -> bool {
    matches!(account.kind, AccountKind::Balance | AccountKind::FieldCash)
}

fn opens(transfer: &PreviewedTransfer) -> bool {
    transfer.code == TransferCode::Opening
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_domain::{Answer, PreviewedAccount, ids::PaymentGroupId};

    fn amount(text: &str) -> Amount {
        text.parse().unwrap()
    }

    #[test]
    fn balances_are_those_of_all_groups_and_what_is_owed_only_where_no_balance_moves() {
        let seller = PartyId::generate();
        let balance = |group, currency| Account::balance(seller, group, currency);
        let owed = Account::of(AccountKind::CommissionReceivable, seller, CurrencyCode::USD);
        let taken = |account: Account, before: &str, taken: &str| PreviewedTransfer {
            debit: PreviewedAccount {
                account,
                balance: Some((-amount(before), -amount(before) + amount(taken))),
            },
            credit: PreviewedAccount {
                account: Account::of_tenant(AccountKind::Capital, account.currency),
                balance: None,
            },
            amount: amount(taken),
            code: TransferCode::Sale,
        };
        let sale = |transfers: &[PreviewedTransfer]| Preview {
            answer: Answer::default(),
            figures: None,
            transfers: transfers.to_vec(),
            approval: None,
        };
        let told = |moneys: &Moneys| {
            let balances = moneys.summary(&BTreeMap::new()).balances.into_iter();
            let told = balances.map(|one| format!("{} {} {}", one.currency, one.begins, one.ends));
            told.collect::<Vec<_>>()
        };
        let [home, card, dollars] = [(); 3].map(|()| PaymentGroupId::generate());
        let mut moneys = Moneys::default();
        let commission = taken(owed, "0.00", "1.00");
        let left = moneys.add(
            &[sale(&[
                taken(balance(home, CurrencyCode::CUP), "900.00", "480.00"),
                commission,
            ])],
            seller,
        );
        assert_eq!(left, Some(("420.00".to_owned(), "CUP".to_owned())));
        moneys.add(
            &[sale(&[taken(balance(card, CurrencyCode::CUP), "100.00", "30.00")])],
            seller,
        );
        assert_eq!(told(&moneys), ["CUP 1000.00 490.00", "USD 0.00 -1.00"]);
        let left = moneys.add(
            &[sale(&[
                taken(balance(dollars, CurrencyCode::USD), "50.00", "5.00"),
                commission,
            ])],
            seller,
        );
        assert_eq!(left, Some(("45.00".to_owned(), "USD".to_owned())));
        assert_eq!(told(&moneys), ["CUP 1000.00 490.00", "USD 50.00 45.00"]);
    }
}
