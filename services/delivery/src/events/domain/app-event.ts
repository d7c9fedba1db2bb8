import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import type { AiSnapshot, GroupSnapshot, PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { GroupSchema } from '@hearth/proto/groups/v1/groups';
import type { AiSchema, PersonSchema } from '@hearth/proto/identity/v1/resources';

/** A person, as far as it decides by which id an app knows them. */
export interface NamedPerson {
  /** uuid */
  id: string;
  /** Under 18, as the event has it; counts once they are gone. */
  minor: boolean;
  /** uuid of the app that held a person who is gone. */
  app?: string;
}

/** The people and things that an event names, as one app sees them. */
export interface View {
  /** uuid of the app. */
  app: string;
  /** Whether the app holds the person. */
  holds(person: string): boolean;
  /** per_, or the app's own shp_. */
  personId(person: NamedPerson): string;
  person(snapshot: PersonSnapshot): MessageInitShape<typeof PersonSchema>;
  group(snapshot: GroupSnapshot): MessageInitShape<typeof GroupSchema>;
  /** @param status claimed, vouched or unclaimed, at the moment of the event */
  ai(snapshot: AiSnapshot, status: string): MessageInitShape<typeof AiSchema>;
  /** Whether the app made the group or holds a member. */
  isIn(group: string): boolean;
  /** The address of a page. */
  page(path: string): string;
}

/** The people and things that showing an event rests on: uuids. Empty ones are left out. */
export interface Needs {
  people?: readonly string[];
  groups?: readonly string[];
  ais?: readonly string[];
}

/** One event for apps, before it is shown to each. */
export interface AppDraft {
  /** Declares the type, and what its data is. */
  message: DescMessage;
  /** uuids of the apps that it is for; each counts once, and empty ones are left out. */
  apps: readonly string[];
  /** uuid of the group or person (else AI, or approval) whose events follow on each other; none goes without it. */
  orderKey: string;
  needs: Needs;
  /** Null where it is not for this app after all. */
  data(view: View): Record<string, unknown> | null;
  /** Sent to an app once for each group, at the first event of the group that concerns it. */
  oncePerGroup?: boolean;
}

/** A draft whose data fits its message. */
export function appEvent<Message extends DescMessage>(
  message: Message,
  rest: Omit<AppDraft, 'message' | 'data'> & { data(view: View): MessageInitShape<Message> | null },
): AppDraft {
  return { message, ...rest } as AppDraft;
}
