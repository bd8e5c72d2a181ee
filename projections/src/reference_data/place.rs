//! Cuba's provinces and municipalities: the shipped catalogue with the tenant's settings.

use crate::{
    batch::{Batch, existing},
    error::{ProjectError, ReadError},
    read_transaction::{ReadTransaction, only},
    rows::{MunicipalityRow, ProvinceRow},
    scalar::{CurrencyCode, Money},
    table::{Row as _, select_list},
};
use caudal_domain::{
    ids::{MunicipalityId, ProvinceId},
    reference_data::place::{self, PlaceEvent},
};
use caudal_journal::Recorded;
use serde::Serialize;
use sqlx::Row as _;
use utoipa::ToSchema;
use uuid::Uuid;

/// A Cuban province.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Province {
    /// UUID.
    pub id: Uuid,
    /// Code of Cuba's statistical office (ONEI).
    pub code: String,
    /// Name of the province.
    pub name: String,
    /// Whether remittances may be delivered there.
    pub enabled: bool,
}

/// All provinces.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvinceList {
    /// Ordered by code.
    pub results: Vec<Province>,
}

/// A Cuban municipality.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Municipality {
    /// UUID.
    pub id: Uuid,
    /// Code of Cuba's statistical office (ONEI).
    pub code: String,
    /// Name of the municipality.
    pub name: String,
    /// Id of its province.
    pub province_id: Uuid,
    /// Name of its province.
    pub province_name: String,
    /// Delivery fee there; null applies the currency's distribution rate.
    pub distribution_fee: Option<Money>,
    /// Currency of the fee; null without a fee.
    pub distribution_fee_currency: Option<CurrencyCode>,
    /// Whether remittances may be delivered there.
    pub enabled: bool,
}

/// Municipalities.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MunicipalityList {
    /// Ordered by code.
    pub results: Vec<Municipality>,
}

impl From<ProvinceRow> for Province {
    fn from(row: ProvinceRow) -> Self {
        Self {
            id: row.id,
            code: row.code,
            name: row.name,
            enabled: row.enabled,
        }
    }
}

/// Inserts the catalogue's rows with default settings.
pub(crate) fn open(batch: &mut Batch) {
    for province in place::provinces() {
        batch.provinces.put(ProvinceRow {
            id: province.id.0,
            code: province.code.clone(),
            iso: province.iso.clone(),
            name: province.name.clone(),
            enabled: true,
        });
        for municipality in &province.municipalities {
            batch.municipalities.put(MunicipalityRow {
                id: municipality.id.0,
                province: province.id.0,
                code: municipality.code.clone(),
                name: municipality.name.clone(),
                fee: None,
                fee_currency: None,
                enabled: true,
            });
        }
    }
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &PlaceEvent) -> Result<(), ProjectError> {
    match event {
        PlaceEvent::ProvinceChanged { id, enabled } => {
            existing(&mut batch.provinces, recorded, *id)?.enabled = *enabled;
        }
        PlaceEvent::MunicipalityChanged { id, settings } => {
            let row = existing(&mut batch.municipalities, recorded, *id)?;
            row.fee = settings.distribution_fee.map(|fee| fee.amount);
            row.fee_currency = settings.distribution_fee.map(|fee| fee.currency);
            row.enabled = settings.enabled;
        }
    }
    Ok(())
}

/// All provinces; visible to everyone.
pub async fn provinces(transaction: &mut ReadTransaction) -> Result<ProvinceList, ReadError> {
    province_rows(transaction, None)
        .await
        .map(|results| ProvinceList { results })
}

/// One province.
///
/// # Errors
/// Not found.
pub async fn province(transaction: &mut ReadTransaction, id: ProvinceId) -> Result<Province, ReadError> {
    only(province_rows(transaction, Some(id.0)).await?, "province_not_found")
}

/// Municipalities of one province or all; visible to everyone.
pub async fn municipalities(
    transaction: &mut ReadTransaction,
    province: Option<ProvinceId>,
) -> Result<MunicipalityList, ReadError> {
    let results = municipality_rows(transaction, "m.province", province.map(Uuid::from)).await?;
    Ok(MunicipalityList { results })
}

/// One municipality.
///
/// # Errors
/// Not found.
pub async fn municipality(transaction: &mut ReadTransaction, id: MunicipalityId) -> Result<Municipality, ReadError> {
    only(
        municipality_rows(transaction, "m.id", Some(id.0)).await?,
        "municipality_not_found",
    )
}

async fn province_rows(transaction: &mut ReadTransaction, id: Option<Uuid>) -> Result<Vec<Province>, ReadError> {
    let mut sql = transaction
        .rows("provinces", "p")
        .after(&format!("SELECT {}", select_list::<ProvinceRow>("p", "")));
    if let Some(id) = id {
        sql.push(" AND p.id = ").bind(id);
    }
    sql.push(" ORDER BY p.code");
    let found = transaction.fetch(&sql).await?;
    Ok(found
        .iter()
        .map(|row| ProvinceRow::read(row, "").map(Province::from))
        .collect::<Result<_, _>>()?)
}

async fn municipality_rows(
    transaction: &mut ReadTransaction,
    column: &str,
    value: Option<Uuid>,
) -> Result<Vec<Municipality>, ReadError> {
    let mut sql = transaction
        .joined(
            "municipalities AS m JOIN provinces AS p ON p.tenant = m.tenant AND p.id = m.province",
            "m",
        )
        .after(&format!(
            "SELECT p.name AS province_name, {}",
            select_list::<MunicipalityRow>("m", "")
        ));
    if let Some(value) = value {
        sql.push(&format!(" AND {column} = ")).bind(value);
    }
    sql.push(" ORDER BY m.code");
    let found = transaction.fetch(&sql).await?;
    let read = |row| {
        let province_name = sqlx::postgres::PgRow::try_get(row, "province_name")?;
        let row = MunicipalityRow::read(row, "")?;
        Ok(Municipality {
            id: row.id,
            code: row.code,
            name: row.name,
            province_id: row.province,
            province_name,
            distribution_fee: row.fee.map(Money),
            distribution_fee_currency: row.fee_currency.map(CurrencyCode),
            enabled: row.enabled,
        })
    };
    Ok(found.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}
