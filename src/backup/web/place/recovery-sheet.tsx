import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BackupPlace } from '#backup/place-contract.ts';
import { nonBreakingKeyMark } from '#backup/web/place/backup-place.tsx';
import classes from '#backup/web/place/place.module.css';
import { useBackupPlace } from '#backup/web/place/use-backup-place.ts';
import { m } from '#messages';
import { dateWords } from '#platform/date-words.ts';
import type { Store } from '#store/contract.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';

/** The recovery sheet for printing. It has an empty box for the passphrase, which Hatch does not store. */
export function RecoverySheetPage({ store }: { store: Store }) {
  const query = useBackupPlace();
  if (query.isError && !query.data)
    return <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingState />;
  const { key, place } = query.data;
  return (
    <OfficePage
      title={m.backup_sheet_title({ shop: store.name })}
      actions={
        <Button leftSection={<Icon name="print" />} onClick={() => window.print()}>
          {m.backup_sheet_print()}
        </Button>
      }
    >
      {key === null ? (
        <EmptyState title={m.backup_sheet_no_key()} />
      ) : (
        <div className={classes.sheet}>
          <p>{m.backup_sheet_about()}</p>
          <Facts keyPair={key} place={place} store={store} />
          <h2>{m.backup_sheet_steps()}</h2>
          <RecoverySteps place={place} />
        </div>
      )}
    </OfficePage>
  );
}

type Place = BackupPlace['place'];

function Facts({ keyPair, place, store }: { keyPair: NonNullable<BackupPlace['key']>; place: Place; store: Store }) {
  return (
    <dl className={classes.facts}>
      <Fact name={m.backup_place_passphrase()} byHand />
      <Fact name={m.backup_sheet_mark()}>
        {m.backup_sheet_mark_of({
          mark: nonBreakingKeyMark(keyPair),
          date: dateWords(keyPair.made_at, store.timezone),
        })}
      </Fact>
      <Fact name={m.backup_sheet_address()}>{location.origin}</Fact>
      {place ? <Fact name={m.backup_place_where()}>{place.to}</Fact> : <Fact name={m.backup_place_where()} byHand />}
      {place && place.endpoint !== null && <Fact name={m.backup_place_secret_key()} byHand />}
    </dl>
  );
}

/** A fact on the sheet. `byHand`: an empty box, to be filled in by hand after printing. */
function Fact({ name, byHand = false, children }: { name: string; byHand?: boolean; children?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      {byHand ? (
        <dd className={classes.box}>
          <small>{m.backup_sheet_by_hand()}</small>
        </dd>
      ) : (
        <dd>{children}</dd>
      )}
    </div>
  );
}

const folder = '/var/lib/hatch';
const openSettings = 'sudo nano /etc/hatch/hatch.env';

function RecoverySteps({ place }: { place: Place }) {
  const from = place?.to ?? '/mnt/disk/hatch';
  return (
    <ol className={classes.steps}>
      <li>{m.backup_sheet_old_machine()}</li>
      <li>
        {m.backup_sheet_install()}
        <CommandLines
          lines={[
            'sudo systemctl stop hatch',
            `sudo mv ${folder} ${folder}.old`,
            `sudo install -d -o hatch -g hatch -m 750 ${folder}`,
          ]}
        />
      </li>
      <li>
        {place && place.endpoint !== null ? (
          <>
            {m.backup_sheet_settings()}
            <CommandLines lines={[openSettings]} />
            <CommandLines lines={settingsOf(place)} />
          </>
        ) : (
          <>
            {m.backup_sheet_disk({ folder: from })}
            <CommandLines lines={[`sudo chown -R hatch: ${from}`]} />
          </>
        )}
      </li>
      <li>
        {m.backup_sheet_verify()}
        <CommandLines lines={[`sudo hatch verify --from ${from}`]} />
      </li>
      <li>
        {m.backup_sheet_restore()}
        <CommandLines lines={[`sudo hatch restore --from ${from} --data-dir ${folder}`]} />
      </li>
      <li>
        {m.backup_sheet_old_settings({ key: 'SECRETS_KEY' })}
        <CommandLines lines={[openSettings]} />
      </li>
      <li>
        {m.backup_sheet_start()}
        <CommandLines lines={['sudo systemctl start hatch', 'sudo hatch status']} />
      </li>
    </ol>
  );
}

/** The lines for the settings file. The owner adds the line with the secret. */
function settingsOf({ endpoint, region, access_key_id: key }: NonNullable<Place>): string[] {
  return [
    `BACKUP_S3_ENDPOINT=${endpoint ?? ''}`,
    `BACKUP_S3_REGION=${region ?? ''}`,
    `BACKUP_S3_ACCESS_KEY_ID=${key ?? ''}`,
    'BACKUP_S3_SECRET_ACCESS_KEY=…',
  ];
}

function CommandLines({ lines }: { lines: string[] }) {
  return <pre className={classes.typed}>{lines.join('\n')}</pre>;
}
