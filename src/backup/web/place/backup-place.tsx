import { Alert, Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { minPassphraseLength, suggestPassphrase } from '#backup/passphrase.ts';
import type { BackupPlace } from '#backup/place-contract.ts';
import { SecondPlaceForm } from '#backup/web/place/place-form.tsx';
import classes from '#backup/web/place/place.module.css';
import {
  useBackupPlace,
  useConfirmRecoverySheet,
  useRemoveSecondPlace,
  useSetPassphrase,
} from '#backup/web/place/use-backup-place.ts';
import { m } from '#messages';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { Step, Steps } from '#ui/web/office/step.tsx';

interface Zone {
  timezone: string;
}

export function SecondPlaceSection({ store, isRunning }: { store: Zone; isRunning: boolean }) {
  const query = useBackupPlace(isRunning);
  if (query.isError && !query.data)
    return <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingState />;
  const { key, place } = query.data;
  return (
    <section className={classes.section}>
      <h2>{m.backup_place_title()}</h2>
      <p>{m.backup_place_why()}</p>
      {key && key.sheet_confirmed_at === null && (
        <Alert color="bad" mb="md">
          {m.backup_place_sheet_missing()}
        </Alert>
      )}
      <Steps>
        <PassphraseStep keyPair={key} store={store} />
        <PlaceStep hasKey={key !== null} place={place} store={store} />
        <SheetStep keyPair={key} store={store} />
      </Steps>
    </section>
  );
}

type KeyPair = BackupPlace['key'];

function PassphraseStep({ keyPair, store }: { keyPair: KeyPair; store: Zone }) {
  const [isChanging, setChanging] = useState(false);
  const change = useSetPassphrase();
  const begin = async () => {
    const isWanted = await confirm({
      title: m.backup_place_again_title(),
      body: m.backup_place_again_means(),
      action: m.backup_place_again(),
      isDangerous: true,
    });
    setChanging(isWanted);
  };
  return (
    <Step
      state={keyPair ? 'done' : 'todo'}
      heading="h3"
      title={m.backup_place_passphrase()}
      text={
        keyPair
          ? m.backup_place_passphrase_set({
              date: dateWords(keyPair.made_at, store.timezone),
              mark: nonBreakingKeyMark(keyPair),
            })
          : m.backup_place_passphrase_why()
      }
      below={
        <>
          <Refusal words={change.message} />
          {(keyPair === null || isChanging) && (
            <PassphraseForm startsAgain={keyPair !== null} change={change} onDone={() => setChanging(false)} />
          )}
        </>
      }
    >
      {keyPair && !isChanging && (
        <Button variant="subtle" onClick={() => void begin()}>
          {m.backup_place_again()}
        </Button>
      )}
    </Step>
  );
}

interface PassphraseFormProps {
  startsAgain: boolean;
  change: ReturnType<typeof useSetPassphrase>;
  onDone: () => void;
}

function PassphraseForm({ startsAgain, change, onDone }: PassphraseFormProps) {
  const [typed, setTyped] = useState('');
  const take = (text: string) => {
    setTyped(text);
    change.correct('passphrase');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.send({ passphrase: typed, starts_again: startsAgain }, onDone);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={m.backup_place_passphrase()}
        description={m.backup_place_passphrase_hint({ count: minPassphraseLength })}
        value={typed}
        error={change.said('passphrase')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => take(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button type="submit" loading={change.isSending} disabled={typed.trim().length < minPassphraseLength}>
          {m.backup_place_set_passphrase()}
        </Button>
        <Button variant="default" onClick={() => take(suggestPassphrase())}>
          {m.backup_place_suggest()}
        </Button>
        {startsAgain && (
          <Button variant="subtle" onClick={onDone}>
            {m.platform_cancel()}
          </Button>
        )}
      </Group>
    </form>
  );
}

function SheetStep({ keyPair, store }: { keyPair: KeyPair; store: Zone }) {
  const confirmedAt = keyPair?.sheet_confirmed_at ?? null;
  return (
    <Step
      state={keyPair === null ? 'wait' : confirmedAt === null ? 'bad' : 'done'}
      heading="h3"
      title={m.backup_place_sheet()}
      text={
        confirmedAt === null
          ? m.backup_place_sheet_why()
          : m.backup_place_sheet_confirmed({ date: dateWords(confirmedAt, store.timezone) })
      }
      below={keyPair && confirmedAt === null && <SheetForm />}
    >
      {keyPair && (
        <Button component={Link} href="/admin/backups/sheet" variant={confirmedAt === null ? 'filled' : 'subtle'}>
          {m.backup_place_sheet_open()}
        </Button>
      )}
    </Step>
  );
}

function SheetForm() {
  const [typed, setTyped] = useState('');
  const change = useConfirmRecoverySheet();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.send({ passphrase: typed }, () => setTyped(''));
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={m.backup_place_sheet_typed()}
        value={typed}
        error={change.said('passphrase')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          change.correct('passphrase');
        }}
      />
      <Refusal words={change.message} />
      <Group>
        <Button type="submit" variant="default" loading={change.isSending} disabled={typed.trim() === ''}>
          {m.backup_place_sheet_confirm()}
        </Button>
      </Group>
    </form>
  );
}

function PlaceStep({ hasKey, place, store }: { hasKey: boolean; place: BackupPlace['place']; store: Zone }) {
  const [isChanging, setChanging] = useState(false);
  const forget = useRemoveSecondPlace();
  const remove = async () => {
    const isWanted = await confirm({
      title: m.backup_place_forget_title(),
      body: m.backup_place_forget_means(),
      action: m.backup_place_forget(),
      isDangerous: true,
    });
    if (isWanted) forget.send(null, () => setChanging(false));
  };
  return (
    <Step
      state={place ? (place.problem === null ? 'done' : 'bad') : hasKey ? 'todo' : 'wait'}
      heading="h3"
      title={m.backup_place_where()}
      text={place ? placeWords(place, store) : m.backup_place_where_why()}
      below={
        <>
          {place?.is_same_disk && <Alert color="warm">{m.backup_place_same_disk()}</Alert>}
          {place && place.problem !== null && (
            <Alert color="bad" title={m.backup_place_problem()}>
              {place.problem}
            </Alert>
          )}
          <Refusal words={forget.message} />
          {hasKey && (place === null || isChanging) && (
            <SecondPlaceForm place={place} onDone={() => setChanging(false)} />
          )}
        </>
      }
    >
      {place && !place.is_from_settings && !isChanging && (
        <>
          <Button variant="subtle" onClick={() => setChanging(true)}>
            {m.backup_place_change()}
          </Button>
          <Button variant="subtle" color="bad" loading={forget.isSending} onClick={() => void remove()}>
            {m.backup_place_forget()}
          </Button>
        </>
      )}
    </Step>
  );
}

/** Non-breaking spaces keep the parts of the mark on one line. */
export const nonBreakingKeyMark = ({ mark }: { mark: string }) => mark.replaceAll(' ', '\u00a0');

function placeWords(place: NonNullable<BackupPlace['place']>, { timezone }: Zone): string {
  const { to, copies, sent_at: at } = place;
  const state =
    at === null
      ? m.backup_place_never({ to })
      : m.backup_place_state({ to, count: copies, time: `${dateWords(at, timezone)}, ${timeWords(at, timezone)}` });
  return place.is_from_settings ? `${state} ${m.backup_place_by_settings()}` : state;
}

function Refusal({ words }: { words: string | undefined }) {
  return words === undefined ? null : (
    <Alert color="bad" role="alert">
      {words}
    </Alert>
  );
}
