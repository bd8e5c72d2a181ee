//! The tenant: name, time zone, which roles need a second factor, rules of approvals, permission sets, and accepted
//! histories of its log.

use crate::{
    approval::{self, ApprovalRule},
    customer::{OwnList, ScreeningRule, screening::MAX_OWN_LISTS},
    decision::{Actor, Answer, Context, Decision},
    ids::{ApprovalRuleId, LimitRuleId, PermissionSetId, SignOnId, SignOnSecretId},
    limits::{self, LimitRule},
    money::Amount,
    office::{self, PermissionSet},
    party::Role,
    refusal::{Refusal, require},
    stream::StreamId,
    tenant_state::GivenNumbers,
    text,
};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Time zone of days unless the tenant sets another.
pub const DEFAULT_ZONE: Tz = chrono_tz::America::Havana;
/// In characters.
pub const MAX_NAME_LENGTH: usize = 120;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tenant {
    pub name: String,
    /// Its local midnight separates days.
    pub time_zone: Tz,
}

/// An operator's decision to accept a log that diverged from what nodes had seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptedHistory {
    /// Last position before this event, at which the log was accepted.
    pub position: i64,
    /// Highest position that any node had seen.
    pub known_position: i64,
    /// First seen position that now holds another event or none; `None` when nothing was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_from: Option<i64>,
    /// Last such position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_to: Option<i64>,
    /// Lower bound of the numbers issued before; they are not issued again.
    pub numbers: GivenNumbers,
    /// The operator's reason. Must not name people: this event is not encrypted.
    pub reason: String,
}

/// Whose parties log in with a second factor, and which movements ask for a code of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecondFactorRule {
    pub roles: BTreeSet<Role>,
    /// Smallest movement in USD that asks who has a second factor for a fresh code; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_from: Option<Amount>,
}

impl SecondFactorRule {
    fn validate(&self) -> Result<(), Refusal> {
        let Some(from) = self.code_from else { return Ok(()) };
        require(from >= Amount::ZERO, || Refusal::invalid("codeFrom", "amount_negative"))?;
        require(from <= Amount::LARGEST, || {
            Refusal::invalid("codeFrom", "amount_too_large")
        })
    }
}

/// Provider of single sign-on by OpenID Connect. Its client secret is beside the log, under its id: a secret is in force with the
/// event that names it, not before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignOnProvider {
    pub id: SignOnId,
    /// URL of the issuer, as its discovery document says it. An issuer in the log is who sends money.
    #[serde(rename = "url")]
    pub issuer: String,
    /// What the provider calls this installation.
    pub client_id: String,
    /// Whether logins by it are admitted.
    pub is_enabled: bool,
    /// The client secret in force; `None` in events of version 1, whose secret has the provider's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_id: Option<SignOnSecretId>,
}

impl SignOnProvider {
    /// Id of the client secret in force.
    #[must_use]
    pub fn secret(&self) -> SignOnSecretId {
        self.secret_id.unwrap_or(SignOnSecretId(self.id.0))
    }
}

/// Longest issuer and client id, in characters.
pub const MAX_SIGN_ON_LENGTH: usize = 500;

/// What a new password must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PasswordPolicy {
    /// 8 to 15 characters of four kinds, by the specification.
    #[default]
    Composed,
    /// 12 to 128 characters of any kind, blanks included.
    Long,
}

