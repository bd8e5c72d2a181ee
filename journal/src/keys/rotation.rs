//! Changes of the key file: atomic replacement, by one process at a time.

use super::{
    KeyError, KeyService, KeySource, Secret,
    contents::{Contents, Key},
    sessions, write_private,
};
use chrono::{DateTime, TimeDelta, Utc};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A pending change of the key file; holds its lock.
#[derive(Debug)]
struct Change {
    source: KeySource,
    path: PathBuf,
    lock: fs::File,
    contents: Contents,
}

impl Change {
    fn begin(source: &KeySource) -> Result<Self, KeyError> {
        let path = source.path()?.to_owned();
        let failed = |source| KeyError::File {
            path: path.clone(),
            source,
        };
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        let lock = fs::File::open(folder).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(KeyError::Locked(path)),
            Err(fs::TryLockError::Error(error)) => return Err(failed(error)),
        }
        let contents = source.contents_of(&path, None)?;
        Ok(Self {
            source: source.clone(),
            path,
            lock,
            contents,
        })
    }

    /// A new key, encrypted when the file's keys are.
    fn new_key(&self) -> Result<Key, KeyError> {
        let secret = Secret::generate()?;
        let sealed = if self.contents.is_sealed() {
            Some(encrypt(self.service()?, &secret)?)
        } else {
            None
        };
        Ok(Key { secret, sealed })
    }

    fn service(&self) -> Result<&dyn KeyService, KeyError> {
        self.source.service.as_deref().ok_or(KeyError::NoService)
    }

    fn finish(self) -> Result<(), KeyError> {
        let folder = self.path.parent().unwrap_or_else(|| Path::new("."));
        let draft = folder.join(format!(".{}.draft", uuid::Uuid::now_v7()));
        let replaced = write_private(&draft, &self.contents.to_text())
            .and_then(|()| fs::rename(&draft, &self.path))
            .and_then(|()| self.lock.sync_all());
        replaced.map_err(|source| KeyError::File {
            path: self.path.clone(),
            source,
        })
    }
}

fn encrypt(service: &dyn KeyService, secret: &Secret) -> Result<String, KeyError> {
    service.encrypt(&secret.0).map_err(KeyError::Seal)
}

/// A new master key that is not in the file yet: the database must know its proof first.
#[derive(Debug)]
pub struct MasterRotation {
    change: Change,
    id: String,
    key: Key,
}

impl MasterRotation {
    /// Creates a master key with an id that is neither in the file nor in `taken`.
    ///
    /// # Errors
    /// When the file can't be read, or another process is changing it.
    pub fn begin(source: &KeySource, taken: &[String]) -> Result<Self, KeyError> {
        let change = Change::begin(source)?;
        let ids = change.contents.masters.iter().map(|(id, _)| id).chain(taken);
        let last = ids.filter_map(|id| id.parse::<u64>().ok()).max().unwrap_or(0);
        Ok(Self {
            id: (last + 1).to_string(),
            key: change.new_key()?,
            change,
        })
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn proof(&self) -> [u8; 32] {
        self.key.secret.master_proof(&self.id)
    }

    /// Adds the key to the file as the current one; earlier keys still unwrap. Returns its id.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn finish(mut self) -> Result<String, KeyError> {
        self.change.contents.masters.push((self.id.clone(), self.key));
        self.change.finish()?;
        Ok(self.id)
    }
}

impl KeySource {
    /// Removes all master keys but the current one. Data still wrapped under them becomes unreadable for processes that
    /// load the file afterwards. Returns their ids.
    ///
    /// # Errors
    /// When the file can't be read or written, or another process is changing it.
    pub fn retire_masters(&self) -> Result<Vec<String>, KeyError> {
        let mut change = Change::begin(self)?;
        let masters = &mut change.contents.masters;
        let current = masters.split_off(masters.len().saturating_sub(1));
        let retired = std::mem::replace(masters, current);
        change.finish()?;
        Ok(retired.into_iter().map(|(id, _)| id).collect())
    }

    /// Adds a session key that signs after `lead`. Tokens under the previous key stay valid for
    /// [`SESSION_KEY_OVERLAP`](super::SESSION_KEY_OVERLAP) after that. Returns its id.
    pub fn rotate_sessions(&self, lead: TimeDelta, now: DateTime<Utc>) -> Result<String, KeyError> {
        let mut change = Change::begin(self)?;
        let key = change.new_key()?;
        let id = sessions::rotated(&mut change.contents.sessions, key, now + lead, now);
        change.finish()?;
        Ok(id)
    }

    /// Replaces all session keys by one that signs at once: every access token and reset code becomes invalid. Returns
    /// its id.
    pub fn revoke_sessions(&self, now: DateTime<Utc>) -> Result<String, KeyError> {
        let mut change = Change::begin(self)?;
        let key = change.new_key()?;
        let id = sessions::rotated(&mut change.contents.sessions, key, now, now);
        change.contents.sessions.retain(|session| session.id == id);
        change.finish()?;
        Ok(id)
    }

    /// Encrypts all plain keys of the file. Returns their number.
    ///
    /// # Errors
    /// As [`Self::retire_masters`], and when the service fails: the file is then unchanged.
    pub fn encrypt(&self) -> Result<usize, KeyError> {
        let mut change = Change::begin(self)?;
        let service = self.service.as_deref().ok_or(KeyError::NoService)?;
        let mut sealed = 0;
        for key in change.contents.keys_mut().filter(|key| key.sealed.is_none()) {
            key.sealed = Some(encrypt(service, &key.secret)?);
            sealed += 1;
        }
        change.finish()?;
        Ok(sealed)
    }
}
