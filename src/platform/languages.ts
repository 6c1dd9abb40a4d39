/** The catalogues' languages, as in `<html lang>`. The first one is the fallback for missing messages. */
export const languages = ['en', 'pl'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage = 'en' satisfies Language;

/**
 * The languages of the order board, named in themselves. A speaker who has read a language's catalogue clears its flag,
 * for every shop.
 */
export const boardLanguages = {
  en: { name: 'English', isByMachine: false },
  pl: { name: 'Polski', isByMachine: true },
  tr: { name: 'Türkçe', isByMachine: true },
  'zh-Hans': { name: '简体中文', isByMachine: true },
} as const;
export type BoardLanguage = keyof typeof boardLanguages;
