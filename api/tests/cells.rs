//! A tenant moves between two databases while two nodes sell for it.

use crate::{
    imports::{HEADERS, Person, pictures, sold},
    support::{
        Business, Call, Client, MANAGER, PASSWORD, Process, Stream, create_tenant, pdf::pdf, picture, run, text,
    },
};
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

const TENANT: &str = "shop";
const SELLERS: usize = 4;

struct Installation {
    runtime: tokio::runtime::Runtime,
    home: TestDatabase,
    other: TestDatabase,
    folder: tempfile::TempDir,
    cells: String,
}

impl Installation {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (home, other) = runtime.block_on(async { (TestDatabase::new().await, TestDatabase::new().await) });
        let folder = tempfile::tempdir().unwrap();
        create_tenant(home.url(), folder.path(), TENANT);
        let cells = format!("b={}", other.url());
        Self {
            runtime,
            home,
            other,
            folder,
            cells,
        }
    }

    fn node(&self) -> Process {
        let arguments = ["--cells", &self.cells, "--node-address", "http://127.0.0.1:0"];
        Process::serve_with(self.home.url(), self.folder.path(), "warn", &arguments)
    }

    fn run(&self, arguments: &[&str]) -> (bool, String) {
        let arguments: Vec<_> = arguments.iter().copied().chain(["--cells", &self.cells]).collect();
        run(self.home.url(), self.folder.path(), &arguments)
    }

    fn done(&self, arguments: &[&str]) -> String {
        let (is_done, said) = self.run(arguments);
        assert!(is_done, "{arguments:?}: {said}");
        said
    }

    /// Starts to move the tenant, and kills the command after a time.
    fn killed_move(&self, to: &str, after: Duration) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_caudal"))
            .args(["tenant", "move", TENANT, "--to", to, "--cells", &self.cells])
            .env("DATABASE_URL", self.home.url())
            .env("CAUDAL_DATA_DIR", self.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(after);
        let _ = child.kill();
        child.wait().unwrap();
    }

    /// Rows of a table with this tenant in a database.
    fn count(&self, database: &TestDatabase, table: &str) -> i64 {
        self.runtime.block_on(async {
            let pool = database.connect().await;
            let mut transaction = pool.begin_read(TENANT).await.unwrap();
            let counted = sqlx::query_scalar(&format!("SELECT count(*) FROM {table}"))
                .fetch_one(&mut *transaction)
                .await;
            counted.unwrap()
        })
    }
}

/// Sells through both nodes until told to stop: each sale is repeated under its key until it is acknowledged. Returns the ids
/// of the sales, and the longest wait for one.
fn sell(nodes: &[Client; 2], business: &Business, seller: usize, stop: &AtomicBool) -> (BTreeSet<String>, Duration) {
    let (mut sold, mut longest) = (BTreeSet::new(), Duration::ZERO);
    for number in 0_usize.. {
        if stop.load(Ordering::Acquire) {
            break;
        }
        let (key, asked) = (format!("{seller}-{number}"), Instant::now());
        for attempt in 0_usize.. {
            let call = Call::new("POST", "/remittances").token(&business.agency_token);
            let answer = nodes[(seller + number + attempt) % 2].send(call.key(&key).json(&business.sale("1.00")));
            match answer.status {
                201 => {
                    assert!(sold.insert(text(&answer.body["id"])), "{key} twice");
                    break;
                }
                503 => thread::sleep(Duration::from_millis(20)),
                status => panic!("{key}: {status}: {}", answer.body),
            }
        }
        longest = longest.max(asked.elapsed());
    }
    (sold, longest)
}

/// The ids of all remittances as a node lists them.
fn listed(node: &Client, token: &str) -> BTreeSet<String> {
    let answer = node.send(Call::new("GET", "/remittances?RecordsPerPage=0").token(token));
    let rows = answer.body["data"].as_array();
    let rows = rows.unwrap_or_else(|| panic!("{}", answer.body));
    rows.iter().map(|row| text(&row["id"])).collect()
}

