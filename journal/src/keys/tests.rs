//! Key files: creation, loading, rotation, recognition.

use super::{contents::Opener, *};
use chrono::{TimeDelta, Utc};
use std::{
    os::unix::fs::PermissionsExt as _,
    sync::atomic::{AtomicUsize, Ordering},
};

const PLAIN: Opener<'_> = Opener {
    service: None,
    known: None,
};

fn parse(text: &str) -> Keyring {
    Keyring::of(Contents::parse(text, &PLAIN).unwrap())
}

fn rotate(path: &Path) -> String {
    MasterRotation::begin(&KeySource::file(path), &[])
        .unwrap()
        .finish()
        .unwrap()
}

/// Writes an owner-only key file.
fn write(path: &Path, text: &str) {
    let _ = fs::remove_file(path);
    write_private(path, text).unwrap();
}

/// A service whose ciphertext is the bitwise complement of the key.
#[derive(Debug, Default)]
struct Turning {
    opened: AtomicUsize,
}

fn turned(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| !byte).collect()
}

impl KeyService for Turning {
    fn prefix(&self) -> &'static str {
        "turned:"
    }

    fn open(&self, ciphertext: &str) -> Result<Zeroizing<Vec<u8>>, ServiceError> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        let text = ciphertext.strip_prefix(self.prefix()).ok_or("another service's")?;
        Ok(Zeroizing::new(turned(&BASE64.decode(text)?)))
    }

    fn encrypt(&self, key: &[u8]) -> Result<String, ServiceError> {
        Ok(format!("{}{}", self.prefix(), BASE64.encode(turned(key))))
    }
}

fn encryption_key(path: &Path) -> (KeySource, Arc<Turning>) {
    let service = Arc::new(Turning::default());
    let source = KeySource {
        service: Some(service.clone()),
        ..KeySource::file(path)
    };
    (source, service)
}

#[test]
fn the_first_start_makes_a_private_key_file_and_the_second_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys/master.keys");
    let made = Keyring::open_or_create(&path).unwrap();
    let read = Keyring::open_or_create(&path).unwrap();
    assert_eq!(made.proof(), read.proof());
    assert_eq!(made.master(), read.master());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(
        fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777,
        0o700
    );
    assert_eq!(
        fs::read_dir(path.parent().unwrap()).unwrap().count(),
        1,
        "no draft is left"
    );
}

#[test]
fn concurrent_starts_share_one_key_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys/master.keys");
    let proofs: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| Keyring::open_or_create(&path).unwrap().proof()))
            .collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    assert!(proofs.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_damaged_key_file_names_its_line_and_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.keys");
    write(&path, "# keys\nlookup short\n");
    let error = Keyring::open_or_create(&path).unwrap_err();
    assert!(matches!(error, KeyError::Format { line: 2, .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "# keys\nlookup short\n");
}

#[test]
fn the_last_master_key_wraps_and_the_others_still_open() {
    let key = BASE64.encode([7; 32]);
    let text = format!("lookup {key}\nmaster b {key}\nmaster a {}\n", BASE64.encode([8; 32]));
    let keyring = parse(&text);
    assert_eq!(keyring.master(), ("a".to_owned(), Secret([8; 32])));
    assert_eq!(keyring.master_by_id("b"), Some(Secret([7; 32])));
    let again = parse(&keyring.known().to_text());
    assert_eq!(again.master(), keyring.master());
}

#[test]
fn a_rotation_reaches_open_keyrings_and_keeps_the_lookup_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys/master.keys");
    let node = Keyring::open_or_create(&path).unwrap();
    let (first, proof) = (node.master(), node.proof());
    assert_eq!(rotate(&path), "2");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    std::thread::sleep(KEY_FILE_LOOK);
    assert_eq!(node.master().0, "2");
    assert_eq!((node.master_by_id("1"), node.proof()), (Some(first.1), proof));
    assert_eq!(rotate(&path), "3");
    assert_eq!(KeySource::file(&path).retire_masters().unwrap(), ["1", "2"]);
    let read = Keyring::read(&path).unwrap();
    assert_eq!((read.master().0.as_str(), read.proof()), ("3", proof));
    assert!(read.master_by_id("2").is_none());
    assert_eq!(
        fs::read_dir(path.parent().unwrap()).unwrap().count(),
        1,
        "no draft is left"
    );
}

#[test]
fn a_key_file_of_another_installation_is_not_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.keys");
    let node = Keyring::open_or_create(&path).unwrap();
    let before = node.master();
    let other = Keyring::generate().unwrap().known().to_text();
    write(&path, &other);
    std::thread::sleep(KEY_FILE_LOOK);
    assert_eq!(node.master(), before);
}

