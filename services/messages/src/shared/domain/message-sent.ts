import type { MessageInitShape } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import type { Outbox, OutboxRow } from '@hearth/outbox';
import type { MessageNoticeSchema } from '@hearth/proto/events/v1/events';
import { mailboxTopic } from './topics.ts';

/** A message as its event tells of it. */
export interface ToldMessage {
  id: string;
  thread: string;
  /** Address of the sender; empty for somebody under 18, since whoever hears it may not see who they are. */
  from: string;
  recipient: string;
  /** Who sees it first, when that is not the recipient. */
  holder: string | null;
  /** inbox, requests or front_door */
  box: string;
  /** Nobody is woken for it. */
  quiet?: boolean;
  /** What a person is told of it, when one is. */
  notice?: MessageInitShape<typeof MessageNoticeSchema> | undefined;
  /** uuids of groups that both sides are in. */
  groups?: readonly string[];
}

/** It is there for whoever sees it first. */
export function messageSent(outbox: Pick<Outbox, 'row'>, message: ToldMessage): OutboxRow {
  const to = message.holder ?? message.recipient;
  return outbox.row(
    {
      case: 'messageSent',
      value: {
        messageId: printId('msg', message.id),
        thread: printId('thr', message.thread),
        from: message.from,
        to,
        box: message.box,
        quiet: message.quiet ?? false,
        ...(message.notice !== undefined && { notice: message.notice }),
        groups: [...(message.groups ?? [])],
      },
    },
    [mailboxTopic(to)],
  );
}
