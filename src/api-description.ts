import { apiErrors, errorMembers } from '#api-errors.ts';
import { apiExamples, exampleWords } from '#api-examples.ts';
import { apiSchemas } from '#api-schemas.ts';
import { contract } from '#contract.ts';
import type { Access, Endpoints } from '#platform/http/endpoint.ts';
import { type ApiInfo, describeApi } from '#platform/http/openapi.ts';

const about = {
  accounts: "Who signs in, and the owner's first visit.",
  store: 'The shops: hours, delivery, pauses, slots.',
  menu: 'Menus, categories, items, options and option groups.',
  ordering: 'Baskets and orders, from the quote to the door.',
  printing: 'Receipts, printers and the print ledger.',
  kitchen: 'The order board.',
  payment: 'Paying by card.',
  realtime: 'Who may listen to what.',
  'app-release': 'Versions of the Android app.',
  uploads: 'Pictures.',
  mail: 'Mail of a shop that has no mail server.',
  reports: 'Takings by day, hour, item and VAT rate, and tables for the accountant.',
  people: 'Customers, staff and their invitations.',
  audit: 'Who changed what.',
};

const access: Record<Access, string> = {
  guest: 'Open to everyone.',
  customer: 'For anyone signed in.',
  store_admin: "For the store's staff.",
  admin: 'For admins.',
};

export const apiInfo: ApiInfo = {
  title: 'Hatch API',
  version: '1',
  description: 'Every call of this shop. Times are ISO 8601 in UTC, money is an integer in pence, ids are UUIDs.',
  license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
};

/** The whole API as an OpenAPI document, its calls gathered under `groups`. */
export function describeWholeApi(groups: Record<string, Endpoints>): Record<string, unknown> {
  return describeApi(contract, groups, apiInfo, {
    schemas: apiSchemas,
    examples: apiExamples,
    exampleWords,
    groups: about,
    access,
    health: {
      well: 'Whether the shop can take orders. Requests from its own machine get the versions, too.',
      unwell: 'It cannot, for now.',
    },
    errors: apiErrors,
    errorMembers,
  });
}
