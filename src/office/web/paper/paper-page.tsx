import { Alert, Button, Checkbox, Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import classes from '#office/web/paper/paper.module.css';
import { MenuSheet } from '#office/web/paper/menu-sheet.tsx';
import { isReachableByOthers, shopOrigin } from '#platform/web/shop-origin.ts';
import { useNow } from '#platform/web/clock.ts';
import { fetchShopWithRetries } from '#shop/web/fetch-shop.ts';
import type { Store } from '#store/contract.ts';
import { dateHoursWords } from '#store/hours-words.ts';
import { hoursOfComingWeek } from '#store/web/hours-table.tsx';
import { weekdayName } from '#store/weekday-words.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { LoadingState, OfficeLoadFailure } from '#ui/web/office/states.tsx';
import { QrCode } from '#ui/web/qr-code.tsx';

type Print = 'menu' | 'counter' | 'door';

/** Paper sizes with their width and margin in mm, and the width of a menu's text in em. */
const papers = {
  A4: { width: 210, margin: 12, ems: 54 },
  A5: { width: 148, margin: 9, ems: 44 },
} as const;
type PaperSize = keyof typeof papers;

const usualSize: Record<Print, PaperSize> = { menu: 'A4', counter: 'A5', door: 'A4' };

/**
 * Prints the menu, or cards with the shop's QR code, on the printer of the office's computer. The printed element is
 * the preview itself.
 */
export function PaperPage({ store }: { store: Store }) {
  const [print, setPrint] = useState<Print>('menu');
  const [size, setSize] = useState<PaperSize>('A4');
  const [parts, setParts] = useState(['descriptions', 'allergens']);
  const query = useQuery({ queryKey: ['paper', store.id], queryFn: () => fetchShopWithRetries(store.id, null) });
  if (query.isError && !query.data)
    return <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingState />;
  const shop = query.data;
  const address = `${shopOrigin()}/`;
  const isEmpty = shop.menus.every(({ categories = [] }) => categories.every(({ items = [] }) => items.length === 0));
  return (
    <OfficePage
      title={m.office_page_paper()}
      hint={m.office_paper_hint()}
      actions={
        <Button leftSection={<Icon name="print" />} onClick={() => window.print()}>
          {m.office_paper_print()}
        </Button>
      }
    >
      <div className={classes.controls}>
        <SegmentedControl
          aria-label={m.office_paper_choose()}
          value={print}
          onChange={(value) => {
            setPrint(value as Print);
            setSize(usualSize[value as Print]);
          }}
          data={[
            { value: 'menu', label: m.office_paper_menu() },
            { value: 'counter', label: m.office_paper_counter() },
            { value: 'door', label: m.office_paper_door() },
          ]}
        />
        <SegmentedControl
          aria-label={m.office_paper_size()}
          value={size}
          onChange={(value) => setSize(value as PaperSize)}
          data={Object.keys(papers)}
        />
        {print === 'menu' && (
          <Checkbox.Group value={parts} onChange={setParts} aria-label={m.office_paper_parts()}>
            <Group gap="md">
              <Checkbox value="descriptions" label={m.office_paper_descriptions()} />
              <Checkbox value="choices" label={m.office_paper_choices()} />
              <Checkbox value="allergens" label={m.office_paper_allergens()} />
            </Group>
          </Checkbox.Group>
        )}
        {!isReachableByOthers(address) && (
          <Alert color="warm" variant="light" title={m.office_paper_local({ address })}>
            {m.office_paper_local_words()}
          </Alert>
        )}
        {print === 'menu' && isEmpty && (
          <Alert color="warm" variant="light" title={m.office_paper_empty()}>
            <Link href="/admin/menuEditor">{m.office_page_menu_editor()}</Link>
          </Alert>
        )}
      </div>
      <Paper size={size}>
        {print === 'menu' ? (
          <MenuSheet {...shop} address={address} parts={new Set(parts)} isNarrow={size === 'A5'} />
        ) : (
          <QrCard store={shop.store} address={address} hasHours={print === 'door'} />
        )}
      </Paper>
    </OfficePage>
  );
}

/** A sheet whose text size depends on the paper's width, so that lines break alike in the preview and in print. */
function Paper({ size, children }: { size: PaperSize; children: ReactNode }) {
  const { width, margin, ems } = papers[size];
  const style = { '--margin': `${(100 * margin) / width}%`, '--ems': ems } as CSSProperties;
  return (
    <>
      <style>{`@page { size: ${size}; margin: ${margin}mm; }`}</style>
      <div className={classes.paper} style={style}>
        <div className={classes.within}>{children}</div>
      </div>
    </>
  );
}

function QrCard({ store, address, hasHours }: { store: Store; address: string; hasHours: boolean }) {
  const now = useNow();
  return (
    <article className={classes.card}>
      {store.logo && <img src={store.logo} alt="" />}
      <h2>{store.name}</h2>
      <p className={classes.call}>{hasHours ? m.office_paper_order_online() : m.office_paper_order_here()}</p>
      <QrCode text={address} label={m.office_setup_qr({ address })} />
      <p>{m.office_paper_scan()}</p>
      <p className={classes.address}>{address.replace(/^https?:\/\//, '').replace(/\/$/, '')}</p>
      {hasHours && (
        <dl>
          {hoursOfComingWeek({ ...store, closures: [], special_hours: [] }, now).map((day) => (
            <div key={day.day}>
              <dt>{weekdayName(day.day)}</dt>
              <dd>{dateHoursWords(day)}</dd>
            </div>
          ))}
        </dl>
      )}
      {hasHours && store.phone && <p>{store.phone}</p>}
    </article>
  );
}
