//! Money of a preview.

use crate::imports::import::{ImportBalance, ImportSum, ImportTotal, Summary};
use caudal_domain::{
    AccountKind, Preview, PreviewedTransfer, TransferCode,
    ids::PartyId,
    money::{Amount, CurrencyCode},
};
use std::collections::BTreeMap;

/// Money of a preview: the seller's balances before the first row and after the last, and sums, by currency.
#[derive(Default)]
pub(super) struct Moneys {
    balances: BTreeMap<CurrencyCode, (Amount, Amount)>,
    /// Charged and paid out.
    sums: BTreeMap<CurrencyCode, (Amount, Amount)>,
    opened: BTreeMap<CurrencyCode, Amount>,
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
                let currency = side.account.currency;
                self.balances.entry(currency).or_insert((before, after)).1 = after;
                last = Some((after.to_string(), currency.to_string()));
            }
        }
        last
    }

    /// Adds the opening balance of a row that would wait for an approval: the totals of another system have it too.
    pub(super) fn add_waiting(&mut self, preview: &Preview) -> Option<(String, String)> {
        self.add_opening(preview)
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
        let balances = self.balances.iter().map(|(currency, (begins, ends))| ImportBalance {
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

fn opens(transfer: &PreviewedTransfer) -> bool {
    transfer.code == TransferCode::Opening
}
