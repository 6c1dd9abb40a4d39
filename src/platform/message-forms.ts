type Forms<Form extends string> = Partial<Record<Form, string>> & { other: string };

const rules: Record<string, Intl.PluralRules> = {};

export function plural(language: string, count: number, forms: Forms<Intl.LDMLPluralRule>): string {
  return forms[pluralForm(language, count)] ?? forms.other;
}

export function pluralForm(language: string, count: number): Intl.LDMLPluralRule {
  return (rules[language] ??= new Intl.PluralRules(language)).select(count);
}

/** Selects the form for a value of a fixed set; `other` is the fallback. */
export function select(value: string, forms: Forms<string>): string {
  return forms[value] ?? forms.other;
}

/**
 * A message's text, or the message's parts if it has inputs. The type is plain JSON, so that a page can fetch messages.
 */
export type MessageTemplate = string | MessagePart[];
/** A text, the name of an input, or the templates among which an input's value chooses. */
export type MessagePart = string | [name: string] | [name: string, by: 'plural' | 'select', cases: Cases];
type Cases = Record<string, MessageTemplate>;
