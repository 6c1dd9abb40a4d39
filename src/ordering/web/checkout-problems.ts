import { m } from '#messages';
import type { Problem } from '#ordering/basket.ts';
import type { BasketView } from '#ordering/web/basket-view.ts';
import type { FieldErrors } from '#platform/errors.ts';

export function isOfTime({ path }: Problem): boolean {
  return path === 'requested_for';
}

/**
 * What has to be corrected before the order is sent. A problem of a line is a question of its own; so is the time of an order
 * wanted as soon as possible, which the page or the shop's refusal asks about.
 */
export function problemsAtFields(problems: readonly Problem[], isSoonWanted: boolean): Problem[] {
  return problems.filter((problem) => !lineOf(problem.path) && !(isSoonWanted && isOfTime(problem)));
}

/** Questions that must be answered before the order can be placed, by line. */
export function askLines(view: BasketView, problems: readonly Problem[]): FieldErrors {
  const asked: FieldErrors = {};
  for (const { path, message } of problems) {
    const line = lineOf(path);
    if (line) asked[line] ??= [message];
  }
  for (const [place, { line, now, changedFrom }] of view.lines.entries()) {
    if (changedFrom !== null && now) asked[`lines.${place}`] ??= [m.ordering_basket_price_ask({ name: line.name })];
  }
  return asked;
}

/** Problems with part of a line are shown at the line. */
export function lineOf(path: string): string | undefined {
  return /^lines\.\d+/.exec(path)?.[0];
}
