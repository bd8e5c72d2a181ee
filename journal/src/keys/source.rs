//! Source of the keys: a file or an environment variable, with or without a key management service.

use super::{
    KeyError, KeyService, Keyring, MASTER_KEYS_VARIABLE, check_private,
    contents::{Contents, Fault, Opener},
    create_private_folder, write_private, written,
};
use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};
use zeroize::Zeroizing;

/// Maximum size of a key file.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// Line separator in an environment variable.
const LINE_MARK: char = ';';

/// Location of the keys' text.
#[derive(Clone, PartialEq, Eq)]
pub enum KeyPlace {
    /// An owner-only file. Reloaded when it changes; rotations write it.
    File(PathBuf),
    /// Text of an environment variable; constant for the life of the process.
    Environment(Zeroizing<String>),
}

impl fmt::Debug for KeyPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Environment(_) => f.write_str("Environment"),
        }
    }
}

/// Location of the keys, with the service that decrypts them.
#[derive(Clone, Debug)]
pub struct KeySource {
    pub place: KeyPlace,
    /// Decrypts encrypted keys; `None` when all are plain.
    pub service: Option<Arc<dyn KeyService>>,
}

impl KeySource {
    /// A file without a key management service.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self {
            place: KeyPlace::File(path.to_owned()),
            service: None,
        }
    }

    /// From the environment: [`MASTER_KEYS_VARIABLE`], else the file of [`Keyring::path`].
    #[must_use]
    pub fn of_environment(data_dir: &Path, service: Option<Arc<dyn KeyService>>) -> Self {
        let text = std::env::var(MASTER_KEYS_VARIABLE).ok().filter(|text| !text.is_empty());
        let place = match text {
            Some(text) => KeyPlace::Environment(Zeroizing::new(text)),
            None => KeyPlace::File(Keyring::path(data_dir)),
        };
        Self { place, service }
    }

    /// The key file's path.
    ///
    /// # Errors
    /// When the keys are in no file.
    pub fn path(&self) -> Result<&Path, KeyError> {
        match &self.place {
            KeyPlace::File(path) => Ok(path),
            KeyPlace::Environment(_) => Err(KeyError::ReadOnly),
        }
    }

    /// Loads the keys. Blocks while a key management service decrypts them.
    ///
    /// # Errors
    /// When they can't be read, other users can read them, or the service fails.
    pub fn read(&self) -> Result<Keyring, KeyError> {
        match &self.place {
            KeyPlace::File(path) => {
                // Before the text is read: a concurrent change is then detected by the next check.
                let written = written(path);
                let contents = self.contents_of(path, None)?;
                Ok(Keyring::of_file(contents, self, path, written))
            }
            KeyPlace::Environment(text) => {
                let text = Zeroizing::new(text.replace(LINE_MARK, "\n"));
                Ok(Keyring::of(self.parse(&text, Path::new(MASTER_KEYS_VARIABLE), None)?))
            }
        }
    }

    /// [`Self::read`], or `None` for a missing file.
    pub(crate) fn read_existing(&self) -> Result<Option<Keyring>, KeyError> {
        match self.read() {
            Err(KeyError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// Loads the keys, or creates the file. Of several creating processes one wins, and all load its file.
    ///
    /// # Errors
    /// As [`Self::read`], and when the file can't be created.
    pub fn open_or_create(&self) -> Result<Keyring, KeyError> {
        if let Some(keyring) = self.read_existing()? {
            return Ok(keyring);
        }
        let path = self.path()?;
        let failed = |source| KeyError::File {
            path: path.to_owned(),
            source,
        };
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        create_private_folder(folder).map_err(failed)?;
        let draft = folder.join(format!(".{}.draft", uuid::Uuid::now_v7()));
        let text = Keyring::generate()?.known().to_text();
        let made = write_private(&draft, &text)
            // A hard link, unlike a rename, never replaces another process's file.
            .and_then(|()| fs::hard_link(&draft, path))
            .and_then(|()| fs::File::open(folder)?.sync_all());
        fs::remove_file(&draft).map_err(failed)?;
        match made {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(error)),
            _ => self.read(),
        }
    }

    /// Parses a file; known ciphertexts are not decrypted again.
    pub(super) fn contents_of(&self, path: &Path, known: Option<&Contents>) -> Result<Contents, KeyError> {
        let failed = |source| KeyError::File {
            path: path.to_owned(),
            source,
        };
        let size = fs::metadata(path).map_err(failed)?.len();
        check_private(path)?;
        if size > MAX_FILE_BYTES {
            return Err(KeyError::Format {
                path: path.to_owned(),
                line: 1,
                problem: "too large for a key file",
            });
        }
        let text = Zeroizing::new(fs::read_to_string(path).map_err(failed)?);
        self.parse(&text, path, known)
    }

    fn parse(&self, text: &str, path: &Path, known: Option<&Contents>) -> Result<Contents, KeyError> {
        let opener = Opener {
            service: self.service.as_deref(),
            known,
        };
        let path = path.to_owned();
        Contents::parse(text, &opener).map_err(|fault| match fault {
            Fault::Line(line, problem) => KeyError::Format { path, line, problem },
            Fault::Service(line, source) => KeyError::Service { path, line, source },
        })
    }
}
