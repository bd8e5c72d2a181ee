import { describe, expect, it } from 'vitest';
import type { RemittanceStatus, Role } from '~/api';
import { remittance } from '../../../tests/mocks/data';
import { type Action, allowedActions } from './actions';

const AGENCY = 'agency-1';
const row = (status: RemittanceStatus) =>
  remittance(1, {
    status,
    agency: { id: AGENCY, name: 'A' },
    agent: { id: 'agent-1', name: 'B' },
    dealer: status === 2 ? { id: 'dealer-1', name: 'D' } : null,
    deliveryMan: status === 2 ? { id: 'courier-1', name: 'V' } : null,
  });
const who = (role: Role, id: string, agencyId: string | null = null) => ({ role, id, agencyId });

const OWNERS = [
  who('agency', AGENCY, AGENCY),
  who('internalAgent', 'clerk-1', AGENCY),
  who('externalAgent', 'agent-1', AGENCY),
];
const STRANGERS = [
  who('agency', 'agency-2', 'agency-2'),
  who('internalAgent', 'clerk-2', 'agency-2'),
  who('externalAgent', 'agent-2', AGENCY),
  who('dealer', 'dealer-2'),
  who('deliveryMan', 'courier-2'),
];

/** Domain design, section 4: pending, canceled, shipping, completed, error. */
const EXPECTED: Record<string, Action[][]> = {
  manager: [
    ['assign', 'editDetails', 'editAmount', 'error', 'cancel'],
    [],
    ['complete', 'assign', 'editDetails', 'error', 'cancel'],
    [],
    ['assign', 'editDetails', 'editAmount', 'cancel'],
  ],
  owner: [['editDetails', 'editAmount', 'cancel'], [], [], [], ['editDetails', 'editAmount', 'cancel']],
  dealer: [[], [], ['complete', 'assign', 'error'], [], []],
  deliveryMan: [[], [], ['complete', 'error'], [], []],
  stranger: [[], [], [], [], []],
};

const CALLERS = [
  ['manager', who('manager', 'm')] as const,
  ...OWNERS.map((one) => ['owner', one] as const),
  ['dealer', who('dealer', 'dealer-1')] as const,
  ['deliveryMan', who('deliveryMan', 'courier-1')] as const,
  ...STRANGERS.map((one) => ['stranger', one] as const),
];

describe.each(CALLERS)('a %s (%o)', (kind, caller) => {
  it.each([0, 1, 2, 3, 4] as const)('is offered exactly what status %i allows', (status) => {
    expect(allowedActions(caller, row(status))).toEqual(EXPECTED[kind]?.[status]);
  });
});
