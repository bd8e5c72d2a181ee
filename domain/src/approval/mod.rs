//! Approvals: commands that take effect when a second person approves them.
//!
//! A tenant's rules say which commands need an approval ([`coverage`]). Such a command is decided, and the decision is
//! replaced by a [`CommandProposed`]. An approval decides the command again as its maker. The command is personal data of
//! the person that its own event would be about, and is erased with that person.

mod coverage;
mod past;
mod proposed;
#[cfg(test)]
mod tests;

pub(crate) use coverage::{posted, value};
pub use past::{Caught, Past, PastEvent};
pub use proposed::ProposedCommand;

use crate::{
    aggregate::StreamState,
    books::entry::Transfer,
    command::{self, Command},
    decision::{Actor, Answer, Context, Decision},
    event::Event,
    figures::{Expected, Figures},
    ids::{ApprovalRuleId, PartyId, ProposalId, SubjectId},
    money::Amount,
    office::{self, Area},
    party::{Party, Role},
    personal::Personal,
    refusal::{Refusal, RefusalKind, require},
    stream::{StreamId, StreamKind},
    text,
};
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Rules of a tenant: several per kind, for other roles and amounts.
pub const MAX_RULES: usize = 100;
/// Waiting proposals of a tenant. They are in the writer's memory, and nobody reviews more.
pub const MAX_WAITING: usize = 1_000;
/// Longest time to an expiry, in hours: 30 days. Figures that old say nothing about the present.
pub const MAX_EXPIRY_HOURS: u32 = 720;

macro_rules! approval_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal, priced: $priced:literal;)*) => {
        /// What a rule covers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum ApprovalKind {
            $($(#[$doc])* $name,)*
        }

        impl ApprovalKind {
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Stable name in the log and in the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Whether commands of the kind have an amount, so that a rule can begin at one.
            #[must_use]
            pub const fn is_priced(self) -> bool {
                match self { $(Self::$name => $priced,)* }
            }
        }
    };
}

approval_kinds! {
    /// Prepaid balance or cash for a party, paid at once.
    AssignmentOnCash = "assignment_on_cash", priced: true;
    /// Prepaid balance that its receiver owes.
    AssignmentOnCredit = "assignment_on_credit", priced: true;
    /// Another credit limit. Its amount is the new limit.
    CreditLimit = "credit_limit", priced: true;
    /// Rates and commissions of a party, a payment group or a currency, a new currency, and the delivery fees of a currency or a
    /// municipality.
    TermsAndRates = "terms_and_rates", priced: false;
    /// Reversal of a movement.
    Reversal = "reversal", priced: true;
    Expense = "expense", priced: true;
    /// Cash converted from one currency to another. Its amount is the larger of both sides at the reference rates.
    DealerExchange = "dealer_exchange", priced: true;
    /// Cancel of a remittance that a dealer has or had.
    CancelShipping = "cancel_shipping", priced: true;
    /// Edit of a remittance's amount more than 24 hours after the sale. Its amount is the larger of both.
    LateAmountEdit = "late_amount_edit", priced: true;
    /// A new user, one who may log in again, a member of the office who may do more, and what lets its maker log in as
    /// another: another address, the end of a second factor, a provider of single sign-on.
    User = "user", priced: false;
    /// Another card of a recipient.
    CardNumber = "card_number", priced: false;
    /// Closing of a period.
    Closing = "closing", priced: false;
    /// Release of a hold, whose amount is the remittance's, and a decision that a customer is not a listed person, which has none.
    HoldRelease = "hold_release", priced: true;
    /// Change of a limit rule.
    LimitRules = "limit_rules", priced: false;
    /// Another choice of lists for screening or of a threshold, or a change of an own list.
    ScreeningRules = "screening_rules", priced: false;
    /// Change of an approval rule.
    ApprovalRules = "approval_rules", priced: false;
}

