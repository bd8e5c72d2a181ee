//! Texts of mails, in both languages.

use crate::{
    auth::{origins::Origin, recovery::CODE_LIFETIME},
    language::Language,
};
use caudal_export::word;

/// Content of a mail.
#[derive(Clone, PartialEq, Eq)]
pub enum Letter {
    /// One-time code for a forgotten password.
    ResetCode {
        /// Name of the addressee.
        name: String,
        /// Digits of the code.
        code: String,
    },
    /// The password was changed; warns the owner.
    PasswordChanged {
        /// Name of the addressee.
        name: String,
    },
    /// The address was changed; last mail to the old one.
    AddressChanged {
        /// Name of the addressee.
        name: String,
        /// New address.
        to: String,
    },
    /// Somebody logged in from a device that had no login to the account; warns the owner.
    NewDevice {
        /// Name of the addressee.
        name: String,
        /// Where the login came from.
        origin: Origin,
        /// Local time of the login.
        at: String,
    },
    /// A manager sees what the addressee sees.
    SeenAs {
        /// Name of the addressee.
        name: String,
        /// Name of the manager.
        viewer: String,
        /// Local time of the end.
        until: String,
    },
    /// Something about the second factor that its owner must know.
    SecondFactor {
        /// Name of the addressee.
        name: String,
        notice: FactorNotice,
    },
    /// A signed checkpoint for an auditor.
    Checkpoint {
        tenant: String,
        /// Name of the attached file.
        file_name: String,
        /// Checkpoint as JSON: the attached file.
        text: String,
    },
}

/// What the owner of a login is told of its second factors and its single sign-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorNotice {
    Enrolled,
    /// Ended by its owner.
    Removed,
    /// Ended by a manager or the operator.
    RemovedByManager,
    /// A recovery code was used.
    RecoveryCodeUsed {
        /// Recovery codes left.
        left: u8,
    },
    /// The authenticator app was ended by its owner, and passkeys stay.
    AppRemoved,
    PasskeyAdded,
    /// Ended by its owner.
    PasskeyRemoved,
    /// An answer was refused, because there may be a copy of the passkey.
    PasskeyRefused,
    /// Somebody with the right password gave wrong codes up to the limit.
    WrongCodes,
    /// The recovery codes were replaced.
    RecoveryCodesRenewed,
    /// A manager freed the login for another account of the provider of single sign-on.
    SignOnFreed,
}

