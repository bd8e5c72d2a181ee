//! The cluster's folder: layout, creation, and the contents of `postmaster.pid`.
//!
//! ```text
//! DATA_DIR/postgres/          owned by the server's user; for root possibly a link to a folder which that user can
//! reach
//!     lock                    held by the process that runs the server
//!     server.log
//!     17/                     the data, one folder per major version
//!     socket/                 the Unix socket
//! ```

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::signal::kill;
use nix::unistd::{Pid, geteuid};
use uuid::Uuid;

use super::account::Account;
use super::binaries::Binaries;
use super::death_signal::end_with_this_thread;
use super::error::{EmbeddedError, at};
use super::files::copy_folder;
use crate::data_dir::{DataDir, PRIVATE, state_folder};

/// Role that owns the schemas, and name of its database.
pub(super) const OWNER: &str = "caudal_owner";
pub(super) const DATABASE: &str = "caudal";

/// The socket's name contains a port number; no TCP port is opened.
const PORT: u16 = 5432;

/// Maximum length of the socket's folder: socket paths are limited to 104 bytes on macOS (108 on Linux) including the
/// final zero; `/.s.PGSQL.5432` takes 14.
const MAX_SOCKET_FOLDER: usize = 104 - 1 - 14;

/// Size at which the log is rotated at the next start.
const MAX_LOG_BYTES: u64 = 16 * 1024 * 1024;

/// Bytes of the log shown when the server does not start.
const LOG_TAIL_BYTES: u64 = 2_000;

/// The socket's folder is accessible to the server's user alone, which is the authentication.
const HBA: &str =
    "# Only who can enter the socket's folder gets this far: the server's user, and root.\nlocal all all trust\n";

/// The owner may create roles (for the migrations) and databases (for rebuilds and tests), but is no superuser:
/// row-level security would not apply to one. `--` statements end with the line in single-user mode.
fn first_statements() -> String {
    format!("CREATE ROLE {OWNER} LOGIN CREATEROLE CREATEDB;\nCREATE DATABASE {DATABASE} OWNER {OWNER};\n")
}

/// LC_CTYPE classifies letters for trigrams; collation and case mapping come from ICU.
const CHARACTER_LOCALE: &str = if cfg!(target_os = "macos") {
    "en_US.UTF-8"
} else {
    "C.UTF-8"
};
const ICU_LOCALE: &str = "es-ES";

#[derive(Debug, Clone)]
pub(super) struct Cluster {
    root: PathBuf,
    socket: PathBuf,
    pub(super) account: Account,
    /// Additional server settings, `name=value`.
    pub(super) settings: Vec<String>,
}

/// Contents of `postmaster.pid`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Postmaster {
    pub(super) pid: Pid,
    pub(super) ready: bool,
}

