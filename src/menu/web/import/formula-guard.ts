/** Text that a spreadsheet would read as a formula. An apostrophe before it means "text"; reading removes it. */
const formula = /^[=+\-@\t\r]/;
/** Text that has such an apostrophe already: it gets another, so that its own stays. */
const guarded = /^'+[=+\-@\t\r]/;

/** For a CSV. A single minus empties a field, and is not a formula. */
export function guardFormula(text: string): string {
  return (formula.test(text) && text !== '-') || guarded.test(text) ? `'${text}` : text;
}

/** For a workbook, whose cells are text already. */
export function guardApostrophe(text: string): string {
  return guarded.test(text) ? `'${text}` : text;
}

export function unguardFormula(text: string): string {
  return guarded.test(text) ? text.slice(1) : text;
}
