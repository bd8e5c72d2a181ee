//! The stored form of a command that waits for its approval. A field that a command gains is read as absent from
//! older proposals.

use super::ApprovalRule;
use crate::{
    closure::ClosePeriod,
    command::Command,
    customer::{AddCard, ClearedPair, CustomerCommand, OwnList, ScreeningRule},
    ids::{ApprovalRuleId, CustomerId, LimitRuleId, MovementId, MunicipalityId, PartyId, RateChangeId, RemittanceId},
    limits::LimitRule,
    movement::{Deposit, Expense, MovementCommand, OpenBalance, TransferCash},
    office::{OfficeAccess, PermissionSet},
    party::{ChangeParty, PartyCommand, RegisterParty, TermsChange},
    rates::{RateTarget, RatesCommand, WantedRate},
    reference_data::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place::{PlaceCommand, PlaceSettings},
    },
    remittance::{EditAmount, RemittanceCommand, ReviewHold},
    tenant::{SignOnProvider, TenantCommand},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A command that a rule may cover. Personal data of the person whom the command is about.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    remote = "Self",
    tag = "command",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum ProposedCommand {
    SetApprovalRule {
        rule: ApprovalRule,
    },
    RemoveApprovalRule {
        id: ApprovalRuleId,
    },
    SetLimitRule {
        rule: LimitRule,
    },
    RemoveLimitRule {
        id: LimitRuleId,
    },
    SetScreening {
        rule: ScreeningRule,
    },
    LoadOwnList {
        list: OwnList,
    },
    RemoveOwnList {
        name: String,
    },
    SetSignOn {
        provider: SignOnProvider,
    },
    DefinePermissionSet {
        set: PermissionSet,
    },
    SetOfficeAccess {
        id: PartyId,
        access: OfficeAccess,
    },
    AddCurrency {
        currency: Currency,
    },
    ChangeCurrency {
        currency: Currency,
    },
    ChangeMunicipality {
        id: MunicipalityId,
        settings: PlaceSettings,
    },
    CreatePaymentGroup {
        group: PaymentGroup,
    },
    ChangePaymentGroup {
        group: PaymentGroup,
    },
    RegisterParty {
        #[serde(with = "RegisterParty")]
        register: RegisterParty,
    },
    ChangeParty {
        id: PartyId,
        #[serde(with = "ChangeParty")]
        change: ChangeParty,
    },
    EndSecondFactors {
        id: PartyId,
    },
    SetTerms {
        id: PartyId,
        change: TermsChange,
    },
    AddCard {
        customer: CustomerId,
        #[serde(with = "AddCard")]
        card: AddCard,
    },
    DecidePair {
        customer: CustomerId,
        pair: ClearedPair,
    },
    EditAmount {
        id: RemittanceId,
        edit: EditAmount,
    },
    Cancel {
        id: RemittanceId,
        reason: String,
    },
    ReviewHold {
        id: RemittanceId,
        review: ReviewHold,
    },
    Deposit {
        id: MovementId,
        #[serde(with = "Deposit")]
        deposit: Deposit,
    },
    Open {
        id: MovementId,
        open: OpenBalance,
    },
    Transfer {
        id: MovementId,
        #[serde(with = "TransferCash")]
        transfer: TransferCash,
    },
    Expense {
        id: MovementId,
        #[serde(with = "Expense")]
        expense: Expense,
    },
    Reverse {
        id: MovementId,
        reason: String,
    },
    Close {
        close: ClosePeriod,
    },
    ChangeRates {
        id: RateChangeId,
        rates: Vec<WantedRate>,
        #[serde(default)]
        at: Option<DateTime<Utc>>,
    },
    UndoRates {
        id: RateChangeId,
        targets: Vec<RateTarget>,
    },
}

crate::personal::personal_data!(ProposedCommand);

