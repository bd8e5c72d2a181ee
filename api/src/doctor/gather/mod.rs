//! Gathers the facts. Nothing is changed, except that the private PostgreSQL is started where it stands still.

mod database;
mod machine;

use super::{
    BackupFacts, BrokenSetting, BucketFacts, BucketUse, CopyFacts, DatabaseUse, InstallationFacts, KeyFacts, KeyFault,
    MailFacts, MailWay, NetworkFacts, NodeFacts, OwnerFacts, PortState, SettingFacts, StandbyFacts, TelemetryFacts,
    Unreachable,
};
use crate::{
    auth::cookies::PublicUrl,
    backups::{Record, copied_at},
    checkpoints::Destination,
    cluster::NodeAddress,
    files::Bucket,
    mail::{self, Probe},
    telemetry,
};
use caudal_journal::{JournalError, KeyError, KeyPlace, KeySource, WithCauses, inspect_keyring};
use caudal_postgres::{Given, Options};
use chrono::Utc;
use ipnet::IpNet;
use std::{
    error::Error as _,
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    time::Duration,
};

/// Timeout of a probe of the mail server or of a port.
const PATIENCE: Duration = Duration::from_secs(10);
const PORT_PATIENCE: Duration = Duration::from_secs(2);

/// Where the private database lies in the data folder.
const PRIVATE_DATABASE: &str = "postgres";

/// The settings that a server would start with. They hold passwords, and are not shown.
pub struct Settings {
    /// The data folder.
    pub data_dir: PathBuf,
    /// The database's URLs.
    pub given: Given,
    /// How the database is used.
    pub options: Options,
    /// The standby's URL.
    pub standby: Option<String>,
    /// The keys, or why their settings are not whole.
    pub keys: Result<KeySource, String>,
    /// The bucket of uploaded files.
    pub files: Option<Bucket>,
    /// The bucket of the backups' copy.
    pub backup_copy: Option<Bucket>,
    /// `--listen`.
    pub listen: SocketAddr,
    /// `--operations-listen`.
    pub operations_listen: Option<SocketAddr>,
    /// `--public-url`.
    pub public_url: Option<PublicUrl>,
    /// `--trusted-proxies`.
    pub trusted_proxies: Vec<IpNet>,
    /// `--node-address`.
    pub node_address: Option<NodeAddress>,
    /// Where checkpoints go.
    pub checkpoints: Vec<Destination>,
    /// Whether witnesses co-sign them.
    pub has_witnesses: bool,
    /// Mail.
    pub mail: mail::Settings,
    /// The collector of traces and metrics.
    pub collector: Option<telemetry::Probe>,
    /// Whether headers for a collector are set.
    pub has_collector_headers: bool,
    /// Settings that could not be read, and are as if they had not been set.
    pub broken: Vec<BrokenSetting>,
    /// The configuration file, if it holds secrets.
    pub secret_file: Option<PathBuf>,
}

/// Looks at everything.
pub async fn gather(settings: &Settings) -> InstallationFacts {
    let private = settings.given.node.is_none() && settings.given.owner.is_none();
    let backup = backup(settings, private);
    let (database, mut server) = if private {
        database::private(settings).await
    } else {
        (database::given(settings).await, None)
    };
    let owner = match settings.given.owner.as_deref() {
        Some(url) => Some(database::owner(url, &database).await),
        None => None,
    };
    let standby = match settings.standby.as_deref() {
        Some(url) => Some(database::standby(url).await),
        None => None,
    };
    let keys = keys(settings, &database, server.as_ref(), backup.folder.as_deref()).await;
    if let Some(server) = server.take() {
        // It ends by itself with this process where it does not end in good order.
        let _ = server.shutdown().await;
    }
    let mut folders = vec![machine::data_folder(settings)];
    if settings.files.is_none() {
        folders.push(machine::private_folder(
            &settings.data_dir.join("files"),
            "folder of uploaded files",
        ));
    }
    for (name, holds) in [("outbox", "outbox"), ("evidence", "folder of evidence")] {
        folders.push(machine::private_folder(&settings.data_dir.join(name), holds));
    }
    let disks = [Some(settings.data_dir.clone()), backup.folder.clone()];
    let disks = disks
        .into_iter()
        .flatten()
        .filter_map(|path| machine::disk(&path))
        .collect();
    InstallationFacts {
        settings: of_settings(settings),
        process: machine::process(),
        folders,
        disks,
        database,
        owner,
        standby,
        keys,
        network: network(settings),
        mail: mail(settings).await,
        backup,
        buckets: buckets(settings).await,
        telemetry: telemetry(settings).await,
        now: Utc::now(),
    }
}

