//! Lists, reports and documents exported as files over HTTP.

use crate::support::{self, Answer, Business, Call, Process, Server, create_tenant, text};
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use std::io::Read as _;

/// The id of a sale by the agency, delivered by the dealer.
fn delivered(business: &Business) -> String {
    business.fund("100000.00");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("100.00"));
    let id = text(&sold["id"]);
    let assign = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
    let image = include_bytes!("worked_day/id.png").as_slice();
    let files = [
        ("identificationDocument", "id.png", image),
        ("firmPicture", "firm.png", image),
    ];
    let call = Call::new("POST", &format!("/remittances/{id}/complete")).token(&business.manager);
    assert_eq!(business.client.send(call.multipart(files)).status, 200);
    id
}

fn get(business: &Business, token: &str, path: &str) -> Answer {
    business.client.send(Call::new("GET", path).token(token))
}

/// The operations with a `format` parameter, with real ids in their paths.
fn lists(business: &Business, remittance: &str) -> Vec<String> {
    let document = business.client.send(Call::new("GET", "/openapi.json")).body;
    let takes = |operation: &Value, name: &str| {
        let parameters = operation["parameters"].as_array();
        parameters.is_some_and(|all| all.iter().any(|parameter| parameter["name"] == name))
    };
    let is_paged_file = |operation: &Value| takes(operation, "format") && takes(operation, "RecordsPerPage");
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .filter(|(_, item)| is_paged_file(&item["get"]) && item["get"]["operationId"] != "getDealerListReport")
        .map(|(path, _)| {
            let id = if path.contains("customer") {
                &business.recipient
            } else {
                remittance
            };
            path.trim_start_matches("/api").replace("{id}", id)
        })
        .collect()
}

/// Lists that print several lines per row: the transfers of an entry, the currencies of a party.
const LINES: &[&str] = &[
    "/accounting/entries",
    "/accounting/party_balances",
    "/dashboard/dealer/closing",
    "/dashboard/dealer/sales",
    "/dealer/dayli_credit_report",
];

#[test]
fn every_paged_list_exports_all_of_its_rows_in_every_format() {
    let server = Server::start(&["files"]);
    let business = Business::new(&server, "files");
    let remittance = delivered(&business);
    let lists = lists(&business, &remittance);
    assert!(lists.len() >= 33, "{lists:#?}");
    for path in lists {
        let page = get(&business, &business.manager, &path);
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        let total = page.body["totalRecords"].as_u64().unwrap();
        for (format, kind, magic) in [
            ("csv", "text/csv; charset=utf-8", b"\xEF\xBB\xBF".as_slice()),
            (
                "xlsx",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                b"PK",
            ),
            ("pdf", "application/pdf", b"%PDF-"),
            ("parquet", "application/vnd.apache.parquet", b"PAR1"),
        ] {
            let file = get(&business, &business.manager, &format!("{path}?format={format}"));
            assert_eq!(file.status, 200, "{path} {format}: {}", file.body);
            assert_eq!(file.header("content-type"), kind);
            assert_eq!(file.header("cache-control"), "no-store");
            assert!(file.position.is_some(), "{path}");
            let disposition = file.header("content-disposition");
            let name = disposition.strip_prefix("attachment; filename=\"").unwrap_or_default();
            let name = name.strip_suffix(&format!(".{format}\"")).unwrap_or_default();
            let safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(!name.is_empty() && name.chars().all(safe), "{disposition}");
            assert!(file.bytes.starts_with(magic), "{path} {format}");
            if format == "csv" {
                let lines = String::from_utf8(file.bytes).unwrap().matches("\r\n").count() as u64;
                let enough = if LINES.iter().any(|list| path.ends_with(list)) {
                    lines > 1
                } else {
                    lines == total + 1
                };
                assert!(enough, "{path}: {lines} lines for {total} rows");
            }
        }
    }
}

