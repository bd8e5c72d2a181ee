//! The PostgreSQL under a fleet: a server of the harness's own, or a cluster that something else runs.

use crate::proxy::{Proxy, Target};
use caudal_postgres::embedded::{EmbeddedError, Server, Temporary};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use sqlx::postgres::PgConnectOptions;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Why the harness cannot go on.
const NOT_OWN: &str = "a cluster is stopped and copied by what runs it";

/// Where the data is.
#[derive(Debug)]
pub enum Engine {
    /// One server, which ends with this value.
    Own(Server),
    /// Several servers, one of which takes writes.
    Cluster {
        /// All of them, for nodes.
        url: String,
        /// Where the servers log.
        logs: Vec<PathBuf>,
    },
}

/// One of the databases that nodes serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Home,
    Second,
}

impl Cell {
    /// The name by which nodes know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Second => "b",
        }
    }

    pub const fn other(self) -> Self {
        match self {
            Self::Home => Self::Second,
            Self::Second => Self::Home,
        }
    }
}

impl Engine {
    /// A server whose data end with it.
    pub fn temporary() -> Self {
        Self::Own(Server::temporary(Temporary::default()).expect("the database starts"))
    }

    /// The URL for nodes.
    pub fn url(&self) -> &str {
        match self {
            Self::Own(server) => server.url(),
            Self::Cluster { url, .. } => url,
        }
    }

    /// The logs of all servers.
    pub fn logs(&self) -> Vec<PathBuf> {
        match self {
            Self::Own(server) => vec![server.log()],
            Self::Cluster { logs, .. } => logs.clone(),
        }
    }

    /// Where a proxy in front of it leads.
    pub fn target(&self) -> Target {
        match self {
            Self::Own(_) => {
                let options = self.options();
                let folder = options
                    .get_socket()
                    .expect("the embedded server listens on a Unix socket");
                Target::Socket(folder.join(format!(".s.PGSQL.{}", options.get_port())))
            }
            Self::Cluster { .. } => Target::Nowhere,
        }
    }

    /// The URL by which it is reached through a proxy.
    pub fn through(&self, proxy: &Proxy) -> String {
        let options = self.options();
        let (user, database) = (options.get_username(), options.get_database().unwrap_or_default());
        format!("postgres://{user}@{}/{database}?sslmode=disable", proxy.address())
    }

    fn options(&self) -> PgConnectOptions {
        self.url().parse().expect("the embedded server's URL")
    }

    /// The process number of the first process of the harness's own server. Looked at twice: a number that was left in a
    /// file may be somebody else's by now.
    pub fn postmaster(&self) -> Option<Pid> {
        let Self::Own(server) = self else { return None };
        let pid = server.process_id()?;
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let ours = field("Name:") == Some("postgres") && field("PPid:") == Some(&std::process::id().to_string());
        ours.then(|| Pid::from_raw(pid))
    }

    /// The processes that the first one has started.
    pub fn processes(&self) -> Vec<Pid> {
        let Some(postmaster) = self.postmaster() else {
            return Vec::new();
        };
        let children = fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children")).unwrap_or_default();
        let pids = children.split_whitespace().filter_map(|pid| pid.parse().ok());
        pids.map(Pid::from_raw).collect()
    }

    /// The processes that serve connections.
    pub fn backends(&self) -> Vec<Pid> {
        let mut pids = self.processes();
        pids.retain(|pid| {
            let title = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&title).starts_with("postgres: caudal_owner")
        });
        pids
    }

    /// Sends a signal to the first process.
    pub fn signal(&self, signal: Signal) -> bool {
        self.postmaster().is_some_and(|pid| kill(pid, signal).is_ok())
    }

    /// Stops the harness's own server.
    pub fn halt(&mut self) -> Result<(), EmbeddedError> {
        self.own().halt()
    }

    /// Starts it again.
    pub fn resume(&mut self) -> Result<(), EmbeddedError> {
        self.own().resume()
    }

    /// Copies the data of the harness's own server, which is stopped.
    pub fn copy_data(&self, to: &Path) -> Result<(), EmbeddedError> {
        match self {
            Self::Own(server) => server.copy_data(to),
            Self::Cluster { .. } => panic!("{NOT_OWN}"),
        }
    }

    /// Puts a copy in its place.
    pub fn replace_data(&self, from: &Path) -> Result<(), EmbeddedError> {
        match self {
            Self::Own(server) => server.replace_data(from),
            Self::Cluster { .. } => panic!("{NOT_OWN}"),
        }
    }

    fn own(&mut self) -> &mut Server {
        match self {
            Self::Own(server) => server,
            Self::Cluster { .. } => panic!("{NOT_OWN}"),
        }
    }
}
