import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aStore } from '#ordering/testing/samples.ts';
import { boardContactMaxAgeMs, boardGraceMs, type BoardWatch, boardVerdictAt } from '#watch/board-watch.ts';

/** Open from 17:00 to 23:00. */
const seven = Date.parse('2026-11-21T19:00:00Z');
const longAgo = new Date('2026-11-01T00:00:00Z');
const nobody: BoardWatch = { seen_at: null, lost_at: null, paused_until: null };
const at = (offset: number) => new Date(seven + offset);
const judge = (watch: Partial<BoardWatch>, store = {}, now = at(0), since = longAgo) =>
  boardVerdictAt(aStore(store), { ...nobody, ...watch }, since, now);

describe('a shop without a board', () => {
  test('is reported when it has been without one for two minutes while open', () => {
    expect(judge({ seen_at: at(-boardGraceMs + 1) })).toEqual({ kind: 'calm' });
    expect(judge({ seen_at: at(-boardGraceMs) })).toEqual({ kind: 'lost', since: at(-boardGraceMs), pauseUntil: null });
  });

  test('has the two minutes from its opening, too', () => {
    const opens = new Date('2026-11-21T17:00:00Z');
    const after = (offset: number) => judge({}, {}, new Date(opens.getTime() + offset));
    expect(after(boardGraceMs - 1)).toEqual({ kind: 'calm' });
    expect(after(boardGraceMs)).toMatchObject({ kind: 'lost', since: opens });
  });

  test('has them again after a restart of the server, and after a pause', () => {
    expect(judge({}, {}, at(0), at(-1000))).toEqual({ kind: 'calm' });
    expect(judge({}, { paused_until: at(-1000).toISOString() })).toEqual({ kind: 'calm' });
  });

  test('is left alone while it is closed, paused by somebody, or takes no orders', () => {
    expect(judge({}, {}, new Date('2026-11-21T12:00:00Z'))).toEqual({ kind: 'calm' });
    expect(judge({}, { paused_until: at(60_000).toISOString() })).toEqual({ kind: 'calm' });
    expect(judge({}, { is_accepting_orders: false })).toEqual({ kind: 'calm' });
  });

  test('follows the hours of a special day', () => {
    const day = { date: '2026-11-21', repeats_yearly: false, reason: '' };
    const special = (...hours: { open: string; close: string }[]) => ({ special_hours: [{ ...day, hours }] });
    expect(judge({}, special())).toEqual({ kind: 'calm' });
    expect(judge({}, special({ open: '12:00', close: '18:00' }))).toEqual({ kind: 'calm' });
    const noon = new Date('2026-11-21T13:00:00Z');
    expect(judge({}, special({ open: '12:00', close: '18:00' }), noon)).toMatchObject({ kind: 'lost' });
  });

  test('pauses until it closes, where it is set to', () => {
    expect(judge({}, { pause_when_unattended: true })).toMatchObject({
      kind: 'lost',
      pauseUntil: new Date('2026-11-21T23:00:00Z'),
    });
  });
});

describe('an outage', () => {
  const lost = { lost_at: at(-600_000) };
  test('ends when a board is on again', () => {
    expect(judge({ ...lost, seen_at: at(-1000) })).toEqual({ kind: 'back', resumes: false });
  });

  test('ends its own pause, and nobody else’s', () => {
    const own = at(3_600_000);
    const back = { ...lost, seen_at: at(0), paused_until: own };
    expect(judge(back, { paused_until: own.toISOString() })).toEqual({ kind: 'back', resumes: true });
    expect(judge(back, { paused_until: at(900_000).toISOString() })).toEqual({ kind: 'back', resumes: false });
    expect(judge(back, { paused_until: null })).toEqual({ kind: 'back', resumes: false });
  });

  test('is over without a word when the shop closes, though it is paused', () => {
    const closed = new Date('2026-11-21T23:30:00Z');
    expect(judge(lost, {}, closed)).toEqual({ kind: 'over' });
    expect(judge(lost, { paused_until: '2026-11-22T12:00:00Z' }, closed)).toEqual({ kind: 'over' });
  });

  test('goes on while nobody comes, also when somebody ended its pause', () => {
    expect(judge({ ...lost, paused_until: at(1000) }, { paused_until: null })).toEqual({ kind: 'calm' });
  });
});

test('whoever was seen just now, the owner never hears that nobody is there', () => {
  const minute = fc.integer({ min: 0, max: 24 * 60 });
  fc.assert(
    fc.property(
      minute,
      fc.integer({ min: 0, max: boardContactMaxAgeMs - 1 }),
      fc.boolean(),
      (minutes, ago, isPausing) => {
        const now = at(minutes * 60_000);
        const seen = new Date(now.getTime() - ago);
        const verdict = judge({ seen_at: seen }, { pause_when_unattended: isPausing }, now);
        expect(verdict.kind).toBe('calm');
      },
    ),
  );
});
