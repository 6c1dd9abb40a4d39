import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { useLocation } from 'wouter';
import { m } from '#messages';
import classes from '#office/web/go-to-dialog.module.css';
import { navigationGroups } from '#office/web/navigation.ts';
import { rememberFocus } from '#ui/web/office/dialogs.tsx';
import type { OfficePagePath } from '#office-pages.ts';
import type { Store } from '#store/contract.ts';

let giveFocusBack: (() => void) | undefined;

/** Opens the dialog if it is on the page. */
export function openGoToDialog(): void {
  giveFocusBack ??= rememberFocus();
  spotlight.open();
}

/** The dialog in which any page or shop can be searched and opened. */
export function GoToDialog({ stores, choose }: { stores: readonly Store[]; choose: (id: string) => void }) {
  const [, go] = useLocation();
  return (
    <Spotlight
      actions={[
        ...pageGroups(go),
        ...(stores.length < 2
          ? []
          : [
              {
                group: m.office_page_stores(),
                actions: stores.map(({ id, name }) => ({ id, label: name, onClick: () => choose(id) })),
              },
            ]),
      ]}
      shortcut={null}
      // The focus is given back below: the library does so only for dialogs that stay rendered.
      returnFocus={false}
      onSpotlightClose={() => {
        giveFocusBack?.();
        giveFocusBack = undefined;
      }}
      centered={false}
      overlayProps={{ blur: 0 }}
      nothingFound={m.office_list_no_match()}
      searchProps={{ placeholder: m.office_go_to(), 'aria-label': m.office_go_to() }}
      attributes={{ content: { 'aria-label': m.office_go_to() } }}
      classNames={{ action: classes.action ?? '', content: classes.content ?? '' }}
    />
  );
}

function pageGroups(go: (path: OfficePagePath) => void): SpotlightActionGroupData[] {
  const toAction = ({ path, label }: { path: OfficePagePath; label: string }) => ({
    id: path,
    label,
    onClick: () => go(path),
  });
  return [
    {
      group: m.office_orders(),
      actions: [
        toAction({ path: '/store/orders', label: m.office_orders() }),
        toAction({ path: '/kitchen', label: m.office_kitchen_screen() }),
      ],
    },
    ...navigationGroups().map(({ label, links }) => ({ group: label, actions: links.map(toAction) })),
  ];
}
