import { deviceKinds } from '#database/column-values.ts';
import { z } from 'zod';
import { m } from '#messages';
import { parseDeviceCode } from '#accounts/devices.ts';
import { Id, Instant, ListAnswer, SingleAnswer } from '#platform/http/shapes.ts';
import { nameField } from '#platform/contact-fields.ts';

const Name = nameField(60, () => m.accounts_device_name_missing());
const Station = z.string().trim().max(40);

const DeviceCondition = z.object({
  /** The app's version; null in a browser. */
  version: z.string().max(40).nullable(),
  /** The battery's charge in percent; null if the device cannot tell. */
  battery: z.int().min(0).max(100).nullable(),
  is_charging: z.boolean().nullable(),
  /** The strength of the Wi-Fi signal in bars, 0 to 4. */
  wifi: z.int().min(0).max(4).nullable(),
});

export const Device = DeviceCondition.extend({
  id: Id,
  store_id: Id,
  kind: z.enum(deviceKinds),
  name: z.string(),
  /** The part of the kitchen that the board shows; empty for the whole kitchen. */
  station: z.string(),
  created_at: Instant,
  /** When the device last made a call. The value lags by up to a minute. */
  last_seen_at: Instant,
  /** When the device was signed out for good; null while it is signed in. */
  revoked_at: Instant.nullable(),
});
export type Device = z.infer<typeof Device>;

export const deviceEndpoints = {
  'GET /v1/devices': {
    access: 'admin',
    summary:
      'The devices that are signed in as themselves, by store and name, and those that were signed out this week.',
    response: ListAnswer(Device),
  },
  'POST /v1/devices/codes': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Make a code by which one device signs in, within ten minutes. `url` is for its QR code.',
    body: z.object({ store_id: Id, name: Name, station: Station.default('') }),
    response: SingleAnswer(z.object({ store_id: Id, code: z.string(), url: z.string(), expires_at: Instant })),
    status: 201,
    errors: ['not_found'],
  },
  'POST /v1/devices/sign-in': {
    access: 'guest',
    summary: 'Sign this device in with such a code, once. It then acts as staff of one store, without its settings.',
    body: z.object({
      code: z
        .string()
        .max(40)
        .transform(parseDeviceCode)
        .refine((code) => code !== null, { error: () => m.accounts_device_code_wrong() }),
      kind: Device.shape.kind.default('tablet'),
    }),
    response: SingleAnswer(z.object({ token: z.string(), device: Device })),
    isRead: true,
    ownTransaction: true,
  },
  'GET /v1/devices/me': {
    access: 'store_admin',
    devices: 'only',
    summary: 'The device that calls.',
    response: SingleAnswer(Device),
  },
  'POST /v1/devices/heartbeat': {
    access: 'store_admin',
    devices: 'only',
    summary:
      'A sign of life, each minute. The answer says whether the app may install an update: only while the shop is closed.',
    body: DeviceCondition.partial(),
    response: SingleAnswer(
      z.object({
        may_install_updates: z.boolean(),
        /** When the shop opens next; null if it is open, or no opening is known. */
        closed_until: Instant.nullable(),
        station: z.string(),
      }),
    ),
    ownTransaction: true,
  },
  'PATCH /v1/devices/{id}': {
    access: 'admin',
    summary: 'Rename a device, or move it to another part of the kitchen.',
    body: z.object({ name: Name, station: Station }).partial(),
    response: SingleAnswer(Device),
  },
  'DELETE /v1/devices/{id}': {
    access: 'admin',
    summary: 'Sign a device out for good, at once. It needs a new code to come back.',
    response: null,
  },
} as const;
