import { type AlertServices, startAlerts } from '#alerts/server/alert-owner.ts';
import { mailWatch } from '#alerts/server/watch-mail.ts';

type Services = Parameters<typeof mailWatch>[0];

export const alertsDomain = {
  name: 'alerts',
  start: (services: Pick<AlertServices, 'jobs' | 'config'>) => startAlerts(services),
  work: (services: Services) => [mailWatch(services)],
};
