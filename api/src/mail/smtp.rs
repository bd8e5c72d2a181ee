//! SMTP client, over TLS.

use super::Undelivered;
use actix_web::http::Uri;
use caudal_journal::WithCauses;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use std::{net::IpAddr, time::Duration};

/// Connect timeout.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// Timeout per mail; greylisting servers are slow to greet.
const MAIL_PATIENCE: Duration = Duration::from_secs(30);

/// Why an SMTP URL is invalid.
#[derive(Debug, thiserror::Error)]
pub enum SmtpUrlError {
    /// Not a mail server's URL. Not repeated in the message: it may contain a password.
    #[error("the mail server's URL is not like `smtps://user:password@mail.example.org`")]
    Shape,
    #[error("the mail server's URL can't be used")]
    Transport(#[source] lettre::transport::smtp::Error),
}

/// A mail server.
#[derive(Debug)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    patience: Duration,
}

impl Smtp {
    /// `smtps://` uses TLS from the start; `smtp://` requires STARTTLS, except for a server on the same machine.
    /// `?tls=` (`required`, `opportunistic`) overrides.
    pub fn new(url: &str) -> Result<Self, SmtpUrlError> {
        let url = secured(url)?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&url)
            .map_err(SmtpUrlError::Transport)?
            .timeout(Some(CONNECT_PATIENCE))
            .build();
        Ok(Self {
            transport,
            patience: MAIL_PATIENCE,
        })
    }

    /// Delivers a mail.
    pub async fn send(&self, message: &Message) -> Result<(), Undelivered> {
        let sent = tokio::time::timeout(self.patience, self.transport.send(message.clone()));
        sent.await.map_err(|_| Undelivered::TimedOut)??;
        Ok(())
    }
}

/// Asks a mail server whether it would take mails, without sending one.
#[derive(Debug)]
pub struct Probe {
    smtp: Smtp,
    is_plain: bool,
}

impl Probe {
    /// Of a mail server's URL.
    ///
    /// # Errors
    /// Where the URL names none.
    pub fn new(url: &str) -> Result<Self, SmtpUrlError> {
        Ok(Self {
            smtp: Smtp::new(url)?,
            is_plain: url.contains("tls=opportunistic") || url.contains("tls=none"),
        })
    }

    /// Connects and logs in.
    ///
    /// # Errors
    /// Reply of the server, or error of the connection.
    pub async fn ask(&self) -> Result<(), String> {
        match self.smtp.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err("it does not answer NOOP".to_owned()),
            Err(error) => Err(WithCauses(&error).to_string()),
        }
    }

    /// Whether the URL allows that mails go without TLS.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.is_plain
    }
}

/// The URL, with TLS required where it does not say and the server is elsewhere.
fn secured(url: &str) -> Result<String, SmtpUrlError> {
    let parsed: Uri = url.parse().map_err(|_| SmtpUrlError::Shape)?;
    let (scheme, host) = (parsed.scheme_str(), parsed.host().ok_or(SmtpUrlError::Shape)?);
    let says = parsed.query().is_some_and(|query| query.contains("tls="));
    match scheme {
        Some("smtps") => Ok(url.to_owned()),
        Some("smtp") if says || is_this_machine(host) => Ok(url.to_owned()),
        Some("smtp") => {
            let joint = if parsed.query().is_some() { '&' } else { '?' };
            Ok(format!("{url}{joint}tls=required"))
        }
        _ => Err(SmtpUrlError::Shape),
    }
}

fn is_this_machine(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[tokio::test]
    async fn a_server_that_says_nothing_is_given_up() {
        let silent = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let mut smtp = Smtp::new(&format!("smtp://{}", silent.local_addr().unwrap())).unwrap();
        smtp.patience = Duration::from_millis(100);
        let message = Message::builder()
            .from("a@b.test".parse().unwrap())
            .to("c@d.test".parse().unwrap())
            .body("text".to_owned())
            .unwrap();
        let given_up = smtp.send(&message).await.unwrap_err();
        assert!(
            matches!(given_up, Undelivered::TimedOut) && given_up.may_pass(),
            "{given_up}"
        );
    }

    #[test]
    fn a_server_elsewhere_is_spoken_to_over_tls_unless_the_url_says_otherwise() {
        for (url, wanted) in [
            ("smtp://mail.example.org", "smtp://mail.example.org?tls=required"),
            (
                "smtp://u:p@mail.example.org:587",
                "smtp://u:p@mail.example.org:587?tls=required",
            ),
            (
                "smtp://mail.example.org?tls=opportunistic",
                "smtp://mail.example.org?tls=opportunistic",
            ),
            ("smtps://u:p@mail.example.org", "smtps://u:p@mail.example.org"),
            ("smtp://127.0.0.1:2525", "smtp://127.0.0.1:2525"),
            ("smtp://[::1]:2525", "smtp://[::1]:2525"),
            ("smtp://localhost", "smtp://localhost"),
        ] {
            assert_eq!(secured(url).unwrap(), wanted);
            assert!(Smtp::new(url).is_ok(), "{url}");
        }
        for url in ["mail.example.org", "http://mail.example.org", "smtp:///", ""] {
            assert!(Smtp::new(url).is_err(), "{url}");
        }
    }
}
