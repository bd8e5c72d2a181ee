//! A log in a file, and what Caudal and the independent verifier say of it.

use crate::common::Office;
use caudal_journal::{ArchiveError, ArchiveReader, SignedCheckpoint, Verification, verify_file};
use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

/// A file's line with its end; copies of a file share those that are the same.
pub type Line = Arc<Vec<u8>>;

pub fn whole(lines: &[Line]) -> Vec<u8> {
    let mut file = Vec::with_capacity(lines.iter().map(|line| line.len()).sum());
    for line in lines {
        file.extend_from_slice(line);
    }
    file
}

/// The log as lines.
pub async fn export(office: &Office) -> Vec<Line> {
    let mut file = Vec::new();
    office
        .journal
        .export(&office.tenant, &mut file, |_, _| {})
        .await
        .unwrap();
    file.split_inclusive(|byte| *byte == b'\n')
        .map(|line| Arc::new(line.to_vec()))
        .collect()
}

pub fn verify(file: &[u8], checkpoints: &[SignedCheckpoint]) -> Verification {
    match ArchiveReader::open(file) {
        Ok(reader) => verify_file(reader, checkpoints, |_, _| {}).unwrap(),
        Err(ArchiveError::Fault(fault)) => Verification {
            events: 0,
            hash: [0; 32],
            fault: Some(fault),
            violations: Vec::new(),
        },
        Err(error) => panic!("{error}"),
    }
}

/// What the independent verifier says of a file, and whether it takes it for whole.
pub fn independent(file: &[u8], signed: Option<(&Path, &Path)>) -> (bool, String) {
    let mut python = Command::new("python3");
    python
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/independent/verify_log.py"))
        .arg("/dev/stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    if let Some((checkpoint, keys)) = signed {
        python.args([checkpoint, keys]);
    }
    let mut child = python.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let file = file.to_vec();
    // It may end before it has read all.
    let feeding = std::thread::spawn(move || input.write_all(&file).is_ok());
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}
