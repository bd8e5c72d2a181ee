//! A million remittances: verification of the chain, rebuild of the read models, queries and exports.
//!
//! Two tenants of the same business, one of five weeks and one of a year: as many sales a day, so that a month has as many
//! rows in either, and what grows is what lies behind it.

use crate::report::{Report, whole};
use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The tenants: their names, and a share of the remittances and of the days.
pub const TENANTS: [(&str, u64); 2] = [("small", 10), ("large", 1)];
/// Over how many days the large one sold.
const DAYS: u64 = 365;

/// Runs this program as `caudal`; answers what it said, and how long it took.
fn caudal(data_dir: &Path, arguments: &[&str]) -> (String, Duration) {
    let started = Instant::now();
    let output = Command::new(std::env::current_exe().expect("this program has a path"))
        .args(arguments)
        .arg("--data-dir")
        .arg(data_dir)
        .env_remove("DATABASE_URL")
        .env_remove("CAUDAL_DATA_DIR")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .expect("this program starts as caudal");
    assert!(output.status.success(), "caudal {}", arguments.join(" "));
    (String::from_utf8_lossy(&output.stdout).into_owned(), started.elapsed())
}

/// Makes the tenants where the folder is new.
pub fn make(data_dir: &Path, remittances: u64) {
    if data_dir.join("postgres").exists() {
        return;
    }
    for (tenant, share) in TENANTS {
        let (remittances, days) = (remittances / share, (DAYS / share + 1).min(DAYS));
        let (remittances, days) = (remittances.to_string(), days.to_string());
        caudal(
            data_dir,
            &[
                "generate",
                "--tenant",
                tenant,
                "--remittances",
                &remittances,
                "--days",
                &days,
            ],
        );
    }
}

/// Verifies the large tenant's chain, and rebuilds the read models of both tenants.
pub fn whole_log(data_dir: &Path, report: &mut Report) {
    let (said, taken) = caudal(data_dir, &["verify", "--chain-only", TENANTS[1].0]);
    let number = |text: &str| text.split_whitespace().find_map(|word| word.parse::<f64>().ok());
    let events = number(&said).expect("it says how many events there are");
    let (_, rebuilt) = caudal(data_dir, &["rebuild"]);
    let row = |what: &str, taken: Duration| {
        let seconds = taken.as_secs_f64();
        vec![what.to_owned(), format!("{seconds:.1}"), whole(events / seconds)]
    };
    report.heading(&format!("The whole log: {} events", whole(events)));
    report.table(
        &["From start to end of the program", "s", "Events a second"],
        &[
            row("The chain verified", taken),
            row(
                "Read models built anew, indexed, compared with those that served (both tenants)",
                rebuilt,
            ),
        ],
    );
}
