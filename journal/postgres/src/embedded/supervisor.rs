//! The thread that runs the server, or waits beside another process that does.
//!
//! It alone spawns, signals and reaps the server's process, so that no signal can reach a process that took over its
//! number; and it lives as long as the server, whose parent-death signal hangs on it.

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

/// Long enough for the recovery of a big journal after a crash.
const START_PATIENCE: Duration = Duration::from_secs(300);

/// Long enough for the last checkpoint on a slow disk.
const STOP_PATIENCE: Duration = Duration::from_secs(60);

/// How often a server that starts or stops is looked at: a start takes some 50 ms.
const QUICK_LOOK: Duration = Duration::from_millis(5);

/// How often a server that runs, or the lock of another process, is looked at.
const IDLE_LOOK: Duration = Duration::from_millis(100);

/// How long to wait before a dead server is started again; its orphaned processes must end first.
const RESTART_PAUSE: Duration = Duration::from_millis(500);

/// How long the server of a killed process, or its last statement, may take to end.
const PREDECESSOR_PATIENCE: Duration = Duration::from_secs(60);

/// What PostgreSQL says when an earlier server, or an orphaned process of it, still uses the data.
const OCCUPIED: [&str; 2] = ["lock file \"postmaster.pid\" already exists", "shared memory block"];

/// What becomes of the thread's work.
pub(super) type Outcome = Result<(), EmbeddedError>;

pub(super) struct Supervisor {
    pub(super) cluster: Cluster,
    /// Data to start from instead of a new, empty cluster.
    pub(super) seed: Option<PathBuf>,
    /// A folder that is to go when this process ends, however it ends.
    pub(super) remove: Option<PathBuf>,
    /// Told once that the server is ready, or why it will not be.
    pub(super) started: Option<SyncSender<Outcome>>,
    /// Its other end is dropped to ask for the end.
    pub(super) stop: Receiver<()>,
    pub(super) owner: Arc<AtomicBool>,
}

/// How a wait ended.
#[derive(Debug, PartialEq, Eq)]
enum Wait {
    Elapsed,
    Stopped,
}

impl Supervisor {
    /// Runs until it is stopped, or until the first start fails.
    pub(super) fn run(mut self) -> Outcome {
        let outcome = self.join_until_free();
        match self.started.take() {
            // Whoever waits for the start hears of the failure; nobody is left to ask again.
            Some(started) => {
                let _ = started.send(outcome);
                Ok(())
            }
            None => outcome,
        }
    }

    /// A guest at another process's server, until its lock is free; then the owner.
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

    /// Keeps the server running until it is stopped.
    fn own(&mut self, first_deadline: Instant) -> Outcome {
        let mut deadline = first_deadline;
        loop {
            match self.serve(deadline) {
                Ok(Wait::Stopped) => return Ok(()),
                Ok(Wait::Elapsed) => tracing::error!("PostgreSQL ended by itself; starting it again"),
                Err(problem @ EmbeddedError::Killed { .. }) => return Err(problem),
                // Before the first success the caller hears of it; later there is only the log, and another try.
                Err(problem) if self.started.is_some() => return Err(problem),
                Err(problem) => tracing::error!(%problem, "PostgreSQL does not start; trying again"),
            }
            if self.wait(RESTART_PAUSE) == Wait::Stopped {
                return Ok(());
            }
            deadline = Instant::now() + START_PATIENCE;
        }
    }

    /// One life of the server: `Elapsed` when it ended by itself.
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

    /// Starts the server and waits until it is ready; `None` when it is to stop.
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
        // A Ctrl-C in the terminal is for us: the server stops after the work that is under way.
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
            // Nobody listens any more: then the stop channel is closed too, and seen next.
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

/// How a start ended.
enum Start {
    Ready,
    Ended,
    Stopped,
}

/// Stops the server as a fast shutdown: clients are cut off, everything is written, the process ends.
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
