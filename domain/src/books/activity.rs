//! What sellers did since their last closure, by day, so that a closure can be cut at the end of any of those days.

use super::entry::{Entry, Transfer, TransferCode};
use crate::{
    books::account::AccountKind,
    ids::{PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    quote::Quote,
};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// One party's figures of one day: of one group, or those that have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct DayKey {
    pub party: PartyId,
    pub day: NaiveDate,
    pub group: Option<PaymentGroupId>,
}

impl fmt::Display for DayKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.party, self.day)?;
        self.group.map_or(Ok(()), |group| write!(f, "/{group}"))
    }
}

impl From<DayKey> for String {
    fn from(key: DayKey) -> Self {
        key.to_string()
    }
}

/// A snapshot's key that can't be read; the snapshot is then not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a day's key")]
pub(super) struct InvalidDayKey;

impl FromStr for DayKey {
    type Err = InvalidDayKey;

    fn from_str(text: &str) -> Result<Self, InvalidDayKey> {
        let mut parts = text.split('/');
        let party = parts.next().and_then(|id| id.parse().ok()).ok_or(InvalidDayKey)?;
        let day = parts.next().and_then(|day| day.parse().ok()).ok_or(InvalidDayKey)?;
        let group = parts
            .next()
            .map(|id| id.parse().map_err(|_| InvalidDayKey))
            .transpose()?;
        Ok(Self { party, day, group })
    }
}

impl TryFrom<String> for DayKey {
    type Error = InvalidDayKey;

    fn try_from(text: String) -> Result<Self, InvalidDayKey> {
        text.parse()
    }
}

/// A day's figures. Of a group: in the group's currency where not said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct DayFigures {
    pub assigned: Amount,
    pub given: Amount,
    pub sold: Amount,
    pub returned: Amount,
    pub count: i64,
    pub canceled_count: i64,
    pub usd: Amount,
    pub returned_usd: Amount,
    pub manager_fee: Amount,
    pub agency_fee: Amount,
    pub agent_fee: Amount,
    pub commission_accrued: Amount,
    pub agency_fee_accrued: Amount,
    pub debits_opened: Amount,
    pub debits_paid: Amount,
}

impl DayFigures {
    /// Counts a sale's quote in (`1`) or out (`-1`).
    fn count_quote(&mut self, quote: &Quote, sign: i64) {
        if sign > 0 {
            self.usd += quote.amount;
        } else {
            self.returned_usd += quote.amount;
        }
        let signed = |amount: Amount| if sign > 0 { amount } else { -amount };
        self.manager_fee += signed(quote.manager_fee);
        self.agency_fee += signed(quote.agency_fee);
        self.agent_fee += signed(quote.agent_fee);
    }
}

/// A closure's figures of one payment group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupFigures {
    /// The group.
    pub group: PaymentGroupId,
    /// Its currency.
    pub currency: CurrencyCode,
    /// The balance at the cut before, in the group's currency.
    pub opening: Amount,
    /// Assigned to the party.
    pub assigned: Amount,
    /// Given by it to its agents.
    pub given: Amount,
    /// Payouts sold, edited amounts sold again.
    pub sold: Amount,
    /// Payouts returned by cancel, and by edits.
    pub returned: Amount,
    /// opening + assigned − given − sold + returned.
    pub closing: Amount,
    /// Remittances sold, without those moved to another group by an edit.
    pub count: i64,
    /// Remittances canceled.
    pub canceled_count: i64,
    /// Sent, in USD; edited amounts sent again.
    pub usd: Amount,
    /// Canceled, or replaced by an edit, in USD.
    pub returned_usd: Amount,
    /// The manager's commission, net of what was undone, in USD.
    pub manager_fee: Amount,
    /// The agency's, likewise.
    pub agency_fee: Amount,
    /// The agent's, likewise.
    pub agent_fee: Amount,
}

/// A closure's figures that have no group, in USD.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PeriodTotals {
    /// Commission accrued and not billed at the cut, with what the closure before carried over.
    pub commission_accrued: Amount,
    /// The agency's fees accrued and not billed at the cut, likewise.
    pub agency_fee_accrued: Amount,
    /// Debits opened in the period, less those made void. What this closure bills is not among them.
    pub debits_opened: Amount,
    /// Paid on debits in the period, less what was taken back.
    pub debits_paid: Amount,
    /// Outstanding debits at the cut.
    pub debits_outstanding: Amount,
}

