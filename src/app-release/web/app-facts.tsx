import { Alert } from '@mantine/core';
import { m } from '#messages';
import { fingerprintWords, sizeWords } from '#app-release/app-words.ts';
import type { AppRelease } from '#app-release/contract.ts';
import classes from '#app-release/web/releases.module.css';

type Facts = NonNullable<AppRelease['facts']>;

/** The facts read from an app's file. */
export function AppFacts({ facts, size, sha256 }: { facts: Facts; size: number; sha256: string }) {
  const rows: [name: string, value: string][] = [
    [m.app_release_fact_package(), facts.package],
    ...(facts.shop ? ([[m.app_release_fact_shop(), facts.shop]] as [string, string][]) : []),
    [m.app_release_fact_version(), `${facts.version} (${facts.version_code})`],
    [m.app_release_fact_android(), m.app_release_fact_apis({ min: facts.min_sdk, target: facts.target_sdk })],
    [m.app_release_page_size(), sizeWords(size)],
    [m.app_release_fact_signer(), fingerprintWords(facts.signer)],
    [m.app_release_fact_file(), sha256],
  ];
  return (
    <>
      {facts.is_debug_key && <Alert color="bad">{m.app_release_debug_key()}</Alert>}
      {facts.target_sdk < newestTarget && (
        <Alert color="warn">{m.app_release_low_target({ target: facts.target_sdk, wanted: newestTarget })}</Alert>
      )}
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The newest Android version that apps are built for; Play refuses older ones. */
const newestTarget = 36;
