import { prepareShops } from '#testing/running-shop.ts';

/** Runs once before all journeys; the returned function runs after them. */
export default prepareShops;
