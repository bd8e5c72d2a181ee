//! Mail: sent to a mail server if configured, otherwise written to a folder in the data folder.
//!
//! No request waits for a mail: [`Mailer::post`] queues and returns at once, so that timing does not reveal whether
//! there is anything to send. The queue is bounded; an undeliverable mail is given up after some attempts, and logged
//! without its text.

mod outbox;
mod smtp;
mod texts;

pub use smtp::{Probe, SmtpUrlError};
pub use texts::{FactorNotice, Letter};

use crate::{language::Language, problem::ApiError};
use caudal_journal::WithCauses;
use lettre::{
    Message,
    message::{
        Attachment, Body, Mailbox, MultiPart, SinglePart,
        header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
};
use outbox::Outbox;
use smtp::Smtp;
use std::{future::Future, io, path::Path, sync::Arc, time::Duration};
use tokio::sync::Semaphore;
use uuid::Uuid;

/// Maximum mails queued or in delivery; more are refused.
const MAX_WAITING: u32 = 500;
/// Concurrent deliveries; mail servers limit them per sender.
const AT_A_TIME: usize = 4;
/// Pauses before the second and third attempt; later ones would be useless, since a code is valid for 15 minutes.
const PAUSES: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(15)];
/// Default sender: an address that can't be answered.
const DEFAULT_FROM: &str = "Caudal <no-reply@caudal.invalid>";

/// Mail settings.
#[derive(Clone, Default)]
pub struct Settings {
    /// Mail server; the outbox folder when `None`.
    pub smtp_url: Option<String>,
    pub from: Option<String>,
}

/// Whether mails can be from this: `Name <name@example.org>` or an address alone.
#[must_use]
pub fn is_sender(text: &str) -> bool {
    text.parse::<Mailbox>().is_ok()
}

