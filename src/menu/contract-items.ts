import { z } from 'zod';
import { Item, Option, OptionGroup } from '#menu/menu-shapes.ts';
import {
  GroupLink,
  Ids,
  ItemFields,
  NewId,
  OptionFields,
  OptionGroupFields,
  OptionLink,
  SiblingIds,
  Sold,
} from '#menu/fields.ts';
import { Guarded } from '#platform/http/guarded-change.ts';
import { Id, Include, IncludeNothing, One, Page, PageQuery } from '#platform/http/shapes.ts';

const itemRelations = ['option_groups', 'option_groups.options'] as const;
const groupRelations = ['options'] as const;

const OfStore = { store_id: Id };
export const ShownItem = Item.extend(OfStore);
export const ShownOption = Option.extend(OfStore);
export const ShownGroup = OptionGroup.extend(OfStore);
const OptionalStore = { store_id: Id.optional() };
/** Fields of a new thing besides its ordinary ones. */
const OfNew = { ...OptionalStore, id: NewId };
const IncludeItem = z.object({ include: Include(itemRelations) });
const IncludeGroup = z.object({ include: Include(groupRelations) });

export const items = {
  'GET /v1/items': {
    access: 'guest',
    summary: 'List items, by name.',
    query: PageQuery.extend({ ...IncludeItem.shape, ...OptionalStore }),
    response: Page(ShownItem),
  },
  'GET /v1/items/{id}': { access: 'guest', summary: 'Read one item.', query: IncludeItem, response: One(ShownItem) },
  'POST /v1/items': {
    access: 'admin',
    summary:
      "Create an item, in no category yet. Without `store_id` it is the first store's; `vat_rate` is 2000 unless given.",
    body: ItemFields.partial().extend({ name: ItemFields.shape.name, price: ItemFields.shape.price, ...OfNew }),
    response: One(ShownItem),
    status: 201,
    errors: ['conflict'],
  },
  'PATCH /v1/items/{id}': {
    access: 'admin',
    summary: 'Change an item. `option_groups` says when groups that it has already show.',
    body: Guarded(ItemFields.extend({ option_groups: z.array(GroupLink).max(100) }).partial()),
    response: One(ShownItem),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/items/{id}': {
    access: 'admin',
    summary: 'Delete an item: nobody sees it any more, and orders of it stay whole.',
    response: null,
  },
  'POST /v1/items/{id}/availability': {
    access: 'store_admin',
    summary: 'Sold out, or back again.',
    body: Sold,
    response: One(ShownItem),
  },
  'POST /v1/items/{id}/option-groups/add': {
    access: 'admin',
    summary: 'Add option groups at the end of an item. One that it has already keeps its place.',
    body: z.object({ option_groups: Ids }),
    response: One(ShownItem),
  },
  'POST /v1/items/{id}/option-groups/remove': {
    access: 'admin',
    summary: 'Take option groups off an item.',
    body: z.object({ option_groups: Ids }),
    response: One(ShownItem),
  },
  'POST /v1/items/{id}/option-groups/reorder': {
    access: 'admin',
    summary: "Put an item's option groups in this order: every one, exactly once.",
    body: z.object({ optionGroupIds: SiblingIds }),
    response: One(ShownItem),
  },
} as const;

export const options = {
  'GET /v1/options': {
    access: 'guest',
    summary: 'List options, by name.',
    query: PageQuery.extend(OptionalStore),
    response: Page(ShownOption),
  },
  'GET /v1/options/{id}': {
    access: 'guest',
    summary: 'Read one option.',
    query: IncludeNothing,
    response: One(ShownOption),
  },
  'POST /v1/options': {
    access: 'admin',
    summary:
      "Create an option, in no group yet. Without `store_id` it is the first store's; it costs nothing unless given.",
    body: OptionFields.partial().extend({ name: OptionFields.shape.name, ...OfNew }),
    response: One(ShownOption),
    status: 201,
  },
  'PATCH /v1/options/{id}': {
    access: 'admin',
    summary: 'Change an option, wherever it is offered.',
    body: Guarded(OptionFields.partial()),
    response: One(ShownOption),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/options/{id}': { access: 'admin', summary: 'Delete an option. Orders keep it.', response: null },
  'POST /v1/options/{id}/availability': {
    access: 'store_admin',
    summary: 'Sold out, or back again.',
    body: Sold,
    response: One(ShownOption),
  },
} as const;

export const optionGroups = {
  'GET /v1/option-groups': {
    access: 'guest',
    summary: 'List option groups, by name.',
    query: PageQuery.extend({ ...IncludeGroup.shape, ...OptionalStore }),
    response: Page(ShownGroup),
  },
  'GET /v1/option-groups/{id}': {
    access: 'guest',
    summary: 'Read one option group.',
    query: IncludeGroup,
    response: One(ShownGroup),
  },
  'POST /v1/option-groups': {
    access: 'admin',
    summary:
      "Create an option group, of no item yet. Without `store_id` it is the first store's; at most one may be chosen unless given, exactly one if the choices are the price (`pricing` `is_price`).",
    body: OptionGroupFields.partial().extend({ name: OptionGroupFields.shape.name, ...OfNew }),
    response: One(ShownGroup),
    status: 201,
  },
  'PATCH /v1/option-groups/{id}': {
    access: 'admin',
    summary:
      'Change an option group. `options` says what options that it has already cost in it. `pricing` says whether its choices add to the price of an item (`adds`) or are its price (`is_price`): then exactly one is chosen and paid, and an item has at most one such group, without a condition.',
    body: Guarded(OptionGroupFields.extend({ options: z.array(OptionLink).max(1000) }).partial()),
    response: One(ShownGroup),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/option-groups/{id}': {
    access: 'admin',
    summary: 'Delete an option group. Its options stay.',
    response: null,
  },
  'POST /v1/option-groups/{id}/options/add': {
    access: 'admin',
    summary: 'Add options at the end of a group. One that it has already keeps its place.',
    body: z.object({ options: Ids }),
    response: One(ShownGroup),
  },
  'POST /v1/option-groups/{id}/options/remove': {
    access: 'admin',
    summary: 'Take options out of a group.',
    body: z.object({ options: Ids }),
    response: One(ShownGroup),
  },
  'POST /v1/option-groups/{id}/options/reorder': {
    access: 'admin',
    summary: "Put a group's options in this order: every one, exactly once.",
    body: z.object({ optionIds: SiblingIds }),
    response: One(ShownGroup),
  },
} as const;
