import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RateLimitedCaller, createCallLimiter } from '#platform/server/call-limits.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const from = (address: string, isBehindUnknownProxy = false): RateLimitedCaller => ({ address, isBehindUnknownProxy });
const passes = (limit: (caller: RateLimitedCaller) => void, caller: RateLimitedCaller, times: number) => {
  let passed = 0;
  for (let time = 0; time < times; time += 1) {
    try {
      limit(caller);
      passed += 1;
    } catch {
      // Refused.
    }
  }
  return passed;
};

test('a network has its burst, and then its rate, whatever others do', () => {
  const limit = createCallLimiter({ burst: 5, perSecond: 0.5 });
  expect(passes(limit, from('2001:db8:1:2::1'), 10)).toBe(5);
  expect(passes(limit, from('2001:db8:1:2::ffff'), 1)).toBe(0);
  expect(passes(limit, from('2001:db8:1:3::1'), 1)).toBe(1);
  vi.advanceTimersByTime(4000);
  expect(passes(limit, from('2001:db8:1:2::1'), 10)).toBe(2);
});

test('customers behind an unknown proxy share the rate of many', () => {
  expect(passes(createCallLimiter({ burst: 5, perSecond: 1 }), from('192.0.2.1', true), 1000)).toBe(150);
});

test('a refusal says when the next call may be made', () => {
  const limit = createCallLimiter({ burst: 1, perSecond: 0.25 });
  limit(from('192.0.2.1'));
  expect(() => limit(from('192.0.2.1'))).toThrow(
    expect.objectContaining({ code: 'too_many_requests', detail: { headers: { 'retry-after': '4' } } }),
  );
});
