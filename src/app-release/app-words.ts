/** `2.4 MB`. */
export function sizeWords(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes >= 0.1 ? `${megabytes.toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`;
}

/** A hash as certificates' fingerprints are written: `AA:BB:…`. */
export function fingerprintWords(hex: string): string {
  return (hex.toUpperCase().match(/../g) ?? []).join(':');
}
