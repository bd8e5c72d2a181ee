//! The settings of a server, as arguments.

use crate::{
    auth::{address::network, cookies::PublicUrl},
    checkpoints::{Destination, WitnessUrl, parse_interval},
    cli::{Failure, Place, command},
    cluster::NodeAddress,
    continuous::DEFAULT_RATE,
    doctor::{BrokenSetting, gather},
    files::Quotas,
    mail,
    rates::WriteRate,
    settings::holds_secrets,
    telemetry::{self, Exporter, Traces},
};
use caudal_journal::WithCauses;
use caudal_postgres::DataDir;
use clap::Args;
use ipnet::IpNet;
use std::{net::SocketAddr, path::PathBuf, time::Duration};

/// Serves the API and the interface.
#[derive(Args, Debug)]
pub struct Serve {
    /// The address to listen on; port 0 takes a free one
    #[arg(
        long,
        env = "CAUDAL_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS:PORT"
    )]
    pub(super) listen: SocketAddr,
    /// A standby of the database, or a balancer in front of several, from which lists, reports and exports are read
    /// where it is as far as the primary
    #[arg(
        long,
        env = "CAUDAL_STANDBY_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    pub(super) standby_database_url: Option<String>,
    /// The address at which the other nodes over the same database reach this one, like http://10.0.0.2:8080 (port 0 stands
    /// for the port listened on): behind a balancer that knows no tenants, nodes forward commands to each other by it
    #[arg(long, env = "CAUDAL_NODE_ADDRESS", value_name = "URL", verbatim_doc_comment)]
    pub(super) node_address: Option<NodeAddress>,
    /// Another address on which /metrics, the API's pages (/api/docs, /api/openapi.json) and the health checks are served;
    /// the address of --listen then has neither metrics nor those pages
    #[arg(
        long,
        env = "CAUDAL_OPERATIONS_LISTEN",
        value_name = "ADDRESS:PORT",
        verbatim_doc_comment
    )]
    pub(super) operations_listen: Option<SocketAddr>,
    /// The address at which browsers reach this server, like https://caudal.example.org: with https its cookies are for
    /// TLS alone, and people log in with passkeys. Unless it is given, a trusted proxy's X-Forwarded-Proto says so
    #[arg(long, env = "CAUDAL_PUBLIC_URL", value_name = "URL", verbatim_doc_comment)]
    pub(super) public_url: Option<PublicUrl>,
    /// Fill the tenant `default` with the demonstration where it is empty, and say how to log in
    #[arg(long)]
    pub(super) demo: bool,
    /// The built interface, in place of the one that the program carries
    #[arg(long, env = "CAUDAL_ASSETS", value_name = "FOLDER")]
    pub(super) assets: Option<PathBuf>,
    /// Where signed checkpoints of every log are sent: a folder, s3://BUCKET/PREFIX or mailto:ADDRESS, or several of them
    /// with commas between
    #[arg(
        long,
        env = "CAUDAL_CHECKPOINT_TO",
        value_name = "DESTINATION",
        value_delimiter = ',',
        verbatim_doc_comment
    )]
    pub(super) checkpoint_to: Vec<Destination>,
    /// How often they are sent, where a log has grown: like 30s, 15m, 6h or 1d
    #[arg(long, env = "CAUDAL_CHECKPOINT_EVERY", value_name = "INTERVAL", default_value = "1h", value_parser = parse_interval)]
    pub(super) checkpoint_every: Duration,
    /// The witnesses that co-sign every checkpoint, like https://witness.example.org, with commas between
    #[arg(long, env = "CAUDAL_WITNESS", value_name = "URL", value_delimiter = ',')]
    pub(super) witness: Vec<WitnessUrl>,
    /// How many events a second are verified beside all else, over all tenants; 0 for none
    #[arg(long, env = "CAUDAL_VERIFY_RATE", value_name = "EVENTS", default_value_t = DEFAULT_RATE)]
    pub(super) verify_rate: u32,
    /// The proxies in front of this server, as addresses or networks like 10.0.0.0/8, with commas between: what they
    /// write into X-Forwarded-For is who is counted as calling, and X-Forwarded-Proto by which protocol
    #[arg(
        long,
        env = "CAUDAL_TRUSTED_PROXIES",
        value_name = "NETWORKS",
        value_delimiter = ',',
        value_parser = network,
        verbatim_doc_comment
    )]
    pub(super) trusted_proxies: Vec<IpNet>,
    /// Networks to which webhooks are sent although they are not public, as addresses or networks like 10.0.0.0/8, with
    /// commas between; there http:// is permitted too. Without them webhooks go to public addresses alone, by https://
    #[arg(
        long,
        env = "CAUDAL_WEBHOOK_NETWORKS",
        value_name = "NETWORKS",
        value_delimiter = ',',
        value_parser = network,
        verbatim_doc_comment
    )]
    pub(super) webhook_networks: Vec<IpNet>,
    #[command(flatten)]
    pub(super) bounds: Bounds,
    #[command(flatten)]
    pub(super) mail: Mail,
    #[command(flatten)]
    telemetry: telemetry::Settings,
    #[command(flatten)]
    pub(super) place: Place,
}

