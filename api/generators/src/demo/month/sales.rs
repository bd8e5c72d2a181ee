//! Sales and their processing.

use super::{Deed, Month, Sold, refused};
use crate::demo::{
    DemoError,
    cast::{EUR, Group, Issuer, MLC, Recipient, Seller, USD, units},
    chance::Chance,
    people,
};
use caudal_domain::{
    Command,
    ids::{CardId, CustomerId, PartyId, RemittanceId},
    remittance::{AssignDealer, CompleteRemittance, CreateRemittance, DeliveryChoice, EditAmount, RemittanceCommand},
};
use chrono::{DateTime, Utc};

impl Month<'_> {
    pub(super) async fn sell(&mut self, at: DateTime<Utc>) -> Result<(), DemoError> {
        let chance = &mut self.cast.chance;
        let Some(seller) = chance.pick(&self.cast.sellers).cloned() else {
            return Ok(());
        };
        let Some(group) = pick_group(&seller, chance.between(1, 100)) else {
            return Ok(());
        };
        let issuer = chance
            .pick(&seller.issuers)
            .and_then(|index| self.cast.issuers.get(*index));
        let Some((issuer, to)) = issuer.and_then(|issuer| recipient(issuer, group, chance)) else {
            return Ok(());
        };
        let amount = match group.currency {
            USD | EUR => units(chance.between(4, 30) * 10),
            _ => units(chance.between(5, 60) * 5),
        };
        let home = || {
            self.cast
                .dealers
                .iter()
                .position(|dealer| dealer.province == to.province)
        };
        let dealer = match (group.currency, to.mlc_card) {
            (MLC, Some(_)) => self.cast.dealers.iter().position(|dealer| dealer.handles_mlc),
            _ => home(),
        };
        let create = CreateRemittance {
            delivery: card(group, to).map_or(DeliveryChoice::Home, DeliveryChoice::Card),
            notes: chance.percent(15).then(|| chance.word(people::NOTES).to_owned()),
            ..CreateRemittance::new(RemittanceId::generate(), issuer, to.id, group.id, amount)
        };
        let roll = (chance.between(1, 100), chance.percent(4));
        let id = create.id;
        let command = Command::Remittance(id, RemittanceCommand::Create(create));
        let answer = match self.teller.try_tell(seller.id, command.clone()).await? {
            Ok(answer) => answer,
            Err(refusal) if refusal.code == "balance_insufficient" => {
                self.fund_seller(&seller, group).await?;
                self.teller.tell(seller.id, command).await?
            }
            Err(refusal) => return Err(refused("sell", refusal)),
        };
        self.sold.push(Sold {
            id: RemittanceId(answer.id),
            by: seller.id,
            group,
            amount,
            payout: answer.quote.map(|quote| quote.payout).unwrap_or_default(),
            to,
            dealer: dealer.unwrap_or_default(),
            man: None,
            attempts: 0,
        });
        let sold = self.sold.len() - 1;
        if roll.1 {
            self.later(at, (0, 1), Deed::EditAmount { sold });
        }
        match roll.0 {
            1..=4 => self.later(at, (1, 5), Deed::Cancel { sold }),
            _ => self.later(at, (1, 14), Deed::Assign { sold }),
        }
        Ok(())
    }

    pub(super) async fn edit_amount(&mut self, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let edit = EditAmount::new(of.amount - units(5), of.group.id);
        self.unless_moved_on(of.by, of.id, RemittanceCommand::EditAmount(edit))
            .await
    }

    pub(super) async fn assign(&mut self, at: DateTime<Utc>, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let Some(dealer) = self.cast.dealers.get(of.dealer).cloned() else {
            return Ok(());
        };
        let by_man = of.group.currency != MLC && self.cast.chance.percent(65);
        let man = if by_man {
            self.cast.chance.pick(&dealer.delivery_men).copied()
        } else {
            None
        };
        let assign = AssignDealer {
            dealer: dealer.id,
            delivery_man: None,
        };
        let command = Command::Remittance(of.id, RemittanceCommand::Assign(assign));
        self.teller.tell(self.teller.manager, command).await?;
        if man.is_some() {
            let assign = AssignDealer {
                dealer: dealer.id,
                delivery_man: man,
            };
            self.teller
                .tell(dealer.id, Command::Remittance(of.id, RemittanceCommand::Assign(assign)))
                .await?;
        }
        if let Some(of) = self.sold.get_mut(sold) {
            of.man = man;
            of.attempts += 1;
        }
        if of.attempts == 0 && self.cast.chance.percent(10) {
            self.later(at, (3, 20), Deed::Fail { sold });
        } else {
            self.later(at, (3, 44), Deed::Deliver { sold });
        }
        Ok(())
    }

    pub(super) async fn fail(&mut self, at: DateTime<Utc>, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let reason = self.cast.chance.word(people::ERRORS).to_owned();
        let command = Command::Remittance(of.id, RemittanceCommand::MarkError { reason });
        self.teller.tell(self.deliverer(&of), command).await?;
        self.failed += 1;
        match self.failed % 10 {
            // Left in error, the second of the month already: chance alone left none at some hours.
            2 => {}
            5 | 8 => self.later(at, (8, 40), Deed::Cancel { sold }),
            _ => self.later(at, (18, 90), Deed::Assign { sold }),
        }
        Ok(())
    }

    pub(super) async fn cancel(&mut self, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let reason = self.cast.chance.word(people::CANCELLATIONS).to_owned();
        self.unless_moved_on(of.by, of.id, RemittanceCommand::Cancel { reason })
            .await
    }

    pub(super) async fn deliver(&mut self, sold: usize) -> Result<(), DemoError> {
        let Some(of) = self.sold.get(sold).copied() else {
            return Ok(());
        };
        let complete = CompleteRemittance {
            identification: Some(self.images.identification.clone()),
            signature: card(of.group, of.to).is_none().then(|| self.images.signature.clone()),
            ..CompleteRemittance::default()
        };
        let command = Command::Remittance(of.id, RemittanceCommand::Complete(complete));
        self.provide(&of).await?;
        self.teller.tell(self.deliverer(&of), command).await?;
        self.delivered.push(of.id);
        Ok(())
    }

    fn deliverer(&self, of: &Sold) -> PartyId {
        let dealer = self.cast.dealers.get(of.dealer).map(|dealer| dealer.id);
        of.man.or(dealer).unwrap_or(self.teller.manager)
    }

    /// A command that may come too late.
    pub(super) async fn unless_moved_on(
        &mut self,
        by: PartyId,
        id: RemittanceId,
        command: RemittanceCommand,
    ) -> Result<(), DemoError> {
        match self.teller.try_tell(by, Command::Remittance(id, command)).await? {
            Ok(_) => Ok(()),
            Err(refusal) if refusal.code.starts_with("remittance_is_") => Ok(()),
            Err(refusal) if refusal.code == "only_manager_in_this_status" => Ok(()),
            Err(refusal) => Err(refused("remittance", refusal)),
        }
    }
}

/// The payment group for a number below a hundred.
fn pick_group(seller: &Seller, roll: i64) -> Option<Group> {
    let total: i64 = seller.groups.iter().map(|group| group.share).sum();
    let mut left = roll * total / 100;
    for group in &seller.groups {
        left -= group.share;
        if left <= 0 {
            return Some(*group);
        }
    }
    seller.groups.last().copied()
}

/// A recipient whom the group can pay.
fn recipient(issuer: &Issuer, group: Group, chance: &mut Chance) -> Option<(CustomerId, Recipient)> {
    let payable: Vec<_> = issuer
        .recipients
        .iter()
        .filter(|to| group.currency != MLC || to.mlc_card.is_some())
        .copied()
        .collect();
    chance.pick(&payable).map(|to| (issuer.id, *to))
}

fn card(group: Group, to: Recipient) -> Option<CardId> {
    to.mlc_card.filter(|_| group.currency == MLC)
}
