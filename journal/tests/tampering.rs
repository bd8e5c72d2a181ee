//! Hundreds of random tamperings with a log, in its file and in its database: each is detected with its position, by
//! Caudal and by a verifier that shares only docs/chain-format.md with it.
//!
//! The long log is a real log extended without a database, which takes seconds. `CAUDAL_TEST_EVENTS` sets its number
//! of events.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use caudal_domain::{
    Actor, Command,
    ids::{PartyId, TenantId},
    movement::{DepositTo, MovementCommand},
    party::{Registration, Territory},
};
use caudal_journal::{
    ArchiveError, ArchiveReader, Checkpoint, Fault, PublicKeys, SigningKeys, StoredEvent, Verification, Verifier,
    verify_file,
};
use chrono::{DateTime, TimeDelta, Utc};
use common::{Office, deposit, elsewhere, owner_of, register, submission};
use futures::future::join_all;
use serde::Serialize;
use sqlx::Executor as _;
use std::{
    io::{BufRead, Read, Write as _},
    path::Path,
    process::{Command as Process, Stdio},
    sync::Arc,
};
use uuid::Uuid;

/// Default number of events of the long log.
const EVENTS: i64 = 100_000;
/// Number of events recorded by a journal; also the length of the log in the database.
const RECORDED: i64 = 2_000;
/// Interval between saved states of the verification, in events, so that events before a tampering are not verified
/// again.
const REMEMBERED_EVERY: usize = 100;
/// Number of concurrent commands.
const AT_ONCE: i64 = 200;
/// Number of tamperings with the file.
const TAMPERINGS: u32 = 400;
/// Of this number of tamperings, one is verified from event 1 and by the independent verifier.
const FROM_THE_BEGINNING_EVERY: u32 = 200;
/// Number of tamperings with the database.
const DATABASE_TAMPERINGS: u32 = 40;

/// A seeded generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }
}

fn events() -> i64 {
    std::env::var("CAUDAL_TEST_EVENTS").map_or(EVENTS, |text| text.parse().unwrap())
}

/// A random valid command: cash in, cash out, or a new dealer, with notes in several alphabets.
fn any_command(office: &Office, dice: &mut Dice) -> (Actor, Command) {
    let manager = Actor::Party(office.manager);
    let cents = i64::try_from(dice.below(1_000_000)).unwrap() + 1;
    let notes = ["", "para María", "наличные\nдва", "\"quoted\\\"", "€ 5 ✓"];
    match dice.below(20) {
        0 => {
            let id = PartyId::generate();
            let registration = Registration::Dealer {
                territory: Territory::default(),
            };
            (
                manager,
                register(id, registration, "Niño Dealer", &format!("{id}@example.com")),
            )
        }
        _ => {
            let mut command = deposit(DepositTo::Treasury, cents);
            if let Command::Movement(_, MovementCommand::Deposit(deposit)) = &mut command {
                deposit.note = Some(notes[dice.below(notes.len())].into()).filter(|note: &String| !note.is_empty());
            }
            (manager, command)
        }
    }
}

async fn fill(office: &Office, events: i64, dice: &mut Dice) {
    loop {
        let head = office.journal.head(&office.tenant).await.unwrap().position;
        if head >= events {
            return;
        }
        let commands: Vec<_> = (0..AT_ONCE.min(events - head))
            .map(|_| any_command(office, dice))
            .collect();
        let run = commands
            .into_iter()
            .map(|(actor, command)| office.journal.submit(&office.tenant, submission(actor, command)));
        for outcome in join_all(run).await {
            outcome.unwrap();
        }
    }
}

/// A line of a file with its line end; copies of a file share unchanged lines.
type Line = Arc<Vec<u8>>;

fn whole(lines: &[Line]) -> Vec<u8> {
    let mut file = Vec::with_capacity(lines.iter().map(|line| line.len()).sum());
    for line in lines {
        file.extend_from_slice(line);
    }
    file
}

