//! The thread that runs the server, or waits beside the process that does.
//!
//! Only this thread spawns, signals and reaps the server's process, so that no signal can reach a process that reused
//! its id. It lives as long as the server, whose parent-death signal depends on it.

use std::fs::TryLockError;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::binaries::Binaries;
use super::cluster::Cluster;
use super::error::{EmbeddedError, at};
use super::guardian::Guardian;

/// Start timeout; covers crash recovery of a large WAL.
const START_PATIENCE: Duration = Duration::from_secs(300);

/// Stop timeout; covers the final checkpoint on a slow disk.
const STOP_PATIENCE: Duration = Duration::from_secs(60);

/// Poll interval while the server starts or stops; a start takes some 50 ms.
const QUICK_LOOK: Duration = Duration::from_millis(5);

/// Poll interval of a running server, or of another process's lock.
const IDLE_LOOK: Duration = Duration::from_millis(100);

/// Pause before restarting a dead server; its orphaned processes must end first.
const RESTART_PAUSE: Duration = Duration::from_millis(500);

/// Timeout for the server of a killed process, and its last statement, to end.
const PREDECESSOR_PATIENCE: Duration = Duration::from_secs(60);

/// PostgreSQL's messages when an earlier server, or an orphaned process of it, still uses the data.
const OCCUPIED: [&str; 2] = ["lock file \"postmaster.pid\" already exists", "shared memory block"];

pub(super) type Outcome = Result<(), EmbeddedError>;

pub(super) struct Supervisor {
    pub(super) cluster: Cluster,
    /// Data to start from instead of an empty cluster.
    pub(super) seed: Option<PathBuf>,
    /// Folder to remove when this process ends, however it ends.
    pub(super) remove: Option<PathBuf>,
    /// Receives the outcome of the first start, once.
    pub(super) started: Option<SyncSender<Outcome>>,
    /// Its sender is dropped to request the stop.
    pub(super) stop: Receiver<()>,
    pub(super) owner: Arc<AtomicBool>,
}

/// Outcome of a wait.
#[derive(Debug, PartialEq, Eq)]
enum Wait {
    Elapsed,
    Stopped,
}

impl Supervisor {
    /// Runs until stopped, or until the first start fails.
    pub(super) fn run(mut self) -> Outcome {
        let outcome = self.join_until_free();
        match self.started.take() {
            // The caller of the start gets the error; nobody retries.
            Some(started) => {
                let _ = started.send(outcome);
                Ok(())
            }
            None => outcome,
        }
    }

    /// Waits as a guest of another process's server until the lock is free, then owns the server.
    fn join_until_free(&mut self) -> Outcome {
        let lock = self.cluster.lock_file()?;
        let deadline = Instant::now() + START_PATIENCE;
        loop {
            match lock.try_lock() {
                Ok(()) => {
                    self.owner.store(true, Ordering::Release);
                    return self.own(deadline);
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(problem)) => return Err(at(self.cluster.root())(problem)),
            }
            if self.started.is_none() {
                if self.wait(IDLE_LOOK) == Wait::Stopped {
                    return Ok(());
                }
            } else if self.cluster.postmaster().is_some_and(|postmaster| postmaster.ready) {
                self.announce();
            } else if Instant::now() > deadline {
                return Err(self.not_ready());
            } else if self.wait(QUICK_LOOK) == Wait::Stopped {
                return Ok(());
            }
        }
    }

    /// Keeps the server running until stopped.
    fn own(&mut self, first_deadline: Instant) -> Outcome {
        let mut deadline = first_deadline;
        loop {
            match self.serve(deadline) {
                Ok(Wait::Stopped) => return Ok(()),
                Ok(Wait::Elapsed) => tracing::error!("PostgreSQL ended by itself; starting it again"),
                Err(problem @ EmbeddedError::Killed { .. }) => return Err(problem),
                // The first start's error goes to the caller; later ones are logged and retried.
                Err(problem) if self.started.is_some() => return Err(problem),
                Err(problem) => tracing::error!(%problem, "PostgreSQL does not start; trying again"),
            }
            if self.wait(RESTART_PAUSE) == Wait::Stopped {
                return Ok(());
            }
            deadline = Instant::now() + START_PATIENCE;
        }
    }

