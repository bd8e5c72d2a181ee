//! Evidence in the data folder: what this node saw and acknowledged, out of reach of a database restore.
//!
//! | File | Content |
//! |---|---|
//! | `evidence/seen-<id>.ndjson` | one line per batch seen: tenant, term, point, numbers, answers. One file per process, which holds its lock |
//! | `evidence/quarantine-<tenant>.json` | report of a quarantine in force |
//! | `evidence/ended-<id>.json` | report of an ended quarantine |
//! | `evidence/verified-under.json` | [`Signs`] of the server before the last verification of all chains from event 1 |
//!
//! A writer thread appends lines at once, so that they survive the process, and syncs every [`SYNC_EVERY`], so that a
//! power failure may lose the last second. A quarantine is synced before it is announced. A file larger than
//! [`MAX_BYTES`] is compacted.

use super::{
    known::{History, TermStart},
    quarantine::{Quarantine, SeenBatch},
    watch::Signs,
};
use crate::{
    beside::authenticity::Adopted,
    keys::{create_private_folder, write_private},
};
use caudal_domain::{ids::TenantId, tenant_state::GivenNumbers};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    ffi::OsStr,
    fs, io,
    io::{BufRead as _, Write as _},
    path::{Path, PathBuf},
    sync::mpsc,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// Folder in the data folder.
const FOLDER: &str = "evidence";
/// File with the signs under which all chains were verified.
const VERIFIED_UNDER: &str = "verified-under.json";
/// Queue limit of lines: some seconds of a busy node. A line beyond it is dropped and counted; the next line names a
/// later point anyway.
const QUEUE_LIMIT: usize = 10_000;
/// Sync interval.
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// Size at which a file is compacted: an hour of a busy node.
const MAX_BYTES: u64 = 32 * 1024 * 1024;
/// Maximum line length; a full batch of commands has some 40 KB.
const MAX_LINE_BYTES: usize = 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    #[error("the evidence in {path} can't be used")]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A damaged report; ignoring it would release its tenant from quarantine.
    #[error("the report {path} can't be read; look at it, and move it aside once its quarantine is settled")]
    Report {
        path: PathBuf,
        #[source]
        source: serde_json::Error,
    },
}

/// One batch that was seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line {
    tenant: TenantId,
    term: u32,
    /// The decision that began the term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    began_by: Option<TermStart>,
    numbers: GivenNumbers,
    numbers_at: i64,
    #[serde(flatten)]
    batch: SeenBatch,
}

impl Line {
    pub(crate) fn of(tenant: &TenantId, history: &History, batch: SeenBatch) -> Self {
        Self {
            tenant: tenant.clone(),
            term: history.term,
            began_by: history.began_by,
            numbers: history.numbers,
            numbers_at: history.numbers_at,
            batch,
        }
    }
}

/// File whose presence tells that rows or heads without a MAC are refused for good.
const fn adoption_ended(what: Adopted) -> &'static str {
    match what {
        Adopted::Rows => "adoption-ended",
        Adopted::Heads => "adoption-of-heads-ended",
    }
}

/// Content of the folder at startup.
#[derive(Debug, Default)]
pub struct Loaded {
    pub(crate) histories: HashMap<TenantId, History>,
    pub(crate) quarantines: Vec<Quarantine>,
}

impl Loaded {
    /// Adds a line. Among several files the highest term counts, and in it the highest position.
    fn add(&mut self, line: Line) {
        let history = self
            .histories
            .entry(line.tenant)
            .or_insert_with(|| History::at(line.batch.point));
        if line.term > history.term {
            *history = History::at(line.batch.point);
            (history.term, history.began_by) = (line.term, line.began_by);
        }
        if line.term < history.term {
            return;
        }
        if line.batch.point.position > history.point.position {
            history.point = line.batch.point;
        }
        history.numbers = history.numbers.max(line.numbers);
        history.numbers_at = history.numbers_at.max(line.numbers_at);
        history.push(line.batch);
    }

    fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.histories.iter().flat_map(|(tenant, history)| {
            let batches = history.recent.iter().cloned();
            batches.map(move |batch| Line::of(tenant, history, batch))
        })
    }
}

enum Order {
    Write(Box<Line>),
    Flush(mpsc::SyncSender<()>),
}

/// The evidence of one process.
#[derive(Debug)]
pub struct Evidence {
    folder: PathBuf,
    queue: mpsc::SyncSender<Order>,
}

