interface CalendarEvent {
  uid: string;
  from: Date;
  to: Date;
  summary: string;
  location: string;
  url: string;
}

/** A calendar file (RFC 5545) with one event, in UTC. */
export function calendarFile({ uid, from, to, summary, location, url }: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hatch//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp(from)}`,
    `DTSTART:${stamp(from)}`,
    `DTEND:${stamp(to)}`,
    `SUMMARY:${escaped(summary)}`,
    ...(location ? [`LOCATION:${escaped(location)}`] : []),
    `URL:${url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function stamp(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`);
}

/** Folds a line, which may have 75 octets at most. A part of 18 characters has at most 72 octets. */
function folded(line: string): string {
  const characters = [...line];
  if (new TextEncoder().encode(line).length <= 75) return line;
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += 18) parts.push(characters.slice(at, at + 18).join(''));
  return parts.join('\r\n ');
}
