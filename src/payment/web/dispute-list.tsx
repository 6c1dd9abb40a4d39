import { Alert, Anchor } from '@mantine/core';
import { m } from '#messages';
import type { Dispute } from '#payment/bank-contract.ts';
import { isDisputeClosed, needsResponse, stageOf } from '#payment/bank-rules.ts';
import { disputeReason, disputeStageWords, disputeStatusWords } from '#payment/dispute-words.ts';
import { Deadline } from '#payment/web/dispute-deadline.tsx';
import { formatMoney } from '#platform/money.ts';
import { useNow } from '#platform/web/clock.ts';

/** An order's disputes, each with the time left to answer and its page at the provider; nothing if there are none. */
export function DisputeList({ disputes, timezone }: { disputes: readonly Dispute[]; timezone: string }) {
  const now = useNow();
  return disputes.map((dispute) => {
    const { id, status, amount, currency, reason, link, respond_by } = dispute;
    const isWaiting = needsResponse(status);
    return (
      <Alert key={id} color={isDisputeClosed(status) ? 'gray' : 'bad'} title={disputeStatusWords[status]()}>
        <p>{disputeStageWords[stageOf(status)]({ amount: formatMoney(amount, currency) })}</p>
        <p>{disputeReason(reason)}</p>
        {isWaiting && respond_by !== null && (
          <p>
            <Deadline dispute={dispute} now={now} timezone={timezone} />
          </p>
        )}
        <Anchor href={link} target="_blank" rel="noreferrer">
          {isWaiting ? m.payment_dispute_answer_now() : m.payment_at_provider()}
        </Anchor>
      </Alert>
    );
  });
}
