import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clockOffsetMs, measureClockOffset, shopNow } from '#platform/web/clock.ts';

const truth = Date.parse('2026-11-21T18:00:00Z');
const minutes = 60_000;

/** The server answers with its own time; its answer takes this many milliseconds to arrive. */
function serverSays(date: string | null, journey = 0): void {
  vi.stubGlobal('fetch', async () => {
    vi.setSystemTime(Date.now() + journey);
    return new Response(null, { headers: date === null ? {} : { date } });
  });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.setSystemTime(truth);
  serverSays(new Date(truth).toUTCString());
  await measureClockOffset();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([-37 * minutes, 90 * minutes, 3 * 365 * 24 * 60 * minutes])(
  'a device whose clock is off by %d ms shows the shop’s time',
  async (wrong) => {
    vi.setSystemTime(truth + wrong);
    serverSays(new Date(truth).toUTCString());
    await measureClockOffset();
    expect(Math.abs(shopNow() - truth)).toBeLessThan(1000);
    vi.setSystemTime(Date.now() + 10 * minutes);
    expect(Math.abs(shopNow() - truth - 10 * minutes)).toBeLessThan(1000);
  },
);

test('half of a long round trip is not taken for a wrong clock', async () => {
  vi.setSystemTime(truth - 5 * minutes);
  serverSays(new Date(truth + 4000).toUTCString(), 8000);
  await measureClockOffset();
  expect(Math.abs(clockOffsetMs() - 5 * minutes)).toBeLessThan(1000);
});

test('a clock that is right to a few seconds is not corrected', async () => {
  vi.setSystemTime(truth + 2000);
  serverSays(new Date(truth).toUTCString());
  await measureClockOffset();
  expect(clockOffsetMs()).toBe(0);
});

test('a clock that was corrected meanwhile is used again', async () => {
  vi.setSystemTime(truth + 37 * minutes);
  serverSays(new Date(truth).toUTCString());
  await measureClockOffset();
  vi.setSystemTime(truth);
  await measureClockOffset();
  expect(clockOffsetMs()).toBe(0);
});

test('without an answer, or with one without a time, the known difference stays', async () => {
  vi.setSystemTime(truth + 37 * minutes);
  serverSays(new Date(truth).toUTCString());
  await measureClockOffset();
  const known = clockOffsetMs();
  serverSays(null);
  await measureClockOffset();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')));
  await measureClockOffset();
  expect(clockOffsetMs()).toBe(known);
});

describe('the time of a page', () => {
  // Other files of the worker would get the module of a phone that is wrong.
  afterEach(() => vi.resetModules());

  /** A page that the server wrote at the true time, on a phone that is wrong by this much; `hide` leaves it. */
  async function openPage(wrong: number) {
    vi.resetModules();
    const { minuteClock: time, setRenderTime } = await import('#platform/web/clock.ts');
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
    const page = new EventTarget();
    vi.stubGlobal('document', page);
    vi.setSystemTime(truth + wrong);
    setRenderTime(truth);
    const seen: number[] = [];
    const leave = time.subscribe(() => seen.push(time.read()));
    return { page, seen, leave, aheadOf: (at: number) => Math.floor((time.read() - at) / 1000) };
  }

  test.each([60 * minutes, -4 * 60 * minutes])(
    'is the server’s from the first moment, on a phone off by %d ms',
    async (wrong) => {
      serverSays(new Date(truth).toUTCString());
      const { seen, leave, aheadOf } = await openPage(wrong);
      expect(aheadOf(truth)).toBe(0);
      await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 30_000 });
      expect(aheadOf(truth)).toBe(0);
      await vi.advanceTimersByTimeAsync(10 * minutes);
      expect(aheadOf(truth + 10 * minutes)).toBe(0);
      leave();
    },
  );

  test('stays the server’s when somebody sets the phone’s clock meanwhile, or the phone slept', async () => {
    serverSays(new Date(truth).toUTCString());
    const { page, seen, leave, aheadOf } = await openPage(60 * minutes);
    await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 30_000 });
    expect(aheadOf(truth)).toBe(0);
    const later = truth + 20 * minutes;
    serverSays(new Date(later).toUTCString());
    vi.setSystemTime(later);
    page.dispatchEvent(new Event('visibilitychange'));
    await vi.waitFor(() => expect(aheadOf(later)).toBe(0), { timeout: 30_000 });
    leave();
  });

  test('is the device’s while the server cannot be asked, and is asked for again', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')));
    const { seen, leave, aheadOf } = await openPage(60 * minutes);
    await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 30_000 });
    expect(aheadOf(truth)).toBe(3600);
    serverSays(new Date(truth + minutes).toUTCString());
    await vi.advanceTimersByTimeAsync(minutes);
    await vi.waitFor(() => expect(aheadOf(truth + minutes)).toBe(0), { timeout: 30_000 });
    leave();
  });
});
