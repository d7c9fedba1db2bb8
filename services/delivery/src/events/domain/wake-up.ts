import { create, type DescMessage, type Message, type MessageInitShape } from '@bufbuild/protobuf';

/** One wake-up of an event. */
export interface WakeUpDraft {
  /** Its declaration, which has its name. */
  message: DescMessage;
  /** The payload. */
  data: Message;
  /** uuids of AIs that are woken. */
  ais: readonly string[];
  /** uuids of people whose AIs are woken. */
  people: readonly string[];
  /** uuids of the groups that it happened in. */
  groups: readonly string[];
}

/** @param rest the AIs and people that it wakes, and its groups; none where nothing is said */
export function wakeUp<Desc extends DescMessage>(
  message: Desc,
  data: MessageInitShape<Desc>,
  { ais = [], people = [], groups = [] }: Partial<Pick<WakeUpDraft, 'ais' | 'people' | 'groups'>>,
): WakeUpDraft {
  return { message, data: create(message, data), ais, people, groups };
}
