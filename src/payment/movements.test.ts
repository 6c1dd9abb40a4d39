import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceOfMovements, newMovements, type Movement } from '#payment/movements.ts';
import type { ProviderPayment, ProviderRefund, ProviderState } from '#payment/payment-state.ts';

const money = { amount: 1250, currency: 'GBP' };
const held: Movement = { kind: 'held', amount: 1250, object: 'pi_1' };
const captured: Movement = { kind: 'captured', amount: 1000, object: 'pi_1' };
const released = (amount: number): Movement => ({ kind: 'released', amount, object: 'pi_1' });
const refunded = (amount: number, object = 'pi_1'): Movement => ({ kind: 'refunded', amount, object });

describe('what moved', () => {
  test.each<[string, Movement[], ProviderPayment, Movement[]]>([
    ['an open page moves nothing', [], { state: 'open', ...money }, []],
    ['a declined card moves nothing', [], { state: 'declined', ...money }, []],
    ['an approved card is held', [], { state: 'authorised', ...money }, [held]],
    ['the same news moves nothing', [held], { state: 'authorised', ...money }, []],
    ['a capture of all', [held], { state: 'captured', ...money }, [{ ...captured, amount: 1250 }]],
    [
      'a capture of a part releases the rest',
      [held],
      { state: 'captured', ...money, captured: 1000 },
      [captured, released(250)],
    ],
    ['a hold that was let go', [held], { state: 'voided', ...money }, [released(1250)]],
    ['a hold that ended with its page', [held], { state: 'abandoned', ...money }, [released(1250)]],
    ['what was charged at once', [], { state: 'captured', ...money }, [{ ...captured, amount: 1250 }]],
    [
      'a part given back',
      [held, captured, released(250)],
      { state: 'captured', ...money, captured: 1000, refunded: 300 },
      [refunded(300)],
    ],
    [
      'all given back',
      [held, captured, released(250), refunded(300)],
      { state: 'refunded', ...money, captured: 1000 },
      [refunded(700)],
    ],
    ['news of before the capture', [held, captured, released(250)], { state: 'authorised', ...money }, []],
    [
      'news of before the refund',
      [held, captured, released(250), refunded(300)],
      { state: 'captured', ...money, captured: 1000 },
      [],
    ],
    [
      'charged and given back before anybody heard',
      [],
      { state: 'refunded', ...money },
      [{ ...captured, amount: 1250 }, refunded(1250)],
    ],
    [
      'refunds that the provider lists, each by its id',
      [held, captured, released(250), refunded(100, 're_1')],
      {
        state: 'captured',
        ...money,
        captured: 1000,
        refunded: 400,
        refundList: [
          { id: 're_1', key: 'a', amount: 100, status: 'succeeded' },
          { id: 're_2', key: null, amount: 300, status: 'pending' },
        ],
      },
      [refunded(300, 're_2')],
    ],
    [
      'a refund that the bank sent back',
      [held, captured, released(250), refunded(100, 're_1')],
      {
        state: 'captured',
        ...money,
        captured: 1000,
        refunded: 0,
        refundList: [{ id: 're_1', key: 'a', amount: 100, status: 'failed' }],
      },
      [{ kind: 'refund_failed', amount: 100, object: 're_1' }],
    ],
  ])('%s', (_name, known, seen, moved) => {
    expect(newMovements(known, seen, 'pi_1')).toEqual(moved);
  });
});

describe('properties', () => {
  /** A payment's history at a provider: each state with its refunds, in the order of time. */
  const history = fc
    .record({
      isHeld: fc.boolean(),
      end: fc.constantFrom('captured' as const, 'voided' as const),
      captured: fc.integer({ min: 1, max: 1250 }),
      refunds: fc.array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), fails: fc.boolean() }), {
        maxLength: 4,
      }),
      isListed: fc.boolean(),
    })
    .map(historyOf);

  interface Plan {
    isHeld: boolean;
    end: 'captured' | 'voided';
    captured: number;
    refunds: { share: number; fails: boolean }[];
    isListed: boolean;
  }

  function historyOf({ isHeld, end, captured: wanted, refunds, isListed }: Plan): ProviderPayment[] {
    const taken = isHeld ? wanted : 1250;
    const steps: ProviderPayment[] = [
      { state: 'open', ...money },
      ...(isHeld ? [{ state: 'authorised' as const, ...money }] : []),
    ];
    if (end === 'voided') return [...steps, { state: isHeld ? 'voided' : 'abandoned', ...money }];
    const list: ProviderRefund[] = [];
    const push = () => {
      const back = list.reduce((sum, { amount, status }) => sum + (status === 'failed' ? 0 : amount), 0);
      const state: ProviderState = back === taken ? 'refunded' : 'captured';
      steps.push({
        state,
        ...money,
        captured: taken,
        refunded: back,
        ...(isListed && { refundList: list.map((one) => ({ ...one })) }),
      });
      return back;
    };
    push();
    for (const [index, { share, fails }] of refunds.entries()) {
      const left = taken - list.reduce((sum, { amount, status }) => sum + (status === 'failed' ? 0 : amount), 0);
      const amount = Math.floor(left * share);
      if (amount === 0) continue;
      const made: ProviderRefund = { id: `re_${index}`, key: null, amount, status: 'succeeded' };
      list.push(made);
      push();
      // Only a provider that lists its refunds can say that one failed later.
      if (!fails || !isListed) continue;
      made.status = 'failed';
      push();
    }
    return steps;
  }

  test('however much of the news is missed, late or repeated, the movements end at what the provider has', () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(30), { maxLength: 20 }), (steps, order) => {
        const known: Movement[] = [];
        const last = steps.at(-1);
        if (!last) throw new Error('a history has steps');
        for (const at of order) known.push(...newMovements(known, steps[at % steps.length] ?? last, 'pi_1'));
        known.push(...newMovements(known, last, 'pi_1'));
        expect(balanceOfMovements(known)).toEqual({ kept: (last.captured ?? 0) - (last.refunded ?? 0), held: 0 });
        expect(newMovements(known, last, 'pi_1')).toEqual([]);
        for (const { amount } of known) expect(amount).toBeGreaterThan(0);
      }),
    );
  });
});
