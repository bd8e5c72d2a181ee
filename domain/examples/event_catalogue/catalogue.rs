//! What each event and each field means. A test compares it with the golden files.

/// A field's name (`?` where it may be absent), its type and its meaning.
pub type Field = (&'static str, &'static str, &'static str);

/// An event type.
pub struct EventDoc {
    /// Its type in the log.
    pub name: &'static str,
    /// When it happens.
    pub when: &'static str,
    /// Its fields, in the order that they are written in.
    pub fields: &'static [Field],
}

const ENTRY: Field = ("entry", "Entry", "What it does to the books.");

const RATE_CHANGE: Field = ("id", "id", "The change of rates.");

const REMITTANCE: Field = ("id", "id", "The remittance.");

const API_KEY: Field = ("id", "id", "The API key.");
const KEY_PARTY: Field = ("party", "id", "The party as which the key acts.");

const PROPOSAL: Field = ("id", "id", "The proposal.");

const WEBHOOK: Field = ("id", "id", "The endpoint.");
const WEBHOOK_PARTY: Field = (
    "party",
    "id",
    "The party in whose scope the events are that it is sent.",
);
const WEBHOOK_TYPES: Field = (
    "types?",
    "list of text",
    "Types of public events that it is sent; absent for all.",
);
const WEBHOOK_SALT: Field = (
    "salt",
    "text",
    "What the secret derives from, beside the lookup key; without the key file it tells nothing.",
);
const WEBHOOK_PERSONAL: Field = (
    "personal",
    "personal WebhookDetails",
    "Its name and URL; personal data of the party.",
);

const CURRENCY: &[Field] = &[
    ("id", "id", "The currency."),
    ("code", "currency", "Its code; fixed once made."),
    ("symbol", "text", "Its symbol."),
    ("exchangeRate", "rate", "Reference units of it per USD."),
    ("distributionRate", "amount", "The fee for a delivery in it."),
    ("accounted", "boolean", "Whether it counts in consolidated totals."),
    ("enabled", "boolean", "Whether it may be used."),
];

const PAYMENT_GROUP: &[Field] = &[
    ("id", "id", "The payment group."),
    ("name", "text", "Its name, unique in the tenant."),
    ("currencyTo", "currency", "The currency paid out; fixed once made."),
    (
        "exchangeRate",
        "rate",
        "Units of that currency per USD, unless a party's terms say otherwise.",
    ),
    ("managerCommission", "Commission", "The manager's commission."),
    ("agencyCommission", "Commission", "The default of an agency's terms."),
    ("agentCommission", "Commission", "The default of an agent's terms."),
    ("isActive", "boolean", "Whether it may be sold."),
];

const IDENTIFICATION: Field = (
    "identification",
    "hash",
    "The photograph of the identification, or the transfer's proof.",
);
const SIGNATURE: Field = ("signature?", "hash", "The signature; a card transfer needs none.");
const TO_REPRESENTATIVE: Field = (
    "toRepresentative?",
    "boolean",
    "Whether the recipient's authorised representative took it.",
);

/// All event types, as they are written today.
pub const EVENTS: &[EventDoc] = &[
    EventDoc {
        name: "TenantOpened",
        when: "A tenant was opened; the first event of its log.",
        fields: &[
            ("name", "text", "Its name."),
            ("timeZone", "text", "Where its days are cut, by the IANA database."),
        ],
    },
    EventDoc {
        name: "HistoryAccepted",
        when: "An operator ended a quarantine: the log had diverged from what nodes had seen of it, and is the business's \
               history as it stands.",
        fields: &[
            (
                "position",
                "number",
                "Position of the event before this one, at which the log was accepted.",
            ),
            ("knownPosition", "number", "Highest position that any node had seen."),
            (
                "lostFrom?",
                "number",
                "First position that was seen and now holds another event or none; absent where nothing was lost.",
            ),
            ("lostTo?", "number", "Last such position."),
            (
                "numbers",
                "GivenNumbers",
                "Numbers that had been given out at least; they are not given out again.",
            ),
            ("reason", "text", "The operator's reason. It names nobody."),
        ],
    },
    EventDoc {
        name: "SecondFactorRequired",
        when: "A manager set which roles need a second factor to log in, and which movements ask for a code of it.",
        fields: &[
            ("roles", "list of text", "All of them, from now on, by their names."),
            (
                "codeFrom?",
                "amount",
                "Smallest movement in USD that asks who has a second factor for a fresh code; absent for none.",
            ),
        ],
    },
    EventDoc {
        name: "PasswordPolicySet",
        when: "A manager set what new passwords must be.",
        fields: &[("policy", "text", "`composed` or `long` (`PasswordPolicy`).")],
    },
    EventDoc {
        name: "SignOnSet",
        when: "A manager set the provider of single sign-on. Its client secret is in no event.",
        fields: &[
            ("id", "id", "The provider; another issuer has another id."),
            ("url", "text", "URL of its issuer."),
            ("clientId", "text", "What the provider calls this installation."),
            ("isEnabled", "boolean", "Whether logins by it are admitted."),
            (
                "secretId?",
                "id",
                "The client secret in force from now on; absent where it has the provider's id.",
            ),
        ],
    },
    EventDoc {
        name: "SignOnRemoved",
        when: "A manager ended single sign-on.",
        fields: &[("id", "id", "The provider.")],
    },
    EventDoc {
        name: "ScreeningSet",
        when: "A manager set the lists that customers are screened against.",
        fields: &[(
            "lists",
            "object of integer",
            "The threshold of each list, in percent, by the list's name: all of them, from now on.",
        )],
    },
    EventDoc {
        name: "OwnListLoaded",
        when: "A manager loaded a list of the business itself for screening, or another version of it. The entries are beside \
               the log.",
        fields: &[
            ("name", "text", "The list's name, by which it is chosen."),
            ("version", "text", "SHA-256 of the entries: 64 hexadecimal digits."),
            ("entries", "integer", "Number of entries."),
            ("names", "integer", "Number of names, with aliases."),
        ],
    },
    EventDoc {
        name: "OwnListRemoved",
        when: "A manager removed an own list that was not chosen.",
        fields: &[("name", "text", "The list's name.")],
    },
    EventDoc {
        name: "LimitRuleSet",
        when: "A rule of limits was added, or replaced by this one.",
        fields: &[
            ("id", "id", "The rule."),
            (
                "side",
                "text",
                "The customer whose sales it adds up: `sender` or `recipient`.",
            ),
            (
                "window",
                "text",
                "What it adds up: `sale`, or the days up to the sale, in the tenant's time zone: `day`, `days7`, `days30`, \
                 `days365`.",
            ),
            (
                "groups?",
                "list of id",
                "Payment groups whose sales count; absent for all.",
            ),
            (
                "amount?",
                "amount",
                "Largest sum of amounts sent, in USD; absent for any.",
            ),
            ("count?", "integer", "Largest number of remittances; absent for any."),
            (
                "outcome",
                "text",
                "What happens to a sale beyond it: `needs`, `hold` or `refuse`.",
            ),
            (
                "needs?",
                "list of text",
                "What such a sale needs: `document`, `purpose`, `source_of_funds`. Of the outcome `needs`.",
            ),
        ],
    },
    EventDoc {
        name: "LimitRuleRemoved",
        when: "A rule of limits was removed. What it held stays held.",
        fields: &[("id", "id", "The rule.")],
    },
    EventDoc {
        name: "ApprovalRuleSet",
        when: "A rule of approvals was added, or replaced by this one.",
        fields: &[
            ("id", "id", "The rule."),
            ("kind", "text", "What it covers (`ApprovalKind`)."),
            ("makers", "list of text", "Roles whose commands it covers."),
            (
                "fromAmount?",
                "amount",
                "Smallest covered amount, in USD; absent for every amount.",
            ),
            ("approvers", "text", "The role that approves; managers always may."),
            (
                "expiresAfterHours",
                "integer",
                "Hours after which a proposal can't be approved any more.",
            ),
        ],
    },
    EventDoc {
        name: "ApprovalRuleRemoved",
        when: "A rule of approvals was removed; what waits keeps waiting.",
        fields: &[("id", "id", "The rule.")],
    },
    EventDoc {
        name: "PermissionSetDefined",
        when: "A permission set for members of the office was added or changed.",
        fields: &[
            ("id", "id", "The set."),
            ("name", "text", "Its name from now on. It names no person."),
            (
                "permissions",
                "map of text",
                "The right, `read` or `write`, in each area that the set allows something in.",
            ),
        ],
    },
    EventDoc {
        name: "PermissionSetRemoved",
        when: "A permission set that no member of the office had was removed.",
        fields: &[("id", "id", "The set.")],
    },
    EventDoc {
        name: "CurrencyAdded",
        when: "A currency was added.",
        fields: CURRENCY,
    },
    EventDoc {
        name: "CurrencyChanged",
        when: "A currency was changed; all fields as they are from now on.",
        fields: CURRENCY,
    },
    EventDoc {
        name: "CurrencyRemoved",
        when: "A currency that nothing used was taken out; its code is free again.",
        fields: &[("id", "id", "The currency."), ("code", "currency", "Its code.")],
    },
    EventDoc {
        name: "ProvinceChanged",
        when: "A province of the catalogue was enabled or disabled.",
        fields: &[
            ("id", "id", "The province."),
            ("enabled", "boolean", "Whether remittances may go there."),
        ],
    },
    EventDoc {
        name: "MunicipalityChanged",
        when: "A municipality's fee, or whether it is enabled, was set.",
        fields: &[
            ("id", "id", "The municipality."),
            ("settings", "PlaceSettings", "Its settings from now on."),
        ],
    },
    EventDoc {
        name: "PaymentGroupCreated",
        when: "A payment group was put into the catalogue.",
        fields: PAYMENT_GROUP,
    },
    EventDoc {
        name: "PaymentGroupChanged",
        when: "A payment group was changed; all fields as they are from now on. Parties' own terms stay as they are.",
        fields: PAYMENT_GROUP,
    },
    EventDoc {
        name: "PaymentGroupRemoved",
        when: "A payment group that no party held was taken out; its name is free again.",
        fields: &[("id", "id", "The payment group.")],
    },
    EventDoc {
        name: "PartyRegistered",
        when: "A manager, agency, agent, dealer or delivery man was made. Its secrets are never in an event.",
        fields: &[
            ("party", "Party", "The party as the rules know it."),
            ("personal", "personal PartyDetails", "The party as people know it."),
        ],
    },
    EventDoc {
        name: "PartyChanged",
        when: "A party's details, territory or activity were changed; all of them as they are from now on.",
        fields: &[
            ("id", "id", "The party."),
            ("isActive", "boolean", "Whether it may log in and be used."),
            ("territory", "Territory", "Where it distributes."),
            ("personal", "personal PartyDetails", "The party as people know it."),
        ],
    },
    EventDoc {
        name: "TermsSet",
        when: "A party's terms for one payment group were set. Remittances sold before keep theirs.",
        fields: &[("id", "id", "The party."), ("terms", "Terms", "Its terms from now on.")],
    },
    EventDoc {
        name: "PartyDeactivated",
        when: "A party's use was ended; its history stays.",
        fields: &[("id", "id", "The party.")],
    },
    EventDoc {
        name: "SecondFactorEnrolled",
        when: "A party's logins need a code of an authenticator app from now on. The secret is in no event.",
        fields: &[("id", "id", "The party."), ("factor", "id", "The enrolment.")],
    },
    EventDoc {
        name: "SecondFactorRemoved",
        when: "A party's second factor was ended: by the party itself, by a manager, or by the operator as the system.",
        fields: &[("id", "id", "The party."), ("factor", "id", "The enrolment.")],
    },
    EventDoc {
        name: "RecoveryCodeUsed",
        when: "A party gave a recovery code in place of a code of its authenticator app.",
        fields: &[
            ("id", "id", "The party."),
            ("factor", "id", "The enrolment."),
            ("left", "number", "Recovery codes left."),
        ],
    },
    EventDoc {
        name: "PasskeyAdded",
        when: "A passkey logs its party in from now on, and is a second factor of it. Its public key is in no event.",
        fields: &[("id", "id", "The party."), ("factor", "id", "The passkey.")],
    },
    EventDoc {
        name: "PasskeyRemoved",
        when: "A passkey was ended: by its party, by a manager, or by the operator as the system.",
        fields: &[("id", "id", "The party."), ("factor", "id", "The passkey.")],
    },
    EventDoc {
        name: "PasskeyRefused",
        when: "A right signature of a passkey was refused: its counter was not above that of an earlier one, so that there may be a \
               copy of the passkey.",
        fields: &[("id", "id", "The party."), ("factor", "id", "The passkey.")],
    },
    EventDoc {
        name: "OfficeAccessSet",
        when: "A manager became a member of the office with a permission set or an end of access, or a full manager again.",
        fields: &[
            ("id", "id", "The party."),
            (
                "access",
                "OfficeAccess",
                "What narrows the party from now on; empty for a full manager.",
            ),
        ],
    },
    EventDoc {
        name: "CustomerRegistered",
        when: "An issuer or a recipient was made.",
        fields: &[
            ("customer", "Customer", "The customer as the rules know it."),
            (
                "personal",
                "personal CustomerDetails",
                "The customer as people know it.",
            ),
        ],
    },
    EventDoc {
        name: "CustomerChanged",
        when: "A customer was changed; all of it as it is from now on.",
        fields: &[
            ("id", "id", "The customer."),
            ("isActive", "boolean", "Whether new remittances may use it."),
            ("place", "Place", "Where a recipient lives."),
            (
                "personal",
                "personal CustomerDetails",
                "The customer as people know it.",
            ),
        ],
    },
    EventDoc {
        name: "CardAdded",
        when: "A bank card was added to a recipient.",
        fields: &[
            ("customer", "id", "The recipient."),
            ("card", "id", "The card."),
            (
                "brand",
                "text",
                "`bandec`, `bm` or `bpa`, then `_mlc` or `_cup`; kept as chosen.",
            ),
            ("personal", "personal CardNumber", "Its number."),
        ],
    },
    EventDoc {
        name: "CustomerDeleted",
        when: "A customer was deleted: hidden, and refused for new use. Its history stays.",
        fields: &[("id", "id", "The customer.")],
    },
    EventDoc {
        name: "PersonForgotten",
        when: "The person was forgotten: their data key was destroyed with this event, so that all that is sealed under it \
               reads as erased. The party is inactive, the customer deleted; what the books say stays. A party and a \
               customer have the same event.",
        fields: &[
            ("id", "id", "The party or customer, and so the person."),
            (
                "retentionDays",
                "integer",
                "How many days the rule of that day kept a person after their last business.",
            ),
        ],
    },
    EventDoc {
        name: "DossierExported",
        when: "A manager exported the dossier of a customer for an authority: everything known and done, as of this event. \
               The metadata says who and when.",
        fields: &[
            ("id", "id", "The customer."),
            (
                "samePerson?",
                "list of id",
                "Other customers with the same document at the export, whose remittances are in the dossier's sums.",
            ),
            (
                "content?",
                "integer",
                "Which parts the dossier has, whenever it is read; 2 has approvals, edits, holds with their causes, and proposals.",
            ),
        ],
    },
    EventDoc {
        name: "PersonIdentified",
        when: "A customer is one person with every customer who has the same document: at the registration, at a change of \
               the document, or at the first sale under rules of limits. What the customer sent and received before the first \
               document counts for the person; a later document moves only what comes after.",
        fields: &[
            ("id", "id", "The customer."),
            ("person", "id", "The person. Names nobody by itself."),
            (
                "hasDocument",
                "boolean",
                "`false` for a customer without a document, whose person does not change.",
            ),
            (
                "personal",
                "personal IdentityDocument",
                "The document; about the customer.",
            ),
        ],
    },
    EventDoc {
        name: "PersonDocumentReleased",
        when: "The last customer with a person's document is forgotten: the digest of the document is deleted. It precedes the \
               event of forgetting.",
        fields: &[("id", "id", "The customer."), ("person", "id", "The person.")],
    },
    EventDoc {
        name: "DocumentPicturesRecorded",
        when: "The pictures of the customer's document were recorded or replaced. A change of the document to another number, type \
               or country has one without files: pictures of an earlier document do not show the present one.",
        fields: &[
            ("id", "id", "The customer."),
            (
                "files",
                "list of hash",
                "All pictures of the present document, images and PDFs; empty where there are none.",
            ),
        ],
    },
    EventDoc {
        name: "CustomerScreened",
        when: "A screening found other candidates than before: listed people whose name, document or date of birth is like the \
               customer's. A customer who never had any has no such event.",
        fields: &[
            ("id", "id", "The customer."),
            (
                "inReview",
                "boolean",
                "Whether there are candidates: remittances from and to the customer are held.",
            ),
            (
                "lists",
                "object of text",
                "The version of each list that was searched, by its name.",
            ),
            (
                "personal",
                "personal ScreeningFindings",
                "All candidates but those that are decided; about the customer.",
            ),
        ],
    },
    EventDoc {
        name: "ScreeningPairDecided",
        when: "A manager decided whether the customer is a listed person.",
        fields: &[
            ("id", "id", "The customer."),
            (
                "outcome",
                "text",
                "`different`: later screenings leave the pair out. `same`: the customer stays in review.",
            ),
            ("inReview", "boolean", "Whether the customer is in review after it."),
            (
                "files?",
                "list of hash",
                "Files that the reviewer attached; absent where there are none.",
            ),
            (
                "personal",
                "personal ScreeningPair",
                "The list, its entry, the reason and the listed person; about the customer.",
            ),
        ],
    },
    EventDoc {
        name: "RemittanceCreated",
        when: "A remittance was sold; it is pending.",
        fields: &[
            REMITTANCE,
            ("sale", "Sale", "Who sold what to whom, at which terms."),
            ("delivery", "Delivery", "How it is to be paid out."),
            ENTRY,
            (
                "personal",
                "personal RemittanceDetails",
                "Address and notes; about the recipient.",
            ),
        ],
    },
    EventDoc {
        name: "RemittanceAmountEdited",
        when: "Its amount or group was edited: quoted anew at the terms of that moment. It is pending.",
        fields: &[
            REMITTANCE,
            ("sale", "Sale", "The sale from now on."),
            ("previousGroup", "id", "The payment group before."),
            ("previousQuote", "Quote", "The quote before."),
            ("entry", "Entry", "The old sale undone, then the new one done."),
        ],
    },
    EventDoc {
        name: "RemittanceDetailsEdited",
        when: "Its recipient, place, delivery method, card, notes or reference were edited.",
        fields: &[
            REMITTANCE,
            ("recipient", "id", "The recipient from now on."),
            ("delivery", "Delivery", "How it is to be paid out from now on."),
            ("reopened", "boolean", "Whether it came back from error to pending."),
            ("entry", "Entry", "What it does to the books, where it came back."),
            (
                "reference?",
                "SellerReference",
                "The seller's own reference from now on, where the edit changed it.",
            ),
            (
                "personal",
                "personal RemittanceDetails",
                "Address and notes from now on; about the recipient.",
            ),
        ],
    },
    EventDoc {
        name: "RemittanceAssigned",
        when: "It was given to a dealer, or to one of his delivery men. It is shipping.",
        fields: &[
            REMITTANCE,
            ("dealer", "id", "The dealer."),
            ("deliveryMan?", "id", "The delivery man; nobody where absent."),
            (
                "previousDealer?",
                "id",
                "The dealer who had it until then, who may be the same; absent where it was pending or in error.",
            ),
            (
                "entry",
                "Entry",
                "What it does to the books; nothing where the dealer stays.",
            ),
        ],
    },
    EventDoc {
        name: "RemittanceFailed",
        when: "It could not be delivered. It is in error.",
        fields: &[
            REMITTANCE,
            ENTRY,
            ("personal", "personal Reason", "Why; about the recipient."),
        ],
    },
    EventDoc {
        name: "RemittanceCanceled",
        when: "It was canceled: the sale is undone at the amounts that it was made at.",
        fields: &[
            REMITTANCE,
            ("seller", "id", "Whose balance got the payout back."),
            ("group", "id", "The payment group."),
            ("quote", "Quote", "What it would have cost and paid."),
            ENTRY,
            ("personal", "personal Reason", "Why; about the recipient."),
        ],
    },
    EventDoc {
        name: "RemittanceCompleted",
        when: "It was paid out to its recipient.",
        fields: &[
            REMITTANCE,
            (
                "deliveredBy",
                "id",
                "From whose cash: the delivery man, else the dealer.",
            ),
            (
                "distributionFee",
                "amount",
                "The fee for the delivery, in the payout's currency.",
            ),
            IDENTIFICATION,
            SIGNATURE,
            TO_REPRESENTATIVE,
            (
                "deliveredAt?",
                "time",
                "When it was delivered, where a telephone without a network sent it later; when it was recorded where absent.",
            ),
            ENTRY,
        ],
    },
    EventDoc {
        name: "DeliveryAttempted",
        when: "Somebody tried to deliver it and could not. It stays in shipping.",
        fields: &[
            REMITTANCE,
            (
                "reason",
                "text",
                "`nobody_home`, `no_answer`, `wrong_address`, `no_document`, `postponed`, `refused` or `unreachable`.",
            ),
            (
                "attemptedAt?",
                "time",
                "When it was tried, where a telephone without a network sent it later.",
            ),
        ],
    },
    EventDoc {
        name: "DeliveryDisputed",
        when: "A delivery made without a network was refused when it was sent. The remittance and the books stay as they are.",
        fields: &[
            REMITTANCE,
            (
                "number",
                "number",
                "The dispute's number within the remittance, from 1.",
            ),
            ("reportedBy", "id", "Who says that he delivered."),
            ("refused", "text", "The code of the refusal."),
            IDENTIFICATION,
            SIGNATURE,
            TO_REPRESENTATIVE,
            ("deliveredAt?", "time", "When it was delivered, as the telephone says."),
        ],
    },
    EventDoc {
        name: "DeliveryDisputeSettled",
        when: "A disputed delivery was settled.",
        fields: &[
            REMITTANCE,
            ("number", "number", "The dispute's number within the remittance."),
            (
                "personal",
                "personal Reason",
                "What was found and done; about the recipient.",
            ),
        ],
    },
    EventDoc {
        name: "RemittanceHeld",
        when: "A remittance was held for a review: until every hold is released it is not assigned, completed or edited.",
        fields: &[
            REMITTANCE,
            ("number", "number", "The hold's number within the remittance, from 1."),
            (
                "reason",
                "text",
                "`limit_rule`, `screening` or `manual`. Later versions may add reasons.",
            ),
            (
                "reference?",
                "id",
                "What found it: the limit rule, or the case of screening; absent for a manual hold.",
            ),
            (
                "personal",
                "personal Reason",
                "The note of a manual hold, empty for others; about the recipient.",
            ),
        ],
    },
    EventDoc {
        name: "HoldReleased",
        when: "A hold was reviewed and released. The remittance is free when no other hold is open.",
        fields: &[
            REMITTANCE,
            ("number", "number", "The hold's number within the remittance."),
            (
                "files?",
                "list of hash",
                "Files that the reviewer attached; absent where there are none.",
            ),
            ("personal", "personal Reason", "Why; about the recipient."),
        ],
    },
    EventDoc {
        name: "HoldKept",
        when: "A hold was reviewed, and the remittance stays held.",
        fields: &[
            REMITTANCE,
            ("number", "number", "The hold's number within the remittance."),
            (
                "files?",
                "list of hash",
                "Files that the reviewer attached; absent where there are none.",
            ),
            ("personal", "personal Reason", "Why; about the recipient."),
        ],
    },
    EventDoc {
        name: "HeldRemittanceDelivered",
        when: "A delivery made without a network was booked although the remittance was held: the money was paid. It follows \
               the completion.",
        fields: &[
            REMITTANCE,
            ("holds", "numbers", "The holds that were open."),
            ("reportedBy", "id", "Who says that he delivered."),
            ("deliveredAt?", "time", "When it was delivered, as the telephone says."),
        ],
    },
    EventDoc {
        name: "HoldBreachSettled",
        when: "A manager settled a delivery that was booked although the remittance was held.",
        fields: &[
            REMITTANCE,
            (
                "personal",
                "personal Reason",
                "What was found and done; about the recipient.",
            ),
        ],
    },
    EventDoc {
        name: "SaleDeclared",
        when: "The seller declared the purpose of the transfer or the source of the funds. It follows the sale.",
        fields: &[
            REMITTANCE,
            (
                "declared",
                "list of text",
                "What was declared: `purpose`, `source_of_funds`.",
            ),
            (
                "personal",
                "personal SaleDeclaration",
                "What was declared; about the sender.",
            ),
        ],
    },
    EventDoc {
        name: "MovementPosted",
        when: "Money moved outside remittances: a deposit, assignment, transfer, exchange, return, expense or payment.",
        fields: &[
            ("movement", "Movement", "The movement."),
            (
                "personal",
                "personal Note",
                "Its note or concept; about who receives, else who gives, else who made it.",
            ),
        ],
    },
    EventDoc {
        name: "OpeningBalancePosted",
        when: "An account was opened with what another system says of it, against capital: its first entry.",
        fields: &[
            ("movement", "Movement", "The movement; its kind is `opening`."),
            (
                "personal",
                "personal Note",
                "Empty; about who receives, else who made it.",
            ),
        ],
    },
    EventDoc {
        name: "MovementReversed",
        when: "A movement was taken back, on this day and not on its own.",
        fields: &[
            ("id", "id", "The movement."),
            ("by", "id", "Who took it back."),
            ("voidedDebit?", "id", "The debit that is void now."),
            (
                "undonePayments?",
                "list of DebitPayment",
                "The payments that no longer count.",
            ),
            ("entry", "Entry", "The movement's transfers, swapped."),
            (
                "personal",
                "personal Note",
                "Why; about the person of the movement's own note.",
            ),
        ],
    },
    EventDoc {
        name: "PeriodClosed",
        when: "A seller's period was closed: its figures frozen, its accrued commission billed.",
        fields: &[
            ("id", "id", "The closure."),
            ("number", "text", "Its human number, `C-000001`."),
            ("party", "id", "Whose period."),
            (
                "from?",
                "time",
                "The cut of the closure before; the beginning where absent.",
            ),
            ("cut", "time", "Where it is cut: what happened before belongs to it."),
            ("through", "day", "The last day that it covers."),
            ("groups", "list of GroupFigures", "The figures by payment group."),
            ("totals", "PeriodTotals", "The figures that have no group."),
            ("debit?", "Debit", "The debit owed to the manager, where one opens."),
            (
                "agencyDebit?",
                "Debit",
                "The debit owed to the agency, where one opens.",
            ),
            ("entry", "Entry", "What bills it."),
        ],
    },
    EventDoc {
        name: "RatesScheduled",
        when: "A change of exchange rates was scheduled. Nothing changes until its moment, when `RatesChanged` follows.",
        fields: &[
            RATE_CHANGE,
            ("at", "time", "When it takes effect."),
            (
                "rates",
                "list of ChangedRate",
                "What it sets; `from` are the rates at the time of scheduling.",
            ),
        ],
    },
    EventDoc {
        name: "RatesChanged",
        when: "A change of exchange rates took effect. In the same batch `CurrencyChanged`, `PaymentGroupChanged` and \
               `TermsSet` follow in the streams of what bears the rates; these are what sets them.",
        fields: &[
            RATE_CHANGE,
            ("rates", "list of ChangedRate", "What it set."),
            (
                "skipped?",
                "list of RateTarget",
                "What was scheduled and is there no more.",
            ),
        ],
    },
    EventDoc {
        name: "RatesCanceled",
        when: "A scheduled change of exchange rates was withdrawn.",
        fields: &[RATE_CHANGE],
    },
    EventDoc {
        name: "RatesUndone",
        when: "A change of exchange rates was undone. What sets the rates back follows in the same batch, as after \
               `RatesChanged`.",
        fields: &[
            RATE_CHANGE,
            (
                "rates",
                "list of ChangedRate",
                "What undoing it set: `to` are the rates before the change.",
            ),
        ],
    },
    EventDoc {
        name: "ApiKeyIssued",
        when: "An API key was issued. The secret was shown once, and is stored nowhere.",
        fields: &[
            API_KEY,
            KEY_PARTY,
            (
                "scopes",
                "list of text",
                "Groups of calls that it permits, as `remittances:read`; within the calls of the party's role.",
            ),
            ("expiresAt", "time", "From when it is refused."),
            (
                "networks?",
                "list of text",
                "Networks in CIDR notation from which it may be used; absent for all.",
            ),
            ("requestsPerMinute", "number", "Its rate limit per node."),
            ("secret", "KeySecret", "What is stored of the secret."),
            (
                "personal",
                "personal ApiKeyDetails",
                "Its name; personal data of the party.",
            ),
        ],
    },
    EventDoc {
        name: "ApiKeyRotated",
        when: "An API key got a new secret.",
        fields: &[
            API_KEY,
            KEY_PARTY,
            ("secret", "KeySecret", "What is stored of the new secret."),
            (
                "previousUntil",
                "time",
                "Until when the secret before is accepted too. The ones before that are refused.",
            ),
            ("expiresAt", "time", "From when it is refused."),
        ],
    },
    EventDoc {
        name: "ApiKeyRevoked",
        when: "An API key was ended: all its secrets are refused from then on.",
        fields: &[API_KEY, KEY_PARTY],
    },
    EventDoc {
        name: "WebhookAdded",
        when: "An endpoint of webhooks was added. The secret was shown once, and is stored nowhere.",
        fields: &[
            WEBHOOK,
            WEBHOOK_PARTY,
            WEBHOOK_TYPES,
            ("after", "number", "Position after which the events are sent."),
            WEBHOOK_SALT,
            WEBHOOK_PERSONAL,
        ],
    },
    EventDoc {
        name: "WebhookChanged",
        when: "An endpoint got another name, URL or selection of types.",
        fields: &[WEBHOOK, WEBHOOK_PARTY, WEBHOOK_TYPES, WEBHOOK_PERSONAL],
    },
    EventDoc {
        name: "WebhookSecretRotated",
        when: "An endpoint got a new secret.",
        fields: &[
            WEBHOOK,
            WEBHOOK_PARTY,
            WEBHOOK_SALT,
            (
                "previousUntil",
                "time",
                "Until when deliveries are signed by the secret before too. The ones before that sign nothing.",
            ),
        ],
    },
    EventDoc {
        name: "WebhookPaused",
        when: "Nothing more is sent to an endpoint until it is resumed.",
        fields: &[
            WEBHOOK,
            WEBHOOK_PARTY,
            (
                "reason",
                "text",
                "`asked` by somebody; `gone`: it answered 410; `failing`: it accepted nothing for three days.",
            ),
        ],
    },
    EventDoc {
        name: "WebhookResumed",
        when: "A paused endpoint is sent events again, from where it was.",
        fields: &[WEBHOOK, WEBHOOK_PARTY],
    },
    EventDoc {
        name: "WebhookReplayed",
        when: "An endpoint is sent the events after a position again.",
        fields: &[
            WEBHOOK,
            WEBHOOK_PARTY,
            ("after", "number", "The position; 0 for all events."),
        ],
    },
    EventDoc {
        name: "WebhookRemoved",
        when: "An endpoint was ended.",
        fields: &[WEBHOOK, WEBHOOK_PARTY],
    },
    EventDoc {
        name: "CommandProposed",
        when: "A command that a rule covers was given, and waits for its approval. It had no effect.",
        fields: &[
            PROPOSAL,
            ("kind", "text", "The kind of the rule (`ApprovalKind`)."),
            ("rule", "id", "The rule that covered it."),
            ("maker", "id", "The party that gave the command."),
            ("approvers", "text", "The role that approves; managers always may."),
            ("expiresAt", "time", "From when on it can't be approved."),
            ("stream", "StreamId", "The stream that the command writes."),
            ("person?", "id", "The person that the command would register."),
            (
                "asOf?",
                "integer",
                "Position at which the maker read the record; absent where the command does not depend on it.",
            ),
            ("amount?", "amount", "Its amount in USD; absent where it has none."),
            ("figures?", "Figures", "The figures that the maker confirmed."),
            (
                "transfers?",
                "list of Transfer",
                "The postings that the command would have made.",
            ),
            (
                "personal",
                "personal ProposedCommand",
                "The command; personal data of the person whom its event would be about.",
            ),
        ],
    },
    EventDoc {
        name: "ProposalApproved",
        when: "A proposal was approved; the events beside it in the same commit are its effect.",
        fields: &[
            PROPOSAL,
            ("by", "id", "The party that approved it."),
            ("record", "id", "The record created or changed."),
            ("number?", "text", "The record's number, if it has one."),
        ],
    },
    EventDoc {
        name: "ProposalRejected",
        when: "A proposal was rejected.",
        fields: &[
            PROPOSAL,
            ("by", "id", "The party that rejected it."),
            ("personal", "personal RejectionReason", "Why."),
        ],
    },
    EventDoc {
        name: "ProposalWithdrawn",
        when: "A proposal was withdrawn by its maker.",
        fields: &[PROPOSAL],
    },
    EventDoc {
        name: "ProposedPersonForgotten",
        when: "A proposal was rejected, withdrawn or expired, and the person that it would have registered was forgotten.",
        fields: &[
            ("id", "id", "The person, under whose key the proposal is encrypted."),
            ("proposal", "id", "The proposal."),
        ],
    },
];

/// Shapes that fields are of: name, meaning, fields.
pub const SHAPES: &[(&str, &str, &[Field])] = &[
    (
        "GivenNumbers",
        "The last human numbers given out; 0 where none was.",
        &[
            ("remittances", "number", "Of remittances (`R-000001`)."),
            ("movements", "number", "Of movements (`M-000001`)."),
            ("closures", "number", "Of closures (`C-000001`)."),
        ],
    ),
    (
        "KeySecret",
        "What is stored of a secret of an API key.",
        &[
            (
                "start",
                "text",
                "Its first characters, by which people recognise it; too few to guess the others.",
            ),
            (
                "digest",
                "hash",
                "HMAC-SHA-256 of the tenant and the secret, under a key derived from the lookup key.",
            ),
        ],
    ),
    (
        "IdentityDocument",
        "An identity document.",
        &[
            ("kind?", "text", "Its type; absent where it is not known."),
            (
                "country?",
                "text",
                "ISO 3166-1 country of issue, where the type implies one.",
            ),
            ("number", "text", "Its number; empty without a document."),
        ],
    ),
    (
        "SaleDeclaration",
        "What the seller declares of a sale.",
        &[
            ("purpose?", "text", "Purpose of the transfer."),
            ("sourceOfFunds?", "text", "Source of the funds."),
        ],
    ),
    (
        "OfficeAccess",
        "What narrows a manager.",
        &[
            (
                "permissionSet?",
                "text",
                "Name of a template, or id of a set of the tenant; absent permits everything.",
            ),
            (
                "expiresAt?",
                "time",
                "From then on the party has no access; absent for no end.",
            ),
        ],
    ),
    (
        "ApiKeyDetails",
        "What is personal about an API key.",
        &[("name", "text", "What the key is for, in the party's words.")],
    ),
    (
        "WebhookDetails",
        "What is personal about an endpoint of webhooks.",
        &[
            ("name", "text", "What the endpoint is for, in the party's words."),
            ("url", "text", "Where deliveries are sent."),
        ],
    ),
    (
        "StreamId",
        "A stream of the log.",
        &[("kind", "text", "The kind of its record."), ("id", "id", "The record.")],
    ),
    (
        "Figures",
        "What is paid out, and what is to be paid for it.",
        &[
            ("payout", "amount", "Paid out to the receiver."),
            ("payoutCurrency", "currency", "The currency of `payout`."),
            ("totalToPay", "amount", "Paid or owed by the other side."),
            ("totalCurrency", "currency", "The currency of `totalToPay`."),
            (
                "exchangeRate?",
                "rate",
                "The rate between the two; absent in one currency.",
            ),
            (
                "totalFee?",
                "amount",
                "Commissions within `totalToPay`, in USD; sales only.",
            ),
        ],
    ),
    (
        "ProposedCommand",
        "A command that waits: its name, and what it was given with. This one gives a balance.",
        &[
            ("command", "text", "The command's name (`ProposedCommand`)."),
            ("id", "id", "The record that it creates or changes."),
            ("deposit?", "object", "The balance or cash that it gives."),
        ],
    ),
    (
        "RejectionReason",
        "Why a proposal was rejected.",
        &[("reason", "text", "In the words of who rejected it.")],
    ),
    (
        "RateTarget",
        "Whose exchange rate.",
        &[
            ("kind", "text", "`reference`, `catalogue` or `terms`."),
            ("currency?", "id", "The currency, of a reference rate."),
            ("party?", "id", "The party, of terms."),
            ("group?", "id", "The payment group, of the catalogue or of terms."),
        ],
    ),
    (
        "ChangedRate",
        "One exchange rate that changes.",
        &[
            ("target", "RateTarget", "Whose."),
            ("from", "rate", "What it was."),
            ("to", "rate", "What it is to be."),
        ],
    ),
    (
        "Entry",
        "What an event does to the books: debits equal credits by construction.",
        &[
            ("transfers", "list of Transfer", "Its transfers, in order."),
            ("reversal?", "boolean", "Whether it takes an earlier entry back."),
        ],
    ),
    (
        "Transfer",
        "One amount from one account to another of the same currency.",
        &[
            ("debit", "account", "The account debited."),
            ("credit", "account", "The account credited."),
            ("amount", "amount", "How much, above 0."),
            ("code", "text", "Why: `sale`, `assign`, `delivery`.. (`TransferCode`)."),
        ],
    ),
    (
        "Commission",
        "A commission on an amount of USD.",
        &[
            ("rate", "rate", "Percentage of the amount, -100 to 100."),
            (
                "utilityType",
                "text",
                "What the utility is: `fixed` USD or a `percentage`.",
            ),
            (
                "minimalAmount?",
                "amount",
                "Below this amount of USD the utility holds in place of the rate.",
            ),
            ("utilityValue?", "rate", "The utility."),
        ],
    ),
    (
        "PlaceSettings",
        "What a tenant set for a municipality.",
        &[
            ("distributionFee?", "DistributionFee", "The fee for a delivery there."),
            ("enabled", "boolean", "Whether remittances may go there."),
        ],
    ),
    (
        "DistributionFee",
        "A fee for a delivery, in place of the currency's.",
        &[
            ("amount", "amount", "How much."),
            ("currency", "currency", "In which currency, and so for which payouts."),
        ],
    ),
    (
        "Party",
        "A party as the rules know it.",
        &[
            ("id", "id", "The party, which is its login."),
            (
                "role",
                "text",
                "`manager`, `agency`, `external_agent`, `internal_agent`, `dealer` or `delivery_man`.",
            ),
            ("agency?", "id", "An agent's agency."),
            ("dealer?", "id", "A delivery man's dealer."),
            ("isActive", "boolean", "Whether it may log in and be used."),
            ("terms", "map from group to Terms", "Its terms by payment group."),
            ("territory", "Territory", "Where it distributes."),
        ],
    ),
    (
        "Terms",
        "A party's own terms for one payment group.",
        &[
            ("group", "id", "The payment group."),
            ("exchangeRate", "rate", "Units of the group's currency paid per USD."),
            ("commission", "Commission", "The party's commission."),
            ("name?", "text", "The party's own name for the group."),
            ("isActive", "boolean", "Whether the party may sell it."),
            ("creditLimit", "amount", "How far below 0 its balance may go."),
        ],
    ),
    (
        "Territory",
        "Where a dealer or delivery man distributes.",
        &[
            ("province?", "id", "The province."),
            ("zones", "list of id", "The municipalities."),
            ("handleMlc", "boolean", "Whether it handles transfers to cards."),
        ],
    ),
    (
        "PartyDetails",
        "A party as people know it. Absent values are null.",
        &[
            ("name", "text", "Name."),
            ("email", "text", "The login's address."),
            ("phone", "text", "Telephone."),
            ("phone2", "text", "Another telephone."),
            ("identificationNumber", "text", "Identity document's number."),
            ("license", "text", "Driving licence."),
            ("country", "text", "ISO 3166-1 country."),
            ("province", "text", "State or province."),
            ("city", "text", "City."),
            ("zip", "text", "Postal code."),
            ("addressLine1", "text", "Address, first line."),
            ("addressLine2", "text", "Address, second line."),
            ("addressLine3", "text", "Address, third line."),
            ("profilePicture", "hash", "Picture."),
        ],
    ),
    (
        "Customer",
        "A customer as the rules know it.",
        &[
            ("id", "id", "The customer."),
            ("kind", "text", "`issuer` or `recipient`."),
            (
                "owner",
                "id",
                "The agency, or the agent with no agency, whose customer it is.",
            ),
            ("sender?", "id", "A recipient's issuer."),
            ("isActive", "boolean", "Whether new remittances may use it."),
            ("deleted", "boolean", "Whether it was deleted."),
            ("place", "Place", "Where a recipient lives."),
            ("cards", "map from card to text", "A recipient's cards: their brands."),
        ],
    ),
    (
        "Place",
        "A place of the catalogue.",
        &[
            ("province?", "id", "The province."),
            ("municipality?", "id", "The municipality."),
        ],
    ),
    (
        "CustomerDetails",
        "A customer as people know it. Absent values are null.",
        &[
            ("name", "text", "First name."),
            ("lastName", "text", "Surname."),
            ("secondSurname", "text", "Second surname."),
            ("personalIdentificationNumber", "text", "Identity document's number."),
            (
                "personalIdentificationType",
                "text",
                "`ci`, `passport`, `social_security`, `alien_card`, `passport_card_us`, `driver_license` or `id_official`.",
            ),
            (
                "personalIdentificationExpirationDate",
                "day",
                "When the document expires.",
            ),
            (
                "personalIdentificationIssueDate",
                "day",
                "When the document was issued.",
            ),
            (
                "personalIdentificationCountry?",
                "text",
                "ISO 3166-1 country that issued the document; absent where its type implies it, and where nobody said it.",
            ),
            ("phoneNumber", "text", "Telephone."),
            ("addressLine", "text", "Address."),
            ("repart", "text", "Neighbourhood."),
            ("municipality", "text", "City outside the catalogue."),
            ("province", "text", "State or province outside the catalogue."),
            ("country", "text", "ISO 3166-1 country."),
            ("zipCode", "text", "Postal code."),
            ("email", "text", "E-mail address."),
            ("alias", "text", "Another name."),
            ("alternativeName", "text", "Name of the authorised representative."),
            (
                "alternativeLastName",
                "text",
                "Surname of the authorised representative.",
            ),
            (
                "alternativePersonalIdentificationNumber",
                "text",
                "Document of the authorised representative.",
            ),
            (
                "alternativePhoneNumber",
                "text",
                "Telephone of the authorised representative.",
            ),
        ],
    ),
    (
        "ScreeningFindings",
        "What a screening found of a customer.",
        &[(
            "candidates",
            "list of ScreeningCandidate",
            "Listed people that the customer is like, best first.",
        )],
    ),
    (
        "ScreeningCandidate",
        "An entry of a list that a customer is like.",
        &[
            ("list", "text", "Name of the list."),
            ("entry", "text", "The entry's identifier within the list."),
            ("name", "text", "The listed name that is most similar."),
            ("score", "number", "Likeness in percent, with evidence."),
        ],
    ),
    (
        "ScreeningPair",
        "The pair of a customer and a listed entry that a reviewer decided.",
        &[
            ("list", "text", "Name of the list."),
            ("entry", "text", "The entry's identifier within the list."),
            ("reason", "text", "Why."),
            (
                "listed?",
                "ListedPerson",
                "The listed person as it was when decided; absent where the list had no such entry any more.",
            ),
        ],
    ),
    (
        "ListedPerson",
        "A listed person as published: 40 texts of each kind, of 200 characters.",
        &[
            ("names", "list of text", "Names and aliases."),
            (
                "documents?",
                "list of text",
                "Document numbers with their kind and country.",
            ),
            ("born?", "list of text", "Dates, months, years or ranges of birth."),
            ("countries?", "list of text", "Countries of nationality or citizenship."),
            (
                "programs?",
                "list of text",
                "Programs or regulations that list the person.",
            ),
        ],
    ),
    (
        "CardNumber",
        "A bank card's number.",
        &[("cardNumber", "text", "Sixteen digits.")],
    ),
    (
        "Sale",
        "Who sold a remittance to whom, and at which terms; frozen when sold.",
        &[
            ("code", "text", "Its human number, `R-000001`."),
            ("seller", "id", "Whose balance it drew on."),
            ("agency?", "id", "The agency that takes part."),
            ("agent?", "id", "The agent who sold it."),
            ("sender", "id", "The issuer."),
            ("recipient", "id", "The recipient."),
            ("group", "id", "The payment group."),
            ("terms", "FrozenTerms", "The terms of that moment."),
            ("quote", "Quote", "What it cost and pays."),
            ("reference?", "text", "The seller's own reference, unique per seller."),
        ],
    ),
    (
        "SellerReference",
        "What a seller calls a remittance.",
        &[
            ("seller", "id", "The seller, among whose references it is unique."),
            ("reference?", "text", "The reference; absent where it was taken away."),
        ],
    ),
    (
        "FrozenTerms",
        "The terms that a remittance was sold at.",
        &[
            ("exchangeRate", "rate", "Units of the currency paid per USD."),
            ("managerCommission", "Commission", "The manager's."),
            ("agencyCommission?", "Commission", "The agency's, where one takes part."),
            (
                "agentCommission?",
                "Commission",
                "The external agent's, where one sells.",
            ),
        ],
    ),
    (
        "Quote",
        "What a remittance costs and pays.",
        &[
            ("amount", "amount", "A: what is sent, in USD."),
            ("payout", "amount", "P: what is paid out."),
            ("currencyTo", "currency", "The currency paid out."),
            ("exchangeRate", "rate", "The seller's rate."),
            ("managerFee", "amount", "Fm, in USD."),
            ("agencyFee", "amount", "Fa, in USD."),
            ("agentFee", "amount", "Fg, in USD."),
            ("totalFee", "amount", "All fees, in USD."),
            ("totalToPay", "amount", "A and all fees, in USD."),
        ],
    ),
    (
        "Delivery",
        "How the recipient is paid.",
        &[
            (
                "method",
                "text",
                "`home` (province and municipality) or `card` (card and brand).",
            ),
            ("province?", "id", "The province."),
            ("municipality?", "id", "The municipality, whose distribution fee holds."),
            ("card?", "id", "The card."),
            ("brand?", "text", "The card's brand."),
        ],
    ),
    (
        "RemittanceDetails",
        "What is personal about a remittance.",
        &[
            (
                "address?",
                "text",
                "The address to deliver at; the recipient's own where absent.",
            ),
            ("notes?", "text", "The seller's notes."),
        ],
    ),
    (
        "Reason",
        "Why something was done.",
        &[("reason", "text", "In the caller's words.")],
    ),
    (
        "Movement",
        "Money that moved outside remittances.",
        &[
            ("id", "id", "The movement."),
            ("number", "text", "Its human number, `M-000001`."),
            (
                "kind",
                "text",
                "`deposit`, `assignment`, `cash_assignment`, `transfer`, `exchange`, `return`, `expense`, `payment` or `opening`.",
            ),
            ("by", "id", "Who gave the command."),
            ("from?", "id", "Who gives; the treasury where absent."),
            ("to?", "id", "Who receives; the treasury where absent."),
            ("group?", "id", "The payment group of a balance."),
            ("amount", "amount", "How much."),
            ("currency", "currency", "The currency given."),
            (
                "counter?",
                "Counter",
                "What an exchange gives, or what an assignment costs in USD.",
            ),
            ("onCredit?", "boolean", "Whether it is owed rather than paid."),
            ("debit?", "Debit", "The debit that it opens."),
            ("payments?", "list of DebitPayment", "The payments that it makes."),
            ENTRY,
        ],
    ),
    (
        "Counter",
        "The other side of a movement of two currencies.",
        &[
            ("amount", "amount", "How much."),
            ("currency", "currency", "Of which currency."),
            ("rate", "rate", "The rate between the two."),
        ],
    ),
    (
        "Debit",
        "A debit as it opens, in USD.",
        &[
            ("id", "id", "The debit."),
            ("debtor", "id", "Who owes."),
            ("creditor?", "id", "The agency that is owed; the manager where absent."),
            ("amount", "amount", "How much."),
            ("origin", "text", "`assignment` or `closure`."),
        ],
    ),
    (
        "DebitPayment",
        "A payment on one debit.",
        &[
            ("debit", "id", "The debit."),
            ("amount", "amount", "How much of it, in USD."),
        ],
    ),
    (
        "Note",
        "What somebody wrote about a movement.",
        &[("note?", "text", "A note, concept or reason.")],
    ),
    (
        "GroupFigures",
        "A closure's figures of one payment group: opening + assigned − given − sold + returned = closing.",
        &[
            ("group", "id", "The payment group."),
            ("currency", "currency", "Its currency, which the balances are in."),
            (
                "opening",
                "amount",
                "The balance at the cut before, or an opening balance posted since.",
            ),
            ("assigned", "amount", "Assigned to the party."),
            ("given", "amount", "Given by it to its agents."),
            ("sold", "amount", "Payouts sold, edited ones sold again."),
            ("returned", "amount", "Payouts returned by cancel, and by edits."),
            ("closing", "amount", "The balance at the cut."),
            ("count", "integer", "Remittances sold."),
            ("canceledCount", "integer", "Remittances canceled."),
            ("usd", "amount", "Sent, in USD; edited amounts sent again."),
            ("returnedUsd", "amount", "Canceled, or replaced by an edit, in USD."),
            ("managerFee", "amount", "The manager's commission, net, in USD."),
            ("agencyFee", "amount", "The agency's, net, in USD."),
            ("agentFee", "amount", "The agent's, net, in USD."),
        ],
    ),
    (
        "PeriodTotals",
        "A closure's figures that have no payment group, in USD.",
        &[
            (
                "commissionAccrued",
                "amount",
                "Commission accrued and not billed at the cut.",
            ),
            (
                "agencyFeeAccrued",
                "amount",
                "The agency's fees accrued and not billed at the cut.",
            ),
            (
                "debitsOpened",
                "amount",
                "Debits opened in the period, less those made void; not what it bills itself.",
            ),
            (
                "debitsPaid",
                "amount",
                "Paid on debits in the period, less what was taken back.",
            ),
            ("debitsOutstanding", "amount", "Outstanding debits at the cut."),
        ],
    ),
];
