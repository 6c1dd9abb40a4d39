import { serveIdleProcess } from '#platform/server/on-demand-process.ts';
import { drawPictureSizes, type DrawResult } from '#uploads/server/draw-picture.ts';

serveIdleProcess<Uint8Array, DrawResult>((file) => drawPictureSizes(Buffer.from(file)));
