import { afterEach, describe, expect, it } from 'vitest';
import { sawPosition, wantedPosition } from './position';
import { forgetQuarantine, isQuarantined, watchLogState } from './quarantine';

const answer = (headers: Record<string, string>, status = 200) => new Response(null, { status, headers });
const whole = () => answer({ 'X-Request-Id': 'r' });
const diverged = (status = 200) => answer({ 'X-Request-Id': 'r', 'X-Log-State': 'diverged' }, status);

afterEach(forgetQuarantine);

describe('whether the log is in question', () => {
  it('follows the newest answer of the server, of any status', () => {
    watchLogState()(whole());
    expect(isQuarantined()).toBe(false);
    watchLogState()(diverged(503));
    expect(isQuarantined()).toBe(true);
    watchLogState()(whole());
    expect(isQuarantined()).toBe(false);
  });

  it('ignores answers to calls begun before it changed', () => {
    const early = watchLogState();
    watchLogState()(diverged());
    early(whole());
    expect(isQuarantined()).toBe(true);
  });

  it('ignores refusals without the header, and pages of other servers', () => {
    watchLogState()(diverged());
    watchLogState()(answer({ 'X-Request-Id': 'r' }, 401));
    watchLogState()(answer({ 'Content-Type': 'text/html' }));
    expect(isQuarantined()).toBe(true);
  });

  it('discards positions when it changes: the log may be shorter than the positions seen', () => {
    sawPosition(1796);
    watchLogState()(diverged());
    expect(wantedPosition()).toBeNull();
    sawPosition(1788);
    watchLogState()(whole());
    expect(wantedPosition()).toBeNull();
  });
});
