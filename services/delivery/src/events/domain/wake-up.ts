import { create, type DescMessage, type Message, type MessageInitShape } from '@bufbuild/protobuf';

/** A wake-up caused by an event. */
export interface WakeUpDraft {
  /** Its declaration, which holds the name. */
  message: DescMessage;
  /** The payload. */
  data: Message;
  /** uuids of the AIs to wake. */
  ais: readonly string[];
  /** uuids of the people whose AIs to wake. */
  people: readonly string[];
  /** uuids of the groups in which it happened. */
  groups: readonly string[];
}

/** @param rest the AIs and people to wake, and the groups; none by default */
export function wakeUp<Desc extends DescMessage>(
  message: Desc,
  data: MessageInitShape<Desc>,
  { ais = [], people = [], groups = [] }: Partial<Pick<WakeUpDraft, 'ais' | 'people' | 'groups'>>,
): WakeUpDraft {
  return { message, data: create(message, data), ais, people, groups };
}
