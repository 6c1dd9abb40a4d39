import { prepareShops } from '#testing/running-shop.ts';

/** Runs once before all journeys; what it answers runs after them. */
export default prepareShops;