#[test]
fn headers_are_in_the_readers_language_and_rows_in_its_scope() {
    let server = Server::start(&["words"]);
    let business = Business::new(&server, "words");
    delivered(&business);
    let lines = |token: &str, language: &str, path: &str| {
        let call = Call::new("GET", path).token(token).header("Accept-Language", language);
        let file = business.client.send(call);
        assert_eq!(file.status, 200, "{}", file.body);
        let text = String::from_utf8(file.bytes).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let report = "/reports/agency?format=csv";
    let spanish = lines(&business.manager, "es", report);
    assert!(spanish[0].contains("Código,Fecha,Agencia"), "{spanish:?}");
    let english = lines(&business.agency_token, "en", report);
    assert!(english[0].contains("Code,Date,Agency"), "{english:?}");
    assert_eq!((spanish.len(), english.len()), (2, 2));
    assert!(english[1].contains(",100.00,2,2.00,103.00,32000.00,CUP"), "{english:?}");
    let canceled = lines(&business.agency_token, "en", "/reports/agency?status=1&format=csv");
    assert_eq!(canceled.len(), 1);
}

#[test]
fn a_failed_export_is_a_problem_document_and_no_file() {
    let server = Server::start(&["wrong"]);
    let business = Business::new(&server, "wrong");
    for (path, field, code) in [
        ("/remittances?format=doc", "format", "value_unknown"),
        ("/remittances?format=csv&colour=red", "colour", "filter_unknown"),
        ("/reports/history?format=xlsx&sort=secret", "sort", "sort_unknown"),
        ("/reports/agency?format=pdf&status=9", "status", "value_unknown"),
        ("/dealer?format=csv&ReceiverId=1", "ReceiverId", "id_invalid"),
    ] {
        let refused = get(&business, &business.manager, path);
        assert_eq!(refused.status, 422, "{path}");
        assert_eq!(refused.header("content-type"), "application/problem+json");
        let error = &refused.body["errors"][0];
        assert_eq!(
            (&error["field"], &error["code"]),
            (&json!(field), &json!(code)),
            "{path}"
        );
    }
    let refused = get(&business, &business.agency_token, "/reports/distributor?format=csv");
    assert_eq!(refused.status, 403);
}

#[test]
fn documents_require_visibility_of_their_record() {
    let server = Server::start(&["papers"]);
    let business = Business::new(&server, "papers");
    let remittance = delivered(&business);
    let closed = business.as_manager(201, "POST", "/accounting/closures", json!({"partyId": business.agency}));
    let movements = get(&business, &business.manager, "/sources/movements").body;
    let deposit = text(&movements["data"][0]["id"]);
    let rival = json!({"name": "Rival", "email": "rival@example.test", "password": support::PASSWORD});
    business.as_manager(201, "POST", "/agency", rival);
    let rival = business.client.login("rival@example.test", support::PASSWORD);
    for (path, name) in [
        (
            format!("/remittances/{remittance}/receipt"),
            "remittance-receipt-r-000001-",
        ),
        (
            format!("/sources/movements/{deposit}/receipt"),
            "movement-receipt-m-000001-",
        ),
        (
            format!("/accounting/closures/{}/statement", text(&closed["id"])),
            "closure-statement-c-000001-",
        ),
    ] {
        for token in [&business.manager, &business.agency_token] {
            let paper = get(&business, token, &path);
            assert_eq!(
                (paper.status, paper.header("content-type")),
                (200, "application/pdf"),
                "{path}"
            );
            let disposition = paper.header("content-disposition");
            assert!(
                disposition.starts_with(&format!("attachment; filename=\"{name}")),
                "{disposition}"
            );
            assert!(paper.bytes.starts_with(b"%PDF-"));
        }
        assert_eq!(get(&business, &rival, &path).status, 404, "{path}");
        let refused = get(&business, &business.manager, &format!("{path}?format=html"));
        assert_eq!(refused.status, 422, "{path}");
        let error = &refused.body["errors"][0];
        assert_eq!(
            (&error["field"], &error["code"]),
            (&json!("format"), &json!("field_unknown")),
            "{path}"
        );
    }
    for path in [
        "/dealer/report?format=csv",
        "/accounting/export?format=hledger&from=20260101",
    ] {
        assert_eq!(get(&business, &business.manager, path).status, 422, "{path}");
    }
    let list = get(&business, &business.manager, "/dealer/report?sort=-name");
    assert_eq!((list.status, list.header("content-type")), (200, "application/pdf"));
    assert!(
        list.header("content-disposition").contains("dealer-list-report-"),
        "{:?}",
        list.headers
    );
}

/// Rows of the large export.
const ROWS: i64 = 100_000;
/// Memory limit of the large export, in kilobytes.
const EXTRA: u64 = 64 * 1024;

#[test]
#[cfg(target_os = "linux")]
fn a_hundred_thousand_rows_stream_within_64_megabytes() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    create_tenant(database.url(), folder.path(), "large");
    let process = Process::serve(database.url(), folder.path());
    let business = Business::set_up(process.client("large"));
    business.fund("1000000.00");
    business.as_agency(201, "POST", "/remittances", business.sale("100.00"));
    // A query waits until the read models have the sale.
    business
        .client
        .expect(200, &business.manager, "GET", "/remittances", None);
    runtime.block_on(async {
        let node = database.connect().await;
        let mut transaction = node.begin_write("large").await.unwrap();
        let copied = sqlx::query(
            "INSERT INTO remittances SELECT copy.* FROM remittances AS r CROSS JOIN generate_series(1, $1) AS n
                CROSS JOIN LATERAL jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(),
                    'position', 1000000 + n, 'code', 'R-' || lpad(n::text, 7, '0'))) AS copy",
        );
        copied.bind(ROWS - 1).execute(&mut *transaction).await.unwrap();
        transaction.commit().await.unwrap();
        node.close().await;
        // As autovacuum does in time: the plans made for one row read the whole table for each.
        let mut owner = caudal_postgres::connect(database.url()).await.unwrap();
        sqlx::raw_sql("ANALYZE read.remittances")
            .execute(&mut owner)
            .await
            .unwrap();
    });
    // Memory that any export takes once is allocated before the measurement.
    let small = get(&business, &business.manager, "/remittances?format=csv&status=1");
    assert_eq!(small.status, 200);
    for format in ["csv", "parquet"] {
        process.forget_peak();
        let before = process.peak_memory();
        let started = std::time::Instant::now();
        let path = format!("/remittances?format={format}");
        let call = Call::new("GET", &path).token(&business.manager);
        let mut answer = business.client.open(call);
        assert_eq!(answer.status(), 200);
        let (mut lines, mut length, mut chunk) = (0, 0, vec![0; 64 * 1024]);
        let mut reader = answer.body_mut().as_reader();
        loop {
            let read = reader.read(&mut chunk).unwrap();
            if read == 0 {
                break;
            }
            length += read;
            lines += chunk[..read].iter().filter(|byte| **byte == b'\n').count();
        }
        // The allocator may have returned more memory than the export took.
        let extra = process.peak_memory().saturating_sub(before);
        println!(
            "{format}: {length} bytes with {extra} kB more in {:?}",
            started.elapsed()
        );
        assert!(format != "csv" || lines == usize::try_from(ROWS).unwrap() + 1);
        assert!(extra < EXTRA, "{format}: {extra} kB more");
    }
}

