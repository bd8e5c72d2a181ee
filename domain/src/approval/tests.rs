use super::*;
use crate::{
    api_key::{ApiKeyCommand, ApiKeyDetails, IssueApiKey, KeySecret, RotateApiKey},
    customer::{
        AddCard, CustomerCommand, DecidePair, OwnList, PairOutcome, RecordScreening, ScreeningCandidate, ScreeningRule,
        card::Brand,
    },
    ids::{
        ApiKeyId, ApprovalRuleId, CardId, CurrencyId, DebitId, LimitRuleId, MovementId, PermissionSetId, RateChangeId,
        SecondFactorId, SignOnId,
    },
    limits::{LimitOutcome, LimitRule, LimitWindow, Side},
    money::CurrencyCode,
    movement::{
        Deposit, DepositTo, Exchange, ExpectedParty, Expense, Funds, MovementCommand, OpenBalance, Opened,
        TransferCash, TransferTo,
    },
    nomenclator::{
        currency::{Currency, CurrencyCommand},
        payment_group::PaymentGroupCommand,
        place::{DistributionFee, PlaceCommand, PlaceSettings},
    },
    office::{OfficeAccess, PermissionSet, Permissions, SetName, Template},
    party::{ChangeParty, PartyCommand, PartyDetails, RegisterParty, Registration},
    personal::{Clear, PersonalData},
    rates::{RateTarget, RatesCommand, WantedRate},
    remittance::{AssignDealer, EditAmount, HoldOutcome, HoldReason, HoldRemittance, RemittanceCommand, ReviewHold},
    tenant::{SignOnProvider, TenantCommand},
    testing::{Business, amount, any, closing, rate, terms},
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
            debit: DebitId::generate(),
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

/// A command of each kind that the manager may give.
fn command_of(kind: ApprovalKind, office: &mut Office) -> Command {
    let (manager, dealer, cup) = (office.business.manager, office.business.dealer, office.business.cup);
    match kind {
        ApprovalKind::AssignmentOnCash | ApprovalKind::AssignmentOnCredit => {
            let Command::Movement(id, MovementCommand::Deposit(deposit)) = office.on_credit(31_850_00) else {
                panic!("a deposit")
            };
            let on_credit = kind == ApprovalKind::AssignmentOnCredit;
            Command::Movement(id, MovementCommand::Deposit(Deposit { on_credit, ..deposit }))
        }
        ApprovalKind::CreditLimit => {
            let present = office.business.world.books.party(office.business.agency).unwrap().terms[&cup].clone();
            let change = crate::party::TermsChange {
                group: cup,
                exchange_rate: Some(present.exchange_rate),
                commission: None,
                name: None,
                is_active: None,
                credit_limit: Some(amount("1000")),
            };
            Command::Party(office.business.agency, PartyCommand::SetTerms(change))
        }
        ApprovalKind::TermsAndRates => Command::Rates(
            RateChangeId::generate(),
            RatesCommand::Change {
                rates: vec![WantedRate {
                    target: RateTarget::Catalogue { group: cup },
                    from: None,
                    to: rate("333"),
                }],
                at: None,
            },
        ),
        ApprovalKind::Reversal => {
            let world = &office.business.world;
            let posted = world.log.iter().rev().find_map(|(event, _)| match event {
                Event::Movement(crate::movement::MovementEvent::MovementPosted(posted)) => Some(posted.movement.id),
                _ => None,
            });
            let reason = "Error".into();
            Command::Movement(posted.unwrap(), MovementCommand::Reverse { reason })
        }
        ApprovalKind::Expense => movement(MovementCommand::Expense(Expense {
            party: dealer,
            amount: amount("3300"),
            currency: CurrencyCode::CUP,
            concept: "Gasolina".into(),
        })),
        ApprovalKind::DealerExchange => movement(MovementCommand::Transfer(TransferCash {
            from: dealer,
            to: TransferTo::Party(dealer),
            amount: amount("3300"),
            currency: CurrencyCode::CUP,
            exchange: Some(Exchange {
                currency: CurrencyCode::USD,
                rate: rate("0.0031"),
            }),
            note: None,
        })),
        ApprovalKind::CancelShipping => {
            let sale = office.business.sale(cup, 100_00);
            let id = office.business.sell(office.business.agency, sale);
            let assign = AssignDealer {
                dealer,
                delivery_man: None,
            };
            office
                .business
                .act(manager, id, RemittanceCommand::Assign(assign))
                .unwrap();
            let reason = "Error".into();
            Command::Remittance(id, RemittanceCommand::Cancel { reason })
        }
        ApprovalKind::HoldRelease => {
            let sale = office.business.sale(cup, 100_00);
            let id = office.business.sell(office.business.agency, sale);
            let hold = HoldRemittance {
                reason: HoldReason::Screening,
                reference: Some(id.0),
                note: String::new(),
            };
            office
                .business
                .act(Actor::System, id, RemittanceCommand::Hold(hold))
                .unwrap();
            let review = ReviewHold {
                number: 1,
                outcome: HoldOutcome::Release,
                reason: "Es otra persona".into(),
                files: Vec::new(),
            };
            Command::Remittance(id, RemittanceCommand::ReviewHold(review))
        }
        ApprovalKind::LateAmountEdit => {
            let sale = office.business.sale(cup, 100_00);
            let id = office.business.sell(office.business.agency, sale);
            office.business.world.now += Duration::hours(25);
            let edit = EditAmount::new(amount("120"), cup);
            Command::Remittance(id, RemittanceCommand::EditAmount(edit))
        }
        ApprovalKind::User => {
            let id = PartyId::generate();
            let details = PartyDetails {
                name: "Nueva".into(),
                email: "nueva@example.test".into(),
                ..PartyDetails::default()
            };
            let register = RegisterParty {
                id,
                registration: Registration::Manager,
                details,
                is_active: true,
            };
            Command::Party(id, PartyCommand::Register(register))
        }
        ApprovalKind::CardNumber => {
            let (card, brand) = (CardId::generate(), Brand::BpaMlc);
            let number = format!("{}{:010}", brand.prefix(), 9);
            let add = AddCard { card, brand, number };
            Command::Customer(office.business.berta, CustomerCommand::AddCard(add))
        }
        ApprovalKind::Closing => Command::Closure(closing(office.business.agency)),
        ApprovalKind::ApprovalRules => {
            let rule = rule(ApprovalKind::Expense, Some("5"));
            Command::Tenant(TenantCommand::SetApprovalRule(rule))
        }
        ApprovalKind::LimitRules => Command::Tenant(TenantCommand::SetLimitRule(limit_rule())),
        ApprovalKind::ScreeningRules => {
            let rule = ScreeningRule {
                lists: [("own".to_owned(), 90)].into(),
            };
            Command::Tenant(TenantCommand::SetScreening(rule))
        }
    }
}

fn limit_rule() -> LimitRule {
    LimitRule {
        id: LimitRuleId::generate(),
        side: Side::Sender,
        window: LimitWindow::Days30,
        groups: BTreeSet::new(),
        amount: Some(amount("1000")),
        count: None,
        outcome: LimitOutcome::Hold,
        needs: BTreeSet::new(),
    }
}

/// A kind covers every command that changes the same rules: what is added can't be removed or replaced without an approval.
#[test]
fn every_change_of_limit_rules_lists_and_thresholds_waits_where_a_rule_covers_it() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let known = limit_rule();
    let own = OwnList {
        name: "own".into(),
        version: "0f".repeat(32),
        entries: 2,
        names: 3,
    };
    let lists = |threshold| ScreeningRule {
        lists: [("ofac-sdn".to_owned(), threshold)].into(),
    };
    for command in [
        TenantCommand::SetLimitRule(known.clone()),
        TenantCommand::LoadOwnList(own.clone()),
        TenantCommand::SetScreening(lists(90)),
    ] {
        let answer = office.by(manager, Command::Tenant(command)).unwrap();
        assert_eq!(answer.proposal, None, "no rule covers it yet");
    }
    office.set(rule(ApprovalKind::LimitRules, None));
    office.set(rule(ApprovalKind::ScreeningRules, None));
    let more = LimitRule {
        amount: Some(amount("9000")),
        ..known.clone()
    };
    let other = OwnList {
        version: "1e".repeat(32),
        ..own.clone()
    };
    for command in [
        TenantCommand::SetLimitRule(more),
        TenantCommand::SetLimitRule(limit_rule()),
        TenantCommand::RemoveLimitRule(known.id),
        TenantCommand::SetScreening(lists(99)),
        TenantCommand::SetScreening(ScreeningRule::default()),
        TenantCommand::LoadOwnList(other.clone()),
        TenantCommand::RemoveOwnList(own.name.clone()),
    ] {
        let proposed = Command::Tenant(command);
        let id = office.propose(proposed.clone());
        assert!(office.stored(id) == proposed, "{proposed:?}");
    }
    let books = &office.business.world.books;
    assert_eq!(books.limits().rule(known.id), Some(&known));
    assert_eq!(books.own_list("own"), Some(&own));
    assert_eq!(books.screening_rule(), &lists(90));
    let id = office.propose(Command::Tenant(TenantCommand::LoadOwnList(other.clone())));
    let second = office.second;
    office.approve(second, id).unwrap();
    assert_eq!(office.business.world.books.own_list("own"), Some(&other));
}

