//! Hundreds of random tamperings with a log, in its file and in its database: each is detected with its position, by
//! Caudal and by a verifier that shares only docs/chain-format.md with it.
//!
//! The long log is a real log extended without a database, which takes seconds. `CAUDAL_TEST_EVENTS` sets its number
//! of events.

mod file;
mod lines;
mod walk;

use crate::common::{Office, deposit, elsewhere, owner_of, register, submission};
use caudal_domain::{
    Actor, Command,
    ids::PartyId,
    movement::{DepositTo, MovementCommand},
    party::{Registration, Territory},
};
use caudal_journal::{ArchiveReader, Fault, PublicKeys, SigningKeys};
use chrono::Utc;
use file::{export, independent, verify, whole};
use futures::future::join_all;
use lines::{lengthen, tamper};
use sqlx::Executor as _;
use walk::{fault_from, remember};

/// Default number of events of the long log.
const EVENTS: i64 = 100_000;
/// Number of events recorded by a journal; also the length of the log in the database.
const RECORDED: i64 = 2_000;
/// How many commands run at once.
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
         UPDATE journal.heads AS h SET position = {0}, hash = e.hash, recorded_at = e.recorded_at, mac = {1}
           FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = {0}",
        signed.position,
        office.head_mac_at(signed.position).await
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
