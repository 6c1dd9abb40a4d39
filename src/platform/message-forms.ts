type Forms<Form extends string> = Partial<Record<Form, string>> & { other: string };

const rules: Record<string, Intl.PluralRules> = {};

/** What is said of a number, by the plural forms that a language's grammar has. */
export function plural(language: string, count: number, forms: Forms<Intl.LDMLPluralRule>): string {
  const rule = (rules[language] ??= new Intl.PluralRules(language));
  return forms[rule.select(count)] ?? forms.other;
}

/** What is said of a value that is one of a few. */
export function select(value: string, forms: Forms<string>): string {
  return forms[value] ?? forms.other;
}