#[test]
fn every_kind_waits_for_its_approval_has_no_effect_before_and_the_same_effect_after() {
    for kind in ApprovalKind::ALL {
        let mut office = Office::new();
        let proposed = command_of(*kind, &mut office);
        office.set(rule(*kind, None));
        let before = office.business.world.books.clone();
        let stream = proposed.stream();
        let events = office.business.world.history.get(&stream).map_or(0, Vec::len);
        let id = office.propose(proposed.clone());
        let after = &office.business.world.books;
        assert_eq!(after.numbers(), before.numbers(), "{kind:?}");
        assert!(
            before.accounts().all(|(account, held)| after.balance(account) == held),
            "{kind:?}"
        );
        assert_eq!(
            office.business.world.history.get(&stream).map_or(0, Vec::len),
            events,
            "{kind:?}"
        );
        assert_eq!(after.proposal(id).unwrap().kind, *kind);
        assert!(
            office.stored(id) == proposed,
            "{kind:?} is read from the log as it was given"
        );

        let second = office.second;
        office.approve(second, id).unwrap();
        assert!(
            office.business.world.history[&stream].len() > events,
            "{kind:?} takes effect with its approval"
        );
        assert_eq!(office.business.world.books.proposal(id), None, "{kind:?}");
    }
}

#[test]
fn without_rules_and_below_a_rules_amount_or_outside_its_roles_a_command_takes_effect_at_once() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let answer = office.by(manager, office.on_credit(31_850_00)).unwrap();
    assert_eq!((answer.proposal, answer.debit_id.is_some()), (None, true));

    // 31850 CUP at 318.50 are 100 USD.
    office.set(rule(ApprovalKind::AssignmentOnCredit, Some("100.01")));
    let agencies = ApprovalRule {
        makers: [Role::Agency].into(),
        ..rule(ApprovalKind::AssignmentOnCredit, None)
    };
    office.set(agencies);
    assert_eq!(office.by(manager, office.on_credit(31_850_00)).unwrap().proposal, None);
    office.set(rule(ApprovalKind::AssignmentOnCredit, Some("100")));
    assert!(
        office
            .by(manager, office.on_credit(31_850_00))
            .unwrap()
            .proposal
            .is_some()
    );
}

