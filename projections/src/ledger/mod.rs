//! The ledger: accounts with balances, entries with running balances, and their queries.

mod balances;
mod entries;
mod flow;

pub use balances::{
    AccountBalance, AccountBalances, AccountTotals, BALANCES, NormalSide, SideTotals, list as balances,
};
pub(crate) use balances::{moment_named, position_before, position_named, until};
pub(crate) use entries::tally;
pub use entries::{AccountRef, ENTRIES, EntryLine, LedgerEntry, LedgerTransfer, entry, entry_lines, list as entries};
pub(crate) use flow::{AccountFlows, Flows, Side, Window};

use crate::{
    batch::{Batch, actor},
    error::ProjectError,
    page::ListQuery,
    rows::{AccountRow, EntryRow, PostingRow},
};
use caudal_domain::{
    Account, AccountKind, Entry, Event, Refusal, Transfer, TransferCode, ids::TenantId, money::Amount,
};
use caudal_journal::Recorded;
use sqlx::{PgConnection, Row as _};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Joins of an entry `e` with the record that caused it: remittance `r`, movement `m` or closure `c`.
pub(crate) const CAUSES: &str = "
    LEFT JOIN remittances AS r ON e.cause_kind = 'remittance' AND r.tenant = e.tenant AND r.id = e.cause
    LEFT JOIN movements AS m ON e.cause_kind = 'movement' AND m.tenant = e.tenant AND m.id = e.cause
    LEFT JOIN closures AS c ON e.cause_kind = 'closure' AND c.tenant = e.tenant AND c.id = e.cause";
/// Number of the record in [`CAUSES`].
pub(crate) const CAUSE_NUMBER: &str = "coalesce(r.code, m.number, c.number)";

/// Rejects a filter `kind` that is no account kind.
fn require_kind(query: &ListQuery) -> Result<(), Refusal> {
    match query.get("kind") {
        Some(kind) if kind.parse::<AccountKind>().is_err() => Err(Refusal::invalid("kind", "value_unknown")),
        _ => Ok(()),
    }
}

/// Loads the accounts that events post to.
pub(crate) async fn load(
    batch: &mut Batch,
    connection: &mut PgConnection,
    tenant: &TenantId,
    events: &[Recorded],
) -> Result<(), sqlx::Error> {
    let entries = events.iter().filter_map(|recorded| recorded.event.entry());
    let transfers = entries.flat_map(|entry| &entry.transfers);
    let mut accounts: Vec<String> = transfers
        .flat_map(|transfer| [transfer.debit.to_string(), transfer.credit.to_string()])
        .collect();
    if accounts.is_empty() {
        return Ok(());
    }
    accounts.sort_unstable();
    accounts.dedup();
    accounts.retain(|account| batch.kept.accounts.get(&(account.clone(),)).is_none());
    let known: BTreeSet<i32> = batch.kept.accounts.iter().map(|account| account.number).collect();
    batch.kept.accounts.load(&mut *connection, tenant, accounts).await?;
    if batch.kept.account_count.is_none() {
        let last = sqlx::query("SELECT coalesce(max(number), 0) AS last FROM accounts WHERE tenant = $1")
            .bind(tenant.as_str())
            .fetch_one(&mut *connection)
            .await?;
        batch.kept.account_count = last.try_get("last")?;
    }
    flow::load(batch, connection, tenant, &known).await
}

/// Owners of the accounts that an event posts to.
pub(crate) fn owners(event: &Event) -> impl Iterator<Item = Uuid> {
    let transfers = event.entry().into_iter().flat_map(|entry| &entry.transfers);
    let owners = transfers.flat_map(|transfer| [transfer.debit.owner, transfer.credit.owner]);
    owners.flatten().map(Uuid::from)
}

