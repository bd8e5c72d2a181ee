//! Imports by real nodes over a real database: what a preview says is what a run does, and kills add nothing twice.

use crate::support::{Business, PASSWORD, Process, create_tenant};
use caudal_api::imports::{
    kinds::ImportKind,
    mapping, reader,
    store::{self, Details, Import, ImportState, Imports, Outcome, RowResult},
};
use caudal_domain::ids::TenantId;
use caudal_journal::Keyring;
use caudal_postgres::Database;
use caudal_postgres_testing::TestDatabase;
use chrono::Utc;
use sqlx::Row as _;
use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};
use tokio::runtime::Runtime;
use uuid::Uuid;

/// Kills while the file is imported.
const KILLS: usize = 3;
const ROWS: usize = 90;
/// Maximum wait, on a machine that does other things too; a killed node's hold lasts ten seconds.
const PATIENCE: Duration = Duration::from_secs(120);

struct Nodes {
    runtime: Runtime,
    test_database: TestDatabase,
    database: Database,
    folder: tempfile::TempDir,
    tenant: TenantId,
}

impl Nodes {
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let test_database = runtime.block_on(TestDatabase::new());
        let folder = tempfile::tempdir().unwrap();
        create_tenant(test_database.url(), folder.path(), "acme");
        let database = runtime.block_on(test_database.connect());
        Self {
            runtime,
            test_database,
            database,
            folder,
            tenant: "acme".parse().unwrap(),
        }
    }

    fn start(&self) -> Process {
        let arguments = ["--operations-listen", "127.0.0.1:0"];
        Process::serve_with(self.test_database.url(), self.folder.path(), "warn", &arguments)
    }

    fn imports(&self) -> Imports {
        let keyring = Keyring::open_or_create(&Keyring::path(self.folder.path())).unwrap();
        Imports::new(self.database.clone(), &keyring)
    }

    /// Uploads a file as an agency; returns its import, and whether it was new.
    fn upload(&self, agency: Uuid, content: &[u8]) -> (Import, bool) {
        let table = reader::read(content).unwrap();
        let kind = ImportKind::Remittances;
        let import = Import {
            id: store::id_of(&self.tenant, agency, kind, content),
            owner: agency,
            maker: agency,
            kind,
            details: Some(Details {
                name: "ventas.csv".to_owned(),
                headers: table.headers.clone(),
                notices: table.notices.clone(),
                mapping: mapping::guess(kind, &table),
            }),
            rows: i32::try_from(table.rows.len()).unwrap(),
            state: ImportState::Mapping,
            next_row: 0,
            failure: None,
            summary: None,
            created_at: Utc::now(),
            changed_at: Utc::now(),
            erase_at: Utc::now() + store::RETENTION,
        };
        let imports = self.imports();
        let kept = imports.keep(&self.tenant, &import, &table, Utc::now());
        let is_new = self.runtime.block_on(kept).unwrap();
        (import, is_new)
    }

    fn now(&self, import: &Import) -> Import {
        let imports = self.imports();
        let found = imports.get(&self.tenant, import.owner, import.id);
        self.runtime.block_on(found).unwrap().unwrap()
    }

    fn change(&self, import: &Import, to: ImportState) {
        use ImportState::{Done, Mapping, Paused, Previewed};
        let from = [Mapping, Previewed, Paused, Done];
        let changed = self
            .imports()
            .change(&self.tenant, import.id, &from, to, Utc::now())
            .await_on(&self.runtime);
        assert!(changed, "to {to:?}");
    }

    fn until(&self, import: &Import, is_so: impl Fn(&Import) -> bool) -> Import {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let now = self.now(import);
            if is_so(&now) {
                return now;
            }
            assert!(
                Instant::now() < deadline,
                "still {:?} at row {}, {:?}",
                now.state,
                now.next_row,
                now.failure
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Result and error codes of every row, in the preview and in the run.
    fn outcomes(&self, import: &Import) -> (Vec<(RowResult, Vec<String>)>, Vec<(RowResult, Vec<String>)>) {
        let imports = self.imports();
        let rows = imports.rows(&self.tenant, import, -1, 10_000, false);
        let rows = self.runtime.block_on(rows).unwrap();
        let told = |outcome: &Option<Outcome>| {
            let outcome = outcome.as_ref().unwrap();
            (
                outcome.result,
                outcome.errors.iter().map(|error| error.code.clone()).collect(),
            )
        };
        (
            rows.iter().map(|row| told(&row.preview)).collect(),
            rows.iter().map(|row| told(&row.result)).collect(),
        )
    }

    /// Remittances, their different references, and customers.
    fn added(&self) -> (i64, i64, i64) {
        self.runtime.block_on(async {
            let mut transaction = self.database.begin_read("acme").await.unwrap();
            let row = sqlx::query(
                "SELECT (SELECT count(*) FROM journal.events WHERE event_type = 'remittance_created') AS sold,
                        (SELECT count(DISTINCT reference) FROM remittances) AS named,
                        (SELECT count(*) FROM customers) AS customers",
            )
            .fetch_one(&mut *transaction)
            .await
            .unwrap();
            (row.get("sold"), row.get("named"), row.get("customers"))
        })
    }
}

trait AwaitOn<T> {
    fn await_on(self, runtime: &Runtime) -> T;
}

impl<T, E: std::fmt::Debug, F: Future<Output = Result<T, E>>> AwaitOn<T> for F {
    fn await_on(self, runtime: &Runtime) -> T {
        runtime.block_on(self).unwrap()
    }
}

/// Sales of thirty senders to a recipient each. Every ninth amount is none, and every tenth recipient's telephone is wrong.
fn file() -> String {
    let mut text =
        String::from("Remitente;Destinatario;Teléfono del destinatario;Municipio;Importe;Moneda;Referencia\r\n");
    for row in 0..ROWS {
        let sender = row % 30;
        let amount = if row % 9 == 8 { "-5,00" } else { "1,50" };
        let phone = if sender % 10 == 9 {
            "123".to_owned()
        } else {
            format!("+53522000{sender:02}")
        };
        writeln!(text, "Ana {sender};Eva {sender};{phone};Playa;{amount};CUP;R{row}\r").unwrap();
    }
    text
}

#[test]
fn a_file_imported_by_nodes_that_are_killed_adds_each_row_once_as_its_preview_said() {
    let nodes = Nodes::new();
    let mut node = nodes.start();
    let business = Business::set_up(node.client("acme"));
    business.fund("900000");
    business.client.login("agency@example.test", PASSWORD);
    let agency: Uuid = business.agency.parse().unwrap();
    let before = nodes.added();
    let content = file();

    let (import, is_new) = nodes.upload(agency, content.as_bytes());
    assert!(is_new);
    nodes.change(&import, ImportState::Previewing);
    let previewed = nodes.until(&import, |now| now.state == ImportState::Previewed);
    assert_eq!(nodes.added(), before, "a preview adds nothing");
    let ends = previewed.summary.unwrap();
    assert_eq!(ends[0]["currency"], "CUP", "{ends}");

    nodes.change(&import, ImportState::Running);
    for kill in 1..=KILLS {
        let through = i32::try_from(kill * ROWS / (KILLS + 2)).unwrap();
        nodes.until(&import, |now| now.next_row >= through || now.state == ImportState::Done);
        drop(node);
        node = nodes.start();
    }
    nodes.until(&import, |now| now.state == ImportState::Done);
    let (preview, run) = nodes.outcomes(&import);
    assert_eq!(preview.len(), ROWS);
    assert_eq!(run, preview, "preview and run");
    let added = i64::try_from(run.iter().filter(|(result, _)| *result == RowResult::Added).count()).unwrap();
    assert!(added > 50 && added < i64::try_from(ROWS).unwrap(), "{added}");
    let after = nodes.added();
    assert_eq!((after.0 - before.0, after.1 - before.1), (added, added));

    let (again, is_new) = nodes.upload(agency, content.as_bytes());
    assert!(!is_new && again.id == import.id, "the same file is the same import");
    nodes.change(&import, ImportState::Running);
    nodes.until(&import, |now| now.state == ImportState::Done);
    assert_eq!(nodes.added(), after, "the same file adds nothing");
}

#[test]
fn what_is_stored_of_a_file_shows_nobodys_name() {
    let nodes = Nodes::new();
    let agency = Uuid::from_u128(7);
    let (import, _) = nodes.upload(
        agency,
        "Remitente;Destinatario;Importe;Moneda\nAnastasia;Evangelina;5;CUP\n".as_bytes(),
    );
    let sealed: Vec<u8> = nodes.runtime.block_on(async {
        let mut transaction = nodes.database.begin_read("acme").await.unwrap();
        let query = "SELECT c.content || i.details AS sealed FROM journal.import_chunks AS c
                       JOIN journal.imports AS i ON i.id = c.import";
        sqlx::query(query)
            .fetch_one(&mut *transaction)
            .await
            .unwrap()
            .get("sealed")
    });
    assert!(
        !sealed
            .windows(6)
            .any(|window| window == b"Anasta" || window == b"Evange")
    );
    let later = Utc::now() + store::RETENTION + chrono::TimeDelta::days(1);
    nodes.imports().erase_old(&nodes.tenant, later).await_on(&nodes.runtime);
    let erased = nodes.now(&import);
    assert_eq!((erased.details, erased.state), (None, ImportState::Canceled));
    assert!(
        nodes
            .imports()
            .chunk(&nodes.tenant, import.id, 0)
            .await_err(&nodes.runtime)
    );
}

trait FailsOn {
    fn await_err(self, runtime: &Runtime) -> bool;
}

impl<T, E, F: Future<Output = Result<T, E>>> FailsOn for F {
    fn await_err(self, runtime: &Runtime) -> bool {
        runtime.block_on(self).is_err()
    }
}
