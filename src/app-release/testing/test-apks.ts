import { readFileSync } from 'node:fs';

/** A small app of `apks/`, e.g. `shop-18`. Android's own tools made it (`make-apks.sh`). */
export function readTestApk(name: string): Buffer {
  return readFileSync(testApkPath(name));
}

export function testApkPath(name: string): string {
  return `${import.meta.dirname}/apks/${name}.apk`;
}
