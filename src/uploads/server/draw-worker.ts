import { answerQuestions } from '#platform/server/idle-process.ts';
import { makeSizes, type DrawnSizes } from '#uploads/server/make-sizes.ts';

answerQuestions<Uint8Array, DrawnSizes>((file) => makeSizes(Buffer.from(file)));