impl Cluster {
    /// Prepares the cluster's folder in a data folder, creating it when missing.
    pub(super) fn prepare(data_dir: &DataDir) -> Result<Self, EmbeddedError> {
        let account = Account::choose()?;
        let place = data_dir.path().join("postgres");
        if fs::symlink_metadata(&place).is_err() {
            make_place(data_dir, &place, &account)?;
        }
        let root = place.canonicalize().map_err(at(&place))?;
        let socket = socket_folder(&root);
        Ok(Self {
            root,
            socket,
            account,
            settings: Vec::new(),
        })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn log(&self) -> PathBuf {
        self.root.join("server.log")
    }

    pub(super) fn data(&self, major: u32) -> PathBuf {
        self.root.join(major.to_string())
    }

    pub(super) fn url(&self, user: &str, database: &str) -> String {
        let folder: String = self
            .socket
            .as_os_str()
            .as_bytes()
            .iter()
            .map(|&byte| {
                let plain = byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
                if plain {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            })
            .collect();
        format!("postgres://{user}@localhost/{database}?host={folder}&port={PORT}")
    }

    /// The lock file; its holder runs the server.
    pub(super) fn lock_file(&self) -> Result<File, EmbeddedError> {
        let path = self.root.join("lock");
        File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(at(&path))
    }

    /// Major version of the existing data; the newest if there are several.
    pub(super) fn major(&self) -> Result<Option<u32>, EmbeddedError> {
        let mut newest = None;
        for entry in fs::read_dir(&self.root).map_err(at(&self.root))? {
            let folder = entry.map_err(at(&self.root))?.path();
            let named = folder
                .file_name()
                .and_then(|name| name.to_str())
                .and_then(|name| name.parse::<u32>().ok());
            let Some(named) = named else { continue };
            let file = folder.join("PG_VERSION");
            let written = fs::read_to_string(&file).map_err(at(&file))?;
            if written.trim() != named.to_string() {
                let problem = io::Error::new(io::ErrorKind::InvalidData, "the folder's name is not its version");
                return Err(at(&file)(problem));
            }
            newest = newest.max(Some(named));
        }
        Ok(newest)
    }

    /// The running server, if any.
    pub(super) fn postmaster(&self) -> Option<Postmaster> {
        let data = self.data(self.major().ok().flatten()?);
        let text = fs::read_to_string(data.join("postmaster.pid")).ok()?;
        let mut lines = text.lines();
        let pid = Pid::from_raw(lines.next()?.trim().parse().ok().filter(|pid| *pid > 0)?);
        // PostgreSQL documents no other sign of readiness without a connection: line 8 is the status.
        let ready = lines.nth(6).is_some_and(|status| status.trim() == "ready");
        let alive = !matches!(kill(pid, None), Err(nix::errno::Errno::ESRCH));
        alive.then_some(Postmaster { pid, ready })
    }

    /// Creates the data folder with owner role and database, atomically: complete or absent.
    pub(super) fn initialise(&self, binaries: &Binaries) -> Result<(), EmbeddedError> {
        let staging = self.staging()?;
        let mut initdb = self.command(&binaries.program("initdb"));
        initdb
            .arg("--pgdata")
            .arg(&staging)
            .args([
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale-provider=icu",
            ])
            .arg(format!("--icu-locale={ICU_LOCALE}"))
            .arg(format!("--locale={CHARACTER_LOCALE}"))
            .arg("--lc-messages=C");
        self.finish(initdb, &staging, "")?;

        let mut single = self.command(&binaries.program("postgres"));
        single
            .arg("--single")
            .arg("-D")
            .arg(&staging)
            .args(["-c", "exit_on_error=on", "template1"]);
        self.finish(single, &staging, &first_statements())?;

        let hba = staging.join("pg_hba.conf");
        fs::write(&hba, HBA).map_err(at(&hba))?;
        self.install(&staging, binaries.major)
    }

    /// Installs a copy of a stopped cluster of the same major version instead of running initdb.
    pub(super) fn seed(&self, from: &Path, major: u32) -> Result<(), EmbeddedError> {
        let staging = self.staging()?;
        copy_folder(from, &staging, &|_| true, &|path| self.account.own(path)).map_err(at(from))?;
        self.install(&staging, major)
    }

    /// The server's command line.
    pub(super) fn server(&self, binaries: &Binaries) -> Result<Command, EmbeddedError> {
        self.make_socket_folder()?;
        let log = self.open_log()?;
        let mut server = self.command(&binaries.program("postgres"));
        server.arg("-D").arg(self.data(binaries.major));
        let socket = self.socket.display();
        for setting in [
            "listen_addresses=".to_owned(),
            // Quoted, because the value is a list and the path may contain a comma.
            format!("unix_socket_directories=\"{socket}\""),
            format!("port={PORT}"),
            "max_connections=200".to_owned(),
            // A new database grows fast, and plans made for empty tables are slow.
            "autovacuum_naptime=10s".to_owned(),
            "shared_buffers=256MB".to_owned(),
            "timezone=UTC".to_owned(),
            "log_timezone=UTC".to_owned(),
            // Statements and error details may contain personal data, which must not reach a log.
            "log_min_messages=warning".to_owned(),
            "log_min_error_statement=panic".to_owned(),
            "log_error_verbosity=terse".to_owned(),
            "log_parameter_max_length_on_error=0".to_owned(),
            // Full durability, whatever a configuration file says.
            "fsync=on".to_owned(),
            "synchronous_commit=on".to_owned(),
            "full_page_writes=on".to_owned(),
        ] {
            server.arg("-c").arg(setting);
        }
        for setting in &self.settings {
            server.arg("-c").arg(setting);
        }
        server.stdout(log.try_clone().map_err(at(&self.log()))?).stderr(log);
        Ok(server)
    }

    /// Removes the socket's folder in /tmp after the server has stopped.
    pub(super) fn remove_socket_folder(&self) {
        if !self.socket.starts_with(&self.root)
            && let Err(problem) = fs::remove_dir(&self.socket)
        {
            tracing::warn!(folder = %self.socket.display(), %problem, "the socket's folder stays behind");
        }
    }

    /// Length of the server's log in bytes.
    pub(super) fn log_length(&self) -> u64 {
        fs::metadata(self.log()).map_or(0, |metadata| metadata.len())
    }

    /// Log written since it was `start` bytes long, truncated to its end.
    pub(super) fn log_since(&self, start: u64) -> String {
        let read = || -> io::Result<String> {
            let mut file = File::open(self.log())?;
            let length = file.metadata()?.len();
            // A shorter log was rotated.
            let start = if length < start { 0 } else { start };
            file.seek(SeekFrom::Start(start.max(length.saturating_sub(LOG_TAIL_BYTES))))?;
            let mut said = Vec::new();
            file.read_to_end(&mut said)?;
            Ok(String::from_utf8_lossy(&said).into_owned())
        };
        read().unwrap_or_else(|problem| format!("(it cannot be read: {problem})"))
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("LC_ALL", CHARACTER_LOCALE)
            .current_dir(&self.root)
            .stdin(Stdio::null());
        self.account.run(&mut command);
        end_with_this_thread(&mut command);
        command
    }

    fn finish(&self, mut command: Command, folder: &Path, input: &str) -> Result<(), EmbeddedError> {
        let program = PathBuf::from(command.get_program());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| self.account.explain(&program, source))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that exits without reading reports the reason in its output.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().map_err(at(&program))?;
        if output.status.success() {
            return Ok(());
        }
        Err(EmbeddedError::Initialise {
            path: folder.to_owned(),
            output: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }

    /// Puts the data that are here aside, under a name that is no version's. Returns where they are.
    pub(super) fn put_aside(&self) -> Result<Option<PathBuf>, EmbeddedError> {
        let Some(major) = self.major()? else { return Ok(None) };
        let (data, aside) = (
            self.data(major),
            self.root.join(format!("{major}.before-{}", Uuid::now_v7())),
        );
        fs::rename(&data, &aside).map_err(at(&data))?;
        Ok(Some(aside))
    }

    /// Where new data are made; what an interrupted attempt left there is removed.
    pub(super) fn staging(&self) -> Result<PathBuf, EmbeddedError> {
        let staging = self.root.join("new");
        match fs::remove_dir_all(&staging) {
            Err(problem) if problem.kind() != io::ErrorKind::NotFound => Err(at(&staging)(problem)),
            _ => Ok(staging),
        }
    }

    pub(super) fn install(&self, staging: &Path, major: u32) -> Result<(), EmbeddedError> {
        let data = self.data(major);
        fs::rename(staging, &data).map_err(at(&data))?;
        // Sync the rename before anything is acknowledged.
        File::open(&self.root)
            .and_then(|root| root.sync_all())
            .map_err(at(&self.root))
    }

    fn open_log(&self) -> Result<File, EmbeddedError> {
        let path = self.log();
        if fs::metadata(&path).is_ok_and(|metadata| metadata.len() > MAX_LOG_BYTES) {
            fs::rename(&path, path.with_extension("log.old")).map_err(at(&path))?;
        }
        File::options().create(true).append(true).open(&path).map_err(at(&path))
    }

    fn make_socket_folder(&self) -> Result<(), EmbeddedError> {
        let folder = &self.socket;
        match fs::DirBuilder::new().mode(PRIVATE).create(folder) {
            Ok(()) => self.account.own(folder).map_err(at(folder)),
            Err(problem) if problem.kind() == io::ErrorKind::AlreadyExists => {
                let user = match &self.account {
                    Account::Own => geteuid().as_raw(),
                    Account::Other { uid, .. } => *uid,
                };
                let metadata = fs::symlink_metadata(folder).map_err(at(folder))?;
                let ours = metadata.is_dir() && metadata.uid() == user && metadata.mode() & 0o077 == 0;
                if ours {
                    Ok(())
                } else {
                    Err(at(folder)(io::ErrorKind::PermissionDenied.into()))
                }
            }
            Err(problem) => Err(at(folder)(problem)),
        }
    }
}

/// Parent of temporary clusters: the system's temporary folder if the server's user can reach it.
pub(super) fn temporary_parent() -> Result<PathBuf, EmbeddedError> {
    let folder = std::env::temp_dir();
    let folder = folder.canonicalize().map_err(at(&folder))?;
    if Account::choose()?.reaches(&folder).map_err(at(&folder))? {
        return Ok(folder);
    }
    Ok(state_folder("clusters")?.path().to_owned())
}

/// Creates the cluster's folder. When root's data folder is closed to the server's user, the folder is in the state
/// folder with a link to it.
fn make_place(data_dir: &DataDir, place: &Path, account: &Account) -> Result<(), EmbeddedError> {
    let folder = if account.reaches(data_dir.path()).map_err(at(data_dir.path()))? {
        place.to_owned()
    } else {
        let clusters = state_folder("clusters")?;
        let folder = clusters.path().join(Uuid::now_v7().to_string());
        symlink(&folder, place).map_err(at(place))?;
        tracing::warn!(data = %folder.display(), "PostgreSQL's user cannot reach the data folder; its data lie elsewhere");
        folder
    };
    fs::create_dir(&folder).map_err(at(&folder))?;
    fs::set_permissions(&folder, fs::Permissions::from_mode(PRIVATE)).map_err(at(&folder))?;
    account.own(&folder).map_err(at(&folder))
}

/// Beside the data, or in /tmp when that path is too long for a socket.
fn socket_folder(root: &Path) -> PathBuf {
    let beside = root.join("socket");
    if beside.as_os_str().len() <= MAX_SOCKET_FOLDER {
        return beside;
    }
    let name = Uuid::new_v5(&Uuid::NAMESPACE_OID, root.as_os_str().as_bytes());
    Path::new("/tmp").join(format!("caudal-{}", name.simple()))
}
