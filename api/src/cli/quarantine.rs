//! `caudal quarantine`: shows and ends quarantines.

use super::{
    Failure, Place,
    node::{Node, Nodes},
    say,
};
use crate::checkpoints::{Checkpoints, Destination};
use caudal_domain::ids::TenantId;
use caudal_journal::{DivergenceKind, Ended, Quarantine, RECENT_BATCHES, StoredReport};
use caudal_projections::{Projector, rebuild::Rebuild};
use chrono::SecondsFormat;
use clap::{Args, Subcommand};

/// Maximum number of answers printed by `show`; the data folder has all of them.
const MAX_ANSWERS: usize = 200;

/// What to do with quarantines.
#[derive(Debug, Subcommand)]
pub enum QuarantineCommand {
    /// List the tenants in quarantine, one a line
    List(List),
    /// Show both histories: what nodes had seen, what the database has, and what is lost
    Show(Show),
    /// End a quarantine: the log as it stands becomes the business's history
    ///
    /// Restore the right database first where there is one: a log that contains all that was seen is accepted without a loss.
    End(End),
}

/// Lists quarantines.
#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    place: Place,
}

/// Shows a quarantine.
#[derive(Args, Debug)]
pub struct Show {
    /// The tenant
    tenant: TenantId,
    #[command(flatten)]
    place: Place,
}

/// Ends a quarantine.
#[derive(Args, Debug)]
pub struct End {
    /// The tenant
    tenant: TenantId,
    /// Accept that the positions named by `show` are lost; not needed where nothing is
    #[arg(long)]
    accept_loss: bool,
    /// Accept events that no node had seen, in a log whose head has no valid MAC: somebody may have added them to the database
    #[arg(long)]
    accept_unsigned: bool,
    /// Why, for the auditor; it must not name people
    #[arg(long)]
    reason: String,
    /// Where signed checkpoints are sent, as `caudal serve --checkpoint-to` names it: those of a history that is given up
    /// stay, and are held against no log any more
    #[arg(
        long,
        env = "CAUDAL_CHECKPOINT_TO",
        value_name = "DESTINATION",
        value_delimiter = ',',
        verbatim_doc_comment
    )]
    checkpoints_at: Vec<Destination>,
    #[command(flatten)]
    place: Place,
}

impl QuarantineCommand {
    pub async fn run(self) -> Result<(), Failure> {
        let place = match &self {
            Self::List(List { place }) | Self::Show(Show { place, .. }) | Self::End(End { place, .. }) => place,
        };
        let tenant = match &self {
            Self::List(_) => return list_all(place).await,
            Self::Show(Show { tenant, .. }) | Self::End(End { tenant, .. }) => tenant,
        };
        let node = Node::open_for(place, tenant, "caudal quarantine").await?;
        let outcome = match &self {
            Self::List(_) => list(&node).await,
            Self::Show(show) => show.run(&node).await,
            Self::End(end) => end.run(&node).await,
        };
        node.close().await?;
        outcome
    }
}

/// Lists the quarantines of all cells.
async fn list_all(place: &Place) -> Result<(), Failure> {
    let nodes = Nodes::open(place, "caudal quarantine").await?;
    let mut outcome = Ok(());
    for node in nodes.nodes.values() {
        outcome = outcome.and(list(node).await);
    }
    nodes.close().await?;
    outcome
}

async fn list(node: &Node) -> Result<(), Failure> {
    node.journal.look_once().await?;
    for report in node.journal.quarantines() {
        say(&format!(
            "{} since {}: {}",
            report.tenant,
            time(report.since),
            report.divergence
        ));
    }
    Ok(())
}

