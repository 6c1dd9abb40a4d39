import { serveDemoPictures } from '#demo/server/pictures.ts';

export const demoDomain = { name: 'demo', routes: serveDemoPictures };
