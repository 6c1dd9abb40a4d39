import { z } from 'zod';
import { storePathName } from '#store/contract.ts';
import { Id, SingleAnswer } from '#platform/http/shapes.ts';

export const watchEndpoints = {
  'POST /v1/stores/{id}/heard': {
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'Somebody at a board has heard of these orders: the owner is told so if nobody answers them.',
    body: z.object({ order_ids: z.array(Id).min(1).max(200) }),
    response: null,
  },
  'GET /v1/proxies/unknown': {
    access: 'admin',
    summary:
      'List the proxies behind which all customers count as one: `addresses` pass calls on and are not trusted, `without_clients` do not say where a call comes from.',
    response: SingleAnswer(z.object({ addresses: z.array(z.string()), without_clients: z.array(z.string()) })),
  },
} as const;
