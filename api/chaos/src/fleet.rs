//! What is under test: a PostgreSQL or two, nodes over them, and proxies on the ways between them and their clients.

use crate::{
    engine::{Cell, Engine},
    node::{Launch, Node},
    proxy::{Proxy, Target},
    tally::Tally,
};
use caudal_postgres::{Database, Options, migrate};
use nix::{sys::signal::Signal, unistd::Pid};
use serde_json::json;
use std::{
    collections::HashMap,
    fs,
    io::Write as _,
    iter,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// The manager of every tenant.
pub const MANAGER: &str = "manager@example.test";
/// The password of everybody.
pub const PASSWORD: &str = "Caudal#2026";

/// How long all of it may take to be well again, once nothing is broken any more.
pub const RECOVERY: Duration = Duration::from_secs(90);

/// The environment variable by which the folder of keys, files and nodes' logs stays after a run, to be looked through.
const KEEP: &str = "CAUDAL_CHAOS_KEEP";

/// The environment variable that names a file for the nodes' addresses, in the form that Prometheus rereads (`file_sd_configs`).
const TARGETS: &str = "CAUDAL_CHAOS_TARGETS";

/// A node with the ways to it and from it.
#[derive(Debug)]
pub struct Post {
    /// The process.
    pub node: Node,
    /// Between the clients and the node.
    pub front: Arc<Proxy>,
    /// Between the node and its home cell's PostgreSQL.
    pub back: Proxy,
}

/// Where a fleet lives.
#[derive(Debug)]
pub struct Place {
    pub server: Engine,
    /// The second cell, where tenants move.
    pub second: Option<Engine>,
    /// For keys, files and logs.
    pub folder: TempDir,
    /// What is put before the program of every node.
    pub wrapper: Vec<String>,
    /// How the nodes live together.
    pub sharing: Sharing,
}

/// How the nodes of a fleet live together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// One data folder for all, and a proxy between each node and PostgreSQL.
    Folder,
    /// A data folder each, with a copy of the same keys, and nothing between a node and PostgreSQL.
    Keys,
    /// One data folder for all, and nothing between a node and the servers of a cluster.
    Cluster,
}

/// All of it; it ends with this value.
#[derive(Debug)]
pub struct Fleet {
    /// The nodes.
    pub posts: Vec<Post>,
    /// The home cell, or the only one.
    pub server: Engine,
    second: Option<Engine>,
    /// What happened.
    pub tally: Arc<Tally>,
    /// The folder of keys and files: of all nodes, or of the first one.
    pub data_dir: PathBuf,
    /// What the proxies run on.
    pub runtime: Runtime,
    sharing: Sharing,
    folder: TempDir,
}

impl Place {
    /// A database and a folder that end with it.
    pub fn temporary(wrapper: Vec<String>) -> Self {
        let stays = std::env::var_os(KEEP).is_some();
        let folder = tempfile::Builder::new()
            .prefix("caudal-chaos-")
            .disable_cleanup(stays)
            .tempdir();
        Self {
            server: Engine::temporary(),
            second: None,
            folder: folder.expect("a folder can be made"),
            wrapper,
            sharing: Sharing::Folder,
        }
    }

    /// The same with a second cell, on a server of its own.
    pub fn with_two_cells() -> Self {
        Self {
            second: Some(Engine::temporary()),
            ..Self::temporary(Vec::new())
        }
    }
}

impl Fleet {
    /// Starts a database and a number of nodes over it, with these tenants.
    pub fn start(program: &Path, nodes: usize, tenants: &[&str], tally: Arc<Tally>) -> Self {
        Self::at(Place::temporary(Vec::new()), program, nodes, tenants, tally)
    }

    /// Starts nodes over a database, with their keys, files and logs in a folder.
    pub fn at(place: Place, program: &Path, nodes: usize, tenants: &[&str], tally: Arc<Tally>) -> Self {
        let Place {
            server,
            second,
            folder,
            wrapper,
            sharing,
        } = place;
        let runtime = Runtime::new().expect("a runtime starts");
        let data_dir = folder.path().join("data");
        make_private(&data_dir);
        // A cluster's schema is made by its owner, who is not the login of its URL.
        for engine in iter::once(&server).chain(&second) {
            if let Engine::Own(server) = engine {
                runtime.block_on(migrate(server.url())).expect("the schema is made");
            }
        }
        let direct = Launch {
            program: program.to_owned(),
            data_dir: data_dir.clone(),
            database_url: server.url().to_owned(),
            second_cell: second.as_ref().map(|second| second.url().to_owned()),
            log: folder.path().join("tenants.log"),
            wrapper: Vec::new(),
            forwards: false,
        };
        for tenant in tenants {
            create_tenant(&direct, tenant);
        }
        let mut fleet = Self {
            posts: Vec::new(),
            server,
            second,
            tally,
            data_dir,
            runtime,
            sharing,
            folder,
        };
        for _ in 0..nodes {
            let launch = Launch {
                wrapper: wrapper.clone(),
                ..direct.clone()
            };
            fleet.add_node(launch);
        }
        if let Some(file) = std::env::var_os(TARGETS) {
            fleet.tell_targets(Path::new(&file));
        }
        fleet.until_serving();
        fleet
    }

    /// Writes the nodes' addresses for Prometheus, by the same names in every fleet.
    fn tell_targets(&self, file: &Path) {
        let target = |(number, post): (usize, &Post)| {
            let (address, instance) = (post.front.address().to_string(), format!("node-{number}"));
            json!({"targets": [address], "labels": {"instance": instance}})
        };
        let targets: Vec<_> = self.posts.iter().enumerate().map(target).collect();
        let part = file.with_extension("part");
        fs::write(&part, json!(targets).to_string())
            .and_then(|()| fs::rename(&part, file))
            .expect("the file of the addresses can be written");
    }

