//! Multipart forms, read completely within limits: of each form, and of the memory for the forms of all requests together.

use crate::{
    extract::{BodyDigest, fields_named},
    files::MAX_FILE_BYTES,
    form_memory::FormMemory,
    problem::ApiError,
};
use actix_multipart::Multipart;
use actix_web::{
    FromRequest, HttpMessage as _, HttpRequest,
    dev::Payload,
    web::{Bytes, BytesMut},
};
use caudal_domain::FieldError;
use futures::{StreamExt as _, future::LocalBoxFuture};
use sha2::{Digest as _, Sha256};
use std::{borrow::Cow, collections::BTreeMap, time::Duration};
use tokio::sync::OwnedSemaphorePermit;

/// Maximum form in bytes: two photographs and some text.
pub const MULTIPART_LIMIT: usize = 12 * 1024 * 1024;
/// Maximum parts.
const MAX_PARTS: usize = 20;
/// Timeout for receiving a form: two photographs over a slow mobile connection.
const PATIENCE: Duration = Duration::from_secs(120);

/// Limits of a form.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Maximum of all parts together, in bytes.
    pub form: usize,
    /// Maximum of a part, in bytes.
    pub part: usize,
    /// Refusal of a part above it, named by its field.
    pub too_large: fn(Cow<'static, str>) -> ApiError,
}

const PHOTOGRAPHS: Limits = Limits {
    form: MULTIPART_LIMIT,
    part: MAX_FILE_BYTES,
    too_large: crate::files::too_large,
};

/// Parts of a form by name, with the memory that they take. Keep it as long as its parts.
#[derive(Debug, Default)]
pub struct Form {
    parts: BTreeMap<String, Bytes>,
    _memory: Option<OwnedSemaphorePermit>,
}

impl Form {
    /// Rejects unknown parts.
    ///
    /// # Errors
    /// 422, naming them.
    pub fn has_only(&self, names: &[&str]) -> Result<(), ApiError> {
        let unknown = self.parts.keys().filter(|name| !names.contains(&name.as_str()));
        let errors: Vec<_> = unknown
            .map(|name| FieldError {
                field: Cow::Owned(name.clone()),
                code: "field_unknown",
                params: fields_named(names),
            })
            .collect();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(ApiError::all_invalid(errors))
        }
    }

    /// Content of a part; an empty one counts as absent, as browsers send it for an unset file.
    pub fn take(&mut self, name: &str) -> Option<Bytes> {
        self.parts.remove(name).filter(|content| !content.is_empty())
    }

    /// Reads a form.
    ///
    /// # Errors
    /// 413 above the limits, 408 on timeout, 400 when it is cut off, 503 while other forms take the memory.
    pub async fn within(request: &HttpRequest, payload: Payload, limits: Limits) -> Result<Self, ApiError> {
        let memory = request.app_data::<FormMemory>().cloned();
        let memory = memory.ok_or_else(|| ApiError::unavailable("unavailable"))?;
        let form = tokio::time::timeout(PATIENCE, Self::read(request, payload, limits, &memory))
            .await
            .map_err(|_| ApiError::timed_out())??;
        request.extensions_mut().insert(form.digest());
        Ok(form)
    }

    async fn read(
        request: &HttpRequest,
        payload: Payload,
        limits: Limits,
        memory: &FormMemory,
    ) -> Result<Self, ApiError> {
        let unreadable = || ApiError::unreadable("multipart_unreadable");
        match request.mime_type() {
            Ok(Some(kind)) if kind.essence_str() == "multipart/form-data" => {}
            _ => return Err(ApiError::media_type("content_type_not_multipart")),
        }
        let mut parts = BTreeMap::new();
        let mut held = memory.hold();
        let (mut total, mut room) = (0, 0);
        let mut reader = Multipart::new(request.headers(), payload);
        while let Some(part) = reader.next().await {
            let mut part = part.map_err(|_| unreadable())?;
            let name = part
                .name()
                .filter(|name| !name.is_empty())
                .ok_or_else(unreadable)?
                .to_owned();
            if parts.len() >= MAX_PARTS || parts.contains_key(&name) {
                return Err(unreadable());
            }
            let mut content = BytesMut::new();
            while let Some(chunk) = part.next().await {
                let chunk = chunk.map_err(|_| unreadable())?;
                total += chunk.len();
                if total > limits.form {
                    return Err(ApiError::too_large(limits.form));
                }
                if content.len() + chunk.len() > limits.part {
                    return Err((limits.too_large)(Cow::Owned(name)));
                }
                // A buffer grows to up to twice its content.
                held.grow_to(room + content.capacity().max(content.len() + chunk.len()))
                    .await?;
                content.extend_from_slice(&chunk);
            }
            room += content.capacity();
            parts.insert(name, content.freeze());
        }
        Ok(Self {
            parts,
            _memory: held.permit(),
        })
    }

    /// Equal for equal parts, whatever the boundary of a repeated request.
    fn digest(&self) -> BodyDigest {
        let mut sha = Sha256::new();
        for (name, content) in &self.parts {
            for bytes in [name.as_bytes(), content.as_ref()] {
                sha.update((bytes.len() as u64).to_be_bytes());
                sha.update(bytes);
            }
        }
        BodyDigest(sha.finalize().into())
    }
}

impl FromRequest for Form {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move { Self::within(&request, payload, PHOTOGRAPHS).await })
    }
}