#[test]
fn lookups_differ_by_key_purpose_and_parts() {
    let keyring = Keyring::generate().unwrap();
    let lookup = keyring.lookup("claim", &[b"ab", b"c"]);
    assert_eq!(lookup, keyring.lookup("claim", &[b"ab", b"c"]));
    assert_ne!(lookup, keyring.lookup("claim", &[b"a", b"bc"]));
    assert_ne!(lookup, keyring.lookup("receipt", &[b"ab", b"c"]));
    assert_ne!(lookup, Keyring::generate().unwrap().lookup("claim", &[b"ab", b"c"]));
}

#[test]
fn a_key_file_that_others_can_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.keys");
    Keyring::open_or_create(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    for refused in [Keyring::read(&path), Keyring::open_or_create(&path)] {
        let error = refused.unwrap_err();
        assert!(matches!(error, KeyError::Permissions { mode: 0o644, .. }), "{error}");
    }
}

#[test]
fn a_changed_key_under_a_known_id_is_not_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.keys");
    let node = Keyring::open_or_create(&path).unwrap();
    let before = node.master();
    let mut other = node.known().clone();
    other.masters[0].1.secret = Secret([9; 32]);
    write(&path, &other.to_text());
    std::thread::sleep(KEY_FILE_LOOK);
    assert_eq!(node.master(), before);
}

#[test]
fn a_rotation_of_session_keys_leaves_lookup_and_master_keys_and_reaches_running_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.keys");
    let node = Keyring::open_or_create(&path).unwrap();
    let (master, proof, now) = (node.master(), node.proof(), Utc::now());
    let ids = |at| -> Vec<Option<String>> { node.session_keys("tokens", at).into_iter().map(|key| key.id).collect() };
    assert_eq!(ids(now), [None]);
    assert_eq!(*node.session_keys("tokens", now)[0].key, *node.derive("tokens"));
    let source = KeySource::file(&path);
    assert_eq!(source.rotate_sessions(SESSION_KEY_LEAD, now).unwrap(), "1");
    std::thread::sleep(KEY_FILE_LOOK);
    let one = Some("1".to_owned());
    assert_eq!(ids(now), [None, one.clone()]);
    let later = now + SESSION_KEY_LEAD;
    assert_eq!(ids(later), [one.clone(), None]);
    assert_eq!(ids(later + SESSION_KEY_OVERLAP + TimeDelta::seconds(1)), [one]);
    let keys = node.session_keys("tokens", later);
    assert_ne!(*keys[0].key, *keys[1].key);
    assert_eq!(*keys[1].key, *node.derive("tokens"));
    assert_ne!(*keys[0].key, *node.session_keys("codes", later)[0].key);
    assert_eq!(source.revoke_sessions(later).unwrap(), "2");
    std::thread::sleep(KEY_FILE_LOOK);
    assert_eq!(ids(later), [Some("2".to_owned())]);
    assert_eq!((node.master(), node.proof()), (master, proof));
}

#[test]
fn an_encrypted_key_file_opens_through_its_service_only_and_stays_encrypted_over_rotations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.keys");
    let plain = Keyring::open_or_create(&path).unwrap();
    KeySource::file(&path)
        .rotate_sessions(SESSION_KEY_LEAD, Utc::now())
        .unwrap();
    let (source, service) = encryption_key(&path);
    assert!(matches!(KeySource::file(&path).encrypt(), Err(KeyError::NoService)));
    assert_eq!(source.encrypt().unwrap(), 3);
    assert_eq!(source.encrypt().unwrap(), 0);
    assert!(matches!(Keyring::read(&path), Err(KeyError::Format { line: 3, .. })));
    let node = source.read().unwrap();
    assert_eq!((node.master(), node.proof()), (plain.master(), plain.proof()));
    MasterRotation::begin(&source, &[]).unwrap().finish().unwrap();
    source.rotate_sessions(SESSION_KEY_LEAD, Utc::now()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        assert!(
            line.contains("turned:") || line.starts_with("session 0 lookup "),
            "{line}"
        );
    }
    let opened = service.opened.load(Ordering::SeqCst);
    let deadline = Instant::now() + Duration::from_secs(30);
    while node.master().0 != "2" {
        assert!(Instant::now() < deadline, "the rotation did not reach the node");
        std::thread::sleep(Duration::from_millis(50));
    }
    let again = service.opened.load(Ordering::SeqCst) - opened;
    assert_eq!(again, 2, "what was opened before is not opened again");
}

#[test]
fn keys_from_the_environment_are_read_and_cannot_be_rotated() {
    let made = Keyring::generate().unwrap();
    let text = made.known().to_text().replace('\n', ";");
    let source = KeySource {
        place: KeyPlace::Environment(Zeroizing::new(text)),
        service: None,
    };
    let read = source.read().unwrap();
    assert_eq!((read.master(), read.proof()), (made.master(), made.proof()));
    assert!(matches!(MasterRotation::begin(&source, &[]), Err(KeyError::ReadOnly)));
    assert!(!format!("{source:?}").contains(&BASE64.encode(made.master().1.0)));
}
