//! A `caudal serve` that is started again whenever it ends, as a service manager would.

use crate::{
    engine::Cell,
    proxy::{Proxy, Target},
    tally::Tally,
};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader},
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// How often a process is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// How long a service manager waits before it starts a process again.
const RESTART_PAUSE: Duration = Duration::from_millis(100);

/// How a node is started.
#[derive(Clone, Debug)]
pub struct Launch {
    pub program: PathBuf,
    /// Its data folder.
    pub data_dir: PathBuf,
    pub database_url: String,
    /// The URL of the second cell, where there is one.
    pub second_cell: Option<String>,
    /// Where its log goes.
    pub log: PathBuf,
    /// What is put before the program: `faketime` and its like.
    pub wrapper: Vec<String>,
    /// Whether nodes forward commands to the one that has the tenant's writer lease.
    pub forwards: bool,
}

impl Launch {
    /// The program with its place.
    pub fn command(&self) -> Command {
        let mut words = self.wrapper.iter().map(PathBuf::from).chain([self.program.clone()]);
        let mut command = Command::new(words.next().expect("the program, at least"));
        command
            .args(words)
            .env("DATABASE_URL", &self.database_url)
            .env("CAUDAL_DATA_DIR", &self.data_dir)
            .env("RUST_LOG", "warn")
            // The load is some few callers that write without a pause.
            .env("CAUDAL_WRITE_RATE", "0");
        if let Some(url) = &self.second_cell {
            command.env("CAUDAL_CELLS", format!("{}={url}", Cell::Second.name()));
        }
        if self.forwards {
            command.env("CAUDAL_NODE_ADDRESS", "http://127.0.0.1:0");
        }
        command
    }

    fn serve(&self) -> Child {
        let log = File::options()
            .create(true)
            .append(true)
            .open(&self.log)
            .expect("the log of a node can be written");
        self.command()
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the program under test starts")
    }
}

/// One node of a fleet; it is killed with this value.
#[derive(Debug)]
pub struct Node {
    launch: Launch,
    running: Arc<Running>,
    keeper: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Running {
    child: Mutex<Option<Life>>,
    stop: AtomicBool,
    /// Whether it stays down once it has ended.
    is_held: AtomicBool,
    /// Whether the kernel may kill it, for its memory.
    may_be_killed: AtomicBool,
    /// How often the kernel did.
    killed: AtomicU64,
}

/// One life of the process.
#[derive(Debug)]
struct Life {
    process: Child,
    is_serving: Arc<AtomicBool>,
    /// Whether it ends because it was told to.
    is_condemned: bool,
}

impl Node {
    /// Starts a node, to which `front` leads whenever it serves.
    pub fn start(launch: Launch, front: Arc<Proxy>, tally: Arc<Tally>) -> Self {
        let running = Arc::new(Running {
            child: Mutex::new(None),
            stop: AtomicBool::new(false),
            is_held: AtomicBool::new(false),
            may_be_killed: AtomicBool::new(false),
            killed: AtomicU64::new(0),
        });
        let keeper = {
            let (launch, running) = (launch.clone(), running.clone());
            thread::spawn(move || running.keep(&launch, &front, &tally))
        };
        Self {
            launch,
            running,
            keeper: Some(keeper),
        }
    }

    /// Sends a signal to the process, if it runs. Whatever ends it counts as wanted.
    pub fn signal(&self, signal: Signal) -> bool {
        let mut child = self.running.child();
        let Some(life) = child.as_mut() else { return false };
        if !matches!(life.process.try_wait(), Ok(None)) {
            return false;
        }
        if !matches!(signal, Signal::SIGSTOP | Signal::SIGCONT) {
            life.is_condemned = true;
        }
        kill(pid(&life.process), signal).is_ok()
    }

    /// The process number, where it runs.
    pub fn process_id(&self) -> Option<Pid> {
        self.running.child().as_ref().map(|life| pid(&life.process))
    }

