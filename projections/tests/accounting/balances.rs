//! Balances: of accounts, of everybody, and of reports, now and as of events.

use super::{Checks, IN, OUT, Span, json, minor, oracle::Fact, row_of};
use crate::common::amount;
use caudal_domain::{
    Account, AccountKind, Event, TenantState,
    ids::{PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    remittance::Status,
};
use caudal_projections::{
    ListQuery, Scope, accounting, closure,
    ledger::{self, NormalSide},
    party::profile,
    remittance,
    report::{self, PENDING_DISTRIBUTOR},
};
use chrono::SecondsFormat;
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

/// At how many events along a business the past is looked at.
const LOOKS_BACK: usize = 8;
const HELD_IN: [&str; 4] = ["assigned", "handed_back", "transferred_in", "exchanged_in"];
const HELD_OUT: [&str; 8] = [
    "given",
    "handed_back_to_dealer",
    "transferred_out",
    "exchanged_out",
    "spent",
    "distribution_fees",
    "expenses",
    "returned_to_manager",
];

/// What a row's figures add up to, in hundredths.
fn sum_of(row: &Value, names: &[&str]) -> i64 {
    names.iter().map(|name| minor(row, name)).sum()
}

impl Checks<'_> {
    /// As of events along the way, asked for by position and, where nothing else happened at that moment, by time: every
    /// account, what everybody had and owed, and the closures are what a replay to that event gives.
    pub(super) async fn as_of_events(&mut self) {
        let events = std::mem::take(&mut self.events);
        let mut state = TenantState::default();
        let mut closures = 0;
        for (index, recorded) in events.iter().enumerate() {
            state.apply(&recorded.event, recorded.recorded_at);
            closures += i64::from(matches!(recorded.event, Event::Closure(_)));
            if index % (events.len() / LOOKS_BACK) != 0 {
                continue;
            }
            let mut queries = vec![ListQuery::all().filter("position", recorded.position)];
            if events
                .get(index + 1)
                .is_none_or(|next| next.recorded_at > recorded.recorded_at)
            {
                let at = recorded.recorded_at.to_rfc3339_opts(SecondsFormat::Micros, true);
                queries.push(ListQuery::all().filter("at", at));
            }
            for query in queries {
                self.accounts(&state, &query).await;
                self.balances(&state, &query, recorded.position).await;
                let made = closure::list(&mut self.transaction, &self.manager, &query)
                    .await
                    .unwrap();
                assert_eq!(made.total_records, closures, "{query:?}");
            }
        }
        assert!(closures > 0);
        assert_eq!(state, self.state);
    }

    /// Every account has the balance that the books say.
    pub(super) async fn accounts(&mut self, state: &TenantState, query: &ListQuery) {
        let told = ledger::balances(&mut self.transaction, &self.manager, query)
            .await
            .unwrap();
        let told: BTreeMap<_, _> = told
            .page
            .data
            .into_iter()
            .map(|row| (row.account, row.closing.0))
            .collect();
        let expected: BTreeMap<_, _> = state
            .accounts()
            .map(|(account, balance)| (account.to_string(), balance))
            .collect();
        assert_eq!(told, expected, "{query:?}");
    }

    /// What everybody has and owes, and what would be left, are what the books say.
    pub(super) async fn balances(&mut self, state: &TenantState, query: &ListQuery, through: i64) {
        let page = accounting::party_balances(&mut self.transaction, &self.manager, query)
            .await
            .unwrap();
        assert_eq!(page.total_records, 8);
        for row in page.data {
            let party = PartyId(row.party.id);
            let usd = |kind| state.balance(Account::usd(kind, party));
            assert_eq!(row.debits_outstanding.0, usd(AccountKind::Debits));
            assert_eq!(row.commission_owed.0, usd(AccountKind::CommissionReceivable));
            let owed: Amount = state
                .obligations()
                .filter(|debit| debit.debtor == party && debit.creditor.is_some())
                .map(|debit| debit.outstanding())
                .sum();
            assert_eq!(row.agency_debits_outstanding.0, owed, "{row:?}");
            assert_eq!(row.agency_fee_owed.0, usd(AccountKind::AgencyReceivable) - owed);
            for holding in row.balances {
                let expected = match holding.payment_group_id {
                    Some(group) => state.prepaid(party, PaymentGroupId(group)),
                    None => state.balance(Account::of(AccountKind::FieldCash, party, holding.currency.0)),
                };
                assert_eq!(holding.balance.0, expected);
                let told = json(&holding);
                assert_eq!(
                    sum_of(&told, &HELD_IN) - sum_of(&told, &HELD_OUT),
                    expected.minor(),
                    "{told}"
                );
                self.flowed(party, &told, holding.payment_group_id, through);
            }
        }
        let real = accounting::real_balances(&mut self.transaction, query).await.unwrap();
        let usd: Amount = real.page.data.iter().filter_map(|row| row.usd).map(|usd| usd.0).sum();
        assert_eq!(real.total_usd.0, usd);
        for row in real.page.data {
            let told = json(&row);
            let rows_sum = sum_of(&told, &["treasury", "field_cash", "debits"])
                - sum_of(&told, &["pending", "shipping", "error", "prepaid"]);
            assert_eq!(minor(&told, "real"), rows_sum, "{told}");
            use AccountKind::{
                Balance, Debits, FieldCash, RemittancesError, RemittancesPending, RemittancesShipping, Treasury,
            };
            let counted = [
                Treasury,
                FieldCash,
                RemittancesPending,
                RemittancesShipping,
                RemittancesError,
                Balance,
                Debits,
            ];
            let accounts = state
                .accounts()
                .filter(|(account, _)| account.currency == row.currency.0 && counted.contains(&account.kind));
            let expected: Amount = accounts.map(|(_, balance)| balance).sum();
            assert_eq!(row.real.0, expected, "{row:?}");
        }
    }

    /// What tabs and rounds count of remittances under way, and what the top bar shows of everybody, is what the books say.
    pub(super) async fn standing(&mut self) {
        use AccountKind::{FieldCash, RemittancesError, RemittancesPending, RemittancesShipping};
        let summary = remittance::summary(&mut self.transaction, &self.manager, &ListQuery::default())
            .await
            .unwrap();
        let counted: i64 = summary.statuses.iter().map(|status| status.remittances).sum();
        assert_eq!(summary.total, counted);
        for (status, kind) in [
            (Status::Pending, RemittancesPending),
            (Status::Shipping, RemittancesShipping),
            (Status::Error, RemittancesError),
        ] {
            let shown = summary.statuses.iter().find(|one| one.status == status.into()).unwrap();
            let shown = shown.payouts.iter().map(|one| (one.currency.0, one.payout.0));
            assert_eq!(shown.collect::<BTreeMap<_, _>>(), self.owed(kind), "{status:?}");
        }
        let state = &self.state;
        for party in self.names.keys() {
            let scope = Scope::of(state.party(*party).unwrap(), state);
            let profile = profile::get(&mut self.transaction, &scope).await.unwrap();
            assert!(!profile.payment_groups.is_empty(), "{}", self.names[party]);
            for shown in profile.payment_groups {
                let expected = match shown.payment_group_id {
                    Some(group) => state.prepaid(scope.principal(), PaymentGroupId(group)),
                    None => state.balance(Account::of(FieldCash, *party, shown.currency_to.0)),
                };
                assert_eq!(shown.amount.0, expected, "{} {shown:?}", self.names[party]);
            }
        }
    }

    /// By currency, what is owed to recipients on accounts of a kind.
    pub(super) fn owed(&self, kind: AccountKind) -> BTreeMap<CurrencyCode, Amount> {
        let mut owed = BTreeMap::new();
        for (account, balance) in self.state.accounts().filter(|(account, _)| account.kind == kind) {
            // Credits are negative in the books.
            *owed.entry(account.currency).or_insert(Amount::ZERO) -= balance;
        }
        owed.retain(|_, amount| *amount != Amount::ZERO);
        owed
    }

    /// Every report's totals are the sums of its rows; what is pending by place is what the books owe for it.
    pub(super) async fn reports(&mut self) {
        for report in report::ALL {
            let page = report
                .page(&mut self.transaction, &self.manager, &ListQuery::all())
                .await;
            let page = json(page.unwrap());
            let (rows, totals) = (page["data"].as_array().unwrap(), page["totals"].as_array().unwrap());
            assert_eq!(rows.is_empty(), totals.is_empty(), "{}", report.name);
            for total in totals {
                let own = || rows.iter().filter(|row| row["currency"] == total["currency"]);
                for (field, shown) in total.as_object().unwrap() {
                    let summed = match shown {
                        _ if field == "records" => Value::from(own().count()),
                        Value::Number(_) => Value::from(own().filter_map(|row| row[field].as_i64()).sum::<i64>()),
                        Value::String(_) if field != "currency" => {
                            let sum: Amount = own().filter_map(|row| row[field].as_str()).map(amount).sum();
                            Value::from(sum.to_string())
                        }
                        _ => shown.clone(),
                    };
                    assert_eq!(*shown, summed, "{field} of {}: {total}", report.name);
                }
            }
        }
        let all = ListQuery::all();
        let page = PENDING_DISTRIBUTOR
            .page(&mut self.transaction, &self.manager, &all)
            .await;
        let totals = json(page.unwrap().totals);
        use AccountKind::{RemittancesError, RemittancesPending, RemittancesShipping};
        let mut owed = BTreeMap::new();
        for kind in [RemittancesPending, RemittancesShipping, RemittancesError] {
            for (currency, part) in self.owed(kind) {
                *owed.entry(currency).or_insert(Amount::ZERO) += part;
            }
        }
        assert!(!owed.is_empty());
        for (currency, expected) in owed {
            let shown = row_of(&totals, currency).unwrap();
            assert_eq!(minor(shown, "payout"), expected.minor(), "{shown}");
        }
    }

    /// What a balance came from, through a position, is what happened.
    pub(super) fn flowed(&self, party: PartyId, told: &Value, group: Option<Uuid>, through: i64) {
        let of = |what: &str| {
            let wanted = |fact: &Fact| {
                fact.party == party
                    && fact.position <= through
                    && fact.group.map(|group| group.0) == group
                    && told["currency"] == fact.currency.as_str()
                    && fact.what == what
            };
            self.oracle.sum(wanted, None, None).0
        };
        if group.is_some() {
            assert_eq!(minor(told, "assigned"), of("opened") + of("assigned"), "{told}");
            assert_eq!(minor(told, "given"), of("given"), "{told}");
            assert_eq!(minor(told, "spent"), of("sold") - of("returned"), "{told}");
            return;
        }
        for name in IN.into_iter().chain(OUT) {
            let shown = match name {
                "received" => "assigned",
                "handed_to_delivery_men" => "given",
                "delivered" => "spent",
                other => other,
            };
            let opened = if name == "received" { of("opened") } else { 0 };
            assert_eq!(
                minor(told, shown),
                opened + of(name),
                "{name} of {} {told}",
                self.names[&party]
            );
        }
    }

    /// The trial balance of a span: every account's opening, debits, credits and closing add up, and so do all accounts.
    pub(super) async fn trial_balance(&mut self, span: Span) {
        let mut query = ListQuery::all();
        for (name, day) in [("from", span.first), ("to", span.last)] {
            if let Some(day) = day {
                query = query.filter(name, day.format("%Y%m%d"));
            }
        }
        let page = ledger::balances(&mut self.transaction, &self.manager, &query)
            .await
            .unwrap();
        let mut sums: BTreeMap<CurrencyCode, [i64; 4]> = BTreeMap::new();
        let told = page.totals.iter().map(|total| {
            let figures = [total.opening, total.debits, total.credits, total.closing];
            (total.currency.0, figures.map(|figure| figure.0.minor()))
        });
        let told: BTreeMap<CurrencyCode, [i64; 4]> = told.collect();
        let mut sides: BTreeMap<(CurrencyCode, &str), [i64; 4]> = BTreeMap::new();
        for total in &page.totals {
            for (name, side) in [("debit", total.debit_side), ("credit", total.credit_side)] {
                let figures = [side.opening, side.debits, side.credits, side.closing];
                sides.insert((total.currency.0, name), figures.map(|figure| figure.0.minor()));
            }
            // The whole ledger: what there is, and what it is owed to.
            assert_eq!(total.debit_side.closing, total.credit_side.closing);
            assert_eq!(total.debit_side.opening, total.credit_side.opening);
        }
        for row in page.page.data {
            let (side, name) = (
                row.normal_side,
                if row.normal_side == NormalSide::Debit {
                    "debit"
                } else {
                    "credit"
                },
            );
            let shown = [side.told(row.opening), row.debits, row.credits, side.told(row.closing)];
            let rest = sides.get_mut(&(row.currency.0, name)).unwrap();
            for (rest, figure) in rest.iter_mut().zip(shown) {
                *rest -= figure.0.minor();
            }
            let figures = [row.opening, row.debits, row.credits, row.closing].map(|figure| figure.0.minor());
            assert_eq!(figures[0] + figures[1] - figures[2], figures[3], "{row:?}");
            let sums = sums.entry(row.currency.0).or_default();
            for (sum, figure) in sums.iter_mut().zip(figures) {
                *sum += figure;
            }
            if json(row.kind) == AccountKind::FieldCash.as_str() {
                let owner = PartyId(row.owner.unwrap().id);
                assert_eq!(figures[3], self.cash_at(owner, row.currency.0, span.ends()));
            }
        }
        assert!(
            sides.values().flatten().all(|rest| *rest == 0),
            "rows add up to their sides"
        );
        assert_eq!(told, sums);
        for [opening, debits, credits, closing] in sums.into_values() {
            assert_eq!((opening, closing, debits), (0, 0, credits));
        }
    }
}
