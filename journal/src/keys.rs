//! The keys that live outside the database: master keys, which wrap people's data keys, and the lookup key, with
//! which values that must be found again without being kept (an e-mail, a request) are hashed.
//!
//! They stand in one file, made at the first start. Whoever has a copy of the database without it reads no personal
//! data; whoever loses it has lost everybody's. The lookup key is apart from the master keys so that these can be
//! rotated: a claim's hash cannot be computed again once its value is sealed.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::{
    collections::BTreeMap,
    fmt, fs, io,
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant, SystemTime},
};
use zeroize::{Zeroize, Zeroizing};

/// Where the key file is, when it is not in the data folder.
pub const MASTER_KEY_FILE_VARIABLE: &str = "CAUDAL_MASTER_KEY_FILE";

/// The key file's place in the data folder.
pub const MASTER_KEY_FILE: &str = "keys/master.keys";

/// A key file is a few lines; a larger file is something else.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// How often a node looks whether its key file was changed: a rotation reaches all nodes within this, and looking costs
/// nothing beside what keys are needed for.
pub const KEY_FILE_LOOK: Duration = Duration::from_secs(1);

const HEADER: &str = "# Caudal's master keys. Without this file no personal data in the database can be read again.\n\
                      # Keep a copy apart from the database's backups, and show it to nobody.\n";

/// 256 bits that are wiped when dropped and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub(crate) [u8; 32]);

