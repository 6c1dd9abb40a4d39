import { Button, Group, Radio } from '@mantine/core';
import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { m } from '#messages';
import type { StaffStore } from '#store/contract.ts';
import type { StoreField } from '#store/store-changes.ts';
import classes from '#store/web/manage/conflict-dialog.module.css';
import { settingLabel, settingValueLines } from '#store/web/manage/fields.tsx';
import type { SaveConflict, StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { confirm, Dialog } from '#ui/web/office/dialogs.tsx';

/**
 * Asks for confirmation before the owner leaves the page with unsaved changes. Moving between the page's sections does
 * not ask.
 */
export function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    let hasAgreed = false;
    const ask = async (url: URL): Promise<void> => {
      const goes = await confirm({
        title: m.store_manage_leave_title(),
        body: m.store_manage_leave_words(),
        action: m.store_manage_leave(),
        isDangerous: true,
      });
      if (!goes) return;
      hasAgreed = true;
      if (url.origin === location.origin) navigate(url.pathname + url.search);
      else location.assign(url);
    };
    const stop = (event: Event, href: string): void => {
      const url = new URL(href, location.href);
      if (hasAgreed || !event.cancelable || url.pathname === location.pathname) return;
      event.preventDefault();
      void ask(url);
    };
    const onUnload = (event: Event): void => {
      if (!hasAgreed) event.preventDefault();
    };
    const onNavigate = (event: NavigateEvent): void => stop(event, event.destination.url);
    // Without the Navigation API, links, closing and reloading are guarded, but the back button is not.
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (link && !event.ctrlKey && !event.metaKey) stop(event, link.getAttribute('href') ?? '');
    };
    const hasNavigation = 'navigation' in window;
    addEventListener('beforeunload', onUnload);
    if (hasNavigation) navigation.addEventListener('navigate', onNavigate);
    else document.addEventListener('click', onClick, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      if (hasNavigation) navigation.removeEventListener('navigate', onNavigate);
      else document.removeEventListener('click', onClick, true);
    };
  }, [isChanged]);
}

/** Shows the owner's input beside the values that another person saved, and asks the owner to choose for each field. */
export function ConflictDialog({ draft, onSaved }: { draft: StoreDraft; onSaved?: () => void }) {
  return draft.conflict && <Choices draft={draft} conflict={draft.conflict} onSaved={onSaved} />;
}

interface ChoicesProps {
  draft: StoreDraft;
  conflict: SaveConflict;
  onSaved: (() => void) | undefined;
}

function Choices({ draft, conflict: { fields, current }, onSaved }: ChoicesProps) {
  const [chosen, setChosen] = useState<Partial<Record<StoreField, 'mine' | 'theirs'>>>({});
  const isSettled = fields.every((field) => chosen[field]);
  return (
    <Dialog opened size="lg" onClose={() => void draft.resolve(null)} title={m.store_manage_conflict_title()}>
      <p>{m.store_manage_conflict_hint()}</p>
      {fields.map((field) => (
        <Radio.Group
          key={field}
          className={classes.conflict}
          label={settingLabel(field)}
          value={chosen[field] ?? null}
          onChange={(choice) => setChosen({ ...chosen, [field]: choice === 'mine' ? 'mine' : 'theirs' })}
        >
          <Radio
            value="mine"
            label={m.store_manage_conflict_mine()}
            description={<Value field={field} store={draft.preview} />}
          />
          <Radio
            value="theirs"
            label={m.store_manage_conflict_theirs()}
            description={<Value field={field} store={current} />}
          />
        </Radio.Group>
      ))}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => void draft.resolve(null)}>
          {m.platform_cancel()}
        </Button>
        <Button
          disabled={!isSettled}
          onClick={async () => {
            if (await draft.resolve(new Set(fields.filter((field) => chosen[field] === 'mine')))) onSaved?.();
          }}
        >
          {m.store_manage_conflict_save()}
        </Button>
      </Group>
    </Dialog>
  );
}

function Value({ field, store }: { field: StoreField; store: StaffStore }) {
  const lines = settingValueLines(field, store);
  return (
    <span className={classes.lines}>
      {lines.length === 0 ? m.store_manage_nothing() : lines.map((line) => <span key={line}>{line}</span>)}
    </span>
  );
}
