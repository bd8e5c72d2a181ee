//! Signing keys of checkpoints, in a file apart from the key file: signing does not require access to personal data.
//!
//! Rotation creates a new key and destroys the private half of the previous one; its public half stays, so that earlier
//! signatures can be verified.

use crate::keys::{KeyError, Secret, check_private, create_private_folder, write_private};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use chrono::{DateTime, SecondsFormat, Utc};
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// Environment variable with the signing key file's path, when not in the data folder.
pub const SIGNING_KEY_FILE_VARIABLE: &str = "CAUDAL_SIGNING_KEY_FILE";

/// Path in the data folder.
pub const SIGNING_KEY_FILE: &str = "keys/signing.keys";

/// Maximum file size.
const MAX_FILE_BYTES: u64 = 256 * 1024;

/// Length of a key's name in bytes of its hash.
const ID_BYTES: usize = 8;

const HEADER: &str = "# Caudal signs its checkpoints with the key of the line `signing`. Show it to nobody.\n\
                      # `retired` lines are the public halves of earlier keys, whose private halves are gone.\n";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// Name: the first bytes of the key's SHA-256 in hexadecimal.
    pub id: String,
    pub key: [u8; 32],
    /// Time of its first use.
    pub since: DateTime<Utc>,
    /// Time of its retirement; `None` for the current key.
    pub until: Option<DateTime<Utc>>,
}

/// Public keys in their published form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicKeys(Vec<PublicKey>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Published {
    keys: Vec<PublishedKey>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PublishedKey {
    id: String,
    public_key: String,
    since: DateTime<Utc>,
    #[serde(default)]
    until: Option<DateTime<Utc>>,
}

impl PublicKeys {
    /// Current key last.
    #[must_use]
    pub fn keys(&self) -> &[PublicKey] {
        &self.0
    }

    #[must_use]
    pub fn find(&self, id: &str) -> Option<&PublicKey> {
        self.0.iter().find(|key| key.id == id)
    }

    /// Union with other keys.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Parses the published form.
    ///
    /// # Errors
    /// When malformed, or a key's name is not its hash.
    pub fn from_json(text: &str) -> Result<Self, KeyError> {
        let published: Published = serde_json::from_str(text).map_err(|_| KeyError::NotAKey)?;
        let read = |key: PublishedKey| {
            let bytes: [u8; 32] = BASE64
                .decode(&key.public_key)
                .ok()
                .and_then(|bytes| bytes.try_into().ok())
                .ok_or(KeyError::NotAKey)?;
            if key.id != id_of(&bytes) {
                return Err(KeyError::NotAKey);
            }
            Ok(PublicKey {
                id: key.id,
                key: bytes,
                since: key.since,
                until: key.until,
            })
        };
        published.keys.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Published form as JSON.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let write = |key: &PublicKey| PublishedKey {
            id: key.id.clone(),
            public_key: BASE64.encode(key.key),
            since: key.since,
            until: key.until,
        };
        serde_json::to_string_pretty(&Published {
            keys: self.0.iter().map(write).collect(),
        })
    }
}

pub(super) fn id_of(key: &[u8; 32]) -> String {
    let hash: [u8; 32] = Sha256::digest(key).into();
    hex::encode(&hash[..ID_BYTES])
}

/// The signing key, and the public halves of earlier ones.
#[derive(Clone)]
pub struct SigningKeys {
    current: SigningKey,
    since: DateTime<Utc>,
    retired: Vec<PublicKey>,
    id: String,
}

