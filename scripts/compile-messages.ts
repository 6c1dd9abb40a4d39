import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse, type Token } from '@messageformat/parser';
import {
  type BoardLanguage,
  boardLanguages,
  defaultLanguage,
  type Language,
  languages,
} from '../src/platform/languages.ts';
import type { MessagePart, MessageTemplate } from '../src/platform/message-forms.ts';

export type Catalogue = Record<string, string>;

const root = new URL('../', import.meta.url);
const output = new URL('src/messages.gen/', root);

// `npm run messages` compiles the catalogues of all domains to a function per message, and lists missing messages.
if (import.meta.main) {
  const base = readCatalogues(defaultLanguage);
  for (const language of languages) {
    const catalogue = readCatalogues(language);
    writeLanguage(language, catalogue, base);
    if (process.argv[2] === '--list') process.stdout.write(untranslatedSummary(language, catalogue, base));
  }
  writeBoard(base);
}

/**
 * Lists the messages that the language lacks, in one line for each domain. Pages show these messages in the default
 * language.
 */
export function untranslatedSummary(language: string, catalogue: Catalogue, base: Catalogue): string {
  const all = Map.groupBy(Object.keys(base), (key) => key.split('_', 1)[0]);
  const lacking = Map.groupBy(untranslatedKeys(language, catalogue, base), (key) => key.split('_', 1)[0]);
  const lines = [...lacking].map(([domain, keys]) => {
    const total = all.get(domain)?.length ?? 0;
    return `  ${domain}: ${keys.length === total ? `all ${total}` : `${keys.length} of ${total}: ${keys.join(', ')}`}\n`;
  });
  return lines.length === 0
    ? ''
    : `${language} lacks these messages, which are shown in ${defaultLanguage}:\n${lines.join('')}`;
}

/**
 * Writes each language in two forms. The server loads one module with all messages. Browsers get a module per message,
 * so that a bundler can put each message into the chunk that uses it.
 */
function writeLanguage(language: Language, catalogue: Catalogue, base: Catalogue): void {
  const lacking = untranslatedKeys(language, catalogue, base);
  const messages = Object.entries(catalogue).map(([key, text]) => [key, compileMessage(language, key, text)] as const);
  const head = `import { plural, select } from '#platform/message-forms.ts';\n`;
  const inDefault = (name: string) => `../${defaultLanguage}/${name}.ts`;
  const files = {
    all: head + messages.map(([, code]) => code).join('') + reExport(lacking, () => inDefault('all')),
    each: reExport(Object.keys(catalogue), (key) => `./${key}.ts`) + reExport(lacking, inDefault),
    only: `export * as m from './each.ts';\nexport const currentLanguage = () => '${language}' as const;\n`,
    ...Object.fromEntries(messages.map(([key, code]) => [key, head + code])),
  };
  writeFolder(language, Object.fromEntries(Object.entries(files).map(([name, code]) => [`${name}.ts`, code])));
}

/**
 * Writes the messages of the office's build. The order board can change its language while it is open, so each of its
 * other languages gets a JSON file. The file lists the message templates in the order of `boardMessageKeys`.
 */
function writeBoard(base: Catalogue): void {
  const keys = boardMessageKeys();
  const others = Object.keys(base).filter((key) => !keys.includes(key));
  const head =
    `import { plural, select } from '#platform/message-forms.ts';\n` +
    `import { boardMessage } from '#platform/web/screen-language.ts';\n`;
  const messages = keys.map((key, index) => {
    const code = compileMessage(defaultLanguage, key, base[key] ?? '');
    return [
      `${key}.ts`,
      head + code.replace(/ = (.*);\n$/s, (_, message) => ` = /* @__PURE__ */ boardMessage(${index}, ${message});\n`),
    ];
  });
  const translated = Object.keys(boardLanguages).flatMap((language) =>
    language === defaultLanguage
      ? []
      : [[`${language}.json`, JSON.stringify(templatesOf(language as BoardLanguage, keys, base))]],
  );
  writeFolder('board', {
    'each.ts': reExport(keys, (key) => `./${key}.ts`) + reExport(others, (key) => `../${defaultLanguage}/${key}.ts`),
    'only.ts': `export * as m from './each.ts';\nexport { currentLanguage } from '#platform/web/screen-language.ts';\n`,
    ...Object.fromEntries([...messages, ...translated]),
  });
}

/**
 * Returns the keys of the board's messages. The Turkish catalogue has exactly these keys, because Turkish is a language
 * of the board only.
 */
export function boardMessageKeys(): string[] {
  return Object.keys(readCatalogues('tr'));
}