fn time(at: chrono::DateTime<chrono::Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

impl Show {
    async fn run(&self, node: &Node) -> Result<(), Failure> {
        node.journal.look_once().await?;
        let reports = node.journal.quarantine_reports(&self.tenant).await?;
        if reports.is_empty() {
            say(&format!("{} is not in quarantine, and never was", self.tenant));
        }
        for StoredReport { report, decision } in &reports {
            if let Some(decision) = decision {
                say(&format!(
                    "report {} of {}: ended at {}, accepted at {}: {}",
                    report.id,
                    time(report.since),
                    time(decision.at),
                    decision.accepted,
                    decision.reason
                ));
            } else {
                tell(report);
            }
        }
        if let Some(losses) = node.journal.quarantine_losses(&self.tenant).await? {
            tell_losses(&losses, &reports);
        }
        Ok(())
    }
}

/// Prints one node's report.
fn tell(report: &Quarantine) {
    say(&format!(
        "report {} of node {}, noticed at {}",
        report.id,
        report.node,
        time(report.since)
    ));
    say(&format!("  what: {}", report.divergence.kind.as_str()));
    say(&format!("  seen: {}", report.divergence.known));
    match report.divergence.found {
        Some(found) => say(&format!("  found: {found}")),
        None => say("  found: nothing"),
    }
    if let Some(last) = report.seen.last() {
        say(&format!("  last seen at: {}", time(last.at)));
    }
    let numbers = report.numbers;
    say(&format!(
        "  numbers given out: R-{:06}, M-{:06}, C-{:06}",
        numbers.remittances, numbers.movements, numbers.closures
    ));
}

/// Prints the lost positions, and the answers that were sent for them.
fn tell_losses(losses: &Ended, reports: &[StoredReport]) {
    say(&format!("the log ends at {}", losses.end));
    if losses.is_unsigned {
        say("its head has no valid MAC: no node of this installation wrote it");
        if let Some(from) = losses.unseen_from {
            say(&format!(
                "positions {from} to {} were seen by no node: compare them with a backup or with signed checkpoints",
                losses.end.position
            ));
        }
    }
    let (Some(from), Some(to)) = (losses.lost_from, losses.lost_to) else {
        say("everything that was seen is in the log: nothing is lost");
        return;
    };
    say(&format!("lost: positions {from} to {to}"));
    if let Some(common) = losses.common {
        say(&format!("both histories agree up to {common}"));
    }
    if losses.common.is_none() {
        say(&format!(
            "nodes keep their last {RECENT_BATCHES} batches, and none of these is in the log: earlier answers can't be named"
        ));
    }
    let in_force = reports.iter().filter(|stored| stored.decision.is_none());
    let answers = losses.lost_answers(in_force.map(|stored| &stored.report));
    say(&format!("answers that had left for lost positions: {}", answers.len()));
    for (at, answer) in answers.iter().take(MAX_ANSWERS) {
        say(&format!(
            "  {} position {} {} {} actor {} request {}",
            time(*at),
            answer.position,
            answer.number.as_deref().unwrap_or("-"),
            answer.id,
            answer.actor,
            answer.request
        ));
    }
}

impl End {
    async fn run(&self, node: &Node) -> Result<(), Failure> {
        node.journal.look_once().await?;
        let assessed = node.journal.assess_quarantine(&self.tenant).await?;
        if let (Some(from), Some(to), false) = (assessed.lost_from, assessed.lost_to, self.accept_loss) {
            return Err(format!(
                "positions {from} to {to} that nodes had seen are not in this log. Look at them with `caudal quarantine show \
                 {}`; restore the database that has them, or accept the loss with --accept-loss",
                self.tenant
            )
            .into());
        }
        if let (Some(from), false) = (assessed.unsigned_from(), self.accept_unsigned) {
            return Err(format!(
                "positions {from} to {} were seen by no node, and the head has no valid MAC: somebody may have added them to the \
                 database. Compare them with a backup (`caudal quarantine show {}`); restore the database without them, or \
                 accept them with --accept-unsigned",
                assessed.end.position, self.tenant
            )
            .into());
        }
        let checkpoints = Checkpoints::new(
            node.journal.clone(),
            node.database.clone(),
            node.clock.clone(),
            node.data_dir.path(),
        )
        .sending_to(self.checkpoints_at.clone());
        let is_contradicted = self.contradicts_signed(node).await? || checkpoints.is_contradicted(&self.tenant).await?;
        if is_contradicted && !self.accept_loss {
            return Err(format!(
                "a signed checkpoint contradicts this log. Restore the database that has what was signed, or give that up \
                 with --accept-loss ({})",
                self.tenant
            )
            .into());
        }
        if Projector::contradicts_log(&node.database, &self.tenant).await? {
            say("the read models contain what the log does not have: they are rebuilt");
            let run = Rebuild::begin(node.owner_url().await?, &node.database, &node.journal).await?;
            run.run(|_| {}).await?;
        }
        // Order matters if the command is killed. The event is written first, so that a checkpoint is never signed
        // for a log without a decision. The reports are released last: a released node compares the log with the
        // signed checkpoints.
        let recorded = node.journal.record_decision(&self.tenant, &self.reason).await?;
        if let Some(accepted) = checkpoints.accept(&self.tenant).await? {
            say(&format!(
                "the log up to position {} is signed as the accepted one",
                accepted.position
            ));
        }
        node.journal.release_quarantine(&self.tenant, &recorded).await?;
        let ended = recorded.ended;
        match (ended.lost_from, ended.lost_to) {
            (Some(from), Some(to)) => say(&format!(
                "positions {from} to {to} are given up; it is recorded in the log"
            )),
            _ => say("nothing was lost; the decision is recorded in the log"),
        }
        say(&format!(
            "the quarantine of {} has ended; nodes take it over within a second",
            self.tenant
        ));
        Ok(())
    }

    /// Whether a signed checkpoint caused a quarantine that is in force.
    async fn contradicts_signed(&self, node: &Node) -> Result<bool, Failure> {
        let reports = node.journal.quarantine_reports(&self.tenant).await?;
        let in_force = reports.iter().filter(|stored| stored.decision.is_none());
        let mut kinds = in_force.map(|stored| stored.report.divergence.kind);
        Ok(kinds.any(|kind| kind == DivergenceKind::Checkpoint))
    }
}
