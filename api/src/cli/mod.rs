//! The `caudal` command.

mod analysts;
mod backup;
mod cells;
mod checkpoint;
mod config;
mod connections;
mod demo;
mod doctor;
#[cfg(test)]
mod documented_commands;
mod export;
mod forget;
mod generate;
mod import;
mod keys;
mod migrate;
mod node;
mod output;
mod progress;
mod quarantine;
mod rebuild;
mod rehearse;
mod screening;
mod serve;
mod tenant;
mod verify;
mod witness;

use crate::{
    backups::BucketCopy,
    files::Bucket,
    settings::{self, Refused, Resolved, Surroundings},
    telemetry::{self, Traces},
    vault::{VaultError, VaultSettings},
};
use caudal_journal::{KeyPlace, KeySource, MASTER_KEY_FILE_VARIABLE};
use caudal_postgres::{
    ACCEPT_VOLATILE_VARIABLE, DataDir, DataDirError, Durability, Given, Options, make_new_files_private,
};
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::IsTerminal as _,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tracing::{Level, Metadata};
use tracing_subscriber::{
    EnvFilter, Registry, filter::Targets, fmt::writer::MakeWriterExt as _, layer::SubscriberExt as _, reload,
    util::SubscriberInitExt as _,
};

/// The back office of a money-transfer business.
#[derive(Debug, Parser)]
#[command(name = "caudal", version = VERSION, propagate_version = true)]
struct Cli {
    /// The configuration file [default: /etc/caudal/caudal.toml, where there is one]
    #[arg(
        long,
        global = true,
        env = settings::FILE_VARIABLE,
        value_name = "FILE",
        verbatim_doc_comment
    )]
    config: Option<PathBuf>,
    /// What is logged, like info, or info,sqlx=debug
    #[arg(long, global = true, env = "RUST_LOG", value_name = "FILTER")]
    log: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the interface until it is told to stop (Ctrl-C, SIGTERM)
    Serve(Box<serve::Serve>),
    /// Check the installation; print remedies
    Doctor(Box<doctor::Doctor>),
    /// Print the settings in force, and where each comes from
    Config(Box<config::Config>),
    /// Bring the database's schema up to date
    Migrate(migrate::Migrate),
    /// Create and list tenants; reset a second factor
    #[command(subcommand)]
    Tenant(tenant::TenantCommand),
    /// Let analysts' database logins read a tenant's views, and list them
    #[command(subcommand)]
    Analysts(analysts::AnalystsCommand),
    /// Back up the private database, or restore a backup as a rehearsal
    Backup(backup::Backup),
    /// Restore the private database to a point in time
    Restore(backup::Restore),
    /// Fill the tenant `default`, if empty, with a month of demonstration business
    Demo(demo::Demo),
    /// Verify a tenant's history, in the database or in an exported file
    Verify(verify::Verify),
    /// Write a tenant's log to a file
    Export(export::Export),
    /// Import a tenant from an exported file
    Import(import::Import),
    /// Preview the import of a spreadsheet without keeping anything, and compare its totals with those of another system
    Rehearse(Box<rehearse::Rehearse>),
    /// Rebuild the read models while the service runs
    Rebuild(rebuild::Rebuild),
    /// Erase a person's data; the ledger stays
    Forget(forget::Forget),
    /// Sign the current end of a log, to store outside of this installation
    Checkpoint(checkpoint::Checkpoint),
    /// Show and end the quarantine of a tenant whose log contradicts what was seen of it
    #[command(subcommand)]
    Quarantine(quarantine::QuarantineCommand),
    /// Co-sign other installations' checkpoints
    Witness(witness::Witness),
    /// Generate a tenant of any size, for benchmarks
    #[command(hide = true)]
    Generate(generate::Generate),
    /// Load lists that customers are screened against, list and remove them
    #[command(subcommand)]
    Screening(screening::ScreeningCommand),
    /// Create, show and rotate the signing keys of checkpoints and the master key
    #[command(subcommand)]
    Keys(keys::KeysCommand),
}

