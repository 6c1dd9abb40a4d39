import { parseArgs } from 'node:util';
import { preselectedStripeRights } from '#payment/stripe-rights.ts';
import type { Right } from '#simulators/stripe/api/keys.ts';
import { startLocalStripe } from '#simulators/stripe/local-stripe.ts';

/**
 * Starts the local Stripe for trying out a shop: `npm run stripe -- --port 12111 [--rights charge_write,event_read]`
 */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '12111' }, rights: { type: 'string' } },
});
const stripe = await startLocalStripe({ port: Number(values.port) });
const key = values.rights
  ? // The cast is safe, because no call asks for a right that does not exist.
    stripe.control.keys.create({ rights: values.rights.split(',') as Right[] })
  : stripe.secretKey;
const rights = preselectedStripeRights.map((name) => name.replace('rak_', '') as Right);
console.log(`The local Stripe listens on ${stripe.origin}. Start a shop with it:

  STRIPE_SECRET_KEY=${key} STRIPE_API_BASE=${stripe.origin} npm start

Or set it up in the office, under Money → Card payments, as an owner does. Start the shop without a key, and paste this one there:

  STRIPE_API_BASE=${stripe.origin} npm start
  ${stripe.control.keys.create({ rights })}
`);
// The tick expires sessions and holds, settles refunds and makes payouts on time, even if no call comes.
const ticking = setInterval(() => {
  stripe.control.tick();
  for (const { request, problem } of stripe.control.takeViolations()) console.error(`${request}: ${problem}`);
}, 1000);
const stop = async () => {
  clearInterval(ticking);
  await stripe.close();
};
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
