//! Error catalogue: all codes with their texts. What the interface says too, or what names a role, is a shared word.
//!
//! `{name}` is a placeholder. The interface has the same codes and may use texts of its own.

use crate::language::Language;
use caudal_domain::refusal::Params;
use caudal_export::{Words, word};
use serde::Serialize;
use utoipa::ToSchema;

/// A code with its texts.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Stable code.
    pub code: &'static str,
    pub es: &'static str,
    pub en: &'static str,
}

macro_rules! catalogue {
    ($($code:literal: $($text:expr),+;)*) => {
        /// All codes, alphabetically.
        pub const CATALOGUE: &[Entry] = &[$(Entry::new($code, words!($($text),+))),*];
    };
}

/// A shared word, or a text in Spanish and in English.
macro_rules! words {
    ($word:expr) => {
        $word
    };
    ($es:expr, $en:expr) => {
        Words::new($es, $en)
    };
}

impl Entry {
    const fn new(code: &'static str, words: Words) -> Self {
        Self {
            code,
            es: words.in_language(Language::Spanish.of_words()),
            en: words.in_language(Language::English.of_words()),
        }
    }

    const fn in_language(&self, language: Language) -> &'static str {
        match language {
            Language::Spanish => self.es,
            Language::English => self.en,
        }
    }
}

