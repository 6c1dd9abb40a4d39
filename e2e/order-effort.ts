import type { Locator, Page } from '@playwright/test';

/** The effort of one order, counted from the events that its pages received. */
export interface OrderEffort {
  taps: number;
  /** Fields whose text was typed, and those that the browser filled in. */
  typed: number;
  filled: number;
  /** Milliseconds in which the customer waited for a page. */
  waited: number;
  /** The waits in order, each with the element that the customer waited for, and its begin by `performance.now()`. */
  waits: { element: string; from: number; ms: number }[];
}

/** The seconds of a tap, of a typed field and of one that the browser fills in. */
const cost = { tap: 1.2, typed: 5, filled: 1 };

export function effortSeconds({ taps, typed, filled, waited }: OrderEffort): number {
  return taps * cost.tap + typed * cost.typed + filled * cost.filled + waited / 1000;
}

/** The limits of each kind of customer, from the home page to the placed order. */
export const effortLimits = {
  'new guest': { taps: 9, typed: 4, seconds: 45 },
  'returning guest': { taps: 4, typed: 0, seconds: 14 },
  'signed in': { taps: 3, typed: 0, seconds: 12 },
} as const;
export type CustomerKind = keyof typeof effortLimits;

/** A customer with a phone, whose taps and fields are counted by the events of the pages. */
export class CountedCustomer {
  private readonly page: Page;
  private taps = 0;
  private readonly waits: OrderEffort['waits'] = [];
  private element = '';
  private acted = performance.now();
  private readonly fields = new Map<string, 'typed' | 'filled'>();

  private constructor(page: Page) {
    this.page = page;
  }

  static async on(page: Page): Promise<CountedCustomer> {
    const customer = new CountedCustomer(page);
    await page.exposeFunction('reportTap', () => {
      customer.taps += 1;
      customer.stopClock();
    });
    await page.exposeFunction('reportField', (field: string, kind: 'typed' | 'filled') => {
      if (customer.fields.get(field) !== 'typed') customer.fields.set(field, kind);
    });
    await page.addInitScript(reportEvents);
    return customer;
  }

  async open(path: string): Promise<void> {
    this.acted = performance.now();
    await this.page.goto(path, { waitUntil: 'commit' });
  }

  async tap(target: Locator): Promise<void> {
    await this.untilUsable(target);
    // The clock stops at the page's event, after the checks that a finger would reach the element.
    await target.tap();
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.waitFor(field);
    await field.pressSequentially(text);
    // The page works while the customer types, which is part of the field's own seconds.
    this.acted = performance.now();
  }

  async waitFor(target: Locator): Promise<void> {
    await this.untilUsable(target);
    this.stopClock();
  }

  /** A provider's page works without a script; on ours, React must have attached its handlers. */
  private async untilUsable(target: Locator): Promise<void> {
    this.element = target.toString();
    await target.waitFor({ timeout: 60_000 });
    if (/^\/(sandbox|c\/pay)\//.test(new URL(this.page.url()).pathname)) return;
    const isAlive = (element: object | null) =>
      Object.keys(element ?? {}).some((key) => key.startsWith('__reactProps$'));
    await this.page.waitForFunction(isAlive, await target.elementHandle(), { polling: 20, timeout: 60_000 });
  }

  get effort(): OrderEffort {
    const kinds = [...this.fields.values()];
    const waited = this.waits.reduce((sum, { ms }) => sum + ms, 0);
    const count = (kind: 'typed' | 'filled') => kinds.filter((each) => each === kind).length;
    return { taps: this.taps, typed: count('typed'), filled: count('filled'), waited, waits: this.waits };
  }

  private stopClock(): void {
    const now = performance.now();
    this.waits.push({ element: this.element, from: this.acted, ms: now - this.acted });
    this.acted = now;
  }
}

/**
 * Reports real taps and inputs. A tap into a text field belongs to the field. The browser's own filling has another type of
 * input than a key.
 */
const reportEvents = `
  const isText = (element) => element.matches('textarea, input:not([type=radio], [type=checkbox], [type=submit])');
  addEventListener('pointerdown', ({ isTrusted, target }) => {
    if (isTrusted && !isText(target.closest('label')?.control ?? target)) reportTap();
  }, true);
  addEventListener('keydown', ({ isTrusted, key }) => isTrusted && key === 'Enter' && reportTap(), true);
  addEventListener('input', ({ isTrusted, inputType, target }) => {
    if (!isText(target)) return;
    reportField(location.pathname + ' ' + target.name, isTrusted && inputType === 'insertText' ? 'typed' : 'filled');
  }, true);
`;

/** A new guest's delivery, paid by card: from the home page until the order is placed. */
export async function orderAsNewGuest(page: Page, dish: string): Promise<OrderEffort> {
  const customer = await CountedCustomer.on(page);
  await customer.open('/');
  await customer.tap(
    page
      .getByRole('main')
      .getByRole('link', { name: /^Order/ })
      .first(),
  );
  await customer.tap(page.getByRole('link', { name: new RegExp(`^${dish}`) }).first());
  await customer.tap(page.getByRole('dialog').getByRole('button', { name: /^Add £/ }));
  await customer.tap(page.getByRole('button', { name: /View basket/ }));
  await customer.tap(page.getByRole('link', { name: /^Checkout/ }));
  await customer.type(page.getByLabel('Postcode'), 'CV21 2AA');
  await customer.type(page.getByLabel('Address', { exact: true }), '1 High Street');
  await customer.type(page.getByLabel('Name'), 'Grace Hopper');
  await customer.type(page.getByLabel('Phone'), '07700 900456');
  return payAtProvider(page, customer, approveInSandbox);
}

const approveInSandbox = 'Approve the payment';

/**
 * The usual order of a customer whose details are known, again: from the home page until the order is placed. `approve` is
 * the button of the provider's page.
 */
export async function orderTheUsual(page: Page, approve: string | RegExp = approveInSandbox): Promise<OrderEffort> {
  const customer = await CountedCustomer.on(page);
  await customer.open('/');
  await customer.tap(page.getByRole('button', { name: /^Order again/ }).first());
  return payAtProvider(page, customer, approve);
}

async function payAtProvider(page: Page, customer: CountedCustomer, approve: string | RegExp): Promise<OrderEffort> {
  await customer.tap(page.getByRole('button', { name: /^Pay £/ }));
  await customer.tap(page.getByRole('button', { name: approve }));
  await customer.waitFor(page.getByRole('heading', { name: /Waiting for the shop/ }));
  return customer.effort;
}