/// Commands of a tenant.
#[derive(Clone, Debug, PartialEq)]
pub enum TenantCommand {
    /// Opens the tenant. System only.
    Open(Tenant),
    /// Accepts the current log and ends a quarantine. System only.
    AcceptHistory(AcceptedHistory),
    /// Replaces the roles that need a second factor, and the amount from which movements ask for a code. Managers only.
    RequireSecondFactor(SecondFactorRule),
    /// Sets what new passwords must be. Managers only.
    SetPasswordPolicy(PasswordPolicy),
    /// Sets the provider of single sign-on, or ends it. Managers only.
    SetSignOn(Option<SignOnProvider>),
    /// Adds or replaces a rule of approvals. Managers only.
    SetApprovalRule(ApprovalRule),
    /// Managers only.
    RemoveApprovalRule(ApprovalRuleId),
    /// Adds a permission set of the office, or replaces one. Managers only.
    DefinePermissionSet(PermissionSet),
    /// Removes a permission set that nobody has. Managers only.
    RemovePermissionSet(PermissionSetId),
    /// Replaces the lists that customers are screened against. Managers only.
    SetScreening(ScreeningRule),
    /// Adds an own list, or another version of one. Managers only.
    LoadOwnList(OwnList),
    /// Removes an own list by its name. Managers only.
    RemoveOwnList(String),
    /// Adds or replaces a rule of limits. Managers only.
    SetLimitRule(LimitRule),
    /// Managers only.
    RemoveLimitRule(LimitRuleId),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum TenantEvent {
    TenantOpened(Tenant),
    /// An operator accepted the log, which ended a quarantine.
    HistoryAccepted(AcceptedHistory),
    /// Roles that need a second factor from now on, and the amount from which movements ask for a code.
    SecondFactorRequired(SecondFactorRule),
    /// What new passwords must be from now on.
    PasswordPolicySet {
        policy: PasswordPolicy,
    },
    /// The provider of single sign-on from now on.
    SignOnSet(SignOnProvider),
    SignOnRemoved {
        id: SignOnId,
    },
    /// A rule of approvals was added or replaced.
    ApprovalRuleSet(ApprovalRule),
    ApprovalRuleRemoved {
        id: ApprovalRuleId,
    },
    /// Name and permissions of a set from now on.
    PermissionSetDefined(PermissionSet),
    PermissionSetRemoved {
        id: PermissionSetId,
    },
    /// Lists that customers are screened against from now on.
    ScreeningSet(ScreeningRule),
    /// Entries of an own list from now on.
    OwnListLoaded(OwnList),
    OwnListRemoved {
        name: String,
    },
    /// A rule of limits was added or replaced.
    LimitRuleSet(LimitRule),
    LimitRuleRemoved {
        id: LimitRuleId,
    },
}

/// A record of the tenant's own stream. A change of one leaves what was read of the others as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TenantRecord {
    Opening,
    History,
    SecondFactor,
    Passwords,
    SignOn,
    ApprovalRule(ApprovalRuleId),
    PermissionSet(PermissionSetId),
    /// The choice of lists with their thresholds.
    Screening,
    /// An own list by its name.
    OwnList(String),
    LimitRule(LimitRuleId),
}

impl TenantCommand {
    /// The record that it changes.
    #[must_use]
    pub fn record(&self) -> TenantRecord {
        match self {
            Self::Open(_) => TenantRecord::Opening,
            Self::AcceptHistory(_) => TenantRecord::History,
            Self::RequireSecondFactor(_) => TenantRecord::SecondFactor,
            Self::SetPasswordPolicy(_) => TenantRecord::Passwords,
            Self::SetSignOn(_) => TenantRecord::SignOn,
            Self::SetApprovalRule(rule) => TenantRecord::ApprovalRule(rule.id),
            Self::RemoveApprovalRule(id) => TenantRecord::ApprovalRule(*id),
            Self::DefinePermissionSet(set) => TenantRecord::PermissionSet(set.id),
            Self::RemovePermissionSet(id) => TenantRecord::PermissionSet(*id),
            Self::SetScreening(_) => TenantRecord::Screening,
            Self::LoadOwnList(list) => TenantRecord::OwnList(list.name.clone()),
            Self::RemoveOwnList(name) => TenantRecord::OwnList(name.clone()),
            Self::SetLimitRule(rule) => TenantRecord::LimitRule(rule.id),
            Self::RemoveLimitRule(id) => TenantRecord::LimitRule(*id),
        }
    }
}

impl TenantEvent {
    /// The record that it changed.
    #[must_use]
    pub fn record(&self) -> TenantRecord {
        match self {
            Self::TenantOpened(_) => TenantRecord::Opening,
            Self::HistoryAccepted(_) => TenantRecord::History,
            Self::SecondFactorRequired(_) => TenantRecord::SecondFactor,
            Self::PasswordPolicySet { .. } => TenantRecord::Passwords,
            Self::SignOnSet(_) | Self::SignOnRemoved { .. } => TenantRecord::SignOn,
            Self::ApprovalRuleSet(rule) => TenantRecord::ApprovalRule(rule.id),
            Self::ApprovalRuleRemoved { id } => TenantRecord::ApprovalRule(*id),
            Self::PermissionSetDefined(set) => TenantRecord::PermissionSet(set.id),
            Self::PermissionSetRemoved { id } => TenantRecord::PermissionSet(*id),
            Self::ScreeningSet(_) => TenantRecord::Screening,
            Self::OwnListLoaded(list) => TenantRecord::OwnList(list.name.clone()),
            Self::OwnListRemoved { name } => TenantRecord::OwnList(name.clone()),
            Self::LimitRuleSet(rule) => TenantRecord::LimitRule(rule.id),
            Self::LimitRuleRemoved { id } => TenantRecord::LimitRule(*id),
        }
    }
}