catalogue! {
    "access_expired": "Su acceso terminó. Pida que se lo prolonguen.", "Your access has ended. Ask for a longer one.";
    "account_has_entries": "Esta cuenta ya tiene movimientos: un saldo de apertura es siempre el primero.", "This account has entries already: an opening balance is always the first.";
    "account_inactive": "La cuenta está desactivada.", "The account is not active.";
    "account_overflow": "El importe supera lo que una cuenta en {currency} puede contener.", "The amount is beyond what an account in {currency} can hold.";
    "act_before_assignment": "Es anterior al momento en que se le asignó la remesa.", "It is before the remittance was given to you.";
    "act_in_future": "El momento está en el futuro. Revise el reloj del teléfono.", "The time is in the future. Check the phone's clock.";
    "act_too_long_ago": "Fue hace más de {days} días.", "It was more than {days} days ago.";
    "after_or_since": "Indique after o since, no los dos.", "Give after or since, not both.";
    "agency_of_another_agent": word::AGENCY_OF_ANOTHER_AGENT;
    "agency_unknown": word::AGENCY_UNKNOWN;
    "agent_type_is_fixed": word::AGENT_TYPE_IS_FIXED;
    "already_exists": "Ya existe.", "It exists already.";
    "already_inactive": "Ya estaba eliminado.", "It was deleted already.";
    "amount_negative": "El importe no puede ser negativo.", "The amount can't be negative.";
    "amount_not_positive": "El importe debe ser mayor que 0.", "The amount must be above 0.";
    "amount_or_payout": "Indique el importe o lo que se entrega, no los dos.", "Give the amount or the payout, not both.";
    "amount_too_large": "El importe es demasiado grande.", "The amount is too large.";
    "amount_too_many_decimals": "El importe admite dos decimales como máximo.", "The amount has at most two decimals.";
    "api_key_expired": "La clave de API ha vencido.", "The API key has expired.";
    "api_key_invalid": "La clave de API no es válida.", "The API key is not valid.";
    "api_key_is_expired": "La clave ha vencido. Cree una nueva.", "The key has expired. Create a new one.";
    "api_key_is_revoked": "La clave ya está revocada.", "The key is revoked already.";
    "api_key_lacks_scope": "La clave de API no tiene el permiso {scope}.", "The API key lacks the scope {scope}.";
    "api_key_needs_its_owner": "Los cambios de usuarios necesitan una aprobación aquí, y con esta clave se actuaría como su dueño: él mismo la crea o la renueva.", "Changes of users need an approval here, and with this key one would act as its owner: the owner creates or rotates it.";
    "api_key_not_found": "No existe esta clave de API.", "There is no such API key.";
    "api_key_outside_networks": "La clave de API no se admite desde esta dirección.", "The API key is not accepted from this address.";
    "api_key_revoked": "La clave de API está revocada.", "The API key is revoked.";
    "api_key_rotated": "La clave de API se renovó y la anterior ya no vale.", "The API key was rotated, and this secret is no longer accepted.";
    "api_key_sets_no_login": "Una clave de API no cambia la dirección ni la contraseña con las que alguien entra. Hágalo con su sesión.", "An API key changes neither the address nor the password with which somebody logs in. Do it in a session.";
    "approval_kind_without_amount": "Este tipo de operación no tiene importe: deje el campo vacío.", "Commands of this kind have no amount: leave it empty.";
    "approval_needed": "Esta operación necesita la aprobación de otra persona.", "This needs another person's approval.";
    "approval_rule_not_found": "No existe esta regla de aprobación.", "There is no such approval rule.";
    "approval_without_second_manager": "La regla le alcanza también a usted, y no hay otra persona con su rol que apruebe lo suyo.", "The rule covers you too, and there is nobody else of your role to approve what you do.";
    "balance_insufficient": "El saldo no alcanza: hay {available} {currency} disponibles.", "The balance is not enough: {available} {currency} are available.";
    "base64url_expected": "Debe estar en Base64url.", "It must be in Base64url.";
    "beyond_own_access": "Su propio acceso termina antes. Nadie da ni termina un acceso más largo que el suyo.", "Your own access ends earlier. Nobody gives or ends a longer access than his own.";
    "beyond_own_permissions": "Usted no tiene el permiso {permission}. Nadie puede dar más de lo que tiene.", "You do not have the permission {permission}. Nobody can give more than he has.";
    "body_cut_off": "El cuerpo de la petición llegó incompleto.", "The request's body was cut off.";
    "body_too_large": "El cuerpo de la petición supera el límite de {max} bytes.", "The request's body is beyond the limit of {max} bytes.";
    "boolean_expected": "Debe ser verdadero o falso.", "It must be true or false.";
    "busy": "El servidor está ocupado. Inténtelo de nuevo en un momento.", "The server is busy. Try again in a moment.";
    "card_exists": "Esta tarjeta ya está guardada.", "This card is saved already.";
    "card_number_not_16_digits": "El número de la tarjeta debe tener 16 dígitos.", "The card's number must have 16 digits.";
    "card_number_of_another_brand": "Los números de esta marca empiezan por {prefix}.", "The numbers of this brand begin with {prefix}.";
    "card_of_another_currency": "La tarjeta debe ser de {currency}.", "The card must be one for {currency}.";
    "card_unknown": word::CARD_UNKNOWN;
    "cards_are_for_recipients": word::CARDS_ARE_FOR_RECIPIENTS;
    "cash_insufficient": "El efectivo no alcanza: hay {available} {currency}.", "The cash is not enough: there are {available} {currency}.";
    "cash_is_not_given_on_credit": "El efectivo no se entrega a crédito.", "Cash is not given on credit.";
    "catalogue_type_is_zero": "Los grupos del catálogo son de tipo 0.", "The catalogue's groups are of type 0.";
    "changed_meanwhile": "Otra persona lo cambió al mismo tiempo. Vuelva a intentarlo.", "Somebody else changed it at the same time. Try again.";
    "changed_since_read": "Otra persona lo cambió mientras usted lo editaba.", "Somebody else changed it while you were editing.";
    "checkpoints_unreadable": "No se pueden leer las firmas anteriores, así que no se firmó nada. Inténtelo de nuevo en un momento.", "The checkpoints signed before can't be read, so nothing was signed. Try again in a moment.";
    "ci_birth_date_invalid": "Los siete primeros dígitos del carné dan la fecha de nacimiento y su siglo: no son una fecha posible.", "The identity card's first seven digits give the date of birth and its century: these are no possible date.";
    "ci_not_11_digits": "El carné de identidad tiene {count} dígitos.", "An identity card has {count} digits.";
    "closed_from_above": "El período lo cierra quien está por encima.", "The period is closed from above.";
    "closure_not_found": "No existe este cierre.", "There is no such closure.";
    "code_is_fixed": "El código no se puede cambiar.", "The code can't be changed.";
    "code_wrong": "El código no es correcto o ya no vale.", "The code is not right, or is not good any more.";
    "content_type_not_json": "El cuerpo debe ser application/json.", "The body must be application/json.";
    "content_type_not_multipart": "El cuerpo debe ser multipart/form-data.", "The body must be multipart/form-data.";
    "count_of_one_sale": "La cantidad de remesas es de varios días: una venta es una.", "A number of remittances is of several days: a sale is one.";
    "country_unknown": "No existe este país.", "There is no such country.";
    "credit_limit_below_use": "El límite de crédito no puede ser menor que lo usado: {used}.", "The credit limit can't be below what is used: {used}.";
    "currency_code_invalid": "El código de una moneda tiene tres letras mayúsculas.", "A currency's code has three upper-case letters.";
    "currency_code_taken": "Ya existe una moneda con este código.", "There is a currency with this code already.";
    "currency_disabled": "La moneda está deshabilitada.", "The currency is disabled.";
    "currency_from_is_usd": "Todos los grupos venden en USD.", "All groups sell in USD.";
    "currency_in_use": "La moneda está en uso.", "The currency is in use.";
    "currency_is_fixed": "La moneda no se puede cambiar.", "The currency can't be changed.";
    "currency_not_found": "No existe esta moneda.", "There is no such currency.";
    "currency_unknown": "La moneda no existe o no está habilitada.", "The currency does not exist or is not enabled.";
    "customer_not_found": "No existe este cliente.", "There is no such customer.";
    "customer_not_identified": "Aún no consta quién es el cliente. Repita la venta.", "It is not recorded yet who the customer is. Repeat the sale.";
    "customer_type_is_fixed": "El tipo de cliente no se puede cambiar.", "A customer's type can't be changed.";
    "date_before_start": "El final no puede ser anterior al principio.", "The end can't be before the beginning.";
    "date_in_future": "La fecha no puede estar en el futuro.", "The date can't be in the future.";
    "date_invalid": "La fecha no es válida.", "The date is not valid.";
    "dealer_assigns_own_delivery_men": word::DEALER_ASSIGNS_OWN_DELIVERY_MEN;
    "dealer_does_not_handle_transfers": word::DEALER_DOES_NOT_HANDLE_TRANSFERS;
    "dealer_unknown": word::DEALER_UNKNOWN;
    "debit_has_payments": "La deuda ya tiene pagos.", "The debit has payments already.";
    "debit_not_found": "No existe esta deuda.", "There is no such debit.";
    "debit_unknown": "No existe esta deuda.", "There is no such debit.";
    "debit_void": "La deuda está anulada.", "The debit is void.";
    "debits_already_settled": "Las deudas ya están saldadas.", "The debits are settled already.";
    "delivered_while_held": word::RECORDED_WHILE_IN_REVIEW;
    "delivery_man_unknown": word::DELIVERY_MAN_UNKNOWN;
    "delivery_not_found": "No existe este mensaje.", "There is no such delivery.";
    "dispute_is_settled": "La disputa ya está resuelta.", "The dispute is settled already.";
    "dispute_not_found": "No existe esta disputa.", "There is no such dispute.";
    "document_number_invalid": "El número del documento lleva letras de la A a la Z y dígitos, al menos un dígito.", "A document's number has letters of A to Z and digits, at least one digit.";
    "document_number_length": "El número del documento tiene de {min} a {max} caracteres.", "A document's number has {min} to {max} characters.";
    "document_of_another_country": "Este tipo de documento lo expide {country}.", "Documents of this type are issued by {country}.";
    "dossier_not_found": "No existe este expediente.", "There is no such dossier.";
    "duplicate": "Está repetido.", "It is there twice.";
    "email_differs": "No es el correo electrónico de la ruta.", "It is not the e-mail address of the path.";
    "email_invalid": "El correo electrónico no es válido.", "The e-mail address is not valid.";
    "email_taken": "Ya hay una cuenta con este correo electrónico.", "There is an account with this e-mail address already.";
    "entry_not_found": "No existe este asiento.", "There is no such entry.";
    "event_not_found": "No existe este evento.", "There is no such event.";
    "event_type_unknown": "No existe este tipo de evento.", "There is no such type of event.";
    "exchange_needs_a_party": word::EXCHANGE_NEEDS_A_PARTY;
    "exchanged_amount_out_of_range": "El importe cambiado queda fuera de los límites.", "The exchanged amount is out of range.";
    "export_instead": "Son más de {max} filas: use la exportación.", "These are more than {max} rows: use the export.";
    "export_too_many_rows": "Son demasiadas filas para este formato: {max} como máximo. CSV y XLSX admiten más.", "These are too many rows for this format: at most {max}. CSV and XLSX take more.";
    "export_too_much_text": "Es demasiado texto para PDF: {max} bytes como máximo. CSV y XLSX admiten más.", "This is too much text for PDF: at most {max} bytes. CSV and XLSX take more.";
    "feed_hash_invalid": "Indique los {max} caracteres de X-Feed-Hash.", "Give the {max} characters of X-Feed-Hash.";
    "feed_history_changed": "En la posición {position} el registro tiene otro evento que el que usted leyó: puede haberse perdido parte de él. Pregunte al operador y lea desde antes otra vez.", "At position {position} the log has another event than the one that you read: a part of it may be lost. Ask the operator, and read from before it again.";
    "feed_position_unknown": "La posición está después del final del registro, que es {position}: puede haberse perdido parte de él.", "The position is beyond the end of the log, which is {position}: a part of it may have been lost.";
    "field_unknown": "El campo no existe. Los campos son: {allowed}.", "There is no such field. The fields are: {allowed}.";
    "file_empty": "El archivo está vacío.", "The file is empty.";
    "file_not_found": "No existe este archivo.", "There is no such file.";
    "file_not_image": "El archivo debe ser una imagen JPEG, PNG o WebP.", "The file must be a JPEG, PNG or WebP image.";
    "file_not_image_or_pdf": "El archivo debe ser una imagen JPEG, PNG o WebP, o un PDF.", "The file must be a JPEG, PNG or WebP image, or a PDF.";
    "file_too_large": "El archivo supera {max} bytes.", "The file is beyond {max} bytes.";
    "filter_unknown": "La lista no tiene este filtro.", "The list has no such filter.";
    "given_twice": "Está dos veces en la consulta.", "It is in the query twice.";
    "head_too_large": "Los encabezados de la petición superan {max} bytes.", "The request's headers are beyond {max} bytes.";
    "hold_breach_is_settled": "Ya está resuelta.", "It is settled already.";
    "hold_breach_not_found": "Esta remesa no se entregó durante una revisión.", "This remittance was not delivered while in review.";
    "hold_is_released": "Esta revisión ya terminó.", "This review has passed already.";
    "hold_not_found": "No existe esta revisión.", "There is no such review.";
    "id_invalid": "No es un identificador.", "It is not an id.";
    "idempotency_key_invalid": "La clave de idempotencia no es válida: de 1 a 200 caracteres visibles.", "The idempotency key is not valid: 1 to 200 visible characters.";
    "idempotency_key_reused": "La clave de idempotencia ya se usó con otra petición.", "The idempotency key was used with another request.";
    "image_animated": "La imagen no puede ser una animación.", "The image can't be an animation.";
    "image_damaged": "La imagen está incompleta o dañada.", "The image is cut off or damaged.";
    "image_too_many_pixels": "La imagen tiene demasiados píxeles: {max} como máximo.", "The image has too many pixels: at most {max}.";
    "import_approval_expired": "Nadie aprobó esta fila a tiempo. Ejecútela otra vez para pedir la aprobación de nuevo.", "Nobody approved this row in time. Run it again to ask for the approval anew.";
    "import_approval_first": "La tarjeta de esta fila espera una aprobación. Cuando esté aprobada, ejecute la fila otra vez.", "The card of this row waits for an approval. When it is approved, run the row again.";
    "import_approval_rejected": "Se rechazó la aprobación de esta fila. Corrija la fila o ejecútela otra vez para pedirla de nuevo.", "The approval of this row was rejected. Correct the row, or run it again to ask anew.";
    "import_approval_withdrawn": "Se retiró la aprobación pedida para esta fila. Ejecútela otra vez para pedirla de nuevo.", "The approval that this row asked for was withdrawn. Run the row again to ask anew.";
    "import_busy": "Se están leyendo otros archivos. Inténtelo de nuevo en un momento.", "Other files are being read. Try again in a moment.";
    "import_card_brand_unknown": "No se conoce el banco de esta tarjeta: revise los primeros seis dígitos.", "The bank of this card is not known: check the first six digits.";
    "import_cell_too_long": "La celda de la fila {row}, columna {column}, tiene más de {max} caracteres.", "The cell in row {row}, column {column} has more than {max} characters.";
    "import_cells_too_many": "La fila tiene más celdas que columnas el archivo: {max}.", "The row has more cells than the file has columns: {max}.";
    "import_columns_too_many": "El archivo tiene más de {max} columnas.", "The file has more than {max} columns.";
    "import_currency_differs": "Este importe va en {currency}, y la celda lleva otra moneda u otro texto. Corrija la celda.", "This amount is in {currency}, and the cell has another currency or another text. Correct the cell.";
    "import_customer_ambiguous": "Hay varios clientes con este nombre. Añada el documento o el teléfono.", "There are several customers of this name. Add the document or the phone.";
    "import_damaged": "El archivo está incompleto o dañado.", "The file is cut off or damaged.";
    "import_date_order_unknown": "Tanto puede ser {dayFirst} como {monthFirst}, y las fechas del archivo no muestran si va primero el día o el mes. Elija en las columnas cómo están escritas, o escriba esta como {dayFirst}.", "It may be {dayFirst} as well as {monthFirst}, and the dates of the file do not show whether the day or the month comes first. Say with the columns how they are written, or write this one as {dayFirst}.";
    "import_decimal_unknown": "Tanto puede ser {whole} como {fraction}. Elija en las columnas cómo están escritos los números, o escriba este con dos decimales.", "It may be {whole} as well as {fraction}. Say with the columns how numbers are written, or write this one with two decimals.";
    "import_digits_lost": "Excel guarda solo quince dígitos de un número. Dé a la columna el formato de texto y escríbalo de nuevo.", "Excel keeps only fifteen digits of a number. Format the column as text and write it again.";
    "import_empty": "El archivo no tiene filas visibles.", "The file has no visible rows.";
    "import_erased": "El contenido de este archivo se borró al terminar su plazo. Súbalo de nuevo.", "The content of this file was erased when its time ended. Upload it again.";
    "import_error_value": "Esta celda tiene el error de una fórmula en lugar de un valor. Corríjala en la hoja de cálculo, o escriba el valor.", "This cell has the error of a formula in place of a value. Correct it in the spreadsheet, or write the value.";
    "import_fee_currency_missing": "Falta la moneda de la comisión. Añada una columna con la moneda, o un valor para todas las filas.", "The currency of the fee is missing. Add a column with the currency, or one value for all rows.";
    "import_formula_without_value": "El archivo no guardó el resultado de esta fórmula. Ábralo en una hoja de cálculo y guárdelo de nuevo, o escriba el valor.", "The file has no saved result of this formula. Open it in a spreadsheet program and save it again, or write the value.";
    "import_group_ambiguous": "Varios grupos de pago se llaman así o entregan esta moneda. Escriba el nombre del grupo tal como está.", "Several payment groups have this name or pay this currency. Write the group's name as it is.";
    "import_municipality_in_several_provinces": "Este municipio existe en varias provincias. Añada la provincia.", "There is such a municipality in several provinces. Add the province.";
    "import_not_a_table": "El archivo no es una tabla: se leen CSV, XLSX y ODS.", "The file is no table: CSV, XLSX and ODS are read.";
    "import_not_as_previewed": "Las filas no están como en la previsualización. Previsualice otra vez antes de ejecutar.", "The rows are not as they were previewed. Preview again before the run.";
    "import_not_found": "No existe esta importación.", "There is no such import.";
    "import_not_in_state": "La importación ya no está en el estado en que esto se puede hacer. Mire su estado actual.", "The import is not in a state in which this can be done. Look at its present state.";
    "import_number_grouped": "No se sabe qué número es. Revise el separador de decimales.", "Which number it is can't be told. Check the decimal separator.";
    "import_of_another": "Solo quien subió el archivo puede cambiar o ejecutar su importación.", "Only who uploaded the file may change or run its import.";
    "import_opening_differs": "Esta cuenta se abrió ya con {amount} {currency}, y el archivo dice otro saldo.", "This account was opened already with {amount} {currency}, and the file says another balance.";
    "import_owner_required": word::IMPORT_OWNER_REQUIRED;
    "import_parts_too_many": "El libro tiene más de {max} partes.", "The workbook has more than {max} parts.";
    "import_party_ambiguous": "Varias cuentas tienen este nombre. Escriba el correo electrónico.", "Several accounts have this name. Write the e-mail address.";
    "import_permission_set_ambiguous": "Varios conjuntos de permisos se llaman así. Escriba el nombre tal como está, o cambie el de uno de ellos.", "Several permission sets have this name. Write the name as it is, or change the name of one of them.";
    "import_proof_ambiguous": "Varias imágenes del ZIP empiezan por este código. Escriba en la fila el nombre de la que vale.", "Several images of the ZIP begin with this code. Write the name of the right one in the row.";
    "import_proof_missing": "No hay prueba de esta entrega en el ZIP.", "The ZIP has no proof of this delivery.";
    "import_proof_not_found": "El ZIP no tiene ningún archivo con este nombre.", "The ZIP has no file of this name.";
    "import_proof_too_large": "{file} supera {max} bytes.", "{file} is above {max} bytes.";
    "import_proofs_damaged": "El ZIP está incompleto o dañado.", "The ZIP is cut off or damaged.";
    "import_proofs_doubled": "El ZIP tiene dos archivos con el nombre {file}.", "The ZIP has two files of the name {file}.";
    "import_proofs_empty": "El ZIP no tiene archivos.", "The ZIP has no files.";
    "import_proofs_locked": "{file} tiene contraseña. Cree el ZIP sin contraseña.", "{file} has a password. Make the ZIP without a password.";
    "import_proofs_nested": "{file} es un archivo comprimido dentro del ZIP. Ponga las imágenes directamente en el ZIP.", "{file} is an archive within the ZIP. Put the images into the ZIP itself.";
    "import_proofs_not_zip": "El archivo no es un ZIP.", "The file is no ZIP.";
    "import_proofs_path": "{file} señala fuera del ZIP. Use nombres sin raíz y sin «..».", "{file} leads out of the ZIP. Use names without a root and without \"..\".";
    "import_proofs_too_large": "El ZIP supera {max} bytes. Divida la lista y las pruebas.", "The ZIP is above {max} bytes. Split the list and the proofs.";
    "import_proofs_too_many": "El ZIP tiene más de {max} archivos. Divida la lista y las pruebas.", "The ZIP has more than {max} files. Split the list and the proofs.";
    "import_proofs_unpack_too_large": "El ZIP ocupa más de {max} bytes al descomprimirse.", "The ZIP unpacks to more than {max} bytes.";
    "import_quote_unclosed": "En la línea {row} se abren unas comillas que no se cierran al final de su celda: las filas siguientes quedarían dentro de ella. Ciérrelas o quítelas.", "In line {row} a quotation mark opens that is not closed at the end of its cell: the rows that follow would be inside it. Close it or remove it.";
    "import_recipient_elsewhere": "Esta persona está registrada con otro domicilio, y la entrega iría allí. Corrija la fila, o cambie antes su domicilio.", "This person is registered with another home, and the delivery would go there. Correct the row, or change that home first.";
    "import_row_is_fixed": "Esta fila ya se ejecutó, o la importación está en curso: no se puede cambiar.", "This row was run already, or the import is at work: it can't be changed.";
    "import_row_not_found": "No existe esta fila.", "There is no such row.";
    "import_rows_repeated": "El libro repite una fila miles de veces.", "The workbook repeats a row thousands of times.";
    "import_rows_too_many": "El archivo tiene más de {max} filas. Divídalo.", "The file has more than {max} rows. Split it.";
    "import_signature_missing": "Una entrega a domicilio necesita la firma: no está en el ZIP.", "A delivery at the door needs the signature: the ZIP has none.";
    "import_too_large": "El contenido supera {max} bytes. Divídalo.", "The content is above {max} bytes. Split it.";
    "import_too_many": "Hay {max} archivos guardados. Espere a que se borre el contenido de los más antiguos.", "There are {max} files kept. Wait until the content of the oldest is erased.";
    "import_too_many_open": "Hay {max} importaciones sin terminar. Ejecute o cancele alguna.", "There are {max} imports that are not finished. Run or cancel one.";
    "import_totals_differ": "Los totales de las filas no son los esperados. Corrija las filas o los totales, y previsualice otra vez.", "The totals of the rows are not the expected ones. Correct the rows or the totals, and preview again.";
    "import_totals_required": "Escriba los totales del otro sistema, uno por moneda, como CUP 480000.00. Los saldos de apertura se ejecutan solo si suman lo mismo.", "Write the totals of the other system, one per currency, like CUP 480000.00. Opening balances are run only if they come to the same.";
    "import_unpacks_too_large": "El libro ocupa más de {max} bytes al descomprimirse.", "The workbook unpacks to more than {max} bytes.";
    "import_unreadable": "Lo guardado de este archivo no se puede leer. Anule la importación y suba el archivo de nuevo.", "What is stored of this file can't be read. Cancel the import, and upload the file again.";
    "import_without_proofs": "Este tipo de importación no lleva pruebas.", "Imports of this kind have no proofs.";
    "import_without_rows": "Debajo de los encabezados no hay filas.", "There are no rows below the headers.";
    "import_workbook_old_or_locked": "Es un libro anterior a 2007 o con contraseña. Guárdelo como XLSX sin contraseña.", "The workbook is from before 2007 or has a password. Save it as XLSX without a password.";
    "internal": "Algo falló en el servidor. Quedó registrado.", "Something failed in the server. It was recorded.";
    "internal_agent_has_no_balance": word::INTERNAL_AGENT_HAS_NO_BALANCE;
    "internal_agent_has_no_terms": word::INTERNAL_AGENT_HAS_NO_TERMS;
    "invalid": "Hay datos que no son válidos.", "Some of the data is not valid.";
    "issuer_has_open_remittances": word::ISSUER_HAS_OPEN_REMITTANCES;
    "json_unreadable": "El cuerpo no es JSON válido.", "The body is not valid JSON.";
    "last_manager": word::LAST_MANAGER;
    "length_out_of_range": "Debe tener entre {min} y {max} caracteres.", "It must have {min} to {max} characters.";
    "limit_rule_not_found": "No existe esta regla de límites.", "There is no such limit rule.";
    "list_expected": "Debe ser una lista.", "It must be a list.";
    "list_name_invalid": "Los nombres de listas tienen letras minúsculas, números y guiones.", "Names of lists have lower-case letters, digits and hyphens.";
    "list_name_taken": "Ya hay una lista con este nombre. Escriba otro.", "There is a list with this name already. Write another.";
    "log_contradicts_checkpoint": "El historial contradice lo que se firmó antes: no se firma nada. Avise a quien administra el sistema.", "The history contradicts what was signed before: nothing is signed. Tell whoever runs the system.";
    "log_diverged": "No se puede guardar nada: el registro de esta empresa no coincide con lo que se había visto de él. El operador ha sido avisado y debe decidir.", "Nothing can be saved: the log of this business is not what had been seen of it. The operator has been told and must decide.";
    "login_failed": "El correo electrónico o la contraseña no son correctos.", "The e-mail address or the password is not right.";
    "method_not_allowed": "La ruta no admite este método.", "The path does not take this method.";
    "moment_is_past": "El momento ya pasó.", "The moment is past.";
    "moment_or_position": "Indique un momento o una posición, no los dos.", "Give a moment or a position, not both.";
    "moment_too_far": "El momento está a más de {days} días.", "The moment is more than {days} days ahead.";
    "movement_already_reversed": "El movimiento ya fue revertido.", "The movement was reversed already.";
    "movement_not_found": "No existe este movimiento.", "There is no such movement.";
    "multipart_unreadable": "El formulario no se puede leer.", "The form can't be read.";
    "municipality_disabled": "El municipio está deshabilitado.", "The municipality is disabled.";
    "municipality_not_found": "No existe este municipio.", "There is no such municipality.";
    "municipality_of_another_province": "El municipio es de otra provincia.", "The municipality is of another province.";
    "municipality_unknown": "No existe este municipio.", "There is no such municipality.";
    "name_is_fixed": "El nombre no se puede cambiar.", "The name can't be changed.";
    "needs_document": "La venta necesita un documento de identidad vigente de esta persona.", "The sale needs an identity document of this person that has not expired.";
    "needs_purpose": "La venta necesita el propósito de la remesa.", "The sale needs the purpose of the transfer.";
    "needs_source_of_funds": "La venta necesita el origen de los fondos.", "The sale needs the source of the funds.";
    "network_invalid": "No es una red: escriba una dirección o una red como 203.0.113.0/24.", "It is no network: write an address, or a network like 203.0.113.0/24.";
    "not_for_balance": "Un saldo se asigna en un grupo de pago, sin moneda.", "A balance is assigned in a payment group, without a currency.";
    "not_for_cash": "El efectivo se entrega en una moneda, sin grupo de pago.", "Cash is given in a currency, without a payment group.";
    "not_for_this_role": "No corresponde a este tipo de usuario.", "It is not for this sort of user.";
    "not_found": "No existe.", "There is no such thing.";
    "not_with_from_or_to": "No se combina con las fechas inicial y final.", "It does not go with the first and last day.";
    "not_yet_projected": "Las cifras pedidas aún no están listas.", "The figures asked for are not ready yet.";
    "number_invalid": "No es un número decimal.", "It is not a decimal number.";
    "number_negative": "El número no puede ser negativo.", "The number can't be negative.";
    "number_not_whole": "Debe ser un número entero, sin decimales.", "It must be a whole number, without decimals.";
    "number_out_of_range": "El número está fuera de los límites.", "The number is out of range.";
    "object_expected": "Debe ser un objeto.", "It must be an object.";
    "only_manager_exchanges": word::ONLY_MANAGER_EXCHANGES;
    "only_manager_in_this_status": word::ONLY_MANAGER_IN_THIS_STATUS;
    "outcome_unknown": "No se sabe si la operación se completó. Repítala con la misma clave de idempotencia.", "Whether it was done is not known. Repeat it with the same idempotency key.";
    "outside_dealer_zones": word::OUTSIDE_DEALER_ZONES;
    "own_lists_too_large": "Las listas propias tendrían más de {max} nombres, con las versiones de la última hora. Quite alguna, cargue un archivo menor o espere.", "The own lists would have more than {max} names, with the versions of the last hour. Remove one, load a smaller file, or wait.";
    "own_login_by_profile": "Su propio correo se cambia en su perfil, y su contraseña en «Cambiar contraseña»: con la contraseña actual.", "Your own address is changed in your profile, and your password in “Change password”: with the current password.";
    "own_proposal": "Lo que usted propuso lo aprueba otra persona.", "What you proposed is approved by another person.";
    "party_above_is_fixed": "A quién pertenece no se puede cambiar.", "Whom it belongs to can't be changed.";
    "party_has_no_closures": "Este usuario no tiene cierres.", "This user has no closures.";
    "party_has_no_terms": "Este usuario no tiene condiciones propias.", "This user has no terms of its own.";
    "party_has_open_remittances": "Tiene remesas por entregar.", "It has remittances to deliver.";
    "party_holds_cash": "Todavía tiene efectivo del negocio por liquidar: {cash}.", "There is cash of the business to settle with it first: {cash}.";
    "party_holds_no_cash": "Este usuario no lleva efectivo.", "This user holds no cash.";
    "party_inactive": "El usuario está desactivado.", "The user is not active.";
    "party_not_found": "No existe este usuario.", "There is no such user.";
    "party_not_of_office": "Este usuario no es de la oficina: no tiene conjunto de permisos.", "This user is not of the office: it has no permission set.";
    "party_not_reachable": "No se le puede transferir a este usuario.", "Nothing can be transferred to this user.";
    "party_receives_no_deposits": "Este usuario no recibe depósitos.", "This user receives no deposits.";
    "party_type_is_one": "Las condiciones propias son de tipo 1.", "A party's own terms are of type 1.";
    "party_unknown": "No existe un usuario activo con este identificador.", "There is no active user with this id.";
    "passkey_counter_went_back": "La llave de acceso dio una firma anterior a otra ya usada: puede haber una copia. Entre de otra forma, quítela y añada otra.", "The passkey gave a signature from before one that was used already: there may be a copy of it. Log in another way, remove it and add another.";
    "passkey_expired": "Tardó demasiado. Empiece de nuevo.", "It took too long. Begin again.";
    "passkey_not_found": "No existe esta llave de acceso.", "There is no such passkey.";
    "passkey_refused": "Esta llave de acceso no sirve aquí. Entre con su contraseña.", "This passkey is not accepted here. Log in with your password.";
    "passkey_registered": "Esta llave de acceso ya está en una cuenta.", "This passkey is in an account already.";
    "passkey_used": "Esta respuesta de la llave de acceso ya se usó. Empiece de nuevo.", "This answer of the passkey was used already. Begin again.";
    "passkeys_too_many": "Puede tener {max} llaves de acceso. Quite una antes.", "You can have {max} passkeys. Remove one first.";
    "passkeys_unavailable": "En esta dirección no se pueden usar llaves de acceso.", "Passkeys can't be used at this address.";
    "passport_number_invalid": "El número de un pasaporte tiene de {min} a {max} letras y dígitos, al menos un dígito.", "A passport's number has {min} to {max} letters and digits, at least one digit.";
    "password_common": "Esta contraseña se adivina pronto: es de las más usadas, o una palabra conocida con unos pocos caracteres. Es mejor unir dos palabras sin relación, con números y signos entre ellas.", "This password is soon guessed: it is among the most used ones, or a known word with a few characters. Better: two unrelated words, with digits and signs between them.";
    "password_has_blanks": "La contraseña no puede tener espacios.", "The password can't have blanks.";
    "password_length": "La contraseña debe tener entre {min} y {max} caracteres.", "The password must have {min} to {max} characters.";
    "password_needs_digit": "La contraseña necesita un número.", "The password needs a digit.";
    "password_needs_its_owner": "Este cambio necesita una aprobación, y una contraseña no puede esperarla: su dueño la cambia con un código por correo.", "This change needs an approval, and a password can't wait for it: its owner changes it by a code sent by mail.";
    "password_needs_lower_case": "La contraseña necesita una minúscula.", "The password needs a lower case letter.";
    "password_needs_own_request": "Este cambio espera una aprobación: cambie la contraseña después, por separado.", "This change waits for an approval: change the password afterwards, by itself.";
    "password_needs_special_character": "La contraseña necesita un carácter especial.", "The password needs a special character.";
    "password_needs_upper_case": "La contraseña necesita una mayúscula.", "The password needs an upper case letter.";
    "password_personal": "Esta contraseña se adivina pronto: contiene el nombre, el correo o el nombre del negocio, y poco más. Es mejor unir dos palabras sin relación con la cuenta, con números y signos entre ellas.", "This password is soon guessed: it has the name, the e-mail address or the name of the business, and little else. Better: two words unrelated to the account, with digits and signs between them.";
    "password_unchanged": "La contraseña nueva es la misma que la actual.", "The new password is the same as the present one.";
    "password_wrong": "La contraseña actual no es correcta.", "The present password is not right.";
    "payment_above_outstanding": "El pago supera lo pendiente: {outstanding}.", "The payment is above what is outstanding: {outstanding}.";
    "payment_group_closed": "El grupo de pago está cerrado.", "The payment group is closed.";
    "payment_group_in_use": "El grupo de pago está en uso.", "The payment group is in use.";
    "payment_group_name_taken": "Ya existe un grupo de pago con este nombre.", "There is a payment group with this name already.";
    "payment_group_not_found": "No existe este grupo de pago.", "There is no such payment group.";
    "payment_group_not_held": word::PAYMENT_GROUP_NOT_HELD;
    "payment_group_not_held_by_agency": word::PAYMENT_GROUP_NOT_HELD_BY_AGENCY;
    "payment_group_unknown": "No existe este grupo de pago.", "There is no such payment group.";
    "payout_not_positive": "Lo que se entregaría no es mayor que 0.", "What would be paid out is not above 0.";
    "pdf_active": "Este PDF tiene acciones, formularios con código u otros archivos dentro. Imprímalo como PDF, o adjunte una foto.", "This PDF has actions, forms with scripts, or other files in it. Print it as a PDF, or attach a photograph.";
    "pdf_damaged": "El PDF está incompleto o dañado, o no se puede revisar.", "The PDF is cut off or damaged, or can't be checked.";
    "pdf_encrypted": "El PDF está cifrado o protegido. Adjunte uno sin contraseña.", "The PDF is encrypted or protected. Attach one without a password.";
    "percentage_out_of_range": "El porcentaje debe estar entre -100 y 100.", "The percentage must be between -100 and 100.";
    "period_already_closed": "El período ya está cerrado.", "The period is closed already.";
    "period_too_long": "El período abarca como máximo {max} días.", "The period covers at most {max} days.";
    "permission_missing": "Su conjunto de permisos no incluye {permission}.", "Your permission set does not include {permission}.";
    "permission_set_in_use": "{count} personas tienen este conjunto. Deles otro primero.", "{count} people have this set. Give them another one first.";
    "permission_set_name_taken": "Ya hay un conjunto con este nombre.", "There is a set with this name already.";
    "permission_set_not_found": "No existe este conjunto de permisos.", "There is no such permission set.";
    "permission_set_unknown": "No existe un conjunto de permisos con este nombre.", "There is no permission set of this name.";
    "person_forgotten": "Los datos de esta persona se borraron.", "This person's data was erased.";
    "person_has_balances": "Aún tiene saldos.", "There are balances left.";
    "person_has_debits": "Aún hay deudas por pagar.", "There are debits left to pay.";
    "person_has_open_remittances": "Tiene {count} remesas en curso.", "There are {count} remittances under way.";
    "person_leads_others": "Otros usuarios activos dependen de esta persona.", "Other active users work for this person.";
    "person_within_retention": "Los libros necesitan a esta persona hasta el {until}.", "The books need this person until {until}.";
    "phone_country_unknown": "Ningún país tiene este código de teléfono.", "No country has this phone code.";
    "phone_not_a_number": "El teléfono se escribe con dígitos, por ejemplo +53 5 234 5678.", "A phone number is written with digits, for example +53 5 234 5678.";
    "phone_not_of_country": "No es un teléfono posible con el código {code}: revise los dígitos.", "It is no possible phone number with the code {code}: check its digits.";
    "phone_too_long": "El teléfono tiene {max} dígitos como máximo, con el código del país.", "A phone number has at most {max} digits, with the country's code.";
    "phone_too_short": "Al teléfono le faltan dígitos.", "The phone number lacks digits.";
    "phone_without_country": "Escriba el teléfono con el código del país, por ejemplo +1 305 555 0100.", "Write the phone number with the country's code, for example +1 305 555 0100.";
    "position_out_of_range": "La posición debe estar entre {min} y {max}.", "The position must be between {min} and {max}.";
    "preview_not_available": "Esta operación no tiene vista previa.", "This operation has no preview.";
    "preview_unclear": "La vista previa se pide con ?preview=true, o con el encabezado Prefer: preview. Para guardar, quite el parámetro o escriba ?preview=false.", "A preview is asked for by ?preview=true, or by the header Prefer: preview. To save, leave the parameter out or write ?preview=false.";
    "proof_not_yet": "Este evento aún no está firmado. Inténtelo de nuevo en unos minutos.", "This event is not signed yet. Try again in some minutes.";
    "proposal_erased": "Los datos de la persona se borraron: ya no se puede aprobar.", "The person's data was erased: it can't be approved any more.";
    "proposal_expired": "La propuesta venció. Hay que proponerla de nuevo.", "The proposal has expired. It must be proposed again.";
    "proposal_not_found": "No existe esta propuesta.", "There is no such proposal.";
    "proposal_not_permitted": "Quien la propuso ya no puede hacer esto.", "Who proposed it may no longer do this.";
    "proposal_not_waiting": "Esta propuesta ya no espera: alguien la decidió, o venció.", "This proposal waits no longer: somebody decided it, or it expired.";
    "proposal_outdated": "El registro cambió después de la propuesta. Hay que proponerla de nuevo.", "The record changed after the proposal. It must be proposed again.";
    "proposed": "Espera la aprobación de otra persona.", "It waits for another person's approval.";
    "province_not_found": "No existe esta provincia.", "There is no such province.";
    "province_unknown": "No existe esta provincia.", "There is no such province.";
    "query_unreadable": "La consulta no se puede leer.", "The query can't be read.";
    "quote_changed": "Las cifras cambiaron desde que las confirmó. Revíselas y confirme de nuevo.", "The figures have changed since you confirmed them. Review them and confirm again.";
    "rate_change_not_found": "No existe este cambio de tasas.", "There is no such change of rates.";
    "rate_is_another": "La tasa es ahora {rate}.", "The rate is {rate} now.";
    "rate_not_positive": "La tasa debe ser mayor que 0.", "The rate must be above 0.";
    "rate_out_of_range": "La tasa es demasiado grande o tiene más de 12 decimales.", "The rate is too large or has more than 12 decimals.";
    "rate_target_unknown": "No existe esta tasa.", "There is no such rate.";
    "rates_already_undone": "Este cambio de tasas ya se deshizo.", "This change of rates was undone already.";
    "rates_changed": "Alguna tasa cambió mientras tanto; no se cambió nada. Revise las tasas de ahora y confirme de nuevo.", "A rate changed meanwhile; nothing was changed. Look at the rates of now and confirm anew.";
    "rates_changed_since": "Alguna de estas tasas cambió después; deshacerlo borraría ese cambio. Cambie las tasas de nuevo.", "One of these rates was changed since; undoing would lose that change. Change the rates anew.";
    "rates_not_due": "El momento de este cambio de tasas no ha llegado.", "The moment of this change of rates has not come.";
    "rates_unchanged": "Ninguna tasa cambiaría.", "No rate would change.";
    "read_models_of_another_version": "Las listas y las cifras se preparan de nuevo tras una actualización. Las operaciones siguen; vuelva en unos minutos.", "Lists and figures are prepared anew after an upgrade. Work goes on; come back in some minutes.";
    "recipient_inactive": word::RECIPIENT_INACTIVE;
    "recipient_of_another_issuer": word::RECIPIENT_OF_ANOTHER_ISSUER;
    "recipient_unknown": word::RECIPIENT_UNKNOWN;
    "recipient_without_municipality": word::RECIPIENT_WITHOUT_MUNICIPALITY;
    "record_not_authentic": "Un dato guardado no es auténtico y no se usa. Avise a quien administra el sistema.", "A stored record is not authentic and is not used. Tell the system's operator.";
    "record_not_found": "No existe este registro.", "There is no such record.";
    "reference_taken": word::REFERENCE_TAKEN;
    "remittance_in_review": "La remesa quedó en revisión.", "The remittance is in review.";
    "remittance_is_canceled": word::REMITTANCE_IS_CANCELED;
    "remittance_is_completed": word::REMITTANCE_IS_COMPLETED;
    "remittance_is_held": "La remesa está en revisión: solo se puede cancelar.", "The remittance is in review: it can only be canceled.";
    "remittance_is_in_error": word::REMITTANCE_IS_IN_ERROR;
    "remittance_is_in_shipping": "La remesa está en camino.", "The remittance is in shipping.";
    "remittance_is_pending": word::REMITTANCE_IS_PENDING;
    "remittance_not_found": "No existe esta remesa.", "There is no such remittance.";
    "remittance_of_another": word::REMITTANCE_OF_ANOTHER;
    "remittance_was_edited": word::REMITTANCE_WAS_EDITED;
    "request_timeout": "La petición tardó demasiado en llegar.", "The request took too long to arrive.";
    "request_unreadable": "La petición no se puede leer.", "The request can't be read.";
    "required": "Es obligatorio.", "It is required.";
    "role_cannot_approve": "Este rol no puede aprobar.", "This role can't approve.";
    "role_not_allowed": "Su tipo de usuario no puede hacer esto.", "Your sort of user can't do this.";
    "route_unknown": "No existe esta ruta.", "There is no such path.";
    "sale_beyond_limits": "Esta venta supera los límites de la empresa.", "This sale is beyond the limits of the business.";
    "same_currency": "Las dos monedas son la misma.", "Both currencies are the same.";
    "same_party": "El origen y el destino son el mismo.", "Both parties are the same.";
    "scope_not_for_role": "El permiso {scope} no existe para este rol.", "The scope {scope} does not exist for this role.";
    "scope_unknown": "No existe este permiso.", "There is no such scope.";
    "screening_born_unknown": "No se entiende la fecha de nacimiento. Escriba AAAA-MM-DD o el año.", "The date of birth is not understood. Write YYYY-MM-DD or the year.";
    "screening_case_not_cleared": "En esta coincidencia queda alguien por revisar, o es la misma persona.", "This match has somebody left to review, or is the same person.";
    "screening_case_not_found": "No existe esta coincidencia.", "There is no such match.";
    "screening_column_missing": "Falta la columna {header} en el encabezado.", "The header lacks the column {header}.";
    "screening_column_unknown": "La columna {header} no se conoce. Se admiten name, aliases, document, born, countries e id.", "The column {header} is unknown. Allowed are name, aliases, document, born, countries and id.";
    "screening_entry_empty": "No tiene nombre ni documento.", "It has neither a name nor a document.";
    "screening_entry_too_large": "La fila {row} es demasiado larga.", "Line {row} is too long.";
    "screening_fields_wrong": "La fila {row} tiene {found} campos en lugar de {expected}.", "Line {row} has {found} fields instead of {expected}.";
    "screening_file_too_large": "El archivo pasa de {max} bytes.", "The file has more than {max} bytes.";
    "screening_file_unreadable": "El archivo no se puede leer en la fila {row}. Guárdelo como CSV.", "The file can't be read at line {row}. Save it as CSV.";
    "screening_id_repeated": "En la fila {row} se repite el id {id} de la fila {first} con otros datos. Cada id es de una sola entrada.", "Line {row} repeats the id {id} of line {first} with other data. An id is of one entry.";
    "screening_list_chosen": "Esta lista está elegida. Deje de usarla antes de quitarla.", "This list is chosen. Stop using it before you remove it.";
    "screening_list_empty": "El archivo no tiene entradas.", "The file has no entries.";
    "screening_list_missing": "Falta el contenido de una lista con la que se comparan los clientes: hay que cargarla de nuevo.", "The content of a list that customers are compared with is missing: the list has to be loaded again.";
    "screening_list_not_found": "No existe esta lista propia.", "There is no such own list.";
    "screening_list_unknown": "Esa lista no está cargada. La carga quien opera el sistema.", "This list is not loaded. The operator of the system loads it.";
    "screening_lists_too_large": "Las listas de esta instalación no admiten más nombres. Pida espacio a quien opera el sistema.", "The lists of this installation take no more names. Ask the operator of the system for room.";
    "screening_not_utf8": "El archivo no está en UTF-8. Guárdelo como CSV UTF-8.", "The file is not in UTF-8. Save it as CSV UTF-8.";
    "screening_nothing_held": "No hay ninguna remesa en revisión por esta coincidencia.", "No remittance is in review for this match.";
    "screening_too_many_entries": "El archivo tiene más de {max} entradas. Una lista así la carga quien opera el sistema.", "The file has more than {max} entries. The operator of the system loads such a list.";
    "second_factor_code_required": "Esta operación pide un código reciente de su aplicación de autenticación, o su llave de acceso.", "This call needs a fresh code of your authenticator app, or your passkey.";
    "second_factor_code_used": "Este código ya se usó. Espere al siguiente.", "This code was used already. Wait for the next one.";
    "second_factor_code_wrong": "El código no es correcto.", "The code is not right.";
    "second_factor_enrolled": "La verificación en dos pasos ya está activada.", "Two-step verification is switched on already.";
    "second_factor_enrolment_required": "Su cuenta necesita la verificación en dos pasos. Actívela para continuar.", "Your account needs two-step verification. Switch it on to go on.";
    "second_factor_expired": "La activación tardó demasiado. Empiece de nuevo.", "Switching it on took too long. Begin again.";
    "second_factor_missing": "La verificación en dos pasos no está activada.", "Two-step verification is not switched on.";
    "second_factor_required": "Introduzca el código de su aplicación de autenticación, o entre con una llave de acceso.", "Enter the code of your authenticator app, or log in with a passkey.";
    "seeing_as_nobody": "No está viendo como otro usuario.", "You are not seeing as another user.";
    "seeing_as_reads_only": "Mientras ve como otro usuario no puede cambiar nada, ni descargar datos de personas.", "While you see as another user you can change nothing, and download no data of people.";
    "seller_unknown": word::SELLER_UNKNOWN;
    "sender_inactive": word::SENDER_INACTIVE;
    "sender_unknown": word::SENDER_UNKNOWN;
    "session_ended": "La sesión ha terminado. Inicie sesión de nuevo.", "The session has ended. Log in again.";
    "session_not_found": "No existe esta sesión.", "There is no such session.";
    "session_required": "Esta operación requiere iniciar sesión: no se hace con una clave de API.", "This call requires a login: API keys can't make it.";
    "set_from_above": "Esto lo cambia quien está por encima.", "This is changed from above.";
    "sign_on_bound": "Este usuario ya entra con otra cuenta del proveedor, hasta que se le libere.", "This user logs in with another account of the provider already, until it is freed.";
    "sign_on_failed": "El proveedor no confirmó quién es. Vuelva a intentarlo.", "The provider did not confirm who you are. Try again.";
    "sign_on_issuer_invalid": "Esta dirección no responde como un proveedor de OpenID Connect.", "This address does not answer as a provider of OpenID Connect.";
    "sign_on_off": "Esta empresa no tiene inicio de sesión único.", "This business has no single sign-on.";
    "sign_on_unknown": "No hay ningún usuario con un correo que el proveedor haya verificado.", "There is no user with an e-mail address that the provider has verified.";
    "sign_on_unreachable": "El proveedor no responde.", "The provider does not answer.";
    "social_security_number_invalid": "El número de seguro social tiene 9 dígitos y no puede ser este.", "A social security number has 9 digits, and can't be this one.";
    "sold_just_now": "Hace menos de {max} minutos se vendió una remesa igual: {remittance}.", "An identical remittance was sold less than {max} minutes ago: {remittance}.";
    "sort_unknown": "No se puede ordenar por esta columna.", "The list can't be sorted by this column.";
    "storage_full": word::STORAGE_FULL;
    "stream_of_another_kind": "El identificador es de otra cosa.", "The id is of something else.";
    "tenant_invalid": "X-Tenant no es el identificador de una empresa.", "X-Tenant is not a tenant's id.";
    "tenant_unknown": "No existe esta empresa.", "There is no such tenant.";
    "terms_set_by_another_call": "Las condiciones se cambian con llamadas propias, de a un grupo de pago: PUT a exchange_rate bajo la misma dirección, con el id.", "Terms are changed by calls of their own, one payment group each: PUT on exchange_rate below the same address, with the id.";
    "terms_set_from_above": "Estas condiciones las fija quien está por encima.", "These terms are set from above.";
    "text_expected": "Debe ser un texto.", "It must be a text.";
    "text_has_control_characters": "El texto tiene un carácter de control ({character}): escríbalo de nuevo sin él.", "The text has a control character ({character}): type it again without it.";
    "text_has_invisible_characters": "El texto tiene un carácter invisible ({character}), que esconde letras o cambia su orden: escríbalo de nuevo sin él.", "The text has an invisible character ({character}), which hides letters or changes their order: type it again without it.";
    "text_has_line_breaks": "El texto debe ir en una sola línea: quite los saltos de línea.", "The text must be on one line: remove the line breaks.";
    "text_too_long": "El texto admite {max} caracteres como máximo.", "The text has at most {max} characters.";
    "threshold_out_of_range": "El umbral va de {min} a {max} por ciento.", "The threshold is from {min} to {max} percent.";
    "time_invalid": "No es un momento RFC 3339.", "It is not an RFC 3339 time.";
    "to_or_to_manager": word::TO_OR_TO_MANAGER;
    "token_expired": "El acceso ha caducado.", "The access token has expired.";
    "token_invalid": "El acceso no es válido.", "The access token is not valid.";
    "token_missing": "Hace falta iniciar sesión.", "Nobody is logged in.";
    "token_of_another_tenant": "El acceso es de otra empresa.", "The access token is another tenant's.";
    "too_many": "Son demasiados: {max} como máximo.", "These are too many: at most {max}.";
    "too_many_api_keys": "Ya hay {max} claves vigentes. Revoque alguna.", "There are {max} active keys already. Revoke one.";
    "too_many_approval_rules": "Ya hay {max} reglas de aprobación. Quite alguna.", "There are {max} approval rules already. Remove one.";
    "too_many_attempts": "Demasiados intentos. Espere antes de repetir.", "Too many attempts. Wait before the next.";
    "too_many_cards": word::TOO_MANY_CARDS;
    "too_many_holds": "Una remesa tiene {max} revisiones como máximo, y esta tendría más. Cancélela y venda otra.", "A remittance has at most {max} reviews, and this one would have more. Cancel it and sell another.";
    "too_many_limit_rules": "Ya hay {max} reglas de límites. Quite alguna.", "There are {max} limit rules already. Remove one.";
    "too_many_of_one_document": "Más de {max} clientes tienen este documento. Corrija los que no son de esta persona.", "More than {max} customers have this document. Correct those that are not this person's.";
    "too_many_own_lists": "Ya hay {max} listas propias. Quite alguna.", "There are {max} own lists already. Remove one.";
    "too_many_permission_sets": "Ya hay {max} conjuntos de permisos. Quite alguno.", "There are {max} permission sets already. Remove one.";
    "too_many_proposals": "Ya hay {max} propuestas que esperan. Decidan alguna.", "There are {max} waiting proposals already. Decide some.";
    "too_many_records_export_them": "Son más de {max} filas: use la exportación.", "These are more than {max} rows: export them.";
    "too_many_records_to_sort": "Son más de {max} filas: acote la lista para ordenarla así.", "These are more than {max} rows: narrow the list to sort it so.";
    "too_many_requests": "La clave de API admite {max} peticiones por minuto. Espere un momento.", "The API key allows {max} requests per minute. Wait a moment.";
    "too_many_streams": "Hay demasiadas conexiones abiertas.", "Too many connections are open.";
    "too_many_uploads": "Hoy ya subió demasiados archivos. Inténtelo mañana.", "You have uploaded too many files today. Try again tomorrow.";
    "too_many_waiting": "Ya hay {max} peticiones que esperan. Espere un momento.", "There are {max} waiting requests already. Wait a moment.";
    "too_many_webhooks": "Ya hay {max} webhooks. Quite alguno.", "There are {max} webhooks already. Remove one.";
    "too_many_writes": "Demasiadas operaciones seguidas. Espere un momento.", "Too many operations in a row. Wait a moment.";
    "total_not_positive": "El total a pagar no es mayor que 0.", "The total to pay is not above 0.";
    "treasury_insufficient": "La caja no alcanza: hay {available} {currency}.", "The treasury is not enough: there are {available} {currency}.";
    "unavailable": "El servicio no está disponible. Inténtelo de nuevo en un momento.", "The service is not available. Try again in a moment.";
    "url_invalid": "No es una dirección web: debe empezar por https:// y no llevar usuario ni #.", "It is no URL: it must begin with https:// and have neither a login nor #.";
    "url_not_https": "La dirección debe empezar por https://.", "The URL must begin with https://.";
    "url_not_public": "La dirección no es pública: no se le puede enviar nada.", "The address is not public: nothing can be sent there.";
    "usd_must_stay_enabled": "El dólar no se puede deshabilitar.", "The dollar can't be disabled.";
    "usd_rate_is_one": "La tasa del dólar es 1.", "The dollar's rate is 1.";
    "value_invalid": "El valor no es válido.", "The value is not valid.";
    "value_not_positive": "El importe no llega a un centavo de dólar.", "The amount does not come to a cent of a dollar.";
    "value_repeated": "Está repetido.", "It stands here twice.";
    "value_unknown": "No es uno de los valores posibles.", "It is not one of the possible values.";
    "webhook_being_sent": "Ya se está enviando algo a este webhook. Espere la respuesta.", "Something is being sent to this webhook already. Wait for the answer.";
    "webhook_not_found": "No existe este webhook.", "There is no such webhook.";
    "webhook_party_without_access": "El usuario de este webhook está desactivado, o ya no tiene acceso a las integraciones: no se le envía nada.", "The user of this webhook is not active, or has no access to integrations any more: nothing is sent.";
    "webhook_paused": "Este webhook está en pausa. Reanúdelo para enviar.", "This webhook is paused. Resume it to send.";
}