    /// Runs the server once; `Elapsed` when it ended by itself.
    fn serve(&mut self, deadline: Instant) -> Result<Wait, EmbeddedError> {
        let major = self.cluster.major()?;
        let binaries = Binaries::find(major, &self.cluster.account)?;
        if major.is_none() {
            match &self.seed {
                Some(seed) => self.cluster.seed(seed, binaries.major)?,
                None => self.cluster.initialise(&binaries)?,
            }
        }
        let Some(mut child) = self.launch(&binaries, deadline)? else {
            return Ok(Wait::Stopped);
        };
        let _guardian = self.guardian(&child)?;
        self.announce();
        loop {
            if self.wait(IDLE_LOOK) == Wait::Stopped {
                end(&mut child)?;
                self.cluster.remove_socket_folder();
                return Ok(Wait::Stopped);
            }
            if let Some(status) = child.try_wait().map_err(at(self.cluster.root()))? {
                tracing::error!(%status, "PostgreSQL ended");
                return Ok(Wait::Elapsed);
            }
        }
    }

    /// Starts the server and waits until it is ready; `None` when a stop was requested.
    fn launch(&self, binaries: &Binaries, deadline: Instant) -> Result<Option<Child>, EmbeddedError> {
        let predecessor_deadline = Instant::now() + PREDECESSOR_PATIENCE;
        loop {
            let log_start = self.cluster.log_length();
            let mut child = self.spawn(binaries)?;
            match self.wait_until_ready(&mut child, deadline)? {
                Start::Ready => return Ok(Some(child)),
                Start::Stopped => return Ok(None),
                Start::Ended => {}
            }
            let said = self.cluster.log_since(log_start);
            let occupied = OCCUPIED.iter().any(|message| said.contains(message));
            if !occupied || Instant::now() > predecessor_deadline {
                return Err(EmbeddedError::Start {
                    log: self.cluster.log(),
                    said,
                });
            }
            tracing::info!("an earlier PostgreSQL is still ending; waiting for it");
            if self.wait(RESTART_PAUSE) == Wait::Stopped {
                return Ok(None);
            }
        }
    }

    fn spawn(&self, binaries: &Binaries) -> Result<Child, EmbeddedError> {
        let mut server = self.cluster.server(binaries)?;
        // Own process group: Ctrl-C is for this process, which stops the server after its pending work.
        server.process_group(0);
        let program = PathBuf::from(server.get_program());
        server
            .spawn()
            .map_err(|source| self.cluster.account.explain(&program, source))
    }

    fn wait_until_ready(&self, child: &mut Child, deadline: Instant) -> Result<Start, EmbeddedError> {
        let pid = pid_of(child)?;
        loop {
            if child.try_wait().map_err(at(self.cluster.root()))?.is_some() {
                return Ok(Start::Ended);
            }
            if self
                .cluster
                .postmaster()
                .is_some_and(|postmaster| postmaster.ready && postmaster.pid == pid)
            {
                return Ok(Start::Ready);
            }
            let late = Instant::now() > deadline;
            if late || self.wait(QUICK_LOOK) == Wait::Stopped {
                end(child)?;
                return if late {
                    Err(self.not_ready())
                } else {
                    Ok(Start::Stopped)
                };
            }
        }
    }

    fn guardian(&self, child: &Child) -> Result<Option<Guardian>, EmbeddedError> {
        if self.remove.is_none() && cfg!(target_os = "linux") {
            return Ok(None);
        }
        let guardian = Guardian::watch(pid_of(child)?, self.remove.as_deref());
        guardian.map(Some).map_err(|source| EmbeddedError::Run {
            program: PathBuf::from("sh"),
            source,
        })
    }

    fn announce(&mut self) {
        if let Some(started) = self.started.take() {
            // A missing receiver means that the stop channel is closed too.
            let _ = started.send(Ok(()));
        }
    }

    fn wait(&self, time: Duration) -> Wait {
        match self.stop.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => Wait::Elapsed,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => Wait::Stopped,
        }
    }

    fn not_ready(&self) -> EmbeddedError {
        EmbeddedError::NotReady {
            path: self.cluster.root().to_owned(),
            patience: START_PATIENCE,
        }
    }
}

/// Outcome of a start.
enum Start {
    Ready,
    Ended,
    Stopped,
}

/// Fast shutdown: disconnects clients, writes everything, ends the process.
fn end(child: &mut Child) -> Outcome {
    let pid = pid_of(child)?;
    let wait = |source| EmbeddedError::Run {
        program: PathBuf::from("postgres"),
        source,
    };
    let deadline = Instant::now() + STOP_PATIENCE;
    let _ = kill(pid, Signal::SIGINT);
    while child.try_wait().map_err(wait)?.is_none() {
        if Instant::now() > deadline {
            child.kill().and_then(|()| child.wait()).map_err(wait)?;
            return Err(EmbeddedError::Killed {
                patience: STOP_PATIENCE,
            });
        }
        std::thread::sleep(QUICK_LOOK);
    }
    Ok(())
}

fn pid_of(child: &Child) -> Result<Pid, EmbeddedError> {
    i32::try_from(child.id())
        .map(Pid::from_raw)
        .map_err(|_| EmbeddedError::Unsupervised)
}
