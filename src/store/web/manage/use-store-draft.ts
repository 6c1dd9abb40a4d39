import { use, useRef, useState } from 'react';
import { m } from '#messages';
import { shopNow } from '#platform/web/clock.ts';
import { readStored, writeStored } from '#platform/web/stored-values.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { confirmServiceEnd, CountOpenOrdersContext } from '#store/web/confirm-service-end.ts';
import { replaceStore } from '#store/web/stores.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { keysOf } from '#platform/keys-of.ts';
import { api, ApiError } from '#platform/web/api.ts';
import type { FulfilmentType, StaffStore, Store, StoreFields } from '#store/contract.ts';
import {
  applySettingChanges,
  toPatchBody,
  type SettingChanges,
  type StoreField,
  changesAfterConflict,
  toUndoBody,
  withSettingChange,
  withoutIncompleteHours,
  withoutFields,
} from '#store/store-changes.ts';
import { type OpeningStore, openStateAt } from '#store/opening-hours.ts';

/** A conflict: the fields that another person changed, the current store, and all fields that the refused save sent. */
export interface SaveConflict {
  fields: StoreField[];
  current: StaffStore;
  saving: readonly StoreField[];
}

export interface StoreDraft {
  store: StaffStore;
  preview: StaffStore;
  set: <F extends StoreField>(field: F, value: StaffStore[F]) => void;
  isChanged: (fields: readonly StoreField[]) => boolean;
  discard: (fields: readonly StoreField[]) => void;
  /**
   * Saves the changes of `fields`, and returns whether all of them are saved. `unreadable`: the invalid texts by field.
   * They are sent as well, so that the server reports all errors together.
   */
  save: (fields: readonly StoreField[], unreadable?: Partial<Record<StoreField, string>>) => Promise<boolean>;
  /** Shows errors that the page itself has found, as if the server had refused a save. */
  refuse: (found: FieldErrors) => void;
  isSaving: boolean;
  errorAt: (path: string) => string | undefined;
  /** The number of saves that the server or the page refused because of a field. */
  refusals: number;
  /** The message of the last save's error, if the error belongs to no field; otherwise null. */
  failure: string | null;
  conflict: SaveConflict | null;
  /** Saves the choices that the owner made in a conflict; null cancels. Returns whether everything is saved. */
  resolve: (keepMine: ReadonlySet<StoreField> | null) => Promise<boolean>;
}

interface DraftOptions {
  /** Whether a save shows no notice, because the caller continues with its next step. */
  isQuiet?: boolean;
  /** The key under which this browser stores unsaved changes, so that a reload does not lose them. */
  storageKey?: string;
}

export function useStoreDraft(store: StaffStore, { isQuiet = false, storageKey }: DraftOptions = {}): StoreDraft {
  const countOpen = use(CountOpenOrdersContext);
  const [changes, setChanges] = useState<SettingChanges>(() => readChanges(storageKey));
  const [failure, setFailure] = useState<string | null>(null);
  const [conflict, setConflict] = useState<SaveConflict | null>(null);
  const { errors, refusals, refuse, forget } = useFieldErrors();
  const [isSaving, setSaving] = useState(false);
  const latest = useRef(changes);

  const change = (next: SettingChanges): void => {
    latest.current = next;
    setChanges(next);
    if (storageKey !== undefined) writeStored(storageKey, Object.keys(next).length === 0 ? null : next);
  };
  const forgetErrors = (fields: readonly StoreField[]): void => {
    setFailure(null);
    forget(fields);
  };

  const save: StoreDraft['save'] = async (fields, unreadable = {}) => {
    const sent = latest.current;
    const body = toPatchBody(sent, fields);
    if (!body || isSaving) return !isSaving;
    forgetErrors(fields);
    setSaving(true);
    try {
      const ended = findEndedService(store, applySettingChanges(store, onlyFields(sent, fields)), new Date(shopNow()));
      if (ended !== null && !(await confirmServiceEnd(endingQuestion(ended), countOpen, [store.id]))) return false;
      const { data } = await api(
        'PATCH /v1/stores/{id}',
        { id: store.id, ...body, ...asSent(unreadable) },
        { timeout: 20_000 },
      );
      replaceStore(data);
      // A field that was changed during the save does not count as saved.
      const saved = fields.filter((field) => latest.current[field] === sent[field]);
      change(withoutFields(latest.current, saved));
      if (!isQuiet) notifySaved(store.id, toUndoBody(body, data));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') setConflict(conflictOf(error, fields));
      else if (error instanceof ApiError && error.status === 422) refuse(error.errors);
      else setFailure(refusalWords(error));
      return false;
    } finally {
      setSaving(false);
    }
  };

  return {
    store,
    preview: applySettingChanges(store, changes),
    set: (field, value) => {
      change(withSettingChange(latest.current, store, field, value));
      forgetErrors([field]);
    },
    isChanged: (fields) => fields.some((field) => changes[field] !== undefined),
    discard: (fields) => {
      change(withoutFields(latest.current, fields));
      forgetErrors(fields);
    },
    save,
    refuse,
    isSaving,
    errorAt: (path) => errors[path]?.[0],
    refusals,
    failure,
    conflict,
    resolve: async (keepMine) => {
      setConflict(null);
      if (!conflict || !keepMine) return false;
      replaceStore(conflict.current);
      change(changesAfterConflict(latest.current, conflict.current, keepMine, conflict.fields));
      return save(conflict.saving);
    },
  };
}

