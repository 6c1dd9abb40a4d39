import { findFaultsInBoth } from './accessible.ts';
import { signedIn } from './people.ts';
import { expect, test } from './shop.ts';

// Everything on this machine is trusted, so that what the server answers behind a proxy elsewhere is put in its place here
// (`src/testing/behind-a-proxy.test.ts` asks the server).
test('the owner reads which proxies hide the customers, and that the database is too old', async ({ shop, window }) => {
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/audit');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('does not know the computer at')).toHaveCount(0);
  await page.route('**/v1/proxies/unknown', (route) =>
    route.fulfill({ json: { data: { addresses: ['172.18.0.2'], without_clients: ['127.0.0.1'] } } }),
  );
  const versions = { hatch: '1.0.0', data: null, postgres: '15.18', is_postgres_tested: false };
  await page.route('**/v1/versions', (route) => route.fulfill({ json: { data: versions } }));
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    const warning = page.getByRole('alert').filter({ hasText: 'does not know the computer at 172.18.0.2' });
    await expect(warning).toContainText('Show this to whoever runs the shop’s computer.');
    const silent = page.getByRole('alert').filter({ hasText: 'cannot tell its customers apart' });
    await expect(silent).toContainText(
      'Show this to whoever set up your web address: the computer at 127.0.0.1 has to pass on',
    );
    await expect(page.getByRole('alert').filter({ hasText: 'It is PostgreSQL 15.18' })).toBeVisible();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  }
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);
});
