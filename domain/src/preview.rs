//! Previews: the effect of a command without executing it.

use crate::{
    approval::ApprovalRule,
    decision::{Answer, Decision},
    event::Event,
    figures::Figures,
    money::Amount,
    office::{Area, Permissions, Right},
    party::{Party, Role},
    tenant_state::{
        TenantState,
        account::{Account, AccountKind},
        entry::{Transfer, TransferCode},
    },
};
use std::collections::HashMap;

/// A command decided against the current state and not written.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Answer of the command. Its number is not reserved.
    pub answer: Answer,
    /// Figures to confirm; `None` when nothing is priced.
    pub figures: Option<Figures>,
    /// Postings, in order.
    pub transfers: Vec<PreviewedTransfer>,
    /// Rule of the approval that the command needs first; `None` when it takes effect at once.
    pub approval: Option<ApprovalRule>,
}

/// A transfer with the balances before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewedTransfer {
    pub debit: PreviewedAccount,
    pub credit: PreviewedAccount,
    /// Above 0, in the accounts' currency.
    pub amount: Amount,
    pub code: TransferCode,
}

/// An account before and after a transfer, debits less credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewedAccount {
    pub account: Account,
    /// Balance before and after; `None` when hidden from the caller.
    pub balance: Option<(Amount, Amount)>,
}

impl Preview {
    /// The postings of a decision, limited to what the caller may see: all transfers for managers; for members of the office
    /// those that touch an account of their areas; for others those that touch an account of their own or of a subordinate. Balances
    /// are told of these accounts alone.
    #[must_use]
    pub fn of(decision: &Decision<Event>, state: &TenantState, caller: Option<&Party>) -> Self {
        let permissions = caller.map_or(Permissions::ALL, |caller| {
            state.permissions_of(&state.office_access(caller.id))
        });
        let sees = |account: &Account| match caller {
            None => true,
            Some(caller) if caller.role == Role::Manager => permissions.may_in_one(areas_of(account), Right::Read),
            Some(caller) => account.owner.is_some_and(|owner| {
                owner == caller.seller() || state.party(owner).is_some_and(|party| caller.oversees(party))
            }),
        };
        let mut balances: HashMap<Account, Amount> = HashMap::new();
        let mut moved = |account: Account, change: Amount| {
            let balance = balances.entry(account).or_insert_with(|| state.balance(account));
            let before = *balance;
            *balance += change;
            PreviewedAccount {
                account,
                balance: sees(&account).then_some((before, *balance)),
            }
        };
        let transfers = decision.events.iter().filter_map(Event::entry);
        let transfers = transfers.flat_map(|entry| &entry.transfers);
        let transfers = transfers
            .map(|transfer: &Transfer| PreviewedTransfer {
                debit: moved(transfer.debit, transfer.amount),
                credit: moved(transfer.credit, -transfer.amount),
                amount: transfer.amount,
                code: transfer.code,
            })
            .filter(|transfer| transfer.debit.balance.is_some() || transfer.credit.balance.is_some())
            .collect();
        Self {
            answer: decision.answer.clone(),
            figures: decision.figures(),
            transfers,
            approval: None,
        }
    }
}

/// Areas of one of which a member of the office is told an account's balance by other calls too: a seller's balances stand in the
/// lists of sellers, what it owes among the debits.
const fn areas_of(account: &Account) -> &'static [Area] {
    match account.kind {
        AccountKind::Balance => &[Area::Accounting, Area::Parties],
        AccountKind::Debits => &[Area::Accounting, Area::Payments],
        _ => &[Area::Accounting],
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        AccountKind, Actor, Command, TenantCommand,
        ids::PermissionSetId,
        office::{Area, OfficeAccess, PermissionSet, Permissions, SetName},
        party::Registration,
        remittance::{CreateRemittance, RemittanceCommand},
        testing::{Business, amount},
    };

    #[test]
    fn a_preview_tells_every_transfer_with_the_balances_around_it_and_changes_nothing() {
        let business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let command = Command::Remittance(sale.id, RemittanceCommand::Create(sale));
        let by_agency = business.world.preview(Actor::Party(business.agency), &command).unwrap();
        let paid = by_agency.transfers[0];
        assert_eq!(paid.amount, amount("31850"));
        assert_eq!(
            paid.debit.balance,
            Some((amount("-200000"), amount("-168150"))),
            "the agency's own balance"
        );
        assert_eq!(paid.credit.account.kind, AccountKind::RemittancesPending);
        assert_eq!(paid.credit.balance, None, "what others have pending is not told");
        assert_eq!(by_agency.figures.unwrap().payout, amount("31850"));
        assert_eq!(business.world.remittances().count(), 0);
    }

    #[test]
    fn a_member_of_the_office_is_shown_the_accounts_of_the_areas_that_he_reads() {
        let kinds_shown_to = |permissions: Permissions| {
            let mut business = Business::funded();
            let id = PermissionSetId::generate();
            let set = PermissionSet {
                id,
                name: "Mostrador".into(),
                permissions,
            };
            let define = Command::Tenant(TenantCommand::DefinePermissionSet(set));
            business.world.run(business.manager, define).unwrap();
            let access = OfficeAccess {
                permission_set: Some(SetName::Own(id)),
                expires_at: None,
            };
            let member = Registration::Office(access);
            let member = business.world.party(business.manager, "mostrador", member);
            let sale = CreateRemittance {
                seller: Some(business.agency),
                ..business.sale(business.cup, 100_00)
            };
            let command = Command::Remittance(sale.id, RemittanceCommand::Create(sale));
            let preview = business.world.preview(Actor::Party(member), &command).unwrap();
            assert_eq!(preview.figures.unwrap().payout, amount("31850"));
            let sides = preview.transfers.iter().flat_map(|t| [t.debit, t.credit]);
            let shown = sides.filter(|side| side.balance.is_some());
            shown.map(|side| side.account.kind).collect::<Vec<_>>()
        };
        let sells = Permissions::writing(&[Area::Sales]);
        assert_eq!(kinds_shown_to(sells), []);
        assert_eq!(
            kinds_shown_to(sells.and_reading(&[Area::Parties])),
            [AccountKind::Balance]
        );
        let all = kinds_shown_to(Permissions::ALL);
        assert!(all.contains(&AccountKind::RemittancesPending), "{all:?}");
        assert_eq!(kinds_shown_to(sells.and_reading(&[Area::Accounting])), all);
    }

    #[test]
    fn a_preview_shows_a_delivery_man_his_cash_and_no_commission() {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(business.agency, sale);
        let assign = crate::remittance::AssignDealer {
            dealer: business.dealer,
            delivery_man: Some(business.courier),
        };
        business
            .act(business.manager, id, RemittanceCommand::Assign(assign))
            .unwrap();
        let complete = RemittanceCommand::Complete(crate::testing::delivered());
        let command = Command::Remittance(id, complete);
        let of = |actor| {
            let preview = business.world.preview(actor, &command).unwrap();
            let kinds = preview.transfers.iter().map(|t| t.credit.account.kind);
            kinds.collect::<Vec<_>>()
        };
        let (cash, income) = (AccountKind::FieldCash, AccountKind::CommissionIncome);
        assert_eq!(of(Actor::Party(business.courier)), [cash, cash]);
        assert_eq!(of(business.manager), [cash, cash, income]);
    }
}
