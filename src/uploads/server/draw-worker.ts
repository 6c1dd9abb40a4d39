import { serveOnDemandProcess } from '#platform/server/on-demand-process.ts';
import { drawPictureSizes, type DrawResult } from '#uploads/server/draw-picture.ts';

serveOnDemandProcess<Uint8Array, DrawResult>((file) => drawPictureSizes(Buffer.from(file)));
