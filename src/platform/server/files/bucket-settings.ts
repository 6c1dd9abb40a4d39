import { ConfigError } from '#platform/config-error.ts';
import type { BucketSettings } from '#platform/server/files/file-bucket.ts';

interface BucketEnvironment {
  S3_ENDPOINT?: string | undefined;
  S3_REGION: string;
  S3_BUCKET?: string | undefined;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  S3_TIMEOUT_MS: number;
}

/** Reads the settings of a bucket; null if there is none. Throws ConfigError naming the missing ones. */
export function readBucketSettings(values: BucketEnvironment): BucketSettings | null {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values;
  const set = { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  if (S3_ENDPOINT && S3_BUCKET && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    return {
      endpoint: S3_ENDPOINT,
      region: values.S3_REGION,
      bucket: S3_BUCKET,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
      timeoutMs: values.S3_TIMEOUT_MS,
    };
  }
  const missing = Object.entries(set).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === Object.keys(set).length) return null;
  throw new ConfigError(
    `For a bucket, set ${missing.join(', ')} as well, or none of S3_ENDPOINT, S3_BUCKET and its keys.`,
  );
}