impl Secret {
    /// A new random secret.
    ///
    /// # Errors
    /// Where the system has no randomness.
    pub fn generate() -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(KeyError::Randomness)?;
        Ok(Self(bytes))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = Zeroizing::new(BASE64.decode(text).ok()?);
        Some(Self(bytes.as_slice().try_into().ok()?))
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// What can be wrong with the keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file can't be read or made.
    #[error("the key file {path}")]
    File {
        /// Where it is looked for.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The file is not a key file.
    #[error("the key file {path}, line {line}: {problem}")]
    Format {
        /// The file.
        path: PathBuf,
        /// The line at fault, from 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The system has no randomness.
    #[error("no randomness from the system")]
    Randomness(#[source] getrandom::Error),
    /// A text too long to be sealed (256 GiB).
    #[error("a text too long to be sealed")]
    TooLong,
    /// What should be a key is none.
    #[error("not a key of the form in which Caudal publishes them")]
    NotAKey,
    /// Another process is changing the key file.
    #[error("the key file {0} is being changed by another process")]
    Locked(PathBuf),
    /// The database was written with other keys.
    #[error("the key file is not the one that this database was written with")]
    OtherDatabase,
}

/// The keys of one installation. Clones share them: where they come from a file, its master keys are read again when the
/// file changes, so that a rotation reaches nodes that run.
#[derive(Clone, Debug)]
pub struct Keyring {
    lookup: Secret,
    masters: Arc<RwLock<Masters>>,
    file: Option<Arc<KeyFile>>,
}

#[derive(Clone, Debug)]
struct Masters {
    current: (String, Secret),
    earlier: BTreeMap<String, Secret>,
}

impl Masters {
    fn by_id(&self, id: &str) -> Option<Secret> {
        if self.current.0 == id {
            Some(self.current.1.clone())
        } else {
            self.earlier.get(id).cloned()
        }
    }
}

/// The file behind a keyring, and when it was last looked at.
#[derive(Debug)]
struct KeyFile {
    path: PathBuf,
    looked: Mutex<Looked>,
}

#[derive(Debug)]
struct Looked {
    at: Instant,
    /// The file that is known.
    written: Option<Written>,
}

impl Keyring {
    /// A new keyring with one master key.
    ///
    /// # Errors
    /// Where the system has no randomness.
    pub fn generate() -> Result<Self, KeyError> {
        Ok(Self::new(Secret::generate()?, "1", Secret::generate()?))
    }

    /// A keyring of a lookup key and one master key.
    #[must_use]
    pub fn new(lookup: Secret, master_id: &str, master: Secret) -> Self {
        let masters = Masters {
            current: (master_id.to_owned(), master),
            earlier: BTreeMap::new(),
        };
        Self::of(lookup, masters)
    }

    fn of(lookup: Secret, masters: Masters) -> Self {
        Self {
            lookup,
            masters: Arc::new(RwLock::new(masters)),
            file: None,
        }
    }

    /// Where the key file of a data folder is: as the environment says, else inside it.
    #[must_use]
    pub fn path(data_dir: &Path) -> PathBuf {
        std::env::var_os(MASTER_KEY_FILE_VARIABLE).map_or_else(|| data_dir.join(MASTER_KEY_FILE), PathBuf::from)
    }

    /// Reads the key file, or makes it (readable by its owner alone) where there is none. Of processes that make it
    /// at the same time one wins, and all read the winner's.
    ///
    /// # Errors
    /// Where the file can't be read or made, or is no key file.
    pub fn open_or_create(path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::File {
            path: path.to_owned(),
            source,
        };
        match Self::read(path) {
            Err(KeyError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            read => return read,
        }
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        create_private_folder(folder).map_err(failed)?;
        let draft = folder.join(format!(".{}.draft", uuid::Uuid::now_v7()));
        let written = write_private(&draft, &Self::generate()?.to_text())
            // A hard link, unlike a rename, never replaces what another process has just put there.
            .and_then(|()| fs::hard_link(&draft, path))
            .and_then(|()| fs::File::open(folder)?.sync_all());
        fs::remove_file(&draft).map_err(failed)?;
        match written {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(error)),
            _ => Self::read(path),
        }
    }

    /// Reads a key file.
    ///
    /// # Errors
    /// Where it can't be read or is no key file.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::File {
            path: path.to_owned(),
            source,
        };
        let size = fs::metadata(path).map_err(failed)?.len();
        if size > MAX_FILE_BYTES {
            return Err(KeyError::Format {
                path: path.to_owned(),
                line: 1,
                problem: "too large for a key file",
            });
        }
        // Before the text: a change in between is then seen at the next look.
        let written = written(path);
        let text = Zeroizing::new(fs::read_to_string(path).map_err(failed)?);
        let read = Self::parse(&text).map_err(|(line, problem)| KeyError::Format {
            path: path.to_owned(),
            line,
            problem,
        })?;
        let looked = Mutex::new(Looked {
            at: Instant::now(),
            written,
        });
        let path = path.to_owned();
        Ok(Self {
            file: Some(Arc::new(KeyFile { path, looked })),
            ..read
        })
    }

    /// Reads the file again where it was changed, at most once every [`KEY_FILE_LOOK`]. A file that can't be read, or
    /// belongs to another installation, changes nothing here.
    fn look(&self) {
        let Some(file) = &self.file else { return };
        let mut looked = file.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.at.elapsed() < KEY_FILE_LOOK {
            return;
        }
        looked.at = Instant::now();
        let found = written(&file.path);
        if found == looked.written {
            return;
        }
        match Self::read(&file.path) {
            Ok(read) if read.lookup == self.lookup => {
                let new = read.masters.read().unwrap_or_else(PoisonError::into_inner).clone();
                *self.masters.write().unwrap_or_else(PoisonError::into_inner) = new;
                looked.written = found;
                tracing::info!("the master keys were read again");
            }
            Ok(_) => tracing::error!(path = %file.path.display(), "the key file is another installation's"),
            Err(error) => tracing::error!(%error, "the key file was changed and can't be read"),
        }
    }

    /// Adds a new master key to the key file, which wraps from now on; those before still open. Returns its id.
    ///
    /// # Errors
    /// Where the file can't be read or written, or another process is changing it.
    pub fn rotate_master(path: &Path) -> Result<String, KeyError> {
        change_file(path, |masters| {
            let last = std::iter::once(&masters.current.0).chain(masters.earlier.keys());
            let last = last.filter_map(|id| id.parse::<u64>().ok()).max().unwrap_or(0);
            let id = (last + 1).to_string();
            let before = std::mem::replace(&mut masters.current, (id.clone(), Secret::generate()?));
            masters.earlier.extend([before]);
            Ok(id)
        })
    }

    /// Takes all master keys but the current one out of the key file. What is still wrapped under them can't be opened
    /// any more by whoever reads the file from now on. Returns their ids.
    ///
    /// # Errors
    /// As [`Self::rotate_master`].
    pub fn retire_masters(path: &Path) -> Result<Vec<String>, KeyError> {
        change_file(path, |masters| {
            Ok(std::mem::take(&mut masters.earlier).into_keys().collect())
        })
    }

    /// One `lookup KEY` line, and a `master ID KEY` line a master key, of which the last is the current one.
    fn parse(text: &str) -> Result<Self, (usize, &'static str)> {
        let mut lookup = None;
        let mut current: Option<(String, Secret)> = None;
        let mut earlier = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let mut words = line.split_ascii_whitespace();
            match (words.next(), words.next(), words.next(), words.next()) {
                (None, ..) => {}
                (Some(word), ..) if word.starts_with('#') => {}
                (Some("lookup"), Some(key), None, _) if lookup.is_none() => {
                    lookup = Some(Secret::parse(key).ok_or((index + 1, "a key is 32 bytes in Base64"))?);
                }
                (Some("master"), Some(id), Some(key), None) => {
                    let key = Secret::parse(key).ok_or((index + 1, "a key is 32 bytes in Base64"))?;
                    earlier.extend(current.replace((id.to_owned(), key)));
                    if earlier.contains_key(id) {
                        return Err((index + 1, "this master key's id is there twice"));
                    }
                }
                _ => return Err((index + 1, "expected one `lookup KEY`, and `master ID KEY` lines")),
            }
        }
        let lines = text.lines().count();
        let masters = Masters {
            current: current.ok_or((lines, "no master key"))?,
            earlier,
        };
        Ok(Self::of(lookup.ok_or((lines, "no lookup key"))?, masters))
    }

