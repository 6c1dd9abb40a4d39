import type { BaseServices } from '#database/services.ts';
import type { HasMailSender } from '#mail/server/services.ts';
import type { PersonalDataHandlers } from '#people/server/personal-data.ts';
import type { RealtimeServer } from '#realtime/server/realtime.ts';
import type { AccountServices } from '#accounts/server/services.ts';

export interface PeopleServices extends Pick<BaseServices, 'db' | 'jobs' | 'log'>, HasMailSender {
  config: AccountServices['config'];
  kept: PersonalDataHandlers;
  menus: AccountServices['menus'];
  realtime: RealtimeServer;
  totpSecrets: AccountServices['totpSecrets'];
}
