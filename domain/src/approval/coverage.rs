//! What a command needs an approval for: one exhaustive match, so that a new command can't be written without an answer,
//! and no route, import, API key or offline delivery goes around it.

use super::{ApprovalKind as Kind, ProposedCommand};
use crate::{
    aggregate::StreamState,
    command::Command,
    customer::{CustomerCommand, PairOutcome},
    decision::{Actor, Context, Decision},
    event::Event,
    ids::PartyId,
    money::{Amount, CurrencyCode},
    movement::{DepositTo, Movement, MovementCommand, MovementEvent, MovementKind, Opened, TransferCash, TransferTo},
    office,
    party::{ChangeParty, PartyCommand, Registration, TermsChange},
    quote::Terms,
    rates::RatesCommand,
    reference_data::{currency::CurrencyCommand, payment_group::PaymentGroupCommand, place::PlaceCommand},
    remittance::{EditAmount, HoldOutcome, Remittance, RemittanceCommand},
    tenant::TenantCommand,
    tenant_state::TenantState,
};
use chrono::Duration;

/// Time after the sale in which an edit of the amount is a correction.
const LATE_AFTER: Duration = Duration::hours(24);

/// Kinds of a command, each with its amount in USD, and the command as it is stored.
pub(super) struct Coverage {
    pub(super) kinds: Vec<(Kind, Option<Amount>)>,
    pub(super) command: ProposedCommand,
}

type Kinds = Vec<(Kind, Option<Amount>)>;

