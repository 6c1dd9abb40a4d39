import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect as expectAtOnce, test } from './shop.ts';
import { expectAccessible } from './accessible.ts';

// A busy machine is slow.
test.setTimeout(120_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });

test('without hardware an owner starts a printer, watches the paper come out, takes it out and puts it in again', async ({
  shop,
  window,
}) => {
  const wanted = {
    store_id: shop.storeId,
    name: 'Pass',
    kind: 'star_cloudprnt',
    profile: 'star-mc-print',
    width_mm: 80,
  };
  const added = await shop.api('POST', '/v1/printers', wanted, shop.adminToken);
  const { id, poll_url: pollUrl, username, secret } = added.body['data'] as Record<string, string>;
  const signIn = ['--url', pollUrl, '--user', username, '--secret', secret].map(String);
  const program = spawn(process.execPath, ['scripts/printer.ts', '--star', ...signIn, '--page', '0']);
  try {
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: program.stdout }).on('line', (line) => {
        const [found] = /http:\/\/127\.0\.0\.1:\d+$/.exec(line) ?? [];
        if (found) resolve(found);
      });
      program.once('exit', (code) => reject(new Error(`The printer ended: ${code}`)));
    });
    const page = await window();
    await page.goto(url);
    await expect(page.getByRole('status')).toContainText('Ready. Nothing was printed yet.');
    await shop.api('POST', `/v1/printers/${id}/test`, {}, shop.adminToken);
    await expect(page.getByRole('figure').getByRole('img')).toHaveAttribute('alt', /TEST PAGE/);
    // The picture itself has come, as wide as the paper.
    await expect.poll(() => page.evaluate('document.images[0].naturalWidth')).toBe(576);
    await expectAccessible(page, 'the page of a simulated printer');
    const state = async () => {
      const { body } = await shop.api('GET', '/v1/printers', undefined, shop.adminToken);
      const printers = body['data'] as { id: string; status: { fault: string | null } }[];
      return printers.find((printer) => printer.id === id)?.status.fault;
    };
    await page.getByRole('button', { name: 'Take the paper out' }).click();
    await expect(page.getByRole('status')).toContainText('There is no paper.');
    await expect.poll(state).toBe('paper_out');
    await page.getByRole('button', { name: 'Put a new roll in' }).click();
    await expect.poll(state).toBeNull();
    await shop.api('POST', `/v1/printers/${id}/rotate-secret`, {}, shop.adminToken);
    await expect(page.getByRole('status')).toContainText('The shop refuses the name or the secret (401).');
  } finally {
    program.kill();
    await shop.api('DELETE', `/v1/printers/${id}`, undefined, shop.adminToken);
  }
});
