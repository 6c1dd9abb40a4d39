import { isAbsolute } from 'node:path';
import { openFolderPlace } from '#backup/server/places/folder-place.ts';
import type { Place } from '#backup/server/places/place.ts';
import { openS3Place } from '#backup/server/places/s3-place.ts';
import { ConfigError } from '#platform/errors.ts';
import type { S3Settings } from '#platform/server/files/s3.ts';

/** Access to a bucket, without its name. */
export type S3Access = Pick<S3Settings, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>;

export interface PlaceSettings {
  /** A folder's path, or `s3://bucket/prefix`. */
  address: string;
  /** null for a folder. */
  s3: S3Access | null;
}

/** Milliseconds for an answer: a bucket far away, at night. */
const timeoutMs = 30_000;

export function openPlaceAt({ address, s3 }: PlaceSettings): Place {
  const bucket = bucketOf(address);
  if (bucket === null) return openFolderPlace(address);
  if (s3 === null) throw new ConfigError(`There are no keys for ${address}.`);
  return openS3Place({ ...bucket, ...s3, timeoutMs });
}

export const isBucket = (address: string): boolean => address.startsWith('s3://');

/** The parts of `s3://bucket/prefix`; null for every other text. */
export function bucketOf(address: string): { bucket: string; prefix: string } | null {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\/?$/.exec(address);
  return match && { bucket: match[1] ?? '', prefix: (match[2] ?? '').slice(1) };
}

/** The address in the form in which it is stored; null if it is neither a bucket nor a whole path. */
export function tidyAddress(text: string): string | null {
  const address = text.trim().replace(/(.)\/+$/, '$1');
  if (isBucket(address)) return bucketOf(address) ? address : null;
  return isAbsolute(address) ? address : null;
}

interface PlaceEnvironment {
  BACKUP_TO?: string | undefined;
  BACKUP_S3_ENDPOINT?: string | undefined;
  BACKUP_S3_REGION?: string | undefined;
  BACKUP_S3_ACCESS_KEY_ID?: string | undefined;
  BACKUP_S3_SECRET_ACCESS_KEY?: string | undefined;
  /** The uploads' key. */
  S3_ACCESS_KEY_ID?: string | undefined;
}

/** Reads the second place of the settings; null if there is none. Throws ConfigError with the names of bad settings. */
export function readPlaceSettings(values: PlaceEnvironment): PlaceSettings | null {
  const { BACKUP_TO, BACKUP_S3_ACCESS_KEY_ID, S3_ACCESS_KEY_ID } = values;
  if (BACKUP_S3_ACCESS_KEY_ID !== undefined && BACKUP_S3_ACCESS_KEY_ID === S3_ACCESS_KEY_ID)
    throw new ConfigError('BACKUP_S3_ACCESS_KEY_ID is the key of the uploads. Backups need one of their own.');
  return BACKUP_TO === undefined ? null : placeSettingsOf(values, BACKUP_TO, 'BACKUP_TO');
}

/** The settings of a named place. `name`: where it was named, for ConfigError. */
export function placeSettingsOf(values: PlaceEnvironment, text: string, name: string): PlaceSettings {
  const address = tidyAddress(text);
  if (address === null)
    throw new ConfigError(`${name} must be a whole path such as /mnt/disk/hatch, or s3://bucket/prefix.`);
  return { address, s3: isBucket(address) ? accessOf(values, address) : null };
}

function accessOf(values: PlaceEnvironment, address: string): S3Access {
  const {
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: region,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = values;
  if (endpoint && region && accessKeyId && secretAccessKey) return { endpoint, region, accessKeyId, secretAccessKey };
  const set = {
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: region,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const missing = Object.entries(set).flatMap(([name, value]) => (value ? [] : [name]));
  throw new ConfigError(`For ${address}, set ${missing.join(', ')} as well.`);
}