impl ApprovalKind {
    /// Areas of its commands.
    #[must_use]
    pub const fn areas(self) -> &'static [Area] {
        match self {
            Self::AssignmentOnCash
            | Self::AssignmentOnCredit
            | Self::Reversal
            | Self::Expense
            | Self::DealerExchange => &[Area::Payments],
            Self::CreditLimit => &[Area::Parties],
            Self::TermsAndRates => &[Area::Rates, Area::Parties, Area::Settings],
            Self::CancelShipping | Self::LateAmountEdit => &[Area::Sales],
            // Permission sets are of the office; the provider of single sign-on is a setting.
            Self::User => &[Area::Office, Area::Parties, Area::Settings],
            Self::HoldRelease | Self::LimitRules | Self::ScreeningRules => &[Area::Compliance],
            Self::CardNumber => &[Area::Customers],
            Self::Closing => &[Area::Accounting],
            Self::ApprovalRules => &[Area::Settings],
        }
    }

    /// Areas of one of which its commands about a record are, as far as the record tells. `role` is that of a party; `None` for a
    /// party that there is not yet.
    #[must_use]
    pub const fn areas_of(self, record: StreamKind, role: Option<Role>) -> &'static [Area] {
        match (self, record, role) {
            (Self::TermsAndRates, StreamKind::Party, _) => &[Area::Parties],
            (Self::TermsAndRates, StreamKind::Rates, _) => &[Area::Rates],
            (Self::TermsAndRates, _, _) => &[Area::Settings],
            (Self::User, StreamKind::Party, Some(Role::Manager)) => &[Area::Office],
            (Self::User, StreamKind::Party, Some(_)) => &[Area::Parties],
            (Self::User, StreamKind::Party, None) => &[Area::Office, Area::Parties],
            (Self::User, StreamKind::Tenant, _) => &[Area::Office, Area::Settings],
            _ => self.areas(),
        }
    }
}

/// Which commands of which makers need an approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalRule {
    pub id: ApprovalRuleId,
    pub kind: ApprovalKind,
    /// Roles of the makers that it covers.
    pub makers: BTreeSet<Role>,
    /// Smallest covered amount in USD; `None` for every amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_amount: Option<Amount>,
    /// Role that approves; managers always may.
    pub approvers: Role,
    /// Hours after which a proposal can't be approved any more.
    pub expires_after_hours: u32,
}

impl ApprovalRule {
    /// Whether it could ever cover something.
    ///
    /// # Errors
    /// The first faulty field.
    pub fn validate(&self) -> Result<(), Refusal> {
        require(!self.makers.is_empty(), || Refusal::invalid("makers", "required"))?;
        require(matches!(self.approvers, Role::Manager | Role::Agency), || {
            Refusal::invalid("approvers", "role_cannot_approve")
        })?;
        require((1..=MAX_EXPIRY_HOURS).contains(&self.expires_after_hours), || {
            Refusal::invalid_with(
                "expiresAfterHours",
                "number_out_of_range",
                [("max", MAX_EXPIRY_HOURS.to_string())],
            )
        })?;
        let Some(from) = self.from_amount else { return Ok(()) };
        require(self.kind.is_priced(), || {
            Refusal::invalid("fromAmount", "approval_kind_without_amount")
        })?;
        require(from >= Amount::ZERO, || {
            Refusal::invalid("fromAmount", "amount_negative")
        })?;
        require(from <= Amount::LARGEST, || {
            Refusal::invalid("fromAmount", "amount_too_large")
        })
    }
}

/// Checks a new or changed rule. Warns of a rule whose makers have nobody to approve them.
pub(crate) fn check_rule(rule: &ApprovalRule, answer: &mut Answer, ctx: &Context<'_>) -> Result<(), Refusal> {
    rule.validate()?;
    let is_new = ctx.books.approval_rule(rule.id).is_none();
    require(!is_new || ctx.books.approval_rules().count() < MAX_RULES, || {
        Refusal::conflict("too_many_approval_rules").with("max", MAX_RULES)
    })?;
    let managers = ctx.books.parties();
    let managers = managers.filter(|party| party.role == Role::Manager && party.is_active);
    if rule.makers.contains(&Role::Manager) && managers.count() < 2 {
        answer.warnings.push("approval_without_second_manager".to_owned());
    }
    Ok(())
}

/// A command that waits for its approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommandProposed {
    pub id: ProposalId,
    pub kind: ApprovalKind,
    /// The rule that covered it.
    pub rule: ApprovalRuleId,
    pub maker: PartyId,
    /// Role that approves; managers always may.
    pub approvers: Role,
    pub expires_at: DateTime<Utc>,
    /// The stream that the command writes.
    pub stream: StreamId,
    /// Position at which the maker read the record; an approval is refused if the record changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<i64>,
    /// Amount in USD; `None` for commands without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// Figures that the maker confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// The person that the command would register. Forgotten where the proposal ends without effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PartyId>,
    /// Postings that the command would have made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transfers: Vec<Transfer>,
    pub personal: Personal<ProposedCommand>,
}

