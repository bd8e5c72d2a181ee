//! Actions offered with each row of a list. Derived from two rules, neither duplicated: the policy of the action's call
//! (`policy.rs`), and the domain's rule for the row, which also decides the command.

use crate::policy;
use caudal_domain::{
    Refusal, api_key,
    customer::{self, CustomerKind},
    ids::PartyId,
    movement,
    office::{Area, Permission, Right},
    party::{self, Caller, Role},
    rates::judge_undo,
    remittance, webhook,
};
use caudal_projections::{
    ReadError, ReadTransaction, Scope,
    accounting::{ClosurePreview, PartyBalance},
    api_key::ApiKey,
    customer::Customer,
    debit::Debit,
    movement::Movement,
    offer::{RowAct, RowAction},
    page::Page,
    party::{agency::Agency, agent::Agent, dealer::Dealer, standing, standing::PermissionInput, user::User},
    rates::{self, RateChange},
    remittance::DeliveryDispute,
    scalar::{DebitStatus, DisputeStatus},
    webhook::Webhook,
};
use uuid::Uuid;

/// A row with offered actions.
pub trait Offers: Sized {
    /// Fills in the actions of rows.
    fn offer(
        transaction: &mut ReadTransaction,
        scope: &Scope,
        rows: &mut [Self],
    ) -> impl Future<Output = Result<(), ReadError>> + Send;
}

/// A page with actions per row.
pub async fn page<R: Offers>(
    mut page: Page<R>,
    transaction: &mut ReadTransaction,
    scope: &Scope,
) -> Result<Page<R>, ReadError> {
    // Files have no actions.
    if !transaction.walks() {
        R::offer(transaction, scope, &mut page.data).await?;
    }
    Ok(page)
}

/// A row with its actions.
pub async fn one<R: Offers>(mut row: R, transaction: &mut ReadTransaction, scope: &Scope) -> Result<R, ReadError> {
    R::offer(transaction, scope, std::slice::from_mut(&mut row)).await?;
    Ok(row)
}

fn caller(scope: &Scope) -> Caller {
    Caller {
        id: scope.party,
        role: scope.role,
        agency: scope.agency,
    }
}

/// Verdict on an action by its call: the gate's refusal, else the row's rule.
fn by_call(
    scope: &Scope,
    action: RowAct,
    (method, path): (&str, &str),
    rule: impl FnOnce() -> Result<(), Refusal>,
) -> RowAction {
    let verdict = policy::admit(method, path, scope).and_then(|()| rule());
    RowAction::judged(action, verdict)
}

/// Whether a member of the office writes an area; the policy's row of a call for several kinds of records admits each.
fn writes(scope: &Scope, area: Area) -> Result<(), Refusal> {
    let right = Right::Write;
    if scope.permissions.may(area, right) {
        return Ok(());
    }
    Err(Refusal::forbidden("permission_missing").with("permission", Permission { area, right }))
}

/// Actions on parties, in display order.
const OF_PARTIES: &[RowAct] = &[
    RowAct::Edit,
    RowAct::Delete,
    RowAct::SetTerms,
    RowAct::SetOwnTerms,
    RowAct::Deposit,
    RowAct::Pay,
    RowAct::Transfer,
    RowAct::Exchange,
    RowAct::RecordExpense,
    RowAct::ClosePeriod,
];