/// The catalogue's static string of a code.
pub fn known(code: &str) -> Option<&'static str> {
    find(code).map(|entry| entry.code)
}

/// Text of a code with its placeholders filled.
pub fn text(code: &str, language: Language, params: &Params) -> String {
    let Some(entry) = find(code) else {
        return code.to_owned();
    };
    let mut text = entry.in_language(language).to_owned();
    for (name, value) in params {
        text = text.replace(&format!("{{{name}}}"), value);
    }
    text
}

/// Text of a code with `{name}` placeholders.
pub fn template(code: &str, language: Language) -> Option<&'static str> {
    find(code).map(|entry| entry.in_language(language))
}

/// Kind of a placeholder's value; determines its formatting in the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Decimal amount of money, such as `12.50`.
    Amount,
    /// Amounts with currencies: `12.50 CUP, 3.00 USD`.
    Amounts,
    /// Day, `YYYY-MM-DD`.
    Day,
    /// Whole number.
    Count,
    /// Exchange rate: a decimal with all its digits.
    Rate,
    /// Text shown unchanged.
    Text,
}

/// Placeholder names with their kinds.
const KINDS: &[(&str, ValueKind)] = &[
    ("allowed", ValueKind::Text),
    ("amount", ValueKind::Amount),
    ("available", ValueKind::Amount),
    ("cash", ValueKind::Amounts),
    ("character", ValueKind::Text),
    ("code", ValueKind::Text),
    ("column", ValueKind::Count),
    ("count", ValueKind::Count),
    ("country", ValueKind::Text),
    ("currency", ValueKind::Text),
    ("dayFirst", ValueKind::Text),
    ("days", ValueKind::Count),
    ("expected", ValueKind::Count),
    ("file", ValueKind::Text),
    ("first", ValueKind::Count),
    ("found", ValueKind::Count),
    ("fraction", ValueKind::Rate),
    ("header", ValueKind::Text),
    ("id", ValueKind::Text),
    ("max", ValueKind::Count),
    ("min", ValueKind::Count),
    ("monthFirst", ValueKind::Text),
    ("outstanding", ValueKind::Amount),
    ("permission", ValueKind::Text),
    ("position", ValueKind::Count),
    ("prefix", ValueKind::Text),
    ("rate", ValueKind::Rate),
    ("remittance", ValueKind::Text),
    ("row", ValueKind::Count),
    ("scope", ValueKind::Text),
    ("until", ValueKind::Day),
    ("used", ValueKind::Amount),
    ("whole", ValueKind::Rate),
];

