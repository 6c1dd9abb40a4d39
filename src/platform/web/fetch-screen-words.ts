import type { BoardLanguage } from '#platform/languages.ts';
import { type MessageTemplate, pluralForm } from '#platform/message-forms.ts';
import type { ScreenWords } from '#platform/web/screen-language.ts';

type Translated = Exclude<BoardLanguage, 'en'>;

/**
 * The addresses of the build's files. An address changes with the file's content, so that browsers cache the files for
 * ever.
 */
const addresses: Record<Translated, URL> = {
  pl: new URL('../../messages.gen/board/pl.json', import.meta.url),
  tr: new URL('../../messages.gen/board/tr.json', import.meta.url),
  'zh-Hans': new URL('../../messages.gen/board/zh-Hans.json', import.meta.url),
};

const fetched = new Map<BoardLanguage, ScreenWords>();

/** The words of a language, fetched once in the life of the page. Throws if they cannot be fetched now. */
export async function fetchScreenWords(language: Translated): Promise<ScreenWords> {
  const known = fetched.get(language);
  if (known) return known;
  const response = await fetch(addresses[language], { signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw new Error(`The words of ${language} were refused with ${response.status}.`);
  // The cast is right: `scripts/compile-messages.ts` wrote the file.
  const templates = (await response.json()) as MessageTemplate[];
  const words = templates.map((template) => (inputs: Inputs) => fillTemplate(template, language, inputs));
  fetched.set(language, words);
  return words;
}

type Inputs = Record<string, string | number>;

/** Fills in a template's inputs, as the compiled function of the same message does. */
export function fillTemplate(template: MessageTemplate, language: string, inputs: Inputs): string {
  if (typeof template === 'string') return template;
  const texts = template.map((part) => {
    if (typeof part === 'string') return part;
    const [name, by, cases = {}] = part;
    const value = inputs[name] ?? '';
    if (by === undefined) return String(value);
    const form = by === 'plural' ? pluralForm(language, Number(value)) : value;
    return fillTemplate(cases[form] ?? cases['other'] ?? '', language, inputs);
  });
  return texts.join('');
}
