import { eventCounter } from '@hearth/telemetry';

export const recordAsked = eventCounter(
  'hearth.approval.asked',
  { description: 'Asks that were made.', unit: '{approval}' },
  ({ kind }: { kind: string }) => ({ 'hearth.kind': kind }),
);

export const recordSettled = eventCounter(
  'hearth.approval.settled',
  { description: 'Approvals that settled.', unit: '{approval}' },
  ({ status, kind }: { status: string; kind: string }) => ({ 'hearth.status': status, 'hearth.kind': kind }),
);