/// The call of an action on a party of a role; `None` if there is none.
const fn call(action: RowAct, role: Role) -> Option<(&'static str, &'static str)> {
    use Role::{Agency, Dealer, DeliveryMan, ExternalAgent, InternalAgent, Manager};
    Some(match (action, role) {
        (RowAct::Edit, Manager) => ("PUT", "/api/users/{id}"),
        (RowAct::Edit, Agency) => ("PUT", "/api/agency"),
        (RowAct::Edit, ExternalAgent | InternalAgent) => ("PUT", "/api/agent/{id}"),
        (RowAct::Edit, Dealer) => ("PUT", "/api/dealer/{id}"),
        (RowAct::Edit, DeliveryMan) => ("PUT", "/api/delivery_men/{id}"),
        (RowAct::Delete, Agency) => ("PUT", "/api/agency/{id}"),
        (RowAct::Delete, _) => ("DELETE", "/api/users/{id}"),
        (RowAct::SetTerms | RowAct::SetOwnTerms, Agency) => ("PUT", "/api/agency/exchange_rate/{id}"),
        (RowAct::SetTerms | RowAct::SetOwnTerms, ExternalAgent | InternalAgent) => {
            ("PUT", "/api/agent/exchange_rate/{id}")
        }
        (RowAct::Deposit, Agency) => ("POST", "/api/sources/deposit/agency/{id}"),
        (RowAct::Deposit, ExternalAgent | InternalAgent) => ("POST", "/api/sources/deposit/agent/{id}"),
        (RowAct::Deposit, Dealer) => ("POST", "/api/sources/deposit/dealer/{id}"),
        (RowAct::Deposit, DeliveryMan) => ("POST", "/api/sources/deposit/delivery/{id}"),
        (RowAct::Pay, Agency | ExternalAgent) => ("POST", "/api/sources/pay_debits"),
        (RowAct::Transfer | RowAct::Exchange, Dealer | DeliveryMan) => ("POST", "/api/dealer/transfer"),
        (RowAct::RecordExpense, Dealer | DeliveryMan) => ("POST", "/api/dealer/expenses/{id}"),
        (RowAct::ClosePeriod, Agency | ExternalAgent) => ("POST", "/api/accounting/closures"),
        _ => return None,
    })
}

/// The domain's rule for an action on a party.
fn rule(caller: Caller, standing: &PermissionInput, action: RowAct) -> Result<(), Refusal> {
    let judge = |action| party::judge(caller, standing.facts, action);
    match action {
        RowAct::Edit => judge(party::Action::Edit),
        RowAct::Delete => judge(party::Action::Delete).and_then(|()| standing.ties.permit_deletion()),
        RowAct::SetTerms => judge(party::Action::SetTerms),
        RowAct::SetOwnTerms => judge(party::Action::SetOwnTerms),
        RowAct::Deposit => judge(party::Action::Deposit),
        RowAct::Transfer => judge(party::Action::Transfer),
        RowAct::Exchange => judge(party::Action::Exchange),
        RowAct::RecordExpense => judge(party::Action::RecordExpense),
        RowAct::ClosePeriod => judge(party::Action::ClosePeriod),
        RowAct::Pay => {
            // A manager takes payments for the business, others for themselves.
            let owed_to = standing.facts.agency.filter(|_| caller.role != Role::Manager);
            let owed = standing.owes.get(&owed_to.map(Uuid::from)).copied().unwrap_or_default();
            movement::judge_payment(caller, owed_to, false, owed)
        }
        RowAct::AddRecipient
        | RowAct::AddCard
        | RowAct::Reverse
        | RowAct::Settle
        | RowAct::Undo
        | RowAct::Rotate
        | RowAct::Revoke
        | RowAct::Pause
        | RowAct::Resume
        | RowAct::Replay => Err(Refusal::not_found("party_not_found")),
    }
}

/// A row about a party.
trait AboutParty {
    /// The call that edits it, for lists with their own.
    const EDITED_BY: Option<(&'static str, &'static str)> = None;
    fn party(&self) -> Uuid;
    fn set_actions(&mut self, actions: Vec<RowAction>);
}

