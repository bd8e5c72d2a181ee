//! Movements: money that moves outside remittances. Each has a number, and the manager can take it back once.

mod deposit;
mod expense;
mod pay_debits;
mod reverse;
mod transfer;

pub use deposit::{Deposit, DepositTo, ExpectedParty, Funds};
pub use expense::Expense;
pub use pay_debits::{PayDebits, judge_payment};
pub use reverse::judge_reversal;
pub use transfer::{Exchange, TransferCash, TransferTo};

use crate::{
    books::{
        Books,
        debit::{DebitPayment, OpenedDebit},
        entry::Entry,
    },
    decision::{Context, Decision},
    ids::{MovementId, PartyId, PaymentGroupId, SubjectId},
    money::{Amount, CurrencyCode, Rate},
    personal::Personal,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};

/// The longest note, concept or reason, in characters.
pub const MAX_NOTE_LENGTH: usize = 300;

/// The sort of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MovementKind {
    /// The manager puts cash in.
    Deposit,
    /// Balance for a seller.
    Assignment,
    /// Cash for a dealer or delivery man.
    CashAssignment,
    /// Cash between field parties, of one currency.
    Transfer,
    /// Cash from one currency to another.
    Exchange,
    /// Cash back to the manager.
    Return,
    /// An expense in the field.
    Expense,
    /// A payment on debits.
    Payment,
}

impl MovementKind {
    /// Its name in the API and the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deposit => "deposit",
            Self::Assignment => "assignment",
            Self::CashAssignment => "cash_assignment",
            Self::Transfer => "transfer",
            Self::Exchange => "exchange",
            Self::Return => "return",
            Self::Expense => "expense",
            Self::Payment => "payment",
        }
    }
}

/// A movement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Movement {
    /// Its id.
    pub id: MovementId,
    /// Its human number, `M-000001`.
    pub number: String,
    /// Its sort.
    pub kind: MovementKind,
    /// Who gave the command.
    pub by: PartyId,
    /// Who gives; the tenant's treasury where `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PartyId>,
    /// Who receives; the tenant's treasury where `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PartyId>,
    /// The payment group of a balance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<PaymentGroupId>,
    /// How much, in `currency`.
    pub amount: Amount,
    /// The currency given.
    pub currency: CurrencyCode,
    /// What an exchange gives, or what an assignment costs in USD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<Counter>,
    /// Whether it is owed rather than paid.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_credit: bool,
    /// The debit that it opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debit: Option<OpenedDebit>,
    /// The payments that it makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payments: Vec<DebitPayment>,
    /// The postings.
    pub entry: Entry,
    /// Whether it was taken back. Never true in the event that makes it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
}

/// The other side of a movement of two currencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// How much.
    pub amount: Amount,
    /// Of which currency.
    pub currency: CurrencyCode,
    /// The rate between the two.
    pub rate: Rate,
}

/// What may be asked of a movement.
#[derive(Clone, PartialEq)]
pub enum MovementCommand {
    /// Puts cash in, or assigns balance or cash.
    Deposit(Deposit),
    /// Moves cash in the field.
    Transfer(TransferCash),
    /// Records an expense.
    Expense(Expense),
    /// Pays debits.
    PayDebits(PayDebits),
    /// Takes the movement back.
    Reverse {
        /// Why.
        reason: String,
    },
}

/// Without what people typed.
impl std::fmt::Debug for MovementCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Deposit(deposit) => deposit.fmt(f),
            Self::Transfer(transfer) => transfer.fmt(f),
            Self::Expense(expense) => expense.fmt(f),
            Self::PayDebits(pay) => pay.fmt(f),
            Self::Reverse { .. } => f.write_str("Reverse { .. }"),
        }
    }
}

/// What happened to a movement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum MovementEvent {
    /// It was made.
    MovementPosted(MovementPosted),
    /// It was taken back.
    MovementReversed(MovementReversed),
}