#[test]
fn a_command_that_would_be_refused_is_not_proposed() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let manager = office.business.manager;
    let refusal = office.by(manager, office.on_credit(0)).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Invalid);
    assert_eq!(
        office.business.world.books.waiting(office.business.world.now).count(),
        0
    );
}

#[test]
fn nobody_approves_or_rejects_what_they_proposed_and_only_the_maker_withdraws() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let (maker, second, agency) = (office.maker(), office.second, office.business.agency);
    let id = office.propose(office.on_credit(31_850_00));
    let reject = || ProposalCommand::Reject { reason: "No".into() };
    assert_eq!(office.approve(maker, id).unwrap_err().code, "own_proposal");
    assert_eq!(office.decide(maker, id, reject()).unwrap_err().code, "own_proposal");
    assert_eq!(office.approve(agency, id).unwrap_err().code, "proposal_not_found");
    assert_eq!(
        office.decide(second, id, ProposalCommand::Withdraw).unwrap_err().code,
        "proposal_not_found"
    );
    office.decide(maker, id, ProposalCommand::Withdraw).unwrap();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_waiting");
}

#[test]
fn a_rejection_needs_a_reason_and_a_proposal_is_decided_once() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let second = office.second;
    let id = office.propose(office.on_credit(31_850_00));
    let empty = ProposalCommand::Reject { reason: " ".into() };
    assert_eq!(office.decide(second, id, empty).unwrap_err().errors[0].field, "reason");
    let rejected = ProposalCommand::Reject { reason: "No".into() };
    office.decide(second, id, rejected).unwrap();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_waiting");

    let id = office.propose(office.on_credit(31_850_00));
    office.approve(second, id).unwrap();
    let log = office.business.world.log.len();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_waiting");
    assert_eq!(office.business.world.log.len(), log);
}

#[test]
fn an_expired_proposal_is_not_approved() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let id = office.propose(office.on_credit(31_850_00));
    office.business.world.now += Duration::hours(24);
    assert_eq!(office.approve(office.second, id).unwrap_err().code, "proposal_expired");
    // It leaves the state with the next proposal.
    office.propose(office.on_credit(31_850_00));
    assert_eq!(office.business.world.books.proposal(id), None);
}

#[test]
fn changed_figures_are_confirmed_again_by_the_approver() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let (manager, second, agency) = (office.business.manager, office.second, office.business.agency);
    let id = office.propose(office.on_credit(31_850_00));
    let set = PartyCommand::SetTerms(terms(office.business.cup, "300", Default::default(), "0"));
    office.by(manager, Command::Party(agency, set)).unwrap();
    let refusal = office.approve(second, id).unwrap_err();
    assert_eq!(refusal.code, "quote_changed");
    let (figures, proposed) = (refusal.figures.unwrap(), refusal.proposed.unwrap());
    assert_eq!(
        (proposed.total_to_pay, figures.total_to_pay),
        (amount("100"), amount("106.17"))
    );
    // What is not confirmed is not agreed to: neither a part of the figures nor none of them.
    for payout in [Some(figures.payout), None] {
        office.business.world.expected = Some(Expected {
            payout,
            total_to_pay: None,
        });
        assert_eq!(
            office.approve(second, id).unwrap_err().code,
            "quote_changed",
            "{payout:?}"
        );
    }
    office.business.world.expected = Some(Expected {
        payout: Some(figures.payout),
        total_to_pay: Some(figures.total_to_pay),
    });
    office.approve(second, id).unwrap();
}

#[test]
fn a_maker_who_may_no_longer_do_it_makes_the_approval_fail() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let second = office.second;
    let id = office.propose(office.on_credit(31_850_00));
    let maker = office.maker();
    office
        .by(Actor::Party(second), Command::Party(maker, PartyCommand::Deactivate))
        .unwrap();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_permitted");
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

#[test]
fn an_approver_needs_the_permission_for_the_proposed_command_and_a_rejection_needs_one_of_its_kind() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let (manager, second) = (office.business.manager, office.second);
    let id = office.propose(office.on_credit(31_850_00));
    let lacking = |refusal: Refusal| (refusal.code, refusal.params["permission"].clone());
    let payments = ("permission_missing", "payments:write".to_owned());
    office
        .by(manager, access(second, by_template(Template::Auditor)))
        .unwrap();
    assert_eq!(lacking(office.approve(second, id).unwrap_err()), payments);
    let reason = "No".to_owned();
    let rejected = office.decide(second, id, ProposalCommand::Reject { reason });
    assert_eq!(lacking(rejected.unwrap_err()), payments);
    office
        .by(manager, access(second, by_template(Template::Accountant)))
        .unwrap();
    office.approve(second, id).unwrap();
}

#[test]
fn a_maker_who_lost_the_permission_makes_the_approval_fail() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let (manager, second) = (office.business.manager, office.second);
    let third = office.business.world.party(manager, "tercera", Registration::Manager);
    let command = office.on_credit(31_850_00);
    let id = office.by(Actor::Party(third), command).unwrap().proposal.unwrap().id;
    office
        .by(manager, access(third, by_template(Template::Auditor)))
        .unwrap();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_permitted");
}