async fn offer_parties<R: AboutParty>(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    rows: &mut [R],
) -> Result<(), ReadError> {
    let ids: Vec<Uuid> = rows.iter().map(AboutParty::party).collect();
    let standings = standing::of(transaction, &ids).await?;
    for row in rows {
        let Some(standing) = standings.get(&row.party()) else {
            continue;
        };
        let offered = OF_PARTIES.iter().filter_map(|action| {
            let own = R::EDITED_BY.filter(|_| *action == RowAct::Edit);
            let call = own.or_else(|| call(*action, standing.facts.role))?;
            let area = match (action, standing.facts.role) {
                (RowAct::Edit | RowAct::Delete, Role::Manager) => Some(Area::Office),
                (RowAct::Edit | RowAct::Delete, _) => Some(Area::Parties),
                _ => None,
            };
            Some(by_call(scope, *action, call, || {
                area.map_or(Ok(()), |area| writes(scope, area))?;
                rule(caller(scope), standing, *action)
            }))
        });
        row.set_actions(offered.collect());
    }
    Ok(())
}

/// Rows that are parties, or about one.
macro_rules! about_parties {
    ($($row:ty: |$this:ident| $party:expr $(, edited by $edited:expr)?;)*) => {$(
        impl AboutParty for $row {
            $(const EDITED_BY: Option<(&'static str, &'static str)> = Some($edited);)?

            fn party(&self) -> Uuid {
                let $this = self;
                $party
            }

            fn set_actions(&mut self, actions: Vec<RowAction>) {
                self.actions = actions;
            }
        }

        impl Offers for $row {
            async fn offer(transaction: &mut ReadTransaction, scope: &Scope, rows: &mut [Self]) -> Result<(), ReadError> {
                offer_parties(transaction, scope, rows).await
            }
        }
    )*};
}

about_parties! {
    Agency: |row| row.id;
    Agent: |row| row.id;
    Dealer: |row| row.id;
    User: |row| row.id, edited by ("PUT", "/api/users/{id}");
    PartyBalance: |row| row.party.id;
    ClosurePreview: |row| row.party.id;
}

impl Offers for Customer {
    async fn offer(transaction: &mut ReadTransaction, scope: &Scope, rows: &mut [Self]) -> Result<(), ReadError> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let standings = caudal_projections::customer::facts(transaction, &ids).await?;
        for row in rows {
            let Some(facts) = standings.get(&row.id) else {
                continue;
            };
            let judge = |action| move || customer::judge(caller(scope), *facts, action);
            let (change, delete, make, card) = (
                ("PUT", "/api/customer/{id}"),
                ("DELETE", "/api/users/{id}"),
                ("POST", "/api/customer"),
                ("POST", "/api/customer/add_card"),
            );
            row.actions = vec![
                by_call(scope, RowAct::Edit, change, judge(customer::Action::Edit)),
                by_call(scope, RowAct::Delete, delete, || {
                    writes(scope, Area::Customers)?;
                    customer::judge(caller(scope), *facts, customer::Action::Delete)
                }),
            ];
            row.actions.push(match facts.kind {
                CustomerKind::Issuer => {
                    by_call(scope, RowAct::AddRecipient, make, judge(customer::Action::AddRecipient))
                }
                CustomerKind::Recipient => by_call(scope, RowAct::AddCard, card, judge(customer::Action::AddCard)),
            });
        }
        Ok(())
    }
}

impl Offers for Movement {
    async fn offer(transaction: &mut ReadTransaction, scope: &Scope, rows: &mut [Self]) -> Result<(), ReadError> {
        let debits: Vec<Uuid> = rows.iter().filter_map(|row| row.debit_id).collect();
        let paid = caudal_projections::debit::paid(transaction, &debits).await?;
        for row in rows {
            let call = ("POST", "/api/sources/movements/{id}/reverse");
            let paid = row
                .debit_id
                .and_then(|debit| paid.get(&debit).copied())
                .unwrap_or_default();
            let reversed = row.reversed;
            row.actions = vec![by_call(scope, RowAct::Reverse, call, || {
                movement::judge_reversal(caller(scope), reversed, paid)
            })];
        }
        Ok(())
    }
}