fn of_settings(settings: &Settings) -> SettingFacts {
    let folders = settings.checkpoints.iter().filter_map(|destination| match destination {
        Destination::Folder(folder) => Some(folder),
        _ => None,
    });
    let mut facts = SettingFacts {
        broken: settings.broken.clone(),
        exposed_file: settings.secret_file.as_deref().and_then(machine::exposed),
        accepted_volatile: settings.options.accept_volatile.clone(),
        has_checkpoints_elsewhere: settings.has_witnesses || !settings.checkpoints.is_empty(),
        ..SettingFacts::default()
    };
    for folder in folders {
        if folder.starts_with(&settings.data_dir) {
            facts.checkpoint_folders_inside.push(folder.clone());
        }
        // A folder that is missing is made at the first checkpoint, where its parent can be written.
        let existing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
        if let Some(why) = machine::unwritable(existing) {
            facts.unwritable_checkpoint_folders.push((folder.clone(), why));
        }
    }
    facts
}

async fn keys(
    settings: &Settings,
    database: &DatabaseUse,
    server: Option<&caudal_postgres::Storage>,
    backups: Option<&Path>,
) -> KeyFacts {
    let source = match &settings.keys {
        Ok(source) => source,
        Err(why) => {
            return KeyFacts {
                fault: Some(KeyFault::Service(why.clone())),
                ..KeyFacts::default()
            };
        }
    };
    let (path, are_in_environment) = match &source.place {
        KeyPlace::File(path) => (path.clone(), false),
        KeyPlace::Environment(_) => (PathBuf::from("the environment"), true),
    };
    let url = server.map_or(settings.given.node.as_deref(), |server| Some(server.node_url()));
    let is_readable = database.facts().is_some_and(|facts| facts.log.is_some());
    let fault = match url.filter(|_| is_readable) {
        Some(url) => match inspect_keyring(url, source).await {
            Ok(()) => None,
            Err(JournalError::Keys(error)) => Some(key_fault(&error)),
            Err(error) => Some(KeyFault::Service(WithCauses(&error).to_string())),
        },
        // Without a database the file alone.
        None => match source.read() {
            Ok(_) => None,
            Err(KeyError::File { source, .. }) if source.kind() == ErrorKind::NotFound => None,
            Err(error) => Some(key_fault(&error)),
        },
    };
    KeyFacts {
        is_beside_backups: backups.is_some_and(|folder| path.starts_with(folder)),
        path,
        are_in_environment,
        fault,
    }
}

fn key_fault(error: &KeyError) -> KeyFault {
    match error {
        KeyError::Missing(_) => KeyFault::Missing,
        KeyError::Permissions { path, mode, wanted } => KeyFault::Permissions(path.clone(), *mode, wanted),
        KeyError::File { source, .. } => KeyFault::Unreadable(source.to_string()),
        KeyError::OtherDatabase => KeyFault::OtherDatabase,
        KeyError::OtherMaster(id) => KeyFault::OtherMaster(id.clone()),
        KeyError::MissingMaster(id) => KeyFault::MissingMaster(id.clone()),
        KeyError::NoProof => KeyFault::NoProof,
        KeyError::Service { .. } | KeyError::NoService => KeyFault::Service(WithCauses(error).to_string()),
        other => KeyFault::Format(other.to_string()),
    }
}

fn network(settings: &Settings) -> NetworkFacts {
    let operations = settings.operations_listen;
    NetworkFacts {
        listen: settings.listen,
        listen_state: port(settings.listen),
        operations_listen: operations,
        operations_state: operations.map_or(PortState::Free, port),
        public_url_is_https: settings.public_url.as_ref().map(PublicUrl::is_https),
        trusted_proxies: settings.trusted_proxies.clone(),
        node: settings.node_address.as_ref().map(|address| NodeFacts {
            text: address.to_string(),
            ip: address.ip(),
            is_localhost: address.is_localhost(),
            is_https: address.is_https(),
            port: address.port(),
        }),
    }
}

