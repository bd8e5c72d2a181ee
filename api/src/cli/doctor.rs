//! `caudal doctor`.

use super::{Failure, InForce, say, serve::Serve};
use crate::doctor::{BrokenSetting, Examined, Finding, Outcome, Severity, examine, gather};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;

/// Looks for what operators get wrong, and says the remedy of each mistake.
///
/// Takes the settings of `caudal serve`, from the same places, and changes nothing. Run it as the user that runs the server:
/// it ends with 1 where something is wrong, with 0 where there are warnings at most.
#[derive(Args, Debug)]
pub struct Doctor {
    /// Write one JSON object in place of lines
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    serve: Serve,
}

impl Doctor {
    pub async fn run(self, in_force: &InForce) -> Result<ExitCode, Failure> {
        let broken = in_force.broken.iter().map(|broken| BrokenSetting {
            source: broken.source.clone(),
            problem: broken.problem.clone(),
            remedy: broken.remedy.clone(),
        });
        let settings = self.serve.examined(broken.collect(), in_force.file.clone())?;
        let facts = gather::gather(&settings).await;
        let examined = examine(&facts);
        if self.json {
            say(&as_json(&examined).to_string());
        } else {
            examined.iter().flat_map(lines).for_each(|line| say(&line));
            say(&summary(&examined));
        }
        Ok(if count(&examined, Severity::Wrong) > 0 {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}

fn findings(examined: &Examined) -> &[Finding] {
    match &examined.outcome {
        Outcome::Examined(findings) => findings,
        Outcome::Skipped(_) => &[],
    }
}

fn count(examined: &[Examined], severity: Severity) -> usize {
    let all = examined.iter().flat_map(findings);
    all.filter(|finding| finding.severity == severity).count()
}

/// The lines of one check: its title if nothing was found, else one line per finding.
fn lines(examined: &Examined) -> Vec<String> {
    match &examined.outcome {
        Outcome::Skipped(why) => vec![format!("skipped  {}: {why}", examined.title)],
        Outcome::Examined(findings) if findings.is_empty() => vec![format!("ok       {}", examined.title)],
        Outcome::Examined(findings) => findings.iter().map(line).collect(),
    }
}

fn line(finding: &Finding) -> String {
    let severity = match finding.severity {
        Severity::Wrong => "WRONG  ",
        Severity::Warning => "warning",
    };
    let Finding {
        code, problem, remedy, ..
    } = finding;
    format!("{severity}  {code}: {problem} -> {remedy}")
}

fn summary(examined: &[Examined]) -> String {
    let (wrong, warnings) = (count(examined, Severity::Wrong), count(examined, Severity::Warning));
    let warnings = match warnings {
        1 => "1 warning".to_owned(),
        many => format!("{many} warnings"),
    };
    match wrong {
        0 => format!("nothing is wrong; {warnings}"),
        1 => format!("1 thing is wrong; {warnings}"),
        many => format!("{many} things are wrong; {warnings}"),
    }
}

fn as_json(examined: &[Examined]) -> serde_json::Value {
    let checks = examined.iter().map(|examined| match &examined.outcome {
        Outcome::Examined(findings) => json!({
            "check": examined.name,
            "title": examined.title,
            "findings": findings,
        }),
        Outcome::Skipped(why) => json!({
            "check": examined.name,
            "title": examined.title,
            "skipped": why,
            "findings": [],
        }),
    });
    json!({
        "wrong": count(examined, Severity::Wrong),
        "warnings": count(examined, Severity::Warning),
        "checks": checks.collect::<Vec<_>>(),
    })
}
