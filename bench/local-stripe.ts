import { startLocalStripe } from '#simulators/stripe/local-stripe.ts';

/** A local Stripe in a process of its own, so that its work does not delay what is measured beside it. */
export interface Started {
  origin: string;
  secretKey: string;
}

const stripe = await startLocalStripe();
// Nobody reads its log, which would grow with every call.
setInterval(() => stripe.control.clearLog(), 1_000).unref();
process.on('SIGTERM', () => void stripe.close().then(() => process.exit(0)));
process.send?.({ origin: stripe.origin, secretKey: stripe.secretKey } satisfies Started);
