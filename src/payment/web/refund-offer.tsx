import { Button, Group } from '@mantine/core';
import type { Refund } from '#payment/refund.ts';
import { refundOfferSince } from '#payment/refund-rules.ts';
import { useOrderMoney } from '#payment/web/order-money.tsx';

interface OfferProps {
  orderId: string;
  /** The time of the complaint, ISO 8601. */
  since: string;
  /** A refund in words, with its time. */
  refundWords: (refund: Refund) => string;
  /** The labels of the button for the first and for another refund. */
  labels: { first: string; more: string };
  /** Opens the refund's form; null for staff who may not refund. */
  onRefund: (() => void) | null;
}

/** The refunds of an order since a complaint about it, and a button for a first or another one. */
export function RefundOffer({ orderId, since, refundWords, labels, onRefund }: OfferProps) {
  const { data, isPending } = useOrderMoney(orderId);
  if (isPending) return null;
  // If the payments cannot be read, the form is offered, which tries again and says why it failed.
  const { refunds, offer } = refundOfferSince(since, data?.money ?? { refunds: [], refundable: 0 });
  if (refunds.length === 0 && !onRefund) return null;
  return (
    <Group>
      <span role="status" hidden={refunds.length === 0}>
        {refunds.map((refund) => (
          <strong key={refund.id} style={{ display: 'block' }}>
            {refundWords(refund)}
          </strong>
        ))}
      </span>
      {onRefund && offer !== 'none' && (
        <Button variant="default" onClick={onRefund}>
          {labels[offer]}
        </Button>
      )}
    </Group>
  );
}
