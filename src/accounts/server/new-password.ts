import { readFileSync } from 'node:fs';
import { m } from '#messages';
import { invalid } from '#platform/errors.ts';

/** The commonest passwords, read when the first password is chosen. */
let common: ReadonlySet<string> | null = null;

function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split('\n'));
  return common;
}

/**
 * Refuses a new password that attackers try first: one of the commonest, also in capitals or with some digits and signs
 * at its ends. Also refuses one with little more than its person's name or address, or the shop's name. Throws 422 on `field`.
 */
export function refuseCommonPassword(password: string, field: string, names: readonly string[]): void {
  const weakness = weaknessOf(password, names);
  if (weakness !== null) throw invalid(field, weakness);
}

/** Why a password is tried first, in words; null if it is not. */
export function weaknessOf(password: string, names: readonly string[]): string | null {
  if (isCommon(password)) return m.accounts_password_common();
  return isNamed(password, names) ? m.accounts_password_named() : null;
}

function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  const bare = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return (
    commonPasswords().has(plain) || commonPasswords().has(password) || (bare.length >= 8 && commonPasswords().has(bare))
  );
}

/** The rest beside the names must be worth something by itself. */
const leastBeside = 4;

function isNamed(password: string, names: readonly string[]): boolean {
  const words = names
    .flatMap((name) => [lettersOf(name), ...name.split(/[\s@._-]+/).map(lettersOf)])
    .filter((word) => word.length >= 3)
    .toSorted((a, b) => b.length - a.length);
  let left = lettersOf(password);
  const before = left.length;
  for (const word of words) left = left.replaceAll(word, '');
  return left.length < before && left.replaceAll(/\d/g, '').length < leastBeside;
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
