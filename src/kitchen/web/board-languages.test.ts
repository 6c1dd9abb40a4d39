import { parse } from '@messageformat/parser';
import { describe, expect, test } from 'vitest';
import * as polish from '../../messages.gen/pl/all.ts';
import { boardMessageKeys, readCatalogues, templatesOf } from '../../../scripts/compile-messages.ts';
import { keysOf } from '#platform/keys-of.ts';
import { boardLanguages } from '#platform/languages.ts';
import { fillTemplate } from '#platform/web/fetch-screen-words.ts';
import { reachFrom, wordsOf } from '#testing/said-words.ts';

/** The kitchen's page: its frame, the board, and the state of a tablet. */
const entries = [
  'src/office/web/office-shell.tsx',
  'src/office/web/tablet/tablet-status.tsx',
  'src/kitchen/web/board/order-board.tsx',
  'src/kitchen/web/wall/wall-screens.tsx',
];

/** Parts that the frame shows only to the owner, or only around the office's pages. */
const forOwner =
  /accounts\/web\/factors\/|src\/backup\/|office\/web\/(first-shop|guided-set-up\/|installation-faults|navigation|search-|sidebar|versions|device-push)|payment\/key-problem-words|payment\/web\/(card-payments-band|refund-dialog)/;

/** Messages that shared modules have for the office, for mails or for customers. */
const unshown = new RegExp(
  [
    'mail_kind_(?!order)|mail_state_\\w+_hint',
    'menu_(allergens_not|by_|contains|may_contain|partly_|spice_)',
    'office_(first_evening|forget_|list_(any|from|select|to)|search)',
    'ordering_(card_|every_order|head_|nothing_|order_|paid_|postcode_|refunded_|rejected_|step_|to_pay_)',
    'ordering_removed_(held|in_all|not_charged|to_pay)',
    'payment_(check_|dispute_(?!status)|keys_|mark|method_terminal|short)',
    'printing_(fault_(address|no_print|no_queue|queue)|paper_low)',
    'printing_office_(channel|copies|fulfilment|kind|model|only|prints|state)',
    'store_(home_|manage_clocks|ready_|sign_(closed|paused)$)',
  ]
    .map((part) => `^(${part})`)
    .join('|'),
);

const english = readCatalogues('en');
const keys = boardMessageKeys();
const translations = keysOf(boardLanguages).filter((language) => language !== 'en');

const shown = new Map(
  [...reachFrom(entries, (file) => forOwner.test(file))].flatMap((file) =>
    wordsOf(file).flatMap((word) => (word in english ? [[word, file] as const] : [])),
  ),
);

describe.each(translations)('the board in %s', (language) => {
  test('has every word', () => {
    const catalogue = readCatalogues(language);
    const missing = [...shown].filter(([word]) => !(word in catalogue) && !unshown.test(word));
    expect(shown.size).toBeGreaterThan(700);
    expect(missing.map(([word, file]) => `${word}, shown by ${file}`)).toEqual([]);
    expect(keys.filter((key) => !(key in catalogue))).toEqual([]);
  });

  test('has no word that no part of the board shows', () => {
    const own = language === 'pl' ? keys : Object.keys(readCatalogues(language));
    expect(own.filter((key) => !shown.has(key))).toEqual([]);
  });

  test('names an allergen in English too', () => {
    const templates = templatesOf(language, keys, english);
    const names = keys.flatMap((key, at) => (key.startsWith('menu_allergen_') ? [[key, templates[at]] as const] : []));
    expect(names).toHaveLength(14);
    for (const [key, name] of names) {
      expect(name === english[key] || String(name).endsWith(` (${english[key]})`), `${key}: ${String(name)}`).toBe(
        true,
      );
    }
  });
});

test('a fetched template says the same as the compiled message', () => {
  const templates = templatesOf('pl', keys, english);
  const compiled = polish as unknown as Record<string, (inputs: object) => string>;
  for (const [at, key] of keys.entries()) {
    if (key.startsWith('menu_allergen_')) continue;
    for (const count of [0, 1, 2, 5, 12, 22]) {
      const names = new Set(
        [...JSON.stringify(parse(english[key] ?? '')).matchAll(/"arg":"(\w+)"/g)].map(([, name]) => name),
      );
      const inputs = Object.fromEntries([...names].map((name) => [name, name === 'way' ? 'delivery' : count]));
      expect(fillTemplate(templates[at] ?? '', 'pl', inputs), key).toBe(compiled[key]?.(inputs));
    }
  }
});
