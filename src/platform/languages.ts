/** The catalogues' languages, as in `<html lang>`. The first one is the fallback for missing messages. */
export const languages = ['en', 'pl'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage = 'en' satisfies Language;

/**
 * The languages of the order board, each with its name in that language. `isByMachine` becomes false once a native
 * speaker has read the language's messages.
 */
export const boardLanguages = {
  en: { name: 'English', isByMachine: false },
  pl: { name: 'Polski', isByMachine: true },
  tr: { name: 'Türkçe', isByMachine: true },
  'zh-Hans': { name: '简体中文', isByMachine: true },
} as const;
export type BoardLanguage = keyof typeof boardLanguages;