/// Where a party's last closure left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastClosure {
    /// Its cut.
    pub cut: DateTime<Utc>,
    /// The balances at the cut, by group.
    pub balances: BTreeMap<PaymentGroupId, Amount>,
    /// Commission accrued and carried over (never above 0).
    pub commission: Amount,
    /// Agency fees accrued and carried over (never above 0).
    pub agency_fee: Amount,
    /// Outstanding debits, with those that it opened.
    pub debits: Amount,
}

/// Something to add to a party's day.
pub(super) type Change<'a> = &'a mut dyn FnMut(PartyId, Option<PaymentGroupId>, &mut dyn FnMut(&mut DayFigures));

/// Adds an entry's effects on balances and accruals.
pub(super) fn add_entry(entry: &Entry, change: Change<'_>) {
    for transfer in &entry.transfers {
        let (original, sign) = if entry.reversal {
            (
                Transfer {
                    debit: transfer.credit,
                    credit: transfer.debit,
                    ..*transfer
                },
                -1,
            )
        } else {
            (*transfer, 1)
        };
        let amount = if sign > 0 { transfer.amount } else { -transfer.amount };
        for (account, credited) in [(original.debit, false), (original.credit, true)] {
            let Some(owner) = account.owner else { continue };
            match (account.kind, original.code) {
                (AccountKind::Balance, TransferCode::Assignment) => {
                    change(owner, account.group, &mut |day| day.assigned += amount)
                }
                (AccountKind::Balance, TransferCode::Given) if credited => {
                    change(owner, account.group, &mut |day| day.assigned += amount);
                }
                (AccountKind::Balance, TransferCode::Given) => {
                    change(owner, account.group, &mut |day| day.given += amount)
                }
                (AccountKind::Balance, TransferCode::Sale) => {
                    change(owner, account.group, &mut |day| day.sold += amount)
                }
                (AccountKind::Balance, TransferCode::SaleReturn) => {
                    change(owner, account.group, &mut |day| day.returned += amount)
                }
                (AccountKind::CommissionReceivable, TransferCode::Commission | TransferCode::CommissionReturn) => {
                    let signed = if credited { -amount } else { amount };
                    change(owner, None, &mut |day| day.commission_accrued += signed);
                }
                (AccountKind::AgencyReceivable, TransferCode::AgencyFee | TransferCode::AgencyFeeReturn) => {
                    let signed = if credited { -amount } else { amount };
                    change(owner, None, &mut |day| day.agency_fee_accrued += signed);
                }
                _ => {}
            }
        }
    }
}

/// Adds what a remittance's event says beyond its postings: counts, dollars and fees.
pub(super) fn add_remittance(event: &crate::remittance::RemittanceEvent, change: Change<'_>) {
    use crate::remittance::RemittanceEvent;
    match event {
        RemittanceEvent::RemittanceCreated(created) => {
            change(created.sale.seller, Some(created.sale.group), &mut |day| {
                day.count += 1;
                day.count_quote(&created.sale.quote, 1);
            })
        }
        RemittanceEvent::RemittanceAmountEdited(edited) => {
            // It is counted where it is now.
            let moved = i64::from(edited.previous_group != edited.sale.group);
            change(edited.sale.seller, Some(edited.previous_group), &mut |day| {
                day.count -= moved;
                day.count_quote(&edited.previous_quote, -1);
            });
            change(edited.sale.seller, Some(edited.sale.group), &mut |day| {
                day.count += moved;
                day.count_quote(&edited.sale.quote, 1);
            });
        }
        RemittanceEvent::RemittanceCanceled(canceled) => change(canceled.seller, Some(canceled.group), &mut |day| {
            day.canceled_count += 1;
            day.count_quote(&canceled.quote, -1);
        }),
        RemittanceEvent::RemittanceDetailsEdited(_)
        | RemittanceEvent::RemittanceAssigned(_)
        | RemittanceEvent::RemittanceFailed(_)
        | RemittanceEvent::RemittanceCompleted(_)
        | RemittanceEvent::DeliveryAttempted(_)
        | RemittanceEvent::DeliveryDisputed(_)
        | RemittanceEvent::DeliveryDisputeSettled(_) => {}
    }
}