impl FactorNotice {
    const fn subject(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Enrolled, Language::Spanish) => "Verificación en dos pasos activada",
            (Self::Enrolled, Language::English) => "Two-step verification switched on",
            (Self::Removed | Self::RemovedByManager, Language::Spanish) => "Verificación en dos pasos desactivada",
            (Self::Removed | Self::RemovedByManager, Language::English) => "Two-step verification switched off",
            (Self::RecoveryCodeUsed { .. }, Language::Spanish) => "Se usó un código de recuperación",
            (Self::RecoveryCodeUsed { .. }, Language::English) => "A recovery code was used",
            (Self::AppRemoved, Language::Spanish) => "Aplicación de autenticación desactivada",
            (Self::AppRemoved, Language::English) => "Authenticator app switched off",
            (Self::PasskeyAdded, Language::Spanish) => "Llave de acceso añadida",
            (Self::PasskeyAdded, Language::English) => "Passkey added",
            (Self::PasskeyRemoved, Language::Spanish) => "Llave de acceso quitada",
            (Self::PasskeyRemoved, Language::English) => "Passkey removed",
            (Self::PasskeyRefused, Language::Spanish) => "Puede haber una copia de su llave de acceso",
            (Self::PasskeyRefused, Language::English) => "There may be a copy of your passkey",
            (Self::WrongCodes, Language::Spanish) => "Alguien conoce su contraseña",
            (Self::WrongCodes, Language::English) => "Somebody knows your password",
            (Self::RecoveryCodesRenewed, Language::Spanish) => "Códigos de recuperación nuevos",
            (Self::RecoveryCodesRenewed, Language::English) => "New recovery codes",
            (Self::SignOnFreed, Language::Spanish) => "Su cuenta espera otro inicio de sesión único",
            (Self::SignOnFreed, Language::English) => "Your account awaits another single sign-on",
        }
    }

    fn text(self, language: Language) -> String {
        match (self, language) {
            (Self::Enrolled, Language::Spanish) => "Desde ahora entra con su contraseña y un código de su aplicación de \
                 autenticación. Las demás sesiones se han cerrado.\n\nSi no fue usted, avise enseguida a su gerente."
                .to_owned(),
            (Self::Enrolled, Language::English) => "From now on you log in with your password and a code of your \
                 authenticator app. Your other sessions were ended.\n\nIf it was not you, tell your manager at once."
                .to_owned(),
            (Self::Removed, Language::Spanish) => "Desde ahora entra solo con su contraseña. Las demás sesiones se han \
                 cerrado.\n\nSi no fue usted, cambie la contraseña enseguida y avise a su gerente."
                .to_owned(),
            (Self::Removed, Language::English) => "From now on you log in with your password alone. Your other sessions \
                 were ended.\n\nIf it was not you, change the password at once and tell your manager."
                .to_owned(),
            (Self::RecoveryCodesRenewed, Language::Spanish) => "Se han creado códigos de recuperación nuevos para su \
                 cuenta; los anteriores ya no sirven.\n\nSi no fue usted, cambie la contraseña enseguida y avise a su gerente."
                .to_owned(),
            (Self::RecoveryCodesRenewed, Language::English) => "New recovery codes were made for your account; the ones \
                 before are of no use any more.\n\nIf it was not you, change the password at once and tell your manager."
                .to_owned(),
            (Self::SignOnFreed, Language::Spanish) => "Su gerente ha desligado su cuenta del inicio de sesión único. Su \
                 próxima entrada con el proveedor, por su correo verificado, la liga de nuevo.\n\nSi usted no lo pidió, hable con \
                 su gerente."
                .to_owned(),
            (Self::SignOnFreed, Language::English) => "Your manager freed your account from single sign-on. Your next \
                 login by the provider, with your verified address, binds it again.\n\nIf you did not ask for it, talk to your \
                 manager."
                .to_owned(),
            (Self::RemovedByManager, Language::Spanish) => "Su gerente ha desactivado la verificación en dos pasos de su \
                 cuenta y ha cerrado todas sus sesiones. Desde ahora entra solo con su contraseña.\n\nSi usted no lo \
                 pidió, hable con su gerente."
                .to_owned(),
            (Self::RemovedByManager, Language::English) => "Your manager switched off two-step verification of your \
                 account and ended all your sessions. From now on you log in with your password alone.\n\nIf you did not \
                 ask for it, talk to your manager."
                .to_owned(),
            (Self::RecoveryCodeUsed { left }, Language::Spanish) => format!(
                "En su cuenta se usó un código de recuperación. Quedan {left}. Si le quedan pocos, haga otros en la página \
                 de su cuenta.\n\nSi no fue usted, cambie la contraseña enseguida y avise a su gerente."
            ),
            (Self::RecoveryCodeUsed { left }, Language::English) => format!(
                "A recovery code of your account was used. {left} are left. If few are left, make new ones on the page of \
                 your account.\n\nIf it was not you, change the password at once and tell your manager."
            ),
            (Self::AppRemoved, Language::Spanish) => "Desde ahora entra con una de sus llaves de acceso, o con su \
                 contraseña y un código de recuperación. Las demás sesiones se han cerrado.\n\nSi no fue usted, avise \
                 enseguida a su gerente."
                .to_owned(),
            (Self::AppRemoved, Language::English) => "From now on you log in with one of your passkeys, or with your \
                 password and a recovery code. Your other sessions were ended.\n\nIf it was not you, tell your manager at \
                 once."
                .to_owned(),
            (Self::PasskeyAdded, Language::Spanish) => "Su cuenta tiene una llave de acceso más, con la que se entra sin \
                 contraseña.\n\nSi no fue usted, quítela en la página de su cuenta, cambie la contraseña y avise enseguida \
                 a su gerente."
                .to_owned(),
            (Self::PasskeyAdded, Language::English) => "Your account has one more passkey, which logs in without a \
                 password.\n\nIf it was not you, remove it on the page of your account, change the password and tell your \
                 manager at once."
                .to_owned(),
            (Self::PasskeyRemoved, Language::Spanish) => "Se quitó una llave de acceso de su cuenta, y las demás sesiones se \
                 han cerrado.\n\nSi no fue usted, avise enseguida a su gerente."
                .to_owned(),
            (Self::PasskeyRemoved, Language::English) => "A passkey of your account was removed, and your other sessions \
                 were ended.\n\nIf it was not you, tell your manager at once."
                .to_owned(),
            (Self::PasskeyRefused, Language::Spanish) => "Una llave de acceso de su cuenta dio una firma anterior a otra que \
                 ya se usó. No se ha entrado con ella. Puede haber una copia.\n\nQuite esa llave en la página de su cuenta, \
                 añada otra y avise a su gerente."
                .to_owned(),
            (Self::PasskeyRefused, Language::English) => "A passkey of your account gave a signature from before another one \
                 that was used already. It did not log in. There may be a copy of it.\n\nRemove that passkey on the page of \
                 your account, add another, and tell your manager."
                .to_owned(),
            (Self::WrongCodes, Language::Spanish) => "Alguien dio su contraseña correcta y después varios códigos \
                 incorrectos de su aplicación de autenticación. No ha entrado.\n\nSi no fue usted, cambie la contraseña \
                 enseguida y avise a su gerente."
                .to_owned(),
            (Self::WrongCodes, Language::English) => "Somebody gave your right password, and then several wrong codes of \
                 your authenticator app. They have not got in.\n\nIf it was not you, change the password at once and tell \
                 your manager."
                .to_owned(),
        }
    }
}

