//! Mail: what is told to people outside of the interface. It goes to a mail server where one is configured, and into a
//! folder of the data folder otherwise.
//!
//! No request waits for a mail: [`Mailer::post`] takes what there is to write and answers at once, so that how long it takes,
//! or whether there is anything to write at all, is not to be seen from outside. What waits is bounded; a mail that can't
//! be delivered after some attempts is given up, which the log tells without the mail's text.

mod outbox;
mod smtp;
mod texts;

pub use smtp::{Probe, SmtpUrlError};
pub use texts::Letter;

use crate::{
    extract::Language,
    problem::{ApiError, causes},
};
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

/// So many mails wait or are under way at most: a mail server that is away for a while costs little memory, and who asks
/// for one more is told to come again.
const MAX_WAITING: u32 = 500;
/// So many go out at a time; mail servers refuse more from one sender.
const AT_A_TIME: usize = 4;
/// The pauses before the second and the third attempt: a code is good for a quarter of an hour, so that later attempts
/// would be of little use.
const PAUSES: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(15)];
/// Whom mails are from where nobody says: an address that can't be answered.
const DEFAULT_FROM: &str = "Caudal <no-reply@caudal.invalid>";

/// Where mails go.
#[derive(Clone, Default)]
pub struct Settings {
    /// A mail server; the outbox folder where none.
    pub smtp_url: Option<String>,
    /// Whom they are from.
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
    /// The sender is no address.
    #[error("the sender of mails is not like `Name <name@example.org>`")]
    From(#[source] lettre::address::AddressError),
    /// The mail server's URL.
    #[error(transparent)]
    Smtp(#[from] SmtpUrlError),
    /// The outbox folder.
    #[error("the outbox folder")]
    Outbox(#[source] io::Error),
}

/// Why a mail was not delivered.
#[derive(Debug, thiserror::Error)]
pub enum Undelivered {
    /// It can't be written, or its address is none.
    #[error("it can't be addressed")]
    Message(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The mail server refused it or was not there.
    #[error("the mail server did not take it")]
    Smtp(#[from] lettre::transport::smtp::Error),
    /// It took too long.
    #[error("the mail server did not answer in time")]
    TimedOut,
    /// It could not be written down.
    #[error("it could not be written to the outbox")]
    Outbox(#[from] io::Error),
}

impl Undelivered {
    /// Whether another attempt may succeed.
    fn may_pass(&self) -> bool {
        match self {
            Self::Smtp(error) => !error.is_permanent(),
            Self::TimedOut => true,
            Self::Outbox(_) | Self::Message(_) => false,
        }
    }
}

/// A mail to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// To which address.
    pub to: String,
    /// In which language.
    pub language: Language,
    /// What it says.
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
    /// A mailer by its settings; the outbox is in the data folder.
    ///
    /// # Errors
    /// Settings that are not valid, or a folder that can't be made.
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

    /// Takes a mail that is yet to be written, and answers at once.
    ///
    /// # Errors
    /// 503 where too many are waiting.
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

    /// Hands a mail over, once, while the caller waits: for whoever has to know whether it went.
    ///
    /// # Errors
    /// Where it was not taken.
    pub async fn send(&self, mail: &Mail) -> Result<(), Undelivered> {
        let message = self.shared.message(mail).map_err(Undelivered::Message)?;
        self.shared.attempt(&message).await?;
        metrics::counter!("caudal_mails_sent").increment(1);
        Ok(())
    }

    /// Waits, for a bounded time, until nothing is waiting any more.
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
                tracing::warn!(error = %error, causes = causes(error.as_ref()), "a mail can't be addressed");
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
            tracing::warn!(error = %error, causes = causes(&error), again = pause.is_some(), "a mail was not delivered");
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
        // Mailboxes that answer by themselves leave it alone.
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