#[test]
fn more_access_for_a_member_of_the_office_waits_and_less_does_not() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::User, None));
    let (manager, second) = (office.business.manager, office.second);
    let third = Registration::Office(by_template(Template::Auditor));
    let third = office.business.world.party(Actor::System, "tercera", third);
    let mut waits = |given: OfficeAccess| office.by(manager, access(third, given)).unwrap().proposal.is_some();
    let mut until = by_template(Template::Auditor);
    assert!(waits(by_template(Template::Accountant)));
    assert!(!waits(by_template(Template::Auditor)));
    until.expires_at = Some(DateTime::<Utc>::MAX_UTC);
    assert!(!waits(until));
    assert!(waits(by_template(Template::Auditor)));
    let id = office.propose(access(third, OfficeAccess::FULL));
    office.approve(second, id).unwrap();
    assert_eq!(office.business.world.books.office_access(third), OfficeAccess::FULL);
}

#[test]
fn more_permissions_for_a_set_that_somebody_has_wait() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::User, None));
    let (manager, second) = (office.business.manager, office.second);
    let third = office
        .business
        .world
        .party(Actor::System, "tercera", Registration::Manager);
    let set = |area: Area| {
        let set = PermissionSet {
            id: PermissionSetId(uuid::Uuid::from_u128(7)),
            name: "Caja".to_owned(),
            permissions: Permissions::writing(&[area]),
        };
        Command::Tenant(TenantCommand::DefinePermissionSet(set))
    };
    let free = office.by(manager, set(Area::Sales)).unwrap();
    assert_eq!(free.proposal, None);
    let own = OfficeAccess {
        permission_set: Some(SetName::Own(PermissionSetId(uuid::Uuid::from_u128(7)))),
        expires_at: None,
    };
    assert_eq!(office.by(manager, access(third, own)).unwrap().proposal, None);
    let id = office.propose(set(Area::Payments));
    let held = |office: &Office| office.business.world.books.permissions_of(&own);
    assert_eq!(held(&office), Permissions::writing(&[Area::Sales]));
    office.approve(second, id).unwrap();
    assert_eq!(held(&office), Permissions::writing(&[Area::Payments]));
}

#[test]
fn an_agency_approves_its_agents_and_nobody_elses() {
    let mut office = Office::new();
    let agents = ApprovalRule {
        approvers: Role::Agency,
        ..rule(ApprovalKind::CardNumber, None)
    };
    office.set(agents);
    let (agency, other, agent) = (
        office.business.agency,
        office.business.other_agency,
        office.business.agent,
    );
    let command = command_of(ApprovalKind::CardNumber, &mut office);
    let answer = office.by(Actor::Party(agent), command).unwrap();
    let id = answer.proposal.unwrap().id;
    assert_eq!(office.approve(other, id).unwrap_err().code, "proposal_not_found");
    office.approve(agency, id).unwrap();
}

#[test]
fn a_reactivation_with_a_password_does_not_wait() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::User, None));
    let (manager, agent) = (office.business.manager, office.business.agent);
    office
        .by(manager, Command::Party(agent, PartyCommand::Deactivate))
        .unwrap();
    let change = |sets_password| {
        PartyCommand::Change(ChangeParty {
            details: PartyDetails {
                name: "Agente".into(),
                email: "otra@example.test".into(),
                ..PartyDetails::default()
            },
            known: None,
            sets_password,
            is_active: Some(true),
            territory: None,
        })
    };
    let refusal = office.by(manager, Command::Party(agent, change(true))).unwrap_err();
    assert_eq!(refusal.errors[0].code, "password_needs_own_request");
    let id = office.propose(Command::Party(agent, change(false)));
    assert!(!office.business.world.books.party(agent).unwrap().is_active);
    office.approve(office.second, id).unwrap();
    assert!(office.business.world.books.party(agent).unwrap().is_active);
}

#[test]
fn what_was_read_for_a_command_is_not_kept_with_its_proposal() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::LateAmountEdit, None));
    let mut command = command_of(ApprovalKind::LateAmountEdit, &mut office);
    let Command::Remittance(_, RemittanceCommand::EditAmount(edit)) = &mut command else {
        panic!("an edit of an amount")
    };
    edit.customers = vec![office.business.ana, office.business.berta];
    let id = office.propose(command);
    let stream = StreamId::new(crate::StreamKind::Proposal, id);
    let event = &office.business.world.history[&stream][0];
    let stored = event.encode_in_clear().unwrap();
    let read = Event::decode(event.stream_kind(), event.event_type(), event.event_version(), &stored).unwrap();
    assert_eq!(&read, event);
}

#[test]
fn nobody_acts_as_the_approver_by_a_key_of_his() {
    let mut office = Office::new();
    let (manager, second, agency) = (office.business.manager, office.second, office.business.agency);
    let auditor = office.business.world.party(manager, "auditora", Registration::Manager);
    let access = PartyCommand::SetOfficeAccess(by_template(Template::Auditor));
    office.by(manager, Command::Party(auditor, access)).unwrap();
    let expires_at = office.business.world.now + chrono::Duration::days(30);
    let secret = |digest: &str| KeySecret {
        start: format!("caudal_live_{digest}"),
        digest: digest.to_owned(),
    };
    let issue = |party: PartyId, digest: &str| IssueApiKey {
        party,
        details: ApiKeyDetails { name: "Libro".into() },
        scopes: ["remittances:write".parse().unwrap()].into(),
        expires_at,
        networks: Vec::new(),
        requests_per_minute: 600,
        secret: secret(digest),
    };
    let key = |id: ApiKeyId, command: ApiKeyCommand| Command::ApiKey(id, command);
    let of_second = ApiKeyId::generate();
    office
        .by(manager, key(of_second, ApiKeyCommand::Issue(issue(second, "a"))))
        .unwrap();
    office.set(rule(ApprovalKind::User, None));
    for (party, digest) in [(second, "b"), (agency, "c")] {
        let issued = office.by(
            manager,
            key(ApiKeyId::generate(), ApiKeyCommand::Issue(issue(party, digest))),
        );
        assert_eq!(issued.unwrap_err().code, "api_key_needs_its_owner");
    }
    let rotation = RotateApiKey {
        secret: secret("d"),
        overlap: chrono::Duration::zero(),
        expires_at: None,
    };
    let rotated = office.by(manager, key(of_second, ApiKeyCommand::Rotate(rotation.clone())));
    assert_eq!(rotated.unwrap_err().code, "api_key_needs_its_owner");
    office.by(manager, key(of_second, ApiKeyCommand::Revoke)).unwrap();
    // The owners issue theirs, and who writes nothing proposes nothing.
    for (actor, party, digest) in [
        (Actor::Party(second), second, "e"),
        (Actor::Party(agency), agency, "f"),
        (manager, auditor, "g"),
    ] {
        office
            .by(
                actor,
                key(ApiKeyId::generate(), ApiKeyCommand::Issue(issue(party, digest))),
            )
            .unwrap();
    }
}

