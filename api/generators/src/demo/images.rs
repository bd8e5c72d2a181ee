//! The images that prove the demonstration's deliveries.

use super::DemoError;
use crate::Server;
use caudal_domain::ids::{RemittanceId, TenantId};
use chrono::{DateTime, Utc};

/// The images that stand for identifications and signatures.
pub struct Images {
    /// An identification, by its hash.
    pub identification: String,
    /// A signature, by its hash.
    pub signature: String,
}

const IDENTIFICATION: &[u8] = include_bytes!("identification.png");
const SIGNATURE: &[u8] = include_bytes!("signature.png");

impl Images {
    pub async fn keep(server: &impl Server, tenant: &TenantId, at: DateTime<Utc>) -> Result<Self, DemoError> {
        let keep = async |image| server.keep(tenant, image, &[], at).await.map_err(DemoError::Files);
        Ok(Self {
            identification: keep(IDENTIFICATION).await?,
            signature: keep(SIGNATURE).await?,
        })
    }

    /// Makes them the proofs of what was delivered.
    pub async fn give(
        &self,
        server: &impl Server,
        tenant: &TenantId,
        delivered: &[RemittanceId],
        at: DateTime<Utc>,
    ) -> Result<(), DemoError> {
        for image in [IDENTIFICATION, SIGNATURE] {
            server
                .keep(tenant, image, delivered, at)
                .await
                .map_err(DemoError::Files)?;
        }
        Ok(())
    }
}
