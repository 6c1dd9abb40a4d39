import { timingSafeEqual } from 'node:crypto';

/** Takes the same time wherever the two differ; only a different length can be noticed. */
export function equalInConstantTime(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