impl Tenant {
    pub(crate) fn fold(state: Option<Self>, event: &TenantEvent) -> Option<Self> {
        match event {
            TenantEvent::TenantOpened(tenant) => Some(tenant.clone()),
            TenantEvent::HistoryAccepted(_)
            | TenantEvent::SecondFactorRequired(_)
            | TenantEvent::PasswordPolicySet { .. }
            | TenantEvent::SignOnSet(_)
            | TenantEvent::SignOnRemoved { .. }
            | TenantEvent::ApprovalRuleSet(_)
            | TenantEvent::ApprovalRuleRemoved { .. }
            | TenantEvent::PermissionSetDefined(_)
            | TenantEvent::PermissionSetRemoved { .. }
            | TenantEvent::ScreeningSet(_)
            | TenantEvent::OwnListLoaded(_)
            | TenantEvent::OwnListRemoved { .. }
            | TenantEvent::LimitRuleSet(_)
            | TenantEvent::LimitRuleRemoved { .. } => state,
        }
    }
}

pub(crate) fn decide(
    own: Option<&Tenant>,
    command: &TenantCommand,
    ctx: &Context<'_>,
) -> Result<Decision<TenantEvent>, Refusal> {
    match command {
        TenantCommand::RequireSecondFactor(_)
        | TenantCommand::SetPasswordPolicy(_)
        | TenantCommand::SetSignOn(_)
        | TenantCommand::SetApprovalRule(_)
        | TenantCommand::RemoveApprovalRule(_)
        | TenantCommand::SetScreening(_)
        | TenantCommand::LoadOwnList(_)
        | TenantCommand::RemoveOwnList(_)
        | TenantCommand::SetLimitRule(_)
        | TenantCommand::RemoveLimitRule(_) => ctx.require_manager()?,
        TenantCommand::DefinePermissionSet(set) => return office::define(set, ctx),
        TenantCommand::RemovePermissionSet(id) => return office::remove(*id, ctx),
        TenantCommand::Open(_) | TenantCommand::AcceptHistory(_) => {
            require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
        }
    }
    let mut unchanged = false;
    let mut answer = Answer {
        id: StreamId::TENANT.id,
        ..Answer::default()
    };
    let event = match command {
        TenantCommand::Open(tenant) => {
            require(own.is_none(), || Refusal::conflict("already_exists"))?;
            text::required("name", &tenant.name, MAX_NAME_LENGTH)?;
            TenantEvent::TenantOpened(tenant.clone())
        }
        // A log that lost its first events has no tenant in its state; its acceptance must still pass.
        TenantCommand::AcceptHistory(accepted) => {
            text::required("reason", &accepted.reason, text::MAX_REASON_LENGTH)?;
            TenantEvent::HistoryAccepted(accepted.clone())
        }
        TenantCommand::RequireSecondFactor(rule) => {
            rule.validate()?;
            unchanged = ctx.state.second_factor_rule() == rule;
            TenantEvent::SecondFactorRequired(rule.clone())
        }
        TenantCommand::SetPasswordPolicy(policy) => {
            unchanged = ctx.state.password_policy() == *policy;
            TenantEvent::PasswordPolicySet { policy: *policy }
        }
        TenantCommand::SetSignOn(Some(provider)) => {
            text::required("issuer", &provider.issuer, MAX_SIGN_ON_LENGTH)?;
            text::required("clientId", &provider.client_id, MAX_SIGN_ON_LENGTH)?;
            unchanged = ctx.state.sign_on() == Some(provider);
            TenantEvent::SignOnSet(provider.clone())
        }
        TenantCommand::SetSignOn(None) => match ctx.state.sign_on() {
            Some(provider) => TenantEvent::SignOnRemoved { id: provider.id },
            None => return Ok(Decision::nothing(StreamId::TENANT.id)),
        },
        TenantCommand::SetApprovalRule(rule) => {
            answer.id = rule.id.0;
            approval::check_rule(rule, &mut answer, ctx)?;
            unchanged = ctx.state.approval_rule(rule.id) == Some(rule);
            TenantEvent::ApprovalRuleSet(rule.clone())
        }
        TenantCommand::RemoveApprovalRule(id) => {
            answer.id = id.0;
            let known = ctx.state.approval_rule(*id);
            known.ok_or_else(|| Refusal::not_found("approval_rule_not_found"))?;
            TenantEvent::ApprovalRuleRemoved { id: *id }
        }
        TenantCommand::SetScreening(rule) => {
            rule.validate()?;
            unchanged = ctx.state.screening_rule() == rule;
            TenantEvent::ScreeningSet(rule.clone())
        }
        TenantCommand::LoadOwnList(list) => {
            list.validate()?;
            let known = ctx.state.own_list(&list.name);
            require(known.is_some() || ctx.state.own_lists().count() < MAX_OWN_LISTS, || {
                Refusal::conflict("too_many_own_lists").with("max", MAX_OWN_LISTS)
            })?;
            unchanged = known == Some(list);
            TenantEvent::OwnListLoaded(list.clone())
        }
        TenantCommand::RemoveOwnList(name) => {
            let known = ctx.state.own_list(name);
            known.ok_or_else(|| Refusal::not_found("screening_list_not_found"))?;
            // Removed while it is chosen, it would find nobody, and nobody would be told.
            require(!ctx.state.screening_rule().lists.contains_key(name), || {
                Refusal::conflict("screening_list_chosen")
            })?;
            TenantEvent::OwnListRemoved { name: name.clone() }
        }
        TenantCommand::SetLimitRule(rule) => {
            answer.id = rule.id.0;
            limits::check_rule(rule, ctx)?;
            unchanged = ctx.state.limits().rule(rule.id) == Some(rule);
            TenantEvent::LimitRuleSet(rule.clone())
        }
        TenantCommand::RemoveLimitRule(id) => {
            answer.id = id.0;
            let known = ctx.state.limits().rule(*id);
            known.ok_or_else(|| Refusal::not_found("limit_rule_not_found"))?;
            TenantEvent::LimitRuleRemoved { id: *id }
        }
        // Decided above.
        TenantCommand::DefinePermissionSet(_) | TenantCommand::RemovePermissionSet(_) => {
            return Ok(Decision::nothing(StreamId::TENANT.id));
        }
    };
    let decision = Decision::of(event, StreamId::TENANT.id).unless(unchanged);
    Ok(decision.answering(|own| *own = answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Forbidden, Invalid},
        testing::{
            World,
            given::{Caller, Then, Tried},
        },
    };

    fn open(world: &World, caller: impl Caller, name: &str) -> Tried<Tenant> {
        let tenant = Tenant {
            name: name.into(),
            time_zone: chrono_tz::America::New_York,
        };
        let act = world.by(caller, TenantCommand::Open(tenant));
        world.given::<Tenant>(StreamId::TENANT.id).when(act)
    }

    #[test]
    fn the_system_opens_a_tenant_in_its_time_zone() {
        let tenant = Tenant {
            name: "Caribe".into(),
            time_zone: chrono_tz::America::New_York,
        };
        open(&World::default(), Actor::System, "Caribe").then_expect_events(vec![TenantEvent::TenantOpened(tenant)]);
    }

    fn accepted(reason: &str) -> AcceptedHistory {
        AcceptedHistory {
            position: 1_785,
            known_position: 1_788,
            lost_from: Some(1_786),
            lost_to: Some(1_788),
            numbers: GivenNumbers {
                remittances: 349,
                movements: 12,
                closures: 0,
            },
            reason: reason.into(),
        }
    }

    #[test]
    fn only_the_system_accepts_a_history_and_a_reason_is_required() {
        let (world, manager) = World::opened();
        let accept = |caller: Actor, reason: &str| {
            let act = world.by(caller, TenantCommand::AcceptHistory(accepted(reason)));
            world.given::<Tenant>(StreamId::TENANT.id).when(act)
        };
        let event = TenantEvent::HistoryAccepted(accepted("the standby lagged"));
        accept(Actor::System, "the standby lagged").then_expect_events(vec![event]);
        accept(Actor::System, " ").then_refused(Invalid, "invalid reason:required");
        let act = world.by(manager, TenantCommand::AcceptHistory(accepted("mine")));
        world
            .given::<Tenant>(StreamId::TENANT.id)
            .when(act)
            .then_refused(Forbidden, "role_not_allowed");
    }

    #[test]
    fn numbers_given_out_in_a_lost_history_are_not_given_out_again() {
        let (mut world, _) = World::opened();
        assert_eq!(world.tenant_state.next_remittance_number(), "R-000001");
        let event = crate::Event::Tenant(TenantEvent::HistoryAccepted(accepted("the standby lagged")));
        world.tenant_state.apply(&event, chrono::DateTime::UNIX_EPOCH);
        assert_eq!(world.tenant_state.next_remittance_number(), "R-000350");
        assert_eq!(world.tenant_state.next_movement_number(), "M-000013");
        assert_eq!(world.tenant_state.next_closure_number(), "C-000001");
    }

    #[test]
    fn only_the_system_opens_a_tenant_and_only_once() {
        let (world, manager) = World::opened();
        open(&world, Actor::System, "Caribe").then_refused(Conflict, "already_exists");
        open(&world, manager, "Caribe").then_refused(Forbidden, "role_not_allowed");
        open(&World::default(), Actor::System, " ").then_refused(Invalid, "invalid name:required");
    }

    #[test]
    fn a_manager_sets_and_ends_the_provider_of_single_sign_on() {
        let (mut world, manager) = World::opened();
        let provider = SignOnProvider {
            id: SignOnId::generate(),
            issuer: "https://login.example".into(),
            client_id: "caudal".into(),
            is_enabled: true,
            secret_id: None,
        };
        let set = |world: &World, caller: Actor, provider: Option<&SignOnProvider>| {
            let act = world.by(caller, TenantCommand::SetSignOn(provider.cloned()));
            world.given::<Tenant>(StreamId::TENANT.id).when(act)
        };
        set(&world, manager, None).then_expect_events(vec![]);
        let blank = SignOnProvider {
            issuer: " ".into(),
            ..provider.clone()
        };
        set(&world, manager, Some(&blank)).then_refused(Invalid, "invalid issuer:required");
        let event = TenantEvent::SignOnSet(provider.clone());
        set(&world, manager, Some(&provider)).then_expect_events(vec![event.clone()]);
        world
            .tenant_state
            .apply(&crate::Event::Tenant(event), chrono::DateTime::UNIX_EPOCH);
        set(&world, manager, Some(&provider)).then_expect_events(vec![]);
        assert_eq!(provider.secret().0, provider.id.0, "a secret of before secrets had ids");
        let renewed = SignOnProvider {
            secret_id: Some(SignOnSecretId::generate()),
            ..provider.clone()
        };
        set(&world, manager, Some(&renewed)).then_expect_events(vec![TenantEvent::SignOnSet(renewed.clone())]);
        let removed = TenantEvent::SignOnRemoved { id: provider.id };
        set(&world, manager, None).then_expect_events(vec![removed.clone()]);
        world
            .tenant_state
            .apply(&crate::Event::Tenant(removed), chrono::DateTime::UNIX_EPOCH);
        assert_eq!(world.tenant_state.sign_on(), None);
    }

    #[test]
    fn a_manager_sets_what_new_passwords_must_be_and_the_same_policy_again_writes_nothing() {
        let (mut world, manager) = World::opened();
        let set = |world: &World, policy| {
            let act = world.by(manager, TenantCommand::SetPasswordPolicy(policy));
            world.given::<Tenant>(StreamId::TENANT.id).when(act)
        };
        let event = TenantEvent::PasswordPolicySet {
            policy: PasswordPolicy::Long,
        };
        set(&world, PasswordPolicy::Composed).then_expect_events(vec![]);
        set(&world, PasswordPolicy::Long).then_expect_events(vec![event.clone()]);
        world
            .tenant_state
            .apply(&crate::Event::Tenant(event), chrono::DateTime::UNIX_EPOCH);
        assert_eq!(world.tenant_state.password_policy(), PasswordPolicy::Long);
        set(&world, PasswordPolicy::Long).then_expect_events(vec![]);
    }

    #[test]
    fn a_manager_sets_which_roles_need_a_second_factor_and_the_same_rule_again_writes_nothing() {
        let (mut world, manager) = World::opened();
        let rule = SecondFactorRule {
            roles: [Role::Manager, Role::Agency].into(),
            code_from: Some(Amount::from_minor(500_00)),
        };
        let set = |world: &World, rule: &SecondFactorRule| {
            let act = world.by(manager, TenantCommand::RequireSecondFactor(rule.clone()));
            world.given::<Tenant>(StreamId::TENANT.id).when(act)
        };
        let event = TenantEvent::SecondFactorRequired(rule.clone());
        set(&world, &SecondFactorRule::default()).then_expect_events(vec![]);
        set(&world, &rule).then_expect_events(vec![event.clone()]);
        world
            .tenant_state
            .apply(&crate::Event::Tenant(event), chrono::DateTime::UNIX_EPOCH);
        assert_eq!(world.tenant_state.second_factor_rule(), &rule);
        set(&world, &rule).then_expect_events(vec![]);
    }
}
