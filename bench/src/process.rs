//! A `caudal serve` in a process of its own.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    thread,
};

/// The unit in which Linux tells programs how long they were at work.
const TICKS_A_SECOND: f64 = 100.0;

/// It ends with this value.
#[derive(Debug)]
pub struct Serving {
    process: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Serving {
    /// Starts it, with its log in a file, and waits until it listens.
    pub fn start(command: &mut Command, log: File) -> Self {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the node starts");
        let output = process.stdout.take().expect("its output is a pipe");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.split_once("listening on http://")?.1.trim().parse().ok());
        // What else it says must not fill the pipe.
        thread::spawn(move || lines.for_each(drop));
        Self {
            process,
            address: address.expect("it says where it listens"),
        }
    }

    /// Resident memory in MiB.
    pub fn resident_mib(&self) -> f64 {
        self.memory("VmRSS:")
    }

    /// The most that it ever held, in MiB.
    pub fn most_resident_mib(&self) -> f64 {
        self.memory("VmHWM:")
    }

    /// For how many seconds its threads have been at work so far, together.
    pub fn busy_seconds(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap_or_default();
        // The name before may have spaces.
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let ticks = after_name.split_whitespace().skip(11).take(2);
        ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS_A_SECOND
    }

    fn memory(&self, figure: &str) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(figure));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or_default() / 1_024.0
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // SIGTERM, so that it stops the database that it started.
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}
