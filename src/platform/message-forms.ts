type Forms<Form extends string> = Partial<Record<Form, string>> & { other: string };

const rules: Record<string, Intl.PluralRules> = {};

/** The text for a number, by the plural forms of the language's grammar. */
export function plural(language: string, count: number, forms: Forms<Intl.LDMLPluralRule>): string {
  const rule = (rules[language] ??= new Intl.PluralRules(language));
  return forms[rule.select(count)] ?? forms.other;
}

/** The text for a value of a fixed set. */
export function select(value: string, forms: Forms<string>): string {
  return forms[value] ?? forms.other;
}
