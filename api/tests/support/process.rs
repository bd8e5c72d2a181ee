//! Real `caudal` processes over one database.

use super::{Client, MANAGER, PASSWORD};
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// A `caudal serve` on a free port, killed when dropped.
pub struct Process {
    child: Child,
    base: String,
    operations: Option<String>,
    log: Option<Arc<Mutex<Vec<String>>>>,
}

impl Process {
    /// Starts a node over a database, with the keys of a data folder.
    pub fn serve(database_url: &str, data_dir: &Path) -> Self {
        Self::start(caudal(database_url, data_dir), &[])
    }

    /// Starts a node with more arguments, and keeps its log.
    pub fn serve_with(database_url: &str, data_dir: &Path, log: &str, arguments: &[&str]) -> Self {
        let mut command = caudal(database_url, data_dir);
        command.env("RUST_LOG", log).stderr(Stdio::piped());
        Self::start(command, arguments)
    }

    fn start(mut command: Command, arguments: &[&str]) -> Self {
        Self::spawn(command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments))
    }

    /// Starts a node by a command that prints its address.
    pub fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let log = child.stderr.take().map(|stderr| {
            let log = Arc::new(Mutex::new(Vec::new()));
            let lines = Arc::clone(&log);
            std::thread::spawn(move || {
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    lines.lock().unwrap().push(line);
                }
            });
            log
        });
        let mut operations = None;
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let base = lines.by_ref().find_map(|line| {
            let line = line.ok()?;
            if let Some((_, base)) = line.split_once("operations on ") {
                operations = Some(base.trim().to_owned());
            }
            line.split_once("listening on ").map(|(_, base)| base.trim().to_owned())
        });
        // The pipe must be drained, or the process would block.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            base: base.expect("it says where it listens"),
            operations,
            log,
        }
    }

    /// The log so far.
    pub fn log(&self) -> Vec<String> {
        let log = self.log.as_ref().expect("its log is kept");
        log.lock().unwrap().clone()
    }

    /// A client of the operators' address.
    pub fn operations(&self) -> Client {
        Client::new(self.operations.clone().expect("it has another address"), "default")
    }

    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// Ends the process with SIGTERM, as a service manager does.
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// Sends a signal such as `KILL` or `STOP`.
    pub fn signal(&self, signal: &str) {
        let status = Command::new("kill")
            .arg(format!("-{signal}"))
            .arg(self.child.id().to_string())
            .status();
        assert!(status.unwrap().success());
    }

    /// Whether the process ends with success within this time.
    pub fn ended_well_within(&mut self, time: Duration) -> bool {
        let started = Instant::now();
        while started.elapsed() < time {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    /// Peak memory since [`Self::forget_peak`], in kilobytes.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak.unwrap().trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Resets the peak of the resident set (proc(5), `clear_refs`).
    pub fn forget_peak(&self) {
        std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5").unwrap();
    }

    pub fn client(&self, tenant: &str) -> Client {
        Client::new(self.base.clone(), tenant)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Creates a tenant with the usual manager, at the shell.
pub fn create_tenant(database_url: &str, data_dir: &Path, tenant: &str) {
    create_tenant_by(&mut caudal(database_url, data_dir), tenant);
}

/// Creates a tenant with the usual manager by a command without its arguments.
pub fn create_tenant_by(command: &mut Command, tenant: &str) {
    let mut child = command
        .args(["tenant", "create", tenant, "--name", "Test", "--manager-email", MANAGER])
        .arg("--manager-password-stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{PASSWORD}").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success(), "tenant create");
}

/// Runs a `caudal` command. Returns whether it succeeded, and its output.
pub fn run(database_url: &str, data_dir: &Path, arguments: &[&str]) -> (bool, String) {
    let output = caudal(database_url, data_dir).args(arguments).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

/// `caudal` on a machine with nothing but a folder: the database in it is its own.
pub fn caudal_alone(folder: &Path) -> Command {
    // PostgreSQL's own user passes through, where the test runs as root.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o711)).unwrap();
    let settings = folder.join("caudal.toml");
    fs::write(&settings, "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
    command
        .env_remove("DATABASE_URL")
        .env_remove("CAUDAL_OWNER_DATABASE_URL")
        .env("CAUDAL_CONFIG", settings)
        .env("CAUDAL_DATA_DIR", folder.join("data"))
        .env("RUST_LOG", "warn");
    command
}

fn caudal(database_url: &str, data_dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
    command
        .env("DATABASE_URL", database_url)
        .env("CAUDAL_DATA_DIR", data_dir)
        .env("RUST_LOG", "warn");
    command
}
