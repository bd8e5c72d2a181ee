//! Approvals: a second manager, rules that the month's business does not reach, and a proposal that waits.

use super::{
    DemoError,
    cast::{CUP, units},
    teller::Teller,
};
use caudal_domain::{
    Command, TenantCommand,
    approval::{ApprovalKind, ApprovalRule, MAX_EXPIRY_HOURS},
    ids::{ApprovalRuleId, PartyId},
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, Role, TermsChange},
};

/// In whole USD. The month has no limit and no reversal so large.
const FROM: i64 = 10_000;
/// The proposed credit limit, in whole CUP: 12,500 USD.
const LIMIT: i64 = 4_000_000;

/// Registers the second manager and sets the rules.
pub(super) async fn set_rules(teller: &mut Teller) -> Result<(), DemoError> {
    let id = PartyId::generate();
    let register = RegisterParty {
        id,
        registration: Registration::Manager,
        details: PartyDetails {
            name: "Rosario Ibarra".to_owned(),
            email: "manager2@caudal.demo".to_owned(),
            ..PartyDetails::default()
        },
        is_active: true,
    };
    let register = Command::Party(id, PartyCommand::Register(register));
    teller.register(id, register).await?;
    for kind in [ApprovalKind::CreditLimit, ApprovalKind::Reversal] {
        let rule = ApprovalRule {
            id: ApprovalRuleId::generate(),
            kind,
            makers: [Role::Manager, Role::Agency].into(),
            from_amount: Some(units(FROM)),
            approvers: Role::Manager,
            expires_after_hours: MAX_EXPIRY_HOURS,
        };
        let set = Command::Tenant(TenantCommand::SetApprovalRule(rule));
        teller.tell(teller.manager, set).await?;
    }
    Ok(())
}

/// The manager proposes a credit limit that a rule covers; the second one may approve it.
pub(super) async fn propose(teller: &mut Teller, agency: Option<PartyId>) -> Result<(), DemoError> {
    let state = teller.state().await?;
    let agency = agency.and_then(|id| state.party(id));
    let held = agency.into_iter().flat_map(|party| party.terms.keys());
    let group = held.copied().find(|id| {
        let group = state.group(*id);
        group.is_some_and(|group| group.currency_to == CUP)
    });
    let Some((agency, group)) = agency.zip(group) else {
        return Err(DemoError::Story("agency".to_owned()));
    };
    let change = TermsChange {
        group,
        exchange_rate: None,
        commission: None,
        name: None,
        is_active: None,
        credit_limit: Some(units(LIMIT)),
    };
    let set = Command::Party(agency.id, PartyCommand::SetTerms(change));
    let answer = teller.tell(teller.manager, set).await?;
    match answer.proposal {
        Some(_) => Ok(()),
        None => Err(DemoError::Story("proposal".to_owned())),
    }
}