/// A placeholder's name, given as text that was stored.
pub fn placeholder(name: &str) -> Option<&'static str> {
    KINDS.iter().map(|(known, _)| *known).find(|known| *known == name)
}

/// Value of a placeholder in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProblemValue)]
pub struct Value {
    /// Name: `{name}` in the template.
    #[schema(example = "available")]
    pub name: &'static str,
    /// Kind of the value, for formatting.
    pub kind: ValueKind,
    /// Unformatted value.
    #[schema(example = "1234.50")]
    pub value: String,
}

/// Values of a code's placeholders.
pub fn values(code: &str, params: &Params) -> Vec<Value> {
    let Some(entry) = find(code) else { return Vec::new() };
    let within = |name: &str| entry.es.contains(&format!("{{{name}}}"));
    KINDS
        .iter()
        .filter(|(name, _)| within(name))
        .filter_map(|(name, kind)| {
            let value = params.get(name)?.clone();
            Some(Value {
                name,
                kind: *kind,
                value,
            })
        })
        .collect()
}

/// A text with its values apart.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = Said)]
pub struct TextTemplate {
    /// Text with `{name}` placeholders; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub template: Option<&'static str>,
    /// Values of the placeholders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
}

impl TextTemplate {
    pub fn of(code: &str, language: Language, params: &Params) -> Self {
        let values = values(code, params);
        if values.is_empty() {
            return Self::default();
        }
        Self {
            template: template(code, language),
            values,
        }
    }
}

