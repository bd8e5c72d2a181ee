//! Dealers' and delivery men's cash, and what they delivered.

use super::{Checks, IN, OUT, Span, json, minor, oracle::Fact, row_of};
use crate::common::{CUP, MLC, USD};
use caudal_domain::{Account, AccountKind, ids::PartyId, money::CurrencyCode};
use caudal_projections::accounting::{self, DealerClosing};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

impl Checks<'_> {
    pub(super) async fn dealers_cash(&mut self, span: Span) {
        let page = accounting::dealer_closing(&mut self.transaction, &self.manager, &span.list(), self.now)
            .await
            .unwrap();
        assert_eq!(page.total_records, 2);
        for (dealer, closing) in self.street.dealers().into_iter().map(|dealer| {
            let closing = page.data.iter().find(|closing| closing.dealer.id == dealer.0);
            (dealer, closing.unwrap())
        }) {
            self.check_dealer(dealer, closing, span);
        }
    }

    pub(super) fn cash_at(&self, party: PartyId, currency: CurrencyCode, ends: Option<DateTime<Utc>>) -> i64 {
        let of = |fact: &Fact, names: &[&str]| {
            fact.party == party && fact.currency == currency && fact.group.is_none() && names.contains(&fact.what)
        };
        let came = self
            .oracle
            .sum(|fact| of(fact, &IN) || of(fact, &["opened"]), None, ends)
            .0;
        came - self.oracle.sum(|fact| of(fact, &OUT), None, ends).0
    }

    pub(super) fn check_dealer(&self, dealer: PartyId, closing: &DealerClosing, span: Span) {
        let team: Vec<PartyId> = closing.parties.iter().map(|cash| PartyId(cash.party.id)).collect();
        let field = self.street.field();
        let at = field.iter().position(|party| *party == dealer).unwrap();
        assert_eq!(team, field[at..at + 2], "the dealer, then the delivery man");
        for currency in [CUP, MLC, USD] {
            let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
            let mut closings = 0;
            for (party, cash) in team.iter().zip(&closing.parties) {
                let rows = json(&cash.currencies);
                let Some(row) = row_of(&rows, currency) else {
                    assert_eq!(self.cash_at(*party, currency, span.ends()), 0);
                    continue;
                };
                let context = format!("{} {currency} in {span:?}: {row}", self.names[party]);
                let mut balance = minor(row, "opening");
                let begun = span
                    .begins()
                    .map_or(0, |_| self.cash_at(*party, currency, span.begins()));
                let (opened, taken_back) = self.oracle.opened((*party, None), currency, span.begins(), span.ends());
                assert_eq!(balance, begun + opened, "opening of {context}");
                for (names, sign) in [(&IN[..], 1), (&OUT[..], -1)] {
                    for name in names {
                        let what = |fact: &Fact| {
                            fact.party == *party
                                && fact.currency == currency
                                && fact.group.is_none()
                                && fact.what == *name
                        };
                        let (mut expected, times) = self.oracle.sum(what, span.begins(), span.ends());
                        if *name == "received" {
                            expected += taken_back;
                        }
                        assert_eq!(minor(row, name), expected, "{name} of {context}");
                        if *name == "delivered" {
                            assert_eq!(row["deliveries"], times, "{context}");
                        }
                        balance += sign * expected;
                        *sums.entry(name).or_default() += expected;
                    }
                }
                assert_eq!(minor(row, "closing"), balance, "closing of {context}");
                assert_eq!(balance, self.cash_at(*party, currency, span.ends()), "{context}");
                if span.last.is_none() {
                    let account = Account::of(AccountKind::FieldCash, *party, currency);
                    assert_eq!(balance, self.state.balance(account).minor(), "{context}");
                }
                closings += balance;
            }
            let rows = json(&closing.currencies);
            let Some(row) = row_of(&rows, currency) else {
                assert_eq!(closings, 0);
                continue;
            };
            for (name, sum) in sums {
                assert_eq!(minor(row, name), sum, "{name} of the {} team", self.names[&dealer]);
            }
            assert_eq!(minor(row, "closing"), closings);
            assert_eq!(minor(row, "credit"), closings - minor(row, "shipping"));
            if span.last.is_none() {
                let shipping = Account::of(AccountKind::RemittancesShipping, dealer, currency);
                assert_eq!(minor(row, "shipping"), -self.state.balance(shipping).minor());
            }
        }
    }

    pub(super) async fn deliveries(&mut self, span: Span) {
        let page = accounting::dealer_sales(&mut self.transaction, &self.manager, &span.list(), self.now)
            .await
            .unwrap();
        for sales in page.data {
            let team: Vec<PartyId> = sales.parties.iter().map(|row| PartyId(row.party.id)).collect();
            for currency in [CUP, MLC] {
                let of = |what: &'static str| {
                    let wanted =
                        |fact: &Fact| team.contains(&fact.party) && fact.currency == currency && fact.what == what;
                    self.oracle.sum(wanted, span.begins(), span.ends())
                };
                let (delivered, deliveries) = of("delivered");
                let rows = json(&sales.currencies);
                match row_of(&rows, currency) {
                    None => assert_eq!((deliveries, delivered), (0, 0)),
                    Some(row) => {
                        assert_eq!(
                            (minor(row, "delivered"), &row["deliveries"]),
                            (delivered, &deliveries.into())
                        );
                        assert_eq!(minor(row, "distribution_fees"), of("distribution_fees").0);
                    }
                }
            }
        }
    }
}