function readChanges(storageKey: string | undefined): SettingChanges {
  // The cast is right: only this hook writes the value.
  return storageKey === undefined ? {} : ((readStored(storageKey) ?? {}) as SettingChanges);
}

function useFieldErrors() {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refusals, setRefusals] = useState(0);
  const refuse = (found: FieldErrors): void => {
    setErrors((known) => ({ ...known, ...found }));
    setRefusals((count) => count + 1);
  };
  const forget = (fields: readonly StoreField[]): void =>
    setErrors((known) => Object.fromEntries(Object.entries(known).filter(([path]) => !isOf(path, fields))));
  return { errors, refusals, refuse, forget };
}

type Ended = NonNullable<ReturnType<typeof findEndedService>>;

function endingQuestion(ended: Ended): { title: string; body: string; action: string } {
  switch (ended) {
    case 'shop':
      return { title: m.store_ends_shop_title(), body: m.store_ends_shop_body(), action: m.store_ends_shop() };
    case 'collection':
      return {
        title: m.store_ends_collection_title(),
        body: m.store_ends_collection_body(),
        action: m.store_ends_collection(),
      };
    case 'delivery':
      return {
        title: m.store_ends_delivery_title(),
        body: m.store_ends_delivery_body(),
        action: m.store_ends_delivery(),
      };
  }
}

function onlyFields(changes: SettingChanges, fields: readonly StoreField[]): SettingChanges {
  return withoutFields(
    changes,
    keysOf(changes).filter((field) => !fields.includes(field)),
  );
}

function notifySaved(id: string, before: Parameters<typeof undo>[1]): void {
  const action = { label: m.platform_undo(), run: () => void undo(id, before) };
  notify({ id: 'saved', text: m.store_manage_saved(), action });
}

async function undo(id: string, body: Partial<StoreFields> & { was: Record<string, unknown> }): Promise<void> {
  try {
    replaceStore((await api('PATCH /v1/stores/{id}', { id, ...body }, { timeout: 20_000 })).data);
    notify({ id: 'saved', text: m.store_manage_undone() });
  } catch (error) {
    notify({ id: 'saved', text: refusalWords(error), tone: 'bad' });
  }
}

/** Returns invalid texts unchanged, as the type that the API takes. The server checks them and returns all errors. */
function asSent(unreadable: Partial<Record<StoreField, string>>): Partial<StoreFields> {
  return unreadable as Partial<StoreFields>;
}

function conflictOf({ body }: ApiError, saving: readonly StoreField[]): SaveConflict {
  // The casts are right: `changed_meanwhile` returns the store in its own schema, and the names of fields that this
  // page sent.
  return { fields: body['fields'] as StoreField[], current: body['current'] as StaffStore, saving };
}

function isOf(path: string, fields: readonly StoreField[]): boolean {
  return fields.some((field) => path === field || path.startsWith(`${field}.`));
}

export type FulfilmentSettings = OpeningStore &
  Pick<Store, 'collection_enabled' | 'delivery_enabled' | 'delivery_zones'>;

/**
 * Returns the service that a change would end at once: the whole shop, or one fulfilment type; null if the change ends
 * no service.
 */
export function findEndedService(
  before: FulfilmentSettings,
  after: FulfilmentSettings,
  now: Date,
): 'shop' | FulfilmentType | null {
  const [old, next] = [waysAt(before, now), waysAt(after, now)];
  const ended = old.filter((way) => !next.includes(way));
  if (ended.length === 0) return null;
  return next.length === 0 ? 'shop' : (ended[0] ?? null);
}

function waysAt(store: FulfilmentSettings, now: Date): FulfilmentType[] {
  // A pause is ignored, because it ends without a change by the owner.
  if (!openStateAt({ ...withoutIncompleteHours(store), paused_until: null }, now).is_open) return [];
  const ways: FulfilmentType[] = [];
  if (store.collection_enabled) ways.push('collection');
  if (store.delivery_enabled && store.delivery_zones.length > 0) ways.push('delivery');
  return ways;
}