/// The effect of the approved command is in the events beside this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposalApproved {
    pub id: ProposalId,
    pub by: PartyId,
    /// The created or changed record.
    pub record: uuid::Uuid,
    /// Its number, for records that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposalRejected {
    pub id: ProposalId,
    pub by: PartyId,
    pub personal: Personal<RejectionReason>,
}

/// Why a proposal was rejected.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct RejectionReason {
    pub reason: String,
}

crate::personal::personal_data!(RejectionReason);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum ProposalEvent {
    CommandProposed(Box<CommandProposed>),
    ProposalApproved(ProposalApproved),
    ProposalRejected(ProposalRejected),
    /// Withdrawn by its maker.
    ProposalWithdrawn {
        id: ProposalId,
    },
    /// The proposal ended without effect: the person that it would have registered is forgotten.
    ProposedPersonForgotten {
        id: PartyId,
        proposal: ProposalId,
    },
}

impl ProposalEvent {
    /// The proposal.
    #[must_use]
    pub fn id(&self) -> ProposalId {
        match self {
            Self::CommandProposed(proposed) => proposed.id,
            Self::ProposalApproved(approved) => approved.id,
            Self::ProposalRejected(rejected) => rejected.id,
            Self::ProposalWithdrawn { id } => *id,
            Self::ProposedPersonForgotten { proposal, .. } => *proposal,
        }
    }
}

/// A proposal that is not decided, without personal data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proposal {
    pub id: ProposalId,
    pub kind: ApprovalKind,
    pub maker: PartyId,
    /// Role that approves; managers always may.
    pub approvers: Role,
    pub expires_at: DateTime<Utc>,
    /// The person that the command is about: an erasure ends the proposal.
    pub subject: SubjectId,
    /// The person that the command would register.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PartyId>,
    /// Position at which the maker read the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<i64>,
    /// Figures that the maker confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
}

impl Proposal {
    pub(crate) fn fold(state: Option<Self>, event: &ProposalEvent) -> Option<Self> {
        match event {
            ProposalEvent::CommandProposed(proposed) => Some(Self::of(proposed)),
            ProposalEvent::ProposalApproved(_)
            | ProposalEvent::ProposalRejected(_)
            | ProposalEvent::ProposalWithdrawn { .. }
            | ProposalEvent::ProposedPersonForgotten { .. } => state,
        }
    }

    pub(crate) fn of(proposed: &CommandProposed) -> Self {
        Self {
            id: proposed.id,
            kind: proposed.kind,
            maker: proposed.maker,
            approvers: proposed.approvers,
            expires_at: proposed.expires_at,
            subject: proposed.personal.subject(),
            person: proposed.person,
            as_of: proposed.as_of,
            figures: proposed.figures,
        }
    }
}

/// What a covered command is proposed with.
#[derive(Clone, Copy, Debug)]
pub struct Proposing {
    /// Id of the proposal, if the command is covered.
    pub id: ProposalId,
    /// Position at which the caller read the record, for a command that depends on it.
    pub as_of: Option<i64>,
}

/// Answer of a command that waits for its approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposed {
    pub id: ProposalId,
    pub kind: ApprovalKind,
    pub approvers: Role,
    pub expires_at: DateTime<Utc>,
}

/// The approval that a command needs.
#[derive(Clone, Debug, PartialEq)]
pub struct NeededApproval {
    pub rule: ApprovalRule,
    /// Amount in USD; `None` for commands without one.
    pub amount: Option<Amount>,
    command: ProposedCommand,
}

/// Commands of a proposal.
#[derive(Clone, PartialEq)]
pub enum ProposalCommand {
    /// Decides the proposed command again, as its maker. The caller reads the command from the proposal's event.
    Approve(Box<Command>),
    Reject {
        reason: String,
    },
    /// By the maker.
    Withdraw,
    /// Forgets the person that an expired proposal would have registered. System only.
    Expire,
}

/// Omits the reason.
impl std::fmt::Debug for ProposalCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Approve(command) => f.debug_tuple("Approve").field(command).finish(),
            Self::Reject { .. } => f.write_str("Reject { .. }"),
            Self::Withdraw => f.write_str("Withdraw"),
            Self::Expire => f.write_str("Expire"),
        }
    }
}