/// The log as lines.
async fn export(office: &Office) -> Vec<Line> {
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

fn verify(file: &[u8], checkpoints: &[Checkpoint]) -> Verification {
    match ArchiveReader::open(file) {
        Ok(reader) => verify_file(reader, checkpoints, |_, _| {}).unwrap(),
        Err(caudal_journal::ArchiveError::Fault(fault)) => Verification {
            events: 0,
            hash: [0; 32],
            fault: Some(fault),
            violations: Vec::new(),
        },
        Err(error) => panic!("{error}"),
    }
}

/// Output of the independent verifier for a file, and whether it accepts the file.
fn independent(file: &[u8], signed: Option<(&Path, &Path)>) -> (bool, String) {
    let mut python = Process::new("python3");
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
    // The verifier may end before it has read all input.
    let feeding = std::thread::spawn(move || input.write_all(&file).is_ok());
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

fn line_of(lines: &mut [Line], position: usize) -> &mut Vec<u8> {
    Arc::make_mut(&mut lines[position])
}

/// Byte range of a field's value in a line: after `"name":`, without quotes.
fn field_of(line: &[u8], name: &str) -> std::ops::Range<usize> {
    let text = std::str::from_utf8(line).unwrap();
    let key = format!("\"{name}\":");
    let start = text.find(&key).unwrap() + key.len();
    let rest = &text[start..];
    if let Some(quoted) = rest.strip_prefix('"') {
        let mut escaped = false;
        let end = quoted
            .char_indices()
            .find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            })
            .unwrap()
            .0;
        start + 1..start + 1 + end
    } else {
        start..start + rest.find([',', '}']).unwrap()
    }
}

/// Tampers with a log's lines in one random way. Returns a description, and the first wrong position.
fn tamper(lines: &mut Vec<Line>, dice: &mut Dice) -> (String, i64) {
    let events = lines.len() - 2;
    let position = 1 + dice.below(events);
    let at = i64::try_from(position).unwrap();
    match dice.below(10) {
        // Changes one byte.
        0..=4 => {
            let name = ["payload", "metadata", "recordedAt", "hash", "aggregateId"][dice.below(5)];
            let line = line_of(lines, position);
            let range = field_of(line, name);
            let byte = range.start + dice.below(range.len());
            let old = line[byte];
            let mut new = old;
            while new == old || new == b'\n' {
                new = match name {
                    "recordedAt" => b"0123456789"[dice.below(10)],
                    "hash" => b"0123456789abcdefABCDEF"[dice.below(22)],
                    _ => u8::try_from(dice.below(256)).unwrap(),
                };
            }
            line[byte] = new;
            (format!("byte {byte} of {name} at {at}: {old} to {new}"), at)
        }
        5 => {
            lines.remove(position);
            (format!("{at} deleted"), at)
        }
        6 => {
            let other = 1 + dice.below(events);
            if other == position {
                let copy = lines[position].clone();
                lines.insert(position, copy);
                return (format!("{at} duplicated"), at + 1);
            }
            lines.swap(position, other);
            (
                format!("{at} and {other} swapped"),
                at.min(i64::try_from(other).unwrap()),
            )
        }
        7 => {
            let copy = lines[position].clone();
            lines.insert(position + 1, copy);
            (format!("{at} duplicated"), at + 1)
        }
        8 => {
            // Inserts a forged row and increments the positions after it.
            let mut inserted = lines[position].clone();
            let range = field_of(&inserted, "aggregateId");
            let changed = Arc::make_mut(&mut inserted);
            changed[range.start] = if changed[range.start] == b'0' { b'1' } else { b'0' };
            lines.insert(position, inserted);
            for (number, line) in lines
                .iter_mut()
                .enumerate()
                .skip(position + 1)
                .take(events - position + 1)
            {
                let range = field_of(line, "position");
                Arc::make_mut(line).splice(range, number.to_string().into_bytes());
            }
            (format!("a row inserted at {at}"), at)
        }
        _ => {
            // Cuts the log, and keeps its end line.
            let last = lines.pop().unwrap();
            lines.truncate(position);
            lines.push(last);
            (format!("cut off before {at}"), at)
        }
    }
}

