import { Button } from '@mantine/core';
import { Banner } from '#kitchen/web/board/banner-strip.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { m } from '#messages';
import { keyProblemWords } from '#payment/key-problem-words.ts';
import { unchargedOrdersWords } from '#payment/web/payment-words.ts';
import { useCardPaymentState } from '#payment/web/card-payments-band.tsx';

/** The banners about card payments: that they fail, with the first affected order, or that they are tests. */
export function CardPaymentsBanner() {
  const { store, showOrder } = useBoardControls();
  const known = useCardPaymentState(store);
  if (!known) return null;
  const first = known.uncharged[0];
  return (
    <>
      {known.problem && (
        <Banner
          icon="card"
          tone="bad"
          buttons={
            first && (
              <Button variant="white" color="dark" onClick={() => showOrder(first.order_id)}>
                {m.kitchen_board_show()}
              </Button>
            )
          }
        >
          {keyProblemWords(known.problem)} {m.kitchen_board_cards_tell()}{' '}
          {first && <strong>{unchargedOrdersWords(known)}</strong>}
        </Banner>
      )}
      {known.mode === 'test' && (
        <Banner icon="card" tone="test">
          {m.kitchen_board_cards_test()}
        </Banner>
      )}
    </>
  );
}