#[test]
fn a_tenant_moves_while_two_nodes_sell_and_killed_moves_lose_and_double_nothing() {
    let installation = Installation::new();
    let nodes = [installation.node(), installation.node()];
    let clients = [nodes[0].client(TENANT), nodes[1].client(TENANT)];
    let business = Business::set_up(clients[0].clone());
    business.fund("100000000.00");
    let checkpoints = tempfile::tempdir().unwrap();
    installation.done(&["checkpoint", TENANT, "--to", checkpoints.path().to_str().unwrap()]);
    let stop = AtomicBool::new(false);
    let (mut sold, mut longest) = (BTreeSet::new(), Duration::ZERO);
    let mut said = String::new();
    thread::scope(|scope| {
        let sellers: Vec<_> = (0..SELLERS)
            .map(|seller| {
                let (clients, business, stop) = (&clients, &business, &stop);
                scope.spawn(move || sell(clients, business, seller, stop))
            })
            .collect();
        thread::sleep(Duration::from_millis(500));
        for milliseconds in [150, 400, 700, 1_000, 1_300] {
            installation.killed_move("b", Duration::from_millis(milliseconds));
        }
        said = installation.done(&["tenant", "move", TENANT, "--to", "b"]);
        thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::Release);
        for seller in sellers {
            let (ids, waited) = seller.join().unwrap();
            sold.extend(ids);
            longest = longest.max(waited);
        }
    });
    println!("{said}{} sales, longest wait {longest:?}", sold.len());
    assert!(said.contains("lives in the cell b"), "{said}");
    assert!(installation.done(&["tenant", "list"]).contains("shop b"));
    for client in &clients {
        assert_eq!(listed(client, &business.manager), sold);
    }
    assert_eq!(installation.count(&installation.home, "read.remittances"), 0);
    let remittances = installation.count(&installation.other, "read.remittances");
    assert_eq!(usize::try_from(remittances).unwrap(), sold.len());
    let at = checkpoints.path().to_str().unwrap();
    let verified = installation.done(&["verify", TENANT, "--checkpoints-at", at]);
    assert!(verified.contains("the read models equal a replay"), "{verified}");
    drop(nodes);
}

/// They are written every second, and the cell that is left refuses them.
#[test]
fn records_opened_while_their_tenant_moves_are_in_the_audit_of_reading() {
    let installation = Installation::new();
    let node = installation.node();
    let client = node.client(TENANT);
    let business = Business::set_up(client.clone());
    business.fund("100000.00");
    let token = &business.manager;
    for _ in 0..120 {
        business.as_agency(201, "POST", "/remittances", business.sale("1.00"));
    }
    let opened = thread::scope(|scope| {
        let moved = scope.spawn(|| installation.done(&["tenant", "move", TENANT, "--to", "b"]));
        let mut opened = BTreeSet::new();
        for position in 1..=120 {
            let path = format!("/audit/events/{position}");
            if client.send(Call::new("GET", &path).token(token)).status == 200 {
                opened.insert(format!("/api{path}"));
            }
            // Recorded before it is answered: it can wait for the end of the move.
            let file = client.send(Call::new("GET", "/customer/sender?format=csv").token(token));
            assert!([200, 503].contains(&file.status), "{}: {}", file.status, file.body);
            thread::sleep(Duration::from_millis(50));
        }
        moved.join().unwrap();
        opened
    });
    assert!(opened.len() > 100, "{} were opened", opened.len());
    let recorded = || {
        let mut found = BTreeSet::new();
        for page in 1..=3 {
            let path = format!("/audit/readings?recordsPerPage=100&currentPage={page}");
            let list = client.expect(200, token, "GET", &path, None);
            let rows = list["data"].as_array().unwrap();
            found.extend(rows.iter().map(|row| text(&row["call"])));
        }
        found
    };
    let deadline = Instant::now() + Duration::from_secs(15);
    while !opened.is_subset(&recorded()) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(200));
    }
    let missing: Vec<_> = opened.difference(&recorded()).cloned().collect();
    assert!(
        missing.is_empty(),
        "{} reads are not recorded: {missing:?}",
        missing.len()
    );
}

