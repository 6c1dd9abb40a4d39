import { m } from '#messages';
import type { Problem } from '#ordering/basket.ts';
import { type BasketView, isDearer } from '#ordering/web/basket-view.ts';
import type { FieldErrors } from '#platform/errors.ts';

export function isOfTime({ path }: Problem): boolean {
  return path === 'requested_for';
}

/**
 * The problems to correct before the order is sent. A problem of a line is a question of its own; so is the time of an
 * order wanted as soon as possible, which the page or the shop's refusal asks about.
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
  for (const [place, shown] of view.lines.entries()) {
    if (isDearer(shown)) asked[`lines.${place}`] ??= [m.ordering_basket_price_ask({ name: shown.line.name })];
  }
  return asked;
}

/** The dishes that `askLines` asks about. */
export function askedDishes({ lines }: BasketView, asked: FieldErrors): string[] {
  return lines.flatMap(({ line, now }, place) => (asked[`lines.${place}`] ? [now?.name ?? line.name] : []));
}

/** Problems with part of a line are shown at the line. */
export function lineOf(path: string): string | undefined {
  return /^lines\.\d+/.exec(path)?.[0];
}