impl std::fmt::Debug for SigningKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SigningKeys")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl SigningKeys {
    pub fn generate(now: DateTime<Utc>) -> Result<Self, KeyError> {
        Ok(Self::of_seed(Secret::generate()?.0, now))
    }

    pub(crate) fn of_seed(seed: [u8; 32], since: DateTime<Utc>) -> Self {
        let current = SigningKey::from_bytes(&seed);
        Self {
            id: id_of(current.verifying_key().as_bytes()),
            current,
            since,
            retired: Vec::new(),
        }
    }

    /// Name of the signing key.
    #[must_use]
    pub fn current_id(&self) -> &str {
        &self.id
    }

    /// Public half of the signing key.
    pub(super) fn current_public(&self) -> [u8; 32] {
        self.current.verifying_key().to_bytes()
    }

    pub(super) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.current.sign(message).to_bytes()
    }

    /// Public halves, the current one last.
    #[must_use]
    pub fn public(&self) -> PublicKeys {
        let mut keys = self.retired.clone();
        keys.push(PublicKey {
            id: self.id.clone(),
            key: self.current.verifying_key().to_bytes(),
            since: self.since,
            until: None,
        });
        PublicKeys(keys)
    }

    /// Path of a data folder's signing keys: from the environment, else inside the folder.
    #[must_use]
    pub fn path(data_dir: &Path) -> PathBuf {
        std::env::var_os(SIGNING_KEY_FILE_VARIABLE).map_or_else(|| data_dir.join(SIGNING_KEY_FILE), PathBuf::from)
    }

    /// Reads the file, or creates it with owner-only permissions. Of several creating processes one wins, and all load
    /// its file.
    ///
    /// # Errors
    /// When the file can't be read or created, or is malformed.
    pub fn open_or_create(path: &Path, now: DateTime<Utc>) -> Result<Self, KeyError> {
        match Self::read(path) {
            Err(KeyError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            read => return read,
        }
        let drafted = Self::generate(now)?.draft(path)?;
        // A hard link, unlike a rename, never replaces another process's file.
        let linked = fs::hard_link(&drafted, path);
        fs::remove_file(&drafted).map_err(|source| failed(path, source))?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(path, error)),
            _ => Self::read(path),
        }
    }

    /// Creates a new signing key and destroys the private half of the previous one.
    ///
    /// # Errors
    /// When the system has no randomness, or the file can't be replaced: the previous key then still signs.
    pub fn rotate(&self, path: &Path, now: DateTime<Utc>) -> Result<Self, KeyError> {
        let mut next = Self::generate(now)?;
        next.retired = self.public().0;
        if let Some(last) = next.retired.last_mut() {
            last.until = Some(now);
        }
        let drafted = next.draft(path)?;
        fs::rename(&drafted, path).map_err(|source| failed(path, source))?;
        sync_folder(path).map_err(|source| failed(path, source))?;
        Self::read(path)
    }

    /// Writes a temporary file beside the final one.
    fn draft(&self, path: &Path) -> Result<PathBuf, KeyError> {
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        create_private_folder(folder).map_err(|source| failed(path, source))?;
        let draft = folder.join(format!(".{}.draft", uuid::Uuid::now_v7()));
        write_private(&draft, &self.to_text()).map_err(|source| failed(path, source))?;
        Ok(draft)
    }

    /// Reads a file of signing keys.
    ///
    /// # Errors
    /// When it can't be read or is malformed.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let size = fs::metadata(path).map_err(|source| failed(path, source))?.len();
        check_private(path)?;
        let format = |(line, problem)| KeyError::Format {
            path: path.to_owned(),
            line,
            problem,
        };
        if size > MAX_FILE_BYTES {
            return Err(format((1, "too large for a file of signing keys")));
        }
        let text = Zeroizing::new(fs::read_to_string(path).map_err(|source| failed(path, source))?);
        Self::parse(&text).map_err(format)
    }

    /// Parses `retired KEY SINCE UNTIL` lines, and one `signing SEED SINCE` line.
    fn parse(text: &str) -> Result<Self, (usize, &'static str)> {
        let mut current = None;
        let mut retired = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let wrong = |problem| (index + 1, problem);
            let key = |text: &str| -> Option<Zeroizing<[u8; 32]>> {
                let bytes = Zeroizing::new(BASE64.decode(text).ok()?);
                Some(Zeroizing::new(bytes.as_slice().try_into().ok()?))
            };
            let words: Vec<_> = line.split_ascii_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [word, ..] if word.starts_with('#') => {}
                ["signing", seed, since] if current.is_none() => {
                    let seed = key(seed).ok_or_else(|| wrong("a key is 32 bytes in Base64"))?;
                    let since = since.parse().map_err(|_| wrong("a time that is none"))?;
                    current = Some(Self::of_seed(*seed, since));
                }
                ["retired", public, since, until] => {
                    let public = key(public).ok_or_else(|| wrong("a key is 32 bytes in Base64"))?;
                    VerifyingKey::from_bytes(&public).map_err(|_| wrong("not a public key"))?;
                    retired.push(PublicKey {
                        id: id_of(&public),
                        key: *public,
                        since: since.parse().map_err(|_| wrong("a time that is none"))?,
                        until: Some(until.parse().map_err(|_| wrong("a time that is none"))?),
                    });
                }
                _ => {
                    return Err(wrong(
                        "expected one `signing KEY SINCE`, and `retired KEY SINCE UNTIL` lines",
                    ));
                }
            }
        }
        let mut keys = current.ok_or((text.lines().count(), "no signing key"))?;
        keys.retired = retired;
        Ok(keys)
    }

    fn to_text(&self) -> Zeroizing<String> {
        let time = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Secs, true);
        let mut text = Zeroizing::new(HEADER.to_owned());
        for key in &self.retired {
            let until = key.until.unwrap_or(self.since);
            text.push_str(&format!(
                "retired {} {} {}\n",
                BASE64.encode(key.key),
                time(key.since),
                time(until)
            ));
        }
        let seed = Zeroizing::new(BASE64.encode(self.current.as_bytes()));
        text.push_str(&format!("signing {} {}\n", *seed, time(self.since)));
        text
    }
}

fn failed(path: &Path, source: io::Error) -> KeyError {
    KeyError::File {
        path: path.to_owned(),
        source,
    }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    fs::File::open(path.parent().unwrap_or_else(|| Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_rotation_keeps_the_public_halves_and_forgets_the_private_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys/signing.keys");
        let first = SigningKeys::open_or_create(&path, Utc::now()).unwrap();
        assert_eq!(
            SigningKeys::open_or_create(&path, Utc::now()).unwrap().public(),
            first.public()
        );
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let seed = BASE64.encode(first.current.as_bytes());
        assert!(fs::read_to_string(&path).unwrap().contains(&seed));
        let second = first.rotate(&path, Utc::now()).unwrap();
        assert_ne!(second.current_id(), first.current_id());
        let public = second.public();
        assert_eq!(public.keys().len(), 2);
        assert!(public.find(first.current_id()).unwrap().until.is_some());
        assert!(public.find(second.current_id()).unwrap().until.is_none());
        assert!(!fs::read_to_string(&path).unwrap().contains(&seed));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(PublicKeys::from_json(&public.to_json().unwrap()).unwrap(), public);
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("signing.keys");
        SigningKeys::open_or_create(&path, Utc::now()).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let error = SigningKeys::open_or_create(&path, Utc::now()).unwrap_err();
        assert!(matches!(error, KeyError::Permissions { .. }), "{error}");
    }

    #[test]
    fn a_damaged_file_names_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("signing.keys");
        write_private(&path, "# keys\nsigning short 2026-01-01T00:00:00Z\n").unwrap();
        let error = SigningKeys::open_or_create(&path, Utc::now()).unwrap_err();
        assert!(matches!(error, KeyError::Format { line: 2, .. }), "{error}");
    }
}
