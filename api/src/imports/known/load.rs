//! Customers, cards, parties and opening balances as the read models have them.

use super::{Home, Known, Opening, PersonKeys};
use crate::imports::store::StoreError;
use caudal_domain::{
    customer::CustomerKind,
    ids::{CardId, CustomerId, MovementId, PartyId, PaymentGroupId, TenantId},
    money::Amount,
};
use caudal_postgres::Database;
use futures::TryStreamExt as _;
use sqlx::Row as _;
use uuid::Uuid;

impl Known {
    /// Reads an owner's customers from the read models.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load(database: &Database, tenant: &TenantId, owner: PartyId) -> Result<Self, StoreError> {
        let mut known = Self::default();
        let mut transaction = database.begin_read(tenant.as_str()).await?;
        let mut rows = sqlx::query(
            "SELECT id, kind, sender, identification, phone, name, province, municipality,
                    details ->> 'personalIdentificationCountry' AS country,
                    details ->> 'addressLine' AS address, details ->> 'repart' AS repart FROM customers
              WHERE tenant = $1 AND owner = $2 AND NOT deleted AND name IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(owner.0)
        .fetch(&mut *transaction);
        while let Some(row) = rows.try_next().await? {
            let kind = match row.try_get::<i16, _>("kind")? {
                0 => CustomerKind::Issuer,
                _ => CustomerKind::Recipient,
            };
            let sender: Option<Uuid> = row.try_get("sender")?;
            let keys = PersonKeys::new(
                row.try_get("identification")?,
                row.try_get("phone")?,
                row.try_get("name")?,
            )
            .of_country(row.try_get("country")?);
            let id = CustomerId(row.try_get("id")?);
            known.keep(kind, sender.unwrap_or(owner.0), &keys, id);
            if kind == CustomerKind::Recipient {
                let home = Home {
                    province: row.try_get("province")?,
                    municipality: row.try_get("municipality")?,
                    address: row.try_get("address")?,
                };
                known.keep_home(id, &home, row.try_get("repart")?);
            }
        }
        drop(rows);
        let mut rows = sqlx::query(
            "SELECT c.id, c.customer, c.number FROM cards AS c
               JOIN customers AS o ON o.tenant = c.tenant AND o.id = c.customer
              WHERE c.tenant = $1 AND o.owner = $2 AND NOT o.deleted AND c.number IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(owner.0)
        .fetch(&mut *transaction);
        while let Some(row) = rows.try_next().await? {
            let number: String = row.try_get("number")?;
            let digits: String = number.chars().filter(char::is_ascii_digit).collect();
            let key = known.card_key(CustomerId(row.try_get("customer")?), &digits);
            known.cards.insert(key, CardId(row.try_get("id")?));
        }
        drop(rows);
        transaction.commit().await?;
        Ok(known)
    }

    /// Reads a tenant's parties and its opening balances from the read models.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load_parties(&mut self, database: &Database, tenant: &TenantId) -> Result<(), StoreError> {
        let mut transaction = database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT id, name, details->>'email' AS email FROM parties
              WHERE tenant = $1 AND NOT deleted AND name IS NOT NULL",
        )
        .bind(tenant.as_str())
        .fetch_all(&mut *transaction)
        .await?;
        for row in &rows {
            let email: Option<&str> = row.try_get("email")?;
            self.add_party(
                PartyId(row.try_get("id")?),
                row.try_get("name")?,
                email.unwrap_or_default(),
            );
        }
        let rows = sqlx::query(
            "SELECT id, to_party, group_id, currency, amount FROM movements
              WHERE tenant = $1 AND kind = 'opening' AND reversed_at IS NULL",
        )
        .bind(tenant.as_str())
        .fetch_all(&mut *transaction)
        .await?;
        for row in &rows {
            let currency: &str = row.try_get("currency")?;
            let account = (
                row.try_get::<Option<Uuid>, _>("to_party")?.map(PartyId),
                row.try_get::<Option<Uuid>, _>("group_id")?.map(PaymentGroupId),
                currency.parse().map_err(|_| StoreError::Changed)?,
            );
            let opening = Opening {
                id: MovementId(row.try_get("id")?),
                amount: Amount::from_minor(row.try_get("amount")?),
            };
            self.openings.insert(account, opening);
        }
        Ok(())
    }
}
