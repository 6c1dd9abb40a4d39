import { complaintEndpoints } from '#complaints/contract.ts';
import { complaintHandlers } from '#complaints/server/handlers.ts';
import { complaintDataEraser, exportComplaints, startComplaintSweep } from '#complaints/server/sweep-complaints.ts';
import { complaintMailExamples } from '#complaints/server/complaint-mail.ts';
import { makeComplaintEvents } from '#complaints/server/complaint-events.ts';
import type { ComplaintServices } from '#complaints/server/services.ts';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { ServerParts } from '#platform/server/parts.ts';

export const complaintsDomain = {
  name: 'complaints',
  calls: [endpointRegistration(complaintEndpoints, complaintHandlers)],
  events: () => ({ complaint: makeComplaintEvents }),
  mailExamples: complaintMailExamples,
  start(services: ComplaintServices, parts: ServerParts) {
    parts.add('complaints', startComplaintSweep(services));
  },
  personalData: { complaints: exportComplaints },
  eraser: () => complaintDataEraser,
};
