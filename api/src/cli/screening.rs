//! `caudal screening`: loads, lists and removes lists that customers are screened against.

use super::{Failure, Place, node::Node, say};
use crate::screening::{
    Chosen, named,
    store::{About, EVERYBODY, Packer, Store},
};
use caudal_domain::{customer::screening::is_list_name, ids::TenantId};
use caudal_screening::{Format, Limits, read};
use chrono::SecondsFormat;
use clap::{Args, Subcommand};
use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

/// What to do with lists.
#[derive(Debug, Subcommand)]
pub enum ScreeningCommand {
    /// Load a list from a file, or replace its version
    ///
    /// Running nodes use it within seconds, and screen everybody again where a manager has chosen the list. The same file
    /// again changes nothing.
    Load(Load),
    /// List the lists, one a line
    List(List),
    /// Remove a list
    ///
    /// Tenants that have chosen it are named: they sell nothing until it is loaded again, or a manager no longer chooses it.
    Remove(Remove),
}

/// Loads a list.
#[derive(Args, Debug)]
pub struct Load {
    /// Its name, by which managers choose it: lower-case letters, digits and inner hyphens, like ofac-sdn
    #[arg(long, value_name = "NAME", value_parser = list_name)]
    list: String,
    /// ofac-sdn, ofac-csv, eu, un or csv [default: the list's name where it is one of these, else by the file's ending]
    #[arg(long, verbatim_doc_comment)]
    format: Option<Format>,
    /// OFAC's ALT.CSV, with the aliases of its SDN.CSV
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
    /// Only this tenant may screen against it: a list of its own
    #[arg(long, value_name = "TENANT")]
    tenant: Option<TenantId>,
    /// The file
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

/// Lists the lists.
#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    place: Place,
}

/// Removes a list.
#[derive(Args, Debug)]
pub struct Remove {
    /// Its name
    #[arg(long, value_name = "NAME", value_parser = list_name)]
    list: String,
    /// The tenant whose own list it is
    #[arg(long, value_name = "TENANT")]
    tenant: Option<TenantId>,
    #[command(flatten)]
    place: Place,
}

fn list_name(text: &str) -> Result<String, String> {
    if is_list_name(text) {
        Ok(text.to_owned())
    } else {
        Err("lower-case letters, digits and inner hyphens, at most 40".to_owned())
    }
}

impl ScreeningCommand {
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Load(load) => load.run().await,
            Self::List(list) => list.run().await,
            Self::Remove(remove) => remove.run().await,
        }
    }
}

fn scope(tenant: Option<&TenantId>) -> String {
    tenant.map_or(EVERYBODY, TenantId::as_str).to_owned()
}

/// The format that is asked for, or that name and file say.
fn format(asked: Option<Format>, list: &str, file: &Path) -> Result<Format, Failure> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_csv = ending.eq_ignore_ascii_case("csv");
    match (asked, list.parse()) {
        (Some(format), _) => Ok(format),
        (None, Ok(Format::OfacSdn)) if is_csv => Ok(Format::OfacCsv),
        (None, Ok(format)) => Ok(format),
        (None, Err(_)) if is_csv => Ok(Format::Csv),
        (None, Err(_)) => Err("say the --format: ofac-sdn, ofac-csv, eu, un or csv".into()),
    }
}

impl Load {
    async fn run(self) -> Result<(), Failure> {
        let format = format(self.format, &self.list, &self.file)?;
        if self.aliases.is_some() && format != Format::OfacCsv {
            return Err("--aliases is for the format ofac-csv".into());
        }
        let mut packer = Packer::default();
        let mut take = |entry| packer.take(entry);
        // The whole file is read before the database is touched: one that is refused changes nothing.
        let input = open(&self.file)?;
        let limits = Limits::default();
        let summary = match &self.aliases {
            Some(aliases) => read::read_ofac_csv(input, open(aliases)?, limits, &mut take),
            None => read::read(format, input, limits, &mut take),
        };
        let summary = summary.map_err(|error| format!("{}: {error}", self.file.display()))?;
        let packed = packer.finish()?;
        for warning in &summary.warnings {
            say(&format!("left out: {warning}"));
        }
        if summary.warned > summary.warnings.len() {
            say(&format!("left out: {} more", summary.warned - summary.warnings.len()));
        }
        let node = Node::open(&self.place, "caudal screening").await?;
        let outcome = async {
            if let Some(tenant) = &self.tenant
                && !node.journal.tenants().await?.contains(tenant)
            {
                return Err(Failure::from(format!("there is no tenant {tenant}")));
            }
            let about = About {
                scope: scope(self.tenant.as_ref()),
                name: self.list.clone(),
                format: format.name(),
                published: summary.published.clone(),
                now: node.clock.now(),
            };
            let store = Store::new(node.database.clone(), &node.keyring);
            Ok(store.put(about, packed).await?)
        }
        .await;
        node.close().await?;
        let said = if outcome? { "is loaded" } else { "was loaded already" };
        say(&format!(
            "{} {said}: {} entries, {} names",
            self.list, summary.entries, summary.names
        ));
        Ok(())
    }
}

fn open(path: &Path) -> Result<BufReader<File>, Failure> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(BufReader::new(file))
}

impl List {
    async fn run(self) -> Result<(), Failure> {
        let node = Node::open(&self.place, "caudal screening").await?;
        let lists = Store::new(node.database.clone(), &node.keyring).catalogue().await;
        node.close().await?;
        for list in lists? {
            let scope = if list.scope == EVERYBODY {
                "all tenants"
            } else {
                &list.scope
            };
            say(&format!(
                "{}\t{scope}\t{}\tversion {}\t{} entries\t{} names\tpublished {}\tloaded {}",
                list.name,
                list.format,
                list.version(),
                list.entries,
                list.names,
                list.published.as_deref().unwrap_or("-"),
                list.loaded_at.to_rfc3339_opts(SecondsFormat::Secs, true)
            ));
        }
        Ok(())
    }
}

impl Remove {
    async fn run(self) -> Result<(), Failure> {
        let node = Node::open(&self.place, "caudal screening").await?;
        let store = Store::new(node.database.clone(), &node.keyring);
        let removed = store.remove(&scope(self.tenant.as_ref()), &self.list).await;
        let missed_by = self.missed_by(&node, &store).await;
        node.close().await?;
        if !removed? {
            return Err(format!("there is no list {}", self.list).into());
        }
        say(&format!("{} is removed", self.list));
        let missed_by = missed_by?;
        if !missed_by.is_empty() {
            say(&format!(
                "chosen by {}: nothing is sold there until it is loaded again, or no longer chosen",
                missed_by.join(", ")
            ));
        }
        Ok(())
    }

    /// Tenants that have chosen the list and find none of its name any more.
    async fn missed_by(&self, node: &Node, store: &Store) -> Result<Vec<String>, Failure> {
        let catalogue = store.catalogue().await?;
        let mut found = Vec::new();
        for tenant in node.journal.tenants().await? {
            if node.journal.quarantined(&tenant).is_some() {
                continue;
            }
            let (state, _) = node.journal.state(&tenant).await?;
            let chosen = Chosen::of(&state);
            if chosen.rule.lists.contains_key(&self.list) && named(&catalogue, &tenant, &chosen, &self.list).is_none() {
                found.push(tenant.to_string());
            }
        }
        Ok(found)
    }
}