/// What of a command a rule may cover; `None` for commands that need no approval under any rule.
pub(super) fn of(
    command: &Command,
    own: &StreamState,
    decision: &Decision<Event>,
    ctx: &Context<'_>,
) -> Option<Coverage> {
    use ProposedCommand as Stored;
    let state = ctx.state;
    let one = |kind: Kind, amount: Option<Amount>| vec![(kind, amount)];
    let (kinds, command) = match command {
        Command::Tenant(TenantCommand::SetApprovalRule(rule)) => (
            one(Kind::ApprovalRules, None),
            Stored::SetApprovalRule { rule: rule.clone() },
        ),
        Command::Tenant(TenantCommand::RemoveApprovalRule(id)) => {
            (one(Kind::ApprovalRules, None), Stored::RemoveApprovalRule { id: *id })
        }
        Command::Tenant(TenantCommand::DefinePermissionSet(set)) if state.widens_holders(set) => {
            (one(Kind::User, None), Stored::DefinePermissionSet { set: set.clone() })
        }
        Command::Tenant(TenantCommand::SetLimitRule(rule)) => {
            (one(Kind::LimitRules, None), Stored::SetLimitRule { rule: rule.clone() })
        }
        Command::Tenant(TenantCommand::RemoveLimitRule(id)) => {
            (one(Kind::LimitRules, None), Stored::RemoveLimitRule { id: *id })
        }
        Command::Tenant(TenantCommand::SetScreening(rule)) => (
            one(Kind::ScreeningRules, None),
            Stored::SetScreening { rule: rule.clone() },
        ),
        Command::Tenant(TenantCommand::LoadOwnList(list)) => (
            one(Kind::ScreeningRules, None),
            Stored::LoadOwnList { list: list.clone() },
        ),
        Command::Tenant(TenantCommand::RemoveOwnList(name)) => (
            one(Kind::ScreeningRules, None),
            Stored::RemoveOwnList { name: name.clone() },
        ),
        // The provider says who logs in.
        Command::Tenant(TenantCommand::SetSignOn(Some(provider))) if provider.is_enabled => {
            let provider = provider.clone();
            (one(Kind::User, None), Stored::SetSignOn { provider })
        }
        Command::Tenant(
            TenantCommand::DefinePermissionSet(_)
            | TenantCommand::RemovePermissionSet(_)
            | TenantCommand::Open(_)
            | TenantCommand::AcceptHistory(_)
            | TenantCommand::RequireSecondFactor(_)
            | TenantCommand::SetPasswordPolicy(_)
            | TenantCommand::SetSignOn(_),
        ) => return None,
        Command::Currency(_, CurrencyCommand::Change(currency)) => {
            let known = state.currency(currency.code);
            let same = known.is_some_and(|known| {
                (known.exchange_rate, known.distribution_rate) == (currency.exchange_rate, currency.distribution_rate)
            });
            if same {
                return None;
            }
            let currency = currency.clone();
            (one(Kind::TermsAndRates, None), Stored::ChangeCurrency { currency })
        }
        // Amounts in the currency are valued at its rate. A removal and an addition would change the rate.
        Command::Currency(_, CurrencyCommand::Add(currency)) => {
            let currency = currency.clone();
            (one(Kind::TermsAndRates, None), Stored::AddCurrency { currency })
        }
        Command::Currency(_, CurrencyCommand::Remove) => return None,
        Command::Place(PlaceCommand::ChangeMunicipality(id, settings))
            if state.municipality(*id).distribution_fee != settings.distribution_fee =>
        {
            let (id, settings) = (*id, settings.clone());
            (
                one(Kind::TermsAndRates, None),
                Stored::ChangeMunicipality { id, settings },
            )
        }
        Command::Place(PlaceCommand::ChangeMunicipality(..) | PlaceCommand::ChangeProvince(..)) => return None,
        Command::PaymentGroup(_, PaymentGroupCommand::Create(group)) => {
            let group = group.clone();
            (one(Kind::TermsAndRates, None), Stored::CreatePaymentGroup { group })
        }
        Command::PaymentGroup(_, PaymentGroupCommand::Change(group)) => {
            let known = state.group(group.id);
            let same = known.is_some_and(|known| {
                (known.exchange_rate, known.manager_commission) == (group.exchange_rate, group.manager_commission)
                    && known.agency_commission == group.agency_commission
                    && known.agent_commission == group.agent_commission
            });
            if same {
                return None;
            }
            let group = group.clone();
            (one(Kind::TermsAndRates, None), Stored::ChangePaymentGroup { group })
        }
        Command::PaymentGroup(_, PaymentGroupCommand::Remove) => return None,
        Command::Party(id, command) => of_party(*id, command, ctx)?,
        Command::Customer(id, CustomerCommand::AddCard(card)) => (
            one(Kind::CardNumber, None),
            Stored::AddCard {
                customer: *id,
                card: card.clone(),
            },
        ),
        // Each of them: what a reviewer cleared before the last one is not shown again. It has no amount, since it lets go on
        // what is sold later too.
        Command::Customer(id, CustomerCommand::DecidePair(pair)) if pair.outcome == PairOutcome::Different => (
            one(Kind::HoldRelease, None),
            Stored::DecidePair {
                customer: *id,
                pair: pair.cleared(),
            },
        ),
        Command::Customer(
            _,
            CustomerCommand::Register(_)
            | CustomerCommand::Change(_)
            | CustomerCommand::RecordDocumentPictures(_)
            | CustomerCommand::Delete
            | CustomerCommand::Forget(_)
            | CustomerCommand::ExportDossier(_)
            | CustomerCommand::RecordScreening(_)
            | CustomerCommand::DecidePair(_)
            | CustomerCommand::Identify(_),
        ) => return None,
        Command::Remittance(id, command) => {
            let StreamState::Remittance(own) = own else { return None };
            let own = own.0.as_ref()?;
            match command {
                RemittanceCommand::EditAmount(edit) if is_late(own, ctx) => (
                    one(Kind::LateAmountEdit, Some(own.sale.quote.amount.max(edit.amount))),
                    // What was read of the customers is not stored: it is read again for the approval.
                    Stored::EditAmount {
                        id: *id,
                        edit: EditAmount::new(edit.amount, edit.group),
                    },
                ),
                // Also one that came back in error, or was edited since: its carrier may have the money or have paid it.
                RemittanceCommand::Cancel { reason } if !own.carriers.is_empty() => (
                    one(Kind::CancelShipping, Some(own.sale.quote.amount)),
                    Stored::Cancel {
                        id: *id,
                        reason: reason.clone(),
                    },
                ),
                RemittanceCommand::ReviewHold(review) if review.outcome == HoldOutcome::Release => (
                    one(Kind::HoldRelease, Some(own.sale.quote.amount)),
                    Stored::ReviewHold {
                        id: *id,
                        review: review.clone(),
                    },
                ),
                RemittanceCommand::EditAmount(_)
                | RemittanceCommand::Cancel { .. }
                | RemittanceCommand::Create(_)
                | RemittanceCommand::EditDetails(_)
                | RemittanceCommand::Assign(_)
                | RemittanceCommand::MarkError { .. }
                | RemittanceCommand::Complete(_)
                | RemittanceCommand::Attempt(_)
                | RemittanceCommand::SettleDispute(_)
                | RemittanceCommand::Hold(_)
                | RemittanceCommand::ReviewHold(_)
                | RemittanceCommand::SettleHoldBreach { .. } => return None,
            }
        }
        Command::Movement(id, MovementCommand::Deposit(deposit)) => {
            let kind = match deposit.to {
                // The tenant's own money: nobody receives it.
                DepositTo::Treasury => return None,
                DepositTo::Party(..) if deposit.on_credit => Kind::AssignmentOnCredit,
                DepositTo::Party(..) => Kind::AssignmentOnCash,
            };
            let deposit = deposit.clone();
            (one(kind, posted(decision, state)), Stored::Deposit { id: *id, deposit })
        }
        Command::Movement(id, MovementCommand::Transfer(transfer)) => {
            let kinds = of_transfer(transfer, posted(decision, state), state);
            if kinds.is_empty() {
                return None;
            }
            let transfer = transfer.clone();
            (kinds, Stored::Transfer { id: *id, transfer })
        }
        Command::Movement(id, MovementCommand::Expense(expense)) => {
            let expense = expense.clone();
            (
                one(Kind::Expense, posted(decision, state)),
                Stored::Expense { id: *id, expense },
            )
        }
        Command::Movement(id, MovementCommand::Reverse { reason }) => {
            let StreamState::Movement(own) = own else { return None };
            let amount = own.0.as_ref().and_then(|movement| value(movement, state));
            let reason = reason.clone();
            (one(Kind::Reversal, amount), Stored::Reverse { id: *id, reason })
        }
        Command::Movement(id, MovementCommand::Open(open)) => {
            let amount = posted(decision, state);
            let kinds = match open.of {
                // The tenant's own money: nobody receives it.
                Opened::Treasury(_) => return None,
                Opened::Cash(..) => one(Kind::AssignmentOnCash, amount),
                // The seller neither pays nor owes it: a rule of either covers it.
                Opened::Balance(..) => vec![(Kind::AssignmentOnCash, amount), (Kind::AssignmentOnCredit, amount)],
            };
            (kinds, Stored::Open { id: *id, open: *open })
        }
        Command::Movement(_, MovementCommand::PayDebits(_)) => return None,
        Command::Closure(close) => (one(Kind::Closing, None), Stored::Close { close: close.clone() }),
        Command::Rates(id, RatesCommand::Change { rates, at }) => (
            one(Kind::TermsAndRates, None),
            Stored::ChangeRates {
                id: *id,
                rates: rates.clone(),
                at: *at,
            },
        ),
        Command::Rates(id, RatesCommand::Undo { targets }) => (
            one(Kind::TermsAndRates, None),
            Stored::UndoRates {
                id: *id,
                targets: targets.clone(),
            },
        ),
        // The scheduler's: the change was covered when it was scheduled.
        Command::Rates(_, RatesCommand::Apply { .. }) => return None,
        Command::ApiKey(..) | Command::Webhook(..) | Command::Proposal(..) => return None,
    };
    Some(Coverage { kinds, command })
}