    /// Its program with its place, for commands of the operator.
    pub const fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Kills the process, and starts none until [`Self::release`].
    pub fn hold(&self) {
        self.running.is_held.store(true, Ordering::Release);
        self.signal(Signal::SIGKILL);
        while self.running.child().is_some() {
            thread::sleep(LOOK);
        }
    }

    /// Starts the process again.
    pub fn release(&self) {
        self.running.is_held.store(false, Ordering::Release);
    }

    /// From now on the kernel may kill it, or no more.
    pub fn may_be_killed(&self, it_may: bool) {
        self.running.may_be_killed.store(it_may, Ordering::Release);
    }

    /// How often the kernel killed it where it might.
    pub fn killed(&self) -> u64 {
        self.running.killed.load(Ordering::Acquire)
    }

    /// Whether it listens.
    pub fn is_serving(&self) -> bool {
        let child = self.running.child();
        child
            .as_ref()
            .is_some_and(|life| life.is_serving.load(Ordering::Acquire))
    }

    /// The lines of its log that tell of what should never happen.
    pub fn panics(&self) -> Vec<String> {
        panics(&self.launch.log)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.running.stop.store(true, Ordering::Release);
        self.signal(Signal::SIGKILL);
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

impl Running {
    fn child(&self) -> MutexGuard<'_, Option<Life>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, launch: &Launch, front: &Arc<Proxy>, tally: &Tally) {
        while !self.stop.load(Ordering::Acquire) {
            if self.is_held.load(Ordering::Acquire) {
                thread::sleep(LOOK);
                continue;
            }
            let mut process = launch.serve();
            tally.count("starts of a node");
            let output = process.stdout.take().expect("its output is a pipe");
            let is_serving = Arc::new(AtomicBool::new(false));
            let (front, tells) = (front.clone(), is_serving.clone());
            let reader = thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    let address = line.split_once("listening on http://").map(|(_, address)| address);
                    if let Some(address) = address.and_then(|address| address.trim().parse().ok()) {
                        front.lead_to(Target::Port(address));
                        tells.store(true, Ordering::Release);
                    }
                }
            });
            *self.child() = Some(Life {
                process,
                is_serving: is_serving.clone(),
                is_condemned: false,
            });
            let status = loop {
                thread::sleep(LOOK);
                if self.stop.load(Ordering::Acquire) {
                    self.end();
                }
                let mut child = self.child();
                let life = child.as_mut().expect("it was put there");
                if let Some(status) = life.process.try_wait().expect("its end can be asked for") {
                    let ended = (status, life.is_condemned);
                    *child = None;
                    break ended;
                }
            };
            let _ = reader.join();
            match status {
                (_, true) => {}
                (status, false) if self.is_kill_of_the_kernel(status) => {
                    self.killed.fetch_add(1, Ordering::AcqRel);
                }
                // Without a database it does not start: it says why, ends, and is started again.
                (_, false) if !is_serving.load(Ordering::Acquire) => tally.count("starts without a database, given up"),
                (status, false) => tally.find(format!("a node that served ended by itself: {status}")),
            }
            thread::sleep(RESTART_PAUSE);
        }
    }

    fn is_kill_of_the_kernel(&self, status: ExitStatus) -> bool {
        self.may_be_killed.load(Ordering::Acquire) && status.signal() == Some(Signal::SIGKILL as i32)
    }

    fn end(&self) {
        if let Some(life) = self.child().as_mut() {
            life.is_condemned = true;
            let _ = life.process.kill();
        }
    }
}

pub fn pid(process: &Child) -> Pid {
    Pid::from_raw(i32::try_from(process.id()).expect("process numbers fit"))
}

fn panics(log: &Path) -> Vec<String> {
    // A line that a kill cut in two is no text, perhaps.
    let log = fs::read(log).unwrap_or_default();
    String::from_utf8_lossy(&log)
        .lines()
        .filter(|line| line.contains("panicked at"))
        .map(str::to_owned)
        .collect()
}
