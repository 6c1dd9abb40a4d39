import { m } from '#messages';

export const modeWords = {
  live: () => m.payment_mode_live(),
  test: () => m.payment_mode_test(),
};