fn find(code: &str) -> Option<&'static Entry> {
    let index = CATALOGUE.binary_search_by(|entry| entry.code.cmp(code)).ok()?;
    CATALOGUE.get(index)
}

/// Title of an HTTP status.
pub const fn title(status: u16, language: Language) -> &'static str {
    let words = match status {
        400 => Words::new("Petición ilegible", "Unreadable request"),
        401 => Words::new("Sin acceso", "Not logged in"),
        403 => Words::new("No permitido", "Not allowed"),
        404 => Words::new("No existe", "Not found"),
        405 => Words::new("Método no admitido", "Method not allowed"),
        409 => word::CONFLICT,
        413 => Words::new("Demasiado grande", "Too large"),
        415 => Words::new("Tipo de contenido no admitido", "Unsupported media type"),
        422 => Words::new("Datos no válidos", "Not valid"),
        429 => Words::new("Demasiadas peticiones", "Too many requests"),
        503 => Words::new("No disponible", "Not available"),
        500.. => word::SERVER_ERROR,
        _ => word::ERROR,
    };
    words.in_language(language.of_words())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, fs, path::Path};

    #[test]
    fn codes_are_in_order_and_there_once() {
        assert!(CATALOGUE.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    #[test]
    fn no_text_is_written_in_the_interface_again() {
        let interface = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/src");
        let mut texts = BTreeSet::new();
        for file in files(&interface, "json") {
            if file.file_name().is_some_and(|name| name == "es.json") && !file.ends_with("shared/words/es.json") {
                written(
                    &serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap(),
                    &mut texts,
                );
            }
        }
        assert!(texts.len() > 1_000, "only {} texts", texts.len());
        let again: Vec<_> = CATALOGUE.iter().filter(|entry| texts.contains(entry.es)).collect();
        assert!(again.is_empty(), "{again:#?}");
    }

    fn written(texts: &serde_json::Value, found: &mut BTreeSet<String>) {
        match texts {
            serde_json::Value::Object(below) => below.values().for_each(|inner| written(inner, found)),
            other => found.extend(other.as_str().map(str::to_owned)),
        }
    }

    #[test]
    fn both_languages_use_the_same_values() {
        let values = |text: &str| -> BTreeSet<String> {
            text.split('{')
                .skip(1)
                .filter_map(|rest| rest.split_once('}').map(|(name, _)| name.to_owned()))
                .collect()
        };
        for entry in CATALOGUE {
            assert_eq!(values(entry.es), values(entry.en), "{}", entry.code);
        }
    }

    #[test]
    fn every_value_of_a_text_has_a_kind() {
        let known: BTreeSet<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        for entry in CATALOGUE {
            for name in entry.es.split('{').skip(1).filter_map(|rest| rest.split_once('}')) {
                assert!(known.contains(name.0), "{}: {}", entry.code, name.0);
            }
        }
    }

    #[test]
    fn amounts_and_days_are_returned_unformatted_beside_the_text() {
        let params = Params::from([
            ("available", "1234.50".to_owned()),
            ("currency", "CUP".to_owned()),
            ("unused", "x".to_owned()),
        ]);
        let told: Vec<_> = values("balance_insufficient", &params)
            .into_iter()
            .map(|value| (value.name, value.kind, value.value))
            .collect();
        assert_eq!(
            told,
            [
                ("available", ValueKind::Amount, "1234.50".to_owned()),
                ("currency", ValueKind::Text, "CUP".to_owned())
            ]
        );
        assert!(values("balance_insufficient", &Params::new()).is_empty());
    }

    #[test]
    fn every_code_that_the_program_refuses_with_has_its_texts() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (mut found, mut missing) = (BTreeSet::new(), BTreeSet::new());
        for folder in ["src", "../domain/src", "../projections/src"] {
            for file in files(&here.join(folder), "rs") {
                let source = fs::read_to_string(&file).unwrap();
                let program = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
                for code in refusal_codes(program) {
                    if known(&code).is_none() {
                        missing.insert(format!("{code} ({})", file.display()));
                    }
                    found.insert(code);
                }
            }
        }
        assert!(missing.is_empty(), "no texts for {missing:#?}");
        assert!(
            found.len() > CATALOGUE.len() / 2,
            "of {}, {} are found",
            CATALOGUE.len(),
            found.len()
        );
    }

    fn files(folder: &Path, ending: &str) -> Vec<std::path::PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(files(&path, ending));
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
        found
    }

    /// Codes used by a source file: first text of a refusal, or second when the first is a field; and those chosen by
    /// guards and the status table.
    fn refusal_codes(source: &str) -> Vec<String> {
        let mut codes = Vec::new();
        for (call, argument) in [
            ("::conflict(", 0),
            ("::forbidden(", 0),
            ("::not_found(", 0),
            ("::unreadable(", 0),
            ("::unauthorized(", 0),
            ("::unavailable(", 0),
            ("::too_fast(", 0),
            ("::unprocessable(", 0),
            ("::media_type(", 0),
            ("fault(", 0),
            ("at_fault(", 1),
            ("fault_with(", 0),
            ("faults.add(", 1),
            ("only(", 1),
            ("::invalid(", 1),
            ("::invalid_with(", 1),
        ] {
            for (at, _) in source.match_indices(call) {
                // `at_fault(` is no `fault(`; `Refusal::conflict(` is a `::conflict(`.
                let is_other = !call.starts_with(':') && source[..at].ends_with('_');
                if !is_other {
                    codes.extend(argument_text(&source[at + call.len()..], argument));
                }
            }
        }
        for rest in source.split("=> \"").skip(1) {
            let word = rest.split('"').next().unwrap_or_default();
            if ["_insufficient", "remittance_is_"]
                .iter()
                .any(|part| word.contains(part))
            {
                codes.push(word.to_owned());
            }
        }
        codes
    }

    fn argument_text(rest: &str, wanted: usize) -> Option<String> {
        let (mut depth, mut index, mut argument, mut quoted) = (0, 0, String::new(), false);
        for c in rest.chars() {
            match c {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth == 0 => break,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    if index == wanted {
                        break;
                    }
                    index += 1;
                    argument.clear();
                    continue;
                }
                _ => {}
            }
            argument.push(c);
        }
        let text = argument.trim().strip_prefix('"')?.strip_suffix('"')?;
        (index == wanted && !text.contains('"')).then(|| text.to_owned())
    }
}
