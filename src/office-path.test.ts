import { expect, test } from 'vitest';
import { isOfficePath, pages } from '#pages.ts';

test("the staff's pages are told by their paths, and no customer's page is taken for one", () => {
  for (const [path, { face }] of Object.entries(pages)) expect(isOfficePath(path), path).toBe(face === 'office');
});
