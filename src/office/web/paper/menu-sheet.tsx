import { m } from '#messages';
import type { Category, Item, Menu, OptionGroup } from '#menu/menu-shapes.ts';
import { AllergenTableLegend, AllergenTable, allergenTableSections } from '#menu/web/allergen-table.tsx';
import { dietWords, groupRuleWords, spiceWords } from '#menu/web/menu-words.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import classes from '#office/web/paper/paper.module.css';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { weekdayName } from '#store/weekday-words.ts';
import { QrCode } from '#ui/web/qr-code.tsx';

interface MenuSheetProps {
  store: Store;
  menus: readonly Menu[];
  address: string;
  /** The parts to print: `descriptions`, `choices` and `allergens`. */
  parts: ReadonlySet<string>;
  isNarrow: boolean;
}

/** The customers' menus for printing, including dishes that are sold out today. */
export function MenuSheet({ store, menus, address, parts, isNarrow }: MenuSheetProps) {
  const now = useNow();
  const shown = menus.filter(({ categories = [] }) => categories.some(hasDishes));
  const { line1, line2, city, postcode } = store.address;
  const contact = [[line1, line2, city, postcode].filter(Boolean).join(', '), store.phone].filter(Boolean);
  return (
    <article className={classes.menu}>
      <header>
        {store.logo && <img src={store.logo} alt="" />}
        <div>
          <h2>{store.name}</h2>
          {contact.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <figure>
          <QrCode text={address} label={m.office_setup_qr({ address })} />
          <figcaption>{m.office_paper_order_online()}</figcaption>
        </figure>
      </header>
      {shown.map((menu) => (
        <section key={menu.id}>
          {(shown.length > 1 || menu.availability) && (
            <h3 className={classes.title}>
              {menu.name}
              {menu.availability && <small>{servedWords(menu.availability)}</small>}
            </h3>
          )}
          <div className={classes.columns} data-narrow={isNarrow || undefined}>
            {(menu.categories ?? []).filter(hasDishes).map((category) => (
              <CategoryList key={category.id} category={category} currency={store.currency} parts={parts} />
            ))}
          </div>
        </section>
      ))}
      <footer>
        <p>
          {store.phone ? m.store_allergens_advice_phone({ phone: store.phone }) : m.store_allergens_advice()}{' '}
          {m.office_paper_prices({ date: dateWords(now, store.timezone) })}
        </p>
      </footer>
      {parts.has('allergens') && shown.length > 0 && (
        <section className={classes.allergens}>
          <h3>{m.store_allergens_title()}</h3>
          <p className={classes.key} aria-hidden="true">
            <AllergenTableLegend />
          </p>
          {allergenTableSections(shown).map(({ name, rows }) => (
            <section key={name ?? ''}>
              <h3>{name ?? m.store_allergens_extras()}</h3>
              <AllergenTable label={name ?? m.store_allergens_extras()} rows={rows} />
            </section>
          ))}
        </section>
      )}
    </article>
  );
}

function hasDishes({ items = [] }: Category): boolean {
  return items.length > 0;
}

function servedWords({ days, from, to }: NonNullable<Menu['availability']>): string {
  const hours = from === to ? [] : [`${from}–${to}`];
  return [...(days.length < 7 ? [days.map((day) => weekdayName(day)).join(', ')] : []), ...hours].join(' · ');
}

interface CategoryListProps extends Pick<MenuSheetProps, 'parts'> {
  category: Category;
  currency: string;
}

function CategoryList({ category, currency, parts }: CategoryListProps) {
  const { name, description, items = [] } = category;
  const groups = new Map(items.flatMap(({ option_groups: all = [] }) => all.map((group) => [group.id, group])));
  const extras = [...groups.values()].filter(
    ({ pricing, options = [] }) => pricing !== 'is_price' && options.length > 0,
  );
  return (
    <section className={classes.category}>
      <div className={classes.heading}>
        <h3>{name}</h3>
      </div>
      <div className={classes.dishes}>
        {parts.has('descriptions') && description && <p className={classes.about}>{description}</p>}
        <ul>
          {items.map((item) => (
            <Dish key={item.id} item={item} currency={currency} hasDescription={parts.has('descriptions')} />
          ))}
        </ul>
        {parts.has('choices') &&
          extras.map((group) => (
            <p key={group.id} className={classes.extras}>
              <strong>{group.name}</strong> ({groupRuleWords(group)}): {optionWords(group, currency)}
            </p>
          ))}
      </div>
    </section>
  );
}

function Dish({ item, currency, hasDescription }: { item: Item; currency: string; hasDescription: boolean }) {
  const sizes = item.option_groups?.find(({ pricing }) => pricing === 'is_price')?.options ?? [];
  const marks = [
    ...dietWords(item.dietary),
    ...(item.spice_level > 0 ? [spiceWords(item.spice_level)] : []),
    ...(item.min_age === null ? [] : [m.menu_min_age({ age: item.min_age })]),
  ];
  return (
    <li>
      <div className={classes.dish}>
        <span>
          {item.name}
          {marks.length > 0 && <small> {marks.join(' · ')}</small>}
        </span>
        {sizes.length === 0 && <span className={classes.price}>{startingPriceWords(item, currency)}</span>}
      </div>
      {sizes.map(({ id, name, price }) => (
        <div key={id} className={classes.size}>
          <span>{name}</span>
          <span className={classes.price}>{formatMoney(price, currency)}</span>
        </div>
      ))}
      {hasDescription && item.description && <p>{item.description}</p>}
    </li>
  );
}

function optionWords({ options = [] }: OptionGroup, currency: string): string {
  return options.map(({ name, price }) => (price > 0 ? `${name} +${formatMoney(price, currency)}` : name)).join(', ');
}
