import { serveOnDemandProcess } from '#platform/server/on-demand-process.ts';

// What the tests of idle processes run.

let questions = 0;

serveOnDemandProcess((question: unknown) => {
  questions += 1;
  if (question === 'throw') throw new Error('no answer');
  if (question === 'exit') process.exit(3);
  if (question === 'where') return { pid: process.pid, questions, secret: process.env['STRIPE_SECRET_KEY'] };
  if (question === 'never') return new Promise(() => {});
  return question;
});
