/** How an answer's bytes are written. */
export type Encoding = 'identity' | 'br' | 'gzip';

/** The smallest encoding that an `Accept-Encoding` header (RFC 9110, 12.5.3) accepts. */
export function encodingFor(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity';
  if (takes(accepted, 'br')) return 'br';
  return takes(accepted, 'gzip') ? 'gzip' : 'identity';
}

function takes(accepted: string, name: string): boolean {
  return accepted.split(',').some((part) => {
    const [coding = '', weight = ''] = part.toLowerCase().split(';');
    return coding.trim() === name && !/^\s*q=0(\.0*)?\s*$/.test(weight);
  });
}