#[test]
fn logins_sessions_streams_and_files_work_on_after_a_move_and_after_the_way_back() {
    let installation = Installation::new();
    let nodes = [installation.node(), installation.node()];
    let clients = [nodes[0].client(TENANT), nodes[1].client(TENANT)];
    let business = Business::set_up(clients[0].clone());
    let image = picture("a receipt");
    let upload = Call::new("POST", "/files/uploadfile").token(&business.manager);
    let uploaded = clients[0].send(upload.multipart([("file", "a.png", image.as_slice())]));
    assert_eq!(uploaded.status, 201, "{}", uploaded.body);
    let file = text(&uploaded.body["url"]);
    let rule = json!({"side": "sender", "window": "sale", "amount": "1", "outcome": "hold"});
    business.fund("100000.00");
    business.as_manager(201, "POST", "/limit-rules", rule);
    let held = text(&business.as_agency(201, "POST", "/remittances", business.sale("25.00"))["id"]);
    let path = format!("/remittances/{held}/holds/files");
    let contract = pdf("a contract");
    let upload = Call::new("POST", &path).token(&business.manager);
    let uploaded = clients[0].send(upload.multipart([("file", "contract.pdf", contract.as_slice())]));
    assert_eq!(uploaded.status, 201, "{}", uploaded.body);
    let of_review = text(&uploaded.body["url"]);
    for to in ["b", "home"] {
        let mut stream = Stream::open(nodes[0].address(), TENANT, &business.manager, None).unwrap();
        let moved = installation.done(&["tenant", "move", TENANT, "--to", to]);
        assert!(moved.contains("its writes waited for"), "{moved}");
        // Its client connects again, to the new cell.
        stream.read_to_its_end();
        thread::sleep(Duration::from_millis(500));
        let mut again = Stream::open(nodes[1].address(), TENANT, &business.manager, None).unwrap();
        for client in &clients {
            client.login(MANAGER, PASSWORD);
            let served = client.send(Call::new("GET", file.trim_start_matches("/api")).token(&business.manager));
            assert_eq!((served.status, served.bytes.as_slice()), (200, image.as_slice()));
            let of_review = of_review.trim_start_matches("/api");
            let served = client.send(Call::new("GET", of_review).token(&business.manager));
            assert_eq!((served.status, served.bytes.as_slice()), (200, contract.as_slice()));
            let sellers = client.send(Call::new("GET", of_review).token(&business.agency_token));
            assert_eq!(sellers.status, 404);
            let body = json!({"currency": "CUP", "amount": "1.00"});
            client.expect(201, &business.manager, "POST", "/sources/deposit/manager", Some(body));
        }
        assert!(!again.next().event.is_empty());
        let repeated = installation.done(&["tenant", "move", TENANT, "--to", to]);
        assert!(repeated.contains(&format!("lives in the cell {to}")), "{repeated}");
    }
    let undone = installation.run(&["tenant", "move", TENANT, "--to", "b", "--undo"]);
    assert!(undone.0, "{}", undone.1);
    let body = json!({"currency": "CUP", "amount": "1.00"});
    clients[1].expect(201, &business.manager, "POST", "/sources/deposit/manager", Some(body));
    let unknown = installation.run(&["tenant", "move", TENANT, "--to", "c"]);
    assert!(!unknown.0 && unknown.1.contains("no cell c"), "{}", unknown.1);
}

/// Sales to one recipient.
fn list(rows: usize, amount: &str) -> String {
    let rows: String = (0..rows)
        .map(|row| format!("Ana;Eva;;Playa;{amount};CUP;{amount}-{row}\n"))
        .collect();
    format!("{HEADERS}\n{rows}")
}