/// It was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovementPosted {
    /// The movement.
    pub movement: Movement,
    /// Its note, or an expense's concept.
    pub personal: Personal<MovementNote>,
}

/// It was taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MovementReversed {
    /// The movement.
    pub id: MovementId,
    /// Who took it back.
    pub by: PartyId,
    /// The debit that is void now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided_debit: Option<crate::ids::DebitId>,
    /// The payments that no longer count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undone_payments: Vec<DebitPayment>,
    /// The postings.
    pub entry: Entry,
    /// Why.
    pub personal: Personal<MovementNote>,
}

/// What somebody wrote about a movement.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct MovementNote {
    /// A note, concept or reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

crate::personal::personal_data!(MovementNote);

impl Movement {
    pub(crate) fn fold(state: Option<Self>, event: &MovementEvent) -> Option<Self> {
        match event {
            MovementEvent::MovementPosted(posted) => Some(posted.movement.clone()),
            MovementEvent::MovementReversed(_) => state.map(|movement| Self {
                reversed: true,
                ..movement
            }),
        }
    }

    /// A movement with the next number, nobody named and nothing posted yet.
    fn new(
        id: MovementId,
        kind: MovementKind,
        by: PartyId,
        amount: Amount,
        currency: CurrencyCode,
        books: &Books,
    ) -> Self {
        Self {
            id,
            number: books.next_movement_number(),
            kind,
            by,
            from: None,
            to: None,
            group: None,
            amount,
            currency,
            counter: None,
            on_credit: false,
            debit: None,
            payments: Vec::new(),
            entry: Entry::default(),
            reversed: false,
        }
    }

    /// The person that its note is about: who receives, else who gives, else who made it.
    pub(crate) fn subject(&self) -> SubjectId {
        self.to.or(self.from).unwrap_or(self.by).into()
    }

    /// The decision that makes it, once the books allow it.
    fn decide(self, note: Option<&str>, ctx: &Context<'_>) -> Result<Decision<MovementEvent>, Refusal> {
        crate::text::optional_note("note", note.unwrap_or_default(), MAX_NOTE_LENGTH)?;
        ctx.books.check(&self.entry)?;
        let debit = self.debit.and_then(|debit| ctx.books.debit(debit.id));
        require(debit.is_none(), || Refusal::conflict("already_exists"))?;
        let (id, number, debit) = (self.id, self.number.clone(), self.debit);
        let note = note.map(str::trim).filter(|note| !note.is_empty()).map(str::to_owned);
        let personal = Personal::clear(self.subject(), MovementNote { note });
        let posted = MovementPosted {
            movement: self,
            personal,
        };
        Ok(
            Decision::of(MovementEvent::MovementPosted(posted), id).answering(|answer| {
                answer.number = Some(number);
                answer.debit_id = debit.map(|debit| debit.id.0);
            }),
        )
    }
}

pub(crate) fn decide(
    id: MovementId,
    own: Option<&Movement>,
    command: &MovementCommand,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    let posted = match command {
        MovementCommand::Deposit(deposit) => deposit::decide(id, deposit, ctx),
        MovementCommand::Transfer(transfer) => transfer::decide(id, transfer, ctx),
        MovementCommand::Expense(expense) => expense::decide(id, expense, ctx),
        MovementCommand::PayDebits(payment) => pay_debits::decide(id, payment, ctx),
        MovementCommand::Reverse { reason } => return reverse::decide(own, reason, ctx),
    };
    Decision::of_new(posted, own.is_some())
}

/// A currency that may be moved.
fn require_currency(field: &'static str, currency: CurrencyCode, ctx: &Context<'_>) -> Result<(), Refusal> {
    let known = ctx
        .books
        .currency(currency)
        .ok_or_else(|| Refusal::invalid(field, "currency_unknown"))?;
    require(known.enabled, || Refusal::invalid(field, "currency_disabled"))
}
