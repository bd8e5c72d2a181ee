import type { AuditEvent, StreamKind } from '~/api';
import { MOVING_EVENTS } from '~/entities/ledger/moving';
import { type Texts, useTexts } from '~/shared/lib/texts';

/** The sorts of records that there are. */
export const RECORD_KINDS = [
  'remittance',
  'movement',
  'closure',
  'party',
  'customer',
  'payment_group',
  'currency',
  'place',
  'tenant',
  'rates',
  'api_key',
  'webhook',
  'proposal',
] as const satisfies readonly StreamKind[];

/** Every type of event, by the sort of record that it happens to. */
export const EVENT_TYPES = [
  ...MOVING_EVENTS,
  'DeliveryAttempted',
  'DeliveryDisputed',
  'DeliveryDisputeSettled',
  'RemittanceHeld',
  'HoldReleased',
  'HoldKept',
  'HeldRemittanceDelivered',
  'HoldBreachSettled',
  'SaleDeclared',
  'PartyRegistered',
  'PartyChanged',
  'TermsSet',
  'PartyDeactivated',
  'SecondFactorEnrolled',
  'SecondFactorRemoved',
  'RecoveryCodeUsed',
  'PasskeyAdded',
  'PasskeyRemoved',
  'PasskeyRefused',
  'SecondFactorRequired',
  'PasswordPolicySet',
  'SignOnSet',
  'SignOnRemoved',
  'OfficeAccessSet',
  'PermissionSetDefined',
  'PermissionSetRemoved',
  'ScreeningSet',
  'OwnListLoaded',
  'OwnListRemoved',
  'LimitRuleSet',
  'LimitRuleRemoved',
  'CustomerRegistered',
  'CustomerChanged',
  'CardAdded',
  'CustomerDeleted',
  'DossierExported',
  'CustomerScreened',
  'ScreeningPairDecided',
  'PersonIdentified',
  'PersonDocumentReleased',
  'DocumentPicturesRecorded',
  'PersonForgotten',
  'PaymentGroupCreated',
  'PaymentGroupChanged',
  'PaymentGroupRemoved',
  'CurrencyAdded',
  'CurrencyChanged',
  'CurrencyRemoved',
  'ProvinceChanged',
  'MunicipalityChanged',
  'RatesScheduled',
  'RatesChanged',
  'RatesCanceled',
  'RatesUndone',
  'ApiKeyIssued',
  'ApiKeyRotated',
  'ApiKeyRevoked',
  'WebhookAdded',
  'WebhookChanged',
  'WebhookSecretRotated',
  'WebhookPaused',
  'WebhookResumed',
  'WebhookReplayed',
  'WebhookRemoved',
  'ApprovalRuleSet',
  'ApprovalRuleRemoved',
  'CommandProposed',
  'ProposalApproved',
  'ProposalRejected',
  'ProposalWithdrawn',
  'ProposedPersonForgotten',
  'TenantOpened',
  'HistoryAccepted',
] as const;

/** Records whose name is a person's: it is missing where the person was forgotten, not because there is none. */
const PEOPLE: readonly StreamKind[] = ['party', 'customer'];

/** A record's number or name. */
export function recordName(t: Texts, { recordName: name, recordType: kind }: AuditEvent): string {
  return name ?? (PEOPLE.includes(kind) ? t('entities:erased') : t(`audit:records.${kind}`));
}

/** Who did something: a name, nobody's any more, or the system. */
export function useActorName(): (actor: AuditEvent['actor']) => string {
  const t = useTexts();
  return ({ id, name }) => name ?? (id === null ? t('entities:ledger.system') : t('entities:erased'));
}
