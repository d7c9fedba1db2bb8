import { counter } from '@hearth/telemetry';

const notices = counter('hearth.notice.told', {
  description: 'Things that people were to be told.',
  unit: '{notice}',
});
const mails = counter('hearth.notice.mails', {
  description: 'Attempts to send e-mails that tell people what waits for them.',
  unit: '{mail}',
});

/** `repeated`: within the rest after the last; `no_way`: no app holds them, and they have no address; `over_limit`: of mails. */
export type NoticeOutcome = 'app' | 'mail' | 'repeated' | 'no_way' | 'over_limit';

/** A person was notified, or not. */
export function recordNotice(kind: string, outcome: NoticeOutcome): void {
  notices(1, { 'hearth.kind': kind, 'hearth.outcome': outcome });
}

/** An e-mail was tried; `dropped` when there is no address any more. */
export function recordMail(outcome: 'sent' | 'failed' | 'given_up' | 'dropped'): void {
  mails(1, { 'hearth.outcome': outcome });
}