/// Posts an event's entry.
pub(crate) fn post(batch: &mut Batch, recorded: &Recorded, entry: &Entry) -> Result<(), ProjectError> {
    if entry.is_empty() {
        return Ok(());
    }
    batch.entries.push(EntryRow {
        position: recorded.position,
        at: recorded.recorded_at,
        event_type: recorded.event.event_type().to_owned(),
        cause_kind: recorded.stream.kind,
        cause: recorded.stream.id,
        actor: actor(recorded),
        role: recorded.metadata.role.clone(),
        reversal: entry.reversal,
    });
    let sides = entry
        .transfers
        .iter()
        .flat_map(|transfer| [(transfer, true), (transfer, false)]);
    for (line, (transfer, is_debit)) in (0_i16..).zip(sides) {
        let account = if is_debit { transfer.debit } else { transfer.credit };
        let row = open(batch, recorded, account);
        let (debit, credit) = if is_debit {
            (transfer.amount, Amount::ZERO)
        } else {
            (Amount::ZERO, transfer.amount)
        };
        let (assigned, spent) = counted(transfer, entry.reversal, is_debit);
        let figures = (|| {
            row.debits = row.debits.plus(debit)?;
            row.credits = row.credits.plus(credit)?;
            row.balance = row.balance.plus(debit)?.minus(credit)?;
            row.assigned = row.assigned.plus(assigned)?;
            row.spent = row.spent.plus(spent)?;
            Some(())
        })();
        let overflow = || ProjectError::Overflow {
            position: recorded.position,
            account: account.to_string(),
        };
        figures.ok_or_else(overflow)?;
        row.last_at = recorded.recorded_at;
        let (number, balance_after, debits_after) = (row.number, row.balance, row.debits);
        // The flow of a reversal is that of the original transfer's side.
        let was_debit = is_debit != entry.reversal;
        let flow = flow::Adds {
            position: recorded.position,
            account: number,
            code: code_name(transfer.code),
            debited: was_debit,
            amount: transfer.amount,
            reversal: entry.reversal,
        };
        batch.postings.push(PostingRow {
            position: recorded.position,
            amount: transfer.amount,
            balance_after,
            debits_after,
            account: number,
            flow: flow.to(&mut batch.kept, &mut batch.flow_blocks).ok_or_else(overflow)?,
            line,
        });
    }
    Ok(())
}

/// The account's row; opens the account with the next number when missing.
fn open<'a>(batch: &'a mut Batch, recorded: &Recorded, account: Account) -> &'a mut AccountRow {
    let count = batch.kept.account_count.get_or_insert(0);
    batch
        .kept
        .accounts
        .get_or_put((account.to_string(),), |(account_text,)| {
            *count += 1;
            AccountRow {
                account: account_text.clone(),
                number: *count,
                code: i16::try_from(account.kind.code()).unwrap_or(i16::MAX),
                kind: account.kind,
                owner: account.owner.map(Uuid::from),
                group_id: account.group.map(Uuid::from),
                currency: account.currency,
                balance: Amount::ZERO,
                debits: Amount::ZERO,
                credits: Amount::ZERO,
                assigned: Amount::ZERO,
                spent: Amount::ZERO,
                last_at: recorded.recorded_at,
            }
        })
}

/// Amounts that one side of a transfer counts as assigned to, and spent by, the account's owner. Reversals are
/// subtracted.
fn counted(transfer: &Transfer, reversal: bool, is_debit: bool) -> (Amount, Amount) {
    let account = if is_debit { transfer.debit } else { transfer.credit };
    // The side of the original transfer.
    let was_debit = is_debit != reversal;
    let amount = if reversal { -transfer.amount } else { transfer.amount };
    let (mut assigned, mut spent) = (Amount::ZERO, Amount::ZERO);
    let credits_balance = account.kind == AccountKind::Balance && !was_debit;
    let debits_balance = account.kind == AccountKind::Balance && was_debit;
    let debits_cash = account.kind == AccountKind::FieldCash && was_debit;
    let credits_cash = account.kind == AccountKind::FieldCash && !was_debit;
    match transfer.code {
        TransferCode::Opening if credits_balance || debits_cash => assigned = amount,
        TransferCode::Assignment | TransferCode::Given if credits_balance => assigned = amount,
        TransferCode::CashOut | TransferCode::HandOver if debits_cash => assigned = amount,
        TransferCode::Sale if debits_balance => spent = amount,
        TransferCode::Delivery if credits_cash => spent = amount,
        TransferCode::SaleReturn if credits_balance => spent = -amount,
        // The other side of these transfers.
        TransferCode::Opening
        | TransferCode::Assignment
        | TransferCode::Given
        | TransferCode::CashOut
        | TransferCode::HandOver
        | TransferCode::Sale
        | TransferCode::Delivery
        | TransferCode::SaleReturn => {}
        // Neither assigned nor spent.
        TransferCode::Deposit
        | TransferCode::AssignmentValue
        | TransferCode::GivenOnCredit
        | TransferCode::HandBack
        | TransferCode::FieldTransfer
        | TransferCode::CashReturn
        | TransferCode::ExchangeOut
        | TransferCode::ExchangeIn
        | TransferCode::Expense
        | TransferCode::DebitPayment
        | TransferCode::AgencyDebitPayment
        | TransferCode::Commission
        | TransferCode::CommissionReturn
        | TransferCode::AgencyFee
        | TransferCode::AgencyFeeReturn
        | TransferCode::Assign
        | TransferCode::Failure
        | TransferCode::Reopen
        | TransferCode::DistributionFee
        | TransferCode::CommissionEarned
        | TransferCode::Billing => {}
    }
    (assigned, spent)
}

/// Name of a transfer code in the log.
pub(crate) fn code_name(code: TransferCode) -> String {
    crate::table::name_in_log(&code)
}
