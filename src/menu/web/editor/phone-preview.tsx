import { m } from '#messages';
import classes from '#menu/web/editor/editor.module.css';
import { useEditing } from '#menu/web/editor/editing-context.ts';
import { Empty } from '#ui/web/office/states.tsx';
import { useStoresQuery } from '#store/web/stores.ts';
import { readPageData } from '#platform/web/page-data.ts';

/**
 * The customers' own menu page on a phone's width, as it is at this moment: it hears of each change as every customer's
 * page does. What is not saved yet is not in it.
 */
export function PhonePreview() {
  const { store } = useEditing();
  const stores = useStoresQuery().data ?? [];
  const { storeName } = readPageData().config;
  // What `/` shows: the shop that is named, or the first one.
  const shown =
    storeName === null ? stores[0] : stores.find(({ id, slug, name }) => [id, slug, name].includes(storeName));
  if (shown && shown.id !== store.id) return <Empty title={m.menu_edit_preview_other()} />;
  return (
    <figure className={classes.phone}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs its scripts and the basket */}
      <iframe src="/menu" title={m.menu_edit_preview_title({ name: store.name })} width={390} height={780} />
      <figcaption>{m.menu_edit_preview_hint()}</figcaption>
    </figure>
  );
}