    fn to_text(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(HEADER.to_owned());
        text.push_str(&format!("lookup {}\n", BASE64.encode(self.lookup.0)));
        let masters = self.masters.read().unwrap_or_else(PoisonError::into_inner);
        let (current_id, current) = &masters.current;
        for (id, key) in masters.earlier.iter().chain([(current_id, current)]) {
            text.push_str(&format!("master {id} {}\n", BASE64.encode(key.0)));
        }
        text
    }

    /// The id and key with which data keys are wrapped from now on.
    pub(crate) fn master(&self) -> (String, Secret) {
        self.look();
        self.masters
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .current
            .clone()
    }

    /// A master key that data keys were wrapped with; one that came with a rotation is looked for in the file.
    pub(crate) fn master_by_id(&self, id: &str) -> Option<Secret> {
        let known = || self.masters.read().unwrap_or_else(PoisonError::into_inner).by_id(id);
        known().or_else(|| {
            self.look();
            known()
        })
    }

    /// HMAC-SHA-256 under the lookup key of a purpose and parts, each with its length in front.
    pub(crate) fn lookup(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        // A key of the block's size or less is taken as it is, so this constructor, unlike `new_from_slice`, has no
        // error to handle.
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        for (to, from) in block.iter_mut().zip(self.lookup.0) {
            *to = from;
        }
        let mut mac = Hmac::<Sha256>::new(&block);
        block.zeroize();
        for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// A key for another purpose of this installation, such as signing tokens: the same on every node that has the
    /// key file, and worth nothing for any other purpose.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.lookup("derived", &[purpose.as_bytes()]))
    }

    /// What the database keeps to recognise its own keys by.
    pub(crate) fn proof(&self) -> [u8; 32] {
        self.lookup("keyring", &[])
    }
}

/// What tells a file from the one that takes its place: the file system's clock alone may stand still between two.
#[derive(Debug, PartialEq, Eq)]
struct Written {
    at: SystemTime,
    inode: u64,
    bytes: u64,
}

fn written(path: &Path) -> Option<Written> {
    use std::os::unix::fs::MetadataExt as _;
    let file = fs::metadata(path).ok()?;
    Some(Written {
        at: file.modified().ok()?,
        inode: file.ino(),
        bytes: file.len(),
    })
}

/// Changes the master keys of a file: the new file takes the place of the old one whole.
fn change_file<T>(path: &Path, change: impl FnOnce(&mut Masters) -> Result<T, KeyError>) -> Result<T, KeyError> {
    let failed = |source| KeyError::File {
        path: path.to_owned(),
        source,
    };
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let lock = fs::File::open(folder).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Err(KeyError::Locked(path.to_owned())),
        Err(fs::TryLockError::Error(error)) => return Err(failed(error)),
    }
    let keyring = Keyring::read(path)?;
    let outcome = {
        let mut masters = keyring.masters.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut masters)?
    };
    let draft = folder.join(format!(".{}.draft", uuid::Uuid::now_v7()));
    write_private(&draft, &keyring.to_text())
        .and_then(|()| fs::rename(&draft, path))
        .and_then(|()| lock.sync_all())
        .map_err(failed)?;
    Ok(outcome)
}

#[cfg(unix)]
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(unix)]
pub(crate) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

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
    fn processes_that_start_at_once_share_one_key_file() {
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
        fs::write(&path, "# keys\nlookup short\n").unwrap();
        let error = Keyring::open_or_create(&path).unwrap_err();
        assert!(matches!(error, KeyError::Format { line: 2, .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "# keys\nlookup short\n");
    }

    #[test]
    fn the_last_master_key_wraps_and_the_others_still_open() {
        let key = BASE64.encode([7; 32]);
        let text = format!("lookup {key}\nmaster b {key}\nmaster a {}\n", BASE64.encode([8; 32]));
        let keyring = Keyring::parse(&text).unwrap();
        assert_eq!(keyring.master(), ("a".to_owned(), Secret([8; 32])));
        assert_eq!(keyring.master_by_id("b"), Some(Secret([7; 32])));
        let again = Keyring::parse(&keyring.to_text()).unwrap();
        assert_eq!(again.master(), keyring.master());
    }

    #[test]
    fn a_rotation_reaches_who_has_the_keys_already_and_leaves_the_lookup_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys/master.keys");
        let node = Keyring::open_or_create(&path).unwrap();
        let (first, proof) = (node.master(), node.proof());
        assert_eq!(Keyring::rotate_master(&path).unwrap(), "2");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::thread::sleep(KEY_FILE_LOOK);
        assert_eq!(node.master().0, "2");
        assert_eq!((node.master_by_id("1"), node.proof()), (Some(first.1), proof));
        assert_eq!(Keyring::rotate_master(&path).unwrap(), "3");
        assert_eq!(Keyring::retire_masters(&path).unwrap(), ["1", "2"]);
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
        let other = Keyring::generate().unwrap().to_text();
        fs::remove_file(&path).unwrap();
        fs::write(&path, other.as_bytes()).unwrap();
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
}
