const times = Number(process.env['HATCH_DRAWS'] ?? 1);

/**
 * Whether properties draw many cases (`HATCH_DRAWS=50`: fifty times as many), as `npm run soak -- properties` has them
 * do.
 */
export const isDrawingMany = times !== 1;
/** The cases of a property: fast-check's own number, which takes milliseconds where the code is pure. */
export const pureDraws = 100 * times;
/** Of one whose cases take long, because each asks a database or makes many calls. */
export const slowDraws = 12 * times;
/** The steps of the model of card payments. */
export const modelSteps = 300 * times;
/** The sets of offers that are drawn, and the baskets that each of them prices: 200 and 1,000 where many are drawn. */
export const offerDraws = { sets: isDrawingMany ? 200 : 50, baskets: isDrawingMany ? 20 * times : 2 };