/// Why mails can't be sent as configured.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    #[error("the sender of mails is not like `Name <name@example.org>`")]
    From(#[source] lettre::address::AddressError),
    #[error(transparent)]
    Smtp(#[from] SmtpUrlError),
    #[error("the outbox folder")]
    Outbox(#[source] io::Error),
}

/// Why a mail was not delivered.
#[derive(Debug, thiserror::Error)]
pub enum Undelivered {
    #[error("it can't be addressed")]
    Message(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the mail server did not take it")]
    Smtp(#[from] lettre::transport::smtp::Error),
    #[error("the mail server did not answer in time")]
    TimedOut,
    #[error("it could not be written to the outbox")]
    Outbox(#[from] io::Error),
}

impl Undelivered {
    /// Whether a retry may succeed.
    fn may_pass(&self) -> bool {
        match self {
            Self::Smtp(error) => !error.is_permanent(),
            Self::TimedOut => true,
            Self::Outbox(_) | Self::Message(_) => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub to: String,
    pub language: Language,
    /// Content of the mail.
    pub letter: Letter,
}

#[derive(Debug)]
enum Way {
    Outbox(Outbox),
    Smtp(Smtp),
}

#[derive(Debug)]
struct Shared {
    from: Mailbox,
    way: Way,
    waiting: Arc<Semaphore>,
    sending: Semaphore,
}

/// Sends mails. Clones share it.
#[derive(Clone, Debug)]
pub struct Mailer {
    shared: Arc<Shared>,
}

impl Mailer {
    /// A mailer with these settings; the outbox is in the data folder.
    ///
    /// # Errors
    /// Invalid settings, or a folder that can't be created.
    pub fn new(settings: &Settings, data_dir: &Path) -> Result<Self, MailError> {
        let from = settings.from.as_deref().unwrap_or(DEFAULT_FROM);
        let way = match &settings.smtp_url {
            Some(url) => Way::Smtp(Smtp::new(url)?),
            None => Way::Outbox(Outbox::in_folder(data_dir).map_err(MailError::Outbox)?),
        };
        Ok(Self {
            shared: Arc::new(Shared {
                from: from.parse().map_err(MailError::From)?,
                way,
                waiting: Arc::new(Semaphore::new(MAX_WAITING as usize)),
                sending: Semaphore::new(AT_A_TIME),
            }),
        })
    }

    /// Queues a mail to be composed, and returns at once.
    ///
    /// # Errors
    /// 503 when the queue is full.
    pub fn post(
        &self,
        mail: impl Future<Output = Result<Option<Mail>, ApiError>> + Send + 'static,
    ) -> Result<(), ApiError> {
        let Ok(place) = self.shared.waiting.clone().try_acquire_owned() else {
            return Err(ApiError::unavailable("busy"));
        };
        let shared = self.shared.clone();
        tokio::spawn(async move {
            let _place = place;
            match mail.await {
                Ok(None) => {}
                Ok(Some(mail)) => shared.deliver(mail).await,
                Err(error) => tracing::error!(%error, "a mail could not be written"),
            }
        });
        Ok(())
    }

    /// Delivers a mail once, synchronously, for callers that need the outcome.
    ///
    /// # Errors
    /// When it was not accepted.
    pub async fn send(&self, mail: &Mail) -> Result<(), Undelivered> {
        let message = self.shared.message(mail).map_err(Undelivered::Message)?;
        self.shared.attempt(&message).await?;
        metrics::counter!("caudal_mails_sent").increment(1);
        Ok(())
    }

    /// Waits, with a timeout, until the queue is empty.
    pub async fn finish(&self, patience: Duration) {
        let all = self.shared.waiting.acquire_many(MAX_WAITING);
        if tokio::time::timeout(patience, all).await.is_err() {
            tracing::warn!("mails that were waiting are given up: the node goes down");
        }
    }
}

impl Shared {
    async fn deliver(&self, mail: Mail) {
        let Ok(_turn) = self.sending.acquire().await else {
            return;
        };
        let message = match self.message(&mail) {
            Ok(message) => message,
            Err(error) => {
                tracing::warn!(error = %WithCauses(error.as_ref()), "a mail can't be addressed");
                return;
            }
        };
        let mut pauses = PAUSES.iter();
        loop {
            let Err(error) = self.attempt(&message).await else {
                metrics::counter!("caudal_mails_sent").increment(1);
                return;
            };
            let pause = pauses.next().filter(|_| error.may_pass());
            tracing::warn!(error = %WithCauses(&error), again = pause.is_some(), "a mail was not delivered");
            let Some(pause) = pause else {
                metrics::counter!("caudal_mails_failed").increment(1);
                return;
            };
            tokio::time::sleep(*pause).await;
        }
    }

    fn message(&self, mail: &Mail) -> Result<Message, Box<dyn std::error::Error + Send + Sync>> {
        let id = format!("<{}@{}>", Uuid::now_v7(), self.from.email.domain());
        let message = Message::builder()
            .message_id(Some(id))
            .from(self.from.clone())
            .to(Mailbox::new(None, mail.to.parse()?))
            .subject(mail.letter.subject(mail.language))
            .date_now();
        let text = mail.letter.text(mail.language);
        let mut message = match mail.letter.attachment() {
            None => message
                .header(ContentType::TEXT_PLAIN)
                .header(ContentTransferEncoding::QuotedPrintable)
                .body(text)?,
            Some((name, content)) => {
                let text = SinglePart::builder()
                    .header(ContentType::TEXT_PLAIN)
                    .header(ContentTransferEncoding::QuotedPrintable)
                    .body(text);
                let json = ContentType::parse("application/json")?;
                let file = Attachment::new(name.to_owned()).body(Body::new(content.to_owned()), json);
                message.multipart(MultiPart::mixed().singlepart(text).singlepart(file))?
            }
        };
        let headers = message.headers_mut();
        // Suppresses auto-replies.
        for (name, value) in [
            ("Auto-Submitted", "auto-generated"),
            ("Content-Language", mail.language.as_str()),
        ] {
            let name = HeaderName::new_from_ascii(name.to_owned())?;
            headers.insert_raw(HeaderValue::new(name, value.to_owned()));
        }
        Ok(message)
    }

    async fn attempt(&self, message: &Message) -> Result<(), Undelivered> {
        match &self.way {
            Way::Outbox(outbox) => Ok(outbox.keep(message.formatted()).await?),
            Way::Smtp(smtp) => smtp.send(message).await,
        }
    }
}
