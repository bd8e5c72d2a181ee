//! The `caudal` command.

mod checkpoint;
mod connections;
mod demo;
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
mod serve;
mod tenant;
mod verify;
mod witness;

use crate::{
    files::Bucket,
    vault::{VaultError, VaultSettings},
};
use caudal_journal::KeySource;
use caudal_postgres::{
    ACCEPT_VOLATILE_VARIABLE, DataDir, DataDirError, Durability, Given, Options, make_new_files_private,
};
use clap::{Args, Parser, Subcommand};
use std::{io::IsTerminal as _, path::PathBuf, process::ExitCode};
use tracing_subscriber::{EnvFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// The back office of a money-transfer business.
#[derive(Debug, Parser)]
#[command(name = "caudal", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the interface until it is told to stop (Ctrl-C, SIGTERM)
    Serve(Box<serve::Serve>),
    /// Bring the database's schema up to date
    Migrate(migrate::Migrate),
    /// Make and list tenants
    #[command(subcommand)]
    Tenant(tenant::TenantCommand),
    /// Fill the tenant `default` with a month of demonstration business, where it is empty
    Demo(demo::Demo),
    /// Verify a tenant's history, in the database or in an exported file
    Verify(verify::Verify),
    /// Write a tenant's log to a file
    Export(export::Export),
    /// Take a tenant over from an exported file
    Import(import::Import),
    /// Build the read models anew while the service runs
    Rebuild(rebuild::Rebuild),
    /// Erase a person's data, while the books stay
    Forget(forget::Forget),
    /// Sign the end of a log, to be kept elsewhere
    Checkpoint(checkpoint::Checkpoint),
    /// Show and end the quarantine of a tenant whose log contradicts what was seen of it
    #[command(subcommand)]
    Quarantine(quarantine::QuarantineCommand),
    /// Co-sign other installations' checkpoints
    Witness(witness::Witness),
    /// Make a tenant of any size, for measuring
    #[command(hide = true)]
    Generate(generate::Generate),
    /// Make, show and rotate the keys that checkpoints are signed with, and the master key
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
    /// The S3-compatible bucket of uploaded files, like s3://BUCKET/PREFIX, in place of the data folder; how to reach it
    /// is in AWS_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
    #[arg(long, env = "CAUDAL_FILES", value_name = "BUCKET", verbatim_doc_comment)]
    files: Option<Bucket>,
    #[command(flatten)]
    vault: VaultSettings,
}

impl Place {
    fn data_dir(&self) -> Result<DataDir, DataDirError> {
        DataDir::resolve(self.data_dir.clone())
    }

    /// Where the keys come from.
    fn keys(&self, data_dir: &DataDir) -> Result<KeySource, VaultError> {
        Ok(KeySource::of_environment(data_dir.path(), self.vault.service()?))
    }

    /// How the database is used.
    fn options(&self) -> Options {
        Options {
            accept_volatile: self.accept_volatile.clone(),
            require_synchronous_standby: self.require_synchronous_standby,
            ..Options::default()
        }
    }

    /// The URLs that were named; a variable that is set to nothing names none.
    fn given(&self) -> Given {
        let named = |url: &Option<String>| url.clone().filter(|url| !url.is_empty());
        Given {
            node: named(&self.database_url),
            owner: named(&self.owner_database_url),
        }
    }
}

/// Why a command failed; told to whoever ran it.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    make_new_files_private();
    log(matches!(cli.command, Command::Serve(_) | Command::Witness(_)));
    let outcome = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(async {
            match cli.command {
                Command::Serve(serve) => serve.run().await,
                Command::Migrate(migrate) => migrate.run().await,
                Command::Tenant(tenant) => tenant.run().await,
                Command::Demo(demo) => demo.run().await,
                // What it finds is its exit status.
                Command::Verify(verify) => return Ok(verify.run().await),
                Command::Export(export) => export.run().await,
                Command::Import(import) => import.run().await,
                Command::Rebuild(rebuild) => rebuild.run().await,
                Command::Forget(forget) => forget.run().await,
                Command::Checkpoint(checkpoint) => checkpoint.run().await,
                Command::Witness(witness) => witness.run().await,
                Command::Generate(generate) => generate.run().await,
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

/// Logs to standard error: readable on a terminal, JSON elsewhere; RUST_LOG chooses what.
fn log(is_server: bool) {
    let default = if is_server {
        "info,actix_server=warn,sqlx=warn"
    } else {
        // Whoever waits for a long command is told how far it is; a statement that takes its time is no news.
        "warn,sqlx=error"
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        // It would tell standard error that standard error can't be written (a full disk), and panic over it.
        .log_internal_errors(false);
    let registry = tracing_subscriber::registry()
        .with(filter)
        .with(connections::Garbage::of_environment());
    if std::io::stderr().is_terminal() {
        registry.with(lines).init();
    } else {
        registry.with(lines.json().flatten_event(true)).init();
    }
}
