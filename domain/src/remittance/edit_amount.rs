//! Edit of the amount or the payment group: requoted at the current terms.

use super::{
    Delivery, QuoteBasis, Remittance, RemittanceAmountEdited, RemittanceEvent, Sale, Status, hold, posting, quote,
    require_card_pays,
};
use crate::{
    decision::{Context, Decision},
    ids::{CustomerId, PaymentGroupId},
    limits::SaleChecks,
    money::Amount,
    refusal::Refusal,
    tenant_state::entry::Entry,
};
use serde::{Deserialize, Serialize};

/// Changes amount and payment group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditAmount {
    /// New amount sent, in USD.
    pub amount: Amount,
    /// New payment group.
    pub group: PaymentGroupId,
    /// The sale's customers, whose streams the decision reads. Read anew when a proposal is approved, as their documents are.
    #[serde(skip)]
    pub customers: Vec<CustomerId>,
    /// What was read of their documents.
    #[serde(skip)]
    pub checks: SaleChecks,
}

impl EditAmount {
    /// An edit without anything read of the customers.
    #[must_use]
    pub fn new(amount: Amount, group: PaymentGroupId) -> Self {
        Self {
            amount,
            group,
            customers: Vec::new(),
            checks: SaleChecks::default(),
        }
    }
}

