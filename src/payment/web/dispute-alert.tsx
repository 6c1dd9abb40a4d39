import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { deadlineWords } from '#payment/web/dispute-deadline.tsx';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';

/** That disputes have to be answered, and by when the first; nothing if there are none. */
export function DisputeAlert({ store, onShow }: { store: Store; onShow: () => void }) {
  const now = useNow();
  const { data } = useQuery({
    queryKey: ['disputes', store.id, 'unanswered'],
    queryFn: ({ signal }) =>
      api('GET /v1/disputes', { store_id: store.id, state: 'unanswered', per_page: 1 }, { signal, timeout: 20_000 }),
  });
  const [first] = data?.data ?? [];
  if (!data || !first) return null;
  return (
    <Alert color="bad" mb="md" title={m.payment_dispute_alert({ count: data.meta.total })}>
      <p>{deadlineWords(first, now, store.timezone) ?? m.payment_dispute_alert_hint()}</p>
      <Button variant="default" mt="xs" onClick={onShow}>
        {m.payment_dispute_show()}
      </Button>
    </Alert>
  );
}
