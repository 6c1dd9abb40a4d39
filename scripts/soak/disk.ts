import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openShop } from '#testing/running-shop.ts';
import { checkRush, printChecks, startRush, waitUntilHealthy } from './rush.ts';

/**
 * Fills the disk of a shop while customers order, and frees it: `npm run soak -- disk [times]`, three times by default.
 * The disk is a RAM disk, which only root can create.
 */
export async function soakFullDisk([times = '3']: string[]): Promise<boolean> {
  const disk = mkdtempSync(join(tmpdir(), 'hatch-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=1777', 'hatch-soak', disk]);
  // The test shops are created below TMPDIR.
  process.env['TMPDIR'] = disk;
  try {
    return await onDisk(disk, Number(times));
  } finally {
    execFileSync('umount', ['--lazy', disk]);
    rmdirSync(disk);
  }
}

async function onDisk(disk: string, times: number): Promise<boolean> {
  const shop = await openShop({ LOG_LEVEL: 'silent' });
  const filler = join(disk, 'filler');
  try {
    const rush = await startRush(shop);
    const told: string[] = [];
    let hasHealed = true;
    for (let n = 0; n < times; n += 1) {
      await sleep(3_000);
      await fill(disk, filler);
      const refusedBefore = rush.statuses.get(503) ?? 0;
      // Other processes free space on the disk while customers order, so the disk is filled again each second.
      for (let second = 0; second < 15; second += 1) {
        await sleep(1_000);
        await fill(disk, filler);
      }
      const health = await fetch(`${shop.url}/health`);
      const { checks } = (await health.json()) as { checks: { disk: string } };
      told.push(`${health.status} ${checks.disk}`);
      const refused = (rush.statuses.get(503) ?? 0) - refusedBefore;
      await rm(filler, { force: true });
      await waitUntilHealthy(shop).catch(() => (hasHealed = false));
      console.log(`${n + 1} of ${times}: ${refused} orders refused, /health ${told.at(-1)}`);
    }
    await rush.stop();
    return printChecks([
      ...(await checkRush(shop, rush)),
      [`/health: ${[...new Set(told)].join(', ')}`, told.every((one) => one === '503 full')],
      ['healed by itself', hasHealed],
    ]);
  } finally {
    await rm(filler, { force: true });
    await shop.stop();
  }
}

/** Fills the disk completely, in ever smaller pieces. */
async function fill(disk: string, filler: string): Promise<void> {
  const file = await open(filler, 'a');
  try {
    for (let piece = 1 << 24; piece >= 4096; piece >>= 1) {
      const { bavail, bsize } = await statfs(disk);
      for (let left = bavail * bsize; left >= piece; left -= piece) {
        const isFull = await file.appendFile(Buffer.alloc(piece)).then(
          () => false,
          () => true,
        );
        if (isFull) break;
      }
    }
  } finally {
    await file.close();
  }
}
