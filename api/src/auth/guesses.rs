//! Guessability of new passwords, estimated without a network.
//!
//! zxcvbn knows 30,000 passwords of known breaches, English words and names, rows of the keyboard, dates and repetitions.
//! [`WORDS`] has what people of this trade choose, and the caller adds the account's own words.
//! `docs/decisions/passwords-and-mail.md` explains the threshold.

use caudal_domain::{Refusal, refusal::require};

/// Guesses below which a password is refused. A known word with five further characters takes ten million.
const MIN_GUESSES: u64 = 20_000_000;

/// Words per estimate. The estimate grows with the place in the list: the last of so many words is as bad as the first.
const CHUNK: usize = 40;

/// Minimum length of a word of a name or an address.
const MIN_WORD: usize = 3;

/// The product's name is admitted: passwords of the example accounts contain it.
const PRODUCT: &str = "caudal";

/// Words in lower case: what is protected, who logs in, the trade, places, favourites, names, rows of the keyboard.
const WORDS: &str = "
    contraseña contrasena contra clave claves secreto secreta acceso entrar usuario cuenta sistema prueba
    temporal cambiar cambiame bienvenido bienvenida
    admin administrador gerente gerencia jefe oficina agencia agencias agente agentes distribuidor repartidor
    mensajero cajero vendedor empresa negocio manager agency agent dealer delivery
    remesa remesas envio envios dinero efectivo pago pagos caja banco dolar dolares pesos euros transferencia
    entrega entregas familia remittance money
    cuba cubano cubana cubanos habana lahabana havana matanzas varadero cienfuegos santaclara villaclara
    camaguey ciego avila tunas holguin granma bayamo santiago guantanamo pinar pinardelrio artemisa mayabeque
    sancti spiritus juventud vedado miami hialeah florida tampa madrid mexico cancun
    hola teamo tequiero amor amorcito micorazon corazon mivida cariño carino bebe princesa princesita reina
    estrella angel angelito diosito dios diosesamor jesus cristo virgen caridad yemaya chango obatala felicidad
    libertad patria mariposa chocolate bonita hermosa gatito perrito mascota mimama mama papa mihijo mihija
    futbol pelota beisbol industriales barcelona realmadrid messi verano invierno primavera otoño enero febrero
    marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles jueves
    viernes sabado domingo estudiante escuela trabajo musica salsa guajira guantanamera
    maria jose juan carlos luis jorge pedro miguel alejandro roberto antonio manuel francisco rafael daniel
    david fernando ricardo eduardo yoel yunior yusniel lazaro osvaldo ernesto fidel raul camilo marti alejandra
    adriana andrea barbara beatriz carmen claudia daniela gabriela isabel laura leidy yanet yaneisy yusimi
    mercedes milagros odalys patricia rodriguez gonzalez hernandez fernandez garcia martinez perez lopez sanchez
    diaz ramirez
    qwerty qwertyuiop asdfgh zxcvbn 1qaz 2wsx 3edc abcd abc123 aabbcc
";

/// Words of an account: its person's name, its e-mail address, the name of the business.
pub struct Personal(Vec<String>);

impl Personal {
    /// The words of these texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let words = texts
            .into_iter()
            .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let words = words.map(str::to_lowercase);
        Self(
            words
                .filter(|word| word.chars().count() >= MIN_WORD && word != PRODUCT)
                .collect(),
        )
    }
}

/// Refuses a password that is known from breaches or otherwise guessed soon.
///
/// # Errors
/// Names the field.
pub fn require_uncommon(field: &'static str, password: &str) -> Result<(), Refusal> {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    require(!is_guessed(password, &words), || {
        Refusal::invalid(field, "password_common")
    })
}

/// Refuses a password that is guessed soon by who knows the account.
///
/// # Errors
/// Names the field.
pub fn require_impersonal(field: &'static str, password: &str, personal: &Personal) -> Result<(), Refusal> {
    let words: Vec<&str> = personal.0.iter().map(String::as_str).collect();
    require(!is_guessed(password, &words), || {
        Refusal::invalid(field, "password_personal")
    })
}

fn is_guessed(password: &str, words: &[&str]) -> bool {
    words
        .chunks(CHUNK)
        .any(|words| zxcvbn::zxcvbn(password, words).guesses() < MIN_GUESSES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_common(password: &str) -> bool {
        require_uncommon("password", password).is_err()
    }

    #[test]
    fn breached_passwords_and_patterns_that_fulfil_the_composition_are_refused() {
        for password in [
            "P@ssw0rd1",
            "Password1!",
            "Passw0rd!2026",
            "Welcome1!",
            "Admin@123",
            "Qwerty#123",
            "1qaz@WSX",
            "Abcd#1234",
            "Aa1!Aa1!",
            "Aa1!aaaa",
            "Iloveyou#1",
            "Contraseña1!",
            "C0ntrasena#1",
            "Habana#2026",
            "Remesas#2026",
            "Teamo#123",
            "Diciembre#26",
        ] {
            assert!(is_common(password), "{password}");
        }
    }

    #[test]
    fn the_last_word_of_the_list_is_as_bad_as_the_first() {
        for word in WORDS.split_whitespace() {
            let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            assert!(is_common(&format!("{}{rest}#1", first.to_uppercase())), "{word}");
        }
    }

    #[test]
    fn the_example_accounts_password_and_unrelated_words_are_accepted() {
        for password in ["Caudal#2026", "Otra#2027x", "Lima7#correo", "xK9#mQ2vLp", "Tr3n-Lluvia"] {
            assert!(!is_common(password), "{password}");
        }
    }

    #[test]
    fn the_account_s_own_words_are_guesses_and_the_product_s_name_is_none() {
        let personal = Personal::of(["Zoraida Peñalver", "zpenalver@envios-tocororo.cu", "Caudal Demo"]);
        for password in ["Zoraida#2026", "Peñalver#26", "Tocororo#1", "Z0raida#26", "adiaroZ#1"] {
            assert!(
                require_impersonal("password", password, &personal).is_err(),
                "{password}"
            );
        }
        for password in ["Caudal#2026", "Lima7#correo"] {
            assert_eq!(
                require_impersonal("password", password, &personal),
                Ok(()),
                "{password}"
            );
        }
        assert_eq!(
            require_impersonal("password", "Zoraida#2026", &Personal::of([])),
            Ok(())
        );
    }
}
