import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { MenuDraftRow } from '#menu/contract.ts';
import { discardDraft, listDrafts } from '#menu/web/import/import-drafts.ts';
import type { SourceChoiceState, SourceKind } from '#menu/web/import/import-steps.ts';
import classes from '#menu/web/import/import.module.css';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { acceptedPictures } from '#uploads/web/shrink-picture.ts';

export function SourceRefusal({ state: { refusal }, source }: { state: SourceChoiceState; source: SourceKind }) {
  if (refusal?.source !== source) return null;
  return (
    <p role="alert" className={classes.refusal}>
      <Icon name="warning" /> {refusal.words}
    </p>
  );
}

interface DraftsProps {
  store: Store;
  state: SourceChoiceState;
  onDraft: (draft: MenuDraftRow) => void;
}

const shownAtFirst = 5;

export function OpenDraftList({ store, state, onDraft }: DraftsProps) {
  const [shown, setShown] = useState(shownAtFirst);
  const title = useRef<HTMLHeadingElement>(null);
  const queryKey = ['menu-drafts', store.id];
  const queries = useQueryClient();
  const { data: drafts = [] } = useQuery({ queryKey, queryFn: () => listDrafts(store.id), staleTime: 0 });
  const refresh = () => queries.invalidateQueries({ queryKey });
  const open = drafts.filter((draft) => draft.is_open);
  if (open.length === 0) return <SourceRefusal state={state} source="draft" />;
  const discard = async (draft: MenuDraftRow): Promise<void> => {
    try {
      const bringBack = await discardDraft(draft);
      const undo = () =>
        void bringBack()
          .catch((error: unknown) => notify({ text: refusalWords(error), tone: 'bad' }))
          .finally(refresh);
      const text = m.menu_import_draft_discarded({ name: draft.file_name });
      notify({ text, action: { label: m.platform_undo(), run: undo } });
      title.current?.focus();
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
    }
    await refresh();
  };
  return (
    <section className={classes.card} aria-labelledby="open-drafts">
      <h2 id="open-drafts" ref={title} tabIndex={-1}>
        {m.menu_import_drafts_title()}
      </h2>
      <p>{m.menu_import_drafts_hint()}</p>
      <SourceRefusal state={state} source="draft" />
      <ul className={classes.drafts}>
        {open.slice(0, shown).map((draft) => {
          const words = { name: draft.file_name, date: dateWords(draft.updated_at, store.timezone) };
          return (
            <li key={draft.id}>
              <p>
                <strong>{words.name}</strong> <span className={classes.hint}>{words.date}</span>
              </p>
              <Button
                variant="default"
                disabled={state.reading !== null}
                aria-label={m.menu_import_drafts_go_named(words)}
                onClick={() => onDraft(draft)}
              >
                {m.menu_import_drafts_go()}
              </Button>
              <Button
                variant="subtle"
                disabled={state.reading !== null}
                aria-label={m.menu_import_drafts_discard_named(words)}
                onClick={() => void discard(draft)}
              >
                {m.menu_import_drafts_discard()}
              </Button>
            </li>
          );
        })}
      </ul>
      {open.length > shown && (
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setShown(open.length)}>
            {m.menu_import_drafts_more({ count: open.length - shown })}
          </Button>
        </div>
      )}
    </section>
  );
}

interface OtherProps {
  state: SourceChoiceState;
  onPage: (url: string) => void;
  onPhoto: (file: File) => void;
}

/** The sources besides a file: a website's address, and a photo if the server has Tesseract. */
export function OtherMenuSources(props: OtherProps) {
  return (
    <div className={classes.cards}>
      <PageSource {...props} />
      <PhotoSource {...props} />
    </div>
  );
}

function PageSource({ state: { reading, refusal }, onPage }: OtherProps) {
  const [url, setUrl] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const refused = refusal?.source === 'page' ? refusal : null;
  useEffect(() => {
    if (refused) field.current?.focus();
  }, [refused]);
  return (
    <section className={classes.card} aria-labelledby="import-page">
      <h2 id="import-page">{m.menu_website_title()}</h2>
      <form
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          if (reading === null) onPage(url.trim());
        }}
      >
        <TextInput
          ref={field}
          className={classes.address}
          label={m.menu_website_label()}
          placeholder="https://www.example.com/menu"
          inputMode="url"
          autoComplete="url"
          value={url}
          error={refused && <span role="alert">{refused.words}</span>}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={reading === 'page'}
          disabled={url.trim() === '' || (reading !== null && reading !== 'page')}
        >
          {m.menu_website_go()}
        </Button>
      </form>
    </section>
  );
}

function PhotoSource({ state, onPhoto }: OtherProps) {
  const { data: canReadPhotos } = useQuery({
    queryKey: ['menu-photos'],
    queryFn: async () => (await api('GET /v1/menu-photos', {})).data.is_available,
  });
  const input = useRef<HTMLInputElement>(null);
  return (
    <section className={classes.card} aria-labelledby="import-photo">
      <h2 id="import-photo">{m.menu_photo_title()}</h2>
      <p>{canReadPhotos === false ? m.menu_photo_unavailable() : m.menu_photo_words()}</p>
      <SourceRefusal state={state} source="photo" />
      <div className={classes.buttons}>
        <Button
          variant="default"
          loading={state.reading === 'photo'}
          disabled={canReadPhotos !== true || (state.reading !== null && state.reading !== 'photo')}
          onClick={() => input.current?.click()}
        >
          {m.menu_photo_choose()}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={m.menu_photo_choose()}
        accept={acceptedPictures}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) onPhoto(file);
        }}
      />
    </section>
  );
}
