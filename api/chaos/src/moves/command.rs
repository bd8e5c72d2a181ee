//! `caudal tenant move` as an operator runs it: a process of its own, with connections of its own to both cells.

use crate::{
    engine::Cell,
    fleet::Fleet,
    node::{Launch, pid},
    proxy::Proxy,
};
use nix::sys::signal::{Signal, kill};
use std::{
    fs::{self, File},
    path::PathBuf,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How often the process is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// What the operator moves tenants with.
pub struct Mover {
    launch: Launch,
    home: Proxy,
    second: Proxy,
    output: PathBuf,
}

/// A command that runs; it is killed with this value.
pub struct Running {
    process: Child,
    output: PathBuf,
}

/// How a command ended.
pub struct Ended {
    pub is_done: bool,
    /// What it printed.
    pub said: String,
}

impl Mover {
    pub fn new(fleet: &Fleet) -> Self {
        let proxy = |cell| Proxy::start(fleet.runtime.handle(), fleet.engine(cell).target());
        let (home, second) = (proxy(Cell::Home), proxy(Cell::Second));
        let launch = Launch {
            database_url: fleet.engine(Cell::Home).through(&home),
            second_cell: Some(fleet.engine(Cell::Second).through(&second)),
            forwards: false,
            ..fleet.posts[0].node.launch().clone()
        };
        Self {
            launch,
            home,
            second,
            output: fleet.beside("move.log"),
        }
    }

    /// Starts to move a tenant, or goes on with it.
    pub fn start(&self, tenant: &str, to: Cell) -> Running {
        let output = File::create(&self.output).expect("what the command prints can be written");
        let errors = output.try_clone().expect("a file can be shared");
        let process = self
            .launch
            .command()
            .args(["tenant", "move", tenant, "--to", to.name()])
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .expect("the program under test starts");
        Running {
            process,
            output: self.output.clone(),
        }
    }

    /// Cuts its connections to a cell, and refuses new ones for a time.
    pub fn cut(&self, cell: Cell, time: Duration) {
        match cell {
            Cell::Home => self.home.refuse(time),
            Cell::Second => self.second.refuse(time),
        }
    }

    /// Lets it reach both cells again.
    pub fn heal(&self) {
        self.home.heal();
        self.second.heal();
    }
}

impl Running {
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Sends it a signal, if it runs.
    pub fn signal(&mut self, signal: Signal) -> bool {
        !self.has_ended() && kill(pid(&self.process), signal).is_ok()
    }

    /// Waits until it ends by itself; kills it where it takes longer.
    pub fn wait(mut self, patience: Duration) -> Ended {
        let deadline = Instant::now() + patience;
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(LOOK);
        }
        let said = fs::read(&self.output).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        match self.process.try_wait() {
            Ok(Some(status)) => Ended {
                is_done: status.success(),
                said,
            },
            _ => Ended {
                is_done: false,
                said: format!("{said} … and it had not ended after {patience:?}"),
            },
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
