//! Movements: money moved outside remittances. Each has a number, and the manager can reverse it once.

mod deposit;
mod expense;
mod opening;
mod pay_debits;
mod reverse;
mod transfer;

pub use deposit::{Deposit, DepositTo, ExpectedParty, Funds};
pub use expense::Expense;
pub use opening::{OpenBalance, Opened};
pub use pay_debits::{PayDebits, judge_payment};
pub use reverse::judge_reversal;
pub use transfer::{Exchange, TransferCash, TransferTo};

use crate::{
    decision::{Context, Decision},
    ids::{MovementId, PartyId, PaymentGroupId, SubjectId},
    money::{Amount, CurrencyCode, Rate},
    personal::Personal,
    refusal::{Refusal, require},
    tenant_state::{
        TenantState,
        entry::Entry,
        obligation::{ObligationPayment, OpenedObligation},
    },
};
use serde::{Deserialize, Serialize};

/// For notes, concepts and reasons, in characters.
pub const MAX_NOTE_LENGTH: usize = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MovementKind {
    /// Cash contributed by the manager.
    Deposit,
    /// Prepaid balance for a seller.
    Assignment,
    /// Cash for a dealer or delivery man.
    CashAssignment,
    /// Cash between field parties, in one currency.
    Transfer,
    /// Cash converted from one currency to another.
    Exchange,
    /// Cash returned to the manager.
    Return,
    /// An expense paid from field cash.
    Expense,
    /// A payment on obligations.
    Payment,
    /// What another system says of an account, at the beginning.
    Opening,
}

impl MovementKind {
    /// Stable name in the API and the log.
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
            Self::Opening => "opening",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Movement {
    pub id: MovementId,
    /// `M-000001`.
    pub number: String,
    pub kind: MovementKind,
    /// The caller of the command.
    pub by: PartyId,
    /// Giver; `None` for the treasury.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PartyId>,
    /// Receiver; `None` for the treasury.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PartyId>,
    /// Set when balance moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<PaymentGroupId>,
    /// In `currency`.
    pub amount: Amount,
    pub currency: CurrencyCode,
    /// Converted amount of an exchange, or the price of an assignment in USD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<Counter>,
    /// Whether the value is owed instead of paid.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_credit: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debit: Option<OpenedObligation>,
    /// Payments on obligations that the movement makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payments: Vec<ObligationPayment>,
    pub entry: Entry,
    /// Whether it was reversed. Always false in the event that records the movement.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
}

/// The counter value of a movement between two currencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    pub amount: Amount,
    pub currency: CurrencyCode,
    /// Units of this currency for one of the movement's.
    pub rate: Rate,
}

#[derive(Clone, PartialEq)]
pub enum MovementCommand {
    Deposit(Deposit),
    Transfer(TransferCash),
    Expense(Expense),
    PayDebits(PayDebits),
    Open(OpenBalance),
    /// Reverses the movement.
    Reverse {
        reason: String,
    },
}

/// Omits the texts that people typed.
impl std::fmt::Debug for MovementCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Deposit(deposit) => deposit.fmt(f),
            Self::Transfer(transfer) => transfer.fmt(f),
            Self::Expense(expense) => expense.fmt(f),
            Self::PayDebits(pay) => pay.fmt(f),
            Self::Open(open) => open.fmt(f),
            Self::Reverse { .. } => f.write_str("Reverse { .. }"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum MovementEvent {
    MovementPosted(MovementPosted),
    /// The first entry of an account, against capital.
    OpeningBalancePosted(MovementPosted),
    MovementReversed(MovementReversed),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovementPosted {
    pub movement: Movement,
    /// The note, or an expense's concept.
    pub personal: Personal<MovementNote>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MovementReversed {
    pub id: MovementId,
    pub by: PartyId,
    /// The obligation voided by the reversal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided_debit: Option<crate::ids::ObligationId>,
    /// Payments undone by the reversal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undone_payments: Vec<ObligationPayment>,
    pub entry: Entry,
    pub personal: Personal<MovementNote>,
}

/// Free text about a movement.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct MovementNote {
    /// Note, concept or reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

crate::personal::personal_data!(MovementNote);

impl Movement {
    pub(crate) fn fold(state: Option<Self>, event: &MovementEvent) -> Option<Self> {
        match event {
            MovementEvent::MovementPosted(posted) | MovementEvent::OpeningBalancePosted(posted) => {
                Some(posted.movement.clone())
            }
            MovementEvent::MovementReversed(_) => state.map(|movement| Self {
                reversed: true,
                ..movement
            }),
        }
    }

    /// A movement with the next number, without parties and postings.
    fn new(
        id: MovementId,
        kind: MovementKind,
        by: PartyId,
        amount: Amount,
        currency: CurrencyCode,
        tenant_state: &TenantState,
    ) -> Self {
        Self {
            id,
            number: tenant_state.next_movement_number(),
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

    /// The person that the note is about: the receiver, else the giver, else the caller.
    pub(crate) fn subject(&self) -> SubjectId {
        self.to.or(self.from).unwrap_or(self.by).into()
    }

    /// Decides the movement's event when the guards allow its postings.
    fn decide(self, note: Option<&str>, ctx: &Context<'_>) -> Result<Decision<MovementEvent>, Refusal> {
        self.decide_as(note, ctx, MovementEvent::MovementPosted)
    }

    fn decide_as(
        self,
        note: Option<&str>,
        ctx: &Context<'_>,
        event: fn(MovementPosted) -> MovementEvent,
    ) -> Result<Decision<MovementEvent>, Refusal> {
        crate::text::optional_note("note", note.unwrap_or_default(), MAX_NOTE_LENGTH)?;
        ctx.state.check(&self.entry)?;
        let debit = self.debit.and_then(|debit| ctx.state.obligation(debit.id));
        require(debit.is_none(), || Refusal::conflict("already_exists"))?;
        let (id, number, debit) = (self.id, self.number.clone(), self.debit);
        let note = note.map(str::trim).filter(|note| !note.is_empty()).map(str::to_owned);
        let personal = Personal::clear(self.subject(), MovementNote { note });
        let posted = MovementPosted {
            movement: self,
            personal,
        };
        Ok(Decision::of(event(posted), id).answering(|answer| {
            answer.number = Some(number);
            answer.debit_id = debit.map(|debit| debit.id.0);
        }))
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
        MovementCommand::Open(open) => opening::decide(id, open, ctx),
        MovementCommand::Reverse { reason } => return reverse::decide(own, reason, ctx),
    };
    Decision::of_new(posted, own.is_some())
}

/// An enabled currency.
fn require_currency(field: &'static str, currency: CurrencyCode, ctx: &Context<'_>) -> Result<(), Refusal> {
    let known = ctx
        .state
        .currency(currency)
        .ok_or_else(|| Refusal::invalid(field, "currency_unknown"))?;
    require(known.enabled, || Refusal::invalid(field, "currency_disabled"))
}
