import { afterEach, describe, expect, it } from 'vitest';
import { sawPosition, wantedPosition } from './position';
import { forgetQuarantine, isQuarantined, watchLogState } from './quarantine';

const answer = (headers: Record<string, string>, status = 200) => new Response(null, { status, headers });
const whole = () => answer({ 'X-Request-Id': 'r' });
const diverged = (status = 200) => answer({ 'X-Request-Id': 'r', 'X-Log-State': 'diverged' }, status);

afterEach(forgetQuarantine);

describe('whether the log is in question', () => {
  it('is what the newest answer of the server says, whatever its status', () => {
    watchLogState()(whole());
    expect(isQuarantined()).toBe(false);
    watchLogState()(diverged(503));
    expect(isQuarantined()).toBe(true);
    watchLogState()(whole());
    expect(isQuarantined()).toBe(false);
  });

  it('is not told by an answer to a call that was begun before it changed', () => {
    const early = watchLogState();
    watchLogState()(diverged());
    early(whole());
    expect(isQuarantined()).toBe(true);
  });

  it('is not told by a refusal without the header, nor by a page that is not the server\u2019s', () => {
    watchLogState()(diverged());
    watchLogState()(answer({ 'X-Request-Id': 'r' }, 401));
    watchLogState()(answer({ 'Content-Type': 'text/html' }));
    expect(isQuarantined()).toBe(true);
  });

  it('forgets positions when it changes: the log may be shorter than what was seen of it', () => {
    sawPosition(1796);
    watchLogState()(diverged());
    expect(wantedPosition()).toBeNull();
    sawPosition(1788);
    watchLogState()(whole());
    expect(wantedPosition()).toBeNull();
  });
});
