import { z } from 'zod';

/** Minor units that add up from a basket: a quote may show more than can be ordered, or than one price can be. */
export const Sum = z.int().min(0);
