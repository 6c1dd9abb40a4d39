import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { m } from '#messages';
import type { MenuDraftRow } from '#menu/contract.ts';
import { listDrafts } from '#menu/web/import/import-drafts.ts';
import classes from '#menu/web/import/import.module.css';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { acceptedPictures } from '#uploads/web/shrink-picture.ts';

/** Lists the open drafts of the last week, of all devices. */
export function OpenDrafts({ store, onDraft }: { store: Store; onDraft: (draft: MenuDraftRow) => void }) {
  const { data: drafts = [] } = useQuery({
    queryKey: ['menu-drafts', store.id],
    queryFn: () => listDrafts(store.id),
    staleTime: 0,
  });
  const open = drafts.filter((draft) => draft.is_open).slice(0, 5);
  if (open.length === 0) return null;
  return (
    <section className={classes.card} aria-labelledby="open-drafts">
      <h2 id="open-drafts">{m.menu_import_drafts_title()}</h2>
      <p>{m.menu_import_drafts_hint()}</p>
      <div className={classes.buttons}>
        {open.map((draft) => (
          <Button key={draft.id} variant="default" onClick={() => onDraft(draft)}>
            {m.menu_import_drafts_go({ name: draft.file_name, date: dateWords(draft.updated_at, store.timezone) })}
          </Button>
        ))}
      </div>
    </section>
  );
}

interface OtherProps {
  onPage: (url: string) => void;
  onPhoto: (file: File) => void;
}

/** Asks for a website's address, or for a photo where the server has Tesseract. */
export function OtherSources({ onPage, onPhoto }: OtherProps) {
  const [url, setUrl] = useState('');
  const { data: canReadPhotos } = useQuery({
    queryKey: ['menu-photos'],
    queryFn: async () => (await api('GET /v1/menu-photos', {})).data.is_available,
  });
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.cards}>
      <section className={classes.card} aria-labelledby="import-page">
        <h2 id="import-page">{m.menu_website_title()}</h2>
        <form
          className={classes.fields}
          onSubmit={(event) => {
            event.preventDefault();
            onPage(url.trim());
          }}
        >
          <TextInput
            className={classes.address}
            label={m.menu_website_label()}
            placeholder="https://www.example.com/menu"
            inputMode="url"
            autoComplete="url"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={url.trim() === ''}>
            {m.menu_website_go()}
          </Button>
        </form>
      </section>
      <section className={classes.card} aria-labelledby="import-photo">
        <h2 id="import-photo">{m.menu_photo_title()}</h2>
        <p>{canReadPhotos === false ? m.menu_photo_unavailable() : m.menu_photo_words()}</p>
        <div className={classes.buttons}>
          <Button variant="default" disabled={canReadPhotos !== true} onClick={() => input.current?.click()}>
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
    </div>
  );
}
