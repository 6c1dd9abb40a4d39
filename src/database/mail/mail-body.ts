/** A part of a mail: a paragraph, or rows of a name and a value. */
export type MailPart = string | { link: string; words: string } | { rows: readonly (readonly [string, string])[] };

/** A mail's parts as plain text and as HTML for every mail program: no pictures, no external styles. */
export function mailBody(language: string, parts: readonly MailPart[]): { text: string; html: string } {
  return {
    text: `${parts.map(asText).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${escape(language)}"><head><meta charset="utf-8"></head>
<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5; max-width: 36em; margin: 1em auto; padding: 0 1em">
${parts.map(asHtml).join('\n')}
</body></html>
`,
  };
}

function asText(part: MailPart): string {
  if (typeof part === 'string') return plain(part);
  if ('link' in part) return `${plain(part.words)}\n${part.link}`;
  return part.rows.map(([name, value]) => plain(`${name}: ${value}`)).join('\n');
}

function asHtml(part: MailPart): string {
  if (typeof part === 'string') return `<p>${lines(part)}</p>`;
  if ('link' in part) return `<p><a href="${escape(part.link)}">${lines(part.words)}</a></p>`;
  const rows = part.rows.map(
    ([name, value]) =>
      `<tr><td style="padding: 2px 1em 2px 0; vertical-align: top">${lines(name)}</td><td style="padding: 2px 0; vertical-align: top">${lines(value)}</td></tr>`,
  );
  return `<table style="border-collapse: collapse">${rows.join('')}</table>`;
}

/** Spaces and joiners against line breaks have no meaning in plain text. */
function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ').replaceAll('\u2060', '');
}

function lines(text: string): string {
  return escape(text).replaceAll('\n', '<br>');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
