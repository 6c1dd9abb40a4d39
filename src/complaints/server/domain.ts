import { complaints } from '#complaints/contract.ts';
import { complaintHandlers } from '#complaints/server/handlers.ts';
import { eraseComplaintData, exportComplaints, startComplaintSweep } from '#complaints/server/sweep-complaints.ts';
import { complaintMailExamples } from '#complaints/server/complaint-mail.ts';
import type { ComplaintServices } from '#complaints/server/services.ts';
import { calls } from '#database/domain.ts';
import type { Parts } from '#platform/server/parts.ts';

export const complaintsDomain = {
  name: 'complaints',
  calls: [calls(complaints, complaintHandlers)],
  mailExamples: complaintMailExamples,
  start(services: ComplaintServices, parts: Parts) {
    parts.add('complaints', startComplaintSweep(services));
  },
  personalData: { complaints: exportComplaints },
  eraser: () => eraseComplaintData,
};