#[test]
fn nobody_logs_in_as_the_approver_by_an_address_a_password_the_end_of_a_factor_or_a_provider() {
    let mut office = Office::new();
    let (manager, second) = (office.business.manager, office.second);
    let known = PartyDetails {
        name: "segunda".into(),
        email: "segunda@example.test".into(),
        ..PartyDetails::default()
    };
    let change = |email: &str, sets_password: bool| {
        PartyCommand::Change(ChangeParty {
            details: PartyDetails {
                email: email.into(),
                ..known.clone()
            },
            known: Some(Box::new(known.clone())),
            sets_password,
            is_active: None,
            territory: None,
        })
    };
    let factor = Command::Party(second, PartyCommand::EnrolSecondFactor(SecondFactorId::generate()));
    office.by(Actor::Party(second), factor).unwrap();
    office.set(rule(ApprovalKind::User, None));
    let id = office.propose(Command::Party(second, PartyCommand::EndSecondFactors));
    assert!(office.business.world.books.second_factor(second).is_some());
    office.approve(second, id).unwrap();
    assert_eq!(office.business.world.books.second_factor(second), None);
    office.propose(Command::Party(second, change("mia@example.test", false)));
    let password = Command::Party(second, change(&known.email, true));
    let refusal = office.by(manager, password).unwrap_err();
    assert_eq!(refusal.errors[0].code, "password_needs_its_owner");
    // Neither a name nor what concerns the own login waits.
    let mut renamed = change(&known.email, false);
    if let PartyCommand::Change(change) = &mut renamed {
        change.details.name = "Segunda".into();
    }
    assert_eq!(
        office.by(manager, Command::Party(second, renamed)).unwrap().proposal,
        None
    );
    let own = Command::Party(second, change("otra@example.test", true));
    assert_eq!(office.by(Actor::Party(second), own).unwrap().proposal, None);
    let provider = SignOnProvider {
        id: SignOnId::generate(),
        issuer: "https://login.example.test".into(),
        client_id: "caudal".into(),
        is_enabled: true,
        secret_id: None,
    };
    let provider = Command::Tenant(TenantCommand::SetSignOn(Some(provider)));
    let id = office.propose(provider);
    assert!(office.business.world.books.sign_on().is_none());
    office.approve(second, id).unwrap();
    assert!(office.business.world.books.sign_on().is_some());
}

#[test]
fn terms_given_with_a_registration_and_with_a_group_need_the_approval_of_terms() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::TermsAndRates, None));
    let id = PartyId::generate();
    let register = RegisterParty {
        id,
        registration: Registration::Agency {
            terms: vec![terms(office.business.cup, "300", Default::default(), "0")],
        },
        details: PartyDetails {
            name: "Nueva".into(),
            email: "nueva@example.test".into(),
            ..PartyDetails::default()
        },
        is_active: true,
    };
    office.propose(Command::Party(id, PartyCommand::Register(register)));
    let mut group = office.business.world.books.group(office.business.cup).unwrap().clone();
    group.exchange_rate = rate("300");
    office.propose(Command::PaymentGroup(
        group.id,
        PaymentGroupCommand::Change(group.clone()),
    ));
    group.exchange_rate = office.business.world.books.group(group.id).unwrap().exchange_rate;
    group.is_active = false;
    let manager = office.business.manager;
    let closed = Command::PaymentGroup(group.id, PaymentGroupCommand::Change(group));
    assert_eq!(office.by(manager, closed).unwrap().proposal, None);
}

#[test]
fn with_every_rule_set_the_rules_themselves_wait() {
    let mut office = Office::with_all_rules();
    let rules = office.business.world.books.approval_rules().count();
    let of_expenses = office.business.world.books.approval_rules();
    let of_expenses = of_expenses.map(|rule| rule.id).next().unwrap();
    let id = office.propose(Command::Tenant(TenantCommand::RemoveApprovalRule(of_expenses)));
    assert_eq!(office.business.world.books.approval_rules().count(), rules);
    office.approve(office.second, id).unwrap();
    assert_eq!(office.business.world.books.approval_rules().count(), rules - 1);
}

#[test]
fn the_last_manager_is_warned_of_a_rule_for_managers() {
    let mut business = Business::new();
    let manager = business.manager;
    let command = |rule| Command::Tenant(TenantCommand::SetApprovalRule(rule));
    let answer = business
        .world
        .run(manager, command(rule(ApprovalKind::Expense, None)))
        .unwrap();
    assert_eq!(answer.warnings, ["approval_without_second_manager"]);
    let mut office = Office::new();
    assert!(office.set(rule(ApprovalKind::Expense, None)).warnings.is_empty());
}

