import { expect, test } from 'vitest';
import { readMailedToken } from '#accounts/web/mailed-token.ts';

test.each([
  ['/reset-password#token=a-b_c', 'a-b_c'],
  // In the form that links of earlier releases have.
  ['/reset-password?token=a-b_c', 'a-b_c'],
  ['/reset-password?token=old#token=new', 'new'],
  ['/reset-password#content', ''],
  ['/reset-password', ''],
])('the secret of the link %s is "%s"', (link, token) => {
  expect(readMailedToken(new URL(link, 'https://shop.example'))).toBe(token);
});