pub(super) fn decide(
    own: &Remittance,
    edit: &EditAmount,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let seller = ctx
        .state
        .party(own.sale.seller)
        .ok_or_else(|| Refusal::conflict("seller_unknown"))?;
    let (terms, new_quote) = quote(ctx.state, seller, edit.group, QuoteBasis::Amount(edit.amount))?;
    if let Delivery::Card { brand, .. } = own.delivery {
        require_card_pays(brand, new_quote.currency_to)?;
    }
    let sale = Sale {
        group: edit.group,
        terms,
        quote: new_quote,
        ..own.sale.clone()
    };
    let entry = posting::sold(posting::unsold(Entry::default(), own), &sale);
    ctx.state.check(&entry)?;
    // The same amount under changed terms is requoted.
    let unchanged = own.status == Status::Pending && sale == own.sale;
    let edited = RemittanceAmountEdited {
        id: own.id,
        previous_group: own.sale.group,
        previous_quote: own.sale.quote,
        sale,
        entry,
    };
    let mut decision = Decision::of(RemittanceEvent::RemittanceAmountEdited(edited), own.id)
        .unless(unchanged)
        .answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(Status::Pending.number());
            answer.quote = Some(new_quote);
        });
    if !unchanged {
        let parties = [own.sale.sender, own.sale.recipient];
        let read = parties.into_iter().filter(|party| edit.customers.contains(party));
        hold::by_screening(Some(own), &mut decision, read.filter_map(|party| ctx.customer(party)))?;
    }
    Ok(decision)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Conflict, Invalid},
        party::PartyCommand,
        remittance::{CreateRemittance, DeliveryChoice, RemittanceCommand},
        testing::{
            Business, amount, commission,
            given::{Caller, Then, Tried},
            terms,
        },
    };

    fn edit(
        business: &Business,
        caller: impl Caller,
        id: crate::ids::RemittanceId,
        text: &str,
        group: PaymentGroupId,
    ) -> Tried<Remittance> {
        let amount = amount(text);
        let act = business
            .world
            .by(caller, RemittanceCommand::EditAmount(EditAmount::new(amount, group)));
        business.world.given::<Remittance>(id).when(act)
    }

    #[test]
    fn an_edit_reverses_the_sale_and_resells_in_one_entry() {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(business.agent, sale);
        edit(&business, business.agent, id, "50", business.cup).then_posts(
            &business,
            &[
                "Dr remittances_pending / Cr balance[agent CUP] 31500.00 CUP",
                "Dr deferred_commission / Cr commission_receivable[agent] 2.00 USD",
                "Dr agency_memo[agency] / Cr agency_receivable[agent] 5.00 USD",
                "Dr balance[agent CUP] / Cr remittances_pending 15750.00 CUP",
                "Dr commission_receivable[agent] / Cr deferred_commission 1.00 USD",
                "Dr agency_receivable[agent] / Cr agency_memo[agency] 2.50 USD",
            ],
        );
    }

    #[test]
    fn an_edit_quotes_at_the_terms_of_its_moment_and_another_groups_currency() {
        let mut business = Business::funded();
        let (manager, agency, usd) = (business.manager, business.agency, business.usd);
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(agency, sale);
        let set = PartyCommand::SetTerms(terms(usd, "0.5", commission("10", Default::default(), None), "500"));
        business.world.run(manager, Command::Party(agency, set)).unwrap();
        let event = edit(&business, agency, id, "80", usd).then_event();
        let RemittanceEvent::RemittanceAmountEdited(edited) = event else {
            panic!("{event:?}")
        };
        assert_eq!(
            (edited.sale.quote.payout, edited.sale.quote.agency_fee),
            (amount("40"), amount("8"))
        );
        assert_eq!(
            (edited.previous_group, edited.previous_quote.payout),
            (business.cup, amount("31850"))
        );
        assert_eq!(edited.sale.code, "R-000001", "it stays the same remittance");
    }

    #[test]
    fn an_edit_of_one_in_error_brings_it_back_to_pending() {
        let mut business = Business::funded();
        let (manager, agency, cup) = (business.manager, business.agency, business.cup);
        let sale = business.sale(cup, 100_00);
        let id = business.sell(agency, sale);
        let reason = "no vive ahí".to_owned();
        business
            .act(manager, id, RemittanceCommand::MarkError { reason })
            .unwrap();
        edit(&business, agency, id, "100", cup).then_posts(
            &business,
            &[
                "Dr remittances_error / Cr balance[agency CUP] 31850.00 CUP",
                "Dr deferred_commission / Cr commission_receivable[agency] 2.00 USD",
                "Dr balance[agency CUP] / Cr remittances_pending 31850.00 CUP",
                "Dr commission_receivable[agency] / Cr deferred_commission 2.00 USD",
            ],
        );
    }

    #[test]
    fn only_what_an_edit_takes_beyond_the_old_payout_needs_balance() {
        let mut business = Business::funded();
        let (agency, cup) = (business.agency, business.cup);
        let sale = business.sale(cup, 600_00);
        let id = business.sell(agency, sale);
        edit(&business, agency, id, "627.94", cup).then_event();
        edit(&business, agency, id, "627.95", cup).then_refused(Conflict, "balance_insufficient");
    }

    #[test]
    fn an_edit_into_a_group_that_the_seller_may_no_longer_sell_is_refused() {
        let mut business = Business::funded();
        let (manager, agency, cup) = (business.manager, business.agency, business.cup);
        let sale = business.sale(cup, 100_00);
        let id = business.sell(business.clerk, sale);
        let closed = crate::party::TermsChange {
            is_active: Some(false),
            ..terms(cup, "318.5", Default::default(), "0")
        };
        business
            .world
            .run(manager, Command::Party(agency, PartyCommand::SetTerms(closed)))
            .unwrap();
        edit(&business, manager, id, "50", cup).then_refused(Invalid, "invalid paymentGroupId:payment_group_closed");
    }

    #[test]
    fn a_transfer_stays_within_what_its_card_pays() {
        let mut business = Business::funded();
        let (agency, mlc, card) = (business.agency, business.mlc, business.bertas_card);
        let delivery = DeliveryChoice::Card(card);
        let sale = CreateRemittance {
            delivery,
            ..business.sale(mlc, 100_00)
        };
        let id = business.sell(agency, sale);
        edit(&business, agency, id, "50", mlc).then_event();
        edit(&business, agency, id, "50", business.cup)
            .then_refused(Invalid, "invalid cardId:card_of_another_currency");
    }

    #[test]
    fn the_same_amount_at_the_same_terms_writes_no_event_unless_it_brings_it_back_from_error() {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(business.agent, sale);
        edit(&business, business.agent, id, "100", business.cup).then_expect_events(vec![]);
        edit(&business, business.agent, id, "100.01", business.cup).then_event();
        let reason = "dirección incorrecta".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::MarkError { reason })
            .unwrap();
        edit(&business, business.agent, id, "100", business.cup).then_event();
    }
}
