import { z } from 'zod';
import { minPassphraseLength } from '#backup/passphrase.ts';
import { Instant, SingleAnswer } from '#platform/http/shapes.ts';

export const BackupPlace = z.object({
  /**
   * The key pair of encrypted backups; null: no passphrase is set yet. A second backup location can be set only after a
   * passphrase.
   */
  key: z
    .object({
      /** A short form of the public key: `k3v9 qm2x`. */
      mark: z.string(),
      made_at: Instant,
      /** When the owner retyped the passphrase from the printed recovery sheet; null: never. */
      sheet_confirmed_at: Instant.nullable(),
    })
    .nullable(),
  place: z
    .object({
      to: z.string(),
      endpoint: z.string().nullable(),
      region: z.string().nullable(),
      access_key_id: z.string().nullable(),
      /** Whether the location is set by BACKUP_TO, so that the office cannot change it. */
      is_from_settings: z.boolean(),
      /** Whether the location is on the same disk as the data folder, so that one fault would destroy both. */
      is_same_disk: z.boolean(),
      /** When the last backup was sent; null: never. */
      sent_at: Instant.nullable(),
      copies: z.int(),
      /** Why the last sending failed, or which earlier backups lack files; null: there is no such problem. */
      problem: z.string().nullable(),
    })
    .nullable(),
});
export type BackupPlace = z.infer<typeof BackupPlace>;

const text = z.string().trim().min(1).max(300);

export const backupPlaceEndpoints = {
  'GET /v1/backup-place': {
    access: 'admin',
    summary:
      'Read where sealed copies of the shop go, and whether they have a passphrase and a confirmed recovery sheet.',
    response: SingleAnswer(BackupPlace),
  },
  'POST /v1/backup-place': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Set the second place: a folder of another disk, or a bucket. It is tried first. A folder of the same disk needs `allows_same_disk`.',
    body: z.object({
      to: text,
      endpoint: text.nullable().default(null),
      region: text.nullable().default(null),
      access_key_id: text.nullable().default(null),
      secret_access_key: text.nullable().default(null),
      allows_same_disk: z.boolean().default(false),
    }),
    response: SingleAnswer(BackupPlace),
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
  'DELETE /v1/backup-place': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Send no more copies to the second place. Those that are there stay.',
    response: SingleAnswer(BackupPlace),
    ownTransaction: true,
    errors: ['conflict'],
  },
  'POST /v1/backup-place/passphrase': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Set the passphrase that seals copies; it is not stored. With `starts_again` another one takes its place: the second place is forgotten, and its copies can be opened with the earlier one only.',
    body: z.object({
      passphrase: z.string().trim().min(minPassphraseLength).max(200),
      starts_again: z.boolean().default(false),
    }),
    response: SingleAnswer(BackupPlace),
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
  'POST /v1/backup-place/sheet': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Confirm that the recovery sheet is printed, by the passphrase that is written on it.',
    body: z.object({ passphrase: z.string().trim().min(1).max(200) }),
    response: SingleAnswer(BackupPlace),
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
} as const;
