import { readFile } from 'node:fs/promises';
import type { PushSender } from '#push/server/push.ts';
import { openVapidKeys, type VapidOptions } from '#push/server/vapid-keys.ts';

export interface PushOptions extends VapidOptions {
  config: VapidOptions['config'] & {
    publicUrl: string;
    ADMIN_EMAIL?: string | undefined;
    PUSH_TEST_SERVICE?: string | undefined;
    PUSH_TEST_CERTIFICATE?: string | undefined;
  };
}

/** Reads how this installation sends push messages. Throws if the certificate of the test service cannot be read. */
export async function openPush(options: PushOptions): Promise<PushSender> {
  const { PUSH_TEST_SERVICE: service, PUSH_TEST_CERTIFICATE: certificate } = options.config;
  const test =
    service && certificate ? { origin: new URL(service).origin, ca: await readFile(certificate, 'utf8') } : undefined;
  return { subject: subjectOf(options.config), keys: await openVapidKeys(options), ...(test && { test }) };
}

/** How a push service can reach the operator (RFC 8292, 2.1). Apple's refuses an address on this machine. */
function subjectOf({ publicUrl, ADMIN_EMAIL }: PushOptions['config']): string {
  return publicUrl.startsWith('https:') ? publicUrl : `mailto:${ADMIN_EMAIL ?? 'owner@localhost'}`;
}
