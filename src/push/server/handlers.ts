import { m } from '#messages';
import { recordConsent } from '#database/consents.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaff } from '#platform/http/viewer.ts';
import { supportedLanguage } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';
import type { pushEndpoints as calls } from '#push/contract.ts';
import { type PushSenderConfig, queuePushMessage } from '#push/server/push.ts';
import {
  endSubscription,
  listPushDevices,
  lockOwnPushDevice,
  recordPushTest,
  presentPushDevice,
  saveSubscription,
} from '#push/server/subscriptions.ts';

/** The minimum interval of test messages to a device (ms). */
const testEvery = 10_000;
/** The time after which a push service drops a test message (ms). */
const testLasts = 60_000;

export function pushHandlers({ jobs, push }: { jobs: Jobs; push: PushSenderConfig }): Handlers<typeof calls, Db, Tx> {
  return {
    'GET /v1/push/key': () => ({ data: { public_key: push.keys?.publicKey ?? null } }),

    'GET /v1/push/devices': async ({ db, viewer }) => ({ data: await listPushDevices(db, viewer) }),

    'POST /v1/push/devices': async ({ db, body, viewer, now, header }) => {
      const { subscription, ...wants } = body;
      if (wants.new_orders && !isStaff(viewer)) throw new AppError('forbidden', m.platform_forbidden());
      const userAgent = header('user-agent') ?? '';
      const testOrigin = push.test?.origin;
      const device = await saveSubscription(db, { subscription, wants, viewer, userAgent, now, testOrigin });
      if (viewer.role === 'customer' && viewer.id !== null) {
        // The consent's page and words are unknown, because only other programs make this call for customers. The
        // shop's pages subscribe customers by another call.
        const consent = { kind: 'notifications', page: null, words: '', device: userAgent } as const;
        await recordConsent(db, { ...consent, userId: viewer.id, subscriptionId: device.id, now });
      }
      return { data: presentPushDevice(device, viewer) };
    },

    'DELETE /v1/push/devices/{id}': async ({ db, params, viewer }) => {
      const row = await lockOwnPushDevice(db, params.id, viewer.id);
      if (!row) throw new AppError('not_found', m.push_unknown_device());
      await endSubscription(db, row.id);
    },

    'POST /v1/push/devices/{id}/test': async ({ db, params, viewer, now }) => {
      const row = await lockOwnPushDevice(db, params.id, viewer.id);
      if (!row) throw new AppError('not_found', m.push_unknown_device());
      const wait = row.tested_at === null ? 0 : row.tested_at.getTime() + testEvery - now.getTime();
      if (wait > 0) {
        const headers = { 'retry-after': String(Math.ceil(wait / 1000)) };
        throw new AppError('too_many_requests', m.push_test_wait(), { headers });
      }
      await recordPushTest(db, row.id, now);
      const lang = supportedLanguage(row.locale) ?? 'en';
      const words = runInLanguage(lang, () => ({ title: m.push_test_title(), body: m.push_test() }));
      await queuePushMessage(db, jobs, {
        subscription_id: row.id,
        about: null,
        message: { ...words, tag: 'test', url: row.wants_new_orders ? '/store/orders' : '/', lang },
        urgency: 'high',
        topic: 'test',
        until: new Date(now.getTime() + testLasts).toISOString(),
      });
    },
  };
}
