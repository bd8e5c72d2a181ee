//! Spreadsheets of sales imported by a node, beside the same sales over HTTP.

use super::http::{Fleet, PASSWORD};
use crate::{
    node::Connection,
    office::{AGENCY, Office},
    scratch::Scratch,
};
use rust_xlsxwriter::Workbook;
use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

/// Rows that an import may have at most.
pub const ROWS: usize = 50_000;
/// Clients over HTTP beside it: as many sales under way as a run of an import has.
pub const CLIENTS_BESIDE: usize = 16;
/// Customers of the sales to people who are not known yet; each buys several times.
const NEW_CUSTOMERS: usize = 10_000;
/// Interval between looks at an import's state.
const LOOK: Duration = Duration::from_millis(50);
/// The longest that a preview or a run is waited for.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// How an import went.
pub struct Imported {
    pub csv: Previewed,
    /// The same rows as a workbook, which is previewed before the run.
    pub xlsx: Previewed,
    pub run: Duration,
    /// The most that the node ever held, in MiB.
    pub resident: f64,
    /// Sales a second over HTTP on the same node, before the import.
    pub beside: f64,
    /// Commands of all rows.
    pub commands: usize,
}

/// How long a file took until its rows were previewed.
pub struct Previewed {
    pub upload: Duration,
    pub preview: Duration,
}

/// Whom the rows of a file mean.
#[derive(Clone, Copy)]
pub enum Customers {
    /// People who are registered.
    Known,
    /// People whom the rows register on the way.
    New,
}

/// Imports a file of sales on a node of its own.
pub async fn measure(scratch: &Scratch, customers: Customers, duration: Duration) -> Imported {
    let fleet = Fleet::start(scratch, 1, 1).await;
    let beside = fleet.closed(CLIENTS_BESIDE, true, duration).await.rate;
    let (office, address) = fleet.first();
    let mut agency = Connection::open(address, office.tenant.as_str(), AGENCY, PASSWORD).await;
    let (content, commands) = match customers {
        Customers::Known => (known(office), ROWS),
        Customers::New => (new(), ROWS + 2 * NEW_CUSTOMERS),
    };
    let (_, xlsx) = previewed(&mut agency, "sales.xlsx", &workbook(&content)).await;
    let (id, csv) = previewed(&mut agency, "sales.csv", content.as_bytes()).await;
    let run = pass(&mut agency, &id, "start", "done").await;
    Imported {
        csv,
        xlsx,
        run,
        resident: fleet.most_resident_mib(),
        beside,
        commands,
    }
}

/// Uploads a file and previews it; its id.
async fn previewed(agency: &mut Connection, name: &str, content: &[u8]) -> (String, Previewed) {
    let begun = Instant::now();
    let answer = agency.upload(name, content).await;
    let upload = begun.elapsed();
    assert_eq!(answer.status, 201, "{}", answer.json());
    let id = answer.json()["id"].as_str().map(str::to_owned).expect("an id");
    let preview = pass(agency, &id, "preview", "previewed").await;
    (id, Previewed { upload, preview })
}

/// The rows of a CSV as a workbook; amounts are numbers there.
fn workbook(csv: &str) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (line, text) in (0_u32..).zip(csv.lines()) {
        for (column, cell) in (0_u16..).zip(text.split(';')) {
            let number = cell.strip_suffix(",00").and_then(|whole| whole.parse::<f64>().ok());
            let written = match number {
                Some(number) => sheet.write(line, column, number),
                None => sheet.write(line, column, cell),
            };
            written.expect("a sheet takes the cell");
        }
    }
    book.save_to_buffer().expect("a workbook is made in memory")
}

/// How long an act takes until the import is in the state after it. Every row must be added.
async fn pass(agency: &mut Connection, id: &str, act: &str, after: &str) -> Duration {
    let begun = Instant::now();
    let answer = agency.post(&format!("/api/imports/{id}/{act}")).await;
    assert_eq!(answer.status, 200, "{}", answer.json());
    loop {
        let import = agency.read(&format!("/api/imports/{id}"), 0).await.json();
        if import["state"] == after {
            let counts = if after == "done" { "runCounts" } else { "previewCounts" };
            assert_eq!(import[counts]["added"], ROWS, "every row can be added: {import}");
            return begun.elapsed();
        }
        assert!(begun.elapsed() < PATIENCE, "still {import}");
        tokio::time::sleep(LOOK).await;
    }
}

/// Sales to the office's customers, whom their telephones tell apart.
fn known(office: &Office) -> String {
    let mut text =
        String::from("Remitente;Teléfono del remitente;Destinatario;Teléfono del destinatario;Importe;Moneda\r\n");
    for row in 0..ROWS {
        let number = row % office.customers.len();
        writeln!(
            text,
            "Person {number};+535{number:07};Person {number};+535{number:07};100,00;CUP\r"
        )
        .expect("a text takes more");
    }
    text
}

/// Sales to people whom the rows register.
fn new() -> String {
    let mut text = String::from(
        "Remitente;Teléfono del remitente;Destinatario;Teléfono del destinatario;Dirección;Municipio;Importe;Moneda\r\n",
    );
    for row in 0..ROWS {
        let number = row % NEW_CUSTOMERS;
        writeln!(
            text,
            "Ana {number};+535{:07};Eva {number};+535{:07};Calle 23 No. {number};Playa;100,00;CUP\r",
            1_000_000 + number,
            5_000_000 + number
        )
        .expect("a text takes more");
    }
    text
}
