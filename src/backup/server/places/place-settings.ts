import { isAbsolute } from 'node:path';
import { openFolderPlace } from '#backup/server/places/folder-place.ts';
import type { SecondPlace } from '#backup/server/places/place.ts';
import { openS3Place } from '#backup/server/places/s3-place.ts';
import { ConfigError } from '#platform/errors.ts';
import type { S3Settings } from '#platform/server/files/s3.ts';

export type S3Access = Pick<S3Settings, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>;

export interface PlaceSettings {
  /** A folder's path, or `s3://bucket/prefix`. */
  address: string;
  /** The access to the bucket; null for a folder. */
  s3: S3Access | null;
}

/** How long a bucket may take to respond (ms); it may be far away. */
const timeoutMs = 30_000;

export function openSecondPlace({ address, s3 }: PlaceSettings): SecondPlace {
  const bucket = parseBucket(address);
  if (bucket === null) return openFolderPlace(address);
  if (s3 === null) throw new ConfigError(`There are no keys for ${address}.`);
  return openS3Place({ ...bucket, ...s3, timeoutMs });
}

export const isBucketAddress = (address: string): boolean => address.startsWith('s3://');

/** Parses `s3://bucket/prefix`; null for any other text. */
export function parseBucket(address: string): { bucket: string; prefix: string } | null {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\/?$/.exec(address);
  return match && { bucket: match[1] ?? '', prefix: (match[2] ?? '').slice(1) };
}

/** Trims the text and removes trailing slashes; null: it is neither a bucket's address nor an absolute path. */
export function normalisePlaceAddress(text: string): string | null {
  const address = text.trim().replace(/(.)\/+$/, '$1');
  if (isBucketAddress(address)) return parseBucket(address) ? address : null;
  return isAbsolute(address) ? address : null;
}

interface PlaceEnvironment {
  BACKUP_TO?: string | undefined;
  BACKUP_S3_ENDPOINT?: string | undefined;
  BACKUP_S3_REGION?: string | undefined;
  BACKUP_S3_ACCESS_KEY_ID?: string | undefined;
  BACKUP_S3_SECRET_ACCESS_KEY?: string | undefined;
  /** The access key of the uploads' bucket, which backups must not use. */
  S3_ACCESS_KEY_ID?: string | undefined;
}

/**
 * Reads the second backup location from BACKUP_TO; null: not set. Throws ConfigError if the settings are incomplete or
 * invalid.
 */
export function readPlaceSettings(values: PlaceEnvironment): PlaceSettings | null {
  const { BACKUP_TO, BACKUP_S3_ACCESS_KEY_ID, S3_ACCESS_KEY_ID } = values;
  if (BACKUP_S3_ACCESS_KEY_ID !== undefined && BACKUP_S3_ACCESS_KEY_ID === S3_ACCESS_KEY_ID)
    throw new ConfigError('BACKUP_S3_ACCESS_KEY_ID is the key of the uploads. Backups need one of their own.');
  return BACKUP_TO === undefined ? null : parsePlaceSettings(values, BACKUP_TO, 'BACKUP_TO');
}

/**
 * Parses the address and the access of a backup location. `name`: the setting or option that the message of a
 * ConfigError names.
 */
export function parsePlaceSettings(values: PlaceEnvironment, text: string, name: string): PlaceSettings {
  const address = normalisePlaceAddress(text);
  if (address === null)
    throw new ConfigError(`${name} must be a whole path such as /mnt/disk/hatch, or s3://bucket/prefix.`);
  return { address, s3: isBucketAddress(address) ? readS3Access(values, address) : null };
}

function readS3Access(values: PlaceEnvironment, address: string): S3Access {
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
