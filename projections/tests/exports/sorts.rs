//! Every sort of every list.

use crate::common::Office;
use caudal_domain::ids::PartyId;
use caudal_projections::{
    ListQuery, ReadError, ReadTransaction, Scope, accounting, api_key, audit, closure, customer, debit, late, ledger,
    lists::{self, List},
    movement,
    page::Paged,
    party, rates, reference_data, remittance,
    scalar::CustomerType,
    webhook,
};
use futures::future::BoxFuture;
use serde::Serialize;
use std::collections::BTreeSet;

async fn rows<P, F>(office: &Office, who: PartyId, list: F, query: &ListQuery) -> Vec<String>
where
    P: Paged<Row: Serialize>,
    F: for<'a> Fn(&'a mut ReadTransaction, &'a Scope, &'a ListQuery) -> BoxFuture<'a, Result<P, ReadError>>,
{
    let scope = office.scope(who).await;
    let page = list(&mut office.begin().await, &scope, query).await;
    let rows = page.unwrap_or_else(|error| panic!("{query:?}: {error}")).into_rows();
    rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect()
}

/// Queries a list with each of its sorts in both directions: all rows at once, and page by page.
async fn sorts<P, L, F>(office: &Office, who: PartyId, declared: &'static List<L>, list: F)
where
    P: Paged<Row: Serialize>,
    F: for<'a> Fn(&'a mut ReadTransaction, &'a Scope, &'a ListQuery) -> BoxFuture<'a, Result<P, ReadError>> + Copy,
{
    let all = rows(office, who, list, &ListQuery::all()).await;
    let known: BTreeSet<&String> = all.iter().collect();
    let sorts = declared.declared().sorts;
    assert_eq!(sorts.len(), sorts.iter().collect::<BTreeSet<_>>().len(), "{sorts:?}");
    for sort in sorts.iter().flat_map(|sort| [(*sort).to_owned(), format!("-{sort}")]) {
        let mut query = ListQuery::all();
        query.sort = Some(sort.clone());
        let sorted = rows(office, who, list, &query).await;
        assert_eq!(sorted.iter().collect::<BTreeSet<_>>(), known, "{sort}");
        // Four pages, read from both ends.
        query.records_per_page = (i64::try_from(sorted.len()).unwrap() / 4).clamp(1, 100);
        let mut paged = Vec::new();
        while paged.len() < sorted.len() {
            let page = rows(office, who, list, &query).await;
            assert!(!page.is_empty(), "{sort}");
            paged.extend(page);
            query.current_page += 1;
        }
        assert_eq!(paged, sorted, "{sort}");
    }
}

macro_rules! sorts {
    ($office:expr, $who:expr; $($list:expr => $ask:expr,)*) => {$(
        sorts($office, $who, &$list, |s, c, q| Box::pin($ask(s, c, q))).await;
    )*};
}

#[tokio::test]
async fn every_list_sorts_by_every_declared_column_in_one_page_and_paged() {
    let office = Office::open().await;
    let [remittance, ..] = office.day().await;
    let now = chrono::Utc::now();
    let recipient = office.recipient;
    sorts! { &office, office.manager;
        lists::REMITTANCES => remittance::list,
        lists::DISPATCH => |s, c, q| remittance::dispatch(s, c, &[], q),
        lists::HISTORY => |s, c, q| remittance::history(s, c, remittance, q),
        lists::DISPUTES => remittance::disputes,
        lists::MOVEMENTS => movement::list,
        lists::ASSIGNMENTS => |s, c, q| movement::assignments(s, c, movement::Receivers::Dealers, q),
        lists::DEBITS => debit::list,
        lists::CLOSURES => closure::list,
        lists::BALANCES => ledger::balances,
        lists::ENTRIES => ledger::entries,
        lists::EVENTS => audit::list,
        lists::LATE_CHANGES => |s, _, q| late::list(s, q),
        lists::CURRENCIES => reference_data::currency::list,
        lists::PAYMENT_GROUPS => reference_data::payment_group::list,
        lists::AGENCIES => party::agency::list,
        lists::AGENTS => party::agent::list,
        lists::DEALERS => party::dealer::list,
        lists::DEALER_LIST_REPORT => party::dealer::list,
        lists::DEALER_DIRECTORY => party::dealer::directory,
        lists::USERS => party::user::list,
        lists::SENDERS => |s, c, q| customer::list(s, c, CustomerType::Sender, q),
        lists::RECIPIENTS => |s, c, q| customer::list(s, c, CustomerType::Recipient, q),
        lists::CARDS => |s, c, q| customer::cards(s, c, recipient, q),
        lists::API_KEYS => api_key::list,
        lists::WEBHOOKS => webhook::list,
        lists::RATE_CHANGES => |s, _, q| rates::list(s, q),
        lists::SALES => |s, c, q| accounting::sales(s, c, q, now),
        lists::SELLER_REMITTANCES => |s, c, q| accounting::sellers(s, c, q, now),
        lists::REAL_BALANCES => |s, _, q| accounting::real_balances(s, q),
        lists::PARTY_BALANCES => accounting::party_balances,
        lists::DEALER_SALES => |s, c, q| accounting::dealer_sales(s, c, q, now),
        lists::DEALER_CLOSINGS => |s, c, q| accounting::dealer_closing(s, c, q, now),
        lists::DAILY_CREDIT => |s, c, q| accounting::daily_credit(s, c, q, now),
    }
}

#[tokio::test]
async fn a_delivery_man_can_not_sort_by_price_or_sender() {
    let office = Office::open().await;
    let [remittance, ..] = office.day().await;
    let scope = office.scope(office.delivery_man).await;
    for sort in ["amount", "totalFee", "totalToPay", "sender"] {
        let mut query = ListQuery::all();
        query.sort = Some(sort.to_owned());
        let mut transaction = office.begin().await;
        let listed = remittance::list(&mut transaction, &scope, &query).await;
        let dispatched = remittance::dispatch(&mut transaction, &scope, &[], &query).await;
        let told = remittance::history(&mut transaction, &scope, remittance, &query).await;
        for refused in [listed.err(), dispatched.err(), told.err()] {
            let Some(ReadError::Refused(refusal)) = refused else {
                panic!("{sort}: {refused:?}")
            };
            assert_eq!(refusal.errors[0].code, "sort_unknown", "{sort}");
        }
    }
}