/// A line of an event, as in a file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventLine<'a> {
    position: i64,
    aggregate_type: &'a str,
    aggregate_id: &'a str,
    sequence: i64,
    event_type: &'a str,
    event_version: &'a str,
    recorded_at: i64,
    metadata: &'a str,
    payload: &'a str,
    hash: String,
}

fn line(value: &impl Serialize) -> Line {
    let mut line = serde_json::to_vec(value).unwrap();
    line.push(b'\n');
    Arc::new(line)
}

/// Appends deposits with new ids, numbers, amounts and times until the log has this number of events, chained as a
/// journal does.
fn lengthen(lines: &mut Vec<Line>, tenant: &TenantId, events: i64, dice: &mut Dice) {
    lines.pop();
    let last: serde_json::Value = serde_json::from_slice(lines.last().unwrap().as_slice()).unwrap();
    let stored = |name: &str| last[name].as_str().unwrap().to_owned();
    let mut event = StoredEvent {
        position: last["position"].as_i64().unwrap(),
        aggregate_type: stored("aggregateType"),
        aggregate_id: stored("aggregateId"),
        sequence: 1,
        event_type: stored("eventType"),
        event_version: stored("eventVersion"),
        recorded_at: DateTime::from_timestamp_micros(last["recordedAt"].as_i64().unwrap()),
        metadata: stored("metadata"),
        payload: stored("payload"),
        hash: caudal_journal::from_hex(last["hash"].as_str().unwrap()),
    };
    let payload: serde_json::Value = serde_json::from_str(&event.payload).unwrap();
    let said = |name: &str| payload["movement"][name].as_str().unwrap().to_owned();
    let (id, number, amount) = (said("id"), said("number"), format!("\"{}\"", said("amount")));
    let pattern = event.payload.clone();
    while event.position < events {
        event.position += 1;
        event.aggregate_id =
            Uuid::from_u128(u128::from(dice.0) << 64 | u128::from(event.position.unsigned_abs())).to_string();
        let cents = dice.below(1_000_000);
        event.payload = pattern
            .replace(&id, &event.aggregate_id)
            .replace(&number, &format!("M-{:06}", event.position))
            .replace(&amount, &format!("\"{}.{:02}\"", cents / 100 + 1, cents % 100));
        event.recorded_at = event
            .recorded_at
            .map(|at| at + TimeDelta::microseconds(i64::try_from(dice.below(2_000_000)).unwrap()));
        event.hash = event.expected_hash(tenant, &event.hash.unwrap());
        lines.push(line(&EventLine {
            position: event.position,
            aggregate_type: &event.aggregate_type,
            aggregate_id: &event.aggregate_id,
            sequence: event.sequence,
            event_type: &event.event_type,
            event_version: &event.event_version,
            recorded_at: event.recorded_at.unwrap().timestamp_micros(),
            metadata: &event.metadata,
            payload: &event.payload,
            hash: caudal_journal::to_hex(&event.hash.unwrap()),
        }));
    }
    let hash = caudal_journal::to_hex(&event.hash.unwrap());
    let recorded_at = event.recorded_at.unwrap().timestamp_micros();
    let first = format!(
        "{{\"caudal\":\"log\",\"format\":1,\"tenant\":\"{tenant}\",\"position\":{events},\"hash\":\"{hash}\",\"recordedAt\":{recorded_at}}}\n"
    );
    lines[0] = Arc::new(first.into_bytes());
    let last = format!("{{\"end\":true,\"position\":{events},\"hash\":\"{hash}\"}}\n");
    lines.push(Arc::new(last.into_bytes()));
}

/// Reads consecutive lines.
struct Reader<'a> {
    lines: &'a [Line],
    at: usize,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Reader<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Ok(self.lines.first().map_or(&[], |line| &line[self.at..]))
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
        if self.lines.first().is_some_and(|line| line.len() == self.at) {
            (self.lines, self.at) = (&self.lines[1..], 0);
        }
    }
}

