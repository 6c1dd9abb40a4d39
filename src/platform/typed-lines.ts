const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/** The trimmed lines of a typed text, without empty lines at its ends. Several empty lines in a row become one. */
export function trimTypedLines(text: string): string[] {
  const lines = text.split(lineBreak).map((line) => line.trim());
  return lines.filter((line, place) => {
    if (line !== '') return true;
    return lines[place - 1] !== '' && lines.slice(0, place).some(Boolean) && lines.slice(place).some(Boolean);
  });
}