fn of_party(id: PartyId, command: &PartyCommand, ctx: &Context<'_>) -> Option<(Kinds, ProposedCommand)> {
    let state = ctx.state;
    match command {
        PartyCommand::Register(register) => {
            let mut kinds = vec![(Kind::User, None)];
            let terms = match &register.registration {
                Registration::Agency { terms } | Registration::ExternalAgent { terms, .. } => terms.as_slice(),
                Registration::Manager
                | Registration::Office(_)
                | Registration::InternalAgent { .. }
                | Registration::Dealer { .. }
                | Registration::DeliveryMan { .. } => &[],
            };
            for change in terms {
                kinds.extend(of_terms(None, change, state));
            }
            let register = register.clone();
            Some((kinds, ProposedCommand::RegisterParty { register }))
        }
        PartyCommand::Change(change) => {
            let was_active = state.party(id).is_some_and(|party| party.is_active);
            let reactivates = change.is_active == Some(true) && !was_active;
            // By a password or an address of another's login its maker could approve what he proposed himself.
            let takes_over = ctx.actor != Actor::Party(id) && office::takes_over(change);
            (reactivates || takes_over).then(|| {
                let change = ChangeParty {
                    known: None,
                    ..change.clone()
                };
                (vec![(Kind::User, None)], ProposedCommand::ChangeParty { id, change })
            })
        }
        PartyCommand::SetTerms(change) => {
            let present = state.party(id).and_then(|party| party.terms.get(&change.group));
            let kinds = of_terms(present, change, state);
            let change = change.clone();
            (!kinds.is_empty()).then_some((kinds, ProposedCommand::SetTerms { id, change }))
        }
        PartyCommand::SetOfficeAccess(access) => state.widens(&state.office_access(id), access, ctx.now).then(|| {
            let access = *access;
            (
                vec![(Kind::User, None)],
                ProposedCommand::SetOfficeAccess { id, access },
            )
        }),
        PartyCommand::EndSecondFactors => Some((vec![(Kind::User, None)], ProposedCommand::EndSecondFactors { id })),
        PartyCommand::Deactivate
        | PartyCommand::Forget(_)
        | PartyCommand::EnrolSecondFactor(_)
        | PartyCommand::RemoveSecondFactor(_)
        | PartyCommand::UseRecoveryCode { .. }
        | PartyCommand::AddPasskey(_)
        | PartyCommand::RemovePasskey(_)
        | PartyCommand::RefusePasskey(_) => None,
    }
}

