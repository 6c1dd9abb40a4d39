type Forms<Form extends string> = Partial<Record<Form, string>> & { other: string };

const rules: Record<string, Intl.PluralRules> = {};

export function plural(language: string, count: number, forms: Forms<Intl.LDMLPluralRule>): string {
  const rule = (rules[language] ??= new Intl.PluralRules(language));
  return forms[rule.select(count)] ?? forms.other;
}

/** Selects the form for a value of a fixed set; `other` is the fallback. */
export function select(value: string, forms: Forms<string>): string {
  return forms[value] ?? forms.other;
}
