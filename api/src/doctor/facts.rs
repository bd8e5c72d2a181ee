//! What the checks look at.

use crate::telemetry::CollectorFault;
use caudal_postgres::Durability;
use chrono::{DateTime, TimeDelta, Utc};
use ipnet::IpNet;
use std::{net::SocketAddr, path::PathBuf};

/// Everything that is looked at. What could not be gathered is `None`, and the check of the cause says why.
#[derive(Clone, Debug)]
pub struct InstallationFacts {
    /// The configuration file and the settings.
    pub settings: SettingFacts,
    /// The process.
    pub process: ProcessFacts,
    /// The data folder and what lies in it.
    pub folders: Vec<FolderFacts>,
    /// The disks of the data folder and of the backups.
    pub disks: Vec<DiskFacts>,
    /// The database.
    pub database: DatabaseUse,
    /// The database as its owner reaches it; none where no owner's URL is set.
    pub owner: Option<Result<OwnerFacts, Unreachable>>,
    /// The standby for reading; none where none is set.
    pub standby: Option<Result<StandbyFacts, Unreachable>>,
    /// The keys.
    pub keys: KeyFacts,
    /// Addresses and proxies.
    pub network: NetworkFacts,
    /// Mail.
    pub mail: MailFacts,
    /// Backups.
    pub backup: BackupFacts,
    /// The buckets that are set.
    pub buckets: Vec<BucketFacts>,
    /// Where traces and metrics are sent.
    pub telemetry: TelemetryFacts,
    /// When all this was gathered.
    pub now: DateTime<Utc>,
}

/// A setting that can't be used.
#[derive(Clone, Debug)]
pub struct BrokenSetting {
    /// The name, and where it is set: `CAUDAL_PUBLIC_URL`.
    pub source: String,
    /// What is wrong with it; never its value where it is a secret.
    pub problem: String,
    /// What to do.
    pub remedy: String,
}

/// What the settings themselves say.
#[derive(Clone, Debug, Default)]
pub struct SettingFacts {
    /// Settings that can't be read, or that nobody knows.
    pub broken: Vec<BrokenSetting>,
    /// A configuration file with secrets that others than its owner and group can read, and its mode.
    pub exposed_file: Option<(PathBuf, u32)>,
    /// Settings that may lose acknowledged commits, and were accepted by name.
    pub accepted_volatile: Vec<Durability>,
    /// Whether signed checkpoints are sent or co-signed anywhere.
    pub has_checkpoints_elsewhere: bool,
    /// Folders for checkpoints that lie in the data folder.
    pub checkpoint_folders_inside: Vec<PathBuf>,
    /// Folders for checkpoints that can't be written, and why.
    pub unwritable_checkpoint_folders: Vec<(PathBuf, String)>,
}

/// The process that runs the doctor, as the same user that runs the server.
#[derive(Clone, Copy, Debug)]
pub struct ProcessFacts {
    /// Whether the user is root.
    pub is_root: bool,
    /// Files that it may have open at once; none where the system does not tell.
    pub open_files: Option<u64>,
    /// Whether the program was built without optimisation.
    pub is_debug_build: bool,
}

/// A folder.
#[derive(Clone, Debug)]
pub struct FolderFacts {
    /// The path.
    pub path: PathBuf,
    /// What lies there: `data folder`, `files`.
    pub holds: &'static str,
    /// Whether it must be there before a start.
    pub must_exist: bool,
    /// The mode; none where it is missing.
    pub mode: Option<u32>,
    /// What group and others may be allowed (bits of a mode).
    pub allowed: u32,
    /// Why nothing can be written there; none where it can.
    pub unwritable: Option<String>,
    /// The owner's name, where it is another user than the process's.
    pub owned_by_other: Option<String>,
    /// Whether it lies in memory and is gone after a restart.
    pub is_in_memory: bool,
}

/// A disk.
#[derive(Clone, Debug)]
pub struct DiskFacts {
    /// A folder on it.
    pub path: PathBuf,
    /// Bytes in all.
    pub bytes: u64,
    /// Bytes that the user can still write.
    pub free_bytes: u64,
    /// Inodes in all; 0 where the file system has no fixed number.
    pub inodes: u64,
    /// Inodes that are free.
    pub free_inodes: u64,
}

/// Why a database was not reached.
#[derive(Clone, Debug)]
pub struct Unreachable {
    /// The setting that names it.
    pub setting: &'static str,
    /// SQLSTATE, where a server answered.
    pub sqlstate: Option<String>,
    /// The operating system's error, where none did.
    pub io: Option<std::io::ErrorKind>,
    /// Whether the URL itself can't be read.
    pub is_url: bool,
    /// What was said.
    pub said: String,
}

/// The database, as far as it was reached.
#[derive(Clone, Debug)]
pub enum DatabaseUse {
    /// A server of one's own, or the private one, that answers.
    Answers(Box<DatabaseFacts>),
    /// It does not.
    Unreachable(Unreachable),
    /// The private database was not made yet: the first start makes it.
    NotMade,
    /// The private database can't be started.
    NotStarted(String),
}