impl From<ProposedCommand> for Command {
    fn from(stored: ProposedCommand) -> Self {
        match stored {
            ProposedCommand::SetApprovalRule { rule } => Self::Tenant(TenantCommand::SetApprovalRule(rule)),
            ProposedCommand::RemoveApprovalRule { id } => Self::Tenant(TenantCommand::RemoveApprovalRule(id)),
            ProposedCommand::SetLimitRule { rule } => Self::Tenant(TenantCommand::SetLimitRule(rule)),
            ProposedCommand::RemoveLimitRule { id } => Self::Tenant(TenantCommand::RemoveLimitRule(id)),
            ProposedCommand::SetScreening { rule } => Self::Tenant(TenantCommand::SetScreening(rule)),
            ProposedCommand::LoadOwnList { list } => Self::Tenant(TenantCommand::LoadOwnList(list)),
            ProposedCommand::RemoveOwnList { name } => Self::Tenant(TenantCommand::RemoveOwnList(name)),
            ProposedCommand::SetSignOn { provider } => Self::Tenant(TenantCommand::SetSignOn(Some(provider))),
            ProposedCommand::DefinePermissionSet { set } => Self::Tenant(TenantCommand::DefinePermissionSet(set)),
            ProposedCommand::SetOfficeAccess { id, access } => Self::Party(id, PartyCommand::SetOfficeAccess(access)),
            ProposedCommand::AddCurrency { currency } => Self::Currency(currency.id, CurrencyCommand::Add(currency)),
            ProposedCommand::ChangeCurrency { currency } => {
                Self::Currency(currency.id, CurrencyCommand::Change(currency))
            }
            ProposedCommand::ChangeMunicipality { id, settings } => {
                Self::Place(PlaceCommand::ChangeMunicipality(id, settings))
            }
            ProposedCommand::CreatePaymentGroup { group } => {
                Self::PaymentGroup(group.id, PaymentGroupCommand::Create(group))
            }
            ProposedCommand::ChangePaymentGroup { group } => {
                Self::PaymentGroup(group.id, PaymentGroupCommand::Change(group))
            }
            ProposedCommand::RegisterParty { register } => Self::Party(register.id, PartyCommand::Register(register)),
            ProposedCommand::ChangeParty { id, change } => Self::Party(id, PartyCommand::Change(change)),
            ProposedCommand::EndSecondFactors { id } => Self::Party(id, PartyCommand::EndSecondFactors),
            ProposedCommand::SetTerms { id, change } => Self::Party(id, PartyCommand::SetTerms(change)),
            ProposedCommand::AddCard { customer, card } => Self::Customer(customer, CustomerCommand::AddCard(card)),
            ProposedCommand::DecidePair { customer, pair } => {
                Self::Customer(customer, CustomerCommand::DecidePair(pair.into()))
            }
            ProposedCommand::EditAmount { id, edit } => Self::Remittance(id, RemittanceCommand::EditAmount(edit)),
            ProposedCommand::Cancel { id, reason } => Self::Remittance(id, RemittanceCommand::Cancel { reason }),
            ProposedCommand::ReviewHold { id, review } => Self::Remittance(id, RemittanceCommand::ReviewHold(review)),
            ProposedCommand::Deposit { id, deposit } => Self::Movement(id, MovementCommand::Deposit(deposit)),
            ProposedCommand::Open { id, open } => Self::Movement(id, MovementCommand::Open(open)),
            ProposedCommand::Transfer { id, transfer } => Self::Movement(id, MovementCommand::Transfer(transfer)),
            ProposedCommand::Expense { id, expense } => Self::Movement(id, MovementCommand::Expense(expense)),
            ProposedCommand::Reverse { id, reason } => Self::Movement(id, MovementCommand::Reverse { reason }),
            ProposedCommand::Close { close } => Self::Closure(close),
            ProposedCommand::ChangeRates { id, rates, at } => Self::Rates(id, RatesCommand::Change { rates, at }),
            ProposedCommand::UndoRates { id, targets } => Self::Rates(id, RatesCommand::Undo { targets }),
        }
    }
}
