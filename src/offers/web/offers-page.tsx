import { ActionIcon, Button, Menu, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { m } from '#messages';
import type { Offer } from '#offers/contract.ts';
import { emptyOffer } from '#offers/offer-rules.ts';
import { type OfferDishes, offerDishesByCategory } from '#offers/web/dish-choice.tsx';
import { CodeLinkDialog, CodesDialog } from '#offers/web/offer-codes.tsx';
import { OfferForm } from '#offers/web/offer-form.tsx';
import { offerState, offerWords } from '#offers/web/offer-words.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import type { OfferFields } from '#store/offer-shapes.ts';
import { notify } from '#ui/web/notify.ts';
import { visibleRowsOf } from '#ui/list-view.ts';
import { DataList } from '#ui/web/office/data-list.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { useListView } from '#ui/web/office/use-paged-list.ts';
import { confirm, SideSheet } from '#ui/web/office/dialogs.tsx';
import { Badge, type BadgeTone, OfficePage } from '#ui/web/office/office-page.tsx';
import { queryClient } from '#ui/web/office/query-client.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { EmptyState, LoadingState, OfficeLoadFailure } from '#ui/web/office/states.tsx';

const timeout = 20_000;
const states: Record<ReturnType<typeof offerState>, [tone: BadgeTone | null, words: () => string]> = {
  on: ['good', m.offers_state_on],
  later: ['warn', m.offers_state_later],
  ended: [null, m.offers_state_ended],
  off: [null, m.offers_state_off],
};

const OfferResults = lazy(async () => ({ default: (await import('#offers/web/offer-results.tsx')).OfferResults }));

export function OffersPage({ store }: { store: Store }) {
  const [path, go] = useLocation();
  const shown = new URLSearchParams(useSearch()).get('show') === 'results' ? 'results' : 'list';
  const tabs = (
    <SegmentedControl
      mb="xs"
      withItemsBorders={false}
      aria-label={m.offers_show()}
      value={shown}
      onChange={(next) => go(next === 'list' ? path : `${path}?show=results&range=this_month`)}
      data={[
        { value: 'list', label: m.offers_show_list() },
        { value: 'results', label: m.offers_show_results() },
      ]}
    />
  );
  if (shown === 'list') return <OfferList store={store} tabs={tabs} />;
  return (
    <OfficePage title={m.office_page_offers()} hint={m.offers_hint()}>
      {tabs}
      <Suspense fallback={<LoadingState />}>
        <OfferResults store={store} />
      </Suspense>
    </OfficePage>
  );
}

function OfferList({ store, tabs }: { store: Store; tabs: ReactNode }) {
  const [opened, setOpened] = useState<Offer | 'new' | null>(null);
  const key = ['offers', store.id];
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const [offers, menus] = await Promise.all([
        api('GET /v1/offers', { store_id: store.id, per_page: 200 }, { signal, timeout }),
        api(
          'GET /v1/menus/store/{storeId}',
          { storeId: store.id, all: '1', include: 'categories.items' },
          { signal, timeout },
        ),
      ]);
      return { offers: offers.data.toReversed(), dishes: offerDishesByCategory(menus.data) };
    },
  });
  const refetch = () => queryClient.invalidateQueries({ queryKey: key });
  const add = <Button onClick={() => setOpened('new')}>{m.offers_add()}</Button>;
  const { data: found } = query;
  return (
    <OfficePage title={m.office_page_offers()} hint={m.offers_hint()} actions={add} isWide>
      {tabs}
      {query.isPending && <LoadingState />}
      {query.isError && !found && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {found && (
        <OfferRows offers={found.offers} store={store} dishes={found.dishes} onOpen={setOpened} onChanged={refetch} />
      )}
      {found && opened && (
        <SideSheet
          opened
          onClose={() => setOpened(null)}
          position="right"
          size="lg"
          title={opened === 'new' ? m.offers_add() : opened.name}
        >
          <OfferForm
            first={opened === 'new' ? { ...emptyOffer, name: '', kind: 'percent' } : opened}
            store={store}
            dishes={found.dishes}
            onSave={async (offer) => {
              await saveOffer(store, opened, offer);
              await refetch();
              setOpened(null);
            }}
          />
        </SideSheet>
      )}
    </OfficePage>
  );
}

/**
 * Saves a new or changed offer. A change sends the offer's earlier values too, so that the server overwrites no
 * concurrent change.
 */