/// Where the data is. Every command takes it, and works beside a running server on the same folder.
#[derive(Args, Clone, Debug)]
struct Place {
    /// The folder with the private database, keys and files
    /// [default: /var/lib/caudal as root, else ~/.local/share/caudal]
    #[arg(long, env = "CAUDAL_DATA_DIR", value_name = "FOLDER", verbatim_doc_comment)]
    data_dir: Option<PathBuf>,
    /// A PostgreSQL 15 or later to use in place of the private one, as a login that owns nothing and is a member of
    /// caudal_node; the owner's URL does too, for trying Caudal
    #[arg(
        long,
        env = "DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    database_url: Option<String>,
    /// The same database as the owner of the schemas, for what changes them: migrate, rebuild, forget. A server does
    /// without it, and then checks that the schema is up to date
    #[arg(
        long,
        env = "CAUDAL_OWNER_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    owner_database_url: Option<String>,
    /// More databases that tenants can be moved to, like b=postgres://…, with semicolons between; the one of --database-url
    /// is the cell home. They need the same key file, and every node the same cells
    #[arg(
        long = "cells",
        env = "CAUDAL_CELLS",
        value_name = "NAME=URL",
        value_delimiter = ';',
        hide_env_values = true,
        verbatim_doc_comment
    )]
    cells: Vec<cells::Cell>,
    /// Settings of PostgreSQL that may lose acknowledged commits and are accepted all the same: fsync, full_page_writes,
    /// synchronous_commit, with commas between. Otherwise such a server is refused
    #[arg(
        long,
        env = ACCEPT_VOLATILE_VARIABLE,
        value_name = "SETTINGS",
        value_delimiter = ',',
        verbatim_doc_comment
    )]
    accept_volatile: Vec<Durability>,
    /// Refuse a PostgreSQL that acknowledges commits without waiting for a standby
    #[arg(long, env = "CAUDAL_REQUIRE_SYNCHRONOUS_STANDBY")]
    require_synchronous_standby: bool,
    /// A folder, best on another disk, into which the private PostgreSQL archives what it writes: `caudal backup` and
    /// `caudal restore` work with it
    #[arg(long, env = "CAUDAL_BACKUP_TO", value_name = "FOLDER", verbatim_doc_comment)]
    backup_to: Option<PathBuf>,
    /// A bucket to which the server copies the folder of --backup-to as it grows, like s3://BUCKET/PREFIX; `caudal restore`
    /// and rehearsals take from it what the folder lacks
    #[arg(long, env = "CAUDAL_BACKUP_COPY_TO", value_name = "BUCKET", verbatim_doc_comment)]
    backup_copy_to: Option<Bucket>,
    /// The S3-compatible bucket of uploaded files, like s3://BUCKET/PREFIX, in place of the data folder; how to reach it
    /// is in AWS_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
    #[arg(long, env = "CAUDAL_FILES", value_name = "BUCKET", verbatim_doc_comment)]
    files: Option<Bucket>,
    /// The key file, made at the first start on an empty database
    /// [default: keys/master.keys in the data folder]
    #[arg(long, env = MASTER_KEY_FILE_VARIABLE, value_name = "FILE", verbatim_doc_comment)]
    master_key_file: Option<PathBuf>,
    #[command(flatten)]
    vault: VaultSettings,
}

impl Place {
    fn data_dir(&self) -> Result<DataDir, DataDirError> {
        DataDir::resolve(self.data_dir.clone())
    }

    /// Source of the keys.
    fn keys(&self, data_dir: &DataDir) -> Result<KeySource, VaultError> {
        self.keys_in(data_dir.path())
    }

    /// Source of the keys for a data folder, which may not exist yet.
    fn keys_in(&self, data_dir: &Path) -> Result<KeySource, VaultError> {
        let mut source = KeySource::of_environment(data_dir, self.vault.service()?);
        if let (KeyPlace::File(path), Some(named)) = (&mut source.place, &self.master_key_file) {
            path.clone_from(named);
        }
        Ok(source)
    }

    /// Connection options of the database.
    fn options(&self) -> Options {
        Options {
            accept_volatile: self.accept_volatile.clone(),
            require_synchronous_standby: self.require_synchronous_standby,
            ..Options::default()
        }
    }

    /// The copy in a bucket of the folder of backups, where there is one.
    fn backup_copy(&self, folder: &Path) -> Result<Option<BucketCopy>, Failure> {
        let bucket = self.backup_copy_to.as_ref().map(Bucket::open).transpose()?;
        Ok(bucket.map(|store| BucketCopy::new(store, folder)))
    }

