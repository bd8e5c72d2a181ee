//! Cash flow of one party in one currency.

use crate::{
    accounting::preview::opened_within,
    ledger::{AccountFlows, Side},
    scalar::Money,
};
use caudal_domain::TransferCode as Code;
use serde::Serialize;
use std::ops::AddAssign;
use utoipa::ToSchema;

/// Cash flow of a field party in a period: opening + received + handed back + transferred in + exchanged in −
/// transferred out − exchanged out − handed to delivery men − handed back to the dealer − delivered − distribution fees
/// − expenses − returned to the manager = closing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashFigures {
    /// Cash at the beginning of the period, or an opening balance posted in it; negative when own cash was advanced.
    pub opening: Money,
    /// Received from the manager, and by a delivery man also from his dealer.
    pub received: Money,
    /// Handed back by delivery men to the dealer.
    pub handed_back: Money,
    /// Received from other field parties.
    pub transferred_in: Money,
    /// Received for cash of another currency.
    pub exchanged_in: Money,
    /// Given to other field parties.
    pub transferred_out: Money,
    /// Given for cash of another currency.
    pub exchanged_out: Money,
    /// Handed by the dealer to delivery men.
    pub handed_to_delivery_men: Money,
    /// Handed back by the delivery man to the dealer.
    pub handed_back_to_dealer: Money,
    /// Paid out to recipients.
    pub delivered: Money,
    /// Number of remittances delivered.
    pub deliveries: i64,
    /// Delivery fees earned, taken from the cash.
    pub distribution_fees: Money,
    /// Expenses paid from the cash.
    pub expenses: Money,
    /// Cash that the party gave back to the manager.
    pub returned_to_manager: Money,
    /// Cash at the end of the period.
    pub closing: Money,
}

impl CashFigures {
    pub(in crate::accounting) fn of(cash: &AccountFlows) -> Self {
        let flowed = |codes: &[Code], side| Money(cash.within(codes, side).amount);
        let came = |codes: &[Code]| flowed(codes, Side::Debit);
        let went = |code: Code| flowed(&[code], Side::Credit);
        let (opened, taken_back) = opened_within(cash, Side::Debit);
        Self {
            opening: Money(cash.opening() + opened),
            received: Money(came(&[Code::CashOut, Code::HandOver]).0 + taken_back),
            handed_back: came(&[Code::HandBack]),
            transferred_in: came(&[Code::FieldTransfer]),
            exchanged_in: came(&[Code::ExchangeIn]),
            transferred_out: went(Code::FieldTransfer),
            exchanged_out: went(Code::ExchangeOut),
            handed_to_delivery_men: went(Code::HandOver),
            handed_back_to_dealer: went(Code::HandBack),
            delivered: went(Code::Delivery),
            deliveries: cash.within(&[Code::Delivery], Side::Credit).times,
            distribution_fees: went(Code::DistributionFee),
            expenses: went(Code::Expense),
            returned_to_manager: went(Code::CashReturn),
            closing: Money(cash.closing()),
        }
    }
}

impl AddAssign for CashFigures {
    fn add_assign(&mut self, other: Self) {
        let add = |sum: &mut Money, part: Money| sum.0 += part.0;
        add(&mut self.opening, other.opening);
        add(&mut self.received, other.received);
        add(&mut self.handed_back, other.handed_back);
        add(&mut self.transferred_in, other.transferred_in);
        add(&mut self.exchanged_in, other.exchanged_in);
        add(&mut self.transferred_out, other.transferred_out);
        add(&mut self.exchanged_out, other.exchanged_out);
        add(&mut self.handed_to_delivery_men, other.handed_to_delivery_men);
        add(&mut self.handed_back_to_dealer, other.handed_back_to_dealer);
        add(&mut self.delivered, other.delivered);
        self.deliveries += other.deliveries;
        add(&mut self.distribution_fees, other.distribution_fees);
        add(&mut self.expenses, other.expenses);
        add(&mut self.returned_to_manager, other.returned_to_manager);
        add(&mut self.closing, other.closing);
    }
}
