import { readDishes } from '#demo/dishes.ts';
import { demoOptionGroups } from '#demo/option-groups.ts';
import { demoOptions } from '#demo/options.ts';
import { demoStore } from '#demo/store.ts';
import type { DemoShop } from '#demo/demo-parts.ts';

export const demoShop: DemoShop = {
  store: demoStore,
  menu: {
    name: 'Menu',
    description: 'Charcoal grill, stone-baked pizza and curries cooked through the day.',
    is_active: true,
    availability: null,
  },
  ...readDishes(),
  option_groups: demoOptionGroups,
  options: demoOptions,
};