#[test]
fn a_rule_that_could_never_work_is_refused() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let good = rule(ApprovalKind::Expense, Some("10"));
    let faults = [
        (
            "makers",
            ApprovalRule {
                makers: [].into(),
                ..good.clone()
            },
        ),
        (
            "approvers",
            ApprovalRule {
                approvers: Role::DeliveryMan,
                ..good.clone()
            },
        ),
        (
            "expiresAfterHours",
            ApprovalRule {
                expires_after_hours: 0,
                ..good.clone()
            },
        ),
        (
            "expiresAfterHours",
            ApprovalRule {
                expires_after_hours: 721,
                ..good.clone()
            },
        ),
        (
            "fromAmount",
            ApprovalRule {
                kind: ApprovalKind::Closing,
                ..good.clone()
            },
        ),
        (
            "fromAmount",
            ApprovalRule {
                from_amount: Some(amount("-1")),
                ..good.clone()
            },
        ),
    ];
    for (field, rule) in faults {
        let command = Command::Tenant(TenantCommand::SetApprovalRule(rule));
        assert_eq!(office.by(manager, command).unwrap_err().errors[0].field, field);
    }
    let agency = Actor::Party(office.business.agency);
    let command = Command::Tenant(TenantCommand::SetApprovalRule(good));
    assert_eq!(office.by(agency, command).unwrap_err().kind, RefusalKind::Forbidden);
}

#[test]
fn a_proposed_command_tells_nothing_in_a_debug_text() {
    let mut office = Office::new();
    let Command::Party(_, PartyCommand::Register(register)) = command_of(ApprovalKind::User, &mut office) else {
        panic!("a registration")
    };
    let stored = ProposedCommand::RegisterParty { register };
    let shown = format!("{stored:?}");
    assert!(!shown.contains("Nueva"), "{shown}");
    let mut clear = Vec::new();
    let mut writer = serde_json::Serializer::new(&mut clear);
    stored.serialize_clear(&mut writer).unwrap();
    assert!(String::from_utf8(clear).unwrap().contains("Nueva"));
}

/// What a rule would have covered of the log's events from `first` on, all by the manager.
fn caught(office: &Office, rule: &ApprovalRule, first: usize) -> Vec<Option<Amount>> {
    let world = &office.business.world;
    let mut past = Past::new(rule, &world.books, world.history.keys().copied());
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

#[test]
fn a_rule_would_have_caught_what_it_covers_now_once_and_with_the_same_amount() {
    for kind in ApprovalKind::ALL {
        let mut office = Office::new();
        let command = command_of(*kind, &mut office);
        let first = office.business.world.log.len();
        office.by(office.business.manager, command).unwrap();
        let events = &office.business.world.log[first..];
        assert!(
            events
                .iter()
                .any(|(event, _)| Past::types(*kind).contains(&event.event_type())),
            "{kind:?}"
        );
        let with_rule = rule(*kind, None);
        let found = caught(&office, &with_rule, first);
        assert_eq!(found.len(), 1, "{kind:?}: {found:?}");
        for other in ApprovalKind::ALL.iter().filter(|other| *other != kind) {
            assert_eq!(caught(&office, &rule(*other, None), first), [], "{other:?} of {kind:?}");
        }
        let agencies = ApprovalRule {
            makers: [Role::Agency].into(),
            ..with_rule
        };
        assert_eq!(caught(&office, &agencies, first), [], "{kind:?}");

        let mut ruled = Office::new();
        let command = command_of(*kind, &mut ruled);
        ruled.set(rule(*kind, None));
        let id = ruled.propose(command);
        let stream = StreamId::new(crate::StreamKind::Proposal, id);
        let Event::Proposal(ProposalEvent::CommandProposed(proposed)) = &ruled.business.world.history[&stream][0]
        else {
            panic!("a proposal")
        };
        assert_eq!(found, [proposed.amount], "{kind:?}");
        if let Some(amount) = proposed.amount {
            let from = |from: Amount| ApprovalRule {
                from_amount: Some(from),
                ..rule(*kind, None)
            };
            assert_eq!(caught(&office, &from(amount), first).len(), 1, "{kind:?}");
            assert_eq!(
                caught(&office, &from(amount + Amount::from_minor(1)), first),
                [],
                "{kind:?}"
            );
        }
    }
}

#[test]
fn a_rule_would_have_caught_more_access_and_not_less() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let third = Registration::Office(by_template(Template::Auditor));
    let third = office.business.world.party(Actor::System, "tercera", third);
    let first = office.business.world.log.len();
    let mut until = by_template(Template::Auditor);
    until.expires_at = Some(DateTime::<Utc>::MAX_UTC);
    for given in [until, by_template(Template::Accountant)] {
        office.by(manager, access(third, given)).unwrap();
    }
    assert_eq!(caught(&office, &rule(ApprovalKind::User, None), first), [None]);
    office
        .by(manager, Command::Party(third, PartyCommand::Deactivate))
        .unwrap();
    assert_eq!(caught(&office, &rule(ApprovalKind::User, None), first), [None]);
}

#[test]
fn an_opening_balance_of_a_party_waits_where_an_assignment_does_and_the_treasurys_does_not() {
    let (cash, credit) = (ApprovalKind::AssignmentOnCash, ApprovalKind::AssignmentOnCredit);
    const USD: CurrencyCode = CurrencyCode::USD;
    type Of = fn(&Business) -> Opened;
    let opened: [(&[ApprovalKind], Of); 3] = [
        (&[cash, credit], |business| {
            Opened::Balance(business.agency, business.usd)
        }),
        (&[cash], |business| Opened::Cash(business.dealer, USD)),
        (&[], |_| Opened::Treasury(USD)),
    ];
    for (covered, of) in opened {
        for kind in [cash, credit, ApprovalKind::Expense] {
            let mut business = Business::new();
            let manager = business.manager;
            let second = business.world.party(manager, "segunda", Registration::Manager);
            let mut office = Office { business, second };
            let of = of(&office.business);
            let open = movement(MovementCommand::Open(OpenBalance {
                of,
                amount: amount("100"),
            }));
            office.set(rule(kind, Some("100")));
            let first = office.business.world.log.len();
            let answer = office.by(manager, open.clone()).unwrap();
            assert_eq!(answer.proposal.is_some(), covered.contains(&kind), "{of:?} {kind:?}");
            let Some(proposal) = answer.proposal else { continue };
            assert!(office.stored(proposal.id) == open);
            office.approve(second, proposal.id).unwrap();
            assert_eq!(
                caught(&office, &rule(kind, None), first),
                [Some(amount("100"))],
                "{of:?} {kind:?}"
            );
        }
    }
}

