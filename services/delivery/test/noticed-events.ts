import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import {
  DecisionChangedSchema,
  type DecisionNeedSchema,
  type Event,
  type MessageFromHomeSchema,
  MessageSentSchema,
  type PersonNotifiedSchema,
  PersonNotifiedSchema as schema,
} from '@hearth/proto/events/v1/events';
import { ids } from './stand-ins.ts';
import { newEvent } from './start-delivery.ts';

type Words = MessageInitShape<typeof PersonNotifiedSchema>;

/** An ask to a person, as approvals announces it. */
export function asked(person: string, at: number, words: Words = {}): Event {
  const value = {
    title: 'Robin asks you',
    body: 'May I book the 9:30 train?',
    link: '/a/apr_1',
    kind: 'approval',
    item: ids.uuid(),
    ...words,
    person,
  };
  return newEvent({ case: 'personNotified', value: create(schema, value) }, { at });
}

/** A message to a person, as messages announces it. */
export function written(
  to: string,
  at: number,
  { thread = ids.uuid(), box = 'inbox', fromHome, ...notice }: WrittenMessage = {},
): Event {
  const value = create(MessageSentSchema, {
    messageId: printId('msg', ids.uuid()),
    thread: printId('thr', thread),
    to,
    box,
    notice: { fromName: 'Robin', title: 'The train', ...notice },
    ...(fromHome !== undefined && { fromHome }),
  });
  return newEvent({ case: 'messageSent', value }, { at });
}

interface WrittenMessage {
  thread?: string;
  box?: string;
  fromName?: string;
  title?: string;
  about?: string;
  by?: string;
  fromHome?: MessageInitShape<typeof MessageFromHomeSchema>;
}

/** A decision that waits for people, for themselves or for a child. */
export function waitedFor(needs: MessageInitShape<typeof DecisionNeedSchema>[], at: number): Event {
  const value = create(DecisionChangedSchema, {
    decision: { id: ids.uuid(), number: 42n, title: 'Dinner' },
    what: 'started',
    needs,
  });
  return newEvent({ case: 'decisionChanged', value }, { at });
}
