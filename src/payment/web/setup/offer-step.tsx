import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { Step } from '#ui/web/office/step.tsx';
import { api } from '#platform/web/api.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';
import { replaceStore } from '#store/web/stores.ts';

/** Whether customers of this store may choose to pay by card, as far as the key works. */
export function OfferStep({ store, canPay }: { store: Store; canPay: boolean }) {
  const { collection, delivery } = store.payment_methods;
  const offered = { collection: collection.includes('card'), delivery: delivery.includes('card') };
  const offer = useMutation({
    mutationFn: async () =>
      (
        await api(
          'PATCH /v1/stores/{id}',
          {
            id: store.id,
            payment_methods: { collection: withCard(collection), delivery: withCard(delivery) },
            was: { payment_methods: store.payment_methods },
          },
          { timeout: 20_000 },
        )
      ).data,
    onSuccess: replaceStore,
    onError: (error) => notify({ text: refusalWords(error), tone: 'bad' }),
  });
  const isOffered = offered.collection || offered.delivery;
  return (
    <Step
      state={!isOffered ? 'todo' : canPay ? 'done' : 'bad'}
      title={m.payment_setup_offer()}
      text={
        !isOffered
          ? m.payment_setup_offer_none()
          : canPay
            ? m.payment_setup_offered({ ways: waysOf(offered), shop: store.name })
            : m.payment_setup_offer_stopped()
      }
    >
      {!isOffered && (
        <Button loading={offer.isPending} onClick={() => offer.mutate()}>
          {m.payment_setup_offer_cards()}
        </Button>
      )}
      {isOffered && (
        <Button component={Link} href="/store/manage?section=ordering" variant="default">
          {m.payment_setup_offer_change()}
        </Button>
      )}
    </Step>
  );
}

function withCard(methods: readonly PaymentMethod[]): PaymentMethod[] {
  return [...new Set<PaymentMethod>([...methods, 'card'])];
}

function waysOf({ collection, delivery }: { collection: boolean; delivery: boolean }): string {
  if (collection && delivery) return 'both';
  return collection ? 'collection' : 'delivery';
}
