//! A single test, because it measures the memory of its process.
#![allow(clippy::panic, clippy::unwrap_used)]
#![cfg(target_os = "linux")]

mod common;

use caudal_export::{Format, Language, export};
use common::{rows, sheet};
use futures::TryStreamExt;
use std::fs;

const ROWS: i64 = 100_000;
const EXTRA_KILOBYTES: u64 = 64 * 1024;

/// Peak memory of the process, in kilobytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_thousand_rows_stream_within_64_megabytes() {
    for (format, least) in [(Format::Csv, 9_000_000), (Format::Xlsx, 3_000_000)] {
        let before = peak();
        let export = export(format, sheet(Language::Spanish), rows(ROWS)).await.unwrap();
        let sent = export
            .body
            .try_fold(0, |sent, chunk| async move { Ok(sent + chunk.len()) })
            .await
            .unwrap();
        let extra = peak() - before;
        assert!(sent > least, "{format}: {sent} bytes");
        assert!(extra < EXTRA_KILOBYTES, "{format}: {extra} kB more");
        println!("{format}: {sent} bytes with {extra} kB more");
    }
}
