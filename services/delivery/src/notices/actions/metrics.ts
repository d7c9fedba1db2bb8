import { counter } from '@hearth/telemetry';

const notices = counter('hearth.notice.told', {
  description: 'Things that people were to be told.',
  unit: '{notice}',
});
/** `repeated`: too soon after the last notice; `no_way`: no app and no address; `over_limit`: of mails a day. */
export type NoticeOutcome = 'app' | 'mail' | 'repeated' | 'no_way' | 'over_limit';

/** Counts a notice by outcome. */
export function recordNotice(kind: string, outcome: NoticeOutcome): void {
  notices(1, { 'hearth.kind': kind, 'hearth.outcome': outcome });
}
