//! `caudal doctor`: what an operator gets wrong, and the remedy of each mistake.
//!
//! | Step | Where |
//! |---|---|
//! | gather | [`gather`] asks the database, the folders, the mail server and the network for [`InstallationFacts`], and changes none of them |
//! | examine | each of [`CHECKS`] looks at the facts alone, so that every mistake can be planted in a test |
//!
//! A check whose facts could not be gathered is skipped and says why: one cause, such as a database that does not answer,
//! is told once.

mod backup;
mod database;
mod facts;
pub mod gather;
mod keys;
mod mail;
mod network;
mod place;
mod remote;
mod settings;

pub use facts::{
    ArchiveFacts, BackupFacts, BrokenSetting, BucketFacts, BucketUse, CopyFacts, DatabaseFacts, DatabaseUse, DiskFacts,
    FolderFacts, InstallationFacts, KeyFacts, KeyFault, LogFacts, MailFacts, MailWay, NetworkFacts, NodeFacts,
    OwnerFacts, PortState, ProcessFacts, SchemaState, SettingFacts, StandbyFacts, TelemetryFacts, Unreachable,
};

pub use crate::telemetry::CollectorFault;

use serde::Serialize;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Caudal works, and something may be lost, seen or slow that need not be.
    Warning,
    /// Caudal does not start, does not work, or loses what it acknowledged.
    Wrong,
}

/// One mistake and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The stable name of the mistake, such as `database.fsync`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub problem: String,
    /// What to do, in one line.
    pub remedy: String,
}

impl Finding {
    fn wrong(code: &'static str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(code, Severity::Wrong, problem.into(), remedy.into())
    }

    fn warning(code: &'static str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, problem.into(), remedy.into())
    }

    fn new(code: &'static str, severity: Severity, problem: String, remedy: String) -> Self {
        // What a library or the operating system says may have several lines.
        let line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Self {
            code,
            severity,
            problem: line(problem),
            remedy: line(remedy),
        }
    }
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The facts were there; none of the findings is the good end.
    Examined(Vec<Finding>),
    /// The facts could not be gathered.
    Skipped(&'static str),
}

/// One look at the facts.
#[derive(Clone, Copy)]
pub struct Check {
    /// The first part of its findings' codes.
    pub name: &'static str,
    /// What is looked at, for the report.
    pub title: &'static str,
    run: fn(&InstallationFacts) -> Outcome,
}

/// All checks, in the order of the report.
pub const CHECKS: &[Check] = &[
    Check {
        name: "settings",
        title: "settings are known and can be read",
        run: settings::examine,
    },
    Check {
        name: "process",
        title: "the process has the rights and the limits that it needs",
        run: place::process,
    },
    Check {
        name: "folder",
        title: "the data folder is there, whole and private",
        run: place::folders,
    },
    Check {
        name: "disk",
        title: "the disk has room",
        run: place::disk,
    },
    Check {
        name: "database",
        title: "the database answers, keeps what it acknowledges and is let in by the right user",
        run: database::server,
    },
    Check {
        name: "schema",
        title: "the schema is this program's",
        run: database::schema,
    },
    Check {
        name: "owner",
        title: "the owner of the database is apart",
        run: database::owner,
    },
    Check {
        name: "standby",
        title: "the standby for reading follows this database",
        run: database::standby,
    },
    Check {
        name: "clock",
        title: "the clock is the database's",
        run: database::clock,
    },
    Check {
        name: "log",
        title: "no tenant is in quarantine or lacks a list for screening, and the read models keep up",
        run: database::log,
    },
    Check {
        name: "keys",
        title: "the key file is there, private and this database's",
        run: keys::examine,
    },
    Check {
        name: "network",
        title: "addresses, proxies and cookies",
        run: network::examine,
    },
    Check {
        name: "mail",
        title: "mails can be sent",
        run: mail::examine,
    },
    Check {
        name: "backup",
        title: "there is a backup, and somebody tried it",
        run: backup::examine,
    },
    Check {
        name: "bucket",
        title: "the buckets answer",
        run: remote::buckets,
    },
    Check {
        name: "telemetry",
        title: "the collector takes traces and metrics",
        run: remote::telemetry,
    },
];

/// A check and what it came to.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The check's name.
    pub name: &'static str,
    /// The check's title.
    pub title: &'static str,
    /// What it came to.
    pub outcome: Outcome,
}

/// Runs all checks.
#[must_use]
pub fn examine(facts: &InstallationFacts) -> Vec<Examined> {
    let examined = |check: &Check| Examined {
        name: check.name,
        title: check.title,
        outcome: (check.run)(facts),
    };
    CHECKS.iter().map(examined).collect()
}

#[cfg(test)]
mod tests;
