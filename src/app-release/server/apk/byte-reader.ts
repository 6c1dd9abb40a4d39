/** The bytes are malformed: too short, a wrong count, an offset outside. */
export class Unreadable extends Error {}

/** Reads little-endian numbers and parts of bytes that a stranger made: whatever lies outside throws `Unreadable`. */
export class ByteReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  u8(): number {
    return this.take(1).readUInt8();
  }

  u16(): number {
    return this.take(2).readUInt16LE();
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  /** Throws for a size that no file has, instead of rounding it. */
  u64(): number {
    const value = this.take(8).readBigUInt64LE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Unreadable('a number of 64 bits');
    return Number(value);
  }

  take(length: number): Buffer {
    if (length < 0 || length > this.left) throw new Unreadable(`${length} bytes at ${this.at}`);
    const part = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return part;
  }

  skip(length: number): void {
    this.take(length);
  }

  /** A part that begins with its length in 32 bits. */
  sized(): ByteReader {
    return new ByteReader(this.take(this.u32()));
  }

  /** All the parts that are left, each with its length. */
  parts(): ByteReader[] {
    const parts: ByteReader[] = [];
    while (this.left > 0) parts.push(this.sized());
    return parts;
  }
}
