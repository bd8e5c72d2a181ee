//! Remittances by local day of creation, without canceled ones: the dashboard's figures.

use crate::{
    batch::Batch,
    rows::{DayRow, RemittanceRow},
};
use caudal_domain::money::Amount;

/// Adds a remittance to its day of creation.
pub(crate) fn count_in(batch: &mut Batch, remittance: &RemittanceRow) {
    count(batch, remittance, 1);
}

/// Subtracts a remittance from its day of creation.
pub(crate) fn count_out(batch: &mut Batch, remittance: &RemittanceRow) {
    count(batch, remittance, -1);
}

fn count(batch: &mut Batch, remittance: &RemittanceRow, sign: i64) {
    let sold_by = remittance.agent.unwrap_or(remittance.seller);
    let key = (
        batch.day_of(remittance.created_at),
        remittance.seller,
        sold_by,
        remittance.currency,
    );
    let day = batch
        .kept
        .days
        .get_or_put(key, |(day, seller, sold_by, currency)| DayRow {
            day: *day,
            seller: *seller,
            sold_by: *sold_by,
            currency: *currency,
            agency: remittance.agency,
            remittances: 0,
            amount: Amount::ZERO,
            payout: Amount::ZERO,
        });
    let signed = |amount: Amount| if sign > 0 { amount } else { -amount };
    day.remittances += sign;
    day.amount += signed(remittance.amount);
    day.payout += signed(remittance.payout);
}
