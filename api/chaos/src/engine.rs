//! The PostgreSQL under a fleet: a server of the harness's own, or a cluster that something else runs.

use caudal_postgres::embedded::{EmbeddedError, Server};
use std::path::{Path, PathBuf};

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

impl Engine {
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

    /// The process number of the harness's own server.
    pub fn process_id(&self) -> Option<i32> {
        match self {
            Self::Own(server) => server.process_id(),
            Self::Cluster { .. } => None,
        }
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
