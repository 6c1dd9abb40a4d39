import type { ProviderBankEntry, BankSource, ProviderDispute, ProviderPayout } from '#payment/server/bank-source.ts';

/** An account's statement in memory. `fails` makes each call throw it. */
export interface TestBank extends BankSource {
  entries: ProviderBankEntry[];
  payouts: ProviderPayout[];
  /** The ids of the entries in each automatic payout. */
  contents: Map<string, string[]>;
  disputes: ProviderDispute[];
  fails: Error | null;
  /** The calls made so far. */
  calls: string[];
}

export function createTestBank(): TestBank {
  const answer = async <T>(call: string, of: () => T): Promise<T> => {
    bank.calls.push(call);
    await new Promise(setImmediate);
    if (bank.fails) throw bank.fails;
    return of();
  };
  const one = <T extends { id: string }>(all: readonly T[], id: string): T => {
    const found = all.find((each) => each.id === id);
    if (!found) throw new Error(`there is no ${id}`);
    return { ...found };
  };
  const since = <T extends { createdAt: Date }>(all: readonly T[], from: Date) =>
    all.filter(({ createdAt }) => createdAt >= from).map((each) => ({ ...each }));
  const bank: TestBank = {
    entries: [],
    payouts: [],
    contents: new Map(),
    disputes: [],
    fails: null,
    calls: [],
    listPayouts: (from) => answer('listPayouts', () => since(bank.payouts, from)),
    payout: (id) => answer(`payout ${id}`, () => one(bank.payouts, id)),
    listEntries: (id) =>
      answer(`listEntries ${id}`, () => (bank.contents.get(id) ?? []).map((entry) => one(bank.entries, entry))),
    entriesSince: (from) => answer('entriesSince', () => since(bank.entries, from)),
    entriesOf: ({ intent }) => answer(`entriesOf ${intent}`, () => bank.entries.filter((one) => one.intent === intent)),
    listDisputes: (from) => answer('listDisputes', () => since(bank.disputes, from)),
    disputesOf: (intent) => answer(`disputesOf ${intent}`, () => bank.disputes.filter((one) => one.intent === intent)),
    dispute: (id) => answer(`dispute ${id}`, () => one(bank.disputes, id)),
  };
  return bank;
}

/** A charge of £12.50 with its fee; what a test does not say is as for an ordinary card. */
export function entry(change: Partial<ProviderBankEntry> & Pick<ProviderBankEntry, 'id'>): ProviderBankEntry {
  const { amount = 1250, fee = 39 } = change;
  return {
    kind: 'charge',
    amount,
    fee,
    net: amount - fee,
    currency: 'GBP',
    createdAt: new Date('2026-11-21T18:05:00Z'),
    availableOn: '2026-11-25',
    source: `ch_${change.id}`,
    intent: null,
    paymentId: null,
    ...change,
  };
}

export function payout(change: Partial<ProviderPayout> & Pick<ProviderPayout, 'id'>): ProviderPayout {
  return {
    amount: 1211,
    currency: 'GBP',
    status: 'paid',
    failure: null,
    isAutomatic: true,
    hasEntries: true,
    arrivesOn: '2026-11-25',
    createdAt: new Date('2026-11-24T02:00:00Z'),
    ...change,
  };
}

export function dispute(change: Partial<ProviderDispute> & Pick<ProviderDispute, 'id'>): ProviderDispute {
  return {
    intent: null,
    paymentId: null,
    amount: 1250,
    currency: 'GBP',
    reason: 'fraudulent',
    status: 'needs_response',
    respondBy: new Date('2026-12-05T23:59:59Z'),
    createdAt: new Date('2026-11-24T10:00:00Z'),
    ...change,
  };
}
