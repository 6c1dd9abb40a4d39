import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parse, type Token } from '@messageformat/parser';
import { describe, expect, test } from 'vitest';
import { keysOf } from '#platform/keys-of.ts';
import { boardLanguages } from '#platform/languages.ts';

/** Words of developers, which no cook, owner or customer needs to know. */
const developers: Record<string, RegExp> = {
  'an environment variable': /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\benvironment variable/,
  'a command': /\b(?:npm|npx|lpstat|curl|sudo|systemctl|docker)\b|`/,
  'a path of the repository': /\b(?:docs|src|scripts)\/|\.md\b/,
  'a header': /\bX-[A-Z][\w-]+|\bIdempotency-Key\b/,
  'a data format or a call': /\b(?:JSON|payload|endpoints?|body|boolean|null|undefined|URI|OpenAPI)\b/,
  'a part of the machinery': /\b(?:webhooks?|cron|daemon|stack trace|backend|frontend|localhost|stdout|log file)\b/i,
};

/** Words of the code that have another one on screens (docs/words.md). */
const retired: Record<string, RegExp> = {
  'option group, on screens: choices': /\boption groups?\b/i,
  'session of opening hours, on screens: opening': /\bsessions?\b/i,
  'trading day, on screens: day': /\btrading days?\b/i,
  'outward code, on screens: first half of the postcode': /\boutward codes?\b|\bsectors?\b/i,
  'held card, for staff: approved': /\bCARD (?:NOT )?HELD\b/,
  'put away, on screens: hide': /\bput away\b/i,
  'item or line, on screens: dish': /(?<!neither )\b(?:items?|lines? of (?:the|an) order)\b/i,
  'mail, on screens: email': /\bmails?\b(?! server)/i,
  'admin, on screens: owner': /\badmins?\b/i,
};

/** Messages that only programs are sent, with what they name. */
const forPrograms = new Set([
  'ordering_key_of_another_call',
  'payment_webhook_unsigned',
  'platform_malformed_json',
  'platform_unsupported_media_type',
  'platform_file_wanted',
  'platform_body_compressed',
  'platform_api_document',
  'accounts_proof_missing',
]);

/** Pages that show the names of somebody else's forms, or of a file's columns, as they stand there. */
const namesOfOthers: Record<string, RegExp> = {
  'Stripe’s pages, where a key is made': /^payment_(?:setup_open_webhooks|setup_key_webhook_secret)$/,
  'Google’s and Apple’s pages, where a client is made': /^accounts_guide_/,
  'the columns and sheets of a menu’s file': /^menu_import_/,
};

interface Message {
  key: string;
  language: string;
  text: string;
}

const messages: Message[] = globSync('src/*/messages.*.json').flatMap((file) => {
  const [, language = ''] = basename(file).split('.');
  // A file of messages is an object of texts: the compiler of messages refuses others.
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return Object.entries(texts).map(([key, text]) => ({ key, language, text: said(text) }));
});

/** A message's words alone, of all its forms: for a value stands an ellipsis. */
function said(text: string): string {
  return wordsOf(parse(text));
}

function wordsOf(tokens: readonly Token[]): string {
  const words = tokens.map((token) => {
    if (token.type === 'content') return token.value;
    return 'cases' in token ? token.cases.map((one) => wordsOf(one.tokens)).join(' / ') : '…';
  });
  return words.join('');
}

const faultsOf = (list: readonly Message[], words: Record<string, RegExp>): string[] =>
  list
    .filter(({ key }) => !forPrograms.has(key) && !Object.values(namesOfOthers).some((keys) => keys.test(key)))
    .flatMap(({ key, text }) => {
      const found = Object.entries(words).find(([, word]) => word.test(text));
      return found ? [`${key} has ${found[0]}: ${text.slice(0, 80)}`] : [];
    });

describe('the words on screens', () => {
  test('are read from every domain, in every language', () => {
    expect(new Set(messages.map(({ language }) => language))).toEqual(new Set(keysOf(boardLanguages)));
    expect(globSync('src/*/messages.en.json').map(dirname).length).toBeGreaterThan(15);
  });

  test('name nothing that only developers know', () => expect(faultsOf(messages, developers)).toEqual([]));

  test('are those of docs/words.md', () => {
    const english = messages.filter(({ language }) => language === 'en');
    expect(faultsOf(english, retired)).toEqual([]);
  });

  test.each<[string, Record<string, RegExp>, string[]]>([
    [
      'developers alone know them',
      developers,
      [
        'Set APP_URL to its address.',
        'Ustaw APP_URL.',
        'Build it with npm run android.',
        'Send X-Forwarded-For.',
        'docs/operations.md has every step.',
        'The body is not valid JSON.',
        'Check the webhook.',
      ],
    ],
    [
      'screens have another word',
      retired,
      [
        'New option group',
        'Add a session',
        'The trading day starts at',
        'Outward codes like CV21',
        'CARD HELD',
        'Put away',
        '{count, plural, one {{count} item} other {{count} items}}',
        'Read a mail',
        'the only admin',
      ],
    ],
  ])('are refused where %s', (_, words, texts) => {
    for (const text of texts)
      expect(faultsOf([{ key: 'a', language: 'en', text: said(text) }], words), text).toHaveLength(1);
  });

  test('are let through only where a message has them', () => {
    const keys = new Set(messages.map(({ key }) => key));
    expect([...forPrograms].filter((key) => !keys.has(key))).toEqual([]);
    for (const [name, one] of Object.entries(namesOfOthers))
      expect(
        [...keys].some((key) => one.test(key)),
        name,
      ).toBe(true);
  });
});
