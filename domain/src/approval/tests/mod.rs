//! Given, when, then for approvals, over the business in memory.
//!
//! | File | Content |
//! |---|---|
//! | [`rules`] | which rules can be, and what they cover |
//! | [`proposals`] | what waits, what is stored of it, and its effect |
//! | [`deciding`] | approving, rejecting, withdrawing, expiring |
//! | [`users`] | users, permissions and logins |
//! | [`rates`] | terms, rates and delivery fees |
//! | [`kinds`] | opening balances, cash of another, cancels, reviews of customers, exchanges |
//! | [`past`] | what a rule would have covered |
//! | [`commands`] | a command of each kind |

mod commands;
mod deciding;
mod kinds;
mod past;
mod proposals;
mod rates;
mod rules;
mod users;

use crate::{
    Actor, Answer, Clear, Command, Event, Refusal, StreamId, TenantCommand,
    approval::{ApprovalKind, ApprovalRule, Past, PastEvent, ProposalCommand, ProposalEvent, ProposedCommand},
    ids::{ApprovalRuleId, MovementId, ObligationId, PartyId, ProposalId},
    money::{Amount, CurrencyCode},
    movement::{Deposit, DepositTo, ExpectedParty, Funds, MovementCommand},
    office::{OfficeAccess, SetName, Template},
    party::{PartyCommand, Registration, Role},
    testing::{Business, amount, any},
};

struct Office {
    business: Business,
    /// A second manager: approves what the first one proposes.
    second: PartyId,
}

impl Office {
    fn new() -> Self {
        let mut business = Business::funded();
        let manager = business.manager;
        let second = business.world.party(manager, "segunda", Registration::Manager);
        Self { business, second }
    }

    fn with_dollars_of_the_dealer() -> Self {
        let mut office = Self::new();
        let (manager, to) = (office.business.manager, any(office.business.dealer));
        let funds = Funds::Currency(CurrencyCode::USD);
        office
            .business
            .world
            .deposit(manager, to, funds, 1_000_00, false)
            .unwrap();
        office
    }

    /// A business where all kinds need an approval.
    fn with_all_rules() -> Self {
        let mut office = Self::new();
        // The last one covers rules themselves.
        for kind in ApprovalKind::ALL {
            office.set(rule(*kind, None));
        }
        office
    }

    fn set(&mut self, rule: ApprovalRule) -> Answer {
        let command = Command::Tenant(TenantCommand::SetApprovalRule(rule));
        self.by(self.business.manager, command).unwrap()
    }

    fn by(&mut self, actor: Actor, command: Command) -> Result<Answer, Refusal> {
        self.business.world.run(actor, command)
    }

    fn propose(&mut self, command: Command) -> ProposalId {
        let answer = self.by(self.business.manager, command).unwrap();
        answer.proposal.unwrap().id
    }

    /// The command as the log has it.
    fn stored(&self, id: ProposalId) -> Command {
        let stream = StreamId::new(crate::StreamKind::Proposal, id);
        let first = &self.business.world.history[&stream][0];
        let Event::Proposal(ProposalEvent::CommandProposed(proposed)) = first else {
            panic!("the first event of a proposal is no proposal")
        };
        let text = serde_json::to_string(&Clear(proposed.personal.get().unwrap())).unwrap();
        let command: ProposedCommand = serde_json::from_str(&text).unwrap();
        command.into()
    }

    fn decide(&mut self, by: PartyId, id: ProposalId, command: ProposalCommand) -> Result<Answer, Refusal> {
        self.by(Actor::Party(by), Command::Proposal(id, command))
    }

    fn approve(&mut self, by: PartyId, id: ProposalId) -> Result<Answer, Refusal> {
        let command = Box::new(self.stored(id));
        self.decide(by, id, ProposalCommand::Approve(command))
    }

    fn on_credit(&self, minor: i64) -> Command {
        let deposit = Deposit {
            to: DepositTo::Party(self.business.agency, ExpectedParty::Any),
            funds: Funds::Group(self.business.cup),
            amount: Amount::from_minor(minor),
            on_credit: true,
            note: Some("Semana 19".into()),
            debit: ObligationId::generate(),
        };
        movement(MovementCommand::Deposit(deposit))
    }

    fn maker(&self) -> PartyId {
        match self.business.manager {
            Actor::Party(id) => id,
            Actor::System => panic!("the manager is a party"),
        }
    }
}

fn rule(kind: ApprovalKind, from: Option<&str>) -> ApprovalRule {
    ApprovalRule {
        id: ApprovalRuleId::generate(),
        kind,
        makers: Role::ALL.iter().copied().collect(),
        from_amount: from.map(amount),
        approvers: Role::Manager,
        expires_after_hours: 24,
    }
}

fn movement(command: MovementCommand) -> Command {
    Command::Movement(MovementId::generate(), command)
}

fn by_template(template: Template) -> OfficeAccess {
    OfficeAccess {
        permission_set: Some(SetName::Template(template)),
        expires_at: None,
    }
}

fn access(party: PartyId, access: OfficeAccess) -> Command {
    Command::Party(party, PartyCommand::SetOfficeAccess(access))
}

/// What a rule would have covered of the log's events from `first` on, all by the manager.
fn caught(office: &Office, rule: &ApprovalRule, first: usize) -> Vec<Option<Amount>> {
    let world = &office.business.world;
    let mut past = Past::new(rule, &world.tenant_state, world.history.keys().copied());
    let mut told: std::collections::HashMap<StreamId, usize> = std::collections::HashMap::new();
    let mut found = Vec::new();
    for (index, (event, at)) in world.log.iter().enumerate() {
        let next = |stream: &StreamId| world.history[stream].get(told.get(stream).copied().unwrap_or(0)) == Some(event);
        let stream = *world.history.keys().find(|stream| next(stream)).unwrap();
        *told.entry(stream).or_default() += 1;
        let recorded = PastEvent {
            event,
            stream,
            at: *at,
            actor: office.business.manager,
            request: if index < first { "earlier" } else { "judged" },
        };
        if index >= first {
            found.extend(past.judge(recorded).map(|caught| caught.amount));
        }
        past.apply(recorded);
    }
    found
}

fn proposed_amount(office: &Office, id: ProposalId) -> Option<Amount> {
    let stream = StreamId::new(crate::StreamKind::Proposal, id);
    match &office.business.world.history[&stream][0] {
        Event::Proposal(ProposalEvent::CommandProposed(proposed)) => proposed.amount,
        event => panic!("{event:?}"),
    }
}
