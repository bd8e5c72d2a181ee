//! Posts transactions of two entries with cala-ledger for some seconds, and prints how many a second:
//! `caudal-bench-cala DATABASE-URL IN-FLIGHT SECONDS`.
//!
//! Every client has two accounts of its own, so that none waits for another's balances.

use cala_ledger::{
    AccountId, CalaLedger, CalaLedgerConfig, TransactionId,
    account::NewAccount,
    job::{JobSvcConfig, Jobs},
    journal::{JournalId, NewJournal},
    tx_template::{
        NewParamDefinition, NewTxTemplate, NewTxTemplateEntry, NewTxTemplateTransaction, ParamDataType, Params,
    },
};
use rust_decimal::Decimal;
use std::{
    error::Error,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// As many connections as a node of Caudal has.
const CONNECTIONS: u32 = 20;
const WARM_UP: Duration = Duration::from_secs(1);
const TEMPLATE: &str = "TRANSFER";

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("DATABASE-URL IN-FLIGHT SECONDS");
    let (url, clients, seconds) = (next()?, next()?.parse::<usize>()?, next()?.parse::<u64>()?);
    let pool = sqlx::postgres::PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .connect(&url)
        .await?;
    let config = CalaLedgerConfig::builder()
        .pool(pool.clone())
        .exec_migrations(true)
        .build()?;
    // Its jobs are not polled: nothing here rolls balances up.
    let mut jobs = Jobs::init(JobSvcConfig::builder().pool(pool).build()?).await?;
    let cala = CalaLedger::init(config, &mut jobs).await?;
    let journal = NewJournal::builder().id(JournalId::new()).name("bench").build();
    let journal = cala.journals().create(journal).await?.id();
    cala.tx_templates().create(template()?).await?;

    let begin = Instant::now() + WARM_UP;
    let end = begin + Duration::from_secs(seconds);
    let mut tasks = Vec::new();
    for number in 0..clients {
        let cala = cala.clone();
        let (sender, recipient) = (account(&cala, number, "S").await?, account(&cala, number, "R").await?);
        tasks.push(tokio::spawn(async move {
            let mut posted = 0_u64;
            while Instant::now() < end {
                let mut params = Params::new();
                params.insert("journal_id", journal);
                params.insert("sender", sender);
                params.insert("recipient", recipient);
                params.insert("amount", Decimal::new(10_000, 2));
                cala.post_transaction(TransactionId::new(), TEMPLATE, params).await?;
                let now = Instant::now();
                posted += u64::from(now >= begin && now < end);
            }
            Ok::<u64, Failure>(posted)
        }));
    }
    let mut posted = 0;
    for task in tasks {
        posted += task.await??;
    }
    println!("{}", posted as f64 / seconds as f64);
    Ok(())
}

async fn account(cala: &CalaLedger, number: usize, side: &str) -> Result<AccountId, Failure> {
    let account = NewAccount::builder()
        .id(Uuid::now_v7())
        .name(format!("{side} {number}"))
        .code(format!("{side}{number}"))
        .build();
    Ok(cala.accounts().create(account).await?.id())
}

fn template() -> Result<NewTxTemplate, Failure> {
    let parameter = |name: &str, kind| NewParamDefinition::builder().name(name).r#type(kind).build();
    let entry = |kind: &str, account: &str, direction: &str| {
        NewTxTemplateEntry::builder()
            .entry_type(kind)
            .account_id(account)
            .layer("SETTLED")
            .direction(direction)
            .units("params.amount")
            .currency("'USD'")
            .build()
    };
    let transaction = NewTxTemplateTransaction::builder()
        .effective("date()")
        .journal_id("params.journal_id")
        .build()?;
    Ok(NewTxTemplate::builder()
        .id(Uuid::now_v7())
        .code(TEMPLATE)
        .params(vec![
            parameter("sender", ParamDataType::Uuid)?,
            parameter("recipient", ParamDataType::Uuid)?,
            parameter("journal_id", ParamDataType::Uuid)?,
            parameter("amount", ParamDataType::Decimal)?,
        ])
        .transaction(transaction)
        .entries(vec![
            entry("'TRANSFER_DR'", "params.sender", "DEBIT")?,
            entry("'TRANSFER_CR'", "params.recipient", "CREDIT")?,
        ])
        .build())
}
