import type { BaseServices } from '#database/services.ts';
import type { PersonOrders } from '#accounts/server/services.ts';
import type { MailConfig } from '#database/mail/mail.ts';
import type { OrderParts } from '#ordering/server/services.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface PeopleServices extends Pick<BaseServices, 'jobs' | 'log'> {
  config: MailConfig;
  orderParts: OrderParts;
  orders: PersonOrders;
  realtime: Realtime;
}