    /// Starts one more node. Where each has a folder of its own, it has the keys and nothing else.
    pub fn add_node(&mut self, launch: Launch) {
        let number = self.posts.len();
        let front = Arc::new(Proxy::start(self.runtime.handle(), Target::Nowhere));
        let back = Proxy::start(self.runtime.handle(), self.server.target());
        let (data_dir, database_url) = match self.sharing {
            Sharing::Folder => (self.data_dir.clone(), self.server.through(&back)),
            Sharing::Keys => (self.own_folder(), self.server.url().to_owned()),
            Sharing::Cluster => (self.data_dir.clone(), self.server.url().to_owned()),
        };
        let launch = Launch {
            data_dir,
            database_url,
            log: self.folder.path().join(format!("node-{number}.log")),
            // Where histories part, each node has to decide what it is asked.
            forwards: self.sharing != Sharing::Keys,
            ..launch
        };
        self.posts.push(Post {
            node: Node::start(launch, front.clone(), self.tally.clone()),
            front,
            back,
        });
    }

    /// The first node's folder, or a new one with the keys of the first.
    fn own_folder(&self) -> PathBuf {
        if self.posts.is_empty() {
            return self.data_dir.clone();
        }
        let own = self.folder.path().join(format!("data-{}", Uuid::now_v7()));
        copy_keys(&self.data_dir, &own);
        own
    }

    /// A place beside the nodes' folders, for copies.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Where clients reach the nodes.
    pub fn addresses(&self) -> Vec<String> {
        let address = |post: &Post| format!("http://{}", post.front.address());
        self.posts.iter().map(address).collect()
    }

    /// What PostgreSQL complains of where a node goes on with a connection on which something else is still under way.
    pub fn misused_connections(&self) -> Vec<String> {
        const COMPLAINTS: [&str; 2] = ["already a transaction in progress", "current transaction is aborted"];
        let is_one = |line: &&str| COMPLAINTS.iter().any(|complaint| line.contains(complaint));
        let complaints = |log: PathBuf| {
            let log = fs::read(log).expect("the database's log can be read");
            let log = String::from_utf8_lossy(&log);
            log.lines().filter(is_one).map(str::to_owned).collect::<Vec<_>>()
        };
        let engines = iter::once(&self.server).chain(&self.second);
        engines.flat_map(Engine::logs).flat_map(complaints).collect()
    }

    /// Waits until every node listens.
    pub fn until_serving(&self) {
        let deadline = Instant::now() + RECOVERY;
        while !self.posts.iter().all(|post| post.node.is_serving()) {
            assert!(Instant::now() < deadline, "not all nodes serve");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends all faults that can be ended.
    pub fn heal(&self) {
        for post in &self.posts {
            post.front.heal();
            post.back.heal();
            post.node.signal(Signal::SIGCONT);
        }
    }

    /// How long the threads of the nodes and of the database have waited for a processor since they began, by process.
    pub fn waits(&self) -> HashMap<Pid, Duration> {
        let nodes = self.posts.iter().filter_map(|post| post.node.process_id());
        let pids = nodes.chain(self.server.postmaster()).chain(self.server.processes());
        pids.map(|pid| (pid, waited(pid))).collect()
    }

    /// The PostgreSQL of a cell.
    pub fn engine(&self, cell: Cell) -> &Engine {
        match cell {
            Cell::Home => &self.server,
            Cell::Second => self.second.as_ref().expect("a fleet of two cells"),
        }
    }

    /// Connects to a cell as a node does, past the proxies.
    pub fn connect(&self, cell: Cell) -> Database {
        let options = Options {
            max_connections: 4,
            acquire_timeout: RECOVERY,
            statement_timeout: Duration::from_secs(600),
            application_name: "chaos".to_owned(),
            ..Options::default()
        };
        self.runtime
            .block_on(Database::connect(self.engine(cell).url(), options))
            .expect("the database answers when nothing is broken")
    }
}

/// How long a process's threads have waited for a processor; nothing where the kernel does not say.
fn waited(pid: Pid) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let waits = threads.filter_map(|thread| {
        let statistics = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        statistics.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    Duration::from_nanos(waits.sum())
}

fn make_private(folder: &Path) {
    let made = fs::DirBuilder::new().mode(0o700).create(folder);
    made.expect("a folder can be made");
}

/// Copies a data folder without what its node has seen.
fn copy_keys(from: &Path, to: &Path) {
    make_private(to);
    for entry in fs::read_dir(from).expect("the folder can be read") {
        let entry = entry.expect("the folder can be read");
        let target = to.join(entry.file_name());
        if entry.file_name() == "evidence" {
            continue;
        }
        if entry.path().is_dir() {
            copy_keys(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file can be copied");
        }
    }
}

fn create_tenant(launch: &Launch, tenant: &str) {
    let mut child = launch
        .command()
        .args([
            "tenant",
            "create",
            tenant,
            "--name",
            "Chaos",
            "--manager-email",
            MANAGER,
        ])
        .arg("--manager-password-stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program under test starts");
    let mut input = child.stdin.take().expect("its input is a pipe");
    writeln!(input, "{PASSWORD}").expect("it reads the password");
    drop(input);
    assert!(child.wait().expect("it ends").success(), "tenant create");
}
