import { counter } from '@hearth/telemetry';

const asked = counter('hearth.approval.asked', {
  description: 'Asks that were made.',
  unit: '{approval}',
});
const settled = counter('hearth.approval.settled', {
  description: 'Approvals that settled.',
  unit: '{approval}',
});

/** An ask was made. */
export function recordAsked({ kind }: { kind: string }): void {
  asked(1, { 'hearth.kind': kind });
}

/** An approval settled. */
export function recordSettled({ status, kind }: { status: string; kind: string }): void {
  settled(1, { 'hearth.status': status, 'hearth.kind': kind });
}
