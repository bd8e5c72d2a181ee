//! `caudal rehearse`: previews the import of a spreadsheet, and compares its totals with those of another system.

use super::{Failure, Place, node::Node, say};
use crate::{
    catalogue,
    importing::{Means, Rehearsed, rehearse_file},
    imports::{
        fixing,
        import::{Details, Import, ImportState, ImportSum, Outcome, ProofsFile, RowResult},
        kinds::ImportKind,
        mapping::{self, Mapping},
        proofs,
        reader::{self, ReadFault, Table},
        store,
        values::{DateOrder, Decimal, folded},
    },
    language::Language,
};
use caudal_domain::{
    ids::{PartyId, TenantId},
    money::Amount,
    party::Role,
};
use caudal_projections::{Projector, Reads};
use clap::Args;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
};
use uuid::Uuid;

/// Rows in error that are told one by one.
const MAX_TOLD: usize = 50;

/// Previews the import of a spreadsheet without keeping anything: every row is decided by the rules, on what the rows
/// before it would leave.
///
/// The exit status is 1 when a total is not the expected one, or a row is refused.
#[derive(Args, Debug)]
pub struct Rehearse {
    /// The spreadsheet: CSV, XLSX or ODS
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The tenant
    #[arg(long, value_name = "TENANT")]
    tenant: TenantId,
    /// What the rows are, as the interface offers them
    #[arg(long, value_parser = kind)]
    kind: ImportKind,
    /// The e-mail address of the login that would import it
    #[arg(long = "as", value_name = "EMAIL")]
    maker: String,
    /// The e-mail address of the agency or agent that a manager imports for
    #[arg(long = "for", value_name = "EMAIL")]
    owner: Option<String>,
    /// A column in place of the guessed one, like amount=Importe
    #[arg(long = "column", value_name = "FIELD=HEADER", value_parser = pair::<String>)]
    columns: Vec<(String, String)>,
    /// A value for all rows, like paymentGroup=CUP
    #[arg(long = "value", value_name = "FIELD=TEXT", value_parser = pair::<String>)]
    constants: Vec<(String, String)>,
    /// How numbers are written, where the file does not show it: `point` as in 1,234.50, `comma` as in 1.234,50
    #[arg(long, value_name = "SEPARATOR", value_parser = decimal)]
    decimal: Option<Decimal>,
    /// How dates are written, where the file does not show it: `day-first` as in 31/12/2026, `month-first` as in 12/31/2026
    #[arg(long, value_name = "ORDER", value_parser = dates)]
    dates: Option<DateOrder>,
    /// The ZIP of proofs of a list of completions
    #[arg(long, value_name = "ZIP")]
    proofs: Option<PathBuf>,
    /// What the rows have to pay out or to open with in all, like CUP=480000.00; opening balances need it
    #[arg(long, value_name = "CURRENCY=TOTAL", value_parser = pair::<Amount>)]
    expect: Vec<(String, Amount)>,
    /// What the rows have to charge in all, like USD=1530.00
    #[arg(long, value_name = "CURRENCY=TOTAL", value_parser = pair::<Amount>)]
    expect_charged: Vec<(String, Amount)>,
    /// How many rows have to be added
    #[arg(long, value_name = "ROWS")]
    expect_rows: Option<i64>,
    #[command(flatten)]
    place: Place,
}

fn kind(text: &str) -> Result<ImportKind, String> {
    let names = ImportKind::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>();
    ImportKind::of(text).ok_or_else(|| names.join(", "))
}

fn decimal(text: &str) -> Result<Decimal, String> {
    match text {
        "point" => Ok(Decimal::Point),
        "comma" => Ok(Decimal::Comma),
        _ => Err("point or comma".to_owned()),
    }
}

fn dates(text: &str) -> Result<DateOrder, String> {
    match text {
        "day-first" => Ok(DateOrder::DayFirst),
        "month-first" => Ok(DateOrder::MonthFirst),
        _ => Err("day-first or month-first".to_owned()),
    }
}

fn pair<T: FromStr>(text: &str) -> Result<(String, T), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is needed")?;
    let value = value.parse().map_err(|_| format!("{value} is no value of {name}"))?;
    Ok((name.to_owned(), value))
}