/// Whether an address can be listened on, or Caudal does already.
fn port(address: SocketAddr) -> PortState {
    match TcpListener::bind(address) {
        Ok(_) => PortState::Free,
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            if is_caudal(address) {
                PortState::Caudal
            } else {
                PortState::Taken
            }
        }
        Err(error) => PortState::Refused(error.to_string()),
    }
}

/// Whether the listener on an address answers `/healthz` as Caudal does.
fn is_caudal(mut address: SocketAddr) -> bool {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&address, PORT_PATIENCE)?;
        stream.set_read_timeout(Some(PORT_PATIENCE))?;
        stream
            .write_all(format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())?;
        let mut answer = String::new();
        stream.take(4_096).read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200") && answer.ends_with("\r\n\r\nok\n"))
}

async fn mail(settings: &Settings) -> MailFacts {
    let mail = &settings.mail;
    let way = match mail.smtp_url.as_deref() {
        None => {
            let kept = std::fs::read_dir(settings.data_dir.join("outbox")).map_or(0, Iterator::count);
            MailWay::Outbox(kept)
        }
        Some(url) => match Probe::new(url) {
            Err(error) => MailWay::Unreadable(error.to_string()),
            Ok(probe) => {
                let fault = match tokio::time::timeout(PATIENCE, probe.ask()).await {
                    Ok(answer) => answer.err(),
                    Err(_) => Some(silent()),
                };
                MailWay::Server {
                    fault,
                    is_plain: probe.is_plain(),
                }
            }
        },
    };
    MailFacts {
        way,
        from_is_address: mail.from.as_deref().is_none_or(mail::is_sender),
        from: mail.from.clone(),
    }
}

/// Asks every bucket that is set.
async fn buckets(settings: &Settings) -> Vec<BucketFacts> {
    let checkpoints = settings.checkpoints.iter().filter_map(|destination| match destination {
        Destination::Bucket(bucket) => Some(bucket),
        _ => None,
    });
    let files = settings
        .files
        .iter()
        .map(|bucket| ("--files", BucketUse::Files, bucket));
    let copies = settings
        .backup_copy
        .iter()
        .map(|bucket| ("--backup-copy-to", BucketUse::Backups, bucket));
    let checkpoints = checkpoints.map(|bucket| ("--checkpoint-to", BucketUse::Checkpoints, bucket));
    let mut facts = Vec::new();
    for (setting, holds, bucket) in files.chain(copies).chain(checkpoints) {
        let fault = match tokio::time::timeout(PATIENCE, bucket.ask()).await {
            Ok(answer) => answer.err().map(|error| with_root(&error)),
            Err(_) => Some(silent()),
        };
        facts.push(BucketFacts {
            setting,
            holds,
            place: bucket.to_string(),
            fault,
        });
    }
    facts
}

async fn telemetry(settings: &Settings) -> TelemetryFacts {
    let fault = match &settings.collector {
        Some(collector) => collector.ask().await,
        None => None,
    };
    TelemetryFacts {
        collector: settings.collector.as_ref().map(ToString::to_string),
        has_headers: settings.has_collector_headers,
        fault,
    }
}

/// An error that tells its causes itself, with the last of them, which it may leave out.
fn with_root(error: &object_store::Error) -> String {
    let said = error.to_string();
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    match causes.last().map(ToString::to_string) {
        Some(root) if !said.contains(&root) => format!("{said}: {root}"),
        _ => said,
    }
}

fn silent() -> String {
    format!("no answer within {} seconds", PATIENCE.as_secs())
}

fn backup(settings: &Settings, is_private: bool) -> BackupFacts {
    let data_dir = &settings.data_dir;
    let record = Record::read(data_dir);
    let is_on_the_same_disk = record
        .folder
        .as_deref()
        .is_some_and(|folder| machine::device(folder).is_some_and(|device| machine::device(data_dir) == Some(device)));
    BackupFacts {
        is_gone: record.folder.as_deref().is_some_and(|folder| !folder.is_dir()),
        backed_up_at: record.backed_up_at,
        rehearsed_at: record.rehearsed_at,
        folder: record.folder,
        is_on_the_same_disk,
        copy: settings.backup_copy.as_ref().map(|_| CopyFacts {
            has_source: is_private && settings.given.archive.is_some(),
            copied_at: copied_at(data_dir),
        }),
    }
}
