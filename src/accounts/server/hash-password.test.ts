import { describe, expect, test } from 'vitest';
import { refuseCommonPassword } from '#accounts/server/hash-password.ts';
import { AppError } from '#platform/errors.ts';

const names = ['Ada Byron', 'ada.lovelace@example.com', 'Nonna’s Kitchen'];
const answer = (password: string) => {
  try {
    refuseCommonPassword(password, 'password', names);
    return 'taken';
  } catch (error) {
    return error instanceof AppError ? (error.detail.errors?.['password']?.[0] ?? '') : String(error);
  }
};

describe('a new password', () => {
  test.each(['password', '12345678', 'Password', 'QWERTYUIOP', 'football!', '1qaz2wsx', 'iloveyou', 'superman2026!'])(
    '%s is one of the commonest',
    (password) => expect(answer(password)).toContain('very common'),
  );

  test.each([
    'adabyron',
    'Byron1815!',
    'ada.byron2026',
    'nonnaskitchen',
    'Nonna’s Kitchen 1',
    'lovelace99',
    'Kitchen-2026',
  ])('%s says little more than a name', (password) => expect(answer(password)).toContain('name'));

  test.each([
    'correct horse',
    'ada rides a bicycle',
    'a long enough secret',
    'battery staple',
    'Kitchen full of steam',
    'ąęśćżźńó8',
  ])('%s is taken', (password) => expect(answer(password)).toBe('taken'));
});