/// The rule that covers a command's decision, if any. Of several, the one with the highest approvers and then the
/// shortest expiry.
pub(crate) fn needed(
    command: &Command,
    own: &StreamState,
    decision: &Decision<Event>,
    ctx: &Context<'_>,
) -> Option<NeededApproval> {
    if decision.events.is_empty() || ctx.books.approval_rules().next().is_none() {
        return None;
    }
    let Actor::Party(id) = ctx.actor else { return None };
    let role = ctx.books.party(id)?.role;
    let coverage = coverage::of(command, own, decision, ctx)?;
    let covers = |rule: &&ApprovalRule| {
        rule.makers.contains(&role)
            && coverage
                .kinds
                .iter()
                .any(|(kind, amount)| *kind == rule.kind && reaches(*amount, rule.from_amount))
    };
    let rules = ctx.books.approval_rules().filter(covers);
    let rule = rules.min_by_key(|rule| (rule.approvers, rule.expires_after_hours, rule.id))?;
    let amount = coverage.kinds.iter().find(|(kind, _)| *kind == rule.kind)?.1;
    Some(NeededApproval {
        rule: rule.clone(),
        amount,
        command: coverage.command,
    })
}

/// Whether an amount is at least a rule's. One that has no value in USD is covered.
fn reaches(amount: Option<Amount>, from: Option<Amount>) -> bool {
    match (amount, from) {
        (Some(amount), Some(from)) => amount >= from,
        (None, _) | (_, None) => true,
    }
}

/// Replaces a decision by a proposal. The claims stay, to be checked and not taken.
///
/// # Errors
/// Too many proposals, or a command that can't wait.
pub fn propose(
    command: &Command,
    decision: Decision<Event>,
    needed: NeededApproval,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let maker = ctx.caller()?.id;
    let proposing = ctx.proposing.ok_or_else(|| Refusal::conflict("approval_needed"))?;
    require(ctx.books.waiting(ctx.now).count() < MAX_WAITING, || {
        Refusal::conflict("too_many_proposals").with("max", MAX_WAITING)
    })?;
    if let ProposedCommand::ChangeParty { id, change } = &needed.command
        && change.sets_password
    {
        // The password would be set at once.
        let is_active = ctx.books.party(*id).is_some_and(|party| party.is_active);
        let code = if is_active {
            "password_needs_its_owner"
        } else {
            "password_needs_own_request"
        };
        return Err(Refusal::invalid("password", code));
    }
    let person = match &needed.command {
        ProposedCommand::RegisterParty { register } => Some(register.id),
        _ => None,
    };
    // What a decision about a match depends on is read again for its approval: a screening meanwhile outdates nothing.
    let as_of = proposing
        .as_of
        .filter(|_| !matches!(needed.command, ProposedCommand::DecidePair { .. }));
    let figures = decision.figures();
    let mut parts = decision.events.iter().filter_map(Event::personal);
    let subject = parts.next().map_or(maker.into(), |part| part.subject());
    let entries = decision.events.iter().filter_map(Event::entry);
    let transfers = entries.flat_map(|entry| entry.transfers.iter().copied()).collect();
    let NeededApproval {
        rule,
        amount,
        command: stored,
    } = needed;
    let proposed = CommandProposed {
        id: proposing.id,
        kind: rule.kind,
        rule: rule.id,
        maker,
        approvers: rule.approvers,
        expires_at: ctx.now + Duration::hours(rule.expires_after_hours.into()),
        stream: command.stream(),
        as_of,
        amount,
        figures,
        person,
        transfers,
        personal: Personal::clear(subject, stored),
    };
    let answer = Answer {
        id: proposing.id.0,
        proposal: Some(Proposed {
            id: proposing.id,
            kind: rule.kind,
            approvers: rule.approvers,
            expires_at: proposed.expires_at,
        }),
        ..Answer::default()
    };
    Ok(Decision {
        events: vec![Event::Proposal(ProposalEvent::CommandProposed(Box::new(proposed)))],
        claims: decision.claims,
        answer,
    })
}

/// Whether a party may approve and reject a maker's proposals. Its maker may not.
#[must_use]
pub fn may_decide(caller: &Party, maker: &Party, approvers: Role) -> bool {
    caller.id != maker.id && (caller.role == Role::Manager || (caller.role == approvers && caller.oversees(maker)))
}

/// The waiting proposal, for somebody who may decide about it.
fn waiting_for<'a>(id: ProposalId, caller: &Party, ctx: &Context<'a>) -> Result<&'a Proposal, Refusal> {
    let waiting = ctx.books.proposal(id);
    let waiting = waiting.ok_or_else(|| Refusal::conflict("proposal_not_waiting"))?;
    require(waiting.maker != caller.id, || Refusal::forbidden("own_proposal"))?;
    let maker = ctx.books.party(waiting.maker);
    require(
        maker.is_some_and(|maker| may_decide(caller, maker, waiting.approvers)),
        || Refusal::not_found("proposal_not_found"),
    )?;
    Ok(waiting)
}

