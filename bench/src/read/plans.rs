//! The plans of the statements behind each call, as PostgreSQL's auto_explain logs them: once, after the measurement.

use super::{Arguments, calls::Call, server::Server};
use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// What every session of the database logs: each statement with its plan, its buffers and its times.
const SETTINGS: &[&str] = &[
    "session_preload_libraries = 'auto_explain'",
    "auto_explain.log_min_duration = 0",
    "auto_explain.log_analyze = on",
    "auto_explain.log_buffers = on",
    "auto_explain.log_nested_statements = on",
];

/// The log of the private server, in the data folder.
const LOG: &str = "postgres/server.log";
/// What ALTER SYSTEM would write to, in the folder of the server's version.
const SETTINGS_FILE: &str = "postgresql.auto.conf";

/// The plans, in a file.
pub struct Plans {
    file: PathBuf,
}

impl Plans {
    /// Written to a file.
    pub fn new(file: &Path) -> Self {
        Self { file: file.to_owned() }
    }

    /// Makes each call of the largest tenant once on a node whose statements are explained.
    pub fn explain(&mut self, arguments: &Arguments, calls: impl Fn(&str, &Server) -> Vec<Call>) {
        let Some(tenant) = arguments.tenants.last() else { return };
        let folders = fs::read_dir(arguments.data_dir.join("postgres")).expect("the data folder has a private server");
        let conf = folders
            .filter_map(|folder| Some(folder.ok()?.path().join(SETTINGS_FILE)))
            .find(|conf| conf.exists())
            .expect("the private server has its settings");
        let before = fs::read_to_string(&conf).expect("the private server has its settings there");
        fs::write(&conf, format!("{before}{}\n", SETTINGS.join("\n"))).expect("its settings can be written");
        let server = Server::start(&arguments.binary, &arguments.data_dir);
        let mut plans = File::create(&self.file).expect("the plans' file can be written");
        let mut log = File::open(arguments.data_dir.join(LOG)).expect("the private server has a log");
        for call in calls(tenant, &server) {
            if arguments
                .only
                .as_ref()
                .is_some_and(|text| !call.name.contains(text.as_str()))
            {
                continue;
            }
            log.seek(SeekFrom::End(0)).expect("the log can be read");
            server.send(&call);
            thread::sleep(Duration::from_millis(20));
            let mut logged = String::new();
            log.read_to_string(&mut logged).expect("the log is text");
            writeln!(plans, "======== {}\n{}\n\n{logged}", call.name, call.path)
                .expect("the plans' file can be written");
        }
        drop(server);
        fs::write(&conf, before).expect("its settings can be written");
    }
}
