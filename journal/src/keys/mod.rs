//! Keys outside the database: master keys wrap people's data keys, the lookup key hashes values for lookup (an e-mail,
//! a request), and session keys sign tokens.
//!
//! They are in one file, created at the first start, or in an environment variable; each may be encrypted by a key
//! management service ([`KeyService`]). A copy of the database without the keys reveals no personal data; without the
//! keys all personal data is lost. The lookup key is separate from the others so that these can be rotated: the HMAC of
//! a unique value cannot be recomputed once the value is encrypted.

mod contents;
pub(crate) mod encryption_key;
mod private;
pub(crate) mod proofs;
mod rotation;
mod service;
mod sessions;
mod source;

pub use private::check_private;
pub(crate) use private::{create_private_folder, write_private};
pub use rotation::MasterRotation;
pub use service::{KeyService, ServiceError};
pub use sessions::{DerivedKey, SESSION_KEY_LEAD, SESSION_KEY_OVERLAP};
pub use source::{KeyPlace, KeySource};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use contents::{Contents, Key, SessionKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard},
    time::{Duration, Instant, SystemTime},
};
use zeroize::{Zeroize, Zeroizing};

/// Environment variable with the key file's path, when not in the data folder.
pub const MASTER_KEY_FILE_VARIABLE: &str = "CAUDAL_MASTER_KEY_FILE";

/// Environment variable with the key file's text, with `;` or line breaks between lines, in place of a file.
pub const MASTER_KEYS_VARIABLE: &str = "CAUDAL_MASTER_KEYS";

/// Path of the key file in the data folder.
pub const MASTER_KEY_FILE: &str = "keys/master.keys";

/// Poll interval of the key file: a rotation reaches all nodes within it.
pub const KEY_FILE_LOOK: Duration = Duration::from_secs(1);

/// 256 secret bits; zeroed on drop and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub(crate) [u8; 32]);

impl Secret {
    /// A new random secret.
    pub fn generate() -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(KeyError::Randomness)?;
        Ok(Self(bytes))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = Zeroizing::new(BASE64.decode(text).ok()?);
        Some(Self(bytes.as_slice().try_into().ok()?))
    }

    /// HMAC-SHA-256 of a purpose and length-prefixed parts.
    fn mac(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        // Block-size key: unlike `new_from_slice`, this constructor cannot fail.
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        for (to, from) in block.iter_mut().zip(self.0) {
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

    /// Derives a key for another purpose.
    fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.mac("derived", &[purpose.as_bytes()]))
    }

    /// Proof by which the database recognises a session key.
    fn session_proof(&self, id: &str) -> [u8; 32] {
        self.mac("session key", &[id.as_bytes()])
    }

    /// Proof by which the database recognises a master key.
    fn master_proof(&self, id: &str) -> [u8; 32] {
        self.mac("master key", &[id.as_bytes()])
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

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the key file {path}")]
    File {
        /// Where it is looked for.
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("the key file {path}, line {line}: {problem}")]
    Format {
        path: PathBuf,
        line: usize,
        problem: &'static str,
    },
    #[error("{path} has the mode {mode:o}, so that others than its owner reach the keys: run chmod {wanted} {path}")]
    Permissions {
        path: PathBuf,
        mode: u32,
        /// The required mode, as a command.
        wanted: &'static str,
    },
    #[error(
        "there is no key file {0}, and the database was written with one: put the file back, or name it with \
         CAUDAL_MASTER_KEY_FILE. A new one would open none of the personal data"
    )]
    Missing(PathBuf),
    #[error(
        "there is no file of signing keys {0} that knows the key of earlier checkpoints: put the file back, or name it with \
         CAUDAL_SIGNING_KEY_FILE. All nodes share one"
    )]
    SigningMissing(PathBuf),
    #[error("the key file {path}, line {line}: the key management service did not open the key")]
    Service {
        path: PathBuf,
        /// The line with the ciphertext, from 1.
        line: usize,
        #[source]
        source: ServiceError,
    },
    #[error("the key management service did not encrypt a key; the key file is as it was")]
    Seal(#[source] ServiceError),
    #[error("no key management service is configured: see CAUDAL_VAULT_ADDRESS")]
    NoService,
    #[error("the keys come from the variable CAUDAL_MASTER_KEYS, which only whoever sets it can change")]
    ReadOnly,
    #[error("no randomness from the system")]
    Randomness(#[source] getrandom::Error),
    #[error("a text too long to be sealed")]
    TooLong,
    #[error("not a key of the form in which Caudal publishes them")]
    NotAKey,
    #[error("the key file {0} is being changed by another process")]
    Locked(PathBuf),
    #[error("the key file is not the one that this database was written with")]
    OtherDatabase,
    #[error(
        "the database has tenants but no proof of its key file (the table journal.keyring is empty): restore it from a backup"
    )]
    NoProof,
    #[error(
        "the master key {0} in the key file is not the one that this database was written with: put the right key file back. \
         With this one people's data would be encrypted under a key that nobody else has"
    )]
    OtherMaster(String),
    #[error(
        "the session key {0} in the key file is not the one that other nodes have under this id: the file's copies were \
         rotated apart, and nodes with different keys refuse each other's access tokens. Put one file on all nodes; where the \
         right one is lost, `caudal keys rotate --sessions --revoke` makes a key under an id of its own"
    )]
    OtherSession(String),
    #[error(
        "the master key {0} is not in the key file, and people's keys are still wrapped with it: put back a copy of the file \
         that has it, and run `caudal keys rotate-master --resume` before it is taken out"
    )]
    MissingMaster(String),
}