#[test]
fn what_a_dealer_had_needs_the_approval_also_after_an_error_and_an_edit() {
    let mut office = Office::new();
    let Command::Remittance(id, cancel) = command_of(ApprovalKind::CancelShipping, &mut office) else {
        panic!("a remittance")
    };
    let (manager, cup) = (office.business.manager, office.business.cup);
    let reason = "Nadie en casa".to_owned();
    office
        .business
        .act(manager, id, RemittanceCommand::MarkError { reason })
        .unwrap();
    office.set(rule(ApprovalKind::CancelShipping, None));
    let cancel = || Command::Remittance(id, cancel.clone());
    let proposal = office.by(manager, cancel()).unwrap().proposal;
    let second = office.second;
    let reject = ProposalCommand::Reject { reason: "No".into() };
    office.decide(second, proposal.unwrap().id, reject).unwrap();
    let edit = EditAmount::new(amount("90"), cup);
    office
        .business
        .act(manager, id, RemittanceCommand::EditAmount(edit))
        .unwrap();
    assert!(office.by(manager, cancel()).unwrap().proposal.is_some());
    // One that nobody carried is canceled at once.
    let sale = office.business.sale(cup, 100_00);
    let id = office.business.sell(office.business.agency, sale);
    let reason = "Error".into();
    let cancel = Command::Remittance(id, RemittanceCommand::Cancel { reason });
    assert_eq!(office.by(manager, cancel).unwrap().proposal, None);
}

#[test]
fn delivery_fees_of_currencies_and_municipalities_need_the_approval_of_rates() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let (currency, _) = fees(&office, "3");
    office.by(manager, currency).unwrap();
    let first = office.business.world.log.len();
    for amount in ["4", "5"] {
        let (currency, municipality) = fees(&office, amount);
        office.by(manager, currency).unwrap();
        office.by(manager, municipality).unwrap();
    }
    let rates = rule(ApprovalKind::TermsAndRates, None);
    assert_eq!(caught(&office, &rates, first), [None; 4]);

    office.set(rates);
    let (same_currency, same_municipality) = fees(&office, "5");
    assert_eq!(office.by(manager, same_currency).unwrap().proposal, None);
    let Command::Place(PlaceCommand::ChangeMunicipality(place, settings)) = same_municipality else {
        panic!("a municipality")
    };
    let closed = PlaceSettings {
        enabled: false,
        ..settings
    };
    let closed = Command::Place(PlaceCommand::ChangeMunicipality(place, closed));
    assert_eq!(office.by(manager, closed).unwrap().proposal, None, "no other fee");
    let (currency, municipality) = fees(&office, "6");
    for command in [currency, municipality] {
        let id = office.propose(command.clone());
        assert_eq!(office.stored(id), command);
        office.approve(office.second, id).unwrap();
    }
    let fee = office
        .business
        .world
        .books
        .municipality(place)
        .distribution_fee
        .unwrap();
    assert_eq!(fee.amount, amount("6"));
}

#[test]
fn a_new_currency_needs_the_approval_of_rates_also_in_place_of_a_removed_one() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let pounds = |exchange_rate: &str| Currency {
        id: CurrencyId::generate(),
        code: "GBP".parse().unwrap(),
        symbol: "£".into(),
        exchange_rate: rate(exchange_rate),
        distribution_rate: amount("3"),
        accounted: true,
        enabled: true,
    };
    let add = |currency: &Currency| Command::Currency(currency.id, CurrencyCommand::Add(currency.clone()));
    let first = office.business.world.log.len();
    let known = pounds("0.8");
    office.by(manager, add(&known)).unwrap();
    let rates = rule(ApprovalKind::TermsAndRates, None);
    assert_eq!(caught(&office, &rates, first), [None]);

    office.set(rates);
    office
        .by(manager, Command::Currency(known.id, CurrencyCommand::Remove))
        .unwrap();
    let cheap = pounds("100000");
    let id = office.propose(add(&cheap));
    assert_eq!(office.stored(id), add(&cheap));
    assert_eq!(office.business.world.books.currency(cheap.code), None);
    office.approve(office.second, id).unwrap();
    assert_eq!(office.business.world.books.currency(cheap.code), Some(&cheap));
}

fn found(entries: &[&str]) -> CustomerCommand {
    CustomerCommand::RecordScreening(RecordScreening {
        lists: [("ofac-sdn".to_owned(), "0a1b2c".to_owned())].into(),
        candidates: entries
            .iter()
            .map(|entry| ScreeningCandidate {
                list: "ofac-sdn".into(),
                entry: (*entry).into(),
                name: "PÉREZ, Berta".into(),
                score: 97,
            })
            .collect(),
        is_confirmed: false,
    })
}

fn decides(entry: &str, outcome: PairOutcome, others_remain: bool) -> CustomerCommand {
    CustomerCommand::DecidePair(DecidePair {
        list: "ofac-sdn".into(),
        entry: entry.into(),
        outcome,
        reason: "Otra fecha de nacimiento".into(),
        files: Vec::new(),
        others_remain,
        listed: None,
    })
}

