//! What guards each table: row MACs, or what is listed here and in the decision about row MACs.

use crate::common::Office;
use caudal_journal::Table;

/// How a change is noticed in tables without row MACs.
const OTHERWISE_GUARDED: &[(&str, &str)] = &[
    ("events", "the hash chain"),
    ("heads", "the last event, and a MAC over position, hash and time"),
    (
        "merkle_nodes",
        "the events, from which verification computes each again",
    ),
    ("checkpoints", "their signatures"),
    ("quarantines", "a MAC over report and decision"),
    ("writer_leases", "a MAC; appends never depend on a lease"),
    ("keyring", "the key file; the adoption's times have a MAC"),
    ("master_keys", "the key file"),
    ("file_totals", "the sum of the files"),
    ("attempts", "nothing: limits, see docs/decisions/row-macs.md"),
    ("uploads", "nothing: limits, see docs/decisions/row-macs.md"),
    (
        "api_key_uses",
        "nothing: displayed only, see docs/decisions/row-macs.md",
    ),
    (
        "webhook_positions",
        "nothing: events are sent again or left out, see docs/decisions/row-macs.md",
    ),
    ("placements", "a MAC, without the times; a changed row refuses writes"),
    ("screening_lists", "a MAC over the row and the digest of its chunks"),
    ("screening_chunks", "the digest in the MAC of their list"),
    ("screening_runs", "nothing: people are screened again or later"),
    (
        "webhook_deliveries",
        "nothing: displayed only, see docs/decisions/row-macs.md",
    ),
    (
        "session_origins",
        "nothing: displayed only, see docs/decisions/row-macs.md",
    ),
    (
        "imports",
        "the encryption of its details, for owner, maker and kind; nothing for its state, see docs/decisions/row-macs.md",
    ),
    ("import_chunks", "its encryption, which binds it to its place"),
    (
        "import_rows",
        "nothing: displayed only, and a row is added once by its key, see docs/decisions/row-macs.md",
    ),
    ("import_proofs", "its encryption, which binds it to its place"),
    ("import_profiles", "its encryption, which binds it to its place"),
];

#[tokio::test]
async fn every_table_has_row_macs_or_is_listed_with_what_guards_it() {
    let office = Office::open().await;
    let mut tables: Vec<String> =
        sqlx::query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = 'journal'")
            .fetch_all(&mut office.owner().await)
            .await
            .unwrap();
    let with_macs = Table::ALL.iter().map(|table| table.as_str());
    let mut known: Vec<_> = with_macs
        .chain(OTHERWISE_GUARDED.iter().map(|(table, _)| *table))
        .collect();
    tables.sort();
    known.sort_unstable();
    assert_eq!(tables, known);
}

/// Names in the first columns of the tables of a document, each in backticks.
fn first_columns(document: &str) -> Vec<String> {
    let cells = document.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = cells.filter_map(|line| line.split_once(" |"));
    let names = cells.flat_map(|(cell, _)| cell.split(", "));
    names.map(|name| name.trim_matches('`').to_owned()).collect()
}

#[test]
fn the_decision_about_row_macs_says_of_every_table_once_what_protects_it() {
    let page = include_str!("../../../migrations/schema/journal.sql");
    let tables = page
        .lines()
        .filter_map(|line| line.strip_prefix("CREATE TABLE journal."));
    let mut tables: Vec<_> = tables.filter_map(|line| line.split(' ').next()).collect();
    let document = include_str!("../../../docs/decisions/row-macs.md");
    let (_, document) = document.split_once("## What protects each table").expect("the heading");
    let mut told = first_columns(document);
    tables.sort_unstable();
    told.sort();
    assert_eq!(told, tables);
}
