import { timestampDate } from '@bufbuild/protobuf/wkt';
import { isUuid, parseId } from '@hearth/ids';
import type { Event } from '@hearth/proto/events/v1/events';

/** A mail that an event makes. Its address and text are asked of its source when it goes. */
export interface SendDraft {
  /** uuid */
  event: string;
  at: Date;
  kind: 'ask_mail' | 'ask_reminder' | 'invite_mail';
  /** uuid of the approval or the invite. */
  id: string;
  /** The position of an ask's recipient. */
  part: number;
}

/** The events that make mails. */
export const sendTypes = ['approval_requested', 'approval_reminded', 'invite_created', 'send_due'];

const kinds = ['ask_mail', 'ask_reminder', 'invite_mail'] as const;

/** The mails of an event. */
export function sendsOf({ id, at, data }: Event): SendDraft[] {
  const event = parseId('evt', id);
  if (event === null || at === undefined) return [];
  const of = (kind: SendDraft['kind'], uuid: string | null, parts: readonly number[]) =>
    uuid === null || !isUuid(uuid)
      ? []
      : parts.map((part) => ({ event, at: timestampDate(at), kind, id: uuid, part }));
  switch (data.case) {
    case 'approvalRequested':
      return of('ask_mail', parseId('apr', data.value.approval), data.value.mailed);
    case 'approvalReminded':
      return of('ask_reminder', parseId('apr', data.value.approval), data.value.mailed);
    case 'inviteCreated':
      return data.value.mailed ? of('invite_mail', data.value.invite, [0]) : [];
    case 'sendDue': {
      const kind = kinds.find((one) => one === data.value.kind);
      return kind === undefined ? [] : of(kind, data.value.id, [data.value.part]);
    }
    default:
      return [];
  }
}
