import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { BaseServices } from '#database/services.ts';
import type { MailConfig, HasMailSender } from '#mail/server/services.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import type { StoreCache } from '#store/server/services.ts';

export interface ComplaintServices
  extends Pick<BaseServices, 'clock' | 'db' | 'jobs' | 'log' | 'now'>, HasMailSender, Pick<OrderServices, 'outbox'> {
  admins: AlertServices['admins'];
  config: MailConfig & AlertServices['config'] & { publicUrl: string };
  menus: Pick<StoreCache, 'store'>;
}
