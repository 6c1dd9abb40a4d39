import type sharp from 'sharp';

/** Loads the picture library on first use: it takes 20 MB, which many starts never need. */
export async function loadSharp(): Promise<typeof sharp> {
  return (await import('sharp')).default;
}
