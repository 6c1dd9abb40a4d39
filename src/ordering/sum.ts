import { z } from 'zod';

/** Amounts of a basket in minor units: a quote may show more than can be ordered, or than one price can be. */
export const Sum = z.int().min(0);
