import { serveDrawnPictures } from '#demo/server/pictures.ts';

export const demoDomain = { name: 'demo', routes: serveDrawnPictures };
