//! The trial balance, and the entries behind it.

use super::{Scopes, column, refused, shown};
use crate::common::{Office, amount};
use caudal_projections::{ListQuery, ledger};
use serde_json::json;

#[tokio::test]
async fn the_trial_balance_balances_and_names_owners() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let balances = ledger::balances(&mut transaction, &scopes.manager, &ListQuery::all())
        .await
        .unwrap();
    let state = office.state().await;
    assert_eq!(
        usize::try_from(balances.page.total_records).unwrap(),
        state.accounts().count()
    );
    for currency in ["CUP", "USD", "MLC"] {
        let of = balances.page.data.iter().filter(|row| shown(row.currency) == currency);
        assert_eq!(
            of.map(|row| row.closing.0).sum::<caudal_domain::money::Amount>(),
            amount("0.00"),
            "{currency}"
        );
    }
    assert_eq!(
        shown(&balances.totals)
            .as_array()
            .unwrap()
            .iter()
            .map(|total| &total["closing"])
            .collect::<Vec<_>>(),
        ["0.00"; 3]
    );
    for row in &balances.page.data {
        assert_eq!(row.opening.0 + row.debits.0 - row.credits.0, row.closing.0);
    }
    let query = ListQuery::all()
        .filter("kind", "balance")
        .filter("ownerId", office.agency);
    let own = ledger::balances(&mut transaction, &scopes.agency, &query)
        .await
        .unwrap();
    assert_eq!(column(&own.page, "/closing"), ["-234075.00", "-470.00"]);
    assert_eq!(column(&own.page, "/code"), ["2000", "2000"]);
    assert_eq!(column(&own.page, "/owner/name"), ["Águila Envíos", "Águila Envíos"]);
    assert_eq!(
        column(&own.page, "/paymentGroupId"),
        [json!(office.group.0), json!(office.mlc_group.0)]
    );
    let agents = ledger::balances(&mut transaction, &scopes.agent, &ListQuery::all())
        .await
        .unwrap();
    assert!(
        agents
            .page
            .data
            .iter()
            .all(|row| row.owner.as_ref().is_some_and(|owner| owner.id == office.agent.0))
    );
    for (query, field, code) in [
        (ListQuery::all().filter("at", "yesterday"), "at", "time_invalid"),
        (
            ListQuery::all().filter("from", "20260102").filter("to", "20260101"),
            "to",
            "date_before_start",
        ),
        (
            ListQuery::all()
                .filter("at", "2026-01-01T00:00:00Z")
                .filter("to", "20260101"),
            "at",
            "not_with_from_or_to",
        ),
        (
            ListQuery::all().filter("position", "1").filter("to", "20260101"),
            "position",
            "not_with_from_or_to",
        ),
        (
            ListQuery::all()
                .filter("position", "1")
                .filter("at", "2026-01-01T00:00:00Z"),
            "position",
            "moment_or_position",
        ),
        (ListQuery::all().filter("position", "-1"), "position", "number_negative"),
        (
            ListQuery::all().filter("position", "1.5"),
            "position",
            "number_not_whole",
        ),
    ] {
        assert_eq!(
            refused(ledger::balances(&mut transaction, &scopes.manager, &query).await),
            (field.into(), code)
        );
    }
}

#[tokio::test]
async fn entries_lead_to_their_event_and_have_running_balances() {
    let office = Office::open().await;
    let [completed, ..] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let query = ListQuery {
        sort: Some("created".into()),
        ..ListQuery::all().filter("cause", completed)
    };
    let entries = ledger::entries(&mut transaction, &scopes.manager, &query)
        .await
        .unwrap();
    assert_eq!(
        column(&entries, "/eventType"),
        ["RemittanceCreated", "RemittanceAssigned", "RemittanceCompleted"]
    );
    assert_eq!(column(&entries, "/causeNumber"), ["R-000001", "R-000001", "R-000001"]);
    let sold = shown(&entries.data[0]);
    assert_eq!(sold["transfers"][0]["code"], "sale");
    assert_eq!(sold["transfers"][0]["amount"], "31850.00");
    assert_eq!(sold["transfers"][0]["credit"]["account"], "remittances_pending/CUP");
    assert_eq!(sold["transfers"][0]["credit"]["balanceAfter"], "-31850.00");
    assert_eq!(sold["actor"]["name"], "Clara Clerk");
    let one = ledger::entry(&mut transaction, &scopes.agency, entries.data[0].position)
        .await
        .unwrap();
    assert_eq!(one.transfers.len(), 2);
    let delivered = ledger::entry(&mut transaction, &scopes.agency, entries.data[2].position).await;
    assert_eq!(
        refused(delivered).1,
        "entry_not_found",
        "a delivery touches no account of the agency"
    );
    let treasury = ListQuery::all().filter("account", "treasury/CUP");
    assert_eq!(
        ledger::entries(&mut transaction, &scopes.manager, &treasury)
            .await
            .unwrap()
            .total_records,
        3
    );
}
