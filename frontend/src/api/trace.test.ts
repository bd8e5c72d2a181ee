// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { traceActions, traceHeaders } from './trace';

let end = () => {};
beforeEach(() => {
  end = traceActions();
});
afterEach(() => end());

const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;
const parts = (headers: Record<string, string>) => PARENT.exec(headers.traceparent ?? '')?.slice(1) ?? [];

it('the calls of one action share its trace, each with a span of its own', () => {
  document.body.click();
  const [first, second] = [parts(traceHeaders()), parts(traceHeaders())];
  expect(first[0]).toHaveLength(32);
  expect(second[0]).toBe(first[0]);
  expect(second[1]).not.toBe(first[1]);
  document.body.click();
  expect(parts(traceHeaders())[0]).not.toBe(first[0]);
});

it('a call tells how long ago its action was, and a late one belongs to none', () => {
  document.body.click();
  const now = performance.now();
  const soon = traceHeaders(now + 250);
  const since = Number(soon.tracestate?.replace('caudal=', ''));
  expect(since).toBeGreaterThanOrEqual(250);
  expect(since).toBeLessThan(5_000);
  const late = traceHeaders(now + 10_001);
  expect(late.tracestate).toBeUndefined();
  expect(parts(late)[0]).not.toBe(parts(soon)[0]);
});
