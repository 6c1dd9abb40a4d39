import { Button, FileButton, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { accentColors, contrastRatio } from '#store/accent.ts';
import { acceptedPictures } from '#uploads/web/shrink-picture.ts';
import { uploadPicture } from '#uploads/web/upload-picture.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { settingLabel } from '#store/web/manage/fields.tsx';
import manage from '#store/web/manage/manage.module.css';
import classes from '#store/web/manage/sections/look-section.module.css';
import { SettingsSection, sectionFields } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';

const houseColor = '#b92f16';

export function LookSection({ draft }: { draft: StoreDraft }) {
  return (
    <SettingsSection
      draft={draft}
      fields={sectionFields.look}
      title={m.store_manage_look()}
      hint={m.store_manage_look_hint()}
    >
      <PictureSetting draft={draft} field="logo" hint={m.store_manage_logo_hint()} />
      <PictureSetting draft={draft} field="cover" hint={m.store_manage_cover_hint()} />
      <AccentSetting draft={draft} />
    </SettingsSection>
  );
}

function PictureSetting({ draft, field, hint }: { draft: StoreDraft; field: 'logo' | 'cover'; hint: string }) {
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const url = draft.preview[field];
  const upload = async (file: File | null): Promise<void> => {
    if (!file) return;
    setSent(0);
    setError(null);
    try {
      draft.set(field, (await uploadPicture(file, setSent)).url);
    } catch (failure) {
      setError(refusalWords(failure));
    }
    setSent(null);
  };
  return (
    <fieldset className={manage.panel}>
      <legend>{settingLabel(field)}</legend>
      <p className={manage.soft}>{hint}</p>
      {url && (
        <img className={classes.picture} src={url} alt={m.store_manage_picture_now({ name: settingLabel(field) })} />
      )}
      {(error ?? draft.errorAt(field)) && (
        <p role="alert" className={manage.warn}>
          {error ?? draft.errorAt(field)}
        </p>
      )}
      {sent !== null && <progress value={sent} aria-label={m.store_manage_picture_sending()} />}
      <Group gap="xs">
        <FileButton accept={acceptedPictures} onChange={(file) => void upload(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={sent !== null}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                void upload(event.dataTransfer.files[0] ?? null);
              }}
            >
              {url ? m.store_manage_picture_replace() : m.store_manage_picture_choose()}
            </Button>
          )}
        </FileButton>
        {url && (
          <Button variant="subtle" color="bad" onClick={() => draft.set(field, null)}>
            {m.store_manage_remove()}
          </Button>
        )}
      </Group>
    </fieldset>
  );
}

function AccentSetting({ draft }: { draft: StoreDraft }) {
  const color = draft.preview.accent_color;
  const isColor = color !== null && /^#[0-9a-f]{6}$/i.test(color);
  const shades = accentColors(isColor ? color.toLowerCase() : houseColor);
  return (
    <fieldset className={manage.panel}>
      <legend>{settingLabel('accent_color')}</legend>
      <p className={manage.soft}>{m.store_manage_accent_hint()}</p>
      <div className={manage.row}>
        <input
          type="color"
          className={classes.color}
          aria-label={m.store_manage_accent_pick()}
          value={isColor ? color : houseColor}
          onChange={(event) => draft.set('accent_color', event.currentTarget.value)}
        />
        <TextInput
          name="accent_color"
          label={m.store_manage_accent_code()}
          placeholder={houseColor}
          maxLength={7}
          value={color ?? ''}
          error={draft.errorAt('accent_color')}
          onChange={(event) => draft.set('accent_color', event.currentTarget.value || null)}
        />
        {color !== null && (
          <Button variant="subtle" onClick={() => draft.set('accent_color', null)}>
            {m.store_manage_accent_house()}
          </Button>
        )}
      </div>
      <div className={classes.swatches}>
        {(['light', 'dark'] as const).map((scheme) => {
          const { accent, 'accent-ink': ink, 'accent-edge': edge } = shades[scheme];
          return (
            <div key={scheme} className={classes.swatch}>
              <b style={{ background: accent, color: ink, border: `2px solid ${edge}` }}>{m.store_home_order()}</b>
              <span className={manage.soft}>
                {scheme === 'light' ? m.store_manage_accent_light() : m.store_manage_accent_dark()}{' '}
                {m.store_manage_accent_contrast({ ratio: contrastRatio(accent, ink).toFixed(1) })}
              </span>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
