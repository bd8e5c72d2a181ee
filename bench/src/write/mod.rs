//! The write path: remittances sold in a second, in process and over HTTP, beside others on the same PostgreSQL.

mod journal;

use crate::{Common, report::Report, scratch::Scratch};
use clap::Args;
use tokio::runtime::Runtime;

/// How the write path is measured.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
}

/// Measures it.
pub fn run(runtime: &Runtime, arguments: &Arguments, report: &mut Report) {
    let scratch = Scratch::start();
    runtime.block_on(async {
        report.paragraph(&format!(
            "PostgreSQL {}, durability at its defaults.",
            scratch.version().await
        ));
        report.heading("In process");
        journal::measure(&scratch, arguments, report).await;
    });
}