/// Keys of one installation. Clones share them. Master and session keys are reloaded when their file changes, so that a
/// rotation reaches running nodes.
#[derive(Clone, Debug)]
pub struct Keyring {
    lookup: Secret,
    contents: Arc<RwLock<Contents>>,
    file: Option<Arc<KeyFile>>,
}

/// The file behind a keyring, and the time of the last check.
#[derive(Debug)]
struct KeyFile {
    source: KeySource,
    path: PathBuf,
    looked: Mutex<Looked>,
}

#[derive(Debug)]
struct Looked {
    at: Instant,
    /// Last loaded version of the file.
    written: Option<Written>,
    /// Whether a thread is waiting for the key management service.
    is_opening: bool,
}

impl Keyring {
    /// A new keyring with one master key.
    pub fn generate() -> Result<Self, KeyError> {
        Ok(Self::new(Secret::generate()?, "1", Secret::generate()?))
    }

    #[must_use]
    pub fn new(lookup: Secret, master_id: &str, master: Secret) -> Self {
        let plain = |secret| Key { secret, sealed: None };
        Self::of(Contents {
            lookup: plain(lookup),
            masters: vec![(master_id.to_owned(), plain(master))],
            sessions: Vec::new(),
        })
    }

    fn of(contents: Contents) -> Self {
        Self {
            lookup: contents.lookup.secret.clone(),
            contents: Arc::new(RwLock::new(contents)),
            file: None,
        }
    }

    fn of_file(contents: Contents, source: &KeySource, path: &Path, written: Option<Written>) -> Self {
        let looked = Mutex::new(Looked {
            at: Instant::now(),
            written,
            is_opening: false,
        });
        let (source, path) = (source.clone(), path.to_owned());
        Self {
            file: Some(Arc::new(KeyFile { source, path, looked })),
            ..Self::of(contents)
        }
    }

    /// Path of a data folder's key file: from the environment, else inside the folder.
    #[must_use]
    pub fn path(data_dir: &Path) -> PathBuf {
        std::env::var_os(MASTER_KEY_FILE_VARIABLE).map_or_else(|| data_dir.join(MASTER_KEY_FILE), PathBuf::from)
    }

    /// Reads the key file, or creates it with owner-only permissions. With a database available use
    /// [`open_keyring`](crate::open_keyring), which never creates one beside existing data.
    ///
    /// # Errors
    /// When the file can't be read or created, or is malformed.
    pub fn open_or_create(path: &Path) -> Result<Self, KeyError> {
        KeySource::file(path).open_or_create()
    }

