/** The catalogues' languages, as in `<html lang>`. The first one is the fallback for missing messages. */
export const languages = ['en', 'pl'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage = 'en' satisfies Language;