/// Verifies a file's events like [`verify_file`], and saves states on the way.
fn remember<'a>(lines: &[Line], tenant: &'a TenantId) -> Vec<Verifier<'a>> {
    let mut verifier = Verifier::new(tenant, &[]);
    let mut remembered = vec![verifier.clone()];
    let mut reader = ArchiveReader::open(Reader { lines, at: 0 }).unwrap();
    while let Some(event) = reader.next_event().unwrap() {
        verifier.take(&event).unwrap();
        if usize::try_from(event.position).unwrap() % REMEMBERED_EVERY == 0 {
            remembered.push(verifier.clone());
        }
    }
    let end = *reader.end();
    assert_eq!(verifier.finish(&end).fault, None);
    remembered
}

/// The fault in a file with an unchanged beginning, searched from the last saved state before it.
fn fault_from(remembered: &[Verifier<'_>], lines: &[Line], untouched: usize) -> Option<Fault> {
    let from = (untouched / REMEMBERED_EVERY).min(remembered.len() - 1);
    let mut verifier = remembered[from].clone();
    let skipped = from * REMEMBERED_EVERY;
    let rest = Reader {
        lines: &lines[1 + skipped..],
        at: 0,
    };
    let mut reader = ArchiveReader::open(lines[0].as_slice().chain(rest)).unwrap();
    let end = *reader.end();
    loop {
        match reader.next_event() {
            Ok(Some(event)) => {
                if let Err(fault) = verifier.take(&event) {
                    return Some(fault);
                }
            }
            Ok(None) => return verifier.finish(&end).fault,
            // The verifier counts from the first line that it was given.
            Err(ArchiveError::Fault(Fault::Damaged { position, line, reason })) => {
                let skipped = i64::try_from(skipped).unwrap();
                return Some(Fault::Damaged {
                    position: position + skipped,
                    line: line + skipped.unsigned_abs(),
                    reason,
                });
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tampering_is_detected_with_its_position() {
    let office = Office::open().await;
    let seed = u64::try_from(Utc::now().timestamp_micros()).unwrap() | 1;
    let mut dice = Dice(seed);
    fill(&office, RECORDED, &mut dice).await;
    office.deposit(1).await.unwrap();
    let mut lines = export(&office).await;
    lengthen(&mut lines, &office.tenant, events(), &mut dice);
    let file = whole(&lines);
    let remembered = remember(&lines, &office.tenant);

    let verification = verify(&file, &[]);
    assert!(verification.is_whole(), "{verification:?}");
    assert_eq!(verification.events, events());
    let (is_whole, said) = independent(&file, None);
    assert!(is_whole, "{said}");
    let head = caudal_journal::to_hex(&verification.hash);
    assert_eq!(said, format!("worked {} {head}", events()));

    for round in 0..TAMPERINGS {
        let mut tampered = lines.clone();
        let (what, position) = tamper(&mut tampered, &mut dice);
        let untouched = usize::try_from(position - 1).unwrap();
        let found = fault_from(&remembered, &tampered, untouched);
        let found = found.unwrap_or_else(|| panic!("not found (seed {seed}): {what}"));
        assert_eq!(found.position(), position, "seed {seed}: {what}: {found}");
        assert!(
            found.to_string().contains(&position.to_string()) || matches!(found, Fault::HeadMoved { .. }),
            "{found}"
        );
        if round % FROM_THE_BEGINNING_EVERY == 0 {
            let file = whole(&tampered);
            assert_eq!(verify(&file, &[]).fault, Some(found), "seed {seed}: {what}");
            let (is_whole, said) = independent(&file, None);
            assert!(!is_whole, "not found by the independent verifier (seed {seed}): {what}");
            // For bytes that are no text the verifier has no position.
            let is_text = std::str::from_utf8(&file).is_ok();
            assert!(
                !is_text || said.starts_with(&format!("position {position}:")),
                "seed {seed}: {what}: {said}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tampering_with_the_database_is_detected_with_its_position() {
    let office = Office::open().await;
    let seed = u64::try_from(Utc::now().timestamp_micros()).unwrap() | 1;
    let mut dice = Dice(seed);
    // A log short enough for quick statements; the test of the file has the long log.
    fill(&office, RECORDED, &mut dice).await;
    let head = office.journal.head(&office.tenant).await.unwrap().position;
    let mut owner = office.owner().await;
    owner
        .execute("CREATE TEMP TABLE events AS TABLE journal.events; CREATE TEMP TABLE heads AS TABLE journal.heads")
        .await
        .unwrap();
    let journal = office.another_node().await;
    for _ in 0..DATABASE_TAMPERINGS {
        let at = 1 + i64::try_from(dice.below(usize::try_from(head).unwrap())).unwrap();
        let bit = dice.below(256);
        let flip = |column: &str| format!("UPDATE journal.events SET {column} WHERE position = {at}");
        let statement = match dice.below(8) {
            0 => flip(&format!("hash = set_bit(hash, {bit}, 1 - get_bit(hash, {bit}))")),
            1 => flip("recorded_at = recorded_at - interval '1 microsecond'"),
            2 => flip("recorded_at = 'infinity'"),
            3 => flip("payload = (payload::text || ' ')::json"),
            4 => flip("metadata = replace(metadata::text, 'actor', 'Actor')::json"),
            5 => flip("sequence = sequence + 1000"),
            6 => format!("DELETE FROM journal.events WHERE position = {at}"),
            _ => format!("DELETE FROM journal.events WHERE position >= {at}"),
        };
        owner.execute(statement.as_str()).await.unwrap();
        let found = journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap().fault;
        let found = found.unwrap_or_else(|| panic!("not found (seed {seed}): {statement}"));
        assert_eq!(found.position(), at, "seed {seed}: {statement}: {found}");
        let restore = "DELETE FROM journal.events; INSERT INTO journal.events TABLE pg_temp.events";
        owner.execute(restore).await.unwrap();
    }
    assert!(journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap().is_whole());
}

/// Two connections copy a long log in alternation, some thousand events each.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_chain_is_verified_to_the_same_end_or_fault_as_the_whole_log() {
    let office = Office::open().await;
    let mut dice = Dice(7);
    office.deposit(1).await.unwrap();
    let mut lines = export(&office).await;
    lengthen(&mut lines, &office.tenant, 17_500, &mut dice);
    let (database, journal) = elsewhere().await;
    let file = whole(&lines);
    let reader = ArchiveReader::open(file.as_slice()).unwrap();
    journal.import(reader, None, |_, _| {}).await.unwrap();
    let mut owner = owner_of(database.url(), &office.tenant).await;
    let missing = |position, found| Some(Fault::Missing { position, found });
    for (statement, fault) in [
        ("", None),
        // The blocks of two readers, the second one's first.
        (
            "DELETE FROM journal.events WHERE position BETWEEN 16001 AND 17000",
            missing(16_001, 17_001),
        ),
        (
            "DELETE FROM journal.events WHERE position BETWEEN 5001 AND 10000",
            missing(5_001, 10_001),
        ),
        (
            "UPDATE journal.events SET sequence = 2 WHERE position = 5000",
            Some(Fault::Changed { position: 5_000 }),
        ),
        (
            "DELETE FROM journal.events WHERE position > 4000",
            Some(Fault::HeadMoved {
                end: 4_000,
                head: 17_500,
            }),
        ),
        (
            "UPDATE journal.heads SET position = 9223372036854775807",
            Some(Fault::HeadMoved {
                end: 4_000,
                head: i64::MAX,
            }),
        ),
    ] {
        owner.execute(statement).await.unwrap();
        let chain = journal.verify_chain(&office.tenant, &[], |_, _| {}).await.unwrap();
        let verification = journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
        assert_eq!((&chain.fault, &verification.fault), (&fault, &fault), "{statement}");
        assert_eq!((chain.events, chain.hash), (verification.events, verification.hash));
    }
}

/// The database's owner can recompute the chain; earlier signatures reveal it.
#[tokio::test(flavor = "multi_thread")]
async fn a_checkpoint_reveals_a_rewritten_or_shortened_log() {
    let office = Office::open().await;
    for cents in 1..=10 {
        office.deposit(cents).await.unwrap();
    }
    let keys = SigningKeys::generate(Utc::now()).unwrap();
    let signed = office.journal.checkpoint(&office.tenant, &keys, &[]).await.unwrap();
    signed.check(&office.tenant, &keys.public()).unwrap();
    for cents in 1..=10 {
        office.deposit(cents).await.unwrap();
    }
    let later = office
        .journal
        .checkpoint(&office.tenant, &keys, std::slice::from_ref(&signed))
        .await
        .unwrap();
    let both = [later.clone(), signed.clone()];
    let verification = office.journal.verify(&office.tenant, &both, |_, _| {}).await.unwrap();
    assert!(verification.is_whole(), "{verification:?}");

    let folder = tempfile::tempdir().unwrap();
    let paths = ["signed", "later", "keys"].map(|name| folder.path().join(name));
    for (path, text) in paths.iter().zip([
        signed.to_json().unwrap(),
        later.to_json().unwrap(),
        keys.public().to_json().unwrap(),
    ]) {
        std::fs::write(path, text).unwrap();
    }
    assert_eq!(
        PublicKeys::from_json(&std::fs::read_to_string(&paths[2]).unwrap()).unwrap(),
        keys.public()
    );
    let file = whole(&export(&office).await);
    assert!(independent(&file, Some((&paths[0], &paths[2]))).0);
    assert!(independent(&file, Some((&paths[1], &paths[2]))).0);

    // The log of another history: the same tenant and chain rules, other business.
    let other = Office::open().await;
    for cents in 1..=30 {
        other.deposit(cents).await.unwrap();
    }
    let rewritten = other.journal.verify(&other.tenant, &both, |_, _| {}).await.unwrap();
    assert_eq!(
        rewritten.fault,
        Some(Fault::Rewritten {
            position: signed.position
        })
    );
    let forged = whole(&export(&other).await);
    assert!(verify(&forged, &[]).is_whole());
    assert_eq!(
        verify(&forged, &both).fault,
        Some(Fault::Rewritten {
            position: signed.position
        })
    );
    let (is_whole, said) = independent(&forged, Some((&paths[0], &paths[2])));
    assert!(!is_whole && said.contains("not what was signed"), "{said}");

    // Cut after the first checkpoint, with the head set back to it.
    let mut owner = office.owner().await;
    let cut = format!(
        "DELETE FROM journal.events WHERE position > {0};
         UPDATE journal.heads AS h SET position = {0}, hash = e.hash, recorded_at = e.recorded_at
           FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = {0}",
        signed.position
    );
    owner.execute(cut.as_str()).await.unwrap();
    let node = office.another_node().await;
    assert!(node.verify(&office.tenant, &[], |_, _| {}).await.unwrap().is_whole());
    assert!(
        node.verify(&office.tenant, &both[1..], |_, _| {})
            .await
            .unwrap()
            .is_whole()
    );
    let shortened = node.verify(&office.tenant, &both, |_, _| {}).await.unwrap();
    assert_eq!(
        shortened.fault,
        Some(Fault::Shortened {
            end: signed.position,
            signed: later.position
        })
    );

    // A modified checkpoint is rejected.
    let mut changed = signed;
    changed.position += 1;
    changed.check(&office.tenant, &keys.public()).unwrap_err();
    std::fs::write(&paths[0], changed.to_json().unwrap()).unwrap();
    let (is_whole, said) = independent(&file, Some((&paths[0], &paths[2])));
    assert!(!is_whole && said.contains("signature"), "{said}");
}