/// Omits the code, which must not be logged.
impl std::fmt::Debug for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::ResetCode { .. } => "ResetCode",
            Self::PasswordChanged { .. } => "PasswordChanged",
            Self::AddressChanged { .. } => "AddressChanged",
            Self::NewDevice { .. } => "NewDevice",
            Self::SeenAs { .. } => "SeenAs",
            Self::SecondFactor { .. } => "SecondFactor",
            Self::Checkpoint { .. } => "Checkpoint",
        })
    }
}

impl Letter {
    /// Subject, without the code, which a locked screen would show.
    pub const fn subject(&self, language: Language) -> &'static str {
        match (self, language) {
            (Self::ResetCode { .. }, Language::Spanish) => "Código para restablecer su contraseña",
            (Self::ResetCode { .. }, Language::English) => "Code to reset your password",
            (Self::PasswordChanged { .. }, _) => word::YOUR_PASSWORD_WAS_CHANGED.in_language(language.of_words()),
            (Self::AddressChanged { .. }, Language::Spanish) => "Su correo electrónico ha sido cambiado",
            (Self::AddressChanged { .. }, Language::English) => "Your e-mail address was changed",
            (Self::NewDevice { .. }, Language::Spanish) => "Entrada desde un dispositivo nuevo",
            (Self::NewDevice { .. }, Language::English) => "Login from a new device",
            (Self::SeenAs { .. }, Language::Spanish) => "Su gerente ve lo que usted ve",
            (Self::SeenAs { .. }, Language::English) => "Your manager sees what you see",
            (Self::SecondFactor { notice, .. }, _) => notice.subject(language),
            (Self::Checkpoint { .. }, Language::Spanish) => "Punto de control del registro",
            (Self::Checkpoint { .. }, Language::English) => "Checkpoint of the log",
        }
    }

    /// Attached JSON file: name and content.
    pub fn attachment(&self) -> Option<(&str, &str)> {
        match self {
            Self::Checkpoint { file_name, text, .. } => Some((file_name, text)),
            _ => None,
        }
    }

    pub fn text(&self, language: Language) -> String {
        let minutes = CODE_LIFETIME.num_minutes();
        match (self, language) {
            (Self::ResetCode { name, code }, Language::Spanish) => format!(
                "Hola, {name}:\n\nEl código para restablecer su contraseña es\n\n    {}\n\nVale durante {minutes} minutos \
                 y para una sola vez. No se lo dé a nadie.\n\nSi usted no lo pidió, no tiene que hacer nada: su contraseña \
                 sigue siendo la misma.\n\nCaudal\n",
                grouped(code)
            ),
            (Self::ResetCode { name, code }, Language::English) => format!(
                "Hello {name},\n\nThe code to reset your password is\n\n    {}\n\nIt is good for {minutes} minutes and for \
                 one use. Give it to nobody.\n\nIf you did not ask for it, there is nothing to do: your password stays as \
                 it is.\n\nCaudal\n",
                grouped(code)
            ),
            (Self::PasswordChanged { name }, Language::Spanish) => format!(
                "Hola, {name}:\n\nSu contraseña ha sido cambiada y las demás sesiones se han cerrado.\n\nSi no fue usted, \
                 restablezca la contraseña enseguida y avise a su gerente.\n\nCaudal\n"
            ),
            (Self::PasswordChanged { name }, Language::English) => format!(
                "Hello {name},\n\nYour password was changed, and your other sessions were ended.\n\nIf it was not you, reset \
                 the password at once and tell your manager.\n\nCaudal\n"
            ),
            (Self::AddressChanged { name, to }, Language::Spanish) => format!(
                "Hola, {name}:\n\nDesde ahora inicia sesión con {to}. A esta dirección no le escribiremos más.\n\nSi no fue \
                 usted, avise enseguida a su gerente.\n\nCaudal\n"
            ),
            (Self::AddressChanged { name, to }, Language::English) => format!(
                "Hello {name},\n\nFrom now on you log in with {to}. We will not write to this address any more.\n\nIf it was \
                 not you, tell your manager at once.\n\nCaudal\n"
            ),
            (Self::NewDevice { name, origin, at }, Language::Spanish) => format!(
                "Hola, {name}:\n\nAlguien entró en su cuenta desde un dispositivo nuevo:\n\nDispositivo: {}\nDirección de \
                 red: {}\nHora: {at}\n\nSi fue usted, no tiene que hacer nada. Si no, cambie la contraseña enseguida: eso \
                 cierra las demás sesiones. Avise también a su gerente.\n\nCaudal\n",
                origin.device().unwrap_or_else(|| "desconocido".to_owned()),
                origin.address
            ),
            (Self::NewDevice { name, origin, at }, Language::English) => format!(
                "Hello {name},\n\nSomebody logged in to your account from a new device:\n\nDevice: {}\nNetwork address: \
                 {}\nTime: {at}\n\nIf it was you, there is nothing to do. If not, change the password at once: that ends \
                 the other sessions. Tell your manager, too.\n\nCaudal\n",
                origin.device().unwrap_or_else(|| "unknown".to_owned()),
                origin.address
            ),
            (Self::SeenAs { name, viewer, until }, Language::Spanish) => format!(
                "Hola, {name}:\n\n{viewer} ve desde ahora lo que usted ve en Caudal, hasta las {until}. No puede cambiar nada, y \
                 queda registrado lo que mira.\n\nLo encuentra entre sus sesiones, y ahí puede terminarlo.\n\nCaudal\n"
            ),
            (Self::SeenAs { name, viewer, until }, Language::English) => format!(
                "Hello {name},\n\nFrom now on {viewer} sees what you see in Caudal, until {until}. Nothing can be changed, and \
                 what is looked at is recorded.\n\nYou find it among your sessions, and can end it there.\n\nCaudal\n"
            ),
            (Self::SecondFactor { name, notice }, Language::Spanish) => {
                format!("Hola, {name}:\n\n{}\n\nCaudal\n", notice.text(language))
            }
            (Self::SecondFactor { name, notice }, Language::English) => {
                format!("Hello {name},\n\n{}\n\nCaudal\n", notice.text(language))
            }
            (Self::Checkpoint { tenant, .. }, Language::Spanish) => format!(
                "Guarde el archivo adjunto, un punto de control firmado del registro de {tenant}: con él se comprueba más \
                 tarde que nada anterior ha sido cambiado ni cortado (caudal verify --checkpoint).\n\nCaudal\n"
            ),
            (Self::Checkpoint { tenant, .. }, Language::English) => format!(
                "Keep the attached file, a signed checkpoint of the log of {tenant}: it shows later that nothing before it \
                 was changed or cut off (caudal verify --checkpoint).\n\nCaudal\n"
            ),
        }
    }
}

/// A code in two halves, easier to type.
fn grouped(code: &str) -> String {
    match code.split_at_checked(code.len() / 2) {
        Some((first, second)) => format!("{first} {second}"),
        None => code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_in_the_text_alone() {
        let letter = Letter::ResetCode {
            name: "Ana".to_owned(),
            code: "12345678".to_owned(),
        };
        for language in [Language::Spanish, Language::English] {
            assert!(letter.text(language).contains("    1234 5678\n"));
            assert!(letter.text(language).contains(" 15 min"));
            assert!(!letter.subject(language).contains("1234"));
        }
        assert!(!format!("{letter:?}").contains("1234"));
    }
}
