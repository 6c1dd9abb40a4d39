import type { FastifyBaseLogger } from 'fastify';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import type { AccessNow } from '#realtime/server/access.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

/** Milliseconds: with the look itself, sockets are cut within two seconds. */
const every = 1000;

/**
 * Cuts sockets whose access has ended, on each instance by itself: `disconnectUser` is sooner, but a message may be lost, time is
 * announced by nobody, and a signature may be older than the end. Reads nothing while nobody signed in is connected.
 */
export function startEndingAccess(services: {
  access: AccessNow;
  log: FastifyBaseLogger;
  realtime: Pick<Realtime, 'closeEnded'>;
}): Sweep {
  const { access, log, realtime } = services;
  return startSweep({ name: 'ended access', every, log }, () => realtime.closeEnded(access));
}