impl DatabaseUse {
    /// The facts of a database that answers.
    #[must_use]
    pub fn facts(&self) -> Option<&DatabaseFacts> {
        match self {
            Self::Answers(facts) => Some(facts),
            _ => None,
        }
    }
}

/// A database that answers.
#[derive(Clone, Debug)]
pub struct DatabaseFacts {
    /// Whether it is the private one.
    pub is_private: bool,
    /// The user.
    pub user: String,
    /// The database's name.
    pub name: String,
    /// `server_version_num`.
    pub version_number: i32,
    /// `server_version`.
    pub version: String,
    /// Whether it is a standby, or still recovering.
    pub is_in_recovery: bool,
    /// `default_transaction_read_only`.
    pub is_read_only: bool,
    /// `fsync`.
    pub fsync: bool,
    /// `full_page_writes`.
    pub full_page_writes: bool,
    /// `synchronous_commit` of the server.
    pub synchronous_commit: String,
    /// `synchronous_standby_names`.
    pub synchronous_standby_names: String,
    /// Whether the settings ask for a synchronous standby.
    pub requires_standby: bool,
    /// `data_checksums`.
    pub data_checksums: bool,
    /// `autovacuum`.
    pub autovacuum: bool,
    /// `server_encoding`.
    pub encoding: String,
    /// `max_connections`, without those kept for superusers.
    pub connections: i64,
    /// Connections in use, of all databases.
    pub connections_used: i64,
    /// Connections that one node of Caudal opens at most.
    pub connections_of_a_node: i64,
    /// The settings that write people's data into PostgreSQL's own log, with their values.
    pub telling_log_settings: Vec<(String, String)>,
    /// Whether the connection goes to another machine without TLS.
    pub is_plain_to_another_machine: bool,
    /// Whether the user can rewrite the log.
    pub can_rewrite_history: bool,
    /// Whether the user is a superuser.
    pub is_superuser: bool,
    /// Whether the role of nodes exists.
    pub has_node_role: bool,
    /// Whether the user may take the role of nodes.
    pub is_node_member: bool,
    /// The schema.
    pub schema: SchemaState,
    /// How far the database's clock is ahead of this machine's.
    pub clock_ahead: TimeDelta,
    /// What the log says; none where the schema can't be read.
    pub log: Option<LogFacts>,
    /// The server's own archive of its write-ahead log.
    pub archive: ArchiveFacts,
    /// Which history: system identifier.
    pub system_identifier: i64,
}

/// The schema against this program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// The same.
    Current,
    /// There is none.
    Missing,
    /// Migrations are pending, or one failed half-way.
    Behind(String),
    /// A newer program was here.
    Newer(String),
    /// It could not be read.
    Unknown(String),
}

/// What stands in the log's tables.
#[derive(Clone, Debug, Default)]
pub struct LogFacts {
    /// Tenants.
    pub tenants: i64,
    /// Whether the adoption of rows or of heads has not begun, which is needed once where there are tenants.
    pub is_unadopted: bool,
    /// Tenants in quarantine.
    pub quarantined: Vec<String>,
    /// Tenants whose read models are behind, and by how many events.
    pub behind: Vec<(String, i64)>,
    /// Version of read models that are not of this program's.
    pub other_version: Option<i32>,
    /// Nodes that hold a writer's lease at this moment, by their addresses.
    pub node_addresses: Vec<String>,
    /// Tenants with lists that they compare customers with and whose entries are not stored.
    pub missing_lists: Vec<(String, Vec<String>)>,
    /// Names of the keys that signed the last checkpoint of each tenant.
    pub signed_with: Vec<String>,
}

/// `archive_mode` and what came of it.
#[derive(Clone, Debug, Default)]
pub struct ArchiveFacts {
    /// Whether it is on.
    pub is_on: bool,
    /// The last segment that was archived.
    pub archived_at: Option<DateTime<Utc>>,
    /// The last failure.
    pub failed_at: Option<DateTime<Utc>>,
}

/// The database as its owner reaches it.
#[derive(Clone, Debug)]
pub struct OwnerFacts {
    /// The user.
    pub user: String,
    /// Whether the user owns the schema, or may make one.
    pub owns: bool,
    /// Whether the user is a superuser.
    pub is_superuser: bool,
    /// Whether it is the same database as the nodes'; none where that one was not reached.
    pub is_same_database: Option<bool>,
}

/// The standby for reading.
#[derive(Clone, Debug)]
pub struct StandbyFacts {
    /// Whether it follows another server.
    pub is_in_recovery: bool,
    /// Which history.
    pub system_identifier: i64,
    /// `hot_standby_feedback`.
    pub hot_standby_feedback: bool,
    /// How far behind it is, in seconds.
    pub delay_seconds: f64,
}