fn unread(path: &Path, fault: &ReadFault) -> Failure {
    let text = catalogue::text(fault.code, Language::English, &fault.params);
    format!("{}: {text}", path.display()).into()
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

impl Rehearse {
    pub async fn run(self) -> Result<ExitCode, Failure> {
        if self.kind.rules().needs_totals() && self.expect.is_empty() {
            let text = catalogue::text("import_totals_required", Language::English, &BTreeMap::new());
            return Err(format!("--expect: {text}").into());
        }
        let content = read(&self.file)?;
        let mut table = reader::read(&content).map_err(|fault| unread(&self.file, &fault))?;
        fixing::take_back(&mut table);
        let entries = match &self.proofs {
            Some(path) => proofs::read(&read(path)?).map_err(|fault| unread(path, &fault))?,
            None => Vec::new(),
        };
        let mapping = self.mapping(&table)?;
        let node = Node::open_for(&self.place, &self.tenant, "caudal rehearse").await?;
        let outcome = self.rehearse(&node, &content, &table, mapping, &entries).await;
        let closed = node.close().await;
        let rehearsed = outcome?;
        closed?;
        let is_right = self.report(&table, &rehearsed);
        Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// The guessed mapping with what is said of it.
    fn mapping(&self, table: &Table) -> Result<Mapping, Failure> {
        let mut mapping = mapping::guess(self.kind, table);
        for (field, header) in &self.columns {
            let wanted = folded(header);
            let column = table.headers.iter().position(|header| folded(header) == wanted);
            let column = column.ok_or_else(|| format!("there is no column {header}"))?;
            mapping.columns.retain(|_, taken| *taken != column);
            mapping.columns.insert(field.clone(), column);
        }
        for (field, text) in &self.constants {
            mapping.columns.remove(field);
            mapping.constants.insert(field.clone(), text.clone());
        }
        // A column that is said may be another than the guessed one.
        mapping = mapping.as_shown_by(self.kind, table);
        mapping.decimal = self.decimal.or(mapping.decimal);
        mapping.dates = self.dates.or(mapping.dates);
        mapping.check(self.kind, table.headers.len()).map_err(|errors| {
            let told = errors.iter().map(|error| {
                let text = catalogue::text(error.code, Language::English, &error.params);
                format!("{}: {text}", error.field)
            });
            told.collect::<Vec<_>>().join(" ")
        })?;
        Ok(mapping)
    }

    async fn rehearse(
        &self,
        node: &Node,
        content: &[u8],
        table: &Table,
        mapping: Mapping,
        entries: &[proofs::Entry],
    ) -> Result<Rehearsed, Failure> {
        let tenant = &self.tenant;
        let maker = party(node, tenant, &self.maker).await?;
        let owner = match &self.owner {
            Some(email) => Some(party(node, tenant, email).await?.0),
            None => None,
        };
        let mapping = Mapping { owner, ..mapping };
        let (tenant_state, _) = node.journal.state(tenant).await?;
        let role = tenant_state.party(maker).map(|maker| maker.role);
        if !role.is_some_and(|role| self.kind.rules().roles().contains(&role)) {
            return Err(format!("{} may not import {}", self.maker, self.kind.as_str()).into());
        }
        // As of an upload, so that rows get the ids that the import will give them.
        let whose = if role == Some(Role::Manager) {
            Uuid::nil()
        } else {
            maker.0
        };
        let now = node.clock.now();
        let import = Import {
            id: store::id_of(tenant, whose, self.kind, content),
            owner: whose,
            maker: maker.0,
            kind: self.kind,
            details: Some(Details {
                name: String::new(),
                headers: table.headers.clone(),
                notices: table.notices.clone(),
                mapping: mapping.clone(),
                by_semicolon: table.by_semicolon,
            }),
            proofs: Some(ProofsFile {
                name: String::new(),
                entries: entries.iter().map(|entry| entry.name.clone()).collect(),
                digests: Vec::new(),
            }),
            rows: i32::try_from(table.rows.len()).unwrap_or(i32::MAX),
            state: ImportState::Previewing,
            pass: 0,
            next_row: 0,
            failure: None,
            summary: None,
            counts: None,
            created_at: now,
            changed_at: now,
            erase_at: now,
        };
        let projector = Projector::new(node.database.clone(), node.journal.clone());
        projector.catch_up(tenant).await?;
        let reads = Reads::new(node.database.clone(), projector);
        let files = node.files()?;
        let means = Means {
            journal: &node.journal,
            reads: &reads,
            files: &files,
            clock: node.clock.as_ref(),
        };
        Ok(rehearse_file(means, tenant, &import, &mapping, &table.rows, entries).await?)
    }

    /// Says what would become of the rows. Returns whether all is as expected.
    fn report(&self, table: &Table, rehearsed: &Rehearsed) -> bool {
        let counts = &rehearsed.counts;
        say(&format!(
            "{} rows: {} would be added, {} are there already, {} would wait for an approval, {} are refused",
            table.rows.len(),
            counts.added,
            counts.there,
            counts.waiting,
            counts.refused
        ));
        let refused = rehearsed.outcomes.iter();
        let refused = refused.filter(|(.., outcome)| outcome.result == RowResult::Refused);
        for (_, line, outcome) in refused.take(MAX_TOLD) {
            say(&format!("line {line}: {}", told(outcome, &table.headers)));
        }
        let mut is_right = counts.refused == 0;
        if let Some(rows) = self.expect_rows {
            is_right &= compared("rows", &counts.added.to_string(), &rows.to_string());
        }
        let sums = &rehearsed.summary.sums;
        let totals = |of: fn(&ImportSum) -> &String| {
            let sums = sums.iter().map(|sum| (sum.currency.clone(), of(sum).clone()));
            sums.collect::<BTreeMap<_, _>>()
        };
        is_right &= match self.kind {
            ImportKind::Openings => {
                let mut opened = totals(|sum| &sum.opened);
                for (currency, before) in &rehearsed.opened_before {
                    say(&format!("{currency} opened before: {before}"));
                    let sum = opened.entry(currency.to_string()).or_default();
                    *sum = (sum.parse().unwrap_or(Amount::ZERO) + *before).to_string();
                }
                compare("opened", &opened, &self.expect)
            }
            _ => compare("paid out", &totals(|sum| &sum.paid_out), &self.expect),
        };
        is_right &= compare("charged", &totals(|sum| &sum.charged), &self.expect_charged);
        for balance in &rehearsed.summary.balances {
            say(&format!(
                "balance {}: {} before, {} after",
                balance.currency, balance.begins, balance.ends
            ));
        }
        for place in &rehearsed.summary.unused_proofs {
            say(&format!("entry {} of the ZIP belongs to no row", place + 1));
        }
        is_right
    }
}

async fn party(node: &Node, tenant: &TenantId, email: &str) -> Result<PartyId, Failure> {
    let login = node.journal.credential_by_email(tenant, email).await?;
    let login = login.ok_or_else(|| format!("there is no login {email} in {tenant}"))?;
    Ok(login.party)
}

/// Errors of a row in words, with the columns.
fn told(outcome: &Outcome, headers: &[String]) -> String {
    let texts = outcome.errors.iter().map(|error| {
        let text = catalogue::text(&error.code, Language::English, &fixing::params_of(&error.params));
        let column = error.column.and_then(|column| headers.get(column));
        column.map_or_else(|| text.clone(), |header| format!("{header}: {text}"))
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Compares totals by currency. All of a side are compared once one is expected: one that is not named is expected to be 0.
fn compare(what: &str, totals: &BTreeMap<String, String>, expected: &[(String, Amount)]) -> bool {
    let nothing = Amount::ZERO.to_string();
    let mut is_right = true;
    let mut currencies: BTreeMap<&str, Amount> = BTreeMap::new();
    for (currency, amount) in expected {
        *currencies.entry(currency).or_default() += *amount;
    }
    for (currency, total) in totals {
        let wanted = currencies.remove(currency.as_str());
        match wanted.or_else(|| (!expected.is_empty()).then_some(Amount::ZERO)) {
            Some(wanted) => is_right &= compared(&format!("{currency} {what}"), total, &wanted.to_string()),
            None if *total != nothing => say(&format!("{currency} {what}: {total}")),
            None => {}
        }
    }
    for (currency, wanted) in currencies {
        is_right &= compared(&format!("{currency} {what}"), &nothing, &wanted.to_string());
    }
    is_right
}

fn compared(what: &str, found: &str, expected: &str) -> bool {
    if found == expected {
        say(&format!("{what}: {found}, as expected"));
        return true;
    }
    let difference = match (found.parse::<Amount>(), expected.parse::<Amount>()) {
        (Ok(found), Ok(expected)) => format!(", {} off", found - expected),
        _ => String::new(),
    };
    say(&format!("{what}: {found}, not {expected}{difference}"));
    false
}
