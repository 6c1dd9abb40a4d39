import { m } from '#messages';
import { useEditing } from '#menu/web/editor/editing-context.ts';
import { fieldName } from '#menu/web/editor/field-words.ts';
import { type ChangedFields, changeSeen, type MenuOperation } from '#menu/operations/menu-operation.ts';
import type { PartKind, PartOf } from '#menu/operations/menu-part.ts';

/** What an edit takes of one field of a part. */
interface PartField<T> {
  label: string;
  value: T;
  /** `was` is what the person saw as they began; without it, what stands there now. */
  onCommit: (value: T, was?: T) => void;
}

/** The fields of a part, each as an edit takes it, and how several are changed at once; what changed is named in words. */
export function usePartFields<K extends PartKind>(kind: K, part: PartOf<K>) {
  const { edit } = useEditing();
  const set = (fields: ChangedFields<K>, began?: Partial<PartOf<K>>): void => {
    const [name = ''] = Object.keys(fields);
    // One of the union, whichever kind it is.
    const operation = changeSeen(kind, part, fields, began) as MenuOperation;
    edit(m.menu_edit_changed({ field: fieldName(name), name: part.name }), [operation]);
  };
  const field = <F extends keyof PartOf<K> & keyof ChangedFields<K> & string>(name: F): PartField<PartOf<K>[F]> => ({
    label: fieldName(name),
    value: part[name],
    // A field that changes is read and written in one form.
    onCommit: (value, was = part[name]) => set(only(name, value) as ChangedFields<K>, only(name, was)),
  });
  return { set, field };
}

function only<T, F extends keyof T>(name: F, value: T[F]): Partial<T> {
  const fields: Partial<T> = {};
  fields[name] = value;
  return fields;
}