/// What is wrong with the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyFault {
    /// There is no file, and the database was written with one.
    Missing,
    /// The file or its folder lets others in: path, mode, wanted mode.
    Permissions(PathBuf, u32, &'static str),
    /// This user can't read the file.
    Unreadable(String),
    /// The file is no key file.
    Format(String),
    /// The file is another database's.
    OtherDatabase,
    /// A master key is another one than the database knows.
    OtherMaster(String),
    /// A master key is missing that still wraps people's keys.
    MissingMaster(String),
    /// The database lost what the file is recognised by.
    NoProof,
    /// The key management service does not open the keys, or its settings are not whole.
    Service(String),
}

/// The keys.
#[derive(Clone, Debug, Default)]
pub struct KeyFacts {
    /// Where the file is, or would be.
    pub path: PathBuf,
    /// Whether the keys come from the environment.
    pub are_in_environment: bool,
    /// What is wrong.
    pub fault: Option<KeyFault>,
    /// Whether the file lies in the folder of the backups.
    pub is_beside_backups: bool,
    /// Where the file of the keys that sign checkpoints is, or would be.
    pub signing_path: PathBuf,
    /// What is wrong with that file. It is made at the first signature.
    pub signing_fault: Option<KeyFault>,
}

/// Whether an address can be listened on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortState {
    /// It is free.
    Free,
    /// Caudal listens there already.
    Caudal,
    /// Another program does.
    Taken,
    /// It is none of this machine's addresses, or not allowed.
    Refused(String),
}

/// Addresses and proxies.
#[derive(Clone, Debug)]
pub struct NetworkFacts {
    /// `--listen`.
    pub listen: SocketAddr,
    /// What is at `--listen`.
    pub listen_state: PortState,
    /// `--operations-listen`.
    pub operations_listen: Option<SocketAddr>,
    /// What is at `--operations-listen`.
    pub operations_state: PortState,
    /// `--public-url`: whether it is https.
    pub public_url_is_https: Option<bool>,
    /// `--trusted-proxies`.
    pub trusted_proxies: Vec<IpNet>,
    /// `--node-address`.
    pub node: Option<NodeFacts>,
}

/// `--node-address`, taken apart.
#[derive(Clone, Debug)]
pub struct NodeFacts {
    /// As it was set.
    pub text: String,
    /// The address, where the host is one.
    pub ip: Option<std::net::IpAddr>,
    /// Whether the host is a name of this machine alone: `localhost`.
    pub is_localhost: bool,
    /// Whether it is https.
    pub is_https: bool,
    /// The port.
    pub port: u16,
}

/// Where mails go.
#[derive(Clone, Debug)]
pub struct MailFacts {
    /// The way.
    pub way: MailWay,
    /// The sender's address; none where none is set.
    pub from: Option<String>,
    /// Whether the sender's address can be read.
    pub from_is_address: bool,
}

/// How mails leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailWay {
    /// Into the data folder's outbox, which has this many.
    Outbox(usize),
    /// The URL names no mail server.
    Unreadable(String),
    /// A server that was asked, with its answer, and whether passwords go there without TLS.
    Server {
        /// Why it does not take mails; none where it does.
        fault: Option<String>,
        /// Whether it is elsewhere and TLS is not required.
        is_plain: bool,
    },
}

/// What is known of backups.
#[derive(Clone, Debug, Default)]
pub struct BackupFacts {
    /// When the last one was made.
    pub backed_up_at: Option<DateTime<Utc>>,
    /// When one was last restored for a try.
    pub rehearsed_at: Option<DateTime<Utc>>,
    /// The folder of the last one.
    pub folder: Option<PathBuf>,
    /// Whether that folder is on the disk of the data.
    pub is_on_the_same_disk: bool,
    /// Whether that folder is gone.
    pub is_gone: bool,
    /// The copy in a bucket; none where none is set.
    pub copy: Option<CopyFacts>,
}

/// The copy of the backups in a bucket.
#[derive(Clone, Debug)]
pub struct CopyFacts {
    /// Whether there is a folder of backups of a private database, which is what is copied.
    pub has_source: bool,
    /// When the bucket last had everything.
    pub copied_at: Option<DateTime<Utc>>,
}

/// A bucket.
#[derive(Clone, Debug)]
pub struct BucketFacts {
    /// The setting that names it.
    pub setting: &'static str,
    /// What it holds.
    pub holds: BucketUse,
    /// The bucket, as it was set.
    pub place: String,
    /// Why its names can't be listed; none where they can.
    pub fault: Option<String>,
}

/// What a bucket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BucketUse {
    /// The copy of the backups.
    Backups,
    /// Uploaded files.
    Files,
    /// Signed checkpoints.
    Checkpoints,
}

impl BucketUse {
    /// The words of the report.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Backups => "the copy of the backups",
            Self::Files => "uploaded files",
            Self::Checkpoints => "signed checkpoints",
        }
    }
}

/// Where traces and metrics are sent.
#[derive(Clone, Debug, Default)]
pub struct TelemetryFacts {
    /// The collector; none where none is set.
    pub collector: Option<String>,
    /// Whether headers for a collector are set.
    pub has_headers: bool,
    /// Why it takes nothing; none where it does.
    pub fault: Option<CollectorFault>,
}
