import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from './shop.ts';
import { expectAccessible } from './accessible.ts';

// A busy machine is slow.

test('without hardware an owner starts a printer, watches the paper come out, takes it out and puts it in again; one for browsers shows what a board sends', async ({
  shop,
  window,
}) => {
  const page = await window();
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
  const program = spawn(process.execPath, ['simulators/printers/start.ts', '--star', ...signIn, '--page', '0']);
  try {
    const { url } = await started(program);
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

  // A printer for browsers shows what a board sends, and that the drawer opened, without paper.
  const another = spawn(process.execPath, ['simulators/printers/start.ts', '--browser', '--port', '0', '--page', '0']);
  try {
    const { url, lines } = await started(another);
    const [, address = ''] = /listens at ([\d.:]+):/.exec(lines.join(' ')) ?? [];
    const send = async (commands: string) => {
      const hex = Buffer.from(commands, 'latin1').toString('hex');
      const document = `<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"><command>${hex}</command></epos-print>`;
      const body = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${document}</s:Body></s:Envelope>`;
      const service = `http://${address}/cgi-bin/epos/service.cgi?devid=local_printer&timeout=10000`;
      const answer = await fetch(service, { method: 'POST', headers: { origin: 'http://board' }, body });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      return answer.text();
    };
    await page.goto(url);
    await expect(page.getByRole('status')).toContainText('Nothing was printed yet.');
    expect(await send('\x1bp\x00\x19\x19')).toContain('success="true"');
    await expect(page.getByText('The drawer opened, without paper.')).toBeVisible();
    await expect(page.getByRole('figure')).toHaveCount(0);
    expect(await send('\x1b@Chips\n\x1dV\x00')).toContain('success="true"');
    await expect(page.getByRole('figure').getByRole('img')).toHaveAttribute('alt', 'Chips');
    await page.getByRole('button', { name: 'Take the paper out' }).click();
    await expect(page.getByRole('status')).toContainText('There is no paper.');
    expect(await send('\x1b@Peas\n\x1dV\x00')).toContain('EPTR_REC_EMPTY');
  } finally {
    another.kill();
  }

  // Wrong arguments are refused in words.
  const ended = spawnSync(process.execPath, ['simulators/printers/start.ts', '--colour'], { encoding: 'utf8' });
  expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining("Unknown option '--colour'")]);
  expect(ended.stderr).not.toContain(' at file:');
});

/** The address of the page of a program that has started, and what it said until then. */
function started(program: ChildProcessWithoutNullStreams): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: program.stdout }).on('line', (line) => {
      lines.push(line);
      const [url] = /http:\/\/127\.0\.0\.1:\d+$/.exec(line) ?? [];
      if (url) resolve({ url, lines });
    });
    program.once('exit', (code) => reject(new Error(`The printer ended: ${code}`)));
  });
}
