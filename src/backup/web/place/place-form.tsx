import { Alert, Button, Checkbox, Group, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { BackupPlace } from '#backup/place-contract.ts';
import classes from '#backup/web/place/place.module.css';
import { useSetSecondPlace } from '#backup/web/place/use-backup-place.ts';
import { m } from '#messages';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

type Kind = 'folder' | 'bucket';
type Field = 'to' | 'endpoint' | 'region' | 'access_key_id' | 'secret_access_key';

interface PlaceFormProps {
  /** The current backup location; null: not set. */
  place: BackupPlace['place'];
  onDone: () => void;
}

/** Asks for a folder or a bucket. The stored secret key is never shown, so each change asks for it again. */
export function SecondPlaceForm({ place, onDone }: PlaceFormProps) {
  const draft = usePlaceDraft({ place, onDone });
  return (
    <form className={classes.form} onSubmit={draft.submit} noValidate>
      <SegmentedControl
        withItemsBorders={false}
        aria-label={m.backup_place_kind()}
        value={draft.kind}
        onChange={(value) => draft.choose(value === 'bucket' ? 'bucket' : 'folder')}
        data={[
          { value: 'folder', label: m.backup_place_folder() },
          { value: 'bucket', label: m.backup_place_bucket() },
        ]}
      />
      {draft.kind === 'folder' ? <FolderFields draft={draft} /> : <BucketFields field={draft.field} />}
      {draft.message !== undefined && (
        <Alert color="bad" role="alert">
          {draft.message}
        </Alert>
      )}
      <Group gap="xs">
        <Button type="submit" loading={draft.isSending} disabled={draft.valueOf('to').trim() === ''}>
          {m.backup_place_save()}
        </Button>
        {place && (
          <Button variant="subtle" onClick={onDone}>
            {m.platform_cancel()}
          </Button>
        )}
      </Group>
    </form>
  );
}

type Draft = ReturnType<typeof usePlaceDraft>;

function usePlaceDraft({ place, onDone }: PlaceFormProps) {
  const [kind, setKind] = useState<Kind>(place?.to.startsWith('s3://') ? 'bucket' : 'folder');
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({});
  const [allowsSameDisk, setAllowsSameDisk] = useState(false);
  const { said, correct, send, message, isSending } = useSetSecondPlace();
  const isSameKind = place !== null && place.to.startsWith('s3://') === (kind === 'bucket');
  const valueOf = (name: Field) =>
    typed[name] ?? (isSameKind && name !== 'secret_access_key' ? place[name] : null) ?? '';
  const given = (name: Field) => (kind === 'bucket' ? valueOf(name).trim() || null : null);
  return {
    kind,
    choose(chosen: Kind) {
      setKind(chosen);
      correct('allows_same_disk');
    },
    valueOf,
    message,
    isSending,
    allowsSameDisk,
    setAllowsSameDisk,
    sameDisk: said('allows_same_disk'),
    field: (name: Field) => ({
      value: valueOf(name),
      error: said(name),
      autoComplete: 'off',
      autoCapitalize: 'off',
      spellCheck: false,
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
        setTyped({ ...typed, [name]: currentTarget.value });
        correct(name);
      },
    }),
    submit(event: FormEvent) {
      event.preventDefault();
      const access = {
        endpoint: given('endpoint'),
        region: given('region'),
        access_key_id: given('access_key_id'),
        secret_access_key: given('secret_access_key'),
      };
      send({ to: valueOf('to'), ...access, allows_same_disk: allowsSameDisk }, onDone);
    },
  };
}

function FolderFields({ draft }: { draft: Draft }) {
  const { allowsSameDisk, field, sameDisk, setAllowsSameDisk } = draft;
  return (
    <>
      <TextInput
        label={m.backup_place_path()}
        description={m.backup_place_path_hint()}
        placeholder="/mnt/disk/hatch"
        {...field('to')}
      />
      {sameDisk !== undefined && <Alert color="warm">{sameDisk}</Alert>}
      {(sameDisk !== undefined || allowsSameDisk) && (
        <Checkbox
          label={m.backup_place_allow_same_disk()}
          checked={allowsSameDisk}
          onChange={(event) => setAllowsSameDisk(event.currentTarget.checked)}
        />
      )}
    </>
  );
}

function BucketFields({ field }: { field: (name: Field) => object }) {
  return (
    <>
      <TextInput
        label={m.backup_place_bucket_name()}
        description={m.backup_place_bucket_hint()}
        placeholder="s3://my-backups/kitchen"
        {...field('to')}
      />
      <FieldColumns>
        <TextInput
          label={m.backup_place_endpoint()}
          placeholder="https://s3.eu-west-2.amazonaws.com"
          {...field('endpoint')}
        />
        <TextInput label={m.backup_place_region()} placeholder="eu-west-2" {...field('region')} />
        <TextInput label={m.backup_place_access_key()} {...field('access_key_id')} />
        <PasswordInput
          label={m.backup_place_secret_key()}
          {...field('secret_access_key')}
          autoComplete="new-password"
        />
      </FieldColumns>
    </>
  );
}
