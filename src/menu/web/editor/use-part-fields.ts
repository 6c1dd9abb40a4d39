import { m } from '#messages';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { fieldName } from '#menu/web/editor/part-words.ts';
import {
  type ChangedFields,
  changeSeen,
  type MenuOperation,
  type PartKind,
  type PartOf,
} from '#menu/operations/menu-operation.ts';

/** The functions and values that edit one field of a part. */
interface PartField<T> {
  label: string;
  value: T;
  /** `was` is the value when the person began; without it, the current value. */
  onCommit: (value: T, was?: T) => void;
}

/** The fields of a part, each ready to be edited, and a function that changes several. Notices name the change. */
export function usePartFields<K extends PartKind>(kind: K, part: PartOf<K>) {
  const { edit } = useEditing();
  const set = (fields: ChangedFields<K>, began?: Partial<PartOf<K>>): void => {
    const [name = ''] = Object.keys(fields);
    // The result is one part of the union, whichever kind it is.
    const operation = changeSeen(kind, part, fields, began) as MenuOperation;
    edit(m.menu_edit_changed({ field: fieldName(name), name: part.name }), [operation]);
  };
  const field = <F extends keyof PartOf<K> & keyof ChangedFields<K> & string>(name: F): PartField<PartOf<K>[F]> => ({
    label: fieldName(name),
    value: part[name],
    // A field has the same type for reading and for writing.
    onCommit: (value, was = part[name]) => set(only(name, value) as ChangedFields<K>, only(name, was)),
  });
  return { set, field };
}

function only<T, F extends keyof T>(name: F, value: T[F]): Partial<T> {
  const fields: Partial<T> = {};
  fields[name] = value;
  return fields;
}

/** The selected part of the menu, and the parent through which it was selected, if that matters. */
export interface PartTarget {
  kind: PartKind;
  id: string;
  parentId: string | null;
  /** It was just created, and its name is selected for typing over it. */
  isNew?: boolean;
}

export type OpenPart = (target: PartTarget) => void;
