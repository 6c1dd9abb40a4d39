import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { attacks } from './attack/attacks.ts';

const text = readFileSync('docs/security.md', 'utf8');
const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
  ([, number = '', state = '', how = '', tests = '']) => ({ number, state, how, tests }),
);

/** The numbers of levels 1 and 2 in the chapters that the table has whole, as many as each section has. */
const whole: Record<string, number[]> = {
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  '6.3': [1, 2, 3, 4],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '9.1': [1, 2, 3],
  '9.2': [1, 2, 3, 4],
  '10.1': [1, 2],
  '10.2': [1, 2],
  '10.3': [1, 2, 3, 4],
  '10.4': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '10.5': [1, 2, 3, 4, 5],
  '10.6': [1, 2],
  '10.7': [1, 2, 3],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
};

describe('the table of ASVS', () => {
  test('names only tests that exist', () => {
    const named = rows.flatMap(({ tests }) => [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((file) => !existsSync(file) || !/\.(test|spec)\.ts$/.test(file))).toEqual([]);
  });

  test('has every number of the chapters that it calls whole, once', () => {
    const numbers = rows.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    const wanted = Object.entries(whole).flatMap(([section, ends]) => ends.map((end) => `${section}.${end}`));
    expect(wanted.filter((number) => !numbers.includes(number))).toEqual([]);
  });

  test('says for each number how, or why not', () => {
    const silent = rows.filter(({ state, how }) => !['held', 'part', 'open', 'n/a'].includes(state) || how.length < 8);
    expect(silent).toEqual([]);
  });
});

test('the table of attacks has a line for each', () => {
  const missing = attacks.filter(({ name, load }) => !text.includes(`| ${name} | ${load} |`));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe('what the table says of all of the product', () => {
  const product = globSync('src/**/*.{ts,tsx}')
    .filter((file) => !/\/testing\/|\.test\.tsx?$|messages\.gen/.test(file))
    .map((file) => ({ file, code: readFileSync(file, 'utf8') }));
  const filesWith = (pattern: RegExp) => product.flatMap(({ file, code }) => (pattern.test(code) ? [file] : []));

  test('1.2.5: programs are started without a shell', () => {
    expect(filesWith(/from 'node:child_process'/).length).toBeGreaterThan(2);
    expect(filesWith(/import \{[^}]*\b(exec|execSync)\b[^}]*\} from 'node:child_process'|\bshell: (true|')/)).toEqual(
      [],
    );
  });

  test('1.3.2: no text becomes code', () => {
    expect(filesWith(/\beval\(|\bnew Function\(|setTimeout\(['"`]/)).toEqual([]);
  });

  test('16.1.1: what the log is said to have, the code writes', () => {
    const [, table = ''] = /## What is recorded, and where[^]*?\| event \|([^]*?)\n\n/.exec(text) ?? [];
    const messages = [...table.matchAll(/`([^`]+)`/g)]
      .map(([, message = '']) => message)
      .filter((message) => !/^(GET |npm |failed$|throttled$|refused$)/.test(message));
    expect(messages.length).toBeGreaterThan(10);
    const code = product.map((one) => one.code).join('\n');
    expect(messages.filter((message) => !code.includes(`'${message}'`))).toEqual([]);
  });

  test('16.2.3: the log is written in one place, and the rest is what the start says', () => {
    expect(filesWith(/\bpino\(/)).toEqual(['src/platform/server/log.ts']);
    expect(filesWith(/\bconsole\./).filter((file) => !file.includes('/web/'))).toEqual([]);
    expect(filesWith(/\bwriteStartLines\b/).toSorted()).toEqual(['src/platform/server/log.ts', 'src/server.ts']);
  });

  test('15.3.2: no call of the server follows a redirect', () => {
    const calls = product.flatMap(({ file, code }) =>
      file.includes('/server/')
        ? [...code.matchAll(/\bfetch\((?:url|base|webhookUrl\(\)|`\$\{base\})[^]*?, \{([^]*?)signal/g)].map(
            ([, options = '']) => ({
              file,
              options,
            }),
          )
        : [],
    );
    expect(calls.map(({ file }) => file).toSorted()).toEqual([
      // With what openid-client passes on, which is `redirect: 'manual'`.
      'src/accounts/server/social/provider-client.ts',
      'src/alerts/server/alert-owner.ts',
      'src/payment/server/sandbox/sandbox.ts',
      'src/platform/server/files/s3.ts',
      'src/store/server/address-lookup.ts',
    ]);
    expect(calls.filter(({ options }) => !/redirect: '(error|manual)'|\.\.\.options/.test(options))).toEqual([]);
  });

  test('6.5.3, 11.5.1: what nobody may guess comes from the system', () => {
    expect(filesWith(/randomBytes|randomUUID/).length).toBeGreaterThan(10);
    // A page's name among its tabs, and the spreading of many reconnections, are no secrets.
    expect(filesWith(/Math\.random/).toSorted()).toEqual([
      'src/platform/web/durable-queue.ts',
      'src/realtime/server/accept-sockets.ts',
      'src/realtime/web/realtime-client.ts',
    ]);
  });
});
