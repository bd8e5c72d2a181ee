//! The cluster, by its script.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
};

/// First port of a run: apart from a manually started cluster's, and below the ephemeral ports.
const FIRST_PORT: u32 = 26_000;
/// Ports that one cluster takes at most.
const PORTS: u32 = 50;
/// Runs side by side that do not meet, as long as their process numbers differ by less.
const RUNS: u32 = 100;

/// Three servers with all that is around them; they end with this value.
#[derive(Debug)]
pub struct Machines {
    folder: PathBuf,
    port: u32,
    url: String,
    owner_url: String,
}

impl Machines {
    pub fn start() -> Self {
        let process = process::id();
        let mut machines = Self {
            folder: std::env::temp_dir().join(format!("caudal-cluster-{process}")),
            port: FIRST_PORT + process % RUNS * PORTS,
            url: String::new(),
            owner_url: String::new(),
        };
        let said = machines.order("start");
        let value = |name: &str| {
            let line = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.expect("the script says the URL").trim_matches('\'').to_owned()
        };
        (machines.url, machines.owner_url) = (value("DATABASE_URL"), value("CAUDAL_OWNER_DATABASE_URL"));
        machines
    }

    /// The URL of all servers, for nodes.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where the servers log.
    pub fn logs(&self) -> Vec<PathBuf> {
        (1..=3)
            .map(|node| self.folder.join(format!("patroni{node}.log")))
            .collect()
    }

    /// Makes the schema, as the owner.
    pub fn migrate(&self, program: &Path) {
        let status = Command::new(program)
            .args(["migrate", "--grant-login", "caudal_login"])
            .env("DATABASE_URL", &self.url)
            .env("CAUDAL_OWNER_DATABASE_URL", &self.owner_url)
            .env("CAUDAL_DATA_DIR", self.folder.with_extension("owner"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        assert!(status.expect("the program under test starts").success(), "migrate");
    }

    /// Runs a command of the script to its end; what it printed.
    pub fn order(&self, command: &str) -> String {
        let said = self.script(command).output().expect("the script starts");
        let errors = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "scripts/try-cluster {command}: {errors}");
        String::from_utf8_lossy(&said.stdout).into_owned()
    }

    fn script(&self, command: &str) -> Command {
        let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/try-cluster"));
        script
            .arg(command)
            .env("CAUDAL_CLUSTER", &self.folder)
            .env("CAUDAL_CLUSTER_PORT", self.port.to_string())
            .stdin(Stdio::null());
        script
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        // Nobody is left to be told where it fails.
        let _ = self.script("stop").status();
        let _ = fs::remove_dir_all(self.folder.with_extension("owner"));
    }
}
