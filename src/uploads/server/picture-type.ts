/**
 * Whether a file begins as a picture that browsers draw. Read before any decoder sees the file, because decoders know dozens of
 * formats, among them scripts (SVG) and documents.
 */
export function isPicture(file: Uint8Array): boolean {
  const text = (at: number, length: number) => String.fromCodePoint(...file.subarray(at, at + length));
  if (text(0, 3) === '\xff\xd8\xff') return true;
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return true;
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return true;
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP') return true;
  // AVIF is one of many kinds of this container.
  return text(4, 4) === 'ftyp' && brandsOf(file).some((brand) => brand === 'avif' || brand === 'avis');

  function brandsOf({ length }: Uint8Array): string[] {
    const size = Math.min(length, 128, new DataView(file.buffer, file.byteOffset).getUint32(0));
    const others = Array.from({ length: Math.max(0, Math.floor((size - 16) / 4)) }, (_, index) =>
      text(16 + index * 4, 4),
    );
    return [text(8, 4), ...others];
  }
}
