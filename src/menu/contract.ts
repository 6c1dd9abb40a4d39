import { importStates } from '#database/column-values.ts';
import {
  categoryEndpoints,
  itemEndpoints,
  menuEndpoints,
  optionGroupEndpoints,
  optionEndpoints,
  menuRestoreEndpoints,
} from '#menu/contract-parts.ts';
import { z } from 'zod';
import { MenuParts } from '#menu/fields.ts';
import { menuChangeCalls } from '#menu/operations/operation-calls.ts';
import { Id, Instant, SingleAnswer, PaginatedAnswer, PaginatedQuery } from '#platform/http/shapes.ts';

export const MenuChanges = z.array(
  z.object({
    call: z.enum(menuChangeCalls),
    id: Id.toLowerCase().optional(),
    body: z.record(z.string(), z.unknown()).default({}),
  }),
);
export type MenuChangeCall = z.output<typeof MenuChanges>[number];

export const menuEditingEndpoints = {
  ...menuRestoreEndpoints,
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

/** An import of a file into the menu. Either all of its changes are made, or none. */
export const MenuImport = z.object({
  id: Id,
  store_id: Id,
  file_name: z.string(),
  state: z.enum(importStates),
  total: z.int(),
  /** The number of changes made so far. Customers see all changes at once, at the end. */
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
    query: PaginatedQuery.extend({ store_id: Id.optional() }),
    response: PaginatedAnswer(MenuImport),
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

/**
 * A menu draft that the import page made of a file, a website or a photo. `columns` and `content` are JSON that only
 * the import page writes and reads.
 */
export const MenuDraftRow = z.object({
  id: Id,
  store_id: Id,
  file_name: z.string(),
  file_hash: z.string(),
  header_shape: z.string().nullable(),
  columns: z.string().nullable(),
  /** The draft with its answers; null in lists, and if `is_open` is false. */
  content: z.string().nullable(),
  /**
   * Whether the draft can be resumed: it was neither imported nor discarded, was short enough to be stored, and is at
   * most a week old.
   */
  is_open: z.boolean(),
  updated_at: Instant,
  imported_at: Instant.nullable(),
});
export type MenuDraftRow = z.infer<typeof MenuDraftRow>;

export const menuDraftEndpoints = {
  'POST /v1/menu-drafts': {
    access: 'admin',
    summary: 'Save the draft of an import for a week. The same file of the same store is the one draft.',
    body: z.object({
      store_id: Id.toLowerCase(),
      file_name: z.string().trim().max(200).default(''),
      file_hash: z.string().max(64),
      header_shape: z.string().max(2000).nullable().default(null),
      columns: z.string().max(20_000).nullable().default(null),
      content: z.string().max(4_000_000).nullable().default(null),
      is_imported: z.boolean().default(false),
    }),
    bodyLimit: 8 * 1024 * 1024,
    response: SingleAnswer(MenuDraftRow),
    status: 201,
    // `ownTransaction` keeps the call out of the audit log, because a draft does not change the shop.
    ownTransaction: true,
  },
  'GET /v1/menu-drafts': {
    access: 'admin',
    summary: "List a store's drafts and imported files, the latest first.",
    query: PaginatedQuery.extend({ store_id: Id }),
    response: PaginatedAnswer(MenuDraftRow),
  },
  'GET /v1/menu-drafts/{id}': {
    access: 'admin',
    summary: 'A draft with its content.',
    response: SingleAnswer(MenuDraftRow),
  },
  'DELETE /v1/menu-drafts/{id}': {
    access: 'admin',
    summary: 'Discard a draft, unless it was changed after `updated_at`. The columns of its file stay remembered.',
    query: z.object({ updated_at: Instant.optional() }),
    response: null,
    errors: ['conflict'],
    ownTransaction: true,
  },
} as const;

/** A word in a picture, with its position in pixels from the upper left corner. */
export const PhotoWord = z.object({ text: z.string(), x: z.int(), y: z.int(), width: z.int(), height: z.int() });
export type PhotoWord = z.infer<typeof PhotoWord>;

/**
 * The calls that read a menu from a web page or a photo. They change nothing, and hold no database connection while
 * they wait for the website or for Tesseract.
 */
export const menuSourceEndpoints = {
  'POST /v1/menu-pages': {
    access: 'admin',
    summary: 'Fetch a page of the internet that has a menu; `content` is in base64.',
    body: z.object({ url: z.string().trim().min(1).max(2000) }),
    response: SingleAnswer(z.object({ type: z.enum(['html', 'pdf', 'table']), content: z.string() })),
    ownTransaction: true,
  },
  'GET /v1/menu-photos': {
    access: 'admin',
    summary: 'Whether this server can read photos: Tesseract is installed.',
    response: SingleAnswer(z.object({ is_available: z.boolean() })),
  },
  'POST /v1/menu-photos': {
    access: 'admin',
    summary: 'Read the words of a photo of a menu, the file itself as the body.',
    upload: { types: ['image/jpeg', 'image/png', 'image/webp'], limit: 8 * 1024 * 1024 },
    response: SingleAnswer(z.array(PhotoWord)),
    errors: ['unavailable'],
    ownTransaction: true,
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
  ...menuDraftEndpoints,
  ...menuSourceEndpoints,
} as const;