/**
 * A language's templates in the order of `keys`. The name of an allergen is followed by its English name in brackets.
 */
export function templatesOf(language: BoardLanguage, keys: readonly string[], base: Catalogue): MessageTemplate[] {
  const catalogue = readCatalogues(language);
  return keys.map((key) => {
    const text = catalogue[key];
    if (text === undefined) throw new Error(`${language} lacks the board's message ${key}.`);
    const template = templateOf(parse(text, { strict: true }));
    const isAllergen = key.startsWith('menu_allergen_');
    return isAllergen && text !== base[key] ? `${text} (${base[key]})` : template;
  });
}

function templateOf(tokens: readonly Token[]): MessageTemplate {
  const parts = tokens.map((token): MessagePart => {
    if (token.type === 'content') return token.value;
    if (token.type === 'argument') return [token.arg];
    if (token.type !== 'plural' && token.type !== 'select') throw new Error(`a ${token.type} is not known here`);
    const cases = Object.fromEntries(token.cases.map((each) => [each.key, templateOf(each.tokens)]));
    return [token.arg, token.type, cases];
  });
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
}

/**
 * Writes a folder's files and removes others. An unchanged file is not written, because watchers would see a change.
 */
function writeFolder(name: string, files: Record<string, string>): void {
  const folder = new URL(`${name}/`, output);
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) if (!(old in files)) rmSync(new URL(old, folder));
  for (const [path, text] of Object.entries(files)) {
    const file = new URL(path, folder);
    if (readIfThere(file) !== text) writeFileSync(file, text);
  }
}

function readIfThere(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * The keys of the messages that a language's catalogue lacks. The default language's messages are used instead. Throws
 * for a key that the default language lacks.
 */
export function untranslatedKeys(language: string, catalogue: Catalogue, base: Catalogue): string[] {
  const unknown = Object.keys(catalogue).filter((key) => !(key in base));
  if (unknown.length > 0) throw new Error(`${language} has messages that ${defaultLanguage} lacks: ${unknown.join()}`);
  return Object.keys(base).filter((key) => !(key in catalogue));
}

/** Compiles a message in ICU's MessageFormat to a function's source. Throws if the message is invalid. */
export function compileMessage(language: string, key: string, text: string): string {
  try {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const tokens = parse(text, { cardinal: forms, strict: true });
    const inputs = Object.entries(inputsOf(tokens)).map(([name, type]) => `${name}: ${type}`);
    const parameter = inputs.length > 0 ? `i: { ${inputs.join('; ')} }` : '';
    return `export const ${key} = (${parameter}) => ${compileText(language, tokens)};\n`;
  } catch (error) {
    throw new Error(`The message ${key} in ${language} cannot be read: ${String(error)}`, { cause: error });
  }
}

/** The body of a template literal, with escaped special characters. */
function compileText(language: string, tokens: readonly Token[]): string {
  const parts = tokens.map((token) => {
    if (token.type === 'content')
      return token.value
        .replace(/[\\`]|\$(?=\{)/g, '\\$&')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r');
    if (token.type === 'argument') return `\${i.${token.arg}}`;
    if (token.type !== 'plural' && token.type !== 'select') throw new Error(`a ${token.type} is not known here`);
    if (!token.cases.some(({ key }) => key === 'other')) throw new Error('a form for "other" is missing');
    const cases = token.cases.map((each) => `${each.key}: ${compileText(language, each.tokens)}`).join(', ');
    return token.type === 'plural'
      ? `\${plural('${language}', i.${token.arg}, { ${cases} })}`
      : `\${select(i.${token.arg}, { ${cases} })}`;
  });
  return `\`${parts.join('')}\``;
}

/** The types of a message's values, by name. */
function inputsOf(tokens: readonly Token[], types: Record<string, string> = {}): Record<string, string> {
  for (const token of tokens) {
    if (token.type === 'argument') types[token.arg] ??= 'string | number';
    if (token.type !== 'plural' && token.type !== 'select') continue;
    types[token.arg] = token.type === 'plural' ? 'number' : 'string';
    for (const each of token.cases) inputsOf(each.tokens, types);
  }
  return types;
}

function reExport(keys: readonly string[], from: (key: string) => string): string {
  return keys.map((key) => `export { ${key} } from '${from(key)}';\n`).join('');
}

/**
 * Reads the messages of all domains in one language. Each domain's keys begin with its name, so no key exists twice.
 */
export function readCatalogues(language: string): Catalogue {
  const files = globSync(`src/*/messages.${language}.json`, { cwd: root }).sort();
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(new URL(file, root), 'utf8')) as Catalogue));
}
