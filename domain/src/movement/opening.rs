//! Opening balances: what another system says of an account, when the business begins with Caudal. Posted against capital,
//! and never more than an account's first entry, so that no correction can be hidden in one.

use super::{Movement, MovementEvent, MovementKind, require_currency};
use crate::{
    books::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
    decision::{Context, Decision},
    ids::{MovementId, PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    party::{Action, Role, permitted},
    quote::validate_amount,
    refusal::{Refusal, require},
};

/// Opens an account with a balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenBalance {
    pub of: Opened,
    /// Above 0.
    pub amount: Amount,
}

/// The account that opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    let receiver = |party| permitted(caller, ctx.books.party(party), Action::Deposit);
    let (account, entry, to, group) = match open.of {
        Opened::Treasury(currency) => {
            let account = Account::of_tenant(AccountKind::Treasury, currency);
            let code = TransferCode::Deposit;
            let entry = Entry::default().post(account, capital(currency), open.amount, code);
            (account, entry, None, None)
        }
        Opened::Cash(party, currency) => {
            let party = receiver(party)?;
            require(party.role.holds_cash(), || Refusal::conflict("party_holds_no_cash"))?;
            let account = Account::of(AccountKind::FieldCash, party.id, currency);
            let code = TransferCode::CashOut;
            let entry = Entry::default().post(account, capital(currency), open.amount, code);
            (account, entry, Some(party.id), None)
        }
        Opened::Balance(party, group_id) => {
            let party = receiver(party)?;
            let group = ctx.books.group(group_id);
            let group = group.ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_unknown"))?;
            require(party.terms.contains_key(&group_id), || {
                Refusal::invalid("paymentGroupId", "payment_group_not_held")
            })?;
            let account = Account::balance(party.id, group_id, group.currency_to);
            // Closures count it among what the seller was assigned.
            let code = TransferCode::Assignment;
            let entry = Entry::default().post(capital(group.currency_to), account, open.amount, code);
            (account, entry, Some(party.id), Some(group_id))
        }
    };
    validate_amount("amount", open.amount)?;
    require_currency("currency", account.currency, ctx)?;
    require(!ctx.books.is_posted(account), || {
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
            ctx.books,
        )
    };
    movement.decide_as(None, ctx, MovementEvent::OpeningBalancePosted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
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
    fn an_account_opens_once_and_not_after_another_entry() {
        let business = Business::funded();
        let manager = business.manager;
        let balance = Opened::Balance(business.agency, business.cup);
        business
            .moving(manager, open(balance, "5"))
            .then_refused(Conflict, "account_has_entries");
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
            .then_refused(Invalid, "invalid amount:value_not_positive");
    }
}
