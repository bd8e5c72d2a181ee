//! Whom the parties of a remittance call: its agency, or the agent where it has none.

use super::Remittance;
use crate::{error::ReadError, snapshot::Snapshot};
use sqlx::Row as _;

/// Who sold a remittance, for its receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SellerContact {
    /// Whether it is an agency; an agent without one otherwise.
    pub is_agency: bool,
    /// The seller's name; `None` when erased.
    pub name: Option<String>,
    /// The seller's telephone.
    pub phone_number: Option<String>,
}

/// Who sold a remittance, with the telephone.
pub async fn seller_contact(
    snapshot: &mut Snapshot,
    remittance: &Remittance,
) -> Result<Option<SellerContact>, ReadError> {
    let Some(seller) = remittance.agency.as_ref().or(remittance.agent.as_ref()) else {
        return Ok(None);
    };
    let mut sql = snapshot
        .rows("parties", "p")
        .after("SELECT p.name, coalesce(p.details ->> 'phone', p.details ->> 'phone2') AS phone");
    sql.push(" AND p.id = ").bind(seller.id);
    let rows = snapshot.fetch(&sql).await?;
    let contact = rows.first().map(|row| {
        Ok::<_, sqlx::Error>(SellerContact {
            is_agency: remittance.agency.is_some(),
            name: row.try_get("name")?,
            phone_number: row.try_get("phone")?,
        })
    });
    Ok(contact.transpose()?)
}