impl Evidence {
    /// Opens the evidence of a data folder and adopts that of ended processes.
    ///
    /// # Errors
    /// When the folder can't be used, or a report can't be read.
    pub fn open(data_dir: &Path) -> Result<(Self, Loaded), EvidenceError> {
        let folder = data_dir.join(FOLDER);
        let failed = |source| EvidenceError::File {
            path: folder.clone(),
            source,
        };
        create_private_folder(&folder).map_err(failed)?;
        let mut loaded = Loaded::default();
        let mut left_behind = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            let file = |source| EvidenceError::File {
                path: path.clone(),
                source,
            };
            if name.starts_with("quarantine-") && name.ends_with(".json") {
                let text = fs::read_to_string(&path).map_err(file)?;
                let report = serde_json::from_str(&text).map_err(|source| EvidenceError::Report {
                    path: path.clone(),
                    source,
                })?;
                loaded.quarantines.push(report);
            } else if name.starts_with("seen-") && name.ends_with(".ndjson") {
                match fs::File::open(&path) {
                    Ok(open) => {
                        read(&open, &path, &mut loaded).map_err(file)?;
                        // A running process keeps its own file.
                        if open.try_lock().is_ok() {
                            left_behind.push(path);
                        }
                    }
                    // Adopted by another starting process.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(file(error)),
                }
            }
        }
        let writer = Writer::create(&folder, loaded.lines()).map_err(failed)?;
        for path in left_behind {
            match fs::remove_file(&path) {
                // Two processes that start at once may both adopt it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed.map_err(|source| EvidenceError::File { path, source })?,
            }
        }
        let (queue, orders) = mpsc::sync_channel(QUEUE_LIMIT);
        let summary = Loaded {
            histories: loaded.histories.clone(),
            quarantines: Vec::new(),
        };
        std::thread::Builder::new()
            .name("evidence".to_owned())
            .spawn(move || writer.run(&orders, summary))
            .map_err(failed)?;
        Ok((Self { folder, queue }, loaded))
    }

    /// Queues a line.
    pub(crate) fn note(&self, line: Line) {
        if self.queue.try_send(Order::Write(Box::new(line))).is_err() {
            metrics::counter!("caudal_evidence_dropped_total").increment(1);
        }
    }

    /// Waits until all queued lines are written.
    pub(crate) fn flush(&self) {
        let (done, wait) = mpsc::sync_channel(1);
        if self.queue.send(Order::Flush(done)).is_ok() {
            // A finished writer has nothing left to write.
            let _ = wait.recv();
        }
    }

    /// Whether rows or heads without a MAC have been refused from this folder before.
    pub(crate) fn remembers_adoption_ended(&self, what: Adopted) -> bool {
        self.folder.join(adoption_ended(what)).exists()
    }

    /// Remembers that rows or heads without a MAC are refused, for later processes on this folder.
    pub(crate) fn remember_adoption_ended(&self, what: Adopted) -> io::Result<()> {
        if self.remembers_adoption_ended(what) {
            return Ok(());
        }
        let draft = self.folder.join(format!(".{}.draft", Uuid::now_v7()));
        write_private(&draft, "rows without a MAC are refused\n")?;
        fs::rename(&draft, self.folder.join(adoption_ended(what)))?;
        fs::File::open(&self.folder)?.sync_all()
    }

    /// The signs under which all chains were verified from event 1.
    pub(crate) fn verified_under(&self) -> Option<Signs> {
        let text = fs::read_to_string(self.folder.join(VERIFIED_UNDER)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Remembers that all chains were verified from event 1, for later processes on this folder.
    pub(crate) fn remember_verified(&self, signs: Signs) -> io::Result<()> {
        let draft = self.folder.join(format!(".{}.draft", Uuid::now_v7()));
        write_private(&draft, &serde_json::to_string(&signs)?)?;
        fs::rename(&draft, self.folder.join(VERIFIED_UNDER))?;
        fs::File::open(&self.folder)?.sync_all()
    }

    fn report_path(&self, tenant: &TenantId) -> PathBuf {
        self.folder.join(format!("quarantine-{tenant}.json"))
    }

    /// Writes a report and syncs it.
    pub(crate) fn keep(&self, report: &Quarantine) -> io::Result<()> {
        self.flush();
        let draft = self.folder.join(format!(".{}.draft", Uuid::now_v7()));
        write_private(&draft, &serde_json::to_string_pretty(report)?)?;
        fs::rename(&draft, self.report_path(&report.tenant))?;
        fs::File::open(&self.folder)?.sync_all()
    }

    /// Archives the report of an ended quarantine.
    pub(crate) fn end(&self, report: &Quarantine) -> io::Result<()> {
        self.flush();
        let ended = self.folder.join(format!("ended-{}.json", report.id));
        match fs::rename(self.report_path(&report.tenant), ended) {
            // Done by another process on this folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(()) => fs::File::open(&self.folder)?.sync_all(),
        }
    }
}

/// Reads a file's lines. Unreadable lines, such as a truncated last one, are skipped with a warning: later lines
/// supersede them.
fn read(file: &fs::File, path: &Path, loaded: &mut Loaded) -> io::Result<()> {
    let mut reader = io::BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
        if io::Read::take(&mut reader, limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match serde_json::from_slice(&line) {
            Ok(line) => loaded.add(line),
            Err(error) => tracing::warn!(path = %path.display(), %error, "a line of evidence can't be read"),
        }
    }
}

/// The writer thread.
struct Writer {
    folder: PathBuf,
    path: PathBuf,
    file: fs::File,
    bytes: u64,
    /// Compaction threshold; twice the initial size when that is larger.
    limit: u64,
}

impl Writer {
    /// Creates a synced file with these lines, locked by this process.
    fn create(folder: &Path, lines: impl Iterator<Item = Line>) -> io::Result<Self> {
        let path = folder.join(format!("seen-{}.ndjson", Uuid::now_v7()));
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, &line)?;
            text.push(b'\n');
        }
        write_private(&path, "")?;
        let mut file = fs::OpenOptions::new().append(true).open(&path)?;
        file.lock()?;
        file.write_all(&text)?;
        file.sync_all()?;
        fs::File::open(folder)?.sync_all()?;
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        Ok(Self {
            folder: folder.to_owned(),
            path,
            file,
            bytes,
            limit: MAX_BYTES.max(bytes.saturating_mul(2)),
        })
    }

    fn run(mut self, orders: &mpsc::Receiver<Order>, mut summary: Loaded) {
        let mut synced = Instant::now();
        let mut is_synced = true;
        let mut text = Vec::new();
        loop {
            let order = match orders.recv_timeout(SYNC_EVERY) {
                Ok(order) => Some(order),
                Err(mpsc::RecvTimeoutError::Timeout) => None,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            text.clear();
            let mut waiting = Vec::new();
            for order in order.into_iter().chain(orders.try_iter()) {
                match order {
                    Order::Write(line) => {
                        // Writing to memory cannot fail, and a line always serialises.
                        if serde_json::to_writer(&mut text, &line).is_ok() {
                            text.push(b'\n');
                        }
                        summary.add(*line);
                    }
                    Order::Flush(done) => waiting.push(done),
                }
            }
            if !text.is_empty() {
                self.complain(|writer| writer.file.write_all(&text));
                self.bytes = self.bytes.saturating_add(u64::try_from(text.len()).unwrap_or(u64::MAX));
                is_synced = false;
            }
            if !is_synced && (synced.elapsed() >= SYNC_EVERY || !waiting.is_empty()) {
                self.complain(|writer| writer.file.sync_data());
                (synced, is_synced) = (Instant::now(), true);
            }
            for done in waiting {
                // The waiting caller may be gone.
                let _ = done.send(());
            }
            if self.bytes > self.limit {
                self.complain(|writer| {
                    let next = Self::create(&writer.folder, summary.lines())?;
                    let before = std::mem::replace(writer, next);
                    fs::remove_file(&before.path)
                });
            }
        }
        self.complain(|writer| writer.file.sync_data());
    }

    /// A full or broken disk loses evidence, not business: logs an error and counts it.
    fn complain(&mut self, work: impl FnOnce(&mut Self) -> io::Result<()>) {
        if let Err(error) = work(self) {
            metrics::counter!("caudal_evidence_dropped_total").increment(1);
            tracing::error!(path = %self.path.display(), %error, "evidence could not be written");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Acknowledgement, Divergence, DivergenceKind, LogPoint, known::RECENT_BATCHES};
    use std::os::unix::fs::PermissionsExt as _;

    fn tenant() -> TenantId {
        "worked".parse().unwrap()
    }

    fn line(term: u32, position: i64) -> Line {
        let point = LogPoint {
            position,
            hash: [7; 32],
        };
        let history = History {
            term,
            numbers: GivenNumbers {
                remittances: position.unsigned_abs(),
                ..GivenNumbers::default()
            },
            ..History::at(point)
        };
        let batch = SeenBatch {
            point,
            at: chrono::DateTime::UNIX_EPOCH,
            acknowledged: vec![Acknowledgement {
                position,
                actor: "system".to_owned(),
                request: Uuid::nil(),
                id: Uuid::nil(),
                number: Some(format!("R-{position:06}")),
            }],
        };
        Line::of(&tenant(), &history, batch)
    }

    fn files(folder: &Path, prefix: &str) -> usize {
        let names = fs::read_dir(folder.join(FOLDER)).unwrap();
        names
            .filter(|entry| {
                entry
                    .as_ref()
                    .unwrap()
                    .file_name()
                    .to_str()
                    .unwrap()
                    .starts_with(prefix)
            })
            .count()
    }

    /// The writer thread releases its file after the evidence is dropped.
    fn until_unlocked(folder: &Path) {
        let deadline = Instant::now() + Duration::from_secs(10);
        for entry in fs::read_dir(folder.join(FOLDER)).unwrap() {
            let file = fs::File::open(entry.unwrap().path()).unwrap();
            while file.try_lock().is_err() {
                assert!(Instant::now() < deadline, "the writer ends");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    #[test]
    fn the_last_points_and_answers_survive_the_process_and_one_file_is_left() {
        let folder = tempfile::tempdir().unwrap();
        for start in 0..3 {
            let (evidence, loaded) = Evidence::open(folder.path()).unwrap();
            if start > 0 {
                let history = &loaded.histories[&tenant()];
                assert_eq!(history.point.position, start * 10);
                assert_eq!(history.numbers.remittances, (start * 10).unsigned_abs());
                assert_eq!(history.recent.len(), usize::try_from(start * 10).unwrap());
            }
            for position in start * 10 + 1..=start * 10 + 10 {
                evidence.note(line(0, position));
            }
            evidence.flush();
            assert_eq!(files(folder.path(), "seen-"), 1);
            drop(evidence);
            until_unlocked(folder.path());
        }
        let modes = fs::read_dir(folder.path().join(FOLDER)).unwrap();
        for entry in modes {
            assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_later_term_counts_although_its_positions_are_lower() {
        let folder = tempfile::tempdir().unwrap();
        let (evidence, _) = Evidence::open(folder.path()).unwrap();
        evidence.note(line(0, 50));
        evidence.note(line(1, 40));
        evidence.note(line(0, 60));
        evidence.flush();
        // The first process still runs: its file is read and kept.
        let (_, loaded) = Evidence::open(folder.path()).unwrap();
        let history = &loaded.histories[&tenant()];
        assert_eq!((history.term, history.point.position), (1, 40));
        assert_eq!(files(folder.path(), "seen-"), 2);
    }

    #[test]
    fn a_line_cut_off_by_a_crash_does_not_hide_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let (evidence, _) = Evidence::open(folder.path()).unwrap();
        evidence.note(line(0, 1));
        evidence.flush();
        let name = fs::read_dir(folder.path().join(FOLDER))
            .unwrap()
            .next()
            .unwrap()
            .unwrap();
        let mut file = fs::OpenOptions::new().append(true).open(name.path()).unwrap();
        file.write_all(b"{\"tenant\":\"wor").unwrap();
        let (_, loaded) = Evidence::open(folder.path()).unwrap();
        assert_eq!(loaded.histories[&tenant()].point.position, 1);
    }

    #[test]
    fn memory_keeps_the_last_batches_alone() {
        let mut loaded = Loaded::default();
        let many = i64::try_from(RECENT_BATCHES).unwrap() + 5;
        for position in 1..=many {
            loaded.add(line(0, position));
        }
        let history = &loaded.histories[&tenant()];
        assert_eq!(history.recent.len(), RECENT_BATCHES);
        assert_eq!(history.recent.front().unwrap().point.position, 6);
    }

    #[test]
    fn a_quarantine_survives_until_it_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let point = LogPoint {
            position: 3,
            hash: [1; 32],
        };
        let report = Quarantine {
            id: Uuid::now_v7(),
            tenant: tenant(),
            node: Uuid::now_v7(),
            since: chrono::DateTime::UNIX_EPOCH,
            divergence: Divergence {
                kind: DivergenceKind::Shortened,
                known: point,
                found: None,
            },
            numbers: GivenNumbers::default(),
            numbers_at: 0,
            seen: Vec::new(),
        };
        let (evidence, _) = Evidence::open(folder.path()).unwrap();
        evidence.keep(&report).unwrap();
        let (evidence, loaded) = Evidence::open(folder.path()).unwrap();
        assert_eq!(loaded.quarantines, std::slice::from_ref(&report));
        evidence.end(&report).unwrap();
        let (_, loaded) = Evidence::open(folder.path()).unwrap();
        assert_eq!(loaded.quarantines, []);
        assert_eq!(files(folder.path(), "ended-"), 1);
    }
}