#[test]
fn nobody_clears_a_customer_alone_where_a_rule_covers_releases_whatever_its_amount() {
    let mut office = Office::new();
    let (manager, berta) = (office.business.manager, office.business.berta);
    let stream = StreamId::new(crate::StreamKind::Customer, berta);
    let by = |command: CustomerCommand| Command::Customer(berta, command);
    let in_review = |office: &Office| office.business.world.state(stream).customer().unwrap().in_review;
    office.by(Actor::System, by(found(&["7", "8", "9"]))).unwrap();
    let first = office.business.world.log.len();
    office
        .by(manager, by(decides("9", PairOutcome::Different, true)))
        .unwrap();
    let releases = rule(ApprovalKind::HoldRelease, Some("1000000"));
    assert_eq!(caught(&office, &releases, first), [None]);

    office.set(releases);
    let waits: Vec<ProposalId> = [("7", true), ("8", false)]
        .map(|(entry, others_remain)| office.propose(by(decides(entry, PairOutcome::Different, others_remain))))
        .into();
    let [other, last] = waits[..] else {
        panic!("two proposals")
    };
    assert!(in_review(&office), "nothing is decided");
    let amounts = waits.iter().map(|id| {
        let stream = StreamId::new(crate::StreamKind::Proposal, *id);
        match &office.business.world.history[&stream][0] {
            Event::Proposal(ProposalEvent::CommandProposed(proposed)) => (proposed.amount, proposed.as_of),
            event => panic!("{event:?}"),
        }
    });
    assert_eq!(amounts.collect::<Vec<_>>(), [(None, None); 2]);
    let reject = ProposalCommand::Reject { reason: "No".into() };
    office.decide(office.second, other, reject).unwrap();
    assert!(in_review(&office), "a rejection leaves the review as it was");
    assert_eq!(office.approve(office.maker(), last).unwrap_err().code, "own_proposal");

    // Without what the caller reads anew, the customer stays in review.
    assert!(office.stored(last) == by(decides("8", PairOutcome::Different, true)));
    let anew = Box::new(by(decides("8", PairOutcome::Different, false)));
    office
        .decide(office.second, last, ProposalCommand::Approve(anew))
        .unwrap();
    assert!(!in_review(&office));

    let same = office.by(manager, by(decides("8", PairOutcome::Same, false))).unwrap();
    assert_eq!(same.proposal, None, "what holds needs nobody else");
    assert!(in_review(&office));
}

#[test]
fn an_exchange_has_the_larger_value_of_both_sides_at_the_reference_rates_whatever_rate_is_typed() {
    const USD: CurrencyCode = CurrencyCode::USD;
    const CUP: CurrencyCode = CurrencyCode::CUP;
    let books = Office::new().business.world.books;
    assert_eq!(books.currency(CUP).unwrap().exchange_rate, rate("330"));
    for (from, given, to, typed, worth) in [
        (USD, "100", CUP, "330", "100"),
        (USD, "100", CUP, "0.01", "100"),
        (USD, "1", CUP, "330000", "1000"),
        (CUP, "33000", USD, "0.003", "100"),
        (CUP, "66000", USD, "0.000001", "200"),
        (CUP, "1", USD, "1000", "1000"),
    ] {
        let case = format!("{given} {from:?} at {typed}");
        let exchange = |office: &Office| {
            movement(MovementCommand::Transfer(TransferCash {
                from: office.business.dealer,
                to: TransferTo::Party(office.business.dealer),
                amount: amount(given),
                currency: from,
                exchange: Some(Exchange {
                    currency: to,
                    rate: rate(typed),
                }),
                note: None,
            }))
        };
        let beyond = (amount(worth) + Amount::from_minor(1)).to_string();
        let mut office = Office::with_dollars_of_the_dealer();
        office.set(rule(ApprovalKind::DealerExchange, Some(&beyond)));
        let command = exchange(&office);
        let manager = office.business.manager;
        assert_eq!(office.by(manager, command).unwrap().proposal, None, "{case}");
        // The reversal has the same value.
        office.set(rule(ApprovalKind::Reversal, Some(worth)));
        let reverse = command_of(ApprovalKind::Reversal, &mut office);
        let id = office.propose(reverse);
        assert_eq!(
            proposed_amount(&office, id),
            Some(amount(worth)),
            "the reversal of {case}"
        );

        let mut office = Office::with_dollars_of_the_dealer();
        office.set(rule(ApprovalKind::DealerExchange, Some(worth)));
        let command = exchange(&office);
        let id = office.propose(command);
        assert_eq!(proposed_amount(&office, id), Some(amount(worth)), "{case}");
    }
}

fn proposed_amount(office: &Office, id: ProposalId) -> Option<Amount> {
    let stream = StreamId::new(crate::StreamKind::Proposal, id);
    match &office.business.world.history[&stream][0] {
        Event::Proposal(ProposalEvent::CommandProposed(proposed)) => proposed.amount,
        event => panic!("{event:?}"),
    }
}

/// Changes of the delivery fees of CUP and of a municipality.
fn fees(office: &Office, fee: &str) -> (Command, Command) {
    let books = &office.business.world.books;
    let currency = Currency {
        distribution_rate: amount(fee),
        ..books.currency(CurrencyCode::CUP).unwrap().clone()
    };
    let (_, municipality) = crate::testing::place("La Habana", "Playa");
    let settings = PlaceSettings {
        distribution_fee: Some(DistributionFee {
            amount: amount(fee),
            currency: CurrencyCode::CUP,
        }),
        enabled: true,
    };
    (
        Command::Currency(currency.id, CurrencyCommand::Change(currency)),
        Command::Place(PlaceCommand::ChangeMunicipality(municipality, settings)),
    )
}
