import { importStates } from '#database/column-values.ts';
import {
  categoryEndpoints,
  itemEndpoints,
  menuEndpoints,
  optionGroupEndpoints,
  optionEndpoints,
  restoreEndpoints,
} from '#menu/contract-parts.ts';
import { z } from 'zod';
import { MenuParts } from '#menu/fields.ts';
import { menuCalls } from '#menu/operations/operation-calls.ts';
import { Id, Instant, SingleAnswer, PageAnswer, PageQuery } from '#platform/http/shapes.ts';

export const MenuChanges = z.array(
  z.object({
    /** The call as the contract names it, e.g. `PATCH /v1/items/{id}`. */
    call: z.enum(menuCalls),
    /** The `{id}` of the call's path. */
    id: Id.toLowerCase().optional(),
    body: z.record(z.string(), z.unknown()).default({}),
  }),
);
export type MenuChangeCall = z.output<typeof MenuChanges>[number];

export const menuEditingEndpoints = {
  ...restoreEndpoints,
  'GET /v1/menus/store/{storeId}/parts': {
    access: 'admin',
    summary: "Everything on a store's menus, each thing once, hidden and unlinked things too: what an editor needs.",
    response: SingleAnswer(MenuParts),
  },
  'POST /v1/menus/changes': {
    access: 'admin',
    summary: 'Make several changes of menus as one: all of them or none. An error names the change, from 0.',
    body: z.object({ changes: MenuChanges.min(1).max(1000) }),
    response: null,
    errors: ['conflict', 'changed_meanwhile'],
  },
  'GET /v1/items/{id}/sold': {
    access: 'admin',
    summary: 'How many of an item were ever ordered.',
    response: SingleAnswer(z.object({ sold: z.int() })),
  },
} as const;

/** The import of a file into the menu: all of its changes, or none. */
export const MenuImport = z.object({
  id: Id,
  store_id: Id,
  file_name: z.string(),
  state: z.enum(importStates),
  total: z.int(),
  /** The number of changes made so far; customers see them all at once, at the end. */
  done: z.int(),
  error: z.string().nullable(),
  /** The index of the refused change, from 0; null if none was refused. */
  failed_change: z.int().nullable(),
  created_at: Instant,
  finished_at: Instant.nullable(),
});
export type MenuImport = z.infer<typeof MenuImport>;

const maxChanges = 50_000;

export const menuImportEndpoints = {
  'POST /v1/menu-imports': {
    access: 'admin',
    summary: 'Make many changes of a menu as one, in the background. The same id twice is the one import.',
    body: z.object({
      id: Id.toLowerCase(),
      store_id: Id.toLowerCase(),
      file_name: z.string().trim().max(200).default(''),
      changes: MenuChanges.min(1).max(maxChanges),
      undo: MenuChanges.max(maxChanges).default([]),
    }),
    bodyLimit: 32 * 1024 * 1024,
    response: SingleAnswer(MenuImport),
    status: 201,
    errors: ['conflict'],
  },
  'GET /v1/menu-imports': {
    access: 'admin',
    summary: "List a store's imports, the latest first.",
    query: PageQuery.extend({ store_id: Id.optional() }),
    response: PageAnswer(MenuImport),
  },
  'GET /v1/menu-imports/{id}': {
    access: 'admin',
    summary: 'How far an import is.',
    response: SingleAnswer(MenuImport),
  },
  'POST /v1/menu-imports/{id}/undo': {
    access: 'admin',
    summary: 'Take an import back, in the background. What somebody changed since is not overwritten: then nothing is.',
    response: SingleAnswer(MenuImport),
    errors: ['conflict'],
  },
} as const;

export const allMenuEndpoints = {
  ...menuEndpoints,
  ...categoryEndpoints,
  ...itemEndpoints,
  ...optionEndpoints,
  ...optionGroupEndpoints,
  ...menuEditingEndpoints,
  ...menuImportEndpoints,
} as const;