async function saveOffer(store: Store, opened: Offer | 'new', offer: OfferFields): Promise<void> {
  if (opened === 'new') {
    await api('POST /v1/offers', { ...offer, store_id: store.id }, { timeout });
    return notify({ text: m.offers_added({ name: offer.name }) });
  }
  const { id, store_id: _store, uses: _uses, spent: _spent, codes_made: _made, codes_used: _used, ...was } = opened;
  await api('PATCH /v1/offers/{id}', { ...offer, id, was }, { timeout });
  notify({ text: m.offers_saved({ name: offer.name }) });
}

interface ListProps {
  offers: Offer[];
  store: Store;
  dishes: OfferDishes;
  onOpen: (offer: Offer) => void;
  onChanged: () => Promise<unknown>;
}

function OfferRows({ offers, store, dishes, onOpen, onChanged }: ListProps) {
  const { view, change } = useListView();
  const now = useNow();
  const shown = visibleRowsOf(offers, view, { textOf: ({ name, code }) => `${name} ${code ?? ''}` });
  const stateOf = (offer: Offer) => states[offerState(offer, now)];
  return (
    <DataList<Offer>
      label={m.office_page_offers()}
      columns={[
        { key: 'name', label: m.offers_name(), cell: ({ name }) => name },
        { key: 'words', label: m.offers_kind(), cell: (offer) => offerWords(offer, store, dishes.nameOf) },
        {
          key: 'uses',
          label: m.offers_uses(),
          cell: (offer) => usesWords(offer, store.currency) || '–',
          isUsual: (offer) => usesWords(offer, store.currency) === '',
        },
        {
          key: 'state',
          label: m.offers_state(),
          isBesideTitle: true,
          cell: (offer) => <Badge tone={stateOf(offer)[0]}>{stateOf(offer)[1]()}</Badge>,
        },
      ]}
      rows={shown.rows}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      view={{ ...view, page: shown.page }}
      onView={change}
      total={shown.total}
      pages={shown.pages}
      onOpen={onOpen}
      rowActions={(offer) => <OfferMenu offer={offer} onOpen={() => onOpen(offer)} onChanged={onChanged} />}
      empty={<EmptyState title={m.offers_none()}>{m.offers_none_hint()}</EmptyState>}
    />
  );
}

/** How often an offer and its codes were used, in words; empty if there is nothing to count. */
function usesWords({ uses, spent, codes_made: made, codes_used: used }: Offer, currency: string): string {
  return [
    uses > 0 && m.offers_used({ count: uses, amount: formatMoney(spent, currency) }),
    made > 0 && m.offers_codes_counts({ made, used }),
  ]
    .filter(Boolean)
    .join(' ');
}

interface MenuProps {
  offer: Offer;
  onOpen: () => void;
  onChanged: () => Promise<unknown>;
}

function OfferMenu({ offer, onOpen, onChanged }: MenuProps) {
  const { id, name, code, by_code: isByCode, is_active: isActive } = offer;
  const [isMakingCodes, setMakingCodes] = useState(false);
  const [isLinked, setLinked] = useState(false);
  const run = async (call: () => Promise<unknown>) => {
    try {
      await call();
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
    }
    await onChanged();
  };
  const remove = async () => {
    const question = {
      title: m.offers_delete_title({ name }),
      body: m.offers_delete_body(),
      action: m.offers_delete(),
    };
    if (await confirm({ ...question, isDangerous: true }))
      await run(() => api('DELETE /v1/offers/{id}', { id }, { timeout }));
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={m.offers_actions({ name })}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onOpen}>{m.offers_change()}</Menu.Item>
          {isByCode && <Menu.Item onClick={() => setMakingCodes(true)}>{m.offers_codes()}</Menu.Item>}
          {code !== null && <Menu.Item onClick={() => setLinked(true)}>{m.offers_link_show()}</Menu.Item>}
          <Menu.Item
            onClick={() => void run(() => api('PATCH /v1/offers/{id}', { id, is_active: !isActive }, { timeout }))}
          >
            {isActive ? m.offers_end() : m.offers_start()}
          </Menu.Item>
          <Menu.Item color="bad" onClick={() => void remove()}>
            {m.offers_delete()}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isMakingCodes && <CodesDialog offer={offer} onMade={onChanged} onClose={() => setMakingCodes(false)} />}
      {code !== null && isLinked && <CodeLinkDialog code={code} onClose={() => setLinked(false)} />}
    </>
  );
}
