/** The types of events that move money. */
export const MOVING_EVENTS = [
  'RemittanceCreated',
  'RemittanceAmountEdited',
  'RemittanceDetailsEdited',
  'RemittanceAssigned',
  'RemittanceFailed',
  'RemittanceCanceled',
  'RemittanceCompleted',
  'MovementPosted',
  'OpeningBalancePosted',
  'MovementReversed',
  'PeriodClosed',
] as const;
