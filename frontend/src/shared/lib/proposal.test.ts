import { describe, expect, it } from 'vitest';
import { readProblem, readProposal, WAITING_FOR_APPROVAL } from './problem';

const PROPOSAL = {
  id: '6b0f6f1e-0000-4000-8000-000000000001',
  kind: 'expense',
  approvers: 'manager',
  expiresAt: '2026-11-26T12:00:00Z',
};

describe('the answer to a command that waits for approval', () => {
  it('is no success: it names the proposal', () => {
    expect(readProposal(202, PROPOSAL)).toMatchObject({ code: WAITING_FOR_APPROVAL, proposal: PROPOSAL.id });
  });

  it('is told from a disputed delivery and a verification, which are 202 too', () => {
    expect(readProposal(202, { id: 'r1', refused: 'remittance_canceled', detail: '' })).toBeNull();
    expect(readProposal(202, { id: 'v1', status: 'running' })).toBeNull();
    expect(readProposal(202, null)).toBeNull();
  });

  it('is told from the proposal itself, and from a list of them', () => {
    expect(readProposal(200, PROPOSAL)).toBeNull();
    expect(readProposal(202, [PROPOSAL])).toBeNull();
  });
});

it('an approval whose figures changed has those of the proposal beside the present ones', () => {
  const now = { payout: '310.00', totalToPay: '1.00' };
  const before = { payout: '320.00', totalToPay: '1.00' };
  const problem = readProblem(409, { code: 'quote_changed', figures: now, proposed: before });
  expect(problem).toMatchObject({ figures: now, expected: before });
});
