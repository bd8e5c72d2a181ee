//! A command of each kind that needs an approval.

use super::{Office, movement, rule};
use crate::{
    Actor, Command, Event, TenantCommand,
    approval::ApprovalKind,
    customer::{AddCard, CustomerCommand, ScreeningRule, card::Brand},
    ids::{CardId, LimitRuleId, PartyId, RateChangeId},
    limits::{LimitOutcome, LimitRule, LimitWindow, Side},
    money::CurrencyCode,
    movement::{Deposit, Exchange, Expense, MovementCommand, TransferCash, TransferTo},
    party::{PartyCommand, PartyDetails, RegisterParty, Registration},
    rates::{RateTarget, RatesCommand, WantedRate},
    remittance::{AssignDealer, EditAmount, HoldOutcome, HoldReason, HoldRemittance, RemittanceCommand, ReviewHold},
    testing::{amount, closing, rate},
};
use chrono::Duration;
use std::collections::BTreeSet;

/// A command of each kind that the manager may give.
pub(super) fn command_of(kind: ApprovalKind, office: &mut Office) -> Command {
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
            let present = office
                .business
                .world
                .tenant_state
                .party(office.business.agency)
                .unwrap()
                .terms[&cup]
                .clone();
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

pub(super) fn limit_rule() -> LimitRule {
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