/// What callers may use; 0 stands for no limit.
#[derive(Args, Debug)]
pub(super) struct Bounds {
    /// Writes a second of one caller on this server, ten seconds' worth of them at once; 0 for no limit
    #[arg(
        long,
        env = "CAUDAL_WRITE_RATE",
        value_name = "NUMBER",
        default_value_t = WriteRate::default()
    )]
    pub(super) write_rate: WriteRate,
    /// Files that one caller may upload a day; 0 for no limit
    #[arg(
        long,
        env = "CAUDAL_UPLOAD_FILES",
        value_name = "NUMBER",
        default_value_t = Quotas::default().files_a_day
    )]
    upload_files: u32,
    /// Megabytes that one caller may upload a day; 0 for no limit
    #[arg(
        long,
        env = "CAUDAL_UPLOAD_MEGABYTES",
        value_name = "NUMBER",
        default_value_t = in_megabytes(Quotas::default().bytes_a_day)
    )]
    upload_megabytes: u32,
    /// Megabytes that the files of one tenant may take; 0 for no limit
    #[arg(
        long,
        env = "CAUDAL_TENANT_MEGABYTES",
        value_name = "NUMBER",
        default_value_t = in_megabytes(Quotas::default().tenant_bytes)
    )]
    tenant_megabytes: u32,
}

const MEGABYTE: u64 = 1 << 20;

fn in_megabytes(bytes: u64) -> u32 {
    u32::try_from(bytes / MEGABYTE).unwrap_or(u32::MAX)
}

impl Bounds {
    pub(super) fn quotas(&self) -> Quotas {
        Quotas {
            files_a_day: self.upload_files,
            bytes_a_day: u64::from(self.upload_megabytes) * MEGABYTE,
            tenant_bytes: u64::from(self.tenant_megabytes) * MEGABYTE,
        }
    }
}

/// Where mails go.
#[derive(Args, Debug)]
pub struct Mail {
    /// The mail server, like smtps://user:password@mail.example.org; without one mails are kept in the data folder's
    /// outbox
    #[arg(
        long,
        env = "CAUDAL_SMTP_URL",
        value_name = "URL",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    smtp_url: Option<String>,
    /// Whom mails are from, like "Caudal <no-reply@example.org>"
    #[arg(long, env = "CAUDAL_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<String>,
}

impl Mail {
    /// Refuses a mail server without a sender address.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let settings = self.settings();
        if settings.smtp_url.is_some() && settings.from.is_none() {
            return Err("--smtp-url (CAUDAL_SMTP_URL) is set, and --mail-from (CAUDAL_MAIL_FROM) is not".into());
        }
        Ok(())
    }

    /// The mail settings. An empty variable counts as unset.
    pub fn settings(&self) -> mail::Settings {
        let said = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        mail::Settings {
            smtp_url: said(&self.smtp_url),
            from: said(&self.mail_from),
        }
    }
}

impl Serve {
    /// What makes traces, and what sends them.
    pub fn telemetry(&self) -> (Traces, Option<Exporter>) {
        self.telemetry.begin()
    }

    /// Whether the home's database is the private one.
    pub(super) fn has_private_database(&self) -> bool {
        let given = self.place.given();
        given.node.is_none() && given.owner.is_none()
    }

    /// The input of `caudal doctor`.
    pub fn examined(&self, broken: Vec<BrokenSetting>, file: Option<PathBuf>) -> Result<gather::Settings, Failure> {
        let data_dir = DataDir::path_of(self.place.data_dir.clone())?;
        let data_dir = data_dir.canonicalize().unwrap_or(data_dir);
        Ok(gather::Settings {
            keys: self
                .place
                .keys_in(&data_dir)
                .map_err(|error| WithCauses(&error).to_string()),
            data_dir,
            given: self.place.given(),
            options: self.place.options(),
            standby: self.standby_database_url.clone().filter(|url| !url.is_empty()),
            files: self.place.files.clone(),
            backup_copy: self.place.backup_copy_to.clone(),
            listen: self.listen,
            operations_listen: self.operations_listen,
            public_url: self.public_url.clone(),
            trusted_proxies: self.trusted_proxies.clone(),
            node_address: self.node_address.clone(),
            checkpoints: self.checkpoint_to.clone(),
            has_witnesses: !self.witness.is_empty(),
            mail: self.mail.settings(),
            collector: self.telemetry.collector(),
            has_collector_headers: self.telemetry.has_headers(),
            broken,
            secret_file: file.filter(|file| holds_secrets(file, &command())),
        })
    }
}
