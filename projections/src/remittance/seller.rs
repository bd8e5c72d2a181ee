//! Contact of a remittance's seller: its agency, or the agent without one.

use super::Remittance;
use crate::{error::ReadError, read_transaction::ReadTransaction};
use sqlx::Row as _;

/// Seller of a remittance, for its receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SellerContact {
    /// False for an agent without agency.
    pub is_agency: bool,
    /// `None` after erasure.
    pub name: Option<String>,
    pub phone_number: Option<String>,
}

/// Seller of a remittance with the telephone.
pub async fn seller_contact(
    transaction: &mut ReadTransaction,
    remittance: &Remittance,
) -> Result<Option<SellerContact>, ReadError> {
    let Some(seller) = remittance.agency.as_ref().or(remittance.agent.as_ref()) else {
        return Ok(None);
    };
    let mut sql = transaction
        .rows("parties", "p")
        .after("SELECT p.name, coalesce(p.details ->> 'phone', p.details ->> 'phone2') AS phone");
    sql.push(" AND p.id = ").bind(seller.id);
    let rows = transaction.fetch(&sql).await?;
    let contact = rows.first().map(|row| {
        Ok::<_, sqlx::Error>(SellerContact {
            is_agency: remittance.agency.is_some(),
            name: row.try_get("name")?,
            phone_number: row.try_get("phone")?,
        })
    });
    Ok(contact.transpose()?)
}
