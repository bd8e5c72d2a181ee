//! Money of a preview.

use crate::imports::import::{ImportBalance, ImportSum, Summary};
use caudal_domain::{
    AccountKind, Preview, TransferCode,
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
}

impl Moneys {
    /// Adds a row; the seller's balance after it, if the row moves it.
    pub(super) fn add(&mut self, previews: &[Preview], seller: PartyId) -> Option<(String, String)> {
        let mut last = None;
        for preview in previews {
            if let Some(figures) = &preview.figures {
                self.sums.entry(figures.total_currency).or_default().0 += figures.total_to_pay;
                self.sums.entry(figures.payout_currency).or_default().1 += figures.payout;
            }
            for transfer in &preview.transfers {
                if transfer.code == TransferCode::Delivery {
                    let currency = transfer.credit.account.currency;
                    self.sums.entry(currency).or_default().1 += transfer.amount;
                }
            }
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

    pub(super) fn summary(&self) -> Summary {
        let balances = self.balances.iter().map(|(currency, (begins, ends))| ImportBalance {
            currency: currency.to_string(),
            begins: begins.to_string(),
            ends: ends.to_string(),
        });
        let sums = self.sums.iter().map(|(currency, (charged, paid_out))| ImportSum {
            currency: currency.to_string(),
            charged: charged.to_string(),
            paid_out: paid_out.to_string(),
        });
        Summary {
            balances: balances.collect(),
            sums: sums.collect(),
            unused_proofs: Vec::new(),
        }
    }
}
