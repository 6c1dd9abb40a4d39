import { LRUCache } from 'lru-cache';

/** How an answer's bytes are written. */
export type Encoding = 'identity' | 'br' | 'gzip';

/** Browsers send few different headers. */
const known = new LRUCache<string, Encoding>({ max: 100 });

/** The smallest encoding that an `Accept-Encoding` header (RFC 9110, 12.5.3) accepts. */
export function encodingFor(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity';
  const before = known.get(accepted);
  if (before) return before;
  const encoding = smallestOf(accepted);
  known.set(accepted, encoding);
  return encoding;
}

function smallestOf(accepted: string): Encoding {
  if (takes(accepted, 'br')) return 'br';
  return takes(accepted, 'gzip') ? 'gzip' : 'identity';
}

function takes(accepted: string, name: string): boolean {
  return accepted.split(',').some((part) => {
    const [coding = '', weight = ''] = part.toLowerCase().split(';');
    return coding.trim() === name && !/^\s*q=0(\.0*)?\s*$/.test(weight);
  });
}
