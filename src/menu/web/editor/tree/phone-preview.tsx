import { m } from '#messages';
import classes from '#menu/web/editor/tree/phone-preview.module.css';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { Empty } from '#ui/web/office/states.tsx';
import type { StoreConfig } from '#store/page-config.ts';
import { useStoresQuery } from '#store/web/stores.ts';
import { readPageData } from '#platform/web/page-data.ts';

/**
 * The customers' current menu page at a phone's width. Each change updates it like every customer's page; it does not
 * show unsaved changes.
 */
export function PhonePreview() {
  const { store } = useEditing();
  const stores = useStoresQuery().data ?? [];
  const { storeName } = readPageData<{ config: StoreConfig }>().config;
  // The shop that `/` shows: the one in the address, or else the first one.
  const shown =
    storeName === null ? stores[0] : stores.find(({ id, slug, name }) => [id, slug, name].includes(storeName));
  if (shown && shown.id !== store.id) return <Empty title={m.menu_edit_preview_other()} />;
  return (
    <figure className={classes.phone}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs scripts and the basket */}
      <iframe src="/menu" title={m.menu_edit_preview_title({ name: store.name })} width={390} height={780} />
      <figcaption>{m.menu_edit_preview_hint()}</figcaption>
    </figure>
  );
}