    /// Database URLs that are set. An empty variable counts as unset.
    fn given(&self) -> Given {
        let named = |url: &Option<String>| url.clone().filter(|url| !url.is_empty());
        Given {
            node: named(&self.database_url),
            owner: named(&self.owner_database_url),
            archive: self.backup_to.clone(),
        }
    }
}

/// Failure of a command, printed on standard error.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Version, with the commit if the build set `CAUDAL_COMMIT`, as `make release` does.
const VERSION: &str = env!("CAUDAL_VERSION");

/// The command's settings in force, with the source of each.
#[derive(Debug)]
struct InForce {
    settings: Vec<settings::InForce>,
    file: Option<PathBuf>,
    /// Invalid settings that the command reports instead of failing.
    broken: Vec<settings::Broken>,
}

impl InForce {
    fn of(resolved: Resolved) -> Self {
        Self {
            settings: resolved.in_force,
            file: resolved.file,
            broken: resolved.broken,
        }
    }

    /// Values of the settings, by key.
    fn values(&self) -> BTreeMap<String, Option<String>> {
        let values = self
            .settings
            .iter()
            .map(|setting| (setting.key.clone(), setting.value.clone()));
        values.collect()
    }
}

/// The clap command with all arguments.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Parses arguments, merged with the environment and the configuration file.
fn read(arguments: &[OsString]) -> Result<(Cli, InForce), Refused> {
    let resolved = settings::resolve(&command(), arguments, &Surroundings::of_process(), |name| {
        name == "doctor"
    })?;
    let cli = Cli::from_arg_matches(&resolved.matches)?;
    Ok((cli, InForce::of(resolved)))
}

/// Runs the command given by the arguments.
pub fn run() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let (cli, in_force) = match read(&arguments) {
        Ok(read) => read,
        Err(Refused::Arguments(error)) => error.exit(),
        Err(error) => {
            complain(&error);
            return ExitCode::FAILURE;
        }
    };
    make_new_files_private();
    let is_server = matches!(cli.command, Command::Serve(_) | Command::Witness(_));
    let (traces, exporter) = match &cli.command {
        Command::Serve(serve) => serve.telemetry(),
        _ => (Traces::default(), None),
    };
    let logging = log(is_server, cli.log.as_deref(), traces);
    let outcome = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(async {
            match cli.command {
                Command::Serve(serve) => {
                    let reload = serve::Reload::new(arguments, &in_force, logging);
                    serve.run(reload, exporter).await
                }
                // The findings determine the exit status.
                Command::Doctor(doctor) => return doctor.run(&in_force).await,
                Command::Config(config) => config.run(&in_force),
                Command::Migrate(migrate) => migrate.run().await,
                Command::Backup(backup) => backup.run().await,
                Command::Restore(restore) => restore.run().await,
                Command::Tenant(tenant) => tenant.run().await,
                Command::Analysts(analysts) => analysts.run().await,
                Command::Demo(demo) => demo.run().await,
                // The findings determine the exit status.
                Command::Verify(verify) => return Ok(verify.run().await),
                Command::Export(export) => export.run().await,
                Command::Import(import) => import.run().await,
                // The comparison determines the exit status.
                Command::Rehearse(rehearse) => return rehearse.run().await,
                Command::Rebuild(rebuild) => rebuild.run().await,
                Command::Forget(forget) => forget.run().await,
                Command::Checkpoint(checkpoint) => checkpoint.run().await,
                Command::Witness(witness) => witness.run().await,
                Command::Generate(generate) => generate.run().await,
                Command::Screening(screening) => screening.run().await,
                Command::Keys(keys) => keys.run().await,
                Command::Quarantine(quarantine) => quarantine.run().await,
            }
            .map(|()| ExitCode::SUCCESS)
        }),
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(status) => status,
        Err(error) => {
            complain(error.as_ref());
            ExitCode::FAILURE
        }
    }
}

#[allow(clippy::print_stdout, reason = "it is the command's own answer")]
fn say(line: &str) {
    println!("{line}");
}

