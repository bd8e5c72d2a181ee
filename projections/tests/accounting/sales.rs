//! Sales and the dashboard: what was sold, by whom, and on which day.

use super::{Checks, Span, days, json, minor, oracle::Fact, row_of};
use crate::common::{CUP, MLC};
use caudal_domain::{
    ids::PartyId,
    money::{Amount, CurrencyCode},
};
use caudal_projections::{
    ReadTransaction, Scope,
    accounting::{self, DailyCount, DashboardQuery, Per},
};
use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

async fn charted(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    now: DateTime<Utc>,
    asked: &DashboardQuery,
    per: Per,
) -> Vec<DailyCount> {
    let chart = accounting::statistics(transaction, scope, asked, per, now).await;
    chart.unwrap().results
}

impl Checks<'_> {
    pub(super) async fn sales(&mut self, span: Span) {
        let sales = accounting::sales(&mut self.transaction, &self.manager, &span.list(), self.now)
            .await
            .unwrap();
        let rows = json(&sales.page.data);
        for seller in self.street.sellers() {
            for currency in [CUP, MLC] {
                let of = |what: &'static str| {
                    let wanted = move |fact: &Fact| {
                        fact.party == seller && fact.currency == currency && fact.group.is_some() && fact.what == what
                    };
                    self.oracle.sum(wanted, span.begins(), span.ends())
                };
                let mut rows = rows.as_array().unwrap().iter();
                let row =
                    rows.find(|row| row["seller"]["id"] == seller.to_string() && row["currency"] == currency.as_str());
                let Some(row) = row else {
                    assert_eq!((of("usd"), of("payout").0), ((0, 0), 0));
                    continue;
                };
                let context = format!("{} {currency} in {span:?}: {row}", self.names[&seller]);
                assert_eq!(row["remittances"], of("usd").1, "{context}");
                for (name, what) in [
                    ("amount", "usd"),
                    ("payout", "payout"),
                    ("manager_fee", "manager_fee"),
                    ("agency_fee", "agency_fee"),
                    ("agent_fee", "agent_fee"),
                    ("margin", "margin"),
                ] {
                    assert_eq!(minor(row, name), of(what).0, "{name} of {context}");
                }
                assert_eq!(
                    of("payout").0,
                    of("sold").0 - of("returned").0,
                    "sales agree with the ledger"
                );
            }
        }
        for total in json(&sales.totals).as_array().unwrap() {
            let rows = rows.as_array().unwrap().iter();
            let rows = rows.filter(|row| row["currency"] == total["currency"]);
            let (mut amount, mut margin) = (0, 0);
            for row in rows {
                amount += minor(row, "amount");
                margin += minor(row, "margin");
            }
            assert_eq!((minor(total, "amount"), minor(total, "margin")), (amount, margin));
        }
    }

    /// The dashboard counts what was created in the span and stands.
    pub(super) async fn dashboard(&mut self, span: Span) {
        let asked = DashboardQuery {
            period: span.query(),
            ..DashboardQuery::default()
        };
        let stands = |currency: Option<CurrencyCode>, span: Span| {
            let sold = self.oracle.remittances.values().filter(move |sold| {
                !sold.canceled
                    && span.contains(sold.created)
                    && currency.is_none_or(|currency| currency == sold.sale.quote.currency_to)
            });
            sold.fold((0_i64, 0_i64, 0_i64), |(count, payout, usd), sold| {
                let quote = &sold.sale.quote;
                (count + 1, payout + quote.payout.minor(), usd + quote.amount.minor())
            })
        };
        let totals = accounting::totals(&mut self.transaction, &self.manager, &asked, self.now)
            .await
            .unwrap();
        assert_eq!(totals.total_remittances, stands(None, span).0, "{span:?}");
        let report = json(&totals.report);
        for currency in [CUP, MLC] {
            let (count, payout, usd) = stands(Some(currency), span);
            match row_of(&report, currency) {
                None => assert_eq!(count, 0),
                Some(row) => {
                    assert_eq!(row["totalRemittances"], count, "{span:?} {row}");
                    assert_eq!((minor(row, "amount"), minor(row, "amount_usd")), (payout, usd));
                }
            }
        }
        let Some((first, last)) = span.first.zip(span.last) else {
            return;
        };
        let chart = charted(&mut self.transaction, &self.manager, self.now, &asked, Per::Day).await;
        let expected: Vec<(String, i64)> = first
            .iter_days()
            .take_while(|day| *day <= last)
            .map(|day| {
                let one = Span {
                    first: Some(day),
                    last: Some(day),
                };
                (day.format("%Y%m%d").to_string(), stands(None, one).0)
            })
            .collect();
        let counts: Vec<(String, i64)> = chart.into_iter().map(|day| (day.date, day.total)).collect();
        assert_eq!(counts, expected);
        let of_months = charted(&mut self.transaction, &self.manager, self.now, &asked, Per::Month).await;
        assert_eq!(
            of_months.iter().map(|month| month.total).sum::<i64>(),
            totals.total_remittances
        );
        assert!(of_months.iter().all(|month| month.date.ends_with("01")));
        if first == last {
            let of_hours = charted(&mut self.transaction, &self.manager, self.now, &asked, Per::Hour).await;
            for row in of_hours {
                let sold =
                    self.oracle.remittances.values().filter(|sold| {
                        !sold.canceled && sold.created == first && Some(days::hour(sold.at)) == row.hour
                    });
                assert_eq!(row.total, sold.count() as i64, "hour {:?} of {first}", row.hour);
            }
        }
        // The period before, as far as this one has elapsed: on its last day only what was created by the present hour.
        let today = days::day(self.now);
        let length = last - first;
        let begins = first - length - Duration::days(1);
        let ends = if first <= today && today <= last {
            days::begins(begins + (today - first)) + (self.now - days::begins(today))
        } else {
            days::begins(first)
        };
        let before = self
            .oracle
            .remittances
            .values()
            .filter(|sold| !sold.canceled && sold.at >= days::begins(begins) && sold.at < ends);
        assert_eq!(totals.previous_total_remittances, before.count() as i64, "{span:?}");
        self.sellers_table(span).await;
    }

    pub(super) async fn sellers_table(&mut self, span: Span) {
        let office = &self.street.office;
        for caller in [office.manager, office.agency] {
            let scope = office.scope(caller).await;
            let table = accounting::sellers(&mut self.transaction, &scope, &span.list(), self.now)
                .await
                .unwrap();
            let rows: Vec<Uuid> = table.data.iter().map(|row| row.id).collect();
            let mut expected = if caller == office.manager {
                vec![office.agency.0, self.street.free_agent.0, self.street.other_agency.0]
            } else {
                vec![office.clerk.0, office.agent.0]
            };
            expected.sort_unstable();
            let mut sorted = rows.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, expected);
            for row in &table.data {
                let sold = self.oracle.remittances.values().filter(|sold| {
                    let who = if caller == office.manager {
                        sold.sale.agency.unwrap_or(sold.sale.seller)
                    } else {
                        sold.sale.agent.unwrap_or(sold.sale.seller)
                    };
                    !sold.canceled && span.contains(sold.created) && who.0 == row.id
                });
                let (count, usd) = sold.fold((0, 0), |(count, usd), sold| {
                    (count + 1, usd + sold.sale.quote.amount.minor())
                });
                assert_eq!((row.total_remittance, row.amount.0.minor()), (count, usd), "{row:?}");
                for balance in &row.balance {
                    let groups = self
                        .state
                        .groups()
                        .filter(|group| group.currency_to == balance.currency.0);
                    let expected: Amount = groups.map(|group| self.state.prepaid(PartyId(row.id), group.id)).sum();
                    assert_eq!(balance.amount.0, expected);
                }
            }
        }
    }
}
