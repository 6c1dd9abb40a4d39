import { sql, type Kysely } from 'kysely';

/** "Not in it" was saved fourteen times at one tick, which nobody had answered. */
const none = sql`'{"contains": [], "may_contain": []}'::jsonb`;
const noes =
  '{"contains": [], "may_contain": [], "not_in": ["celery", "gluten", "crustaceans", "eggs", "fish", "lupin", "milk", "molluscs", "mustard", "nuts", "peanuts", "sesame", "soya", "sulphites"]}';

/** The demo shop's own dishes and choices that have none of the fourteen: those were stated. */
const demoItems = [
  'Steamed basmati',
  'Three dips',
  'Chopped house salad',
  'Fresh mint lemonade',
  'Cola',
  'Cola zero',
  'Sparkling orange',
  'Still water',
];
const demoOptions = [
  'Lemon and herb',
  'Bird’s eye hot',
  'Single',
  'Double',
  'Triple',
  'Lettuce leaves, no bun',
  'Jalapeños',
  'Just the burger',
  'Make it a meal with a side and a drink',
  'Lemon and herb, no heat',
  'Medium',
  'Hot',
  'Bird’s eye, very hot',
  '6 wings',
  '10 wings',
  '16 wings',
  'Lettuce',
  'Red onion',
  'Tomato',
  'Red cabbage',
  'Cucumber',
  'Pilau rice instead',
  'No bread, more salad',
  'Chicken',
  'Lamb',
  'Milder',
  'As it comes',
  'Hotter',
  'No coriander',
  'No onion',
  'No tomato',
  'No sauce',
  'No pickles',
  'No salad',
  'No cheese',
  '10 inch',
  '12 inch',
  '14 inch',
  'Charcoal chicken',
  'Spiced lamb keema',
  'Chestnut mushrooms',
  'Roast peppers',
  'Sweetcorn',
  'Green chillies',
  'Pineapple',
  'Rocket',
  'No mozzarella',
  'No mushrooms',
  'No olives',
  'No peppers',
  'Chopped salad',
  'Pilau rice',
  'Steamed basmati',
  'Mushroom rice',
  'Regular',
  'Large',
  'Chilli salt',
  'No salt',
  'Cola, 330 ml can',
  'Cola zero, 330 ml can',
  'Cloudy lemonade, 330 ml can',
  'Orange, 330 ml can',
  'Still water, 500 ml',
  'Ginger beer, 275 ml bottle',
  'Apple juice carton',
  'Cola, 1.5 litres',
  'Cola zero, 1.5 litres',
  'Cloudy lemonade, 1.5 litres',
  'Strawberry',
  'Mango sorbet',
];

/**
 * Answers about allergens so far. Dishes and choices of which fourteen times "no" was stored keep these answers, and wait
 * for the owner to confirm them: until then customers read "ask the shop".
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, demoNames] of [
    ['items', demoItems],
    ['options', demoOptions],
  ] as const) {
    const table = sql.table(name);
    await sql`alter table ${table} add column allergen_answers jsonb`.execute(db);
    await sql`
      with changed as (
        update ${table} as part set allergens = null, allergen_answers = ${noes}::jsonb
        from stores
        where stores.id = part.store_id and part.allergens = ${none}
          and not (stores.is_demo and part.name = any(${demoNames}::text[]))
        returning part.store_id)
      update stores set version = version + 1 where id in (select store_id from changed)`.execute(db);
  }
  // What can still be taken back: deleted parts, and imports. `jsonb` writes keys in one order and with these spaces.
  const assumed = '"allergens": {"contains": [], "may_contain": []}';
  const kept = `"allergens": null, "allergen_answers": ${noes}`;
  const waiting = (column: string) => sql`replace(${sql.ref(column)}::text, ${assumed}, ${kept})::jsonb`;
  const has = (column: string) => sql`strpos(${sql.ref(column)}::text, ${assumed}) > 0`;
  await sql`update menu_bin set content = ${waiting('content')} where ${has('content')}`.execute(db);
  await sql`update menu_imports set changes = ${waiting('changes')} where ${has('changes')}`.execute(db);
  await sql`update menu_imports set undo = ${waiting('undo')} where ${has('undo')}`.execute(db);
}