    /// Reads a key file without ciphertexts.
    ///
    /// # Errors
    /// When it can't be read or is malformed.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        KeySource::file(path).read()
    }

    /// Reloads a changed file, at most once every [`KEY_FILE_LOOK`]. An unreadable file, or one of another
    /// installation, is ignored. A key management service is called in another thread.
    fn look(&self) {
        let Some(file) = &self.file else { return };
        let mut looked = file.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.at.elapsed() < KEY_FILE_LOOK || looked.is_opening {
            return;
        }
        looked.at = Instant::now();
        let found = written(&file.path);
        if found == looked.written {
            return;
        }
        if file.source.service.is_none() {
            if self.read_again(file) {
                looked.written = found;
            }
            return;
        }
        looked.is_opening = true;
        let (keyring, file) = (self.clone(), file.clone());
        std::thread::spawn(move || {
            let taken = keyring.read_again(&file);
            let mut looked = file.looked.lock().unwrap_or_else(PoisonError::into_inner);
            looked.is_opening = false;
            looked.at = Instant::now();
            if taken {
                looked.written = found;
            }
        });
    }

    /// Loads the file if it belongs to this installation.
    fn read_again(&self, file: &KeyFile) -> bool {
        let known = self.contents.read().unwrap_or_else(PoisonError::into_inner).clone();
        let path = file.path.display();
        let read = match file.source.contents_of(&file.path, Some(&known)) {
            Ok(read) => read,
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::error!(%error, cause, "the key file was changed and can't be read; the keys from before stay");
                return false;
            }
        };
        if read.lookup.secret != self.lookup {
            tracing::error!(%path, "the key file is another installation's; the keys from before stay");
            return false;
        }
        let is_other = |(id, key): &&(String, Key)| known.master(id).is_some_and(|known| known.secret != key.secret);
        if let Some((id, _)) = read.masters.iter().find(is_other) {
            tracing::error!(%path, id, "the key file has another master key under this id; the keys from before stay");
            return false;
        }
        let is_other = |session: &&SessionKey| {
            let known = known.sessions.iter().find(|known| known.id == session.id);
            known.is_some_and(|known| {
                known.key.as_ref().map(|key| &key.secret) != session.key.as_ref().map(|key| &key.secret)
            })
        };
        if let Some(SessionKey { id, .. }) = read.sessions.iter().find(is_other) {
            tracing::error!(%path, id, "the key file has another session key under this id; the keys from before stay");
            return false;
        }
        *self.contents.write().unwrap_or_else(PoisonError::into_inner) = read;
        tracing::info!("the key file was read again");
        true
    }

    /// The current keys.
    fn contents(&self) -> RwLockReadGuard<'_, Contents> {
        self.look();
        self.known()
    }

    fn known(&self) -> RwLockReadGuard<'_, Contents> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current master key with its id.
    pub(crate) fn master(&self) -> (String, Secret) {
        let contents = self.contents();
        let current = contents
            .masters
            .last()
            .map(|(id, key)| (id.clone(), key.secret.clone()));
        // A key file without a master key is rejected on load.
        current.unwrap_or_else(|| (String::new(), self.lookup.clone()))
    }

    /// A master key by id; an unknown id triggers a reload of the file.
    pub(crate) fn master_by_id(&self, id: &str) -> Option<Secret> {
        let known = || self.known().master(id).map(|key| key.secret.clone());
        known().or_else(|| {
            self.look();
            known()
        })
    }

    /// All master key ids with their proofs.
    pub(crate) fn master_proofs(&self) -> Vec<(String, [u8; 32])> {
        let contents = self.known();
        let proofs = contents.masters.iter();
        proofs
            .map(|(id, key)| (id.clone(), key.secret.master_proof(id)))
            .collect()
    }

    /// All session key ids with their proofs, except for the key derived from the lookup key.
    pub(crate) fn session_proofs(&self) -> Vec<(String, [u8; 32])> {
        let contents = self.contents();
        let own = contents.sessions.iter().filter_map(|session| {
            let key = session.key.as_ref()?;
            Some((session.id.clone(), key.secret.session_proof(&session.id)))
        });
        own.collect()
    }

    /// HMAC-SHA-256 of a purpose and length-prefixed parts under the lookup key.
    pub(crate) fn lookup(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        self.lookup.mac(purpose, parts)
    }

    /// Derives this installation's key for a purpose, such as signing tokens: equal on every node with the key file,
    /// and useless for other purposes.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        self.lookup.derive(purpose)
    }

    /// Proof by which the database recognises the lookup key.
    pub(crate) fn proof(&self) -> [u8; 32] {
        self.lookup("keyring", &[])
    }
}

/// Version of a file; the modification time alone may be equal for two versions.
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

#[cfg(test)]
mod tests;
