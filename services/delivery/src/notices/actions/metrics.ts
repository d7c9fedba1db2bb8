import { counter } from '@hearth/telemetry';

const notices = counter('hearth.notice.told', {
  description: 'Things that people were to be told.',
  unit: '{notice}',
});
/** `repeated`: within the rest after the last; `no_way`: no app holds them, and they have no address; `over_limit`: of mails. */
export type NoticeOutcome = 'app' | 'mail' | 'repeated' | 'no_way' | 'over_limit';

/** A person was notified, or not. */
export function recordNotice(kind: string, outcome: NoticeOutcome): void {
  notices(1, { 'hearth.kind': kind, 'hearth.outcome': outcome });
}
