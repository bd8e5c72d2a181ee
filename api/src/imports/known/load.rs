//! Customers, cards, parties and opening balances as the log has them: a row that somebody changed in the read models must not
//! lead a sale to another person. The read models only say which records there are.

use super::{Home, Known, Opening, PersonKeys};
use caudal_domain::{
    TenantState,
    customer::CustomerKind,
    ids::{MovementId, PartyId},
};
use caudal_journal::Journal;
use caudal_projections::{
    ReadError, ReadTransaction,
    customer::{self, full_name},
    from_log::{self, CustomerOfLog, RECORDS_AT_ONCE},
    movement,
};
use uuid::Uuid;

impl Known {
    /// Knows an owner's customers and their cards.
    ///
    /// # Errors
    /// When the database fails, or the log was changed.
    pub async fn load_customers(
        &mut self,
        journal: &Journal,
        transaction: &mut ReadTransaction,
        owner: PartyId,
    ) -> Result<(), ReadError> {
        for ids in customer::ids_of_owner(transaction, owner)
            .await?
            .chunks(RECORDS_AT_ONCE)
        {
            for known in from_log::customers(journal, transaction, ids).await? {
                if known.customer.owner == owner && !known.customer.deleted {
                    self.know(&known);
                }
            }
        }
        Ok(())
    }

    fn know(&mut self, known: &CustomerOfLog) {
        let CustomerOfLog {
            customer,
            details: Some(details),
            cards,
        } = known
        else {
            return;
        };
        let keys = PersonKeys::new(
            details.personal_identification_number.as_deref(),
            details.phone_number.as_deref(),
            Some(&full_name(details)),
        )
        .of_country(details.personal_identification_country.as_deref());
        let within = customer.sender.map_or(customer.owner.0, |sender| sender.0);
        self.keep(customer.kind, within, &keys, customer.id);
        if customer.kind == CustomerKind::Recipient {
            let home = Home {
                province: customer.place.province.map(Uuid::from),
                municipality: customer.place.municipality.map(Uuid::from),
                address: details.address_line.clone(),
            };
            self.keep_home(customer.id, &home, details.repart.as_deref());
        }
        for (card, number) in cards {
            let digits: String = number.chars().filter(char::is_ascii_digit).collect();
            let key = self.card_key(customer.id, &digits);
            self.cards.insert(key, *card);
        }
    }

    /// Knows a tenant's parties and its opening balances.
    ///
    /// # Errors
    /// When the database fails, or the log was changed.
    pub async fn load_parties(
        &mut self,
        journal: &Journal,
        transaction: &mut ReadTransaction,
        state: &TenantState,
    ) -> Result<(), ReadError> {
        let present = state.parties().filter(|party| !party.deleted);
        let present: Vec<PartyId> = present.map(|party| party.id).collect();
        for ids in present.chunks(RECORDS_AT_ONCE) {
            for (id, details) in from_log::parties(journal, transaction, ids).await? {
                self.add_party(id, &details.name, &details.email);
            }
        }
        let standing: Vec<MovementId> = movement::standing_openings(transaction).await?;
        for ids in standing.chunks(RECORDS_AT_ONCE) {
            for opening in from_log::openings(journal, transaction, ids).await? {
                let account = (opening.to, opening.group, opening.currency);
                let (id, amount) = (opening.id, opening.amount);
                self.openings.insert(account, Opening { id, amount });
            }
        }
        Ok(())
    }
}
