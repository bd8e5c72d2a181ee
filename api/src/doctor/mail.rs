//! Checks of mail.

use super::{Finding, InstallationFacts, MailWay, Outcome};

/// What ends an address that nobody can answer.
const NOBODYS: [&str; 5] = [".invalid", ".test", ".example", "@localhost", "example.org"];

pub fn examine(facts: &InstallationFacts) -> Outcome {
    let mail = &facts.mail;
    let mut found = Vec::new();
    match &mail.way {
        MailWay::Outbox(kept) => found.push(Finding::warning(
            "mail.outbox",
            format!(
                "no mail server is set: codes for forgotten passwords stay in the data folder's outbox ({kept} mails)"
            ),
            "set CAUDAL_SMTP_URL like smtps://user:password@mail.example.org, and CAUDAL_MAIL_FROM",
        )),
        MailWay::Unreadable(why) => found.push(Finding::wrong(
            "mail.url",
            why.clone(),
            "write CAUDAL_SMTP_URL like smtps://user:password@mail.example.org, with %40 for @ in the user's name",
        )),
        MailWay::Server { fault, is_plain } => {
            if let Some(fault) = fault {
                found.push(Finding::wrong(
                    "mail.refused",
                    format!("the mail server does not take mails: {fault}"),
                    "check host, port, user and password in CAUDAL_SMTP_URL, and that the firewall lets this machine out",
                ));
            }
            if *is_plain {
                found.push(Finding::warning(
                    "mail.plain",
                    "mails, and the password of the mail server, may go in clear (?tls=opportunistic)",
                    "use smtps://, or smtp:// without ?tls=",
                ));
            }
            match &mail.from {
                None => found.push(Finding::wrong(
                    "mail.no_sender",
                    "CAUDAL_SMTP_URL is set and CAUDAL_MAIL_FROM is not",
                    "set CAUDAL_MAIL_FROM like \"Caudal <no-reply@your-firm.com>\"",
                )),
                Some(from) if mail.from_is_address && is_nobodys(from) => found.push(Finding::warning(
                    "mail.sender_of_nobody",
                    format!("mails are from {from}, which mail servers refuse or take for spam"),
                    "set CAUDAL_MAIL_FROM to an address of a domain of yours",
                )),
                Some(_) => {}
            }
        }
    }
    if let Some(from) = mail.from.as_ref().filter(|_| !mail.from_is_address) {
        found.push(Finding::wrong(
            "mail.sender",
            format!("the sender of mails is no address: {from}"),
            "write CAUDAL_MAIL_FROM like \"Caudal <no-reply@your-firm.com>\"",
        ));
    }
    Outcome::Examined(found)
}

fn is_nobodys(from: &str) -> bool {
    let address = from.trim_end_matches('>');
    NOBODYS.iter().any(|end| address.ends_with(end))
}
