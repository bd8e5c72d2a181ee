//! Daily figures of sellers since their last closure; a closure can be cut at the end of any of these days.

use super::entry::{Entry, Transfer, TransferCode};
use crate::{
    ids::{PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    quote::Quote,
    tenant_state::account::AccountKind,
};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// Key of one party's figures for one day, in one payment group or outside all groups.
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

/// A day key of a state snapshot that cannot be parsed; the snapshot is discarded and the log folded instead.
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

/// One day's figures. Amounts of a group are in the group's currency unless a field says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct DayFigures {
    pub opened: Amount,
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
    /// Adds (`sign` 1) or subtracts (`sign` -1) a sale's quote.
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
    pub group: PaymentGroupId,
    pub currency: CurrencyCode,
    /// Balance at the previous cut, or an opening balance posted since, in the group's currency.
    pub opening: Amount,
    /// Received from the manager or the agency.
    pub assigned: Amount,
    /// Passed on by an agency to its agents.
    pub given: Amount,
    /// Payouts sold, including re-sales by an amount edit.
    pub sold: Amount,
    /// Payouts returned by cancellations and by amount edits.
    pub returned: Amount,
    /// opening + assigned − given − sold + returned.
    pub closing: Amount,
    /// Remittances sold, excluding those that an edit moved to another group.
    pub count: i64,
    pub canceled_count: i64,
    /// Amount sent, in USD, including re-sales by an amount edit.
    pub usd: Amount,
    /// Amount sent of canceled or re-quoted remittances, in USD.
    pub returned_usd: Amount,
    /// The manager's commission net of reversals, in USD.
    pub manager_fee: Amount,
    /// The agency's commission net of reversals, in USD.
    pub agency_fee: Amount,
    /// The agent's commission net of reversals, in USD.
    pub agent_fee: Amount,
}

/// A closure's figures that belong to no payment group, in USD.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PeriodTotals {
    /// Commission accrued and unbilled at the cut, including the amount carried over by the previous closure.
    pub commission_accrued: Amount,
    /// Agency fees accrued and unbilled at the cut, including the amount carried over by the previous closure.
    pub agency_fee_accrued: Amount,
    /// Obligations opened in the period less voided ones, excluding the one that this closure opens.
    pub debits_opened: Amount,
    /// Payments on obligations in the period less reversed payments.
    pub debits_paid: Amount,
    /// Outstanding obligations at the cut.
    pub debits_outstanding: Amount,
}

/// State of a party at its last closure: the opening figures of the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastClosure {
    pub cut: DateTime<Utc>,
    pub balances: BTreeMap<PaymentGroupId, Amount>,
    /// Accrued commission carried over; 0 or negative.
    pub commission: Amount,
    /// Accrued agency fees carried over; 0 or negative.
    pub agency_fee: Amount,
    /// Outstanding obligations, including those opened by the closure itself.
    pub debits: Amount,
}

/// Callback that returns the mutable figures of a party's day.
pub(super) type Change<'a> = &'a mut dyn FnMut(PartyId, Option<PaymentGroupId>, &mut dyn FnMut(&mut DayFigures));

/// Adds an entry's effect on balances and accruals to the day.
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
                (AccountKind::Balance, TransferCode::Opening) => {
                    change(owner, account.group, &mut |day| day.opened += amount)
                }
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

/// Adds the parts of a remittance event that its postings do not show: counts, USD sent, commissions.
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
            // A remittance moved between groups is counted in its present group.
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
        | RemittanceEvent::DeliveryDisputeSettled(_)
        | RemittanceEvent::RemittanceHeld(_)
        | RemittanceEvent::HoldReleased(_)
        | RemittanceEvent::HoldKept(_)
        | RemittanceEvent::HeldRemittanceDelivered(_)
        | RemittanceEvent::HoldBreachSettled(_)
        | RemittanceEvent::SaleDeclared(_) => {}
    }
}
