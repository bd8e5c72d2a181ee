//! A handle on the running server.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread::JoinHandle;

use tempfile::TempDir;

use super::archive::Archive;
use super::cluster::{Cluster, DATABASE, OWNER, temporary_parent};
use super::error::{EmbeddedError, at};
use super::files::copy_folder;
use super::supervisor::{Outcome, Supervisor};
use crate::data_dir::DataDir;
use crate::logins::NODE_LOGIN;

/// A PostgreSQL server that accepts connections, started or joined by this process. Stopped on drop if this process
/// owns it.
#[derive(Debug)]
pub struct Server {
    pub(super) cluster: Cluster,
    url: String,
    owner: Arc<AtomicBool>,
    running: Option<Running>,
    /// Dropped last, after the server has stopped.
    home: Option<TempDir>,
}

#[derive(Debug)]
struct Running {
    /// Dropping it requests the stop.
    stop: Sender<()>,
    thread: JoinHandle<Outcome>,
}

/// Options of a temporary cluster, for tests and measurements.
#[derive(Debug, Default)]
pub struct Temporary {
    /// Output of [`Server::save`] to start from instead of an empty cluster.
    pub seed: Option<PathBuf>,
    /// Additional server settings, `name=value`.
    pub settings: Vec<String>,
}

impl Server {
    /// Starts the server of a data folder, creating the cluster when missing, or joins the server of another process.
    /// Blocks until it accepts connections: about 1 s the first time, 50 ms later.
    ///
    /// # Errors
    /// When no suitable PostgreSQL is installed, or it does not start.
    pub fn start_or_join(data_dir: &DataDir) -> Result<Self, EmbeddedError> {
        Self::start(data_dir, Temporary::default(), None)
    }

    /// As [`Server::start_or_join`]; a server that is started here archives its write-ahead log.
    ///
    /// # Errors
    /// As [`Server::start_or_join`].
    pub fn start_or_join_archiving(data_dir: &DataDir, archive: &Archive) -> Result<Self, EmbeddedError> {
        let options = Temporary {
            settings: archive.settings(),
            ..Temporary::default()
        };
        Self::start(data_dir, options, None)
    }

    /// Starts a server on a cluster's data and stops it when it is ready.
    pub(super) fn run_once(cluster: Cluster) -> Result<(), EmbeddedError> {
        Self::on(cluster, None, None)?.stop()
    }

    /// Starts a server in a temporary folder, which is removed when this process ends, however it ends. It is as
    /// durable as any other.
    ///
    /// # Errors
    /// As [`Server::start_or_join`].
    pub fn temporary(options: Temporary) -> Result<Self, EmbeddedError> {
        let parent = temporary_parent()?;
        let home = tempfile::Builder::new()
            .prefix("caudal-")
            .tempdir_in(&parent)
            .map_err(at(&parent))?;
        Self::start(&DataDir::at(home.path())?, options, Some(home))
    }

    /// The owner's connection URL, for this library and `psql`. Stable over restarts.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The owner's URL for another database of this server.
    pub fn url_of(&self, database: &str) -> String {
        self.cluster.url(OWNER, database)
    }

    /// Connection URL of nodes; their login ([`crate::NODE_LOGIN`]) owns nothing.
    pub fn node_url(&self) -> String {
        self.node_url_of(DATABASE)
    }

    /// The nodes' URL for another database of this server.
    pub fn node_url_of(&self, database: &str) -> String {
        self.cluster.url(NODE_LOGIN, database)
    }

    /// Path of the server's log.
    pub fn log(&self) -> PathBuf {
        self.cluster.log()
    }

    /// Whether this process runs the server. A joined process becomes the owner when the previous owner exits.
    pub fn is_owner(&self) -> bool {
        self.owner.load(Ordering::Acquire)
    }

    /// Process id of the running server.
    pub fn process_id(&self) -> Option<i32> {
        self.cluster.postmaster().map(|postmaster| postmaster.pid.as_raw())
    }

    /// Stops the server if this process owns it, and waits for its end.
    ///
    /// # Errors
    /// When it had to be killed.
    pub fn stop(mut self) -> Result<(), EmbeddedError> {
        self.end()
    }

    /// Stops the server and copies its data to a new folder, as a seed for later clusters.
    ///
    /// # Errors
    /// When it had to be killed, or the copy fails.
    pub fn save(mut self, to: &Path) -> Result<(), EmbeddedError> {
        self.end()?;
        self.copy_data(to)
    }

    /// Stops the server if this process owns it. [`Server::resume`] restarts it at the same address.
    ///
    /// # Errors
    /// When it had to be killed.
    pub fn halt(&mut self) -> Result<(), EmbeddedError> {
        self.end()
    }

    /// Restarts a halted server and blocks until it accepts connections.
    pub fn resume(&mut self) -> Result<(), EmbeddedError> {
        if self.running.is_none() {
            self.run(None)?;
        }
        Ok(())
    }

    /// Copies the data of a halted server to a new folder.
    pub fn copy_data(&self, to: &Path) -> Result<(), EmbeddedError> {
        let major = self.cluster.major()?.unwrap_or_default();
        copy_folder(&self.cluster.data(major), to, &|_| true, &|_| Ok(())).map_err(at(to))
    }

    /// Replaces a halted server's data by a [copy](Server::copy_data), like a database restore.
    pub fn replace_data(&self, from: &Path) -> Result<(), EmbeddedError> {
        let major = self.cluster.major()?.unwrap_or_default();
        let data = self.cluster.data(major);
        fs::remove_dir_all(&data).map_err(at(&data))?;
        self.cluster.seed(from, major)
    }

    fn start(data_dir: &DataDir, options: Temporary, home: Option<TempDir>) -> Result<Self, EmbeddedError> {
        let mut cluster = Cluster::prepare(data_dir)?;
        cluster.settings = options.settings;
        Self::on(cluster, options.seed, home)
    }

    fn on(cluster: Cluster, seed: Option<PathBuf>, home: Option<TempDir>) -> Result<Self, EmbeddedError> {
        let url = cluster.url(OWNER, DATABASE);
        let mut server = Self {
            cluster,
            url,
            owner: Arc::new(AtomicBool::new(false)),
            running: None,
            home,
        };
        server.run(seed)?;
        Ok(server)
    }

    fn run(&mut self, seed: Option<PathBuf>) -> Result<(), EmbeddedError> {
        let (stop, stopped) = channel();
        let (started, ready) = sync_channel(1);
        let supervisor = Supervisor {
            cluster: self.cluster.clone(),
            seed,
            remove: self.home.as_ref().map(|home| home.path().to_owned()),
            started: Some(started),
            stop: stopped,
            owner: Arc::clone(&self.owner),
        };
        let thread = std::thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || supervisor.run())
            .map_err(at(self.cluster.root()))?;
        self.running = Some(Running { stop, thread });
        ready.recv().map_err(|_| EmbeddedError::Unsupervised)?
    }

    fn end(&mut self) -> Outcome {
        let Some(Running { stop, thread }) = self.running.take() else {
            return Ok(());
        };
        drop(stop);
        let outcome = thread.join().map_err(|_| EmbeddedError::Unsupervised)?;
        self.owner.store(false, Ordering::Release);
        outcome
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(problem) = self.end() {
            tracing::error!(%problem, "PostgreSQL did not stop in good order");
        }
    }
}