/// Kinds of a change of terms. New terms at the group's own rate and commission are a change too.
fn of_terms(present: Option<&Terms>, change: &TermsChange, state: &TenantState) -> Kinds {
    let mut kinds = Kinds::new();
    let priced = present.is_none_or(|terms| {
        change.exchange_rate.is_some_and(|rate| rate != terms.exchange_rate)
            || change
                .commission
                .is_some_and(|commission| commission != terms.commission)
    });
    if priced {
        kinds.push((Kind::TermsAndRates, None));
    }
    let known = present.map_or(Amount::ZERO, |terms| terms.credit_limit);
    if let Some(limit) = change.credit_limit.filter(|limit| *limit != known) {
        let currency = state.group(change.group).map(|group| group.currency_to);
        let amount = currency.and_then(|currency| in_usd(limit, currency, state));
        kinds.push((Kind::CreditLimit, amount));
    }
    kinds
}

/// Kinds of a transfer. Cash that another party gets is assigned to it, as by a deposit; what a delivery man gives back to its
/// dealer is not, as little as what goes back to the treasury.
fn of_transfer(transfer: &TransferCash, amount: Option<Amount>, state: &TenantState) -> Kinds {
    let mut kinds = Kinds::new();
    if transfer.exchange.is_some() {
        kinds.push((Kind::DealerExchange, amount));
    }
    let TransferTo::Party(to) = transfer.to else {
        return kinds;
    };
    let parties = state.party(to).zip(state.party(transfer.from));
    let goes_back = parties.is_some_and(|(to, from)| to.commands(from));
    if to != transfer.from && !goes_back {
        kinds.push((Kind::AssignmentOnCash, amount));
    }
    kinds
}

fn is_late(own: &Remittance, ctx: &Context<'_>) -> bool {
    // A remittance that is not open can't be edited.
    let sold = ctx.state.sold_at(own.id);
    sold.is_none_or(|sold| ctx.now - sold > LATE_AFTER)
}

/// Value in USD of the movement that a decision posts.
pub(crate) fn posted(decision: &Decision<Event>, state: &TenantState) -> Option<Amount> {
    decision.events.iter().find_map(|event| match event {
        Event::Movement(MovementEvent::MovementPosted(posted) | MovementEvent::OpeningBalancePosted(posted)) => {
            value(&posted.movement, state)
        }
        _ => None,
    })
}

/// A movement's value in USD. Of an exchange it is the larger of both sides, each at its reference rate: the rate of the
/// exchange is typed by the maker. The price of an assignment is by the receiver's terms.
pub(crate) fn value(movement: &Movement, state: &TenantState) -> Option<Amount> {
    let given = || in_usd(movement.amount, movement.currency, state);
    match movement.counter {
        Some(received) if movement.kind == MovementKind::Exchange => {
            let received = in_usd(received.amount, received.currency, state)?;
            Some(given()?.max(received))
        }
        Some(price) if price.currency == CurrencyCode::USD => Some(price.amount),
        _ => given(),
    }
}

/// An amount at the reference rate; `None` where the rate or the value is out of range.
fn in_usd(amount: Amount, currency: CurrencyCode, state: &TenantState) -> Option<Amount> {
    if currency == CurrencyCode::USD {
        return Some(amount);
    }
    let rate = state.currency(currency)?.exchange_rate;
    if rate.is_positive() { rate.divide(amount) } else { None }
}