impl Offers for Debit {
    async fn offer(_: &mut ReadTransaction, scope: &Scope, rows: &mut [Self]) -> Result<(), ReadError> {
        for row in rows {
            let call = ("POST", "/api/sources/pay_debits");
            let creditor = row.creditor.as_ref().map(|creditor| PartyId(creditor.id));
            let (void, outstanding) = (row.status == DebitStatus::Void, row.outstanding.0);
            row.actions = vec![by_call(scope, RowAct::Pay, call, || {
                movement::judge_payment(caller(scope), creditor, void, outstanding)
            })];
        }
        Ok(())
    }
}

impl Offers for DeliveryDispute {
    async fn offer(transaction: &mut ReadTransaction, scope: &Scope, rows: &mut [Self]) -> Result<(), ReadError> {
        let reporters: Vec<Uuid> = rows.iter().map(|row| row.reported_by.id).collect();
        let standings = standing::of(transaction, &reporters).await?;
        for row in rows {
            let call = ("PUT", "/api/remittances/{id}/disputes/{number}");
            let dealer = standings
                .get(&row.reported_by.id)
                .and_then(|reporter| reporter.facts.dealer);
            let settled = row.status == DisputeStatus::Settled;
            row.actions = vec![by_call(scope, RowAct::Settle, call, || {
                remittance::judge_settlement(caller(scope), dealer, settled)
            })];
        }
        Ok(())
    }
}

impl Offers for RateChange {
    async fn offer(transaction: &mut ReadTransaction, scope: &Scope, rows: &mut [Self]) -> Result<(), ReadError> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let stand = rates::in_force(transaction, &ids).await?;
        for row in rows {
            let Some((status, holds)) = stand.get(&row.id).copied() else {
                continue;
            };
            let call = ("POST", "/api/rates/changes/{id}/undo");
            row.actions = vec![by_call(scope, RowAct::Undo, call, || judge_undo(status, || holds))];
        }
        Ok(())
    }
}

impl Offers for ApiKey {
    async fn offer(_: &mut ReadTransaction, scope: &Scope, rows: &mut [Self]) -> Result<(), ReadError> {
        let caller = (scope.party, scope.role);
        for row in rows {
            let (party, state) = (PartyId(row.party.id), row.state());
            let rule = |action| move || api_key::judge(caller, party, state, action);
            let (rotate, revoke) = (("POST", "/api/keys/{id}/rotate"), ("POST", "/api/keys/{id}/revoke"));
            row.actions = vec![
                by_call(scope, RowAct::Rotate, rotate, rule(api_key::Action::Rotate)),
                by_call(scope, RowAct::Revoke, revoke, rule(api_key::Action::Revoke)),
            ];
        }
        Ok(())
    }
}

impl Offers for Webhook {
    async fn offer(_: &mut ReadTransaction, scope: &Scope, rows: &mut [Self]) -> Result<(), ReadError> {
        const CALLS: &[(RowAct, &str, &str)] = &[
            (RowAct::Edit, "PUT", "/api/webhooks/{id}"),
            (RowAct::Rotate, "POST", "/api/webhooks/{id}/rotate"),
            (RowAct::Pause, "POST", "/api/webhooks/{id}/pause"),
            (RowAct::Resume, "POST", "/api/webhooks/{id}/resume"),
            (RowAct::Replay, "POST", "/api/webhooks/{id}/replay"),
            (RowAct::Delete, "DELETE", "/api/webhooks/{id}"),
        ];
        let caller = (scope.party, scope.role);
        for row in rows {
            let (party, is_paused) = (PartyId(row.party.id), row.paused_at.is_some());
            // One of the two: the other would change nothing.
            let unused = if is_paused { RowAct::Pause } else { RowAct::Resume };
            let calls = CALLS.iter().filter(|(action, ..)| *action != unused);
            row.actions = calls
                .map(|(action, method, path)| {
                    by_call(scope, *action, (method, path), || webhook::judge(caller, party, false))
                })
                .collect();
        }
        Ok(())
    }
}