/// What DuckDB reads in a Parquet file: types of its columns, sums and metadata.
const DUCKDB: &str = r#"
import duckdb, json, sys
path = sys.argv[1]
rows = duckdb.read_parquet(path)
print(json.dumps({
    "types": dict(zip(rows.columns, map(str, rows.types))),
    "rows": rows.count("*").fetchone()[0],
    "sums": [str(figure) for figure in duckdb.sql(sys.argv[2].replace("FILE", f"'{path}'")).fetchone()],
    "facts": {key.decode(): value.decode() for key, value in
              duckdb.sql(f"SELECT key, value FROM parquet_kv_metadata('{path}')").fetchall()},
}))
"#;

fn in_duckdb(file: &Answer, sums: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("facts.parquet");
    std::fs::write(&path, &file.bytes).unwrap();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = std::process::Command::new(root.join("scripts/python-with"))
        .args(["duckdb==1.4.1", "-c", DUCKDB])
        .arg(&path)
        .arg(sums)
        .output()
        .unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    serde_json::from_slice(&read.stdout).unwrap()
}

/// The statement of docs/analytics.md, with `FILE` in place of the file's name.
fn documented_statement() -> String {
    let page = include_str!("../../docs/analytics.md");
    let statement = page
        .lines()
        .find_map(|line| line.strip_prefix("duckdb.sql(\"")?.strip_suffix("\")"))
        .unwrap();
    statement.replace("'remittances.parquet'", "FILE")
}

#[test]
fn parquet_files_have_exact_types_and_their_ledger_position_for_duckdb() {
    let server = Server::start(&["facts"]);
    let business = Business::new(&server, "facts");
    delivered(&business);
    let path = "/accounting/entries";
    let file = get(&business, &business.manager, &format!("{path}?format=parquet"));
    assert_eq!(file.status, 200, "{}", file.body);
    let read = in_duckdb(
        &file,
        "SELECT min(amount) > 0, count(*) FILTER (debit = credit) FROM FILE",
    );
    for (column, kind) in [
        ("amount", "DECIMAL(18,2)"),
        ("created", "TIMESTAMP"),
        ("currency", "VARCHAR"),
        ("position", "BIGINT"),
        ("reversal", "BOOLEAN"),
    ] {
        assert_eq!(read["types"][column], kind, "{column}: {read}");
    }
    assert_eq!(read["sums"], json!(["True", "0"]), "{read}");
    assert_eq!(read["facts"]["caudal.tenant"], "facts", "{read}");
    let position = file.position.unwrap().to_string();
    assert_eq!(read["facts"]["caudal.ledger_position"], position, "{read}");

    let sales = get(&business, &business.agency_token, "/remittances?format=parquet");
    let read = in_duckdb(&sales, "SELECT sum(amount), count(*) FROM FILE");
    assert_eq!(read["sums"], json!(["100.00", "1"]), "{read}");
    assert_eq!(read["rows"], 1, "{read}");
    let read = in_duckdb(&sales, &documented_statement());
    assert_eq!(read["sums"], json!(["CUP", "32000.00"]), "{read}");
}