#[test]
fn imports_waiting_paused_running_and_done_arrive_whole_and_go_on_after_a_move() {
    let installation = Installation::new();
    let nodes = [installation.node(), installation.node()];
    let clients = [nodes[0].client(TENANT), nodes[1].client(TENANT)];
    let business = Business::set_up(clients[0].clone());
    business.fund("900000.00");
    let agency = Person::agency(&business);
    let dealer = Person::login(&business.client, "dealer@example.test");
    let id = |import: serde_json::Value| text(&import["id"]);
    let done = id(agency.upload("remittances", list(20, "1,50").as_bytes()));
    agency.preview(&done);
    agency.run(&done);
    let results = agency.results(&done, "result");
    let paused = id(agency.upload("remittances", list(40, "2,50").as_bytes()));
    agency.preview(&paused);
    agency.act(&paused, "start");
    agency.act(&paused, "pause");
    let deliveries = sold(&business, 3);
    let codes: Vec<_> = deliveries[..2].iter().map(|(_, code)| code.clone()).collect();
    let proved = id(dealer.upload("completions", format!("Remesa\n{}\n", codes.join("\n")).as_bytes()));
    let proofs = codes
        .iter()
        .flat_map(|code| [format!("{code}.png"), format!("{code}-firma.png")]);
    dealer.prove(&proved, &pictures(&proofs.collect::<Vec<_>>()));
    let import = agency.upload("issuers", "Uno;Dos\nBea;x\n".as_bytes());
    let waiting = id(import.clone());
    let mut mapping = import["mapping"].clone();
    mapping["columns"] = json!({"name": 0, "lastName": 1});
    let path = format!("/imports/{waiting}/mapping");
    clients[0].expect(200, &business.agency_token, "PUT", &path, Some(mapping.clone()));
    let running = id(agency.upload("remittances", list(120, "3,50").as_bytes()));
    agency.preview(&running);
    let tables = [
        "imports",
        "import_chunks",
        "import_rows",
        "import_profiles",
        "import_proofs",
    ];
    let tables = tables.map(|table| format!("journal.{table}"));
    let rows = |database: &TestDatabase| tables.each_ref().map(|table| installation.count(database, table));
    let before = rows(&installation.home);
    agency.act(&running, "start");
    let said = installation.done(&["tenant", "move", TENANT, "--to", "b"]);
    assert!(said.contains("lives in the cell b"), "{said}");
    assert_eq!(rows(&installation.home), [0; 5]);
    let after = rows(&installation.other);
    assert!(
        before.iter().zip(after).all(|(before, after)| *before <= after),
        "{before:?} {after:?}"
    );

    assert_eq!(agency.until(&running, &["done"])["runCounts"]["added"], 120);
    assert_eq!(agency.get(&format!("/imports/{paused}"))["state"], "paused");
    agency.act(&paused, "resume");
    assert_eq!(agency.until(&paused, &["done"])["runCounts"]["added"], 40);
    assert_eq!(agency.results(&done, "result"), results);
    assert_eq!(agency.upload("remittances", list(20, "1,50").as_bytes())["id"], done);
    agency.preview(&waiting);
    assert_eq!(agency.run(&waiting)["runCounts"]["added"], 1);
    let other = agency.upload("issuers", "Uno;Dos\nCarla;y\n".as_bytes());
    assert_eq!(
        other["mapping"]["columns"], mapping["columns"],
        "the columns are remembered"
    );
    dealer.preview(&proved);
    assert_eq!(
        dealer.run(&proved)["runCounts"]["added"],
        2,
        "{:?}",
        dealer.results(&proved, "result")
    );
    let sales = installation.count(&installation.other, "read.remittances");
    assert_eq!(sales, 20 + 40 + 120 + 3, "each row once");
}

#[test]
fn a_cell_of_other_keys_is_refused() {
    let installation = Installation::new();
    let elsewhere = tempfile::tempdir().unwrap();
    create_tenant(installation.other.url(), elsewhere.path(), "foreign");
    let (moved, said) = installation.run(&["tenant", "move", TENANT, "--to", "b"]);
    assert!(!moved, "{said}");
    assert!(installation.run(&["tenant", "list"]).1.contains("cell b"));
}