/// Decides the proposed command as its maker; `own` is the state of the command's stream.
pub(crate) fn approve(
    id: ProposalId,
    command: &Command,
    own: &StreamState,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let by = ctx.caller()?;
    let proposal = waiting_for(id, by, ctx)?;
    require(ctx.now < proposal.expires_at, || Refusal::conflict("proposal_expired"))?;
    let as_maker = Context {
        actor: Actor::Party(proposal.maker),
        proposing: None,
        ..*ctx
    };
    let decided = office::permit(command, &as_maker).and_then(|()| command::effect(command, own, &as_maker));
    let mut decision = decided.map_err(|refusal| match refusal.kind {
        RefusalKind::Forbidden | RefusalKind::NotFound => Refusal::conflict("proposal_not_permitted"),
        RefusalKind::Invalid | RefusalKind::Conflict => refusal,
    })?;
    // A figure that the approver does not confirm is that of the proposal.
    let confirmed = ctx.expected.unwrap_or_default();
    let expected = Expected {
        payout: confirmed.payout.or(proposal.figures.map(|figures| figures.payout)),
        total_to_pay: confirmed
            .total_to_pay
            .or(proposal.figures.map(|figures| figures.total_to_pay)),
    };
    expected.confirm(&decision).map_err(|refusal| Refusal {
        proposed: proposal.figures.map(Box::new),
        ..refusal
    })?;
    let approved = ProposalApproved {
        id,
        by: by.id,
        record: decision.answer.id,
        number: decision.answer.number.clone(),
    };
    let approved = ProposalEvent::ProposalApproved(approved);
    decision.events.push(Event::Proposal(approved));
    Ok(decision)
}

/// Rejection, withdrawal and expiry.
pub(crate) fn decide(
    id: ProposalId,
    command: &ProposalCommand,
    ctx: &Context<'_>,
) -> Result<Decision<ProposalEvent>, Refusal> {
    if *command == ProposalCommand::Expire {
        return expire(id, ctx);
    }
    let caller = ctx.caller()?;
    let (event, ended) = match command {
        // An approval writes the command's stream too: see `approve`.
        ProposalCommand::Approve(_) | ProposalCommand::Expire => {
            return Err(Refusal::conflict("stream_of_another_kind"));
        }
        ProposalCommand::Reject { reason } => {
            let proposal = waiting_for(id, caller, ctx)?;
            text::required_note("reason", reason, text::MAX_REASON_LENGTH)?;
            let reason = reason.trim().to_owned();
            let rejected = ProposalRejected {
                id,
                by: caller.id,
                // Said to the maker. The proposed person's key ends with this commit.
                personal: Personal::clear(proposal.maker, RejectionReason { reason }),
            };
            (ProposalEvent::ProposalRejected(rejected), proposal)
        }
        ProposalCommand::Withdraw => {
            let waiting = ctx.books.proposal(id);
            let waiting = waiting.ok_or_else(|| Refusal::conflict("proposal_not_waiting"))?;
            require(waiting.maker == caller.id, || Refusal::not_found("proposal_not_found"))?;
            (ProposalEvent::ProposalWithdrawn { id }, waiting)
        }
    };
    let mut decision = Decision::of(event, id);
    decision.events.extend(forgetting(ended, ctx));
    Ok(decision)
}

/// Ends an expired proposal of a person; nothing for others, whose expiry needs no event.
fn expire(id: ProposalId, ctx: &Context<'_>) -> Result<Decision<ProposalEvent>, Refusal> {
    require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
    let ended = ctx.books.proposal(id).filter(|proposal| proposal.expires_at <= ctx.now);
    let mut decision = Decision::nothing(id);
    decision.events.extend(ended.and_then(|ended| forgetting(ended, ctx)));
    Ok(decision)
}

/// Forgets the person that a proposal without effect would have registered. A person who was registered is a party, whom
/// an erasure can name.
fn forgetting(proposal: &Proposal, ctx: &Context<'_>) -> Option<ProposalEvent> {
    let person = proposal.person.filter(|person| ctx.books.party(*person).is_none())?;
    Some(ProposalEvent::ProposedPersonForgotten {
        id: person,
        proposal: proposal.id,
    })
}
