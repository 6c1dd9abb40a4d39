/** The languages that the catalogues are written in, as in `<html lang>`; a message that one lacks is said in the first. */
export const languages = ['en', 'pl'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage = 'en' satisfies Language;
