//! S3-compatible bucket as file store.

use futures::StreamExt as _;
use object_store::{
    ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, S3ConditionalPut},
    path::Path as StorePath,
    prefix::PrefixStore,
};
use std::{fmt, str::FromStr, sync::Arc};

/// URL scheme: `s3://BUCKET/PREFIX`.
const SCHEME: &str = "s3://";

/// A bucket with the prefix of its objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    name: String,
    prefix: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bucket is written s3://BUCKET or s3://BUCKET/PREFIX")]
pub struct InvalidBucket;

impl FromStr for Bucket {
    type Err = InvalidBucket;

    fn from_str(text: &str) -> Result<Self, InvalidBucket> {
        let place = text.strip_prefix(SCHEME).ok_or(InvalidBucket)?;
        let (name, prefix) = place.split_once('/').unwrap_or((place, ""));
        if name.is_empty() {
            return Err(InvalidBucket);
        }
        Ok(Self {
            name: name.to_owned(),
            prefix: prefix.trim_matches('/').to_owned(),
        })
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        write!(f, "{SCHEME}{}{slash}{}", self.name, self.prefix)
    }
}

impl Bucket {
    /// Opens the bucket with settings from the environment: `AWS_ENDPOINT`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY` and so on. Sends nothing yet.
    ///
    /// # Errors
    /// When the settings are inconsistent.
    pub fn open(&self) -> object_store::Result<Arc<dyn ObjectStore>> {
        self.open_with(AmazonS3Builder::from_env())
    }

    /// Asks for the first names, and does not repeat a request that fails.
    ///
    /// # Errors
    /// When the bucket does not answer, or refuses.
    pub async fn ask(&self) -> object_store::Result<()> {
        let at_once = RetryConfig {
            max_retries: 0,
            ..RetryConfig::default()
        };
        let store = self.open_with(AmazonS3Builder::from_env().with_retry(at_once))?;
        let first = store.list(None).next().await;
        first.transpose().map(|_| ())
    }

    /// Opens the bucket of a configured store.
    pub fn open_with(&self, store: AmazonS3Builder) -> object_store::Result<Arc<dyn ObjectStore>> {
        crate::tls::choose();
        let store = store
            .with_bucket_name(&self.name)
            .with_conditional_put(S3ConditionalPut::ETagMatch)
            .build()?;
        Ok(match self.prefix.as_str() {
            "" => Arc::new(store),
            prefix => Arc::new(PrefixStore::new(store, StorePath::from(prefix))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_urls_parse_with_prefix_and_invalid_ones_are_refused() {
        let bucket = |name: &str, prefix: &str| {
            Ok(Bucket {
                name: name.to_owned(),
                prefix: prefix.to_owned(),
            })
        };
        assert_eq!("s3://files".parse(), bucket("files", ""));
        assert_eq!("s3://files/caudal/one/".parse(), bucket("files", "caudal/one"));
        for text in ["", "files", "s3://", "s3:///caudal", "https://host/files"] {
            assert_eq!(text.parse::<Bucket>(), Err(InvalidBucket), "{text}");
        }
    }
}
