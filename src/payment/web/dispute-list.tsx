import { Alert, Anchor } from '@mantine/core';
import { m } from '#messages';
import type { Dispute } from '#payment/bank-contract.ts';
import { isDisputeClosed, stageOf } from '#payment/bank-rules.ts';
import { disputeReason, disputeStageWords, disputeStatusWords } from '#payment/dispute-words.ts';
import { formatMoney } from '#platform/money.ts';

/** An order's disputes, each with its page at the provider; nothing if there are none. */
export function DisputeList({ disputes }: { disputes: readonly Dispute[] }) {
  return disputes.map(({ id, status, amount, currency, reason, link }) => (
    <Alert key={id} color={isDisputeClosed(status) ? 'gray' : 'bad'} title={disputeStatusWords[status]()}>
      <p>{disputeStageWords[stageOf(status)]({ amount: formatMoney(amount, currency) })}</p>
      <p>{disputeReason(reason)}</p>
      <Anchor href={link} target="_blank" rel="noreferrer">
        {m.payment_at_provider()}
      </Anchor>
    </Alert>
  ));
}