#[allow(clippy::print_stderr, reason = "it is the command's own answer")]
fn complain(error: &(dyn std::error::Error + 'static)) {
    eprintln!("caudal: {}", caudal_journal::WithCauses(error));
}

/// Handle to change the log's filter at run time.
#[derive(Clone)]
struct Logging {
    is_server: bool,
    is_traced: bool,
    filter: reload::Handle<EnvFilter, Registry>,
    shows_statements: Arc<AtomicBool>,
}

impl Logging {
    /// Replaces the log's filter.
    fn change(&self, filter: Option<&str>) {
        // Fails only when the log itself is gone.
        let _ = self.filter.reload(filter_of(self.is_server, filter, self.is_traced));
        let shows = shows_statements(self.is_server, filter);
        self.shows_statements.store(shows, Ordering::Relaxed);
    }
}

/// The configured filter, and what traces are made of; the command's default if none is configured or the filter is
/// invalid.
fn filter_of(is_server: bool, set: Option<&str>, is_traced: bool) -> EnvFilter {
    let filter = EnvFilter::new(written_filter(is_server, set));
    let wanted = telemetry::WANTED.iter().filter(|_| is_traced);
    wanted
        .filter_map(|directive| directive.parse().ok())
        .fold(filter, EnvFilter::add_directive)
}

/// Whether the lines of the log tell of every statement. Traces want these events too, which are then no lines.
fn shows_statements(is_server: bool, set: Option<&str>) -> bool {
    let filter: Result<Targets, _> = written_filter(is_server, set).parse();
    filter.is_ok_and(|filter| filter.would_enable(telemetry::STATEMENTS, &Level::DEBUG))
}

fn written_filter(is_server: bool, set: Option<&str>) -> &str {
    let default = if is_server {
        "info,actix_server=warn,sqlx=warn"
    } else {
        // Commands report progress on standard error; slow statements are expected and not logged.
        "warn,sqlx=error"
    };
    set.filter(|set| !set.is_empty() && EnvFilter::try_new(set).is_ok())
        .unwrap_or(default)
}

/// Sets up the log on standard error: readable on a terminal, JSON elsewhere. `--log` sets the filter. Traces are made by a
/// layer of the log.
fn log(is_server: bool, set: Option<&str>, traces: Traces) -> Logging {
    let is_traced = traces.is_on();
    let (filter, handle) = reload::Layer::new(filter_of(is_server, set, is_traced));
    let shows = Arc::new(AtomicBool::new(shows_statements(is_server, set)));
    let shows_statements = Arc::clone(&shows);
    let is_line = move |event: &Metadata<'_>| {
        let is_statement = event.target() == telemetry::STATEMENTS && *event.level() >= Level::DEBUG;
        !is_statement || shows.load(Ordering::Relaxed)
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr.with_filter(is_line))
        // On a full disk the layer would report its own write error to standard error, and panic.
        .log_internal_errors(false);
    let registry = tracing_subscriber::registry()
        .with(filter)
        .with(connections::Garbage::of(set))
        .with(traces);
    if std::io::stderr().is_terminal() {
        registry.with(lines).init();
    } else {
        registry.with(lines.json().flatten_event(true)).init();
    }
    Logging {
        is_server,
        is_traced,
        filter: handle,
        shows_statements,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_lines_only_where_the_filter_asks_for_them() {
        for (filter, shows) in [
            (None, false),
            (Some("info"), false),
            (Some("info,sqlx=warn"), false),
            (Some("info,sqlx=debug"), true),
            (Some("debug,sqlx::query=trace"), true),
            (Some("debug,sqlx=info"), false),
        ] {
            assert_eq!(shows_statements(true, filter), shows, "{filter:?}");
        }
    }

    /// clap would give the global argument's value to a command's argument of the same name.
    #[test]
    fn no_argument_of_a_command_has_the_name_of_a_global_one() {
        let program = Cli::command();
        let globals: Vec<_> = program.get_arguments().map(clap::Arg::get_id).collect();
        let mut commands: Vec<_> = program.get_subcommands().collect();
        while let Some(command) = commands.pop() {
            for argument in command.get_arguments() {
                assert!(
                    !globals.contains(&argument.get_id()),
                    "{}: {}",
                    command.get_name(),
                    argument.get_id()
                );
            }
            commands.extend(command.get_subcommands());
        }
    }
}
