import { m } from '#messages';
import { apiExamples, exampleWords } from '#api-examples.ts';
import { apiSchemas } from '#api-schemas.ts';
import { contract } from '#contract.ts';
import type { Endpoints } from '#platform/http/endpoint.ts';
import { describeApi } from '#platform/http/openapi.ts';

const about = {
  accounts: "Who signs in, and the owner's first visit.",
  store: 'The shops: hours, delivery, pauses, slots.',
  menu: 'Menus, categories, items, options and option groups.',
  ordering: 'Baskets and orders, from the quote to the door.',
  kitchen: 'Receipts on paper.',
  payment: 'Paying by card.',
  realtime: 'Who may listen to what.',
  'app-release': 'Versions of the Android app.',
  uploads: 'Pictures.',
  mail: 'Mail of a shop that has no mail server.',
  reports: 'Takings by day, hour, item and VAT rate, and tables for the accountant.',
  people: 'Customers, staff and their invitations.',
  audit: 'Who changed what.',
};

/** The whole API as an OpenAPI document, its calls gathered under `groups`. */
export function describeWholeApi(groups: Record<string, Endpoints>): Record<string, unknown> {
  const info = {
    title: m.platform_api_title(),
    version: '1',
    description: m.platform_api_description(),
    license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
  };
  return describeApi(contract, groups, info, {
    schemas: apiSchemas,
    examples: apiExamples,
    exampleWords,
    groups: about,
  });
}
