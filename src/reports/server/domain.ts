import { endpointRegistration } from '#database/endpoint-registration.ts';
import { reportEndpoints } from '#reports/contract.ts';
import { reportsHandlers } from '#reports/server/handlers.ts';
import { bestSellersWork } from '#reports/server/best-sellers.ts';
import { takingsWork } from '#reports/server/sum-days.ts';
import { takingsMailExample, takingsMailWork } from '#reports/server/mail-takings.ts';

type Services = Parameters<typeof takingsWork>[0] &
  Parameters<typeof bestSellersWork>[0] &
  Parameters<typeof takingsMailWork>[0];

export const reportsDomain = {
  name: 'reports',
  calls: [endpointRegistration(reportEndpoints, reportsHandlers)],
  mailExamples: takingsMailExample,
  work: (services: Services) => [takingsWork(services), bestSellersWork(services), takingsMailWork(services)],
};
