//! Opening balances: what another system says of an account, when the business begins with Caudal. Posted against capital
//! under a transfer code of its own, so that no period counts it as received, and only as the account's first entry, so that
//! no correction can be hidden in one.

use super::{Movement, MovementEvent, MovementKind, require_currency};
use crate::{
    decision::{Context, Decision},
    ids::{MovementId, PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    party::{Action, Role, permitted},
    quote::validate_amount,
    refusal::{Refusal, require},
    tenant_state::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
};
use serde::{Deserialize, Serialize};

/// Opens an account with a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenBalance {
    pub of: Opened,
    /// Above 0.
    pub amount: Amount,
}

/// The account that opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Opened {
    /// The treasury's cash.
    Treasury(CurrencyCode),
    /// Cash of a dealer or a delivery man.
    Cash(PartyId, CurrencyCode),
    /// A seller's prepaid balance.
    Balance(PartyId, PaymentGroupId),
}

pub(super) fn decide(
    id: MovementId,
    open: &OpenBalance,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    let caller = ctx.caller()?;
    require(caller.role == Role::Manager, || Refusal::forbidden("role_not_allowed"))?;
    let capital = |currency| Account::of_tenant(AccountKind::Capital, currency);
    let opening = |debit, credit| Entry::default().post(debit, credit, open.amount, TransferCode::Opening);
    let receiver = |party| permitted(caller, ctx.state.party(party), Action::Deposit);
    validate_amount("amount", open.amount)?;
    let (account, entry, to, group) = match open.of {
        Opened::Treasury(currency) => {
            let account = Account::of_tenant(AccountKind::Treasury, currency);
            let entry = opening(account, capital(currency));
            (account, entry, None, None)
        }
        Opened::Cash(party, currency) => {
            let party = receiver(party)?;
            require(party.role.holds_cash(), || Refusal::conflict("party_holds_no_cash"))?;
            let account = Account::of(AccountKind::FieldCash, party.id, currency);
            let entry = opening(account, capital(currency));
            (account, entry, Some(party.id), None)
        }
        Opened::Balance(party, group_id) => {
            let party = receiver(party)?;
            let group = ctx.state.group(group_id);
            let group = group.ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_unknown"))?;
            require(party.terms.contains_key(&group_id), || {
                Refusal::invalid("paymentGroupId", "payment_group_not_held")
            })?;
            // The next closure would not begin where the last one ended.
            require(ctx.state.last_closure(party.id).is_none(), || {
                Refusal::conflict("period_already_closed")
            })?;
            let account = Account::balance(party.id, group_id, group.currency_to);
            let entry = opening(capital(group.currency_to), account);
            (account, entry, Some(party.id), Some(group_id))
        }
    };
    require_currency("currency", account.currency, ctx)?;
    require(!ctx.state.is_posted(account), || {
        Refusal::conflict("account_has_entries")
    })?;
    let movement = Movement {
        to,
        group,
        entry,
        ..Movement::new(
            id,
            MovementKind::Opening,
            caller.id,
            open.amount,
            account.currency,
            ctx.state,
        )
    };
    movement.decide_as(None, ctx, MovementEvent::OpeningBalancePosted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Conflict, Forbidden, Invalid},
        movement::{MovementCommand, MovementPosted},
        testing::{Business, amount, given::Then},
    };

    fn open(of: Opened, text: &str) -> MovementCommand {
        MovementCommand::Open(OpenBalance {
            of,
            amount: amount(text),
        })
    }

    #[test]
    fn treasury_cash_and_balances_open_against_capital() {
        let business = Business::new();
        let (manager, cup) = (business.manager, business.cup);
        let posts = |of, entry: &str| {
            let opened = business.moving(manager, open(of, "1200"));
            opened.then_posts(&business, &[entry]);
        };
        posts(
            Opened::Treasury(CurrencyCode::CUP),
            "Dr treasury / Cr capital 1200.00 CUP",
        );
        posts(
            Opened::Cash(business.dealer, CurrencyCode::CUP),
            "Dr field_cash[dealer] / Cr capital 1200.00 CUP",
        );
        let event = business
            .moving(manager, open(Opened::Balance(business.agency, cup), "1200"))
            .then_event();
        let MovementEvent::OpeningBalancePosted(MovementPosted { movement, .. }) = event else {
            panic!("{event:?}")
        };
        assert_eq!((movement.kind, movement.group), (MovementKind::Opening, Some(cup)));
        let [transfer] = movement.entry.transfers.as_slice() else {
            panic!("one transfer")
        };
        assert_eq!(transfer.debit.kind, AccountKind::Capital);
        assert_eq!(
            transfer.credit,
            Account::balance(business.agency, cup, CurrencyCode::CUP)
        );
    }

    #[test]
    fn an_account_opens_once_and_not_after_an_assignment_a_sale_or_a_reversal() {
        let mut business = Business::new();
        let (manager, agency, cup) = (business.manager, business.agency, business.cup);
        let treasury = Opened::Treasury(CurrencyCode::CUP);
        let id = MovementId::generate();
        business
            .world
            .run(manager, Command::Movement(id, open(treasury, "5")))
            .unwrap();
        business
            .moving(manager, open(treasury, "5"))
            .then_refused(Conflict, "account_has_entries");
        let reason = "Otro saldo".to_owned();
        business
            .world
            .run(manager, Command::Movement(id, MovementCommand::Reverse { reason }))
            .unwrap();
        assert_eq!(
            business
                .world
                .tenant_state
                .balance(Account::of_tenant(AccountKind::Treasury, CurrencyCode::CUP)),
            Amount::ZERO
        );
        business
            .moving(manager, open(treasury, "5"))
            .then_refused(Conflict, "account_has_entries");
        // On credit, with nothing on the account.
        let sale = business.sale(business.usd, 100_00);
        business.sell(agency, sale);
        let dollars = Opened::Balance(agency, business.usd);
        business
            .moving(manager, open(dollars, "5"))
            .then_refused(Conflict, "account_has_entries");
        business
            .moving(manager, open(Opened::Balance(agency, cup), "5"))
            .then_event();

        let funded = Business::funded();
        funded
            .moving(funded.manager, open(Opened::Balance(funded.agency, funded.cup), "5"))
            .then_refused(Conflict, "account_has_entries");
    }

    #[test]
    fn a_sellers_first_closure_begins_with_its_opening_balance_and_was_assigned_nothing() {
        let mut business = Business::new();
        let (manager, agency, cup) = (business.manager, business.agency, business.cup);
        let id = MovementId::generate();
        let command = open(Opened::Balance(agency, cup), "1200");
        business.world.run(manager, Command::Movement(id, command)).unwrap();
        let figures = |business: &Business| {
            let state = &business.world.tenant_state;
            let (groups, totals) = state.figures(state.party(agency).unwrap(), chrono::NaiveDate::MAX);
            assert_eq!(totals.debits_opened, Amount::ZERO);
            let group = groups.into_iter().find(|group| group.group == cup).unwrap();
            (group.opening, group.assigned, group.closing)
        };
        assert_eq!(figures(&business), (amount("1200"), Amount::ZERO, amount("1200")));
        business.world.close(manager, agency).unwrap();
        assert_eq!(figures(&business), (amount("1200"), Amount::ZERO, amount("1200")));
        let reason = "Otro saldo".to_owned();
        business
            .world
            .run(manager, Command::Movement(id, MovementCommand::Reverse { reason }))
            .unwrap();
        let taken_back = (amount("1200"), amount("-1200"), Amount::ZERO);
        assert_eq!(figures(&business), taken_back);
        let dollars = open(Opened::Balance(agency, business.usd), "5");
        business
            .moving(manager, dollars)
            .then_refused(Conflict, "period_already_closed");
    }

    #[test]
    fn the_manager_alone_opens_and_amounts_and_accounts_must_fit() {
        let business = Business::new();
        let (manager, agency, cup) = (business.manager, business.agency, business.cup);
        let balance = Opened::Balance(agency, cup);
        business
            .moving(agency, open(balance, "5"))
            .then_refused(Forbidden, "role_not_allowed");
        business
            .moving(manager, open(Opened::Cash(agency, CurrencyCode::CUP), "5"))
            .then_refused(Conflict, "party_holds_no_cash");
        business
            .moving(manager, open(Opened::Balance(business.dealer, cup), "5"))
            .then_refused(Invalid, "invalid paymentGroupId:payment_group_not_held");
        business
            .moving(manager, open(balance, "0"))
            .then_refused(Invalid, "invalid amount:amount_not_positive");
    }
}
