//! Accounts with their balances, and the journal.

use super::{
    super::table::{Table, currency, flag, money, number, sum, text, time},
    actor, name,
};
use crate::{
    ledger::{AccountBalance, AccountBalances, AccountRef, LedgerEntry, LedgerTransfer, NormalSide},
    print::{Paged, Printing, Words, words},
};
use std::sync::Arc;

impl Paged for AccountBalances {
    type Row = AccountBalance;

    fn into_rows(self) -> Vec<AccountBalance> {
        self.page.data
    }
}

/// The trial balance; each account on its normal side, as the screen shows it.
pub const BALANCES: Table<AccountBalance> = Table::new(
    Words::new("Balance de comprobación", "Trial balance"),
    &[
        text("Cuenta", "Account", |a, _| Some(a.code.clone())),
        text("Nombre", "Name", |a, p| {
            Some(p.say(words::account(a.kind.0)).to_owned())
        }),
        text("Titular", "Owner", |a, p| name(a.owner.as_ref(), p)),
        currency("Moneda", "Currency", |a| Some(a.currency)),
        text("Naturaleza", "Normal side", |a, p| {
            let side = match a.normal_side {
                NormalSide::Debit => Words::new("deudora", "debit"),
                NormalSide::Credit => Words::new("acreedora", "credit"),
            };
            Some(p.say(side).to_owned())
        }),
        // What is told on two sides is not added up.
        money("Apertura", "Opening", |a| Some(a.normal_side.told(a.opening))),
        sum("Débitos", "Debits", |a| Some(a.debits)),
        sum("Créditos", "Credits", |a| Some(a.credits)),
        money("Cierre", "Closing", |a| Some(a.normal_side.told(a.closing))),
    ],
);

/// One transfer of an entry: the journal has a line for each.
#[derive(Debug)]
pub struct EntryLine {
    entry: Arc<LedgerEntry>,
    transfer: LedgerTransfer,
}

/// The lines of an entry, in order.
#[must_use]
pub fn entry_lines(mut entry: LedgerEntry) -> Vec<EntryLine> {
    let transfers = std::mem::take(&mut entry.transfers);
    let entry = Arc::new(entry);
    let line = |transfer| EntryLine {
        entry: Arc::clone(&entry),
        transfer,
    };
    transfers.into_iter().map(line).collect()
}

fn account(account: &AccountRef, printing: &Printing) -> Option<String> {
    let kind = format!("{} {}", account.code, printing.say(words::account(account.kind.0)));
    Some(match name(account.owner.as_ref(), printing) {
        Some(owner) => format!("{kind} · {owner}"),
        None => kind,
    })
}

/// The journal.
pub const ENTRIES: Table<EntryLine> = Table::new(
    Words::new("Operaciones", "Operations"),
    &[
        number("Asiento", "Entry", |l| l.entry.position),
        time("Fecha", "Date", |l| Some(l.entry.at)),
        text("Origen", "Cause", |l, _| l.entry.cause_number.clone()),
        text("Evento", "Event", |l, _| Some(l.entry.event_type.clone())),
        text("Debe", "Debit", |l, p| account(&l.transfer.debit, p)),
        text("Haber", "Credit", |l, p| account(&l.transfer.credit, p)),
        sum("Importe", "Amount", |l| Some(l.transfer.amount)),
        currency("Moneda", "Currency", |l| Some(l.transfer.currency)),
        flag("Reversión", "Reversal", |l| l.entry.reversal),
        text("Quién", "Who", |l, p| actor(&l.entry.actor, p)),
    ],
);
